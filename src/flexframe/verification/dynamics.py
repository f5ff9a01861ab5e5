"""Rigid and elastic motion solved together: spin-up, elastic slider-crank, double pendulum, damping."""

from dataclasses import dataclass

import numpy as np

from flexframe.analyses.elastic_response.analysis import elastic_response
from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.elements.properties import ALUMINIUM, BeamProperty, Rectangle
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import line
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement
from flexframe.model.system import System
from flexframe.model.system_damping import ModalDamping
from flexframe.model.system_loads import MarkerForce
from flexframe.motion.frame import planar
from flexframe.sensors import DofSensor, MarkerSensor
from flexframe.verification.contract import Check, Reference

_SPIN_LENGTH = 10.0  # m
_SPIN_PEAK = 0.57440
_SPIN_TIMES = (2.5, 5.0, 7.5, 10.0, 12.5)  # s
_ROD = 0.30  # m
_ROD_PEAK = 0.006233
_ANGLES = (45, 90, 135, 180, 225, 270, 315, 360)
_DEFLECTIONS = (0.004442, 0.001564, -0.000264, -0.001096, -0.001869, -0.003515, -0.005735, 0.000044)


def _run(example: str, *settings: str) -> CoupledMotion:
    """The motion of an example, with some fields changed."""
    case = load_case(example_paths()[example], settings)
    record = case.analyses["run"].run(case)
    assert isinstance(record, CoupledMotion)
    return record


def _spin_up(refinement: int) -> list[float]:
    """Tip in the rotating frame: extremes for two theories, their time, five times, stretch of the last second."""
    found = _run(
        "spin_up",
        f"bodies.beam.mesh.line.divisions={10 * refinement}",
        f"analyses.run.step={0.004 / refinement**2}",
    )
    along, across = found.sensors["tip"].values.T
    at = [float(np.interp(time, found.times, across)) for time in _SPIN_TIMES]
    lowest = [across.min(), along.min()]
    steady = along[found.times > found.times[-1] - 1].mean()
    return [*lowest, *lowest, found.times[np.argmin(across)], *at, steady]


@dataclass(frozen=True)
class _SpinUp:
    """θ = (Ω/T)[t²/2 + (T/2π)²(cos(2πt/T) − 1)] with Ω = 6 rad/s and T = 15 s, up to T."""

    def jet(self, t: float) -> tuple[float, float, float]:
        rate, turn = 6 / 15, 2 * np.pi / 15
        return (
            float(rate * (t**2 / 2 + (np.cos(turn * t) - 1) / turn**2)),
            float(rate * (t - np.sin(turn * t) / turn)),
            float(rate * (1 - np.cos(turn * t))),
        )


def _unstiffened_length(refinement: int) -> list[float]:
    """When the deflection without geometric stiffness is as long as the beam itself."""
    case = load_case(example_paths()["spin_up"], [f"bodies.beam.mesh.line.divisions={10 * refinement}"])
    record = simulate(
        case.discrete("beam"),
        planar(_SpinUp()),
        duration=9.6,
        steps=960 * refinement,
        sensors={"tip": DofSensor("end", "uy")},
        terms=Terms(geometric=0.0),
    )
    beyond = np.abs(record.sensors["tip"].values) > _SPIN_LENGTH
    return [float(record.times[beyond][0])]


def _slider_crank(refinement: int) -> list[float]:
    """Deflection of the rod's middle over its length: extremes of the first turn, their times, at eight angles."""
    found = _run(
        "slider_crank_flexible",
        f"bodies.rod.mesh.line.divisions={8 * refinement}",
        f"analyses.run.steps={7200 * refinement}",
    )
    deflection = found.sensors["middle"].values / _ROD
    angles = 150 * found.times
    at = [float(np.interp(np.radians(angle), angles, deflection)) for angle in _ANGLES]
    when = [1e3 * found.times[np.argmax(deflection)], 1e3 * found.times[np.argmin(deflection)]]
    return [deflection.max(), deflection.min(), *when, *at]


