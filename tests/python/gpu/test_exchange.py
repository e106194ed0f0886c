"""CuPy, JAX, Numba and the bare protocols on a GPU: results of the same kind, in the order of the right
stream."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
import warpprim as wp

X = np.random.default_rng(3).standard_normal((100, 999), np.float32)
N = 1 << 20


class TestCupy:
    @pytest.fixture
    def cupy(self) -> Any:
        return pytest.importorskip("cupy", reason="CuPy is not installed")

    def test_round_trip(self, cupy: Any) -> None:
        for dtype in ("f4", "f8", "f2", "i1", "i4", "i8", "u2", "u8", "?"):
            here = X.astype(dtype)
            there = cupy.asarray(here)
            for op in ("sum", "max", "argmin", "minmax", "any", "std", "l2"):
                for axis in (None, -1):
                    got = getattr(wp, op)(there, axis)
                    want = getattr(wp, op)(here, axis)
                    assert isinstance(got, cupy.ndarray) and got.dtype == want.dtype
                    assert got.get().tobytes() == want.tobytes(), (op, dtype, axis)
        assert wp.sum(there[:, :10], -1).shape == (100,)
        out = cupy.empty(100, "f8")
        assert wp.sum(cupy.asarray(X), -1, out=out) is out
        with pytest.raises(ValueError, match="ascontiguousarray"):
            wp.sum(cupy.asarray(X).T)

    @pytest.mark.parametrize("options", [{}, {"nan": "ignore"}])
    def test_the_current_stream(self, cupy: Any, options: Any) -> None:
        x = cupy.zeros(N, "f4")
        cupy.cuda.Device().synchronize()
        for value in range(1, 30):
            with cupy.cuda.Stream(non_blocking=True) as stream:
                x.fill(value)
                total = wp.sum(x, **options)
                stream.synchronize()
                assert float(total) == value * N

    def test_an_explicit_stream(self, cupy: Any) -> None:
        x = cupy.arange(N, dtype="i8")
        stream = cupy.cuda.Stream(non_blocking=True)
        total = wp.sum(x, stream=stream)
        del x
        cupy.zeros(N, "i8")
        stream.synchronize()
        assert int(total) == N * (N - 1) // 2

    def test_bfloat16(self, cupy: Any) -> None:
        bfloat16 = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed").bfloat16
        try:
            x = cupy.asarray(np.ones(10, bfloat16))
        except (TypeError, ValueError) as error:
            pytest.skip(f"this CuPy has no bfloat16: {error}")
        assert float(wp.sum(x).get()) == 10


class CudaArray:
    """An array with __cuda_array_interface__ and nothing else."""

    def __init__(self, x: Any, **changes: Any) -> None:
        self.x = x
        self.__cuda_array_interface__ = {**x.__cuda_array_interface__, **changes}


class DLPack:
    """An array with DLPack and nothing else."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**options)


class TestProtocols:
    @pytest.fixture
    def torch(self) -> Any:
        return pytest.importorskip("torch", reason="torch is not installed")

    @pytest.mark.parametrize("kind", [CudaArray, DLPack])
    def test_round_trip(self, torch: Any, kind: Any) -> None:
        x = torch.from_numpy(X).cuda()
        total = wp.sum(kind(x))
        assert isinstance(total, wp.DeviceArray)
        assert np.float32(total.item()) == wp.sum(X) and float(total) == float(wp.sum(X))
        rows = wp.sum(kind(x), -1)
        for taken in (torch.from_dlpack(rows), torch.as_tensor(rows, device="cuda")):
            assert taken.cpu().numpy().tobytes() == wp.sum(X, -1).tobytes()
        address = rows.pointer
        taken = torch.from_dlpack(rows)
        assert taken.data_ptr() == address
        del rows
        gc.collect()
        assert taken.cpu().numpy().tobytes() == wp.sum(X, -1).tobytes()
        assert int(wp.argmax(kind(x[:1]), -1).item()) == int(X[0].argmax())

    def test_dlpack_waits_for_the_producer(self, torch: Any) -> None:
        x = torch.zeros(N, device="cuda")
        torch.cuda.synchronize()
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)
            x.fill_(2)
            total = wp.sum(DLPack(x))
        assert total.item() == 2 * N

    def test_cuda_array_interface_names_its_stream(self, torch: Any) -> None:
        x = torch.zeros(N, device="cuda")
        torch.cuda.synchronize()
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)
            x.fill_(3)
        total = wp.sum(CudaArray(x, stream=side.cuda_stream, version=3))
        assert total.item() == 3 * N
        assert total.__cuda_array_interface__["stream"] == side.cuda_stream

    def test_inputs_live_until_they_are_read(self, torch: Any) -> None:
        torch.cuda._sleep(50_000_000)
        x = torch.full((N,), 4.0, device="cuda")
        total = wp.sum(CudaArray(x))
        del x
        torch.full((N,), 9.0, device="cuda")
        assert total.item() == 4 * N

    def test_bfloat16_results(self, torch: Any) -> None:
        total = wp.sum(DLPack(torch.ones(10, dtype=torch.bfloat16, device="cuda")))
        assert torch.from_dlpack(total).item() == 10
        with pytest.raises(AttributeError, match="bf16"):
            total.__cuda_array_interface__  # noqa: B018

    def test_an_address_of_the_host_is_refused(self, torch: Any) -> None:
        x = CudaArray(torch.ones(10, device="cuda"), data=(X.ctypes.data, False))
        with pytest.raises(ValueError, match="no memory of a GPU"):
            wp.sum(x)

    def test_many_results_do_not_pile_up(self, torch: Any) -> None:
        x = DLPack(torch.ones(1 << 22, device="cuda").reshape(1 << 21, 2))
        wp.sum(x, -1).pointer  # noqa: B018
        torch.cuda.synchronize()
        free = torch.cuda.mem_get_info()[0]
        for _ in range(300):  # 8 MiB each
            wp.sum(x, -1)
        torch.cuda.synchronize()
        assert free - torch.cuda.mem_get_info()[0] < 1 << 30


class TestJax:
    def test_round_trip(self) -> None:
        jax = pytest.importorskip("jax", reason="JAX is not installed")
        if jax.default_backend() != "gpu":
            pytest.skip("this JAX has no GPU backend")
        x = jax.numpy.asarray(X)
        total = wp.sum(x * 2)
        assert type(total) is type(x) and float(total) == float(wp.sum(X * 2))
        assert np.asarray(wp.sum(x, -1)).tobytes() == wp.sum(X, -1).tobytes()


class TestNumba:
    def test_round_trip(self) -> None:
        cuda = pytest.importorskip("numba.cuda", reason="Numba is not installed")
        x = cuda.to_device(X)
        total = wp.sum(x, -1)
        assert type(total) is type(x)
        assert total.copy_to_host().tobytes() == wp.sum(X, -1).tobytes()
