"""Where arrays come from: how each library's arrays are looked at, and how results of its kind are made.

No library is imported here but numpy. The others are taken from sys.modules, where their arrays come from.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from . import _dlpack, _interface
from ._device_array import DeviceArray
from ._numpy import address as _address
from ._numpy import numpy_dtype, numpy_number
from ._shared import shared_stream
from ._view import CPU, NAMES, SIZES, Device, View, default_result
from .errors import Error, InvalidArgument, Unsupported
from .raw import Dtype, Op


class Library:
    """A kind of arrays. `view` looks at one without a copy; a GPU's producer is told that work on the stream
    `native` follows. `empty` makes a result beside the array `like`, and gives its address; `give` makes of
    it what the caller gets."""

    how_to_copy = "a packed one, in C order"

    def view(self, x: Any, native: int) -> View:
        raise NotImplementedError

    def empty(self, like: View, dtype: int, shape: tuple[int, ...]) -> tuple[Any, int]:
        raise NotImplementedError

    def default_result(self, op: int, dtype: int) -> int:
        return default_result(op, dtype)

    def current(self, x: View) -> tuple[int, object]:
        """The native stream that the library works on just now, and what keeps it."""
        return x.native or 0, x.native_owner

    def give(self, result: Any, like: Any, ready: bool) -> Any:
        return result


class Numpy(Library):
    how_to_copy = "numpy.ascontiguousarray(x), with the axes to reduce at the end (numpy.moveaxis)"

    def view(self, x: Any, native: int) -> View:
        if isinstance(x, np.ma.MaskedArray):
            raise Unsupported("x is a masked array, and warpprim does not know masks: pass x.compressed()")
        number = numpy_number(x.dtype)
        size = SIZES[number]
        strides = None
        if not x.flags.c_contiguous:
            if any(step % size for step, n in zip(x.strides, x.shape) if n > 1):
                raise InvalidArgument(f"x has strides {x.strides}: no whole elements: pass x.copy()")
            strides = tuple(step // size for step in x.strides)
        return View(_address(x), number, x.shape, strides, CPU, x.flags.writeable, None, x)

    def empty(self, like: View, dtype: int, shape: tuple[int, ...]) -> tuple[Any, int]:
        result = np.empty(shape, numpy_dtype(dtype))
        return result, _address(result)

    def give(self, result: Any, like: Any, ready: bool) -> Any:
        return result[()] if ready and not result.shape else result  # a scalar, as numpy gives


class Torch(Library):
    how_to_copy = "x.contiguous(), with the axes to reduce at the end (x.movedim)"

    def __init__(self) -> None:
        self.torch: Any = sys.modules["torch"]
        dtypes = {number: getattr(self.torch, name, None) for number, name in enumerate(NAMES) if name}
        self.dtypes = {number: dtype for number, dtype in dtypes.items() if dtype is not None}
        self.numbers = {dtype: number for number, dtype in self.dtypes.items()}
        self.raw_stream: Any = getattr(self.torch._C, "_cuda_getCurrentRawStream", self._raw_stream)

    def _raw_stream(self, ordinal: int) -> int:
        native: int = self.torch.cuda.current_stream(ordinal).cuda_stream
        return native

    def view(self, x: Any, native: int) -> View:
        if x.requires_grad:
            raise Unsupported("x requires a gradient, and warpprim computes none: pass x.detach()")
        if x.layout is not self.torch.strided:
            raise Unsupported(f"x has the layout {x.layout}: pass x.to_dense()")
        if x.is_neg():
            raise Unsupported("x is a negated view that is not worked out yet: pass x.resolve_neg()")
        number = self.numbers.get(x.dtype)
        if number is None:
            raise Unsupported(f"dtype is {x.dtype}; warpprim takes {', '.join(NAMES[1:])}")
        if x.device.type not in ("cpu", "cuda"):
            raise Unsupported(f"x is on the device {x.device}: pass x.cpu() or x.cuda()")
        device, producer = CPU, None
        if x.device.type == "cuda":
            device, producer = Device("cuda", x.device.index), self.raw_stream(x.device.index)
        return View(x.data_ptr(), number, tuple(x.shape), tuple(x.stride()), device, True, producer, x, self)

    def current(self, x: View) -> tuple[int, object]:
        return self.raw_stream(x.device.ordinal), self

    def empty(self, like: View, dtype: int, shape: tuple[int, ...]) -> tuple[Any, int]:
        if dtype not in self.dtypes:
            raise Unsupported(f"this torch has no {NAMES[dtype]}: ask for another dtype")
        result = self.torch.empty(shape, dtype=self.dtypes[dtype], device=like.owner.device)
        return result, result.data_ptr()


class Cupy(Library):
    how_to_copy = "cupy.ascontiguousarray(x), with the axes to reduce at the end (cupy.moveaxis)"

    def __init__(self) -> None:
        self.cupy: Any = sys.modules["cupy"]

    def view(self, x: Any, native: int) -> View:
        number = numpy_number(x.dtype)
        size, ordinal = SIZES[number], x.device.id
        producer = self.cupy.cuda.get_current_stream(ordinal)
        strides = tuple(step // size for step in x.strides)
        device = Device("cuda", ordinal)
        return View(int(x.data.ptr), number, x.shape, strides, device, True, producer.ptr, x, producer)

    def current(self, x: View) -> tuple[int, object]:
        stream = self.cupy.cuda.get_current_stream(x.device.ordinal)
        return stream.ptr, stream

    def empty(self, like: View, dtype: int, shape: tuple[int, ...]) -> tuple[Any, int]:
        with self.cupy.cuda.Device(like.device.ordinal):
            result = self.cupy.empty(shape, numpy_dtype(dtype))
        return result, int(result.data.ptr)


class Exchange(Library):
    """Whatever has DLPack, __cuda_array_interface__ or __array_interface__. On the CPU the result is numpy's,
    on a GPU a DeviceArray, or what the library makes of those (through the array API's from_dlpack, or
    Numba's call)."""

    def view(self, x: Any, native: int) -> View:
        try:
            if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
                return _dlpack.view_of(x, native)
            if hasattr(x, "__cuda_array_interface__"):
                return _interface.view_of(x, x.__cuda_array_interface__, cuda=True)
            if isinstance(x, np.generic):  # a scalar of numpy, whose interface is that of a short-lived copy
                return NUMPY.view(np.asarray(x), native)
            return _interface.view_of(x, x.__array_interface__, cuda=False)
        except Error:
            raise
        except Exception as error:
            raise InvalidArgument(
                f"{type(x).__name__} refuses to be exported: {type(error).__name__}: {error}"
            ) from error

    def empty(self, like: View, dtype: int, shape: tuple[int, ...]) -> tuple[Any, int]:
        if like.device == CPU:
            return NUMPY.empty(like, dtype, shape)
        # Allocated where the array is worked on, so that its library finds the two in one order.
        stream = shared_stream(like.device.ordinal, like.native or 0, like.native_owner)
        result = DeviceArray(stream, dtype, shape)
        return result, result.pointer

    def give(self, result: Any, like: Any, ready: bool) -> Any:
        namespace = getattr(like, "__array_namespace__", None)
        if namespace is not None:
            if isinstance(result, np.ndarray):
                number = numpy_number(result.dtype)
                result = _dlpack.Export(result, _address(result), number, result.shape, (_dlpack.CPU_CODE, 0))
            return namespace().from_dlpack(result)
        if isinstance(result, np.ndarray):
            return NUMPY.give(result, like, ready)
        if type(like).__module__.partition(".")[0] == "numba":
            return sys.modules["numba"].cuda.as_cuda_array(result)
        return result


class Jax(Exchange):
    def __init__(self) -> None:
        self.jax: Any = sys.modules["jax"]

    def view(self, x: Any, native: int) -> View:
        if not isinstance(x, self.jax.core.Tracer) and x.is_deleted():
            raise InvalidArgument("x was deleted, by x.delete() or because it was donated to a function")
        return super().view(x, native)

    def default_result(self, op: int, dtype: int) -> int:
        """JAX without its 64-bit types would cut results to 32 bits. So those are asked for, where they are
        safe."""
        wide = default_result(op, dtype)
        if SIZES[wide] < 8 or self.jax.config.jax_enable_x64:
            return wide
        if op in (Op.SUM, Op.PROD, Op.L1):
            raise Unsupported(
                f"the result is {NAMES[wide]}, which JAX has only with jax.config.update('jax_enable_x64', "
                "True): do that, or pass dtype='int32', which wraps, or dtype='float32'"
            )
        return {Dtype.F64: Dtype.F32, Dtype.I64: Dtype.I32}.get(Dtype(wide), Dtype.U32)


NUMPY = Numpy()
EXCHANGE = Exchange()
# The libraries by the types of their arrays, and what makes the others when the first of their arrays comes.
_libraries: dict[type, Library] = {np.ndarray: NUMPY}
_makers = {"torch": ("Tensor", Torch), "cupy": ("ndarray", Cupy), "jax": ("Array", Jax)}
_protocols = ("__dlpack__", "__cuda_array_interface__", "__array_interface__")


def library_of(x: object, name: str) -> Library:
    """The library that an object belongs to."""
    kind = type(x)
    library = _libraries.get(kind)
    if library is not None:
        return library
    for known, made in list(_libraries.items()):
        if isinstance(x, known):  # a subclass, such as torch.nn.Parameter
            return _libraries.setdefault(kind, made)
    for module, (array, maker) in _makers.items():
        if module in sys.modules and isinstance(x, getattr(sys.modules[module], array, ())):
            made = _libraries.setdefault(getattr(sys.modules[module], array), maker())
            return _libraries.setdefault(kind, made)
    if not isinstance(x, type) and any(hasattr(x, protocol) for protocol in _protocols):
        return EXCHANGE
    raise Unsupported(
        f"{name} is of type {kind.__name__}, which has neither DLPack nor an array interface: pass an array, "
        f"for example numpy.asarray({name})"
    )
