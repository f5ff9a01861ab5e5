"""What a user gets who installs the wheel or the archive of sources."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .repository import ROOT, project_files

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

BUILD = [sys.executable, "-m", "build", "--no-isolation"]
EXECUTABLES = "Scripts" if os.name == "nt" else "bin"


@contextmanager
def only_build() -> Iterator[None]:
    """Workers share the folder where the core is built, so that it is compiled once; one builds at a time."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "wheel.lock").open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the tools of this environment."""
    out = tmp_path_factory.mktemp("wheel")
    with only_build():
        subprocess.run([*BUILD, "--wheel", "--outdir", str(out), str(ROOT)], check=True, capture_output=True)
    (built,) = out.glob("flexframe-*.whl")
    return built


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of sources."""
    out = tmp_path_factory.mktemp("sources")
    subprocess.run([*BUILD, "--sdist", "--outdir", str(out), str(ROOT)], check=True, capture_output=True)
    (built,) = out.glob("flexframe-*.tar.gz")
    return built


def shipped_examples() -> set[str]:
    examples = {path for path in project_files() if ROOT / "examples" in path.parents}
    assert examples
    return {f"flexframe/{path.relative_to(ROOT).as_posix()}" for path in examples}


def test_wheel_contains_what_runs_need(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assets = {
        f"flexframe/{path.relative_to(ROOT / 'src/flexframe').as_posix()}"
        for path in (ROOT / "src/flexframe/reports/assets").iterdir()
    }
    modules = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py*")}
    modules = {name for name in modules if name.endswith((".py", ".pyi"))}
    assert assets
    assert sorted((shipped_examples() | assets | modules | {"flexframe/py.typed"}) - names) == []


def test_wheel_contains_the_core_and_the_licences_of_its_parts(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    core = {Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd"))}
    assert {"processor", "baseline", "flexframe_fmu"} <= core <= {"processor", "baseline", "avx2", "flexframe_fmu"}
    for licence in ["LICENSE", "eigen.txt", "nanobind.txt", "robin-map.txt"]:
        assert any(".dist-info/licenses/" in name and name.endswith(f"/{licence}") for name in names), licence


def test_wheel_contains_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    folders = {Path(name).parts[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"flexframe"}
    assert [name for name in names if name.endswith((".pyc", ".nbi", ".nbc", ".cpp", ".hpp", ".a", ".o"))] == []


def test_wheel_is_for_one_python_or_for_all_later_ones(wheel: Path) -> None:
    """Python 3.11 has a wheel of its own, 3.12 and later share one."""
    tags = wheel.name.split("-")[2:4]
    if sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert tags == ["cp312", "abi3"]
    else:
        assert tags[0] == f"cp{sys.version_info.major}{sys.version_info.minor}" and tags[1] != "abi3"


def test_wheel_runs_where_no_compiler_is(wheel: Path, tmp_path: Path) -> None:
    """A new environment with the wheel; what it depends on is lent by this one, without its own flexframe.

    A path in a .pth file is searched last, and the .pth files that are found there are not read, so that the
    finder of an editable installation stays out.
    """
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = str(place / EXECUTABLES / "python")
    settings = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "LANG") if name in os.environ}
    settings |= {"PATH": str(place / EXECUTABLES), "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    assert [
        name for name in ("c++", "g++", "clang++", "cl", "cc") if shutil.which(name, path=settings["PATH"])
    ] == []

    def output(*command: str) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    packages = Path(output(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-qq", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    lent = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    (packages / "lent.pth").write_text("\n".join(sorted(lent)), encoding="utf-8")

    code = "import flexframe, flexframe._core as core; print(flexframe.__file__, core.LEVEL, core.__file__)"
    package, level, core = output(python, "-c", code).split()
    assert packages in Path(package).parents and packages in Path(core).parents
    assert level in {"baseline", "avx2"}
    flexframe = str(place / EXECUTABLES / "flexframe")
    output(flexframe, "examples", "double_pendulum", "--copy", ".")
    output(flexframe, "run", "double_pendulum.yaml", "--set", "analyses.run.duration=1 s", "--out", "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    found = {name: values["values"][-1] for name, values in summary["analyses"]["run"]["sensors"].items()}
    # positions after 1 s by another program, with six decimals (see the example)
    assert found["hinge"] == pytest.approx([-0.934807, -0.355155], abs=6e-7)
    assert found["tip"] == pytest.approx([-1.662115, -1.041467], abs=6e-7)
    assert (tmp_path / "out" / "report.html").stat().st_size > 100_000  # the page with its viewer


def test_sources_contain_what_a_build_needs(sources: Path) -> None:
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        path.relative_to(ROOT).as_posix()
        for path in project_files()
        if path.relative_to(ROOT).parts[0] in {"core", "examples", "src"}
    }
    assert {"core/CMakeLists.txt", "core/bindings/module.cpp", "src/flexframe/py.typed"} <= needed
    assert sorted((needed | {"pyproject.toml", "README.md", "LICENSE"}) - names) == []
    assert not any(name.startswith((".venv", "build/", "dist/", "frontend/node_modules")) for name in names)


@pytest.mark.slow
def test_sources_give_the_same_wheel(sources: Path, wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*command, str(tmp_path), str(sources)], check=True, capture_output=True)
    (built,) = tmp_path.glob("flexframe-*.whl")
    assert built.name == wheel.name
    assert sorted(zipfile.ZipFile(built).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())