def _double_pendulum(refinement: int) -> list[float]:
    """Hinge and tip after one second."""
    found = _run("double_pendulum", f"analyses.run.tolerance={10.0 ** (-5 - 2.5 * refinement)}")
    instant = int(np.argmin(np.abs(found.times - 1.0)))
    return [*found.sensors["hinge"].values[instant], *found.sensors["tip"].values[instant]]


_RATIO = 0.01
_SHOULDER, _ELBOW = 0.3, 0.6  # rad
_BLOW = "8*exp(-((t - 0.06)/0.02)^2)"  # N, over after 0.15 s


def decay_ratio(values: Array) -> float:
    """ζ of an oscillation that decays to zero: logarithms of its peaks fall by πζ/√(1 − ζ²) in half a wave."""
    inner = values[1:-1]
    peaks = 1 + np.flatnonzero((np.abs(inner) > np.abs(values[:-2])) & (np.abs(inner) >= np.abs(values[2:])))
    # the top of a parabola through three samples
    a, b, c = np.abs(values[peaks - 1]), np.abs(values[peaks]), np.abs(values[peaks + 1])
    tops = b + (a - c) ** 2 / (8 * (2 * b - a - c))
    fall = -float(np.polyfit(np.arange(len(tops)), np.log(tops), 1)[0])
    return fall / float(np.hypot(np.pi, fall))


def _link(name: str, length: float, tip: float, divisions: int) -> Body:
    region = Region(BeamProperty(ALUMINIUM, Rectangle(width=0.03, height=0.012)), family="timoshenko_beam")
    mass = PointMass("end", tip, (1e-3, 1e-3, 1e-3))
    return Body(name, line(length, divisions), (region,), point_masses=(mass,))


def _arm(load: MarkerForce, divisions: int) -> System:
    """Links of 0.6 m and 0.5 m with 0.8 kg at the elbow and 0.5 kg at the hand; both drives stand still."""
    elbow = 0.6 * np.array([np.cos(_SHOULDER), np.sin(_SHOULDER), 0.0])
    turned = np.array([0.0, 0.0, 1.0])
    return System(
        [_link("upper", 0.6, 0.8, divisions), _link("lower", 0.5, 0.5, divisions)],
        [Revolute("shoulder", "ground", "upper.start"), Revolute("elbow", "upper.end", "lower.start")],
        [
            AngleDrive("shoulder drive", "ground", "upper.start", _SHOULDER),
            AngleDrive("elbow drive", "upper.end", "lower.start", _ELBOW),
        ],
        [load],
        start={
            "upper": Placement(rotation=_SHOULDER * turned),
            "lower": Placement(elbow, (_SHOULDER + _ELBOW) * turned),
        },
    )


