"""Generated functions against the derivation itself, and C against Python."""

import ctypes
import keyword
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flexframe.maths.arrays import Array
from flexframe.symbolic import ELEMENTS, to_c, to_python

from .samples import array, data, derived, exact, values, vector

CASES = [
    ("bar", "planar", "hamilton"),
    ("bar", "spatial", "gibbs_appell"),
    ("planar_beam", "planar", "lagrange"),
    ("planar_beam", "planar", "whittaker"),
    ("spatial_beam", "spatial", "kane"),
    ("triangle", "planar", "maggi"),
    ("rectangle", "planar", "kane"),
    ("tetrahedron", "spatial", "kane"),
]
RELATIVE = 1e-12
"""A few dozen operations an entry in double precision; sums cancel by at most two digits at the sample data."""


def _options(formalism: str) -> dict[str, Any]:
    return {"prestress": True, "load": "body", "damping": formalism != "whittaker"}


def _motion(motion: str, formalism: str) -> tuple[Array, Array, Array]:
    epsilon = np.zeros(3) if formalism == "whittaker" else vector("epsilon", motion)
    return vector("omega", motion), epsilon, vector("a_O", motion)


def _expected(element: str, motion: str, formalism: str) -> list[Array]:
    derivation = derived(element, motion, formalism, **_options(formalism))
    known = values(derivation)
    parts = (derivation.mass, derivation.total_damping, derivation.total_stiffness, derivation.total_load)
    return [array(exact(part, known)) for part in parts]


def _arguments(element: str, motion: str, formalism: str) -> list[float]:
    derivation = derived(element, motion, formalism, **_options(formalism))
    return [float(data(element)[symbol.name]) for symbol in derivation.parameters]


def _python(element: str, motion: str, formalism: str) -> Any:
    source = to_python(derived(element, motion, formalism, **_options(formalism)), name="equations")
    space: dict[str, Any] = {}
    exec(compile(source, "generated", "exec"), space)
    return space["equations"]


def _close(mine: Array, reference: Array) -> bool:
    return bool(np.abs(mine - reference).max() <= RELATIVE * np.abs(reference).max())


@pytest.mark.parametrize(("element", "motion", "formalism"), CASES)
def test_python_gives_the_numbers_of_the_derivation(element: str, motion: str, formalism: str) -> None:
    function = _python(element, motion, formalism)
    found = function(*_arguments(element, motion, formalism), *_motion(motion, formalism))
    for mine, reference in zip(found, _expected(element, motion, formalism), strict=True):
        assert mine.shape == reference.shape
        assert _close(mine, reference)


@pytest.mark.parametrize(("element", "motion", "formalism"), CASES)
def test_c_compiles_without_warnings_and_agrees_with_python(
    element: str, motion: str, formalism: str, tmp_path: Path
) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc here")
    source, library = tmp_path / "element.c", tmp_path / "element.so"
    source.write_text(to_c(derived(element, motion, formalism, **_options(formalism)), name="equations"))
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).equations
    function.restype = ctypes.c_int

    arguments = _arguments(element, motion, formalism)
    frame = _motion(motion, formalism)
    reference = _python(element, motion, formalism)(*arguments, *frame)
    size = len(reference[3])
    outputs = [np.full((size, size), np.nan) for _ in range(3)] + [np.full(size, np.nan)]
    pointers = [a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in (*frame, *outputs)]
    assert function(*(ctypes.c_double(a) for a in arguments), *pointers) == 0
    for mine, its in zip(outputs, reference, strict=True):
        assert _close(mine, its)


def test_motion_outside_the_derivation_is_refused() -> None:
    """A planar function must not silently drop ω_1, nor a steady one ε."""
    planar = _python("planar_beam", "planar", "lagrange")
    arguments = _arguments("planar_beam", "planar", "lagrange")
    with pytest.raises(ValueError, match=r"omega\[0\]"):
        planar(*arguments, [1.0, 0, 2.0], [0, 0, 0], [0, 0, 0])
    steady = _python("planar_beam", "planar", "whittaker")
    with pytest.raises(ValueError, match=r"epsilon\[2\]"):
        steady(*_arguments("planar_beam", "planar", "whittaker"), [0, 0, 2.0], [0, 0, 1.0], [0, 0, 0])
    assert "return 1;" in to_c(derived("planar_beam", "planar", "lagrange"))


def test_python_needs_numpy_only() -> None:
    source = to_python(derived("tetrahedron", "spatial", "kane"))
    assert re.findall(r"^\s*(?:import|from) .*$", source, re.MULTILINE) == ["import numpy as np"]


@pytest.mark.parametrize("element", ELEMENTS)
def test_symbols_are_identifiers(element: str) -> None:
    derivation = derived(element, "spatial", "kane", prestress=True, load="body", damping=True)
    for symbol in (*derivation.parameters, *(s for s, _ in derivation.definitions)):
        assert symbol.name.isidentifier() and not keyword.iskeyword(symbol.name)


def test_output_does_not_depend_on_the_run() -> None:
    """Python randomises the order of sets; two runs with different seeds print the same text."""
    program = (
        "import sys; from flexframe.symbolic import derive, to_c, to_latex, to_python\n"
        "d = derive('planar_beam', 'planar', 'lagrange')\n"
        "sys.stdout.buffer.write((to_c(d) + to_python(d) + to_latex(d, document=True)).encode())"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0]) > 10_000
