"""Motions of exact beams: free flight, spin-up, blades that rotate."""

import numpy as np
import pytest
from numpy.polynomial import Legendre, Polynomial
from numpy.polynomial.legendre import leggauss
from scipy import linalg
from tests.exact_beams.cantilevers import beam_along, straight
from tests.exact_beams.flights import EXACT, SPACES, departures, flight

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.elements.properties import BeamProperty, Material, Rectangle
from flexframe.maths.arrays import Array
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.supports import Clamp
from flexframe.model.system import Space, System

# ---------------------------------------------------------------------- free flight


@pytest.mark.parametrize("space", SPACES)
def test_free_flight_keeps_energy_and_momenta_to_the_tolerance(space: Space) -> None:
    """With error control: some thousand steps of a tolerance of 1e-6 and of 1e-8; the beam bends by a radian.

    Errors of a step are a part of the tolerance, and add up at worst.
    """
    for tolerance in (1e-6, 1e-8):
        found = flight(space, tolerance=tolerance)
        assert np.abs(found.displacements["beam"][..., 3:]).max() > 1.0
        assert (departures(found) < tolerance).all()
        assert found.energy_drift < tolerance  # work of the kick included


@pytest.mark.parametrize("space", SPACES)
def test_free_flight_by_generalised_alpha_with_second_order(space: Space) -> None:
    """Halving steps divides what energy, momenta and places lack by four (3.3 to 4.5)."""
    steps = (2e-3, 1e-3, 5e-4)
    lacks = np.array([departures(flight(space, step=step)) for step in steps])
    exact = flight(space, tolerance=1e-8).sensors["node end"].values
    places = [np.abs(flight(space, step=step).sensors["node end"].values - exact).max() for step in steps]
    assert lacks[-1].max() < 3e-5
    for errors in (*lacks.T, np.array(places)):
        ratios = errors[:-1] / errors[1:]
        assert ((ratios > 3.3) & (ratios < 4.5)).all()


@pytest.mark.parametrize("space", SPACES)
def test_free_flight_as_finely_divided_floating_frames(space: Space) -> None:
    """Both ends over the whole flight of more than a metre, by the same steps, against 16 floating frames.

    With 16 elements the two are as near as the floating frames are to themselves with twice the elements, 1e-3 of
    the length; eight exact beams are twice as far away.
    """
    other = flight(space, 16, 16, step=2e-3)
    distances = []
    for divisions in (8, 16):
        found = flight(space, divisions, step=2e-3)
        ends = [np.abs(found.sensors[name].values - other.sensors[name].values).max() for name in found.sensors]
        distances.append(max(ends))
    assert distances[0] < 2e-3
    assert distances[1] < min(1e-3, 0.7 * distances[0])


# ---------------------------------------------------------------------- spin-up


def test_spin_up_of_a_flexible_beam() -> None:
    """Largest deflection and shortening of the tip, of the exact theory: −0.57383 and −0.018823 m."""
    for divisions, digits in ((10, 2e-4), (20, 3e-5)):
        case = load_case(
            example_paths()["spin_up"],
            [
                f"bodies.beam.mesh.line.divisions={divisions}",
                "bodies.beam.reduction=exact",
                "analyses.run.step=5 ms",
            ],
        )
        found = case.analyses["run"].run(case)
        assert isinstance(found, CoupledMotion)
        along, across = found.sensors["tip"].values.T
        assert across.min() == pytest.approx(-0.573837, rel=digits)
        assert along.min() == pytest.approx(-0.0188233, rel=2 * digits)
        # at constant speed it is stretched: EA u″ + ρA Ω² (x + u) = 0, u(L) = tan(βL)/β − L, β² = ρA Ω²/EA
        beta = np.sqrt(1.2 * 36 / 2.8e7)
        assert along[found.times > 19].mean() == pytest.approx(np.tan(10 * beta) / beta - 10, rel=2e-3)


# ---------------------------------------------------------------------- a blade that rotates

SPEEDS = np.array([0.0, 500.0, 750.0]) * 2 * np.pi / 60  # rad/s
YOUNG, DENSITY, THICK, LONG, ROOT = 1.06e7, 2.51e-4, 0.063, 37.5, 2.5  # psi, lb s²/in⁴, in


def flap(speed: float) -> Array:
    """The first two flap frequencies [Hz] of an Euler–Bernoulli blade that is stretched by its rotation, by Ritz.

    With y(X) where the point X of the axis is, N = EA (y′ − 1): K = ∫ EI ((w′/y′)′)² + N w′²/y′, M = ∫ ρA w².
    """
    nodes, weights = leggauss(60)
    s, weights = (nodes + 1) / 2, weights / 2 * LONG
    EA, EI, mass = YOUNG * THICK, YOUNG * THICK**3 / 12, DENSITY * THICK
    stretch, bent = np.ones_like(s), np.zeros_like(s)
    if speed:  # EA y″ + ρA Ω² y = 0, y = r at the root, y′ = 1 at the tip
        beta, X = np.sqrt(mass / EA) * speed, LONG * s
        other = (1 / beta + ROOT * np.sin(beta * LONG)) / np.cos(beta * LONG)
        stretch = beta * (other * np.cos(beta * X) - ROOT * np.sin(beta * X))
        bent = -(beta**2) * (other * np.sin(beta * X) + ROOT * np.cos(beta * X))
    shapes = [Polynomial([0, 0, 1]) * Legendre.basis(k, [0, 1]).convert(kind=Polynomial) for k in range(14)]
    w, slope, second = (np.array([f.deriv(n)(s) for f in shapes]) / LONG**n for n in range(3))
    curvature = second / stretch - slope * bent / stretch**2
    K = EI * (curvature * weights) @ curvature.T + EA * (slope * weights * (stretch - 1) / stretch) @ slope.T
    M = mass * (w * weights) @ w.T
    return np.asarray(np.sqrt(linalg.eigh(K, M, eigvals_only=True)[:2]) / (2 * np.pi))


def rotating(divisions: int) -> Array:
    """Frequencies of the first three modes at all speeds [Hz], followed from rest: two flaps and the first lag."""
    prop = BeamProperty(Material(YOUNG, 0.325, DENSITY, idealised=True), Rectangle(THICK, 1.0))
    points = straight(LONG, divisions) + np.array([ROOT, 0.0, 0.0])
    body = beam_along(points, prop, theory="euler_bernoulli", supports=[Clamp("start")])
    system = System(
        [body], [Revolute("hub", "ground", "beam")], [AngleDrive("motor", "ground", "beam", "t")], space="spatial"
    )
    found = system_campbell(system, speeds=SPEEDS, modes=3, reductions={"beam": EXACT})
    return np.asarray(found.frequencies_hz)


def test_flap_frequencies_of_a_rotating_blade() -> None:
    """8 and 16 elements converge with order 4; what is left after extrapolation is of order 6, 1e-4 at most."""
    coarse, fine = rotating(8), rotating(16)
    published = [[1.4872, 9.3202], [9.1914, 23.8365], [13.5518, 34.0054]]  # Euler–Bernoulli, converged elsewhere
    exact = np.array([flap(speed) for speed in SPEEDS])
    assert exact == pytest.approx(np.array(published), rel=1e-4)
    flaps = fine[:, :2] + (fine - coarse)[:, :2] / 15
    assert flaps == pytest.approx(exact, rel=1e-4)
    assert fine[:, :2] == pytest.approx(exact, rel=1e-3)
