"""What a user gets who installs the wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .repository import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built with the tools of this environment."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = out.glob("flexframe-*.whl")
    return zipfile.ZipFile(built)


def test_wheel_contains_what_runs_need(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    examples = {
        f"flexframe/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "examples").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assets = {
        f"flexframe/{path.relative_to(ROOT / 'src/flexframe').as_posix()}"
        for path in (ROOT / "src/flexframe/reports/assets").iterdir()
    }
    modules = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert examples and assets
    assert sorted((examples | assets | modules | {"flexframe/py.typed"}) - names) == []


def test_wheel_contains_nothing_else(wheel: zipfile.ZipFile) -> None:
    folders = {Path(name).parts[0] for name in wheel.namelist()}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"flexframe"}
    assert [name for name in wheel.namelist() if "__pycache__" in name or name.endswith((".nbi", ".nbc"))] == []
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())
