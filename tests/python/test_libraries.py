"""Arrays of other libraries on the CPU: looked at where they lie, and answered in kind. (tests/python/gpu is
for GPUs.)"""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest
import warpprim as wp
from warpprim._dlpack import CPU_CODE, Export
from warpprim._view import NAMES
from warpprim.raw import Dtype


class Interface:
    """An array that has __array_interface__ and nothing else."""

    def __init__(self, x: np.ndarray[Any, Any], **changes: Any) -> None:
        self.x = x
        self.__array_interface__ = {**x.__array_interface__, **changes}


class DLPack:
    """An array that has DLPack and nothing else, in its old form or in its new one."""

    def __init__(self, x: np.ndarray[Any, Any], versioned: bool = True) -> None:
        self.x, self.versioned = x, versioned

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, *, stream: Any = None, **options: Any) -> Any:
        if not self.versioned and options:
            raise TypeError("from before max_version")
        return self.x.__dlpack__(**options)


@pytest.mark.parametrize("kind", [Interface, DLPack, lambda x: DLPack(x, versioned=False)])
def test_exchange(kind: Any) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert wp.sum(kind(x)) == 66 and isinstance(wp.sum(kind(x)), np.float32)
    assert wp.argmax(kind(x), -1).tolist() == [3, 3, 3]
    assert wp.max(kind(x[:, 1:3]), -1).tolist() == [2, 6, 10]
    assert wp.sum(kind(np.array(3.0))) == 3
    with pytest.raises(ValueError, match="Pass a copy"):
        wp.sum(kind(x.T))


