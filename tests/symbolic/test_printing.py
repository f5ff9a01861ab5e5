"""What a reader of the LaTeX output finds."""

import re

import pytest

from flexframe.formalisms.registry import NAMES as FORMALISMS
from flexframe.symbolic import to_latex

from .samples import derived

CASES = [
    *(("planar_beam", "planar", formalism) for formalism in FORMALISMS),
    ("bar", "spatial", "kane"),
    ("spatial_beam", "spatial", "kane"),
    ("tetrahedron", "spatial", "kane"),
    ("rectangle", "planar", "lagrange"),
]


def _balanced(text: str) -> bool:
    """Braces close, and environments close in the order in which they open."""
    depth = 0
    for character in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([\w*]+)\}", text):
        if kind == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return depth == 0 and not stack


@pytest.mark.parametrize(("element", "motion", "formalism"), CASES)
def test_document_is_well_formed(element: str, motion: str, formalism: str) -> None:
    text = to_latex(derived(element, motion, formalism), document=True)
    assert _balanced(text)
    assert text.startswith(r"\documentclass") and text.endswith("\\end{document}\n")
    assert text.count(r"\[") == text.count(r"\]") > 5
    assert not re.search(r"\\quad[a-zA-Z]", text)  # a control word that swallowed a letter
    assert all(ord(character) < 128 for character in text)  # any engine, any input encoding
    assert "_per_taudot" not in text and "_inertia" not in text  # inner names stay inside


def test_common_factors_stand_in_front_of_the_matrices() -> None:
    beam = to_latex(derived("planar_beam", "planar", "lagrange"))
    assert r"\mathbf m=\frac{\rho A L}{420}\begin{bmatrix}" in beam
    assert "0 & 156 & 22 L & 0 & 54 & - 13 L" in beam
    assert r"\frac{E I}{L^{3}}\begin{bmatrix}" in beam and "0 & 12 & 6 L & 0 & -12 & 6 L" in beam
    bar = to_latex(derived("bar", "planar", "lagrange"))
    assert r"\mathbf m=\frac{\rho A L}{6}\begin{bmatrix}" in bar


def test_motion_terms_are_grouped_and_equal_matrices_named_once() -> None:
    planar = to_latex(derived("planar_beam", "planar", "lagrange"))
    assert r"2\mathbf c(\omega)=2 \omega\,\mathbf C" in planar
    assert r"\mathbf k(\varepsilon)=\varepsilon\,\mathbf C" in planar
    assert r"\mathbf k(\omega^2)=- \omega^{2}\,\mathbf m" in planar
    spatial = to_latex(derived("bar", "spatial", "kane"))
    assert r"\mathbf k(\varepsilon)=\varepsilon_{1}\,\mathbf C_{1}+\varepsilon_{2}\,\mathbf C_{2}" in spatial
    assert spatial.count(r"&\mathbf C_{1}=") == 1


def test_equation_names_the_parts_that_are_there() -> None:
    plain = to_latex(derived("bar", "planar", "kane"), steps=False)
    full = to_latex(derived("bar", "planar", "kane", prestress=True, damping=True, load="body"), steps=False)
    assert r"\mathbf k_g" not in plain and r"\mathbf c_\beta" not in plain and r"\boldsymbol q^*" not in plain
    assert r"[\mathbf k+\mathbf k_g+\mathbf k(\varepsilon)+\mathbf k(\omega^2)]" in full
    assert r"\mathbf c_\beta=\beta\,\mathbf k" in full and r"\boldsymbol q^*=" in full
    assert "subsection*{Derivation}" not in plain


def test_steps_name_the_primitives_of_each_formalism() -> None:
    first = {
        "lagrange": "kinetic energy",
        "gibbs_appell": "energy of accelerations (terms with second derivatives)",
        "hamilton": "Hamiltonian",
        "maggi": "joints and their basis",
        "kane": "partial velocity of ux1",
        "whittaker": "energy integral",
    }
    for formalism, title in first.items():
        assert title in [step.title for step in derived("planar_beam", "planar", formalism).steps]
