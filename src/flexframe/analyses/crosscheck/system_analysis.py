"""The two-way equations of a system by every formalism, against the compiled ones and brute force."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

import numpy as np
from scipy.linalg import expm

from flexframe.analyses.crosscheck.comparisons import Tally, ratio, refusal_check
from flexframe.analyses.crosscheck.record import FormalismCheck
from flexframe.analyses.crosscheck.system_record import SystemCrosscheck
from flexframe.analyses.judging import judge
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.motion import require_whole_terms
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError
from flexframe.formalisms.beam_sections import BeamMotion, path_accelerations
from flexframe.formalisms.contract import SystemInstant
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.point_systems import PointSystem, point_system
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.formalisms.system_motion import formalism_run
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import null_space
from flexframe.maths.rotations import skew
from flexframe.maths.solver_settings import limited_threads
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation
from flexframe.multibody.division.pieces import divisions_of, whole_name
from flexframe.multibody.equations import DynamicEquations, accelerations_at, equations_at, move_state
from flexframe.multibody.equilibria.rest import has_exact_beams, loaded_start
from flexframe.multibody.integrators.free_flight import field_coordinates
from flexframe.multibody.integrators.recording import with_sampled_values
from flexframe.multibody.laws import require_finite_laws
from flexframe.multibody.start import consistent_start, initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.stages import begin_work

TOLERANCE = 1e-9
STATES = 2  # random ones beside the start
DEFLECTION = 1e-3  # of random states, relative to the size of a body, or to the length of an exact beam
TURN = 0.1  # rad, of the sections of exact beams in random states
INTEGRATION = 1e-12  # relative tolerance of the motions that are compared
CIRCLE = 24  # points of Cauchy's integral; the first derivative taken for the second is the 26th
MOTION_STEPS = 400  # of the motion that is compared, at most
AT_REST = 1e-3  # acceleration in lengths of the system and radians per s² below which there is only rounding
STRAIN = 2e-15  # rounding of a strain, a difference of numbers near one
EXCURSION = 0.01  # of a shape on the circle, in lengths of the system
HARDLY = 1e-3  # motion, in lengths and radians, to which differences of motions are related at least
REPEATS = 3  # evaluations that are timed; the fastest counts


@dataclass(frozen=True, eq=False)
class _Reference:
    """A state with what the compiled equations say of it."""

    state: DynamicState
    instant: SystemInstant
    equations: DynamicEquations
    accelerations: Array
    joint_forces: Array

    @property
    def unit(self) -> Array:
        """1/√M_ii, which makes accelerations of points, frames and shapes comparable."""
        diagonal = np.diagonal(self.equations.mass)
        return np.asarray(1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)))

    @property
    def size(self) -> float:
        """The largest acceleration in these units, that of a slow start and of rounded strains at least."""
        system = self.instant.system
        shortest = float(system.tables.beams.lengths.min(initial=system.length)) / system.length
        squares = [beam.fastest_square() for beam in self.instant.beams]
        unsure = STRAIN / TOLERANCE * shortest * max(squares, default=0.0)  # ω² ℓ Δε of beams
        slow = max(AT_REST, unsure) * system.tables.scales / self.unit
        return float(np.maximum(np.abs(self.accelerations / self.unit), slow).max(initial=0.0))


@judge
def crosscheck_system(
    system: System,
    *,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    terms: Terms | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
    duration: float | None = None,
    seed: int = 0,
    formalisms: Sequence[Formalism] | None = None,
) -> SystemCrosscheck:
    """Form and solve the coupled equations of a system by every formalism, or by the given ones, and compare.

    At the start and at random states near it: accelerations and joint forces, against the compiled equations,
    whose inertia forces are compared with second derivatives of positions. Over a short time, at most `duration`
    [s]: the motions, all by the same integrator at a tight tolerance.

    Parameters
    ----------
    system
        Bodies with joints, drives and loads.
    reductions
        Coordinates of each meshed body, or "rigid".
    terms
        Multipliers of the terms; all 1 if not given.
    discrete
        Bodies that are discretised already, by name.
    duration
        Time over which motions are compared [s]; chosen if not given.
    seed
        Seed of the random states.
    formalisms
        The formalisms to compare; all six if not given.

    Returns
    -------
    SystemCrosscheck
        Largest relative differences of accelerations, joint forces and motions by each formalism.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> ff.crosscheck_system(pendulum, duration=0.01).agrees
    True
    """
    terms = terms or Terms()
    require_whole_terms(terms)
    elastic = elastic_system(system, reductions or {}, watched={}, discrete=discrete)
    parts = elastic.parts
    dynamic = dynamic_system(
        elastic.system,
        {name: part.reduced for name, part in parts.items()},
        geometric=bool(terms.geometric),
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
    )
    return crosscheck_dynamics(dynamic, duration=duration, seed=seed, formalisms=formalisms)


def crosscheck_dynamics(
    dynamic: DynamicSystem,
    *,
    duration: float | None = None,
    seed: int = 0,
    formalisms: Sequence[Formalism] | None = None,
) -> SystemCrosscheck:
    """The same for a system that is ready for integration."""
    points, rng = point_system(dynamic), np.random.default_rng(seed)
    require_finite_laws(dynamic.system, np.array([0.0]))
    start = _start(dynamic)
    begin_work()
    states = [start, *(_random_state(dynamic, start, rng) for _ in range(STATES))]
    states = [with_sampled_values(dynamic, state) for state in states]
    references = [_reference(points, state) for state in states]
    span = _span(dynamic, references[0], duration)
    notices: list[str] = []
    checks: list[FormalismCheck] = []
    motion: Simulation | None = None
    for formalism in numeric_formalisms() if formalisms is None else formalisms:
        reason = formalism.system_refusal(dynamic)
        if reason is not None:
            checks.append(refusal_check(formalism, formalism.system_primitive, reason))
            continue
        with limited_threads():
            check, found = _check_formalism(formalism, references, span, motion, notices)
        motion = motion or found
        checks.append(check)
    return SystemCrosscheck(
        system=dynamic.system.name,
        bodies=_elastic_coordinates(dynamic),
        velocities=dynamic.size,
        constraints=dynamic.rows,
        checks=tuple(checks),
        closed_form_difference=_against_positions(points, references),
        compared=_sentences(dynamic, span, seed),
        tolerance=TOLERANCE,
        geometric=dynamic.geometric,
        seed=seed,
        span_s=span,
        notices=(*notices, *dynamic.notices),
    )


def _start(dynamic: DynamicSystem) -> DynamicState:
    """As described; exact beams are in equilibrium with their loads and the motion, if there is such a state."""
    if has_exact_beams(dynamic):
        with suppress(AnalysisError):
            return loaded_start(dynamic)[0]
    return initial_state(dynamic)


def _elastic_coordinates(dynamic: DynamicSystem) -> dict[str, int]:
    """By described body: shapes of a body and its parts, motions of the sections of exact beams but one."""
    found: dict[str, int] = {}
    for body in dynamic.bodies:
        name = whole_name(dynamic.system, body.name)
        found[name] = found.get(name, 0) + body.size
    for name, division in divisions_of(dynamic.system).items():
        if division.exact is not None:
            found[name] = (3 if dynamic.planar else 6) * (len(division.pieces) - 1)
    return found


def _random_state(dynamic: DynamicSystem, start: DynamicState, rng: np.random.Generator) -> DynamicState:
    """The start with small random deformations and velocities; high shapes move less, as under any load."""
    sizes = []
    for body in dynamic.bodies:
        stiffness = np.diagonal(body.stiffness)
        mass = np.einsum("kkrr->r", body.shape_products)[: body.size]
        squares = stiffness / np.where(mass > 0, mass, 1.0)
        lowest = squares.min(initial=np.inf)
        length = dynamic.length * np.sqrt(body.mass / np.where(mass > 0, mass, 1.0))
        sizes.append(length * lowest / np.where(squares > 0, squares, lowest))
    size = DEFLECTION * np.concatenate(sizes)
    rate = max(1.0, float(np.abs(start.angular_velocities).max(initial=0.0)))
    bodies = len(dynamic.bodies)
    keep = np.array([1.0, 1.0, 0.0]) if dynamic.planar else np.ones(3)
    loose = replace(
        start,
        deformation=start.deformation + size * rng.uniform(-1, 1, size.size),
        rates=start.rates + rate * size * rng.uniform(-1, 1, size.size),
        velocities=start.velocities + dynamic.length * rate * rng.uniform(-1, 1, (bodies, 3)) * keep,
        angular_velocities=start.angular_velocities
        + rate * rng.uniform(-1, 1, (bodies, 3)) * (np.array([0.0, 0.0, 1.0]) if dynamic.planar else 1.0),
        memory={},
    )
    return consistent_start(dynamic, _bend_beams(dynamic, loose, rng))


def _bend_beams(dynamic: DynamicSystem, state: DynamicState, rng: np.random.Generator) -> DynamicState:
    """The state with sections of exact beams turned and shifted."""
    beams = dynamic.tables.beams
    step, shift = np.zeros(dynamic.size), DEFLECTION * float(beams.lengths.min(initial=np.inf))
    linear = 2 if dynamic.planar else 3
    sizes = np.array([shift] * linear + [TURN] * (2 * linear - 3))
    for first in dynamic.rigid_starts[np.unique(beams.bodies)]:
        step[first : first + len(sizes)] = sizes * rng.uniform(-1, 1, len(sizes))
    return move_state(dynamic, state, step) if step.any() else state


def _reference(points: PointSystem, state: DynamicState) -> _Reference:
    equations, found = equations_at(points.system, state), accelerations_at(points.system, state)
    return _Reference(
        state=state,
        instant=points.at(state),
        equations=equations,
        accelerations=found.velocity_rate,
        joint_forces=equations.constraint.T @ found.multipliers,
    )


def _span(dynamic: DynamicSystem, reference: _Reference, duration: float | None) -> float:
    """One period of the fastest shape, or a fifth of a radian of rotation; never more than the duration."""
    squares = [0.0]
    for body in dynamic.bodies:
        if body.size:
            mass = np.einsum("kkrt->rt", body.shape_products)[: body.size, : body.size]
            squares.append(float(np.linalg.eigvals(np.linalg.solve(mass, body.stiffness)).real.max()))
    squares += [beam.fastest_square() for beam in reference.instant.beams]
    fastest = np.sqrt(max(squares))
    spin = float(np.abs(reference.state.angular_velocities).max(initial=0.0))
    candidates = [2 * np.pi / fastest] if fastest > 0 else [0.2 / max(spin, 1.0)]
    # what sampled controllers hold is constant until they act again
    periods = [sampling.period for sampling in dynamic.network.samplings]
    return float(min(candidates + ([duration] if duration else []) + periods))


def _check_formalism(
    formalism: Formalism,
    references: Sequence[_Reference],
    span: float,
    motion: Simulation | None,
    notices: list[str],
) -> tuple[FormalismCheck, Simulation | None]:
    """One formalism at all states and over the span; the first motion is what the others are compared with."""
    tally, work = Tally(), Work()
    seconds, refusals = 0.0, []
    for reference in references:
        try:
            found = formalism.system_motion(reference.instant, Work())
        except AnalysisError as error:
            refusals.append(str(error))
            continue
        if not seconds:
            formalism.system_motion(reference.instant, work)
            seconds = min(_time_instant(formalism, reference.instant) for _ in range(REPEATS))
        unit = reference.unit
        size = reference.size
        carried = float(np.abs(reference.joint_forces * unit).max(initial=0.0))
        tally.add(
            "accelerations",
            ratio(float(np.abs((found.accelerations - reference.accelerations) / unit).max(initial=0.0)), size),
        )
        tally.add(
            "joint_forces",
            ratio(
                float(np.abs((found.joint_forces - reference.joint_forces) * unit).max(initial=0.0)),
                size + carried,
            ),
        )
    if len(refusals) == len(references):
        return refusal_check(formalism, formalism.system_primitive, refusals[0]), None
    notices += [f"{formalism.title} at one of the states: {refusal}" for refusal in dict.fromkeys(refusals)]
    dynamic, start = references[0].instant.system, references[0].state
    times = start.time + np.linspace(0.0, span, 3)
    try:
        run = formalism_run(
            dynamic, start, times, formalism=formalism, tolerance=INTEGRATION, most_steps=MOTION_STEPS
        )
    except AnalysisError as error:
        run = None
        notices.append(f"{formalism.title}: its motion was not compared: {error}")
    simulation = None if run is None else run.simulation
    if simulation is not None and simulation.reason is not None:
        notices.append(f"{formalism.title}: its motion was not compared: {simulation.reason}")
    elif simulation is not None and motion is not None:
        tally.add("motion", _motion_difference(simulation, motion))
    rank = null_space(references[0].equations.constraint * references[0].unit).rank
    check = FormalismCheck(
        name=formalism.name,
        title=formalism.title,
        primitive=formalism.system_primitive,
        applicable=True,
        reason="",
        differences=tally.differences,
        unknowns=formalism.system_unknowns(dynamic.size, rank, dynamic.rows),
        additions=work.additions,
        multiplications=work.multiplications,
        seconds=seconds,
        drift=run.drift if run is not None else 0.0,
        energy_drift=simulation.energy_drift if simulation is not None else 0.0,
    )
    return check, simulation if simulation is not None and simulation.reason is None else None


def _time_instant(formalism: Formalism, instant: SystemInstant) -> float:
    fresh = replace(
        instant,
        bodies=tuple(replace(body) for body in instant.bodies),  # nothing is known of them yet
        beams=tuple(replace(beam) for beam in instant.beams),
    )
    began = perf_counter()
    formalism.system_motion(fresh, Work())
    return perf_counter() - began


def _motion_difference(found: Simulation, expected: Simulation) -> float:
    """Where all is at the end, in lengths of the system and radians, next to how far it moved."""
    system = found.system
    scales = system.tables.scales
    elastic = np.concatenate(
        [
            scales[int(system.rigid_starts[b]) + (3 if system.planar else 6) :][: body.size]
            for b, body in enumerate(system.bodies)
        ]
    )

    def positions(run: Simulation, sample: int) -> Array:
        return np.concatenate(
            [
                run.positions[sample].ravel() / system.length,
                run.quaternions[sample].ravel(),
                run.deformations[sample] / np.where(elastic > 0, elastic, 1.0),
            ]
        )

    moved = float(np.abs(positions(expected, -1) - positions(expected, 0)).max(initial=0.0))
    return ratio(
        float(np.abs(positions(found, -1) - positions(expected, -1)).max(initial=0.0)), max(moved, HARDLY)
    )


def _against_positions(points: PointSystem, references: Sequence[_Reference]) -> float:
    """M u̇ + h of the compiled equations against Σ w (∂r/∂u)·r̈ with r̈ by differentiating positions only."""
    gaps, sizes = [], []
    for reference in references:
        equations, u_rate = reference.equations, reference.accelerations
        found = np.zeros_like(u_rate)
        for number, (place, body) in enumerate(zip(points.places, reference.instant.bodies, strict=True)):
            full = np.zeros(6 + points.system.bodies[number].size)
            full[body.columns] = u_rate[place]
            accelerations = _second_derivative(points, number, reference.state, full)
            found[place] = body.sum(body.partial, accelerations, Work())
        paths = [(beam, path_accelerations(beam, _local(beam, u_rate))) for beam in reference.instant.beams]
        found += reference.instant.spread_forces([beam.sum(beam.partial, path, Work()) for beam, path in paths])
        gap = found - equations.mass @ u_rate - equations.inertia_force
        terms = np.abs(equations.mass) @ np.abs(u_rate) + np.abs(equations.inertia_force)
        gaps.append(float(np.abs(gap * reference.unit).max()))
        sizes.append(max(float((terms * reference.unit).max()), reference.size))
    return max(ratio(gap, size) for gap, size in zip(gaps, sizes, strict=True))


def _local(beam: BeamMotion, u_rate: Array) -> Array:
    """u̇ of the bodies at both ends: (beams, 12)."""
    own = beam.sections
    full = np.zeros((len(own.lengths), 12))
    full[:, own.columns] = u_rate[own.numbers]
    return full


def _second_derivative(points: PointSystem, number: int, state: DynamicState, u_rate: Array) -> Array:
    """r̈ of the points of a body in its own axes, by Cauchy's integral over a circle in complex time: (g, 3)."""
    body, mass, u = points.system.bodies[number], points.points[number], points.local(state, number)
    delta = state.deformation[points.system.elastic(number)]
    origin_second = u_rate[:3] + np.cross(u[3:6], u[:3])
    spin, turn = skew(u[3:6]), skew(u_rate[3:6])
    rate = max(1.0, float(np.linalg.norm(u[3:6])), float(np.sqrt(np.linalg.norm(u_rate[3:6]))))
    scales = points.system.tables.scales[points.places[number]][3 if points.system.planar else 6 :]
    # shapes that are fast must not leave their places by much, or squares of them drown the rest
    excursions = [np.sqrt(EXCURSION * scales / np.maximum(np.abs(u_rate[6:]), 1e-300))]
    excursions.append(EXCURSION * scales / np.maximum(np.abs(u[6:]), 1e-300))
    radius = min(0.5 / rate, *(float(part.min(initial=np.inf)) for part in excursions))
    still = mass.positions + mass.fields @ field_coordinates(body, delta)[0]  # drops out with its rounding
    total = np.zeros(mass.positions.shape, dtype=complex)
    for step in np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE):
        t = radius * step
        moved = delta + u[6:] * t + u_rate[6:] * t**2 / 2
        eta = np.concatenate([moved, body.amplitudes(moved)])
        local = mass.positions + mass.fields @ eta
        origin = np.outer(mass.shares, u[:3] * t + origin_second * t**2 / 2)
        total += (origin + local @ expm(spin * t + turn * t**2 / 2).T - still) / step**2
    return np.asarray(2 * total.real / (CIRCLE * radius**2))