@pytest.mark.parametrize("name", NAMES[1:])
def test_dlpack_knows_every_type(name: str) -> None:
    number = NAMES.index(name)
    bits = np.ones(64, np.uint8)
    size = {"float64": 8, "int64": 8, "uint64": 8}.get(name, int(name.strip("abflointu") or 8) // 8)
    x = Export(bits, bits.__array_interface__["data"][0], number, (64 // size,), (CPU_CODE, 0))
    assert wp.count_nonzero(x) == 64 // size


def test_out_through_the_protocols() -> None:
    x, out = np.ones(5, np.float32), np.zeros((), np.float32)
    assert wp.sum(x, out=Interface(out)).x == 5
    room = np.zeros(1, np.float32)
    view = Export(room, room.__array_interface__["data"][0], Dtype.F32, (), (CPU_CODE, 0))
    assert wp.sum(x, out=view) is view and room == 5
    with pytest.raises(ValueError, match="cannot be written"):
        wp.sum(x, out=DLPack(room[0:1].reshape(()), versioned=False))
    with pytest.raises(ValueError, match="cannot be written"):
        out.flags.writeable = False
        wp.sum(x, out=Interface(out))


def test_a_capsule_is_given_back() -> None:
    x = np.ones(10)
    seen = weakref.ref(x)
    producer = DLPack(x)
    assert wp.sum(producer) == 10
    del x, producer
    gc.collect()
    assert seen() is None


def test_exports_live_as_long_as_they_are_used() -> None:
    x = np.arange(5.0)
    seen = weakref.ref(x)
    export = Export(x, x.__array_interface__["data"][0], Dtype.F64, (5,), (CPU_CODE, 0))
    capsule = export.__dlpack__()
    taken = np.from_dlpack(export)  # type: ignore[arg-type]
    del x, export, capsule
    gc.collect()
    assert taken.sum() == 10 and seen() is not None
    del taken
    gc.collect()
    assert seen() is None


def test_no_library_is_imported() -> None:
    code = (
        "import sys, numpy as np, warpprim as wp; wp.sum(np.ones(3)); "
        "print([m for m in ('torch', 'cupy', 'jax', 'numba', 'ml_dtypes') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr


def test_bfloat16_of_ml_dtypes() -> None:
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    x = np.arange(1, 9).astype(bfloat16).reshape(2, 4)
    assert wp.sum(x) == 36 and wp.sum(x).dtype == bfloat16
    assert wp.argmax(x, -1).tolist() == [3, 3]
    assert wp.sum(np.ones(3, np.float32), dtype=bfloat16).dtype == bfloat16
    assert wp.sum(np.ones(3, np.float32), dtype="bfloat16").dtype == bfloat16


class TestTorch:
    @pytest.fixture
    def torch(self) -> Any:
        return pytest.importorskip("torch", reason="torch is not installed")

    def test_types(self, torch: Any) -> None:
        for name in NAMES[1:]:
            x = torch.ones(10, dtype=getattr(torch, name))
            for _ in range(2):  # the second takes the short way
                total = wp.count_nonzero(x)
                assert total == 10 and total.shape == () and isinstance(total, torch.Tensor)
        assert wp.sum(torch.ones(3, dtype=torch.bfloat16)).dtype == torch.bfloat16
        assert wp.sum(torch.ones(3), dtype=torch.float64).dtype == torch.float64
        assert wp.sum(torch.ones(3), dtype="bfloat16").dtype == torch.bfloat16

    def test_the_bits_are_those_of_numpy(self, torch: Any) -> None:
        x = np.random.default_rng(0).standard_normal((100, 999), np.float32)
        for op in ("sum", "mean", "std", "l2", "logsumexp"):
            for axis in (None, -1):
                got = getattr(wp, op)(torch.from_numpy(x), axis)
                assert got.numpy().tobytes() == getattr(wp, op)(x, axis).tobytes()

    def test_views_and_out(self, torch: Any) -> None:
        x = torch.arange(24.0).reshape(2, 3, 4)
        torch.testing.assert_close(wp.sum(x[:, :, :3], -1), x[:, :, :3].sum(-1))
        torch.testing.assert_close(wp.sum(x, (1, 2), keepdims=True), x.sum((1, 2), keepdim=True))
        torch.testing.assert_close(wp.minmax(x), torch.tensor([0.0, 23.0]))
        out = torch.empty(2, 3)
        assert wp.max(x, -1, out=out) is out
        torch.testing.assert_close(out, x.amax(-1))
        assert wp.sum(torch.empty(0)) == 0 and wp.sum(torch.empty(3, 0), -1).tolist() == [0, 0, 0]
        assert wp.sum(torch.nn.Parameter(torch.ones(3)).detach()) == 3

    def test_refusals(self, torch: Any) -> None:
        x = torch.ones(3, 4)
        emptied = torch.ones(4)
        emptied.untyped_storage().resize_(0)
        for kind, text, bad in [
            (TypeError, "detach", x.clone().requires_grad_()),
            (TypeError, "detach", torch.nn.Parameter(x)),
            (TypeError, "resolve_neg", torch.ones(3, dtype=torch.complex64).conj().imag),
            (TypeError, "to_dense", x.to_sparse()),
            (TypeError, "meta", x.to("meta")),
            (TypeError, "complex", x.to(torch.complex64)),
            (TypeError, "float8", x.to(torch.float8_e4m3fn)),
            (ValueError, "contiguous", x.T),
            (ValueError, "NULL", emptied),
        ]:
            for _ in range(2):
                with pytest.raises(kind, match=text):
                    wp.sum(bad)
        with pytest.raises(ValueError, match="shape"):
            wp.sum(x, out=torch.empty(1))


class TestJax:
    @pytest.fixture
    def jnp(self) -> Any:
        return pytest.importorskip("jax.numpy", reason="jax is not installed")

    def test_round_trip(self, jnp: Any) -> None:
        x = jnp.arange(12, dtype=jnp.float32).reshape(3, 4)
        total = wp.sum(x)
        assert type(total) is type(x) and total == 66 and total.dtype == jnp.float32
        assert wp.argmax(x, -1).tolist() == [3, 3, 3]
        assert wp.any(x) and wp.any(x).dtype == jnp.bool_
        assert wp.sum(x.astype(jnp.bfloat16)).dtype == jnp.bfloat16
        assert wp.mean(x.astype(jnp.int32)) == 5.5

    def test_no_result_is_cut_to_32_bits(self, jnp: Any) -> None:
        x = jnp.full(10, 2**30, jnp.int32)
        with pytest.raises(TypeError, match="jax_enable_x64"):
            wp.sum(x)
        assert wp.sum(x, dtype="float32") == 10.0 * 2**30

    def test_refusals(self, jnp: Any) -> None:
        import jax

        x = jnp.ones(5)
        with pytest.raises(ValueError, match="cannot be written"):
            wp.sum(x, out=jnp.zeros(()))
        with pytest.raises(ValueError, match="refuses"):
            jax.jit(wp.sum)(x)
        x.delete()
        with pytest.raises(ValueError, match="deleted"):
            wp.sum(x)
