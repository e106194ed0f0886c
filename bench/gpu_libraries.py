"""PyTorch and CuPy as bench/gpu_peers.py measures them: the data, what a user would write, graphs, events."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable, NamedTuple, Protocol

import numpy as np


class Shape(NamedTuple):
    op: str
    dtype: str
    rows: int
    cols: int


class Library(Protocol):
    name: str
    version: str

    def fill(self, pattern: np.ndarray, size: int) -> None:
        """Takes `size` bytes of device memory and repeats the pattern in it."""

    def can(self, shape: Shape) -> bool: ...

    def call(self, shape: Shape, at: int) -> Callable[[], Any]:
        """What a user would write, for the data that begins at byte `at`."""

    def capture(self, batch: Callable[[], None]) -> Callable[[], None]:
        """A replay of the batch as a CUDA graph."""

    def elapsed_us(self, run: Callable[[], None]) -> float:
        """Device time from before run() to its end."""

    def synchronize(self) -> None: ...

    def close(self) -> None:
        """Gives the memory back, for the next library."""


class Torch:
    name = "torch"

    def __init__(self) -> None:
        self.torch = torch = import_module("torch")
        if not torch.cuda.is_available():
            raise ImportError("torch has no CUDA")
        self.version = torch.__version__
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.dtypes = {
            **{"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16},
            **{"i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64},
            **{"u8": torch.uint8, "bool": torch.bool},
        }
        norm = torch.linalg.vector_norm
        self.ops: dict[str, Callable[[Any, int | None], Any]] = {
            "sum": lambda x, d: torch.sum(x, dim=d),
            "prod": lambda x, d: torch.prod(x) if d is None else torch.prod(x, dim=d),
            "min": lambda x, d: torch.amin(x) if d is None else torch.amin(x, dim=d),
            "max": lambda x, d: torch.amax(x) if d is None else torch.amax(x, dim=d),
            "minmax": lambda x, d: torch.aminmax(x, dim=d),
            "argmin": lambda x, d: torch.argmin(x, dim=d),
            "argmax": lambda x, d: torch.argmax(x, dim=d),
            "any": lambda x, d: torch.any(x, dim=d),
            "all": lambda x, d: torch.all(x, dim=d),
            "count_nonzero": lambda x, d: torch.count_nonzero(x, dim=d),
            "mean": lambda x, d: torch.mean(x, dim=d),
            "var": lambda x, d: torch.var(x, dim=d, correction=0),
            "std": lambda x, d: torch.std(x, dim=d, correction=0),
            "l1": lambda x, d: norm(x, 1, dim=d),
            "l2": lambda x, d: norm(x, 2, dim=d),
            "amax": lambda x, d: norm(x, float("inf"), dim=d),
            "logsumexp": lambda x, d: torch.logsumexp(x, dim=0 if d is None else d),
        }

    def fill(self, pattern: np.ndarray, size: int) -> None:
        block = self.torch.from_numpy(pattern.view(np.uint8)).cuda()
        self.memory = block.repeat(size // block.numel())

    def can(self, shape: Shape) -> bool:
        floats = shape.dtype in ("f32", "f64", "f16", "bf16")
        of_floats = shape.op in ("mean", "var", "std", "l1", "l2", "amax", "logsumexp")
        return shape.op in self.ops and shape.dtype in self.dtypes and (floats or not of_floats)

    def call(self, shape: Shape, at: int) -> Callable[[], Any]:
        dtype = self.dtypes[shape.dtype]
        n = shape.rows * shape.cols
        x = self.memory[at : at + n * dtype.itemsize].view(dtype)
        op = self.ops[shape.op]
        if shape.rows == 1:
            return lambda: op(x, None)
        matrix = x.view(shape.rows, shape.cols)
        return lambda: op(matrix, 1)

    def capture(self, batch: Callable[[], None]) -> Callable[[], None]:
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self.stream):
            batch()
        replay: Callable[[], None] = graph.replay
        return replay

    def elapsed_us(self, run: Callable[[], None]) -> float:
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record(self.stream)
        run()
        end.record(self.stream)
        end.synchronize()
        return float(begin.elapsed_time(end)) * 1e3

    def synchronize(self) -> None:
        self.stream.synchronize()

    def close(self) -> None:
        del self.memory
        self.torch.cuda.empty_cache()


class Cupy:
    name = "cupy"

    def __init__(self) -> None:
        self.cupy = cp = import_module("cupy")
        self.version = cp.__version__
        self.stream = cp.cuda.Stream(non_blocking=True)
        self.stream.use()
        self.dtypes = {
            **{"f32": np.float32, "f64": np.float64, "f16": np.float16},
            **{"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64},
            **{"u8": np.uint8, "bool": np.bool_},
        }
        special = import_module("cupyx.scipy.special")
        self.ops: dict[str, Callable[[Any, int | None], Any]] = {
            "sum": lambda x, d: x.sum(axis=d),
            "prod": lambda x, d: x.prod(axis=d),
            "min": lambda x, d: x.min(axis=d),
            "max": lambda x, d: x.max(axis=d),
            "argmin": lambda x, d: x.argmin(axis=d),
            "argmax": lambda x, d: x.argmax(axis=d),
            "any": lambda x, d: x.any(axis=d),
            "all": lambda x, d: x.all(axis=d),
            "count_nonzero": lambda x, d: cp.count_nonzero(x, axis=d),
            "mean": lambda x, d: x.mean(axis=d),
            "var": lambda x, d: x.var(axis=d),
            "std": lambda x, d: x.std(axis=d),
            "l1": lambda x, d: cp.linalg.norm(x, 1, axis=d),
            "l2": lambda x, d: cp.linalg.norm(x, axis=d),
            "amax": lambda x, d: cp.linalg.norm(x, np.inf, axis=d),
        }
        if hasattr(special, "logsumexp"):
            self.ops["logsumexp"] = lambda x, d: special.logsumexp(x, axis=d)

    def fill(self, pattern: np.ndarray, size: int) -> None:
        block = self.cupy.asarray(pattern.view(np.uint8))
        self.memory = self.cupy.tile(block, size // block.size)

    def can(self, shape: Shape) -> bool:
        return shape.op in self.ops and shape.dtype in self.dtypes

    def call(self, shape: Shape, at: int) -> Callable[[], Any]:
        dtype = np.dtype(self.dtypes[shape.dtype])
        n = shape.rows * shape.cols
        x = self.memory[at : at + n * dtype.itemsize].view(dtype)
        op = self.ops[shape.op]
        if shape.rows == 1:
            return lambda: op(x, None)
        matrix = x.reshape(shape.rows, shape.cols)
        return lambda: op(matrix, 1)

    def capture(self, batch: Callable[[], None]) -> Callable[[], None]:
        self.stream.begin_capture()
        try:
            batch()
        except Exception:
            self._abandon_capture()
            raise
        graph = self.stream.end_capture()
        return lambda: graph.launch(self.stream)

    def _abandon_capture(self) -> None:
        """The stream took part in a capture that failed: ends it, and goes on with a new stream."""
        try:
            self.stream.end_capture()
        except Exception as error:
            print(f"cupy: {error}")
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.stream.use()

    def elapsed_us(self, run: Callable[[], None]) -> float:
        begin, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()
        begin.record(self.stream)
        run()
        end.record(self.stream)
        end.synchronize()
        return float(self.cupy.cuda.get_elapsed_time(begin, end)) * 1e3

    def synchronize(self) -> None:
        self.stream.synchronize()

    def close(self) -> None:
        del self.memory
        self.cupy.get_default_memory_pool().free_all_blocks()


LIBRARIES: list[Callable[[], Library]] = [Torch, Cupy]
