"""Motion of a system in which rigid and elastic coordinates are unknown together (two-way coupling)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Literal

import numpy as np

from flexframe.analyses.coupled.damping import motion_damping
from flexframe.analyses.coupled.elastic_parts import ElasticPart, ReductionChoice, elastic_parts
from flexframe.analyses.coupled.observed import Observed
from flexframe.analyses.coupled.schedule import Schedule, schedule
from flexframe.analyses.coupled.segments import Route, simulated
from flexframe.analyses.coupled.sensors import MotionSensor, watched_points
from flexframe.analyses.coupled.starts import motion_start, steady_cycle, with_displacements
from flexframe.analyses.coupled.theory_error import theory_error
from flexframe.analyses.coupled.watching import Watch
from flexframe.analyses.judging import judged
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.dynamics.contract import Integrator, Simulation
from flexframe.dynamics.system import dynamic_system
from flexframe.errors import InputError
from flexframe.formalisms.registry import formalism_named
from flexframe.maths.arrays import Array
from flexframe.mechanisms.contacts import contact_notices
from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.model.system import System
from flexframe.model.system_damping import SystemDamping
from flexframe.reduction.expansion import nodal_displacements
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.coupled_motion import PICTURES, CoupledMotion, IntegrationFigures
from flexframe.results.motion_start import InitialDeformation
from flexframe.results.transient import thinned

_UNDAMPED = 0.999  # spectral radius beyond which multipliers are not damped within some thousand steps
_ROOM = 20_000_000  # numbers that the snapshots of all bodies may hold


@judged
def coupled_motion(
    system: System,
    *,
    duration: float,
    step: float | None = None,
    tolerance: float | None = None,
    integrator: str | None = None,
    formalism: str | None = None,
    samples: int | None = None,
    sensors: Mapping[str, MotionSensor] | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    terms: Terms | None = None,
    spectral_radius: float | None = None,
    initial_deformation: InitialDeformation = "equilibrium",
    damping: SystemDamping | None = None,
    period: float | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
    progress: Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> CoupledMotion:
    """Integrate the equations of the floating frames from t = 0 to `duration` [s].

    Meshed bodies are elastic with few coordinates, chosen by `reductions` or else eight modes with static
    corrections. A `step` [s] goes with the integrators of fixed step, a `tolerance` (relative) with error control.
    The start is the described one: positions put on the joints, velocities that the joints allow. Its
    deformation is in "equilibrium" with motion and loads (relative velocities and accelerations are zero; loads
    with a law of time count with their values before t = 0), or the bodies start "undeformed", or the motion is
    the steady cycle ("periodic") of a driven system, whose `period` [s] follows from drives that turn steadily.
    `damping` gives the assembled system damping ratios, beside the damping of its bodies (`motion_damping`).
    Where the theory of small deflections ends, or no solution is found, the record ends there and says why.
    """
    if not (np.isfinite(duration) and duration > 0):
        raise InputError(f"the duration is {duration:g} s; give a positive time")
    if (step is None) == (tolerance is None):
        raise InputError("give either a step or a tolerance")
    if period is not None and not (initial_deformation == "periodic" and np.isfinite(period) and period > 0):
        raise InputError("a period in seconds, more than zero, belongs to initial_deformation periodic")
    if samples is not None and samples < 2:
        raise InputError(f"{samples} sample is not enough; give two or more")
    terms, sensors = terms or Terms(), sensors or {}
    require_whole_terms(terms)
    watched = watched_points(system, sensors)
    parts = elastic_parts(system, reductions or {}, watched=watched, discrete=discrete)
    dynamic = dynamic_system(
        system,
        {name: part.reduced for name, part in parts.items()},
        geometric=bool(terms.geometric),
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
    )
    plan = schedule(duration, step, samples)
    route = Route(
        _integrator(integrator, formalism, with_step=step is not None),
        plan.step,
        tolerance,
        0.8 if spectral_radius is None else spectral_radius,
    )
    kept = checkpoint if formalism is None or formalism_named(formalism).resumable else None
    state, start = motion_start(dynamic, initial_deformation)
    dynamic, damped = motion_damping(dynamic, state, parts, damping)
    if initial_deformation == "periodic":
        state, start = steady_cycle(dynamic, state, period, route)
    watch, began = Watch(parts, sensors), perf_counter()
    run, resumed = simulated(dynamic, state, plan.times, route, watch=watch, progress=progress, checkpoint=kept)
    seconds = perf_counter() - began
    theory = theory_error(run, parts, route, state, initial_deformation)
    seen = Observed(run, parts)
    nodes = sum(part.nodes for part in parts.values())
    snapshots = thinned(len(run.times), int(np.clip(_ROOM // max(6 * nodes, 1), 2, PICTURES)))
    shapes = {name: _shapes(part, seen.bodies[name].deformation[snapshots]) for name, part in parts.items()}
    start = with_displacements(start, {name: nodes[0] for name, nodes in shapes.items()})
    histories = [part.history(seen) for part in watch.stress.values()]
    notices = [notice for part in parts.values() for notice in part.notices]
    forces = MechanismForces(seen.motion, seen.forces, run.multipliers, 0.0)
    return CoupledMotion(
        forces=forces,
        sensors={
            name: replace(sensor.read(name, seen), peaks=watch.sensor_peaks(name))
            for name, sensor in sensors.items()
        },
        energies=seen.energies,
        linear_momentum=run.linear_momentum,
        angular_momentum=run.angular_momentum,
        position_residuals=run.position_residuals,
        velocity_residuals=run.velocity_residuals,
        coordinates={name: seen.bodies[name].deformation for name in parts},
        reductions=tuple(part.figures for part in parts.values()),
        stress=tuple(found for found in histories if found is not None),
        snapshots=snapshots,
        displacements=shapes,
        energy_drift=run.energy_drift,
        theory_error=theory,
        figures=_figures(
            run, route, plan, seconds, watch, formalism or _FORMALISMS.get(run.integrator, "lagrange")
        ),
        terms=terms,
        start=start,
        damping=damped,
        stopped=run.reason or "",
        resumed_at=resumed,
        force_peaks=watch.force_peaks,
        notices=(
            *notices,
            *dynamic.notices,
            *start.notices,
            *plan.notices,
            *theory.notices,
            *contact_notices(forces),
            *_advice(run, route),
        ),
    )


def require_whole_terms(terms: Terms) -> None:
    """Refuse multipliers that the equations of an unknown motion do not have."""
    if (terms.coriolis, terms.euler, terms.centrifugal) != (1, 1, 1) or terms.geometric not in (0, 1):
        raise InputError(
            "multipliers of inertia terms cannot be changed where the motion is unknown, and geometric is 0 or 1; "
            "leave them out"
        )


def _advice(run: Simulation, route: Route) -> tuple[str, ...]:
    """What is known to spoil a motion of this kind."""
    if run.integrator == "generalised_alpha" and run.system.rows and route.spectral_radius > _UNDAMPED:
        return (
            f"a spectral radius of {route.spectral_radius:g} damps nothing, so that the forces of joints and "
            "drives oscillate from step to step and grow; give 0.99 or less",
        )
    return ()


def _shapes(part: ElasticPart, coordinates: Array) -> Array:
    """Displacements at the nodes of the body's own mesh: (snapshots, nodes, 6)."""
    nodal = nodal_displacements(part.discrete, part.reduced.basis, coordinates)
    return nodal[:, : part.nodes]


