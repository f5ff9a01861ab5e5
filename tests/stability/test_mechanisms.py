"""Cycles of mechanisms: a rotating link in closed form, and a four-bar linkage against brute force."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from scipy.integrate import solve_ivp

from flexframe.analyses.elastic_response.analysis import elastic_response
from flexframe.analyses.kinematics.analysis import kinematics
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.stability.analysis import stability
from flexframe.analyses.stability.mechanism_cycle import MechanismCycle
from flexframe.cases.case import load_case
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.formula import Formula
from flexframe.mesh.builders import line
from flexframe.model.body import Body, Damping, PointMass, Region
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import BodyFrame, Placement
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.motion.frame import FrameMotion
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.links.assembly import elastic_assembly
from flexframe.spectra.floquet.period_map import period_map

SOFT = Material(1e9, 0.3, 2700.0)  # slow enough for an explicit integrator to follow every mode
PERIOD = 0.2
EXAMPLES = Path(__file__).parents[2] / "examples"


def bar(name: str, length: float, divisions: int = 1, *, tip: float = 0.0, damping: float = 0.0) -> Body:
    section = GeneralSection(4e-5, 8e-11, 8e-11, 1.6e-10)
    return Body(
        name,
        line(length, divisions),
        (Region(BeamProperty(SOFT, section), family="euler_bernoulli_beam"),),
        point_masses=(PointMass("end", tip),) if tip else (),
        damping=Damping(stiffness=damping),
    )


def four_bar(damping: float = 0.0) -> System:
    return System(
        [
            bar("crank", 0.108, tip=0.02, damping=damping),
            bar("coupler", 0.2794, tip=0.02, damping=damping),
            bar("follower", 0.2705, damping=damping),
        ],
        [
            Revolute("A", "ground.A", "crank.start"),
            Revolute("B", "crank.end", "coupler.start"),
            Revolute("C", "coupler.end", "follower.end"),
            Revolute("D", "ground.D", "follower.start"),
        ],
        [AngleDrive("motor", "ground.A", "crank.start", Formula.parse("10*pi*t"))],
        [SystemGravity()],
        ground={"A": BodyFrame((0.0, 0.0, 0.0)), "D": BodyFrame((0.254, 0.0, 0.0))},
        start={
            "coupler": Placement(np.array([0.108, 0.0, 0.0]), np.array([0.0, 0.0, np.pi / 3])),
            "follower": Placement(np.array([0.254, 0.0, 0.0]), np.array([0.0, 0.0, 1.48])),
        },
    )


def brute_force(system: System, period: float, samples: int = 192) -> np.ndarray:
    """Multipliers in chosen coordinates z, q = B(t)z, with momenta p = BᵀMq̇, integrated by DOP853.

    ż = (BᵀMB)⁻¹(p − BᵀMḂz) and ṗ = ḂᵀMq̇ − Bᵀ(Cq̇ + Kq); B has a unit matrix on the same rows all the time, and
    its derivative comes from its Fourier series.
    """
    times = period * np.arange(samples) / samples
    motion = kinematics(system, times).motion
    assembly = elastic_assembly(motion, inverse_dynamics(motion))
    A, M = assembly.constraints, assembly.mass.toarray()
    dependent = np.sort(scipy.linalg.qr(A[3], pivoting=True)[2][: assembly.rank])
    free = np.setdiff1d(np.arange(assembly.size), dependent)
    B = np.zeros((samples, assembly.size, len(free)))
    B[:, free, np.arange(len(free))] = 1.0
    for i in range(samples):
        B[i, dependent] = -np.linalg.lstsq(A[i][:, dependent], A[i][:, free], rcond=None)[0]
        assert np.linalg.cond(A[i][:, dependent]) < 1e4
    orders = np.fft.fftfreq(samples, 1 / samples)
    rate = 2j * np.pi / period * orders
    B_rate = np.fft.ifft(rate[:, None, None] * np.fft.fft(B, axis=0), axis=0).real
    n = len(free)
    S = np.empty((samples, 2 * n, 2 * n))
    for i in range(samples):
        C, K, _ = assembly.blocks(i)
        b, d = B[i], B_rate[i]
        inverse = np.linalg.inv(b.T @ M @ b)
        z_rate = np.hstack([-inverse @ b.T @ M @ d, inverse])
        velocity = b @ z_rate + np.hstack([d, np.zeros_like(d)])
        displacement = np.hstack([b, np.zeros_like(b)])
        S[i] = np.concatenate([z_rate, d.T @ M @ velocity - b.T @ (C @ velocity + K @ displacement)])
    spectrum = np.fft.fft(S.reshape(samples, -1), axis=0) / samples

    def right(t: float, x: np.ndarray) -> np.ndarray:
        now = (np.exp(rate * t) @ spectrum).real.reshape(2 * n, 2 * n)
        return (now @ x.reshape(2 * n, 2 * n)).ravel()

    start = np.eye(2 * n).ravel()
    end = solve_ivp(right, (0, period), start, method="DOP853", rtol=1e-9, atol=1e-12).y[:, -1]
    return np.linalg.eigvals(end.reshape(2 * n, 2 * n))


@pytest.mark.parametrize("damping", [0.0, 2e-4])
def test_four_bar_against_brute_force(damping: float) -> None:
    """All unknowns, none left out; DOP853 at 1e-9 over 4000 rad of the fastest mode is good to about 1e-6."""
    system = four_bar(damping)
    cycle = MechanismCycle(system, PERIOD, modes=99, segments=16)
    found = stability(cycle)
    assert found.truncation is None and found.complete
    expected = brute_force(system, PERIOD)
    assert len(found.multipliers) == len(expected)
    for value in expected:
        assert np.abs(found.multipliers - value).min() < 1e-6 * np.abs(expected).max()
    if damping:
        assert found.reciprocity is None
    else:
        assert found.reciprocity is not None and found.reciprocity < 1e-10


def test_number_of_pieces_does_not_matter() -> None:
    """Coefficients are smooth; twelve pieces resolve them to 1e-8."""
    first, second = (
        period_map(MechanismCycle(four_bar(), PERIOD, modes=2, segments=n).system({})).multipliers
        for n in (12, 20)
    )
    for value in first:
        assert np.abs(second - value).min() < 1e-7


def test_speed_factor_is_a_faster_drive() -> None:
    """Half the period and twice the drive are the same system."""
    faster = four_bar()
    drive = AngleDrive("motor", "ground.A", "crank.start", Formula.parse("20*pi*t"))
    faster = replace(faster, drives=(drive,))
    expected = period_map(MechanismCycle(faster, PERIOD / 2, modes=3).system({})).multipliers
    found = period_map(MechanismCycle(four_bar(), PERIOD, modes=3).system({"speed_factor": 2.0})).multipliers
    for value in expected:
        assert np.abs(found - value).min() < 1e-8


def spinning_arm() -> System:
    body = replace(bar("arm", 0.5, 4), supports=(Clamp("start"),))
    return System(
        [body],
        [Revolute("O", "ground.O", "arm.start")],
        [AngleDrive("motor", "ground.O", "arm.start", Formula.parse("12*t"))],
        ground={"O": BodyFrame((0.0, 0.0, 0.0))},
    )


def test_link_in_steady_rotation() -> None:
    """Constant coefficients: μ = exp(λT) of the modes at that speed, here with every mode kept."""
    system = spinning_arm()
    body = system.bodies[0]
    assert isinstance(body, Body)
    period = 0.05
    found = stability(MechanismCycle(system, period, link="arm", modes=99, segments=2))
    spectrum = modes(body, FrameMotion.spin(12.0), count=4)
    for value in np.exp(spectrum.eigenvalues * period):
        assert np.abs(found.multipliers - value).min() < 1e-8
    assert found.stable


def test_wrong_period_is_refused() -> None:
    with pytest.raises(AnalysisError, match="does not repeat after"):
        stability(MechanismCycle(four_bar(), 0.15, modes=2))


def test_forces_of_time_do_not_run_faster() -> None:
    force = MarkerForce("push", "coupler.end", (Formula.parse("sin(10*pi*t)"), 0.0, 0.0))
    system = replace(four_bar(), loads=(force,))
    cycle = MechanismCycle(system, PERIOD, modes=2)
    assert cycle.system({}).period == pytest.approx(PERIOD, rel=1e-12)
    with pytest.raises(InputError, match="does not run faster"):
        cycle.system({"speed_factor": 1.5})


@pytest.mark.parametrize(
    ("example", "link", "period"),
    [("slider_crank", "rod", 2 * np.pi / 150), ("wind_pump", "lever", 60 / 140)],
)
def test_links_of_examples(example: str, link: str, period: float) -> None:
    """Undamped links of a slider-crank and of the wind pump: on the unit circle, reciprocal to 1e-10.

    Two modes more change their multipliers by less than 1e-2, the higher ones being coupled by the spin.
    """
    system = load_case(EXAMPLES / f"{example}.yaml").system()
    found = stability(MechanismCycle(system, period, link=link, modes=3))
    assert found.stable and found.reciprocity is not None and found.reciprocity < 1e-10
    assert np.abs(found.multipliers) == pytest.approx(1.0, abs=1e-9)
    assert found.truncation is not None and found.truncation < 1e-2


def test_rod_against_the_response_of_the_cycle() -> None:
    """The periodic response has its own map, of order 4 and with every mode; the slow modes must agree."""
    system = load_case(EXAMPLES / "slider_crank.yaml").system()
    period = 2 * np.pi / 150
    found = stability(MechanismCycle(system, period, link="rod", modes=8), check_modes=False).multipliers
    other = elastic_response(system, duration=period, steps=2000, body="rod", periodic=True).periodic
    assert other is not None
    near = np.sort([np.abs(other.multipliers - value).min() for value in found])
    assert near[:4].max() < 1e-3


def test_a_linkage_in_space_repeats(tmp_path: Path) -> None:
    """A steady crank has angular accelerations of rounding only; they do not decide whether the motion repeats."""
    case = tmp_path / "crank.yaml"
    case.write_text(
        """
