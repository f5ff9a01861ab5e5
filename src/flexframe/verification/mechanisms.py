"""Rigid mechanisms: kinematics in closed form, published benchmarks of motion; elastic links along a cycle."""

from typing import Any

import numpy as np

from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.analyses.rigid_motion.record import RigidMotion
from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.cases.run import run_case
from flexframe.maths.arrays import Array
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Joint, PointOnLine, Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.kinematics import follow
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.motion import MechanismMotion
from flexframe.verification.contract import Check, Reference


def _placement(x: float, y: float, angle: float = 0.0) -> Placement:
    return Placement(np.array([x, y, 0.0]), np.array([0.0, 0.0, angle]))


def _slider_crank(refinement: int) -> list[float]:  # noqa: ARG001 - kinematics has no mesh
    r, rod = 0.15, 0.3
    bodies = [
        RigidBody.rod("crank", length=r, mass=1.0),
        RigidBody.rod("rod", length=rod, mass=1.0),
        RigidBody("slider", 1.0, np.zeros((3, 3)), points={"C": (0, 0)}),
    ]
    joints: list[Joint] = [
        Revolute("A", "ground.A", "crank.start"),
        Revolute("B", "crank.end", "rod.start"),
        Revolute("C", "rod.end", "slider.C"),
        Prismatic("slide", "ground.A", "slider.C"),
    ]
    system = System(
        bodies,
        joints,
        [AngleDrive("motor", "ground.A", "crank.start", "150*t")],
        ground={"A": (0, 0)},
        start={"rod": _placement(r, 0, angle=-0.1), "slider": _placement(r + rod, 0)},
    )
    motion = follow(mechanism(system), np.radians([0.0, 60.0]) / 150)
    return [float(part[1, 0]) for part in motion.marker("slider.C")]


def _linkage(refinement: int) -> list[float]:  # noqa: ARG001 - kinematics has no mesh
    """a e^{iq1} + b e^{iφ} = C + s e^{iψ} as crank, coupler and a block on a guide that turns about C."""
    bodies = [
        RigidBody.rod("crank", length=0.1, mass=1.0),
        RigidBody.rod("coupler", length=0.25, mass=1.0),
        RigidBody("guide", 1.0, np.diag([0.01] * 3), points={"O": (0, 0)}),
    ]
    joints: list[Joint] = [
        Revolute("A", "ground.A", "crank.start"),
        Revolute("B", "crank.end", "coupler.start"),
        Revolute("C", "ground.C", "guide.O"),
        PointOnLine("block", "guide.O", "coupler.end"),
    ]
    drives = [
        AngleDrive("first", "ground.A", "crank.start", "pi/3 + 10*t + 2.5*t^2"),
        AngleDrive("second", "ground.C", "guide.O", "110*pi/180 - 2*t + 1.5*t^2"),
    ]
    start = {
        "crank": _placement(0, 0, angle=np.pi / 3),
        "coupler": _placement(0.05, 0.0866, angle=0.8),
        "guide": _placement(0.3, 0.05, angle=np.radians(110)),
    }
    ground = {"A": (0, 0), "C": (0.3, 0.05)}
    motion = follow(mechanism(System(bodies, joints, drives, ground=ground, start=start)), np.array([0.0, 1e-3]))
    return _linkage_figures(motion)


def _linkage_figures(motion: MechanismMotion) -> list[float]:
    coupler, guide = motion.body("coupler"), motion.body("guide")
    end, velocity, acceleration = motion.marker("coupler.end")
    along = guide.rotations[0, :, 0]
    s = float((end[0] - guide.positions[0]) @ along)
    rate = float(guide.angular_velocities[0, 2])
    return [
        s,
        float(_angles(coupler.rotations)[0]),
        float(coupler.angular_velocities[0, 2]),
        float(velocity[0] @ along),
        float(coupler.angular_accelerations[0, 2]),
        float(acceleration[0] @ along) + s * rate**2,  # s̈ = a·e + s ψ̇²
    ]


def _angles(rotations: Array) -> Array:
    return np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0])


def _pendulum(refinement: int) -> list[float]:
    mass = RigidBody("mass", 1.0, np.zeros((3, 3)), points={"O": (1, 0), "P": (0, 0)})
    system = System(
        [mass],
        [Revolute("A", "ground.O", "mass.O")],
        loads=[SystemGravity()],
        ground={"O": (0, 0)},
        start={"mass": _placement(-1, 0)},
    )
    lowest = AngleDrive("lowest", "ground.O", "mass.O", "pi/2")
    record = rigid_motion(
        system, np.linspace(0, 10, 101), events=[lowest], relative_tolerance=10.0 ** (-7 - 2 * refinement)
    )
    passed = [time for _, time in record.events]  # the lowest point, every half period
    period = 2 * (passed[-1] - passed[0]) / (len(passed) - 1)
    return [*(float(x) for x in record.motion.marker("mass.P")[0][-1, :2]), float(period)]


def _double_pendulum(refinement: int) -> list[float]:
    system = System(
        [RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")],
        [Revolute("A", "ground.O", "upper.start"), Revolute("B", "upper.end", "lower.start")],
        loads=[SystemGravity()],
        ground={"O": (0, 0)},
        start={"lower": _placement(1, 0)},
    )
    record = rigid_motion(system, np.linspace(0, 1, 21), relative_tolerance=10.0 ** (-6 - 2 * refinement))
    places = [record.motion.marker(name)[0][-1, :2] for name in ("upper.end", "lower.end")]
    return [float(x) for place in places for x in place]


_ANDREWS = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)


