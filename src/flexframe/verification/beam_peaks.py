"""Largest stress of beams: at the clamp and in the outer fibre, whatever the number of elements."""

from flexframe.analyses.statics.analysis import statics
from flexframe.elements.properties import STEEL, Circle, Rectangle, Section
from flexframe.model.body import Body
from flexframe.model.loads import LineLoad, Load, NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion
from flexframe.verification.contract import Check, Reference

_LENGTH, _FORCE, _LINE, _SPEED = 1.5, 400.0, 900.0, 120.0
_RECTANGLE, _TUBE = Rectangle(width=0.02, height=0.04), Circle(0.06, 0.05)


def _largest(divisions: int, loads: tuple[Load, ...], motion: FrameMotion, section: Section) -> float:
    body = Body.beam(
        "beam",
        length=_LENGTH,
        divisions=divisions,
        section=section,
        material=STEEL,
        supports=(Clamp("start"),),
        loads=loads,
        space="spatial",
    )
    return next(m.value for m in statics(body, motion).maxima if m.measure == "fibre") / 1e6


def _peaks(refinement: int) -> list[float]:
    tip: tuple[Load, ...] = (NodeForce("end", (0, -_FORCE, 0)),)
    oblique: tuple[Load, ...] = (NodeForce("end", (0, 0.6 * _FORCE, 0.8 * _FORCE)),)
    line: tuple[Load, ...] = (LineLoad((0, -_LINE, 0)),)
    return [
        *(_largest(n * refinement, tip, REST, _RECTANGLE) for n in (1, 4)),
        *(_largest(n * refinement, line, REST, _RECTANGLE) for n in (1, 4)),
        _largest(2 * refinement, oblique, REST, _TUBE),
        _largest(2 * refinement, (), FrameMotion.spin(_SPEED), _RECTANGLE),
    ]


_MODULUS = _RECTANGLE.inertia_z / (_RECTANGLE.height / 2)
_BENDING = _FORCE * _LENGTH / _MODULUS / 1e6
_UNIFORM = _LINE * _LENGTH**2 / 2 / _MODULUS / 1e6
_ROUND = _FORCE * _LENGTH / (_TUBE.inertia_z / (_TUBE.diameter / 2)) / 1e6
_SPIN = STEEL.density * _SPEED**2 * _LENGTH**2 / 2 / 1e6
_EXACT = 1e-9  # rounding times the condition of a few elements

CHECKS: tuple[Check, ...] = (
    Check(
        "beam-peak-stress",
        "exact: F L/W, w L²/2W, ρΩ²L²/2 at the clamp",
        "steel cantilever of 1.5 m, rectangle 20 × 40 mm and tube 60/50 mm, largest stress of the outer fibre",
        (
            Reference("tip force, 1 element [MPa]", _BENDING, _EXACT),
            Reference("tip force, 4 elements [MPa]", _BENDING, _EXACT),
            Reference("uniform load, 1 element [MPa]", _UNIFORM, _EXACT),
            Reference("uniform load, 4 elements [MPa]", _UNIFORM, _EXACT),
            Reference("tube, oblique force [MPa]", _ROUND, _EXACT),
            Reference("spinning bar [MPa]", _SPIN, _EXACT),
        ),
        _peaks,
    ),
)
