"""The packages that people install: all they contain, and that building and installing them leaves
the sources as they are."""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from client.__main__ import COMMANDS, main
from docs.make_share import COMPLETIONS, MANUAL, SHARE, pages, parser

ROOT = Path(__file__).parent.parent
IGNORED = shutil.ignore_patterns(
    ".git",
    ".venv",
    ".ci-venv",
    "__pycache__",
    "*.mo",
    "*.egg-info",
    ".*_cache",
    ".hypothesis",
    "dist",
    "build",
    "target",
)
DESKTOP = "applications/sobremesa.desktop"
ICON = "icons/hicolor/scalable/apps/sobremesa.svg"


# The generated files.


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="other versions of argparse word their usage otherwise"
)
@pytest.mark.parametrize("path", [*COMPLETIONS.values(), MANUAL])
def test_generated_files_are_up_to_date(path):
    assert (SHARE / path).read_text(encoding="utf-8") == pages()[path], (
        "run python -m docs.make_share"
    )


@pytest.mark.parametrize("path", [*COMPLETIONS.values(), MANUAL])
def test_every_command_and_option_stands_in_every_page(path):
    text = (SHARE / path).read_text(encoding="utf-8").replace("\\-", "-")
    verbs: dict[str, ArgumentParser]
    actions = parser()._actions  # noqa: SLF001 - argparse lists its arguments nowhere else
    (verbs,) = (action.choices for action in actions if isinstance(action.choices, dict))
    assert set(verbs) == set(COMMANDS)
    for verb, one in verbs.items():
        assert re.search(rf"\b{verb}\b", text)
        for action in one._actions:  # noqa: SLF001 - the same
            for option in {*action.option_strings} - {"-h", "--help"}:
                assert re.search(rf"(?<![\w]){option.lstrip('-')}(?![\w-])", text), (verb, option)


def test_the_synopsis_names_what_the_help_without_a_command_does(capsys):
    main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    manual = (SHARE / MANUAL).read_text(encoding="utf-8").replace("\\-", "-")
    synopsis = manual.split(".SH SYNOPSIS")[1].split(".SH")[0]
    assert options <= set(re.findall(r"--[a-z-]+", synopsis)) | {"--verbose"}
    assert "[COMMAND ...]" in synopsis


def test_the_desktop_file_starts_the_program_in_a_terminal_and_has_its_icon():
    file = configparser.ConfigParser(interpolation=None)
    file.optionxform = str
    file.read(SHARE / DESKTOP, encoding="utf-8")
    entry = file["Desktop Entry"]
    assert (entry["Type"], entry["Exec"], entry["Terminal"]) == ("Application", "sobremesa", "true")
    assert (SHARE / ICON).stem == entry["Icon"]
    for key in ("GenericName", "Comment"):
        assert {f"{key}[{code}]" for code in ("eu", "es", "is")} <= set(entry)
    assert ElementTree.parse(SHARE / ICON).getroot().tag == "{http://www.w3.org/2000/svg}svg"


# The packages.


def run(*words: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command that must succeed, and return its output."""
    around = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    done = subprocess.run(
        words, cwd=cwd, env={**around, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file below a folder, by its path, but for compiled modules."""
    files = (
        path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"
    )
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources, as a fresh clone has them."""
    copy = tmp_path_factory.mktemp("source") / "sobremesa"
    shutil.copytree(ROOT, copy, ignore=IGNORED)
    return copy


@pytest.mark.slow
def test_pip_install_leaves_the_sources_as_they_are(source, tmp_path):
    before = digests(source)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-build-isolation",
    ]
    run(*pip, "--target", tmp_path / "there", ".", cwd=source)
    assert digests(source) == before
    assert list((tmp_path / "there").rglob("*.mo"))


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_wheel_runs_in_a_clean_environment_elsewhere(source, tmp_path):
    run(sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path / "dist"), cwd=source)
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {
        "pyproject.toml",
        "hatch_build.py",
        "LICENSE",
        f"docs/share/{ICON}",
        "client/i18n/locale/eu/LC_MESSAGES/sobremesa.po",
        "crypto/native/Cargo.lock",
        "crypto/native/.cargo/config.toml",
        "crypto/native/src/lib.rs",
    } <= names
    with zipfile.ZipFile(wheel) as packed:
        inside = packed.namelist()
    assert {
        f"client/i18n/locale/{code}/LC_MESSAGES/sobremesa.mo" for code in ("eu", "es", "is")
    } <= set(inside)
    assert not [name for name in inside if name.startswith(("tests/", "docs/", "crypto/native/"))]

    venv, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "client.py").write_text("raise SystemExit('imported from the current folder')\n")
    run(sys.executable, "-m", "venv", venv, cwd=elsewhere)
    scripts = venv / ("Scripts" if os.name == "nt" else "bin")
    run(
        scripts / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        wheel,
        cwd=elsewhere,
    )
    for path in (*COMPLETIONS.values(), MANUAL, DESKTOP, ICON):
        assert (venv / "share" / path).read_bytes() == (SHARE / path).read_bytes()
    home = tmp_path / "home"
    shown = run(
        scripts / "sobremesa", "demo", "--lang", "en", cwd=elsewhere, SOBREMESA_HOME=str(home)
    )
    assert "All 2 logs are the same" in shown
    assert "Kartak" in run(
        scripts / "sobremesa", "--lang", "eu", "--help", cwd=elsewhere, SOBREMESA_HOME=str(home)
    )
    # After uninstalling, the home alone remains.
    run(scripts / "python", "-m", "pip", "uninstall", "--quiet", "-y", "sobremesa", cwd=elsewhere)
    assert not list(venv.rglob("*sobremesa*"))