def _shared_parts(dynamic: DynamicSystem) -> str:
    """What is the same by all routes: forces that follow signals, their states and what is held."""
    network = dynamic.network
    if not network.signals:
        return ""
    words = "forces of state are known numbers at a state and the same by all routes"
    if network.tables.initial_states.size:
        words += "; states of controllers and friction are integrated with the motions"
    if network.samplings:
        words += "; sampled controllers act at the states and hold what they give"
    if network.events:
        words += "; events are not looked for"
    return words


def _sentences(dynamic: DynamicSystem, span: float, seed: int) -> tuple[str, ...]:
    coordinates, divisions = _elastic_coordinates(dynamic), divisions_of(dynamic.system)
    elastic = []
    for name, count in coordinates.items():
        own = divisions[name].exact if name in divisions else None
        if own is not None:
            elastic.append(f"{name} ({len(own.lengths)} exact beam{'s' if len(own.lengths) > 1 else ''})")
        elif count:
            elastic.append(f"{name} ({count} shapes)")
    controlled = _shared_parts(dynamic)
    return (
        *([controlled] if controlled else []),
        f"{dynamic.size} velocities of {len(coordinates)} bodies"
        + (f", elastic: {', '.join(elastic)}" if elastic else ", all rigid")
        + f", {dynamic.rows} constraints of joints and drives; "
        + f"geometric terms {'on' if dynamic.geometric else 'off'}",
        f"at the start and at {STATES} random states near it (seed {seed}): accelerations and joint forces, "
        "inertia from mass points by each route, against the compiled equations",
        "the compiled equations: inertia forces against second derivatives of positions",
        f"motion over {span:.3g} s by one integrator (relative tolerance {INTEGRATION:g}) with the equations of "
        "each, against that of the first; its gap of joints before correction is the drift",
    )