def _integrator(name: str | None, formalism: str | None, *, with_step: bool) -> str | Integrator:
    """The integrator that is asked for; equations of a formalism bring their own."""
    if formalism is None:
        return name or ("generalised_alpha" if with_step else "dormand_prince")
    if name is not None or with_step:
        raise InputError("the equations of a formalism are integrated with error control; give a tolerance alone")
    from flexframe.formalisms.system_motion import ByFormalism

    return ByFormalism(formalism)


_FORMALISMS = {"conserving": "hamilton"}  # whose equations an integrator solves, Lagrange's unless said here
_WORDS = {
    "generalised_alpha": "generalised-α",
    "dormand_prince": "Dormand–Prince 5(4)",
    "conserving": "Gauss collocation in momenta",
}


def _described(route: Route, plan: Schedule) -> str:
    """An integrator with its step or tolerance, in words."""
    name = route.integrator if isinstance(route.integrator, str) else route.integrator.name
    words = _WORDS.get(name, name.replace("_", " "))
    if route.step is None:
        return f"{words}, tolerance {route.tolerance:.1g}"
    damped = f", ρ∞ {route.spectral_radius:g}" if name == "generalised_alpha" else ""
    return f"{words}, {plan.words}{damped}"


def _figures(  # noqa: PLR0917
    run: Simulation, route: Route, plan: Schedule, seconds: float, watch: Watch, formalism: str
) -> IntegrationFigures:
    found = run.statistics
    return IntegrationFigures(
        integrator=run.integrator,
        description=_described(route, plan),
        formalism=formalism,
        steps=found.steps,
        iterations=found.iterations,
        factorisations=found.factorisations,
        rejected=found.rejected,
        unknowns=run.system.size + run.system.rows,
        seconds=max(0.0, (found.seconds or seconds) - watch.seconds),
        step=plan.step,
        asked_step=plan.asked,
        peaks_seconds=watch.seconds,
    )
