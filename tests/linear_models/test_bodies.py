"""Linear models of one body against modes, frequency responses, static answers and Floquet's multipliers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexframe as ff
from flexframe.maths.arrays import Array

WANTED = 1e-9  # of the largest pole that is wanted


def _blade() -> ff.Body:
    blade = ff.Body.beam(
        "blade",
        length=1.2,
        divisions=8,
        section=ff.Rectangle(0.04, 0.01),
        material=ff.STEEL,
        supports=(ff.Clamp("start"),),
    )
    return replace(blade, damping=ff.Damping(mass=0.5, stiffness=1e-5))


PUSH = {"push": ff.NodeForce("end", (0.0, 1.0))}
TIP = {"tip": ff.sensors.DofSensor("end", "uy"), "speed": ff.sensors.Rate(ff.sensors.DofSensor("end", "uy"))}


@pytest.mark.parametrize("speed", [0.0, 30.0])
def test_poles_and_response_are_those_of_the_body(speed: float) -> None:
    """Modes and frequency response solve the sparse quadratic problem, the model is a dense one of first order."""
    motion = ff.FrameMotion.spin(speed)
    model = ff.linearise(_blade(), motion, forces=PUSH, sensors=TIP)
    modes = ff.modes(_blade(), motion, count=10)
    largest = float(np.abs(modes.eigenvalues).max())
    for value in modes.eigenvalues:
        assert np.abs(model.poles - value).min() < WANTED * largest
    f = np.linspace(1.0, 120.0, 60)
    loads = [ff.loads.HarmonicForce("end", (0.0, 1.0))]
    found = ff.frequency_response(_blade(), motion, f, loads, {"tip": TIP["tip"]}, method="direct")
    expected = found.curves["tip"].values
    H = model.response(f)
    # both solve systems whose condition is about (ω_max/ω)² ~ 1e10 of the unscaled matrices
    assert np.abs(H[:, 0, 0] - expected).max() < 1e-8 * np.abs(expected).max()
    assert np.abs(H[:, 1, 0] - 2j * np.pi * f * expected).max() < 1e-8 * np.abs(H[:, 1, 0]).max()


def test_acceleration_of_the_base_bends_the_body_as_its_weight_does() -> None:
    """At rest a base that accelerates by a pulls with ρA a on every length: q L⁴/8EI and q L²/2kGA."""
    model = ff.linearise(_blade(), inputs=["base.y"], sensors={"tip": TIP["tip"]})
    area, inertia, L = 4e-4, 0.04 * 0.01**3 / 12, 1.2
    steel = ff.STEEL
    q = steel.density * area
    shear = steel.young / (2 * (1 + steel.poisson)) * area * 5 / 6
    expected = -(q * L**4 / (8 * steel.young * inertia) + q * L**2 / (2 * shear))
    # a beam of linear shear and cubic bending is exact at its nodes
    assert model.response(0.0)[0, 0, 0].real == pytest.approx(expected, rel=1e-6)
    assert model.inputs[0].unit == "m/s²"


def test_few_modes_keep_the_static_answer() -> None:
    """Three modes and the static shape of the force answer at rest as all modes do."""
    whole = ff.linearise(_blade(), forces=PUSH, sensors={"tip": TIP["tip"]})
    few = ff.linearise(_blade(), forces=PUSH, sensors={"tip": TIP["tip"]}, modes=3)
    assert few.order == 8
    assert few.response(0.0)[0, 0, 0] == pytest.approx(whole.response(0.0)[0, 0, 0], rel=1e-9)


def _integrated(models: "ff.results.PeriodicModels") -> Array:
    """The map of one period by scipy's integrator, A interpolated by its harmonics."""
    n = models.A.shape[1]
    spectrum = np.fft.fft(models.A, axis=0) / len(models.times)
    orders = np.fft.fftfreq(len(models.times), 1 / len(models.times))

    def slope(t: float, x: Array) -> Array:
        A = np.tensordot(np.exp(2j * np.pi * orders * t / models.period), spectrum, axes=1).real
        return np.asarray((A @ x.reshape(n, n)).ravel())

    found = solve_ivp(slope, (0.0, models.period), np.eye(n).ravel(), method="DOP853", rtol=1e-12, atol=1e-14)
    return np.asarray(found.y[:, -1].reshape(n, n))