def _second_half(values: Array) -> Array:
    """In which faster modes have died out."""
    return values[len(values) // 2 :]


def _decay(refinement: int) -> list[float]:
    """Ratios of the first mode: let go in the coupled motion, struck in the elastic response; and as reported."""
    divisions, damping = 3 * refinement, ModalDamping(_RATIO)
    pulled = MarkerForce("pull", "lower.end", force_before=(0.0, 2.0, 0.0))
    coupled = simulate(
        _arm(pulled, divisions),
        duration=3.0,
        step=1e-3 / refinement,
        samples=3001,
        sensors={"tip": MarkerSensor("position", "lower.end", along=(0, 1, 0))},
        damping=damping,
    )
    values = _second_half(coupled.sensors["tip"].values)
    struck = MarkerForce("blow", "lower.end", (0.0, _BLOW, 0.0))
    response = elastic_response(
        _arm(struck, divisions),
        duration=2.5,
        steps=1250 * refinement,
        sensors={"tip": DofSensor("end", body="lower")},
        damping=damping,
    )
    return [
        decay_ratio(values - values.mean()),
        float(coupled.damping.ratios[0]),
        decay_ratio(_second_half(response.sensors["tip"].values)),
    ]


CHECKS: tuple[Check, ...] = (
    Check(
        "spin-up-coupled",
        "linear theory with geometric stiffness (first two rows); the geometrically exact beam (Kane, Ryan & "
        "Banerjee 1987; Simo & Vu-Quoc), from which that theory differs by up to 0.1 % of the peak",
        "Timoshenko beam EA 2.8e7, EI 1.4e4, GA 1e7, L 10 m, driven to 6 rad/s in 15 s; frame clamped at the "
        "root, 6 modes with static answers, 20 elements, generalised-α, 1 ms; tip in the rotating frame",
        (
            Reference("largest deflection across [m]", -_SPIN_PEAK, 2e-3),
            Reference("largest shortening [m]", -0.018839, 2e-3),
            Reference("largest deflection across, exact beam [m]", -0.57383, 2e-3),
            Reference("largest shortening, exact beam [m]", -0.018823, 2e-3),
            Reference("its time, exact beam [s]", 6.762, 2e-3),
            *(
                Reference(f"across at {time} s [m]", value, 2e-3, scale=_SPIN_PEAK)
                for time, value in zip(
                    _SPIN_TIMES,
                    (-0.151284, -0.468476, -0.559083, -0.362815, -0.112696),
                    strict=True,
                )
            ),
            Reference("steady stretch [m]", 5.143e-4, 2e-3),
        ),
        _spin_up,
    ),
    Check(
        "spin-up-without-geometric-stiffness",
        "Kane, Ryan & Banerjee 1987",
        "the beam of spin-up-coupled, geometric stiffness switched off: the deflection grows without bound; "
        "20 elements, 5 ms, tolerance of the two decimals that are published",
        (Reference("time at which it exceeds the length [s]", 9.17, 1e-3),),
        _unstiffened_length,
    ),
    Check(
        "elastic-slider-crank-coupled",
        "converged finite-element solution by a second method, data of Simeon (Test Set for IVP Solvers)",
        "rigid crank 0.15 m at 150 rad/s, rod 0.30 m of 8 mm by 8 mm, slider 75.552 g, undamped, from the "
        "undeformed rod at θ = 0; frame through the pins, 6 modes with static answers, 16 elements, "
        "14400 steps a turn; tolerance relative to the peak",
        (
            Reference("largest deflection / length", 0.005471, 0.01, scale=_ROD_PEAK),
            Reference("smallest deflection / length", -_ROD_PEAK, 0.01, scale=_ROD_PEAK),
            Reference("time of the largest [ms]", 3.92, 0.01),
            Reference("time of the smallest [ms]", 35.92, 0.01),
            *(
                Reference(f"deflection / length at {angle}°", value, 0.01, scale=_ROD_PEAK)
                for angle, value in zip(_ANGLES, _DEFLECTIONS, strict=True)
            ),
        ),
        _slider_crank,
    ),
    Check(
        "double-pendulum-coupled",
        "converged solution by a second method, six decimals",
        "two uniform rods of 1 m, g 9.81 m/s², released from the horizontal; after 1 s; tolerance 1e-10",
        tuple(
            Reference(f"{name} [m]", value, 1.5e-6)
            for name, value in (
                ("hinge x", -0.934807),
                ("hinge y", -0.355155),
                ("tip x", -1.662115),
                ("tip y", -1.041467),
            )
        ),
        _double_pendulum,
    ),
    Check(
        "assembled-arm-damping",
        "logarithmic decrement δ = 2πζ/√(1 − ζ²) of the ratio that is asked for",
        "aluminium links of 0.6 m and 0.5 m, 30 mm by 12 mm, 0.8 kg at the elbow and 0.5 kg at the hand, drives "
        "locked at 0.3 and 0.6 rad, 6 elements a link; 1 % of critical damping in all assembled modes",
        (
            Reference("ratio of the first mode, coupled motion", _RATIO, 0.01),
            Reference("the same as the record tells it", _RATIO, 1e-3),
            Reference("ratio of the first mode, elastic response", _RATIO, 0.01),
        ),
        _decay,
    ),
)
