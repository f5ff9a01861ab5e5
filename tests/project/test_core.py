"""The compiled core: every build of it loads, and its sources are those of any C++ compiler."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flexframe import _core

from .repository import ROOT

CORE = ROOT / "core"
SOURCES = sorted(path for path in CORE.rglob("*") if path.suffix in {".cpp", ".hpp"})
PLAIN = [path for path in SOURCES if CORE / "bindings" not in path.parents]
BINDING_MACROS = {"NB_MODULE"}


def loading(instructions: str, code: str = "print(core.LEVEL, core._module.__name__)") -> tuple[int, str, str]:
    """Exit code, output and the last line of errors of a process that loads the core."""
    command = [sys.executable, "-c", f"import flexframe._core as core; {code}"]
    settings = {**os.environ, "FLEXFRAME_INSTRUCTIONS": instructions}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, (done.stderr.splitlines() or [""])[-1]


def names(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code_lines(path: Path) -> list[tuple[int, str]]:
    """Numbered lines without their comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(number, line.partition("//")[0]) for number, line in enumerate(lines, start=1)]


def widest() -> str:
    """What Linux says of the processor."""
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return "avx2" if {"avx2", "fma"} <= set(flags) else "baseline"


@pytest.mark.parametrize("level", _core.LEVELS)
def test_every_build_loads_where_the_processor_can_run_it(level: str) -> None:
    code, out, error = loading(level)
    if code == 0:
        assert out.split() == [level, f"flexframe._core.{level}"]
    else:
        assert level != "baseline"
        assert (
            error == f"flexframe.errors.InputError: FLEXFRAME_INSTRUCTIONS is '{level}'; here it may be baseline"
        )


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the instructions of the processor")
def test_the_widest_instructions_are_taken() -> None:
    code, out, error = loading("")
    assert code == 0, error
    assert out.split()[0] == widest()


def test_all_builds_offer_the_same() -> None:
    """Nothing is in one of them only."""
    contents = [loading(level, "print(*sorted(dir(core._module)))") for level in _core.LEVELS]
    offered = {
        tuple(name for name in out.split() if not name.startswith("__")) for code, out, _ in contents if not code
    }
    assert len(offered) == 1


def test_unknown_instructions_are_answered_in_one_line() -> None:
    code, _, error = loading("avx1024")
    assert code == 1
    possible = error.removeprefix(
        "flexframe.errors.InputError: FLEXFRAME_INSTRUCTIONS is 'avx1024'; here it may be "
    )
    assert possible in {"baseline", "baseline or avx2"}


def test_a_core_that_is_not_built_is_answered_in_one_line() -> None:
    """Sources on the path alone, without what an installation adds."""
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import flexframe._core"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("flexframe.errors.FlexframeError: the compiled core of flexframe cannot be loaded (")
    assert "build it with `make core` in a clone" in last


def test_python_stays_in_the_bindings() -> None:
    assert PLAIN and len(PLAIN) < len(SOURCES)
    assert [
        names(path) for path in PLAIN if re.search(r"Python\.h|nanobind", path.read_text(encoding="utf-8"))
    ] == []


def test_no_macros_and_no_memory_owned_by_pointers() -> None:
    """Definitions of macros, their usual look in a call, and memory taken by hand."""
    forbidden = re.compile(
        r"^\s*#\s*define|^\s*[A-Z][A-Z0-9_]{3,}\(|\bnew\s+\w|\bdelete\b(?!\s*;)|\b(?:malloc|calloc|free)\s*\("
    )
    found = [
        f"{names(path)}:{number}: {line.strip()}"
        for path in SOURCES
        for number, line in code_lines(path)
        if forbidden.search(line) and not any(f"{macro}(" in line for macro in BINDING_MACROS)
    ]
    assert found == []


def test_nothing_belongs_to_one_compiler() -> None:
    """Extensions of GCC and Clang, which MSVC has not; the question for the processor is asked by them alone."""
    extension = re.compile(
        r"__builtin_|__attribute__|__restrict__|#\s*pragma\s+(?:GCC|clang)|\bM_PI\w*|\bssize_t\b|__int128|<unistd\.h>"
        r"|<bits/|<sys/|<immintrin\.h>|<x86intrin\.h>|\bu_?int\b"
    )
    found = [
        f"{names(path)}:{number}: {line.strip()}"
        for path in SOURCES
        if path.name != "processor.cpp"
        for number, line in code_lines(path)
        if extension.search(line)
    ]
    assert found == []


def test_lines_and_headers_have_one_form() -> None:
    found = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".hpp" and "#pragma once\n" not in text:
            found.append(f"{names(path)}: no #pragma once")
        for number, line in enumerate(text.splitlines(), start=1):
            if len(line) > 115 or "\t" in line or line != line.rstrip():
                found.append(f"{names(path)}:{number}: {line[:60]}")
    assert found == []
