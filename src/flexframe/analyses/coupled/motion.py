"""Motion of a system in which rigid and elastic coordinates are unknown together (two-way coupling)."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Literal

import numpy as np

from flexframe.analyses.coupled.elastic_parts import ElasticPart, ReductionChoice, elastic_parts
from flexframe.analyses.coupled.largest_stress import largest_stress
from flexframe.analyses.coupled.observed import Observed
from flexframe.analyses.coupled.sensors import MotionSensor, watched_points
from flexframe.analyses.coupled.stretches import Route, simulated
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.dynamics.contract import Integrator, Simulation
from flexframe.dynamics.start import initial_state
from flexframe.dynamics.system import dynamic_system
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.model.system import System
from flexframe.reduction.expansion import nodal_displacements
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.coupled_motion import PICTURES, CoupledMotion, IntegrationFigures
from flexframe.results.transient import thinned

SAMPLES = 401
_UNDAMPED = 0.999  # spectral radius beyond which multipliers are not damped within some thousand steps
_ROOM = 20_000_000  # numbers that the pictures of all bodies may hold


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
    discrete: Mapping[str, DiscreteBody] | None = None,
    progress: Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> CoupledMotion:
    """Integrate the equations of the floating frames from t = 0 to `duration` [s].

    Meshed bodies are elastic with few coordinates, chosen by `reductions` or else eight modes with static
    corrections. A `step` [s] goes with the integrators of fixed step, a `tolerance` (relative) with error control.
    The start is the described one: positions put on the liaisons, undeformed, velocities that the liaisons allow.
    Where the theory of small deflections ends, or no solution is found, the record ends there and says why.
    """
    if not (np.isfinite(duration) and duration > 0):
        raise InputError(f"the duration is {duration:g} s; give a positive time")
    if (step is None) == (tolerance is None):
        raise InputError("give either a step or a tolerance")
    if samples is not None and samples < 2:
        raise InputError(f"{samples} sample is not enough; give two or more")
    terms, sensors = terms or Terms(), sensors or {}
    watched = watched_points(system, sensors)
    parts = elastic_parts(system, reductions or {}, watched=watched, discrete=discrete)
    dynamic = dynamic_system(
        system,
        {name: part.reduced for name, part in parts.items()},
        geometric=bool(terms.geometric),
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
    )
    times = np.linspace(0.0, duration, samples or SAMPLES)
    route = Route(
        _integrator(integrator, formalism, with_step=step is not None),
        step,
        tolerance,
        0.8 if spectral_radius is None else spectral_radius,
    )
    kept = None if formalism == "whittaker" else checkpoint  # its angle runs through in one piece
    began = perf_counter()
    run, resumed = simulated(dynamic, initial_state(dynamic), times, route, progress=progress, checkpoint=kept)
    seconds = perf_counter() - began
    seen = Observed(run, parts)
    nodes = sum(part.nodes for part in parts.values())
    pictures = thinned(len(run.times), int(np.clip(_ROOM // max(6 * nodes, 1), 2, PICTURES)))
    shapes = {name: _shapes(part, seen.bodies[name].deformation[pictures]) for name, part in parts.items()}
    stress = [largest_stress(part, seen) for part in parts.values()]
    notices = [notice for part in parts.values() for notice in part.notices]
    return CoupledMotion(
        forces=MechanismForces(seen.motion, seen.forces, run.multipliers, 0.0),
        sensors={name: sensor.read(name, seen) for name, sensor in sensors.items()},
        energies=seen.energies,
        linear_momentum=run.linear_momentum,
        angular_momentum=run.angular_momentum,
        position_residuals=run.position_residuals,
        velocity_residuals=run.velocity_residuals,
        coordinates={name: seen.bodies[name].deformation for name in parts},
        reductions=tuple(part.figures for part in parts.values()),
        stress=tuple(found for found in stress if found is not None),
        pictures=pictures,
        displacements=shapes,
        energy_drift=run.energy_drift,
        figures=_figures(run, route, seconds, formalism or _FORMALISMS.get(run.integrator, "lagrange")),
        terms=terms,
        stopped=run.reason or "",
        resumed_at=resumed,
        notices=(*notices, *dynamic.notices, *_advice(run, route)),
    )


def _advice(run: Simulation, route: Route) -> tuple[str, ...]:
    """What is known to spoil a motion of this kind."""
    if run.integrator == "generalised_alpha" and run.system.rows and route.spectral_radius > _UNDAMPED:
        return (
            f"a spectral radius of {route.spectral_radius:g} damps nothing, so that the forces of liaisons and "
            "drives oscillate from step to step and grow; give 0.99 or less",
        )
    return ()


def _shapes(part: ElasticPart, coordinates: Array) -> Array:
    """Displacements at the nodes of the body's own mesh: (pictures, nodes, 6)."""
    nodal = nodal_displacements(part.discrete, part.reduced.basis, coordinates)
    return nodal[:, : part.nodes]


def _integrator(name: str | None, formalism: str | None, *, with_step: bool) -> str | Integrator:
    """The integrator that is asked for; equations of a formalism bring their own."""
    if formalism is None:
        return name or ("generalised_alpha" if with_step else "dormand_prince")
    if name is not None or with_step:
        raise InputError("the equations of a formalism are integrated with error control; give a tolerance alone")
    from flexframe.dynamics.formalisms.motion import ByFormalism

    return ByFormalism(formalism)


_FORMALISMS = {"conserving": "hamilton"}  # whose equations an integrator solves, Lagrange's unless said here
_WORDS = {
    "generalised_alpha": "generalised-α",
    "dormand_prince": "Dormand–Prince 5(4)",
    "conserving": "Gauss collocation in momenta",
}


def _described(route: Route) -> str:
    """An integrator with its step or tolerance, in words."""
    name = route.integrator if isinstance(route.integrator, str) else route.integrator.name
    words = _WORDS.get(name, name.replace("_", " "))
    if route.step is None:
        return f"{words}, tolerance {route.tolerance:.1g}"
    damped = f", ρ∞ {route.spectral_radius:g}" if name == "generalised_alpha" else ""
    return f"{words}, step {route.step:.4g} s{damped}"


def _figures(run: Simulation, route: Route, seconds: float, formalism: str) -> IntegrationFigures:
    found = run.statistics
    return IntegrationFigures(
        integrator=run.integrator,
        description=_described(route),
        formalism=formalism,
        steps=found.steps,
        iterations=found.iterations,
        factorisations=found.factorisations,
        rejected=found.rejected,
        unknowns=run.system.size + run.system.rows,
        seconds=found.seconds or seconds,
    )
