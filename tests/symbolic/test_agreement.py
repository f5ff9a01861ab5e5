"""The six routes give the same equations, symbol by symbol."""

import pytest
from sympy import ImmutableMatrix

from flexframe.formalisms.registry import NAMES as FORMALISMS
from flexframe.symbolic import Derivation

from .samples import GENERAL, derived

OTHERS = tuple(name for name in FORMALISMS if name not in ("lagrange", "whittaker"))


def _differences(one: Derivation, other: Derivation) -> list[str]:
    """Names of the parts that are not identical; exact, nothing is rounded."""
    pairs = {"mass": (one.mass, other.mass), "coriolis": (one.coriolis, other.coriolis)}
    pairs["damping"] = (one.damping, other.damping)
    pairs |= {f"stiffness {name}": (part, other.stiffness[name]) for name, part in one.stiffness.items()}
    pairs |= {f"load {name}": (part, other.load[name]) for name, part in one.load.items()}
    assert one.stiffness.keys() == other.stiffness.keys() and one.load.keys() == other.load.keys()
    return [name for name, (a, b) in pairs.items() if not (a - b).expand().is_zero_matrix]


@pytest.mark.parametrize("formalism", OTHERS)
@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_route_agrees_with_lagrange(element: str, motion: str, formalism: str) -> None:
    options = {"prestress": True, "damping": True, "load": "body"}
    mine = derived(element, motion, formalism, **options)
    reference = derived(element, motion, "lagrange", **options)
    assert _differences(mine, reference) == []
    assert not any(part.is_zero_matrix for part in (mine.mass, mine.coriolis, *mine.stiffness.values()))


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_whittaker_agrees_with_lagrange_in_steady_motion(element: str, motion: str) -> None:
    mine = derived(element, motion, "whittaker", prestress=True, load="body")
    reference = derived(element, motion, "lagrange", prestress=True, load="body", varying=())
    assert _differences(mine, reference) == []
    assert mine.stiffness["euler"].is_zero_matrix and mine.load["euler"].is_zero_matrix


@pytest.mark.parametrize(
    ("element", "motion"), [("bar", "spatial"), ("planar_beam", "planar"), ("triangle", "planar")]
)
def test_hamilton_in_the_invariant_gauge_agrees(element: str, motion: str) -> None:
    mine = derived(element, motion, "hamilton", gauge="invariant", damping=True, load="body")
    assert _differences(mine, derived(element, motion, "lagrange", damping=True, load="body")) == []


@pytest.mark.parametrize("formalism", FORMALISMS)
@pytest.mark.parametrize(
    ("element", "motion"), [("bar", "spatial"), ("planar_beam", "planar"), ("triangle", "planar")]
)
def test_velocity_of_the_origin_drops_out(element: str, motion: str, formalism: str) -> None:
    derivation = derived(element, motion, formalism)
    speeds = {symbol for symbol in derivation.motion.v_O if symbol is not None}
    for part in (derivation.mass, derivation.coriolis, *derivation.stiffness.values(), *derivation.load.values()):
        assert not part.free_symbols & speeds
    if formalism in ("lagrange", "maggi", "kane"):  # it is there before it drops out
        assert speeds <= derivation.steps[1 if formalism == "lagrange" else 0].expression.free_symbols


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_symmetries(element: str, motion: str) -> None:
    derivation = derived(element, motion, "lagrange", prestress=True, damping=True, load="body")
    assert derivation.coriolis + derivation.coriolis.T == ImmutableMatrix.zeros(*derivation.mass.shape)
    euler = derivation.stiffness["euler"]
    assert (euler + euler.T).expand().is_zero_matrix
    for part in (
        derivation.mass,
        derivation.damping,
        *(derivation.stiffness[n] for n in ("elastic", "geometric")),
    ):
        assert (part - part.T).expand().is_zero_matrix
    centrifugal = derivation.stiffness["centrifugal"]
    assert (centrifugal - centrifugal.T).expand().is_zero_matrix


@pytest.mark.parametrize("element", ["bar", "planar_beam", "triangle", "rectangle"])
def test_in_the_plane_the_centrifugal_stiffness_is_minus_omega_squared_mass(element: str) -> None:
    derivation = derived(element, "planar", "lagrange")
    omega, epsilon = derivation.motion.omega[2], derivation.motion.epsilon[2]
    assert (derivation.stiffness["centrifugal"] + omega**2 * derivation.mass).expand().is_zero_matrix
    # one matrix C carries Coriolis and Euler terms with the same sign
    assert (derivation.coriolis * epsilon - 2 * omega * derivation.stiffness["euler"]).expand().is_zero_matrix
