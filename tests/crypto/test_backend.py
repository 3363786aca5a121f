"""The three backends against each other, their refusals, and how one is chosen when others do not
load."""

from __future__ import annotations

import ctypes
import importlib.abc
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from crypto import backend as module
from crypto import sodium
from crypto.backend import Backend, backends
from crypto.errors import InvalidEncoding, NoBackend
from crypto.plain import GENERATOR, IDENTITY, L
from crypto.sodium import Sodium, sweep
from tests.standin import Integers

ROOT = Path(__file__).parents[2]
BAD = bytes([255]) * 32


@pytest.fixture(params=backends(), ids=lambda backend: backend.name)
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


INSTALLED = importlib.util.find_spec("sobremesa_native") is not None


def test_all_load_here() -> None:
    names = [backend.name for backend in backends()]
    assert (
        names[:2] == ["curve25519-dalek", "libsodium of rbcl"]
        if INSTALLED
        else names[0] == "libsodium of rbcl"
    )
    assert names[-1] == "plain Python"


@pytest.mark.parametrize("backend", [*backends(), Integers()], ids=lambda backend: backend.name)
def test_zero_and_the_identity_are_handled(backend: Backend) -> None:
    g = backend.base(1)
    assert backend.valid(IDENTITY)
    assert backend.base(0) == backend.mult(0, g) == backend.mult(7, IDENTITY) == IDENTITY
    assert backend.sub(g, g) == backend.add(backend.base(L - 1), g) == IDENTITY
    assert backend.add(g, IDENTITY) == backend.sub(g, IDENTITY) == g
    rows = [((1, L - 1), (g, g)), ((1, L - 1, 3), (g, g, g)), ((0, 5), (g, IDENTITY)), ((), ())]
    for combine in (backend.combine, backend.combine_public):
        assert combine(rows) == [IDENTITY, backend.base(3), IDENTITY, IDENTITY]
        assert combine([]) == []
    assert backend.mask(g, (0, L - 1), (g, g)) == backend.mask(g, (1, 0), (IDENTITY, IDENTITY))
    assert backend.mask(IDENTITY, (5,), (g,)) == [g]
    assert backend.total([]) == backend.total([g, backend.base(L - 1)]) == IDENTITY


def test_an_invalid_element_raises_in_every_operation(backend: Backend) -> None:
    assert not backend.valid(BAD)
    assert not backend.valid(GENERATOR + BAD)
    g = backend.base(1)
    for broken in (
        lambda: backend.add(BAD, g),
        lambda: backend.add(g, BAD),
        lambda: backend.sub(BAD, g),
        lambda: backend.sub(g, BAD),
        lambda: backend.mult(5, BAD),
        lambda: backend.combine([((5,), (BAD,))]),
        lambda: backend.combine([((5,), (g,)), ((5, 6), (g, BAD))]),
        lambda: backend.combine_public([((5,), (g,)), ((5, 6), (g, BAD))]),
        lambda: backend.mask(BAD, (5,), (g,)),
        lambda: backend.mask(g, (5, 6), (g, BAD)),
        lambda: backend.total([g, BAD]),
        lambda: backend.from_uniform(bytes(63)),
    ):
        with pytest.raises(InvalidEncoding):
            broken()


class _Refusing(importlib.abc.MetaPathFinder):
    """An import system in which rbcl cannot be loaded, and there is no native package."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname == "rbcl":
            raise self.error
        if fullname == "sobremesa_native":
            raise ModuleNotFoundError(fullname)


def without_rbcl(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] in {"rbcl", "sobremesa_native"}
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Refusing(error), *sys.meta_path])


def test_without_rbcl_another_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    without_rbcl(monkeypatch, ModuleNotFoundError("no rbcl"))
    assert next(module.available()).name != "libsodium of rbcl"


def test_a_temporary_directory_that_runs_nothing_is_survived_and_left_clean(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed, copy = tmp_path / "installed.so", tmp_path / "tmp" / "tmpabc.so"
    copy.parent.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copy.parent))
    for library in (installed, copy):
        library.write_bytes(b"a library")
        without_rbcl(monkeypatch, OSError(f"{library}: failed to map segment from shared object"))
        assert next(module.available()).name != "libsodium of rbcl"
    assert not copy.exists()
    assert installed.exists()


def test_with_no_libsodium_at_all_plain_python_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    without_rbcl(monkeypatch, ModuleNotFoundError("no rbcl"))
    monkeypatch.setattr(sodium, "SYSTEM_NAMES", ("libsodium.so.0",))
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    assert [backend.name for backend in module.available()] == ["plain Python"]
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: "libsodium.so.0")
    assert [backend.name for backend in module.available()] == ["plain Python"]


def test_a_library_that_is_not_libsodium_is_no_backend() -> None:
    with pytest.raises(NoBackend):
        Sodium(ctypes.CDLL(None), "the program itself")


def test_a_libsodium_that_computes_something_else_is_no_backend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Function:
        def __call__(self, *operands: object) -> int:
            return 0

    class Wrong:
        def __getattr__(self, name: str) -> Function:
            return Function()

    monkeypatch.setattr(sodium, "bundled", lambda: Sodium(Wrong(), "wrong"))  # type: ignore[arg-type]  # a double
    with pytest.raises(NoBackend, match="wrongly"):
        module.bundled()
    with pytest.warns(RuntimeWarning, match="wrong computes wrongly"):
        assert "wrong" not in [backend.name for backend in module.available()]


def test_loading_leaves_no_file_behind_and_raises_no_warning(tmp_path: Path) -> None:
    code = "from crypto.sodium import bundled; print(bundled().name, bundled().base(1).hex())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["libsodium", "of", "rbcl", GENERATOR.hex()]
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_importing_crypto_loads_no_library() -> None:
    code = (
        "import sys, crypto.shuffle, crypto.identity; print({'rbcl', 'sobremesa_native', "
        "'cryptography'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"


def test_sweeping_deletes_old_copies_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "tmpold.pyd").write_bytes(bytes(10))
    (tmp_path / "tmpother.pyd").write_bytes(bytes(11))
    (tmp_path / "mine.pyd").write_bytes(bytes(10))
    sweep(tmp_path, 10)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.pyd", "tmpother.pyd"]
