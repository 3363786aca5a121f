"""The advice of `doctor` about parts of the program depends on how it was installed."""

from __future__ import annotations

import sys

import pytest

from client.doctor import installation
from client.doctor.installation import faster_proofs, libraries_again, native_again

ADVICE = (faster_proofs, native_again, libraries_again)


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """An installation from a wheel, in an environment of its own."""
    monkeypatch.setattr(installation, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return tmp_path


def test_in_the_sources_the_folder_of_the_native_arithmetic_is_named():
    assert faster_proofs().startswith("For faster proofs (needs Rust): ")
    assert faster_proofs().endswith(" -m pip install crypto/native")
    assert "--force-reinstall" in native_again()


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("", " -m pip install sobremesa_native-*.whl"),
        ("pipx_metadata.json", "pipx inject sobremesa sobremesa_native-*.whl"),
        ("uv-receipt.toml", f"uv pip install --python {sys.executable} sobremesa_native-*.whl"),
    ],
)
def test_without_the_sources_the_wheel_of_the_release_is_named(installed, mark, command):
    if mark:
        (installed / mark).touch()
    assert faster_proofs().endswith(command)
    for advice in ADVICE:
        assert "crypto/native" not in advice()
        assert ".whl" in advice()


def test_one_program_with_its_parts_inside_is_told_of_no_installer(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    for advice in ADVICE:
        assert "install" not in advice().replace("no installer", "")
    assert "fresh copy" in native_again()
    assert "fresh copy" in libraries_again()
