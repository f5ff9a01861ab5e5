"""A described system made ready to rest, or to turn steadily about an axis, or the reason why it cannot."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from flexframe.analyses.campbell.system_record import Spin
from flexframe.analyses.transient.coupled.division import ElasticSystem, Watched, elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart, ReductionChoice
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.model.characteristics import Sprung
from flexframe.model.constraints import Fixed, TimeLaw, follows_state, state_law, time_law, two_normals, unit
from flexframe.model.drives import AngleDrive, DistanceDrive, Drive, FollowingLaw, PathDrive, PositionDrive
from flexframe.model.elasticity import Bushing
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.system_loads import (
    BodyLoads,
    MarkerForce,
    Motor,
    SystemGravity,
)
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equilibria.rest import Stability, loaded_equilibrium
from flexframe.multibody.equilibria.turning import RelativeEquilibrium, SpinAxis, SpinningSystem
from flexframe.multibody.integrators.recording import bent_too_far
from flexframe.multibody.laws import frozen, require_finite_laws
from flexframe.multibody.start import initial_state, rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.stages import begin_work

_AGREES = 1e-8  # of the speed: velocities of joints that should vanish


@dataclass(frozen=True, eq=False)
class SteadySpin:
    """A system that can turn steadily, as it is at rest, and what is to be said about it."""

    spinning: SpinningSystem
    start: DynamicState
    drive: AngleDrive | None  # none where it rests
    elastic: ElasticSystem
    conservative: bool  # nothing that is described dissipates energy or follows the bodies
    notices: tuple[str, ...]

    @property
    def parts(self) -> Mapping[str, ElasticPart]:
        """The elastic bodies that are computed, pieces of divided ones among them."""
        return self.elastic.parts

    @property
    def dynamic(self) -> DynamicSystem:
        """The system with its tables."""
        return self.spinning.system


def steady_spin(
    system: System,
    *,
    drive: str | None = None,
    spin: Spin = "held",
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
    watched: Watched | None = None,
) -> SteadySpin:
    """Make a system ready to turn by one of its drives; the others hold their value of t = 0."""
    system.require_stops_at_most("a Campbell diagram")
    system.require_free_of_reactions("a Campbell diagram")
    chosen = _drive(system, drive)
    axis = _axis(system, chosen)
    for load in system.loads:
        if isinstance(load, SystemGravity) and np.linalg.norm(np.cross(load.acceleration, axis.direction)) > 0:
            raise not_steady(f"{load.name} is not along the axis of {chosen.name}")
    still = replace(
        system, drives=[_hold_drive(d) for d in system.drives], initial=[_hold_drive(d) for d in system.initial]
    )
    elastic = elastic_system(still, reductions or {}, watched=watched or {}, discrete=discrete)
    parts = elastic.parts
    dynamic = dynamic_system(
        elastic.system,
        {name: part.reduced for name, part in parts.items()},
        geometric=geometric,
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
        linear_theory=True,
    )
    _require_positions(dynamic, "a Campbell diagram has")
    start = initial_state(dynamic)
    owned = np.array([owner == chosen.name for owner in dynamic.owners], dtype=bool)
    axis = _fit_axis(dynamic, start, axis, chosen)
    spinning = SpinningSystem(dynamic, axis, owned if spin == "free" else None)
    return SteadySpin(
        spinning=spinning,
        start=start,
        drive=chosen,
        elastic=elastic,
        conservative=_conservative(dynamic),
        notices=(*elastic.notices, *dynamic.notices, *_varying(system, chosen)),
    )


@dataclass(frozen=True, eq=False)
class RestingSystem:
    """A system in equilibrium with its loads, ready for small motions about it."""

    spin: SteadySpin
    equilibrium: RelativeEquilibrium
    stability: Stability


def resting_system(
    system: System,
    *,
    time: float = 0.0,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    geometric: bool = True,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> RestingSystem:
    """The equilibrium with drives and loads as they are at a time [s], found as `system_statics` finds it."""
    system.require_stops_at_most("modes")
    system.require_free_of_reactions("modes")
    elastic = elastic_system(system, reductions or {}, watched={}, discrete=discrete)
    parts = elastic.parts
    moving = dynamic_system(
        elastic.system,
        {name: part.reduced for name, part in parts.items()},
        geometric=geometric,
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
    )
    require_finite_laws(system, np.array([time]))
    dynamic = frozen(moving, time)
    _require_positions(dynamic, "modes have")
    if len(dynamic.tables.signals.initial_states):
        raise InputError(
            "a controller has states of its own, which are no positions; ask for a linear_model, whose poles are "
            "those of the controlled system",
            field="kind",
        )
    start = rigid_start(moving, time)
    begin_work()
    found = loaded_equilibrium(dynamic, start)
    reason = bent_too_far(dynamic, found.state)
    if reason is not None:
        raise AnalysisError(f"in equilibrium {reason}")
    spinning = SpinningSystem(dynamic, SpinAxis(np.zeros(3), np.array([0.0, 0.0, 1.0])))
    notices = (*elastic.notices, *dynamic.notices)
    ready = SteadySpin(spinning, found.state, None, elastic, _conservative(dynamic), notices)
    return RestingSystem(ready, RelativeEquilibrium(0.0, found.state, found.multipliers, 0.0), found.stability)


def _require_positions(dynamic: DynamicSystem, who: str) -> None:
    bound = dynamic.tables.rows.holonomic == 1
    if not bound.all():
        owner = dynamic.owners[int(np.argmin(bound))]
        raise InputError(f"{owner} is a constraint on velocities, which {who} no place for", field="kind")


def not_steady(why: str) -> InputError:
    """The refusal of a motion whose coefficients change with the angle."""
    return InputError(
        f"{why}, so that the equations change with the angle and have no frequencies of their own; use "
        "cycle_spectrum (frozen along the turn) or stability (multipliers of the turn)"
    )


def _drive(system: System, name: str | None) -> AngleDrive:
    """The drive that turns the system against the ground."""
    drives = {drive.name: drive for drive in system.drives}
    if name is not None and name not in drives:
        raise InputError(unknown("drive", name, list(drives)), field="drive")
    if name is None and len(drives) != 1:
        have = ", ".join(drives) or "none"
        raise InputError(
            f"the system has {len(drives)} drives ({have}); say which one gives the spin with drive", field="drive"
        )
    found = drives[name] if name is not None else next(iter(drives.values()))
    ends = {place.partition(".")[0] for place in (found.first, found.second)}
    if not isinstance(found, AngleDrive) or GROUND not in ends:
        raise InputError(
            f"{found.name} does not turn a body against the ground; name a drive of an angle between them",
            field="drive",
        )
    return found


def _axis(system: System, drive: AngleDrive) -> SpinAxis:
    """Through the place of the drive on the ground; a positive speed is that of a growing angle."""
    first_is_ground = drive.first.partition(".")[0] == GROUND
    _, frame = system.frame(drive.first if first_is_ground else drive.second, drive.name)
    direction = frame.axes @ unit(drive.axis, f"axis of {drive.name}")
    return SpinAxis(frame.point, direction if first_is_ground else -direction)


def _hold_drive(drive: Drive) -> Drive:
    """The drive at its value of t = 0."""
    match drive:
        case AngleDrive() | PositionDrive() | DistanceDrive():
            return replace(drive, law=_now(time_law(drive.law)))
        case PathDrive():
            return replace(drive, path=tuple(_now(time_law(law)) for law in drive.path))
        case _:
            raise InputError(f"{drive.name}: drives of kind '{drive.kind}' are not known here")


def _now(law: TimeLaw) -> TimeLaw | float:
    return law.frozen(0.0) if isinstance(law, FollowingLaw) else float(law.jet(np.array([0.0]))[0][0])


def _fit_axis(dynamic: DynamicSystem, start: DynamicState, axis: SpinAxis, drive: AngleDrive) -> SpinAxis:
    """The parallel axis about which joints let the whole system turn: A u₀ = ḟ is linear in its place."""
    if not dynamic.rows:
        return axis
    t = dynamic.tables
    A = SpinningSystem(dynamic, axis).constraints(start)
    wanted = np.array([owner == drive.name for owner in dynamic.owners]) * t.rows.scales

    def turning(point: Array) -> Array:
        return SpinningSystem(dynamic, SpinAxis(point, axis.direction)).velocity(start, 1.0) / t.scales

    sideways = np.array(two_normals(tuple(axis.direction.tolist())))
    if dynamic.planar:
        sideways = np.eye(3)[:2]
    shifts = np.array([turning(axis.point + side) - turning(axis.point) for side in sideways])
    misfit = wanted - A @ turning(axis.point)
    U, sizes, Vt = np.linalg.svd(A @ shifts.T, full_matrices=False)
    told = sizes > _AGREES * np.linalg.norm(shifts)  # where joints leave it open, the place of the drive counts
    point = axis.point + (U[:, told].T @ misfit / sizes[told]) @ Vt[told] @ sideways
    left = np.abs(A @ turning(point) - wanted)
    if left.max() > _AGREES:
        worst = dynamic.owners[int(np.argmax(left))]
        raise not_steady(f"{worst} does not turn with {drive.name} about one axis")
    return SpinAxis(point, axis.direction)


def _conservative(dynamic: DynamicSystem) -> bool:
    """Whether nothing dissipates and no force follows a body."""
    if any(body.damping.any() for body in dynamic.bodies):
        return False
    if any(isinstance(load, MarkerForce | BodyLoads) for load in dynamic.system.loads):
        return False
    if not all(isinstance(law, Sprung) and not law.damped for law in dynamic.mechanism.force_laws):
        return False
    return not any(body.reduced is not None and body.reduced.loads is not None for body in dynamic.bodies)


def _varying(system: System, spin: AngleDrive) -> list[str]:
    """What changes with time and is held."""
    laws: dict[str, tuple[TimeLaw | str | float, ...]] = {}
    for drive in system.drives:
        if drive.name != spin.name:
            laws[drive.name] = drive.path if isinstance(drive, PathDrive) else (getattr(drive, "law", 0.0),)
    for load in system.loads:
        if isinstance(load, MarkerForce):
            laws[load.name] = (*load.force, *load.moment)
        elif isinstance(load, BodyLoads | SystemGravity | Sprung | Bushing | Motor):
            laws[load.name] = (load.factor,)
    held = [name for name, found in laws.items() if not all(_constant(state_law(law)) for law in found)]
    return [f"{', '.join(held)}: held at the value of t = 0"] if held else []


def _constant(law: TimeLaw) -> bool:
    """Whether time changes nothing; what follows the state takes part with its tangent."""
    if isinstance(law, Fixed) or follows_state(law):
        return True
    values = law.jet(np.linspace(0.0, 1.0, 7))
    return bool(np.abs(values[1]).max() == 0.0)
