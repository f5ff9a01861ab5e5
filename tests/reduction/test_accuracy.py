"""The a-posteriori estimate: frequencies, static answers, mass that takes part."""

import numpy as np
import pytest

from flexframe.model.supports import Clamp
from flexframe.reduction.accuracy import ModeAccuracy, accuracy, mode_accuracy
from flexframe.reduction.attached import MeanAxes, attach
from flexframe.reduction.basis import inertia_loads, reduction_basis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.strategies import CraigBampton, Guyan, Modal

from .samples import beam, clamped, frame, plate, solid

BODIES = {
    "frame": (clamped(frame()), "end"),
    "plate": (clamped(plate()), "right"),
    "solid": (clamped(solid()), "right"),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("strategy", [Guyan(), CraigBampton(5), Modal(5)], ids=lambda strategy: strategy.name)
def test_estimates_and_bounds_of_frequencies(name: str, strategy) -> None:
    """Every reduced frequency lies within its bound of one of the body; estimates are 20 % near errors below 30 %.

    The bound is rigorous, rounding (1e-9) aside. The estimate misses what a second correction would still bring.
    """
    body, on = BODIES[name]
    attached = attach(body, interfaces=[Interface("tip", on)])
    found = mode_accuracy(attached, reduction_basis(attached, strategy), 5)
    all_modes = attached.modes(min(60, attached.discrete.supports.size - 1)).frequencies_hz
    for f, bound in zip(found.frequencies_hz, found.bounds, strict=True):
        assert np.min(np.abs(f / all_modes - 1)) <= bound + 1e-9
    moderate = (found.errors > 1e-7) & (found.errors < 0.3)
    np.testing.assert_allclose(found.estimates[moderate], found.errors[moderate], rtol=0.2)
    assert (np.abs(found.estimates[found.errors < 1e-9]) < 1e-8).all()


def test_static_errors_are_energy_norms() -> None:
    """√(1 − E_V/E) is the distance of the two answers in energy, computed from the fields themselves."""
    body, on = BODIES["plate"]
    attached = attach(body, interfaces=[Interface("tip", on)])
    basis = reduction_basis(attached, CraigBampton(2))
    found = accuracy(attached, basis)
    K = attached.discrete.stiffness
    loads = inertia_loads(attached)
    assert set(found.inertia_loads) <= set(loads)
    for name, error in found.inertia_loads.items():
        full = attached.discrete.equilibrium.solve(loads[name]).displacements[:, 0]
        small = basis.vectors @ np.linalg.solve(basis.reduce(K), basis.reduce_vector(loads[name]))
        gap = full - small
        expected = np.sqrt(gap @ (K @ gap) / (full @ (K @ full)))
        assert error == pytest.approx(expected, rel=1e-6)
    assert max(found.interface_loads.values()) < 1e-5  # √rounding: Craig–Bampton answers them exactly


def test_effective_mass_of_a_cantilever() -> None:
    """61.308 % and 18.830 % of the mass across the beam, from (∫φ)²/(L∫φ²) = (2σ/βL)², σ = 0.7340955, 1.0184673.

    Twenty elements change them by less than 1e-5 (Euler–Bernoulli without rotary inertia).
    """
    body = beam("planar", 20, theory="euler_bernoulli", rotary_inertia=0.0, supports=(Clamp("start"),))
    attached = attach(body)
    found = mode_accuracy(attached, reduction_basis(attached, Modal(6)), 6)
    across = np.sort(found.effective_mass[:, 1])[::-1]
    expected = [(2 * s / b) ** 2 for s, b in ((0.7340955138, 1.8751040687), (1.0184673192, 4.6940911330))]
    np.testing.assert_allclose(across[:2], expected, rtol=1e-5)
    assert across.sum() < 1


def test_whole_basis_takes_the_moving_mass() -> None:
    """All modes of a clamped body together take M_O M⁻¹ M_Oᵀ, the mass that is not held."""
    attached = attach(clamped(plate((2, 1))))
    size = attached.discrete.supports.size
    found = mode_accuracy(attached, reduction_basis(attached, Modal(size)), size)
    supports, discrete = attached.discrete.supports, attached.discrete
    M = supports.reduce_matrix(discrete.mass).toarray()
    rows = supports.reduce_vector(discrete.inertia.origin_coupling.T)[:, :2]
    expected = np.diagonal(rows.T @ np.linalg.solve(M, rows)) / discrete.inertia.mass
    np.testing.assert_allclose(found.effective_mass.sum(axis=0)[:2], expected, rtol=1e-9)


def test_mean_axes_take_no_mass() -> None:
    """Free–free modes have neither momentum nor moment of momentum."""
    attached = attach(solid(), reference=MeanAxes())
    found = mode_accuracy(attached, reduction_basis(attached, Modal(6)), 6)
    assert found.effective_mass.max() < 1e-20


def test_band() -> None:
    """The band ends at the first mode of the body that is not met; a missing mode shifts all that follow."""
    full = np.array([10.0, 20.0, 30.0, 40.0])
    none = np.zeros(4)

    def band(reduced: list[float]) -> float:
        return ModeAccuracy(np.array(reduced), full, none, none, np.zeros((4, 6))).band_hz(0.01)

    assert band([10.0, 20.1, 30.2, 41.0]) == 40.0
    assert band([10.0, 30.0, 40.0, 55.0]) == 20.0
    assert band([10.0, 20.0, 30.0, 40.0]) == 40.0
    assert band([10.2, 20.0, 30.0, 40.0]) == 10.0
