"""Every analysis passes here: doubts about its model and its result become notices of its record."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError
from flexframe.given import require_arguments
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.doubts import place_doubts, system_doubts
from flexframe.model.plausibility import USUAL, wave_speed
from flexframe.model.system import System
from flexframe.model.trains import RotorTrain
from flexframe.motion.frame import PLANAR_AXIS, FrameMotion

_DRIFT_REMEDY = "take smaller steps, a tighter tolerance, or less numerical damping (spectral_radius)"
_INSTANTS = 200  # of a motion that are looked at for its largest speed

_OF_NUMBERS = re.compile("singular|positive definite|converge", re.IGNORECASE)
"""What numpy and scipy say of matrices whose numbers have no solution, in all their versions."""

P = ParamSpec("P")
R = TypeVar("R")


def judge(analysis: Callable[P, R]) -> Callable[P, R]:
    """The same analysis, its record with notices about what is unlikely in the model and in the result."""
    parameters = signature(analysis)

    @wraps(analysis)
    def with_doubts(*args: P.args, **kwargs: P.kwargs) -> R:
        asked = parameters.bind(*args, **kwargs)
        asked.apply_defaults()
        require_arguments(analysis, asked.arguments)
        try:
            record = analysis(*args, **kwargs)
        except np.linalg.LinAlgError as error:
            if _OF_NUMBERS.search(str(error)) is None:
                raise  # matrices that do not fit each other are our fault
            raise AnalysisError(
                f"the equations of {analysis.__name__} cannot be solved ({error}); look for parts without mass or "
                "stiffness, loads beyond buckling, and speeds or times at which the motion is singular"
            ) from error
        notices = getattr(record, "notices", None)
        if notices is None or not is_dataclass(record):
            return record
        found = tuple(dict.fromkeys((*notices, *_doubts(asked.arguments, record))))
        return record if len(found) == len(notices) else replace(record, notices=found)  # type: ignore[type-var]  # one

    return with_doubts


def _doubts(asked: Mapping[str, Any], record: Any) -> Iterator[str]:
    bodies = list(_bodies(asked))
    for subject in asked.values():
        if isinstance(subject, System):
            yield from system_doubts(subject)
    for body in bodies:
        yield from body.doubts
        yield from _rim_doubts(body, asked, record)
    yield from _sensor_doubts(asked, bodies)
    for name, choice in (asked.get("reductions") or {}).items():
        yield from _report("damping_ratio", f"body {name}", float(getattr(choice, "damping_ratio", 0.0)))
    damping = asked.get("damping")
    for ratio in (getattr(damping, "ratio", 0.0), *getattr(damping, "ratios", ())):
        yield from _report("damping_ratio", "the system", ratio)
    yield from _motion_doubts(record)
    yield from _response_doubts(record, {body.name: _size(body) for body in bodies})
    drift = getattr(record, "energy_drift", 0.0)
    if np.isfinite(drift):
        yield from _report("energy_drift", "the result", float(drift), _DRIFT_REMEDY)


def _report(key: str, owner: str, value: float, remedy: str = "check it") -> Iterator[str]:
    doubt = USUAL[key].doubt(owner, value, remedy)
    if doubt is not None:
        yield doubt


def _bodies(asked: Mapping[str, Any]) -> Iterator[Body]:
    """The elastic bodies that an analysis is asked about: itself, in a system, or in a problem of stability."""
    for subject in asked.values():
        parts = (subject, getattr(subject, "discrete", None), getattr(subject, "given", None))
        for part in parts:
            if isinstance(part, DiscreteBody):
                yield part.body
            elif isinstance(part, Body):
                yield part
            elif isinstance(part, System):
                yield from (body for body in part.bodies if isinstance(body, Body))
            elif isinstance(part, RotorTrain):
                yield from (member.body for member in part.members)
    models = asked.get("models")
    if isinstance(models, Mapping):
        yield from (model.body if isinstance(model, DiscreteBody) else model for model in models.values())


def _size(body: Body) -> float:
    return float(np.linalg.norm(np.ptp(body.mesh.points, axis=0)))


# ---------------------------------------------------------------------- places and speeds


def _sensor_doubts(asked: Mapping[str, Any], bodies: list[Body]) -> Iterator[str]:
    sensors = asked.get("sensors")
    if not isinstance(sensors, Mapping):
        return
    for name, sensor in sensors.items():
        on = getattr(sensor, "at", None) or getattr(sensor, "on", None)
        owner = getattr(sensor, "body", None) or str(getattr(sensor, "marker", "")).partition(".")[0]
        own = [body for body in bodies if body.name == owner] if owner else bodies[:1]
        if own and isinstance(on, tuple):
            yield from place_doubts(own[0], f"sensor {name}", on)


def _rim_doubts(body: Body, asked: Mapping[str, Any], record: Any) -> Iterator[str]:
    """ρv²/E of the fastest node that turns about an axis through the origin."""
    spin = _spin(asked, record, body)
    if spin is None or not body.regions:
        return
    rim = float(np.linalg.norm(np.cross(spin, body.mesh.points), axis=1).max(initial=0.0))
    slowest = min(wave_speed(region.prop) for region in body.regions)
    remedy = f"the rim moves at {rim:.4g} m/s: was the speed meant in turns a minute?"
    yield from _report("rim_strain", f"body {body.name}", (rim / slowest) ** 2, remedy)


def _spin(asked: Mapping[str, Any], record: Any, body: Body) -> Array | None:
    """The largest angular velocity of a body's frame, body axes: (3,)."""
    motion = asked.get("motion")
    if isinstance(motion, FrameMotion):
        return motion.angular_velocity
    speeds = asked.get("speeds") if asked.get("speeds") is not None else getattr(record, "speeds", None)
    if "axis" not in asked or speeds is None:
        return None
    given = next(each for each in (asked["axis"], body.axis, PLANAR_AXIS) if each is not None)
    axis = np.zeros(3)
    axis[: len(np.ravel(given))] = np.ravel(given)
    ratios = [part.ratios.get(body.name, 1.0) for part in asked.values() if isinstance(part, RotorTrain)]
    speed = float(np.abs(speeds).max(initial=0.0)) * abs(ratios[0] if ratios else 1.0)
    return speed * axis / float(np.linalg.norm(axis))