space: spatial
ground: {A: [0, 0]}
bodies:
  crank: {mass: 0.36 kg, inertia: [0.001, 0.0027, 0.0027], centre: [75 mm, 0], points: {A: [0, 0], B: [150 mm, 0]}}
  rod:
    mesh: {line: {length: 300 mm, divisions: 4}}
    space: spatial
    material: steel
    section: {rectangle: {width: 8 mm, height: 8 mm}}
    supports: [{fix: start, dofs: [ux, uy, uz, rx]}, {fix: end, dofs: [uy, uz]}]
  slider: {mass: 76 g, inertia: [1.0e-5, 1.0e-5, 1.0e-5], points: {C: [0, 0]}}
start: {rod: {position: [150 mm, 0]}, slider: {position: [450 mm, 0]}}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.start]}
  C: {spherical: [rod.end, slider.C]}
  guide: {prismatic: [ground.A, slider.C], axis: [1, 0]}
drives: {motor: {angle: 150*t, joint: A}}
analyses: {modes: {kind: modes, body: rod}}
""",
        encoding="utf-8",
    )
    found = stability(MechanismCycle(load_case(case).system(), 2 * np.pi / 150, link="rod", modes=2))
    assert np.abs(found.multipliers) == pytest.approx(1.0, abs=1e-9)  # undamped and stable