def _andrews(refinement: int) -> list[float]:
    """β, Θ, γ, Φ, δ, Ω, ε from the angles of the seven bodies of the example."""
    tolerance = 10.0 ** (-5 - 2 * refinement)
    case = load_case(example_paths()["andrews"], [f"analyses.motion.relative_tolerance={tolerance:g}"])
    record = next(r for r in run_case(case).records.values() if isinstance(r, RigidMotion))
    K = []
    for k in range(1, 8):
        angles = record.motion.body(f"K{k}").angles
        assert angles is not None  # the mechanism is planar
        K.append(angles[-1])
    return [float(q) for q in (K[0], K[1] - K[0], K[2], K[3] - K[4], K[4], K[5] - K[6], K[6])]


_ANGLES = (0, 60, 180, 300)  # degrees of the crank
_FREQUENCIES = (
    (42.941, 46.587, 47.318, 46.371),
    (48.684, 50.625, 50.319, 50.487),
    (61.044, 103.420, 86.835, 94.179),
)
_BELOW = 46.38  # f1 at 60° with the pin below


def _summary(divisions: int, *settings: str) -> dict[str, Any]:
    """Frequencies of the example at rest every 60 degrees, with so many elements a bar."""
    bars = [f"bodies.{name}.mesh.line.divisions={divisions}" for name in ("crank", "coupler", "follower")]
    case = load_case(example_paths()["four_bar"], [*bars, "analyses.spectrum.samples=7", *settings])
    return case.analyses["spectrum"].run(case).summary()


def _four_bar(refinement: int) -> list[float]:
    """f1, f2 and f3 at four angles, then f1 of the other assembly at 60°."""
    below = ("start.coupler.angle=-60 deg", "start.follower.angle=-85 deg")
    found = [_summary(8 * refinement), _summary(8 * refinement, *below)]
    tables = [np.sort(np.array(summary["frequencies_hz"]), axis=1) for summary in found]
    rows = [angle // 60 for angle in _ANGLES]
    return [*tables[0][rows, :3].T.reshape(-1).tolist(), float(tables[1][1, 0])]


CHECKS: tuple[Check, ...] = (
    Check(
        "slider-crank-kinematics",
        "closed form",
        "r 0.15, l 0.3, ω 150 rad/s, θ 60°",
        (
            Reference("x [m]", 0.3454163456598, 1e-12),
            Reference("v [m/s]", -24.889896776072, 1e-12),
            Reference("a [m/s²]", -859.44994746186, 1e-11),
        ),
        _slider_crank,
    ),
    Check(
        "linkage-two-freedoms",
        "closed form",
        "a e^{iq1} + b e^{iφ} = C + s e^{iψ}, a .1, b .25, C (.3, .05), q1 60° (10, 5), ψ 110° (−2, 3), s > 0",
        (
            Reference("s [m]", 0.23407681460907, 1e-12),
            Reference("φ [rad]", 0.82335543741292, 1e-12),
            Reference("dφ/dt", -9.7300220302389, 1e-12),
            Reference("ds/dt", -1.3979547731492, 1e-12),
            Reference("d²φ/dt²", -199.1961614238, 1e-11),
            Reference("d²s/dt²", -60.220121968432, 1e-11),
        ),
        _linkage,
    ),
    Check(
        "pendulum-A01",
        "IFToMM library of benchmarks, A01",
        "m = L = 1, g 9.81, from (−1, 0), at t = 10 s; coarse is a looser tolerance of the integrator",
        (
            Reference("x [m]", -0.2750874626, 1e-9, scale=1.0),
            Reference("y [m]", -0.9614192051, 1e-9, scale=1.0),
            Reference("period [s]", 2.36784194758, 1e-9),
        ),
        _pendulum,
    ),
    Check(
        "double-pendulum-rigid",
        "independent integration, six digits",
        "uniform rods of 1 m released horizontally, g 9.81, at t = 1 s",
        tuple(
            Reference(name, value, 6e-7, scale=1.0)
            for name, value in zip(
                ("hinge x [m]", "hinge y [m]", "tip x [m]", "tip y [m]"),
                (-0.934807, -0.355155, -1.662115, -1.041467),
                strict=True,
            )
        ),
        _double_pendulum,
    ),
    Check(
        "andrews-squeezer-A03",
        "Test Set for IVP Solvers; IFToMM A03",
        "angles at t = 0.03 s; coarse is a looser tolerance of the integrator",
        tuple(
            Reference(name, value, 1e-7, scale=1.0)
            for name, value in zip(("β", "Θ", "γ", "Φ", "δ", "Ω", "ε"), _ANDREWS, strict=True)
        ),
        _andrews,
    ),
    Check(
        "elastic-four-bar",
        "converged finite-element solution by a second method",
        "ground .254, crank .108, coupler .2794, follower .2705 m, 42 g at both moving pins, crank clamped at its "
        "root; Timoshenko beams κ 5/6, mechanism at rest, pin above the ground link, 16 elements a bar",
        (
            *(
                Reference(f"f{k + 1} at {angle}° [Hz]", value, 1e-3)
                for k, row in enumerate(_FREQUENCIES)
                for angle, value in zip(_ANGLES, row, strict=True)
            ),
            Reference("f1 at 60°, pin below [Hz]", _BELOW, 1e-3),
        ),
        _four_bar,
    ),
)
