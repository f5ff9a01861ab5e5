"""Damping of an assembled system: an arm of two elastic links decays with the ratio that was asked for."""

import numpy as np

from flexframe.analyses.elastic_response.analysis import elastic_response
from flexframe.analyses.simulate import simulate
from flexframe.elements.properties import ALUMINIUM, BeamProperty, Rectangle
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import line
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement
from flexframe.model.system import System
from flexframe.model.system_damping import ModalDamping
from flexframe.model.system_loads import MarkerForce
from flexframe.sensors import DofSensor, MarkerSensor
from flexframe.verification.contract import Check, Reference

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