def test_models_along_a_turn_have_floquets_multipliers() -> None:
    """A rotor in unequal bearings: stability has the same multipliers, and so has the list of models."""
    shaft = ff.Body.beam(
        "shaft",
        length=0.6,
        divisions=4,
        section=ff.Circle(0.01),
        material=ff.STEEL,
        space="spatial",
        supports=(ff.Fix("start", ("ux", "uy", "uz", "rx")), ff.Fix("end", ("ux", "rx"))),
    )
    bearing = ff.rotors.Bearing("end", stiffness=(4e4, 1e4), damping=20.0)
    cycle = ff.cycles.RotorCycle(shaft, (1, 0, 0), [bearing], modes=4)
    model = ff.linearise(
        cycle,
        at={"speed": 60.0},
        forces={"push": ff.NodeForce("end", (0.0, 1.0, 0.0))},
        sensors={"end": ff.sensors.DofSensor("end", "uy")},
        instants=32,
    )
    assert model.cycle is not None
    expected = ff.stability(cycle, {"speed": 60.0}, check_modes=False).multipliers
    largest = float(np.abs(expected).max())
    for value in np.linalg.eigvals(_integrated(model.cycle)):
        assert np.abs(expected - value).min() < WANTED * largest
    assert np.abs(model.cycle.multipliers - expected).max() < WANTED * largest
    assert model.cycle.B.shape == (32, 8, 1)


def test_frames_of_a_flexible_solid() -> None:
    """Rigid displacements of all frames store no energy and weigh what the body does; bending is exact."""
    beam = ff.Body.beam(
        "beam",
        length=1.0,
        divisions=6,
        section=ff.Rectangle(0.04, 0.01),
        material=ff.STEEL,
        space="spatial",
        supports=(ff.Clamp("start"),),
    )
    solid = ff.linearise(beam, frames={"root": "start", "tip": "end"}, modes=4).flexible_solid
    assert solid is not None
    assert solid.stiffness.shape == (16, 16)
    rigid = np.zeros((16, 6))
    for k, origin in enumerate(solid.origins):
        x, y, z = origin
        rigid[6 * k : 6 * k + 6] = np.eye(6)
        rigid[6 * k : 6 * k + 3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]  # θ × r
    mass = rigid.T @ solid.mass @ rigid
    assert np.abs(solid.stiffness @ rigid).max() < 1e-9 * np.abs(solid.stiffness).max()
    m = ff.STEEL.density * 4e-4
    assert mass[0, 0] == pytest.approx(m, rel=1e-9)
    assert mass[5, 5] == pytest.approx(m / 3, rel=1e-3)  # m l²/3, and the little of the section
    # the tip of a beam whose root is held: l³/3EI, and shear of (h/l)² of that
    bending = np.linalg.inv(solid.stiffness[6:12, 6:12])[1, 1]
    assert bending == pytest.approx(1 / (3 * ff.STEEL.young * (0.04 * 0.01**3 / 12)), rel=1e-3)


def test_unknown_names_are_refused() -> None:
    """The message names what there is."""
    with pytest.raises(ff.InputError, match="no input of a body; known are push"):
        ff.linearise(_blade(), forces=PUSH, inputs=["pull"])
    with pytest.raises(ff.InputError, match="no sensor"):
        ff.linearise(_blade(), forces=PUSH, outputs=["tip"])
    with pytest.raises(ff.InputError, match="changes the speed"):
        ff.linearise(_blade(), ff.FrameMotion.spin(10.0), inputs=["base.rz"])