def _motion_doubts(record: Any) -> Iterator[str]:
    motion = getattr(record, "motion", None)
    if motion is None or isinstance(motion, FrameMotion):
        return
    from flexframe.multibody.motion import MechanismMotion  # not for bodies alone, which have no need of it

    if not isinstance(motion, MechanismMotion):
        return
    kept = np.unique(np.linspace(0, len(motion.times) - 1, _INSTANTS).astype(int))
    for name in motion.names:
        moving, body = motion.body(name), motion.mechanism.system.body(name)
        places = _corners(body) if isinstance(body, Body) else np.array([f.point for f in body.frames.values()])
        arms = np.einsum("tij,pj->tpi", moving.rotations[kept], places.reshape(-1, 3))
        turning = np.cross(moving.angular_velocities[kept, None], arms)
        speeds = np.linalg.norm(moving.velocities[kept, None] + turning, axis=2)
        fastest = max(
            float(speeds.max(initial=0.0)), float(np.linalg.norm(moving.velocities[kept], axis=1).max(initial=0.0))
        )
        yield from _report("speed", f"body {name}", fastest)


def _corners(body: Body) -> Array:
    low, high = body.mesh.bounding_box
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


# ---------------------------------------------------------------------- size of the answer


_LARGE: Mapping[str, str] = {
    "frequency_response": "as at a resonance without damping: give damping",
    "run_up": "give damping, or check the unbalance",
}
"""What may have led to displacements of the size of the body, by kind of analysis; elsewhere loads and units."""


def _response_doubts(record: Any, sizes: Mapping[str, float]) -> Iterator[str]:
    """Records of displacements say how large they are; exact beams (`strains`) may deflect as far as they like."""
    remedy = _LARGE.get(getattr(record, "kind", ""), "check loads and units")
    for name, largest in getattr(record, "largest_displacements", {}).items():
        size = sizes.get(name, 0.0)
        if not (size > 0 and np.isfinite(largest)) or name in getattr(record, "strains", {}):
            continue
        beyond = f"{largest:.4g} m on {size:.4g} m is beyond small displacements, {remedy}"
        yield from _report("response", f"body {name}", largest / size, beyond)
