"""The functions of the package: one for each op, and `reduce` for any of them. See `reduce` for the
arguments."""

from __future__ import annotations

from typing import Any, Callable, Optional, Protocol, Union

from . import _general
from ._fast import function_of
from ._reduce import op_number
from .raw import Op

Axis = Optional[Union[int, "tuple[int, ...]"]]
# What these may be is said in the docstring of `reduce`; no type of Python has a name for all of it.
ArrayLike = Any
DtypeLike = Any
StreamLike = Any


class Reduction(Protocol):
    """How the functions below are called."""

    def __call__(
        self,
        x: ArrayLike,
        axis: Axis = None,
        *,
        out: ArrayLike = None,
        dtype: DtypeLike = None,
        nan: str = "propagate",
        keepdims: bool = False,
        stream: StreamLike = None,
    ) -> Any: ...


_by_number: dict[int, Callable[..., Any]] = {}


def _function(name: str, op: Op, text: str) -> Reduction:
    function = _by_number[op] = function_of(op)
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = text
    return function


def reduce(
    x: ArrayLike,
    op: str,
    axis: Axis = None,
    *,
    out: ArrayLike = None,
    dtype: DtypeLike = None,
    nan: str = "propagate",
    ddof: int = 0,
    keepdims: bool = False,
    stream: StreamLike = None,
    n_on_device: ArrayLike = None,
) -> Any:
    """Many values to one: of the whole array, or of each row.

    >>> wp.reduce(np.array([[1.0, 7.0], [5.0, 3.0]]), "max", axis=-1).tolist()
    [7.0, 5.0]

    x         An array of numpy, torch or CuPy, or anything with DLPack, __cuda_array_interface__ or
              __array_interface__. It is never copied.
    op        sum prod min max argmin argmax minmax and or xor any all count_nonzero mean var std l1 l2 amax
              logsumexp.
    axis      None for all elements, or the axis or axes to reduce. The elements of a row must lie side by
              side in memory, the rows evenly spaced: the last axis, or all, of a packed array, or of a slice
              of it.
    out       An array to write to, of the result's shape, on the device of x. It is what is returned.
    dtype     The type of the result, if not the op's own: "float32", numpy.float32, torch.float32.
    nan       "propagate": a NaN makes the result NaN. "ignore": NaNs do not take part.
    ddof      var and std: the divisor is the number of elements less ddof.
    keepdims  Keeps the axes that go, with length 1.
    stream    Where to enqueue. A warpprim.Stream, or for arrays on a GPU also a stream of torch, CuPy or
              cuda.core, or a cudaStream_t as an integer. The call then only enqueues, also on the CPU.
    n_on_device
              A single uint64 on the device of x: the op takes so many of the elements, and finds the number
              when it runs. More than there are is all. Not for rows.

    The result is of the kind of x and on its device. On the CPU it is there on return; a single value is a
    scalar of numpy. On a GPU the call only enqueues, on the stream that the library of x works on just then,
    and a single value is an array without dimensions: float(result) or result.item() waits for it.

    TypeError, ValueError, MemoryError and RuntimeError say what is wrong (see `warpprim.errors`).
    """
    number = op_number(op)
    if ddof.__class__ is int and ddof == 0 and n_on_device is None:
        function = _by_number[number]
        return function(x, axis, out=out, dtype=dtype, nan=nan, keepdims=keepdims, stream=stream)
    return _general.reduce(x, number, axis, out, dtype, nan, ddof, keepdims, stream, n_on_device)


sum = _function(
    "sum",
    Op.SUM,
    """The sum. Floats are added in one fixed order, so the bits are always the same; integers and bools sum
    to 64 bits unless `dtype` says otherwise.

    >>> float(wp.sum(np.ones(1000, np.float32)))
    1000.0
    """,
)

prod = _function(
    "prod",
    Op.PROD,
    """The product.

    >>> int(wp.prod(np.array([2, 3, 4])))
    24
    """,
)

min = _function(
    "min",
    Op.MIN,
    """The smallest element.

    >>> float(wp.min(np.array([3.0, 1.0, 2.0])))
    1.0
    """,
)

max = _function(
    "max",
    Op.MAX,
    """The largest element.

    >>> wp.max(np.array([[1, 7], [5, 3]]), axis=-1).tolist()
    [7, 5]
    """,
)

argmin = _function(
    "argmin",
    Op.ARGMIN,
    """The index of the smallest element, the lowest of equals; -1 if there is none.

    >>> int(wp.argmin(np.array([3.0, 1.0, 1.0])))
    1
    """,
)

