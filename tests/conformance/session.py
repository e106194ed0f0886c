"""What every kind of case needs in Python: a stream, memory that its device reaches, and how results
compare."""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

import numpy as np
import warpprim as wp
from dtypes import DTYPES
from recipe import fnv1a, make
from warpprim import raw

Case = dict[str, Any]
POISON = 0xA5
ALIGNMENT = 256
MODES = ("eager", "plan", "graph", "resident")
TORCH_NAMES = {"f": "float", "i": "int", "u": "uint", "b": "bool"}


class Result(NamedTuple):
    what: str  # pass, fail, skip
    why: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {' '.join(self.why.split())}" if self.why else self.what


PASS = Result("pass")


def failed(why: str) -> Result:
    return Result("fail", why)


def name_in_libraries(dtype: str) -> str:
    """f32 -> float32, as numpy and torch say it."""
    d = DTYPES[dtype]
    return "bfloat16" if dtype == "bf16" else "bool" if d.kind == "b" else TORCH_NAMES[d.kind] + str(d.bits)


class Block:
    """Bytes that the device reaches, as numpy (CPU) or torch (CUDA) holds them, with a copy of what they
    should be.

    On the CPU the memory is exactly as long as asked for, and begins at an address aligned to 256."""

    def __init__(self, session: Session, size: int) -> None:
        self.session = session
        self.image = np.full(size, POISON, np.uint8)
        if session.torch is None:
            room = np.empty(size + ALIGNMENT, np.uint8)
            start = -int(room.__array_interface__["data"][0]) % ALIGNMENT
            self.memory: Any = room[start : start + size]
            self.address = int(room.__array_interface__["data"][0]) + start
        else:
            self.memory = session.torch.empty(max(size, 1), dtype=session.torch.uint8, device="cuda")
            self.address = int(self.memory.data_ptr())

    def put(self) -> None:
        """The image to the device, and waits."""
        if self.session.torch is None:
            self.memory[:] = self.image
        else:
            self.memory[: len(self.image)].copy_(self.session.torch.from_numpy(self.image))
            self.session.torch.cuda.synchronize()

    def get(self) -> np.ndarray[Any, Any]:
        """What the device has now."""
        if self.session.torch is None:
            return np.array(self.memory)
        self.session.torch.cuda.synchronize()
        now: np.ndarray[Any, Any] = self.memory[: len(self.image)].cpu().numpy()
        return now

    def changed(self, what: str) -> Result:
        places = np.flatnonzero(self.get() != self.image)
        return failed(f"{what} was written at byte {places[0]} of {len(self.image)}") if len(places) else PASS

    def array(self, start: int, dtype: str, shape: tuple[int, ...], row_stride: int = 0) -> Any:
        """A view from byte `start` on; of a matrix, with rows so far apart."""
        size = DTYPES[dtype].size
        span = (shape[0] - 1) * row_stride + shape[1] if row_stride and shape[0] else int(np.prod(shape))
        part = self.memory[start : start + span * size]
        steps = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
        if row_stride:
            steps[0] = row_stride
        if self.session.torch is None:
            typed = part.view(self.session.numpy_dtype(dtype))
            return np.lib.stride_tricks.as_strided(typed, shape, [step * size for step in steps])
        torch = self.session.torch
        return part.view(getattr(torch, name_in_libraries(dtype))).as_strided(shape, steps)


class Session:
    """A device of the backend, and what the runner does on it besides the arrays' own library."""

    def __init__(self, backend: str, mode: str) -> None:
        self.backend, self.mode = backend, mode
        self.rebinds = mode in ("plan", "graph")
        self.torch: Any = __import__("torch") if backend == "cuda" else None
        self.context = wp.Context(backend, 0)
        self.stream = wp.Stream(self.context, resident=mode == "resident")

    def numpy_dtype(self, dtype: str) -> np.dtype[Any]:
        scalar: Any = __import__("ml_dtypes").bfloat16 if dtype == "bf16" else name_in_libraries(dtype)
        numpy_dtype: np.dtype[Any] = np.dtype(scalar)
        return numpy_dtype

    def bytes_of(self, result: Any) -> bytes:
        """The elements of a result, in order."""
        if self.torch is None:
            return np.ascontiguousarray(result).tobytes()
        flat = result.reshape(-1).contiguous().view(self.torch.uint8)
        host: np.ndarray[Any, Any] = flat.cpu().numpy()
        return host.tobytes()


def compare(case: Case, got: bytes, size: int) -> Result:
    """Elements with the hex texts of `expect`, or all their bytes with `digest`."""
    if "expect" not in case:
        digest = f"{fnv1a(got):016x}"
        return PASS if digest == case["digest"] else failed(f"digest: got {digest} want {case['digest']}")
    texts = [got[i : i + size][::-1].hex() for i in range(0, len(got), size)]
    if len(texts) != len(case["expect"]):
        return failed(f"the case has {len(case['expect'])} values, not {len(texts)}")
    for i, (text, want) in enumerate(zip(texts, case["expect"])):
        if text != want:
            return failed(f"[{i}]: got {text} want {want}")
    return PASS


def last_error() -> str:
    text: bytes = raw.wprim_last_error()
    return text.decode()


def check_refusal(case: Case, status: int) -> Result:
    """The status, and the words of the text."""
    got = raw.wprim_status_name(status).decode()
    if got != case["status"]:
        return failed(f"got {got} want {case['status']}; last error: {last_error()}")
    for word in case.get("words", []):
        if not re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", last_error()):
            return failed(f'"{word}" is not in the text: {last_error()}')
    return PASS


def input_bits(case: Case, count: int) -> np.ndarray[Any, Any]:
    """The elements of a recipe, as bytes."""
    cols, stride = case.get("cols", 0), case.get("row_stride", 0)
    args = case.get("args", [])
    bits = make(case["dtype"], case["pattern"], case["seed"], count, args, cols, stride)
    return bits.view(np.uint8)


def enum_number(kind: type[Any], value: object, prefix: str = "") -> int:
    """A member by the name of the case files, or a number that the library may not know."""
    if isinstance(value, int):
        return ctypes.c_int32(value).value
    return int(kind[prefix + str(value).upper()])


def desc_of(case: Case) -> Any:
    """The desc that a case spells, as it is passed: maybe shorter or longer than the header's."""
    desc = raw.ReduceDesc(
        op=enum_number(raw.Op, case["op"]),
        dtype=enum_number(raw.Dtype, case["dtype"]),
        out_dtype=enum_number(raw.Dtype, case.get("out_dtype", 0)),
        rows=case.get("rows", 1),
        cols=case.get("cols", 0),
        row_stride=case.get("row_stride", 0),
        nan=enum_number(raw.Nan, case.get("nan", "propagate"), "NAN_"),
        ddof=case.get("ddof", 0),
    )
    return desc


def place(case: Case, desc: Any) -> Any:
    """A desc in memory of 1024 bytes: what lies behind its struct_size is poison."""
    known = ctypes.sizeof(desc)
    size = case.get("struct_size", known + case.get("extra", 0)) % 2**32
    space = (ctypes.c_ubyte * 1024)()
    ctypes.memmove(space, ctypes.byref(desc), known)
    if size < len(space):
        ctypes.memset(ctypes.byref(space, size), POISON, len(space) - size)
    ctypes.c_uint32.from_buffer(space).value = size
    if case.get("extra"):
        space[size - 1] = case.get("extra_value", 0)
    return space
