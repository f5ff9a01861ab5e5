"""Harmonic response of a body at a frozen speed, and the response of a rotor to its unbalance over the speed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import displacement_rows, linear_sensors
from flexframe.analyses.exact_bodies import EXACT_TANGENT, exact_notices, require_whole_physics
from flexframe.analyses.frequency_response.record import FrequencyResponse, ResponseCurve
from flexframe.analyses.judging import judged
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations
from flexframe.equations.operating_point import SPEED, OperatingPoint
from flexframe.equations.parts import STIFFNESS
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.motion.frame import PLANAR_AXIS, FrameMotion
from flexframe.presentation.symbols import TurningLoad
from flexframe.sensors.contract import Sensor
from flexframe.spectra.rotation.bearings import Bearing, bearing_parts
from flexframe.spectra.rotation.harmonic_loads import (
    HarmonicForce,
    HarmonicLoad,
    Unbalance,
    WhirlingForce,
    across,
    force_amplitude,
    unbalance_vector,
    whirl_amplitude,
)
from flexframe.spectra.rotation.harmonic_solution import DirectSolution, HarmonicProblem, ProjectedSolution, Sample
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.spinning_equations import spinning_equations, unit_axis
from flexframe.stages import begin_work

if TYPE_CHECKING:
    from flexframe.multibody.equilibria.known_frame import DeformedBody

Method = Literal["auto", "direct", "modal"]
TOLERANCE = 1e-6
MODES = 30
_DIRECT = 60_000  # unknowns times samples up to which every sample is solved by itself
_PICTURES = 5


@judged
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
    direction; the body then answers at ω ∓ Ω. Both kinds do not mix in one analysis. `exact` takes a body of beams
    as geometrically exact ones, small vibrations about its equilibrium under its own loads and the motion.

    Parameters
    ----------
    body
        A body, described or discretised.
    motion
        Frozen motion of its frame.
    frequencies_hz
        Frequencies of the load [Hz].
    load
        Harmonic forces in body axes, or whirling forces.
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
    discrete = ensure_discrete(body)
    terms = terms or Terms()
    frequencies = check_abscissa(frequencies_hz, "frequencies")
    discrete.require_freedom()
    axis = motion.angular_velocity / motion.speed if motion.speed else np.array(PLANAR_AXIS)
    amplitude, rates, excitation = _excitation(discrete, load, 2 * np.pi * frequencies, axis, motion.speed)
    deformed = _deformed(discrete, motion, terms, bearings) if exact else None
    linear = affine_equations(discrete, terms) if deformed is None else deformed.equations
    body_equations = linear.extended(bearing_parts(discrete, bearings, axis))
    point = replace(OperatingPoint.of(motion), amounts={SPEED: motion.speed})
    equations = body_equations.frozen(point).project(discrete.supports)
    vector = discrete.supports.reduce_vector
    problem = HarmonicProblem(
        equations,
        np.column_stack([vector(amplitude.real), vector(amplitude.imag)]),
        [Sample(1j * rate, motion.speed, (1.0, 1.0j)) for rate in rates],
        discrete.supports.reduce_matrix(body_equations.stiffness),
        equations.mass,
    )
    rows = linear_sensors("a frequency response", discrete, sensors)
    solution = _solved(problem, method, modes, tolerance)
    table = np.array([row.row for row in rows]).reshape(len(rows), -1)
    values = np.array(
        [table @ discrete.supports.expand(solution.displacements(k)) for k in range(len(rates))]
    ).reshape(len(rates), len(rows))
    curves = {row.name: ResponseCurve(row.unit, values[:, k]) for k, row in enumerate(rows)}
    notices = _notices(solution, tolerance) + (() if deformed is None else exact_notices(deformed))
    drawn = discrete.body if deformed is None else deformed.body
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        notices += ("the coefficients are frozen: a motion that changes has no steady harmonic answer",)
    snapshots = peak_samples(values)
    return FrequencyResponse(
        body=discrete.body.name,
        mesh=drawn.mesh,
        model=_excited(drawn, load),
        bearings=tuple(bearing.frame_spring(axis) for bearing in bearings),
        turning=_turning(load, axis),
        over="frequency",
        abscissa=frequencies,
        excitation=excitation,
        curves=curves,
        snapshots=snapshots,
        shapes=_shapes(discrete, solution, snapshots),
        frame="rotating" if motion.speed else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=solution.method if deformed is None else f"{solution.method}; {EXACT_TANGENT}",
        error=solution.error,
        notices=notices,
    )


@judged
def unbalance_response(
    body: Body | DiscreteBody,
    speeds: ArrayLike,
    unbalance: Sequence[Unbalance],
    sensors: Mapping[str, Sensor],
    *,
    axis: ArrayLike = PLANAR_AXIS,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    method: Method = "auto",
    modes: int = MODES,
    tolerance: float = TOLERANCE,
) -> FrequencyResponse:
    """Circular orbits that an unbalance makes over speeds [rad/s]: K(Ω) û = Ω² Σ m e.

    The force is at rest in the turning frame and synchronous in space. A sensor shows the displacement across the
    axis as one complex number: the radius of the orbit, and its angle from e₁ (see `Unbalance`). In bearings that
    differ in two directions the orbits of a round shaft are ellipses; a sensor then shows two complex amplitudes
    in space, along e₁ and along e₂.

    Parameters
    ----------
    body
        A rotor, described or discretised.
    speeds
        Speeds of rotation [rad/s].
    unbalance
        Masses times eccentricity [kg m] on nodes.
    sensors
        Nodes to watch, by name.
    axis
        Axis of rotation in body components.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Springs and dampers to space.
    method, modes
        "direct", "modal" with this many modes, or "auto".
    tolerance
        Largest relative error of the modal method.

    Returns
    -------
    FrequencyResponse
        Complex amplitudes of the orbits [m] over the speeds.

    Examples
    --------
    >>> shaft = ff.Body.beam(
    ...     "shaft",
    ...     length=0.6,
    ...     divisions=4,
    ...     section=ff.Circle(0.01),
    ...     material=ff.STEEL,
    ...     space="spatial",
    ...     supports=(ff.Fix("start", ("ux", "uy", "uz", "rx")), ff.Fix("end", ("uy", "uz", "rx"))),
    ... )
    >>> found = ff.unbalance_response(
    ...     shaft,
    ...     [10.0, 100.0],
    ...     [ff.rotors.Unbalance((0.3, 0, 0), 1e-4)],
    ...     {"middle": ff.sensors.DofSensor((0.3, 0, 0))},
    ...     axis=(1, 0, 0),
    ... )
    >>> abs(found.curves["middle"].amplitude).shape
    (2,)
    """
    discrete, direction = ensure_discrete(body), unit_axis(axis)
    given = check_abscissa(speeds, "speeds")
    discrete.require_freedom()
    rows = np.array(list(displacement_rows("an unbalance response", discrete, sensors).values()))
    if not unbalance:
        raise InputError("no unbalance is given; give at least one", field="loads")
    if not all(bearing.isotropic for bearing in bearings):
        equations = inertial_equations(discrete, axis, terms=terms, bearings=bearings)
        solution = _solved(_ellipses(discrete, equations, given, unbalance, direction), method, modes, tolerance)
        found = _elliptic_response(
            discrete,
            equations.terms,
            given,
            tuple(sensors),
            rows=rows,
            axis=direction,
            solution=solution,
            tolerance=tolerance,
        )
        drawn = tuple(bearing.frame_spring(direction) for bearing in bearings)
        return replace(found, bearings=drawn, turning=_turning(unbalance, direction))
    equations = spinning_equations(discrete, axis, terms=terms, bearings=bearings)
    vector = discrete.supports.reduce_vector
    problem = HarmonicProblem(
        replace(equations, parts=equations.of_order(STIFFNESS)),
        vector(unbalance_vector(discrete, unbalance, direction))[:, None],
        [Sample(0.0, float(speed), (float(speed) ** 2,)) for speed in given],
        equations.stiffness,
        equations.mass,
    )
    solution = _solved(problem, method, modes, tolerance)
    first, second = across(direction)
    moved = _marker_displacements(discrete, rows, solution, len(given)).real
    values = moved @ first + 1j * (moved @ second)
    snapshots = peak_samples(values)
    return FrequencyResponse(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=_excited(discrete.body, ()),
        bearings=tuple(bearing.frame_spring(direction) for bearing in bearings),
        turning=_turning(unbalance, direction),
        over="speed",
        abscissa=given,
        excitation="unbalance, at rest in the turning frame and synchronous in space",
        curves={name: ResponseCurve("m", values[:, k]) for k, name in enumerate(sensors)},
        snapshots=snapshots,
        shapes=_shapes(discrete, solution, snapshots),
        frame="rotating",
        speed_rad_s=None,
        terms=equations.terms,
        method=solution.method,
        error=solution.error,
        notices=_notices(solution, tolerance),
    )


def _deformed(
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


def _ellipses(
    discrete: DiscreteBody, equations: AffineEquations, speeds: Array, unbalance: Sequence[Unbalance], axis: Array
) -> HarmonicProblem:
    """P(iΩ, Ω)ŵ = Ω²(f₁ − if₂) in axes of space: Re(ŵe^{iΩt}) with f₂ a quarter of a turn ahead of f₁."""
    ahead = [replace(each, angle=each.angle + np.pi / 2) for each in unbalance]
    vectors = [unbalance_vector(discrete, each, axis) for each in (unbalance, ahead)]
    return HarmonicProblem(
        equations,
        np.column_stack([discrete.supports.reduce_vector(vector) for vector in vectors]),
        [
            Sample(1j * float(speed), float(speed), (float(speed) ** 2, -1j * float(speed) ** 2))
            for speed in speeds
        ],
        equations.stiffness,
        equations.mass,
    )


def _elliptic_response(
    discrete: DiscreteBody,
    terms: Terms,
    speeds: Array,
    sensors: Sequence[str],
    *,
    rows: Array,
    axis: Array,
    solution: "DirectSolution | ProjectedSolution",
    tolerance: float,
) -> FrequencyResponse:
    moved = _marker_displacements(discrete, rows, solution, len(speeds))
    values = np.stack([moved @ direction for direction in across(axis)], axis=2)
    snapshots = peak_samples(values.reshape(len(speeds), -1))
    curves = {
        f"{name} along e{axis + 1}": ResponseCurve("m", values[:, place, axis])
        for place, name in enumerate(sensors)
        for axis in (0, 1)
    }
    return FrequencyResponse(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=_excited(discrete.body, ()),
        over="speed",
        abscissa=speeds,
        excitation="unbalance, synchronous in space; bearings differ in two directions",
        curves=curves,
        snapshots=snapshots,
        shapes=_shapes(discrete, solution, snapshots),
        frame="inertial",
        speed_rad_s=None,
        terms=terms,
        method=solution.method,
        error=solution.error,
        notices=_notices(solution, tolerance),
    )


def _marker_displacements(
    discrete: DiscreteBody,
    rows: Array,
    solution: DirectSolution | ProjectedSolution,
    samples: int,
) -> ComplexArray:
    """û at the marker of each sensor, body axes: (samples, sensors, 3)."""
    expand = discrete.supports.expand
    return np.array([rows @ expand(solution.displacements(k)) for k in range(samples)])


def _excited(body: Body, load: Sequence[HarmonicLoad]) -> Body:
    """The body with what excites it, in place of its loads at rest, as it is drawn."""
    forces = [part for part in load if isinstance(part, HarmonicForce)]
    return replace(body, loads=tuple(NodeForce(part.on, part.force, part.moment) for part in forces))


def _turning(load: Sequence[HarmonicLoad | Unbalance], axis: Array) -> tuple[TurningLoad, ...]:
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


def _solved(
    problem: HarmonicProblem, method: Method, modes: int, tolerance: float
) -> DirectSolution | ProjectedSolution:
    begin_work()
    size = problem.mass.shape[0]
    if method == "direct" or (method == "auto" and size * len(problem.samples) <= _DIRECT) or size <= modes:
        return DirectSolution(problem)
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


def _shapes(
    discrete: DiscreteBody, solution: DirectSolution | ProjectedSolution, snapshots: IntArray
) -> ComplexArray:
    """û at the nodes: (snapshots, nodes, 6)."""
    return np.array(
        [discrete.dofs.nodal(discrete.supports.expand(solution.displacements(int(k)))) for k in snapshots]
    )


def _notices(solution: DirectSolution | ProjectedSolution, tolerance: float) -> tuple[str, ...]:
    if solution.error > tolerance:
        return (f"a residual of {solution.error:.1e} of the answer is left, more than the tolerance asked for",)
    return ()
