"""Motion in time: exact solutions, the spin-up of Kane, Ryan and Banerjee, and one answer by every formalism."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.linalg import expm

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.analysis import Start
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import GeneralSection, Material
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.model.body import Body, Damping
from flexframe.model.supports import Clamp, Roller
from flexframe.motion.frame import FrameMotion, planar
from flexframe.reduction.rest_basis import body_basis
from flexframe.sensors import DofSensor

from .samples import blade, relative

SPIN = FrameMotion((0.0, 0.0, 30.0))
TIP = {"tip": DofSensor("end", "uy")}
BOUND = ("lagrange", "gibbs_appell", "maggi", "kane", "hamilton")


def exact_tip(discrete: DiscreteBody, motion: FrameMotion, times: np.ndarray) -> np.ndarray:
    """uy of the last node from rest, by the matrix exponential of the assembled equations."""
    equations, supports = equations_of_motion(discrete, motion), discrete.supports
    M, C, K = (
        supports.reduce_matrix(m).toarray() for m in (equations.mass, equations.damping, equations.stiffness)
    )
    f, n = supports.reduce_vector(equations.load), supports.size
    A = np.zeros((2 * n + 1, 2 * n + 1))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -np.linalg.solve(M, K), -np.linalg.solve(M, C)
    A[n : 2 * n, -1] = np.linalg.solve(M, f)
    row = discrete.dofs.numbers[discrete.body.selected_nodes("end")[0], 1]
    start = np.zeros(2 * n + 1)
    start[-1] = 1
    return np.array([supports.expand((expm(A * t) @ start)[:n])[row] for t in times])


def test_closed_form_converges_to_the_exact_motion() -> None:
    """Second order in the step: half the step, a quarter of the error (3.5 to 4.5 once it is small)."""
    discrete = blade(2)
    errors = []
    for steps in (400, 800, 1600):
        record = simulate(discrete, SPIN, duration=0.1, steps=steps, sensors=TIP)
        chosen = np.linspace(0, steps, 11).astype(int)
        exact = exact_tip(discrete, SPIN, record.times[chosen])
        errors.append(np.abs(record.sensors["tip"].values[chosen] - exact).max() / np.abs(exact).max())
    assert errors[-1] < 1e-3
    assert 3.5 < errors[1] / errors[2] < 4.5


@pytest.mark.parametrize("formalism", BOUND)
def test_every_formalism_gives_the_motion_of_the_closed_form(formalism: str) -> None:
    """The same rule in other unknowns in steady spin: 1e-9 of the amplitude after 100 steps of stiff equations."""
    discrete = blade(3)
    reference = simulate(discrete, SPIN, duration=0.05, steps=100, sensors=TIP)
    record = simulate(discrete, SPIN, duration=0.05, steps=100, sensors=TIP, formalism=formalism)
    assert relative(record.sensors["tip"].values, reference.sensors["tip"].values) < 1e-9
    assert record.formalism == formalism
    assert record.energy_drift < 1e-10
    assert record.constraint_residual < 1e-12
    assert relative(record.support_forces, reference.support_forces) < 1e-7


@dataclass(frozen=True)
class _Ramp:
    def jet(self, t: float) -> tuple[float, float, float]:
        return 50 * t**2, 100 * t, 100.0


@pytest.mark.parametrize("formalism", BOUND)
def test_changing_motion(formalism: str) -> None:
    """Coefficients that change in every step, an inclined roller: 1e-8 of the amplitude."""
    plain = blade(2, space="spatial", force=(1.0, 2.0, 3.0))
    discrete = discretise(replace(plain.body, supports=(Clamp("start"), Roller("end", (0.0, 0.6, 0.8)))))
    sensors = {"tip": DofSensor("end", "uz")}
    reference = simulate(discrete, planar(_Ramp()), duration=0.02, steps=20, sensors=sensors)
    record = simulate(discrete, planar(_Ramp()), duration=0.02, steps=20, sensors=sensors, formalism=formalism)
    assert relative(record.sensors["tip"].values, reference.sensors["tip"].values) < 1e-8
    assert record.constraint_residual < 1e-10


def test_whittaker_follows_its_basis() -> None:
    """Two modes replace the body: the exact motion of the projected equations to 1e-8, and no support forces."""
    discrete = blade(3)
    record = simulate(discrete, SPIN, duration=0.3, steps=60, sensors=TIP, formalism="whittaker", modes=2)
    shapes = body_basis(discrete, 2).vectors
    equations = equations_of_motion(discrete, SPIN)
    M, C, K = (shapes.T @ (m @ shapes) for m in (equations.mass, equations.damping, equations.stiffness))
    A = np.zeros((5, 5))
    A[:2, 2:4] = np.eye(2)
    A[2:4, :2], A[2:4, 2:4] = -np.linalg.solve(M, K), -np.linalg.solve(M, C)
    A[2:4, -1] = np.linalg.solve(M, shapes.T @ equations.load)
    row = discrete.dofs.numbers[discrete.body.selected_nodes("end")[0], 1]
    exact = [shapes[row] @ (expm(A * t) @ [0, 0, 0, 0, 1])[:2] for t in record.times]
    assert relative(record.sensors["tip"].values, np.array(exact)) < 1e-8
    assert record.support_forces is None
    assert "2 lowest modes" in record.method
    assert record.energy_drift < 1e-9


@dataclass(frozen=True)
class _SpinUp:
    """θ = (Ω/T)[t²/2 + (T/2π)²(cos(2πt/T) − 1)] up to T, then Ω t."""

    end: float = 15.0
    speed: float = 6.0

    def jet(self, t: float) -> tuple[float, float, float]:
        T, rate = self.end, self.speed / self.end
        if t >= T:
            return self.speed * (t - T / 2), self.speed, 0.0
        turn = 2 * np.pi / T
        return (
            rate * (t**2 / 2 + (np.cos(turn * t) - 1) / turn**2),
            rate * (t - np.sin(turn * t) / turn),
            rate * (1 - np.cos(turn * t)),
        )


def _spin_up_beam() -> Body:
    """EA 2.8e7, κGA 1e7, EI 1.4e4, ρA 1.2, ρI 6e-4."""
    material = Material(young=2.8e7, poisson=0.3, density=1.2)
    section = GeneralSection(1.0, 5e-4, 5e-4, 1e-3, shear_factor=1e7 / material.shear_modulus)
    return Body.beam(
        "beam", length=10.0, divisions=8, section=section, material=material, supports=(Clamp("start"),)
    )


def test_spin_up() -> None:
    """Kane, Ryan and Banerjee's beam: linear theory with k_g has the minimum −0.57440 near 6.76 s (5e-4 relative:
    eight elements and steps of 10 ms)."""
    record = simulate(_spin_up_beam(), planar(_SpinUp()), duration=9.0, steps=900, sensors=TIP)
    tip = record.sensors["tip"].values
    assert tip.min() == pytest.approx(-0.57440, rel=5e-4)
    assert record.times[np.argmin(tip)] == pytest.approx(6.76, abs=0.05)
    assert record.energy_drift < 1e-9
    assert record.frame_path is not None
    # the frame has turned by θ(9 s)
    w, *_, z = record.frame_path.rotations[-1]
    angle = _SpinUp().jet(9.0)[0]
    assert abs(w * np.cos(angle / 2) + z * np.sin(angle / 2)) == pytest.approx(1.0, abs=1e-12)


def test_spin_up_without_geometric_stiffness_diverges() -> None:
    """Published: |u| > L at 9.17 s when the stress of rotation is left out."""
    record = simulate(
        _spin_up_beam(), planar(_SpinUp()), duration=9.6, steps=960, sensors=TIP, terms=Terms(geometric=0.0)
    )
    beyond = record.times[np.abs(record.sensors["tip"].values) > 10.0]
    assert beyond[0] == pytest.approx(9.17, abs=0.03)


def test_free_vibration_keeps_energy_and_damping_loses_it() -> None:
    """A mode shape released: e^{−αt} for mass damping α with δ̇ ∝ e^{−αt/2} cos; 0.2 % at 2000 steps."""
    plain = blade(3, force=(0.0, 0.0, 0.0))
    found = modes(plain, count=1)
    shape = found.shapes[0].real[plain.dofs.numbers >= 0]
    omega = 2 * np.pi * found.frequencies_hz[0]
    for alpha in (0.0, 3.0):
        discrete = discretise(replace(plain.body, damping=Damping(mass=alpha)))
        start = Start(displacements=0.01 * shape)
        end = 4 * np.pi / omega
        record = simulate(discrete, FrameMotion(), duration=end, steps=2000, sensors=TIP, start=start)
        rate = np.sqrt(omega**2 - alpha**2 / 4)
        t = record.times
        exact = np.exp(-alpha * t / 2) * (np.cos(rate * t) + alpha / (2 * rate) * np.sin(rate * t))
        first = record.sensors["tip"].values[0]
        assert np.abs(record.sensors["tip"].values / first - exact).max() < 2e-3
        assert record.energy_drift < 1e-9


def test_record_is_json_and_thinned() -> None:
    """At most 300 samples in the summary, all of them in the record."""
    record = simulate(blade(2), SPIN, duration=0.1, steps=1000, sensors=TIP)
    summary = json.loads(json.dumps(record.summary()))
    assert len(summary["times_s"]) == 300
    assert {len(sensor["values"]) for sensor in summary["sensors"].values()} == {300}
    assert set(summary) >= {"times_s", "sensors", "energy_drift", "constraint_residual", "steps", "seconds"}
    assert len(record.times) == 1001
    assert record.to_xarray()["tip"].shape == (1001,)
    assert record.displacements.shape == (len(record.snapshots), 3, 6)


def test_refusals() -> None:
    """Clear errors for what cannot be done."""
    discrete = blade(2)
    with pytest.raises(AnalysisError, match="speed of rotation"):
        simulate(discrete, planar(_Ramp()), duration=0.1, steps=10, formalism="whittaker")
    with pytest.raises(InputError, match="positive time"):
        simulate(discrete, SPIN, duration=0.0, steps=10)
    with pytest.raises(InputError, match="unknown"):
        simulate(discrete, SPIN, duration=1.0, steps=10, formalism="newton")
    with pytest.raises(InputError, match="no uz"):
        simulate(discrete, SPIN, duration=1.0, steps=10, sensors={"tip": DofSensor("end", "uz")})
    with pytest.raises(InputError, match="spectral radius"):
        simulate(discrete, SPIN, duration=1.0, steps=10, spectral_radius=1.5)


@pytest.mark.parametrize("formalism", ["lagrange", "gibbs_appell", "hamilton", "maggi", "kane", "whittaker"])
def test_modes_by_a_formalism(formalism: str) -> None:
    """Frequencies of a spinning blade by the chosen route and by the closed form: 1e-9."""
    discrete = blade(4, space="spatial")
    expected = modes(discrete, SPIN, count=6).frequencies_hz
    assert modes(discrete, SPIN, count=6, formalism=formalism).frequencies_hz == pytest.approx(expected, rel=1e-9)
    at_rest = modes(discrete, count=4).frequencies_hz
    assert modes(discrete, count=4, formalism=formalism).frequencies_hz == pytest.approx(at_rest, rel=1e-9)
