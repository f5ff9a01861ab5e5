"""What a user may ask for, and how the rest is refused."""

import subprocess
import sys

import pytest

from flexframe.errors import InputError
from flexframe.symbolic import ELEMENTS, derive

from .samples import derived


@pytest.mark.parametrize("element", ["T6", "Q8", "quadrilateral8", "Tet10", "hexahedron8", "hex20", "triangle6"])
def test_families_that_do_not_fit_on_a_page_name_the_numeric_route(element: str) -> None:
    with pytest.raises(InputError, match="flexframe crosscheck"):
        derive(element)


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        (("torus",), {}, "bar, planar_beam"),
        (("bar", "curved"), {}, "planar, spatial"),
        (("bar", "planar", "newton"), {}, "lagrange, gibbs_appell"),
        (("triangle",), {"plane_state": "bent"}, "stress, strain"),
        (("bar",), {"load": "wind"}, "none, body"),
        (("bar", "planar", "hamilton"), {"gauge": "coulomb"}, "natural, invariant"),
        (("bar",), {"varying": ("mass",)}, "omega, a_O, load"),
    ],
)
def test_unknown_names_are_refused_with_the_known_ones(arguments: tuple, options: dict, named: str) -> None:
    with pytest.raises(InputError) as caught:
        derive(*arguments, **options)
    assert named in str(caught.value)


def test_spellings() -> None:
    assert derive("Planar-Beam", "planar", "Gibbs–Appell").formalism == "gibbs_appell"
    assert derive("triangle3", "planar", "kane").element.name == "triangle"


def test_bar_has_as_many_components_as_its_motion() -> None:
    assert derived("bar", "planar", "kane").mass.rows == 4
    assert derived("bar", "spatial", "kane").mass.rows == 6
    assert [derived(e, "spatial", "kane").mass.rows for e in ELEMENTS] == [6, 6, 12, 6, 8, 12]


def test_sympy_is_not_loaded_before_it_is_needed() -> None:
    program = (
        "import sys, flexframe.symbolic as d\n"
        "assert d.ELEMENTS and 'sympy' not in sys.modules\n"
        "d.derive\n"
        "assert 'sympy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
