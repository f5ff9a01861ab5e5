"""Each formalism stands on its own: break the primitive of one and the crosscheck names that one alone."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.crosscheck.analysis import crosscheck
from flexframe.formalisms import gibbs_appell, hamilton, kane, lagrange, maggi, whittaker
from flexframe.formalisms.contract import MovingElements
from flexframe.motion.frame import FrameMotion

from .samples import blade

STEADY = FrameMotion((0.0, 0.0, 30.0), origin_velocity=(1.0, 2.0), origin_acceleration=(3.0, -4.0))


def _velocity_without_drag(original: Callable) -> Callable:
    """T without the part W N δ of the velocity."""

    def changed(elements: MovingElements, *rest: object) -> np.ndarray:
        field = original(elements, *rest)
        field[..., elements.size : -1] = 0
        return field

    return changed


def _rate_without_transport(original: Callable) -> Callable:
    """d/dt v_O taken as a_O, without −Wv."""

    def changed(elements: MovingElements, motion: FrameMotion, *rest: object) -> np.ndarray:
        field = original(elements, motion, *rest)
        field[..., -1] += motion.W @ motion.origin_velocity
        return field

    return changed


def _acceleration_without_centrifugal(original: Callable) -> Callable:
    """S with ṘᵀṘ beside RᵀR̈, which deletes the centrifugal terms (the slip of paper 001)."""

    def changed(elements: MovingElements, motion: FrameMotion, *rest: object) -> np.ndarray:
        field = original(elements, motion, *rest)
        extra = np.matmul(motion.W @ motion.W, np.concatenate([elements.shape, elements.positions[..., None]], -1))
        field[..., 2 * elements.size :] -= extra
        return field

    return changed


def _hamiltonian_without_gyroscopic_square(original: Callable) -> Callable:
    """H without ½(cδ + s)ᵀm⁻¹(cδ + s)."""

    def changed(function: hamilton.Lagrangian, *rest: object) -> hamilton.Hamiltonian:
        return replace(original(function, *rest), dd=-function.quadratic)

    return changed


def _constraint_as_its_own_null_space(original: Callable) -> Callable:
    """The slip of paper 001 (56): B must be the null space; here one column of it is scaled."""

    def changed(elements: MovingElements) -> np.ndarray:
        basis = original(elements).copy()
        basis[..., 0] *= 2
        return basis

    return changed


def _joins_with_one_missing(original: Callable) -> Callable:
    """A null space with one allowed motion left out: the body is held where it is free."""

    def changed(*rest: object) -> object:
        return original(*rest)[:, 1:]

    return changed


def _partial_velocities_without_one(original: Callable) -> Callable:
    def changed(*rest: object) -> np.ndarray:
        partial = original(*rest).copy()
        partial[..., 1, :] = 0
        return partial

    return changed


def _coriolis_counted_once(original: Callable) -> Callable:
    """The acceleration as the derivative of components, without ω × velocity."""

    def changed(velocity: kane.PointVelocity, motion: FrameMotion, work: object) -> np.ndarray:
        return original(velocity, FrameMotion(origin_velocity=motion.origin_velocity), work)

    return changed


def _energy_integral_with_wrong_factor(original: Callable) -> Callable:
    def changed(kinetic: np.ndarray, alpha: np.ndarray, sign: np.ndarray) -> np.ndarray:
        return original(kinetic / 2, alpha, sign)

    return changed


MUTATIONS = [
    ("lagrange", lagrange, "velocity", _velocity_without_drag),
    ("lagrange", lagrange, "velocity_rate", _rate_without_transport),
    ("gibbs_appell", gibbs_appell, "acceleration", _acceleration_without_centrifugal),
    ("hamilton", hamilton, "hamiltonian", _hamiltonian_without_gyroscopic_square),
    ("maggi", maggi, "element_basis", _constraint_as_its_own_null_space),
    ("maggi", maggi, "boolean_basis", _joins_with_one_missing),
    ("kane", kane, "partial_velocities", _partial_velocities_without_one),
    ("kane", kane, "point_acceleration", _coriolis_counted_once),
    ("whittaker", whittaker, "tau_rate", _energy_integral_with_wrong_factor),
]


@pytest.mark.parametrize(
    ("name", "module", "primitive", "mutation"), MUTATIONS, ids=lambda x: getattr(x, "__name__", x)
)
def test_a_broken_primitive_is_found_alone(
    name: str, module: object, primitive: str, mutation: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong term is a difference of order one in units of the terms; 1e-3 leaves room, 1e-9 is the limit."""
    monkeypatch.setattr(module, primitive, mutation(getattr(module, primitive)))
    record = crosscheck(blade(3), STEADY)
    assert record.disagreeing == (name,)
    (check,) = (check for check in record.checks if check.name == name)
    assert check.max_relative_difference is not None
    assert check.max_relative_difference > 1e-3
    assert record.closed_form_difference < 1e-12


def test_nothing_broken() -> None:
    """The same body without a mutation: all six agree to round-off."""
    record = crosscheck(blade(3), STEADY)
    assert record.agrees
    assert max(check.max_relative_difference or 0.0 for check in record.checks) < 1e-11