argmax = _function(
    "argmax",
    Op.ARGMAX,
    """The index of the largest element, the lowest of equals; -1 if there is none.

    >>> wp.argmax(np.array([[1, 7], [5, 3]]), axis=-1).tolist()
    [1, 0]
    """,
)

minmax = _function(
    "minmax",
    Op.MINMAX,
    """The smallest and the largest element, in one reading: a last axis of two is added to the result.

    >>> wp.minmax(np.array([3.0, 1.0, 2.0])).tolist()
    [1.0, 3.0]
    """,
)

bitwise_and = _function(
    "bitwise_and",
    Op.AND,
    """All elements joined by and: bitwise on integers, logical on bools. (The C library's `and`.)

    >>> int(wp.bitwise_and(np.array([12, 10])))
    8
    """,
)

bitwise_or = _function(
    "bitwise_or",
    Op.OR,
    """All elements joined by or: bitwise on integers, logical on bools. (The C library's `or`.)

    >>> int(wp.bitwise_or(np.array([12, 10])))
    14
    """,
)

bitwise_xor = _function(
    "bitwise_xor",
    Op.XOR,
    """All elements joined by exclusive or: bitwise on integers, logical on bools. (The C library's `xor`.)

    >>> int(wp.bitwise_xor(np.array([12, 10])))
    6
    """,
)

any = _function(
    "any",
    Op.ANY,
    """Whether any element is not zero. A NaN is not zero.

    >>> bool(wp.any(np.array([0, 0, 1])))
    True
    """,
)

all = _function(
    "all",
    Op.ALL,
    """Whether all elements are not zero. A NaN is not zero.

    >>> bool(wp.all(np.array([0, 0, 1])))
    False
    """,
)

count_nonzero = _function(
    "count_nonzero",
    Op.COUNT_NONZERO,
    """The number of elements that are not zero.

    >>> int(wp.count_nonzero(np.array([0, 5, 7])))
    2
    """,
)

mean = _function(
    "mean",
    Op.MEAN,
    """The mean; of integers and bools in f64.

    >>> float(wp.mean(np.array([1, 2, 6])))
    3.0
    """,
)

_var = _function("var", Op.VAR, "")


def var(
    x: ArrayLike,
    axis: Axis = None,
    *,
    out: ArrayLike = None,
    dtype: DtypeLike = None,
    ddof: int = 0,
    nan: str = "propagate",
    keepdims: bool = False,
    stream: StreamLike = None,
) -> Any:
    """The variance. The divisor is the number of elements less `ddof`: 0, as in numpy, for a whole
    population, 1 for a sample.

    >>> float(wp.var(np.array([1.0, 3.0])))
    1.0
    """
    if ddof.__class__ is int and ddof == 0:
        return _var(x, axis, out=out, dtype=dtype, nan=nan, keepdims=keepdims, stream=stream)
    return _general.reduce(x, Op.VAR, axis, out, dtype, nan, ddof, keepdims, stream)


_std = _function("std", Op.STD, "")


def std(
    x: ArrayLike,
    axis: Axis = None,
    *,
    out: ArrayLike = None,
    dtype: DtypeLike = None,
    ddof: int = 0,
    nan: str = "propagate",
    keepdims: bool = False,
    stream: StreamLike = None,
) -> Any:
    """The standard deviation, the square root of `var`.

    >>> float(wp.std(np.array([1.0, 3.0]), ddof=0))
    1.0
    """
    if ddof.__class__ is int and ddof == 0:
        return _std(x, axis, out=out, dtype=dtype, nan=nan, keepdims=keepdims, stream=stream)
    return _general.reduce(x, Op.STD, axis, out, dtype, nan, ddof, keepdims, stream)


l1 = _function(
    "l1",
    Op.L1,
    """The sum of the absolute values.

    >>> float(wp.l1(np.array([-1.0, 3.0])))
    4.0
    """,
)

l2 = _function(
    "l2",
    Op.L2,
    """The Euclidean norm, the square root of the sum of squares.

    >>> float(wp.l2(np.array([3.0, 4.0])))
    5.0
    """,
)

max_abs = _function(
    "max_abs",
    Op.AMAX,
    """The largest absolute value. (The C library's `amax`: `amax` of numpy and torch is another word for
    `max`.)

    >>> float(wp.max_abs(np.array([-3.0, 2.0])))
    3.0
    """,
)

logsumexp = _function(
    "logsumexp",
    Op.LOGSUMEXP,
    """The logarithm of the sum of the exponentials, without overflow.

    >>> float(wp.logsumexp(np.array([1000.0, 1000.0])))
    1000.6931471805599
    """,
)
