"""Harmonic response of a body at a frozen speed, and the response of a rotor to its unbalance over the speed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import linear_sensors
from flexframe.analyses.exact_bodies import EXACT_TANGENT, exact_notices, require_whole_physics
from flexframe.analyses.frequency_response.record import FrequencyResponse, ResponseCurve
from flexframe.analyses.harmonics import require_own_axis
from flexframe.analyses.judging import judge
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody, drawn_displacements, drawn_mesh
from flexframe.equations.coefficients import SPEED, OperatingPoint, Terms
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.solver_settings import cores_for_solver
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import FrameMotion
from flexframe.presentation.symbols import TurningLoad
from flexframe.sensors.contract import Sensor
from flexframe.spectra.rotation.bearings import bearing_parts, drawn_springs, require_known
from flexframe.spectra.rotation.harmonic_loads import (
    HarmonicForce,
    HarmonicLoad,
    Unbalance,
    WaveForce,
    WhirlingForce,
    across,
    force_amplitude,
    whirl_amplitude,
)
from flexframe.spectra.rotation.harmonic_solution import DirectSolution, HarmonicProblem, ProjectedSolution, Sample
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_equations
from flexframe.stages import begin_work

if TYPE_CHECKING:
    from flexframe.multibody.equilibria.known_frame import DeformedBody

Method = Literal["auto", "direct", "modal"]
TOLERANCE = 1e-6
MODES = 30
_DIRECT = 60_000  # unknowns times samples up to which every sample is solved by itself
_PICTURES = 5


@judge
def frequency_response(
    body: Body | DiscreteBody,
    motion: FrameMotion,
    frequencies_hz: ArrayLike,
    load: Sequence[HarmonicLoad],
    sensors: Mapping[str, Sensor],
    *,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    method: Method = "auto",
    modes: int = MODES,
    tolerance: float = TOLERANCE,
    exact: bool = False,
) -> FrequencyResponse:
    """Amplitude and phase of (K − ω²M + iωC) û = f̂ at a frozen motion, seen in the frame of the body.

    Forces in body axes have the frequencies given. Whirling forces have them in space, where they turn all in one
    direction; the body then answers at ω ∓ Ω. Forces with nodal diameters are on rings of a body of revolution,
    and sensors then show the displacements where its section lies; with other forces that is the mean one of each
    ring, of one nodal diameter. The kinds do not mix in one analysis. `exact` takes a body of beams as
    geometrically exact ones, small vibrations about its equilibrium under its own loads and the motion.

    Parameters
    ----------
    body
        A body, described or discretised.
    motion
        Frozen motion of its frame.
    frequencies_hz
        Frequencies of the load [Hz].
    load
        Harmonic forces in body axes, whirling forces, or forces with nodal diameters.
    sensors
        Degrees of freedom to record, by name.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Springs and dampers to space.
    method, modes
        "direct", "modal" with this many modes, or "auto".
    tolerance
        Largest relative error of the modal method.
    exact
        Whether beams are geometrically exact.

    Returns
    -------
    FrequencyResponse
        Complex amplitudes [m or rad] of every sensor over the frequencies.

    Examples
    --------
    >>> bar = ff.Body.beam(
    ...     "bar",
    ...     length=1.0,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> found = ff.frequency_response(
    ...     bar,
    ...     ff.FrameMotion.spin(0.0),
    ...     [0.1, 1.0],
    ...     [ff.loads.HarmonicForce("end", (0.0, 1.0))],
    ...     {"tip": ff.sensors.DofSensor("end", "uy")},
    ... )
    >>> round(float(abs(found.curves["tip"].amplitude[0])) * 1e3, 3)  # mm, nearly static
    0.476
    """
    waves = [part for part in load if isinstance(part, WaveForce)]
    if waves:
        return _of_waves(body, motion, frequencies_hz, load, sensors, terms, bearings, (method, modes, tolerance))
    terms = terms or Terms()
    frequencies = check_abscissa(frequencies_hz, "frequencies")
    model = rotor_model(body, bearings, motion.angular_velocity if motion.speed else None)
    discrete, axis = model.discrete, model.axis
    discrete.require_freedom()
    is_section = isinstance(discrete, SectionBody)
    if is_section:
        require_own_axis(discrete.body, axis, "motion")
    known = require_known(model.bearings, np.array([motion.speed]))
    amplitude, rates, excitation = _excitation(discrete, load, 2 * np.pi * frequencies, axis, motion.speed)
    deformed = _deform_body(discrete, motion, terms, model.bearings) if exact else None
    linear = turning_equations(model, terms) if deformed is None else deformed.equations
    body_equations = linear.extend(bearing_parts(discrete, model.bearings, axis))
    if body_equations.depends_on_frequency:
        raise InputError(
            "a table of a bearing depends on the frequency of the motion in space, which the turning frame sees "
            "otherwise; give a table over the speed",
            field="bearings",
        )
    point = replace(OperatingPoint.of(motion), amounts={SPEED: motion.speed})
    equations = body_equations.frozen(point).project(discrete.supports)
    vector = discrete.supports.reduce_vector
    problem = HarmonicProblem(
        equations,
        np.column_stack([vector(amplitude.real), vector(amplitude.imag)]),
        [Sample(1j * rate, motion.speed, (1.0, 1.0j)) for rate in rates],
        discrete.supports.reduce_matrix(body_equations.constant_stiffness),
        equations.mass,
    )
    rows = linear_sensors("a frequency response", discrete, sensors)
    solution = solve_samples(problem, method, modes, tolerance)
    table = np.array([row.row for row in rows]).reshape(len(rows), -1)
    values = np.array(
        [table @ discrete.supports.expand(solution.displacements(k)) for k in range(len(rates))]
    ).reshape(len(rates), len(rows))
    curves = {row.name: ResponseCurve(row.unit, values[:, k]) for k, row in enumerate(rows)}
    notices = residual_notices(solution, tolerance) + known + (() if deformed is None else exact_notices(deformed))
    drawn = discrete.body if deformed is None else deformed.body
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        notices += ("the coefficients are frozen: a motion that changes has no steady harmonic answer",)
    snapshots = peak_samples(values)
    return FrequencyResponse(
        body=discrete.body.name,
        mesh=drawn_mesh(discrete) if is_section else drawn.mesh,
        model=None if is_section else excited_body(drawn, load),
        bearings=drawn_springs(model.discrete, model.bearings, axis),
        turning=() if is_section else turning_loads(load, axis),
        over="frequency",
        abscissa=frequencies,
        excitation=excitation,
        curves=curves,
        snapshots=snapshots,
        shapes=nodal_shapes(discrete, solution, snapshots),
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=solution.method if deformed is None else f"{solution.method}; {EXACT_TANGENT}",
        error=solution.error,
        notices=notices,
    )


def _of_waves(  # noqa: PLR0917
    body: Body | DiscreteBody,
    motion: FrameMotion,
    frequencies_hz: ArrayLike,
    load: Sequence[HarmonicLoad],
    sensors: Mapping[str, Sensor],
    terms: Terms | None,
    bearings: Sequence[Bearing],
    settings: tuple[Method, int, float],
) -> FrequencyResponse:
    from flexframe.analyses.frequency_response.wave_forces import wave_response  # which takes parts of this module

    waves = [part for part in load if isinstance(part, WaveForce)]
    if len(waves) < len(load):
        raise InputError(
            "forces with nodal diameters and others are given together; give them in two analyses", field="loads"
        )
    method, modes, tolerance = settings
    return wave_response(
        body,
        motion,
        frequencies_hz,
        waves,
        sensors,
        terms=terms,
        bearings=bearings,
        method=method,
        modes=modes,
        tolerance=tolerance,
    )


def _deform_body(
    discrete: DiscreteBody, motion: FrameMotion, terms: Terms, bearings: Sequence[Bearing]
) -> "DeformedBody":
    from flexframe.multibody.equilibria.known_frame import deformed_body  # others do without

    require_whole_physics(terms)
    if bearings:
        raise InputError(
            "bearings hold a body in space, and the equilibrium of exact beams is found in its frame; give "
            "springs between bodies of a system instead, or leave reduction: exact out",
            field="bearings",
        )
    return deformed_body(discrete, motion)


def excited_body(body: Body, load: Sequence[HarmonicLoad]) -> Body:
    """The body with what excites it, in place of its loads at rest, as it is drawn."""
    forces = [part for part in load if isinstance(part, HarmonicForce)]
    return replace(body, loads=tuple(NodeForce(part.on, part.force, part.moment) for part in forces))


def turning_loads(load: Sequence[HarmonicLoad | Unbalance], axis: Array) -> tuple[TurningLoad, ...]:
    """Unbalances and whirling forces as they are drawn, where they point first and the way they turn."""
    first, second = across(axis)
    found = []
    for part in load:
        if isinstance(part, Unbalance):
            direction = np.cos(part.angle) * first + np.sin(part.angle) * second
            found.append(TurningLoad(part.on, direction, axis, f"unbalance {part.moment:.4g} kg m", mass=True))
        elif isinstance(part, WhirlingForce):
            sense = 1.0 if part.whirl == "forward" else -1.0
            found.append(TurningLoad(part.on, first, sense * axis, f"{part.force:.4g} N, {part.whirl}"))
    return tuple(found)


def _excitation(
    discrete: DiscreteBody, load: Sequence[HarmonicLoad], frequencies: Array, axis: Array, speed: float
) -> tuple[ComplexArray, Array, str]:
    """f̂, its angular frequencies in the frame of the body, and what it is."""
    forces = [part for part in load if isinstance(part, HarmonicForce)]
    whirling = [part for part in load if isinstance(part, WhirlingForce)]
    if not load:
        raise InputError("no load is given; give at least one harmonic force", field="loads")
    if forces and whirling:
        raise InputError(
            "forces in body axes and forces that turn in space are given together; their frequencies differ in "
            "the turning frame, so give them in two analyses",
            field="loads",
        )
    if forces:
        return force_amplitude(discrete, forces), frequencies, "forces in body axes"
    senses = {part.whirl for part in whirling}
    if len(senses) > 1:
        raise InputError(
            "forces that turn forward and backward are given together; give them in two analyses", field="loads"
        )
    whirl = senses.pop()
    # forward turns with the spin, which is about +axis; the frame itself turns at Ω
    sense = 1.0 if whirl == "forward" else -1.0
    rates = frequencies - sense * speed
    return whirl_amplitude(discrete, whirling, axis, sense), rates, f"forces that turn {whirl} in space"


def check_abscissa(values: ArrayLike, what: str) -> Array:
    """Frequencies or speeds that increase from zero up."""
    given = numbers(values, what)
    if not given.size or not np.isfinite(given).all() or (given < 0).any():
        raise InputError(f"the {what} are not all finite numbers from zero up; give one or more", field=what)
    if (np.diff(given) <= 0).any():
        raise InputError(f"the {what} do not increase; sort them and give each once", field=what)
    return given


def solve_samples(
    problem: HarmonicProblem, method: Method, modes: int, tolerance: float
) -> DirectSolution | ProjectedSolution:
    begin_work()
    size = problem.mass.shape[0]
    if method == "direct" or (method == "auto" and size * len(problem.samples) <= _DIRECT) or size <= modes:
        return DirectSolution(problem)
    with cores_for_solver(size):
        solution = ProjectedSolution(problem, modes)
        solution.refined(tolerance)
    return solution


def peak_samples(values: ComplexArray) -> IntArray:
    """Samples at the largest local maxima of any sensor, ascending; the largest of all if there is none."""
    size = np.abs(values)
    chosen: dict[int, float] = {}
    for column in size.T:
        inner = np.flatnonzero((column[1:-1] > column[:-2]) & (column[1:-1] >= column[2:])) + 1
        for k in inner if inner.size else [int(np.argmax(column))]:
            chosen[int(k)] = max(chosen.get(int(k), 0.0), float(column[k] / max(column.max(), 1e-300)))
    best = sorted(chosen, key=lambda k: -chosen[k])[:_PICTURES]
    return np.array(sorted(best) or [0], dtype=np.int64)


def nodal_shapes(
    discrete: DiscreteBody, solution: DirectSolution | ProjectedSolution, snapshots: IntArray
) -> ComplexArray:
    """û at the nodes: (snapshots, nodes, 6)."""
    return np.array(
        [
            drawn_displacements(discrete, discrete.supports.expand(solution.displacements(int(k))))
            for k in snapshots
        ]
    )


def residual_notices(solution: DirectSolution | ProjectedSolution, tolerance: float) -> tuple[str, ...]:
    if solution.error > tolerance:
        return (f"a residual of {solution.error:.1e} of the answer is left, more than the tolerance asked for",)
    return ()
