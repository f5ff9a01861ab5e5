"""Campbell diagrams: the modes of a body over its speed of rotation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.analyses.campbell.speed_branches import is_overdamped
from flexframe.analyses.judging import judged
from flexframe.analyses.small_deformation import prestress_notices
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, BoolArray, ComplexArray, IntArray
from flexframe.model.bearings import Bearing
from flexframe.motion.frame import FrameMotion
from flexframe.results.record import Frame, Whirl, thinned
from flexframe.spectra.growth import UNSTABLE, growing
from flexframe.spectra.mode_labels import mode_labels
from flexframe.spectra.rotation.bearings import drawn_springs, require_known
from flexframe.spectra.rotation.completeness import Confirmation, confirmation, independent_modes
from flexframe.spectra.rotation.critical_speeds import (
    CriticalSpeed,
    DampedCriticalSpeed,
    Reach,
    critical_speeds,
    damped_critical_speeds,
    solved_crossings,
)
from flexframe.spectra.rotation.directions import Directions, directions
from flexframe.spectra.rotation.free_motions import free_motions, translation_modes
from flexframe.spectra.rotation.inertial_equations import inertial_equations, lies_on_axis
from flexframe.spectra.rotation.orbits import Orbits, mixed_whirl_notices
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import Sweep, sweep
from flexframe.spectra.rotation.spinning_equations import spinning_equations
from flexframe.spectra.rotation.stability_limits import stability_limits
from flexframe.spectra.rotation.tracked_modes import TrackedModes, tracked_modes
from flexframe.spectra.rotation.waves import waves
from flexframe.stages import begin_work

TOLERANCE = 1e-6
ENGINE_ORDERS = (1, 2, 3, 4)
_COUNTED_EVERYWHERE = 5_000  # unknowns up to which modes are counted at three speeds, above at the fastest
_ROOM = 12_000_000  # numbers that the kept shapes may hold
_PICTURES = 8
_RPM = 30 / np.pi


@judged
def campbell_diagram(
    body: Rotor,
    speeds: ArrayLike,
    *,
    modes: int = 10,
    axis: ArrayLike | None = None,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    engine_orders: Sequence[int] = ENGINE_ORDERS,
    frame: Frame | None = None,
    tolerance: float = TOLERANCE,
) -> CampbellDiagram:
    """Follow the `modes` lowest modes of (λ²M + λC(Ω) + K(Ω))φ = 0 over increasing speeds [rad/s].

    The equations are projected on a basis that grows until every frequency is within the relative tolerance.
    Critical speeds are eigenvalues of their own. The frame is that of the body, or ("inertial", for round shafts
    of beams on their axes) space, where bearings may be of any kind. Where tables of bearings depend on the
    frequency of the motion, the modes are those of the nonlinear problem.

    Parameters
    ----------
    body
        A body, described or discretised, or a train.
    speeds
        Increasing speeds of its frame [rad/s].
    modes
        Number of branches.
    axis
        Axis of rotation in body components; that of the body, or z, if not given.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Bearings beside those of the body.
    engine_orders
        Multiples of the speed whose critical speeds are searched.
    frame
        "rotating" or "inertial"; by default that of shafts with bearings of their own is the inertial one.
    tolerance
        Largest relative error of a frequency by the projection.

    Returns
    -------
    CampbellDiagram
        Frequencies [Hz] by speed and branch, whirl directions and critical speeds [rad/s].

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade",
    ...     length=1.2,
    ...     divisions=8,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> ff.campbell_diagram(blade, [0.0, 20.0, 40.0], modes=1).frequencies_hz[:, 0].round(2)
    array([5.8 , 5.96, 6.39])
    """
    if frame not in (None, "rotating", "inertial"):
        raise InputError(f"'{frame}' is not a frame of a diagram; choose rotating or inertial", field="frame")
    given, orders = check_speeds(speeds), check_orders(engine_orders)
    if modes < 1:
        raise InputError(f"the number of modes is {modes}; ask for at least one", field="modes")
    if not 0 < tolerance < 0.1:
        raise InputError(
            f"the tolerance is {tolerance:g}; give a relative error between 0 and 0.1", field="tolerance"
        )
    model = rotor_model(body, bearings, axis)
    discrete, direction = model.discrete, model.axis
    discrete.require_freedom()
    own = frame or _own_frame(model)
    in_space = own == "inertial"
    known = require_known(model.bearings, given)
    equations = inertial_equations(model, terms=terms) if in_space else spinning_equations(model, terms=terms)
    if equations.depends_on_frequency and not in_space:
        raise InputError(
            "a table of a bearing depends on the frequency of the motion in space; ask for the inertial frame",
            field="frame",
        )
    free = free_motions(model, equations)
    begin_work()
    left = equations.size - free.translations.shape[1]
    wanted = min(max(modes - free.translations.shape[1], 1), left)
    watched = min(wanted + max(2, wanted // 4), left)
    projection = SpeedProjection(equations, free, watched, float(np.abs(given).max()))
    swept, count = _complete(projection, given, wanted, tolerance)
    reach = Reach.of(swept)
    crossed = orders if in_space else (0, *orders)
    solved_crossings(projection, crossed, reach=reach, tolerance=tolerance)
    swept = swept.padded(projection.size)
    tracked = tracked_modes(projection, swept, wanted)
    grows = _growing(discrete, projection, tracked)
    limits = stability_limits(projection, tracked, given, watched + 4, np.any(grows, axis=0))
    forms = None if in_space else waves(discrete, projection.basis, direction)
    seen = None if forms is None else directions(forms, tracked, given)
    tracked, seen = _with_translations(projection, tracked, seen, given)
    grows = np.hstack([np.zeros((len(given), projection.translations), dtype=bool), grows])
    orbits = Orbits(discrete, projection.basis, direction) if in_space else None
    motions = [FrameMotion.spin(float(speed), direction) for speed in given]
    labels = _labels(discrete, projection, tracked, motions, grows=grows, orbits=orbits)
    snapshots, shapes = _shapes(discrete, projection.basis, tracked)
    criticals = critical_speeds(
        projection,
        crossed,
        reach=reach,
        tolerance=tolerance,
        forms=None if seen is None else forms,
        orbits=orbits,
    )
    damped: tuple[DampedCriticalSpeed, ...] = ()
    if in_space and not equations.conservative:
        damped = damped_critical_speeds(projection, tracked, given, orders, orbits=orbits)
    turns = None if seen is None else seen.inertial_whirl
    if orbits is not None:
        turns = tuple(orbits.whirl(vectors, speed) for vectors, speed in zip(tracked.vectors, given, strict=True))
    return CampbellDiagram(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        model=discrete.body,
        bearings=drawn_springs(model.bearings, direction),
        speeds=given,
        axis=direction,
        eigenvalues=tracked.eigenvalues,
        nodal_diameters=None if seen is None else seen.nodal_diameters,
        inertial_frequencies_hz=np.abs(tracked.eigenvalues.imag) / (2 * np.pi)
        if in_space
        else None
        if seen is None
        else seen.inertial_frequencies_hz,
        rotating_whirl=None if seen is None else seen.rotating_whirl,
        inertial_whirl=turns,
        labels=labels,
        errors=tracked.errors,
        guaranteed=swept.guaranteed,
        confirmed=count.confirmed,
        completeness=count.method,
        critical_speeds=criticals,
        damped_critical_speeds=damped,
        stability_limits=limits,
        engine_orders=orders,
        snapshots=snapshots,
        shapes=shapes,
        terms=equations.terms,
        method=_method(projection),
        notices=_stretched(model, projection)
        + _notices(projection, tracked, count, unstable=bool(grows.any()))
        + _unmet(swept, criticals, tolerance)
        + mixed_whirl_notices(turns, given)
        + known,
        frame=own,
    )


def _own_frame(model: RotorModel) -> Frame:
    """Space for shafts with bearings of their own, unless discs that bend have nodes off the axis."""
    if not model.one_speed:
        return "inertial"
    slender = all(lies_on_axis(member.discrete, model.axis) for member in model.members)
    return "inertial" if model.discrete.body.bearings and slender else "rotating"


def check_speeds(speeds: ArrayLike) -> Array:
    """Speeds that increase."""
    given = numbers(speeds, "speeds")
    if not given.size or not np.isfinite(given).all():
        raise InputError("the speeds are not all finite numbers; give one or more in rad/s", field="speeds")
    if (np.diff(given) <= 0).any():
        raise InputError("the speeds do not increase; sort them and give each once", field="speeds")
    return given


def check_orders(orders: Sequence[int]) -> tuple[int, ...]:
    """Engine orders, each once, ascending."""
    for order in orders:
        if int(order) != order or order < 1:
            raise InputError(
                f"engine order {order} is not a whole number from 1 up; leave it out", field="engine_orders"
            )
    return tuple(sorted({int(order) for order in orders}))


def _complete(
    projection: SpeedProjection, speeds: Array, wanted: int, tolerance: float
) -> tuple[Sweep, Confirmation]:
    """Sweep and count; modes that a count misses are sought in the full equations, and the sweep is done again."""
    swept = sweep(projection, speeds, wanted, tolerance)
    by_speed = np.argsort(np.abs(speeds), kind="stable")
    places = [int(by_speed[-1])]
    definite = (
        projection.equations.conservative and not projection.free.others.size and not projection.translations
    )
    if definite and projection.equations.size <= _COUNTED_EVERYWHERE:
        places = sorted({int(by_speed[0]), int(by_speed[len(speeds) // 2]), int(by_speed[-1])})
    answers: list[Confirmation] = []
    for place in places:
        for _ in range(3):
            answer = confirmation(projection, swept.modes[place], wanted)
            if answer.confirmed is not False:
                break
            count = min(wanted + projection.translations + 4, projection.equations.size)
            directions_, _ = independent_modes(projection.equations, float(speeds[place]), count)
            projection.extend(directions_)
            swept = sweep(projection, speeds, wanted, tolerance)
        answers.append(answer)
    verdicts = {answer.confirmed for answer in answers}
    confirmed = False if False in verdicts else None if None in verdicts else True
    where = ", ".join(f"{speeds[place] * _RPM:.6g}" for place in places)
    return swept, Confirmation(confirmed, f"{answers[-1].method} at {where} rpm")


def _with_translations(
    projection: SpeedProjection, tracked: TrackedModes, seen: Directions | None, speeds: Array
) -> tuple[TrackedModes, Directions | None]:
    """Put the free translations, which decouple, before the other branches."""
    count = projection.translations
    if not count:
        return tracked, seen
    translations = projection.small.block(slice(0, count))
    values = np.empty((len(speeds), count), dtype=complex)
    vectors = np.zeros((len(speeds), projection.size, count), dtype=complex)
    for k, speed in enumerate(speeds):
        values[k], vectors[k, :count] = translation_modes(translations, float(speed))
    joined = TrackedModes(
        np.hstack([values, tracked.eigenvalues]),
        np.concatenate([vectors, tracked.vectors], axis=2),
        np.hstack([np.zeros(values.shape), tracked.errors]),
        tracked.doubtful,
    )
    if seen is None:
        return joined, None
    # at rest in space, whatever the speed
    blank: tuple[Whirl, ...] = tuple("" for _ in range(count))
    moving = values.imag > 1e-12 * np.abs(speeds)[:, None]
    return joined, Directions(
        tuple(int(flag) for flag in moving[-1]) + seen.nodal_diameters,
        np.hstack([np.zeros(values.shape), seen.inertial_frequencies_hz]),
        tuple(
            (*("backward" if flag else "" for flag in flags), *row)
            for flags, row in zip(moving, seen.rotating_whirl, strict=True)
        ),
        tuple((*blank, *row) for row in seen.inertial_whirl),
    )


def _growing(discrete: DiscreteBody, projection: SpeedProjection, tracked: TrackedModes) -> BoolArray:
    """Where branches grow: (speeds, branches)."""
    values = tracked.eigenvalues
    known, scale = np.isfinite(values.real), float(np.nanmax(np.abs(values)))
    found = np.zeros(known.shape, dtype=bool)
    found[known] = values.real[known] > UNSTABLE * scale
    for k in np.flatnonzero(found.any(axis=1)):
        here = np.flatnonzero(found[k])
        full = discrete.supports.expand(projection.basis @ tracked.vectors[k][:, here])
        found[k, here] = growing(discrete, values[k, here], full, scale)
    return found


def _labels(
    discrete: DiscreteBody,
    projection: SpeedProjection,
    tracked: TrackedModes,
    motions: Sequence[FrameMotion],
    *,
    grows: BoolArray,
    orbits: Orbits | None,
) -> tuple[str, ...]:
    """What each branch is at the last speed where it is known, and whether it is unstable anywhere.

    Where all that is known of a branch are negative real eigenvalues, it is overdamped.
    """
    known = np.isfinite(tracked.eigenvalues.real)
    last = len(motions) - 1 - np.argmax(known[::-1], axis=0)
    labels = np.full(known.shape[1], "", dtype=object)
    for k in np.unique(last):
        here = np.flatnonzero(last == k)
        full = discrete.supports.expand(projection.basis @ tracked.vectors[k][:, here])
        labels[here] = mode_labels(discrete, 1j * np.abs(tracked.eigenvalues[k, here]), full, motions[k])
        if orbits is not None:
            straight = orbits.labels(tracked.vectors[k][:, here])
            labels[here] = [label or name for label, name in zip(labels[here], straight, strict=True)]
    for b in np.flatnonzero(grows.any(axis=0)):
        values = tracked.eigenvalues[grows[:, b], b]
        word = "divergence" if (np.abs(values.imag) <= UNSTABLE * np.abs(values)).all() else "flutter"
        labels[b] = ", ".join(part for part in (labels[b], word) if part)
    silent = (is_overdamped(tracked.eigenvalues) | ~known).all(axis=0)
    labels[silent & (labels == "")] = "overdamped"
    return tuple(str(label) for label in labels)


def _shapes(discrete: DiscreteBody, basis: Array, tracked: TrackedModes) -> tuple[IntArray, ComplexArray]:
    """Shapes of all branches at a few speeds, each scaled so that its largest displacement is 1 (real)."""
    count, branches = tracked.eigenvalues.shape
    room = max(1, _ROOM // (6 * branches * discrete.body.mesh.node_count))
    snapshots = thinned(count, min(_PICTURES, room)) if room > 1 else np.array([count - 1])
    shapes = np.empty((len(snapshots), branches, discrete.body.mesh.node_count, 6), dtype=complex)
    for place, k in enumerate(snapshots):
        full = discrete.supports.expand(basis @ tracked.vectors[k])
        nodal = np.moveaxis(discrete.dofs.nodal(full), -1, 0)
        flat = nodal[:, :, :3].reshape(branches, -1)
        largest = flat[np.arange(branches), np.argmax(np.abs(flat), axis=1)]
        shapes[place] = nodal / np.where(largest == 0, 1.0, largest)[:, None, None]
    return snapshots, shapes


def _stretched(model: RotorModel, projection: SpeedProjection) -> tuple[str, ...]:
    """What is said of the stress that the fastest rotation makes in the members."""
    return tuple(
        notice
        for member in model.members
        for notice in prestress_notices(
            member.discrete,
            FrameMotion.spin(member.ratio * projection.fastest, model.axis),
            projection.equations.terms,
        )
    )


def _method(projection: SpeedProjection) -> str:
    if projection.whole:
        return f"full equations of {projection.equations.size} unknowns at every speed"
    return f"projection of {projection.equations.size} unknowns on {projection.size} shapes"


def _notices(
    projection: SpeedProjection,
    tracked: TrackedModes,
    count: Confirmation,
    *,
    unstable: bool,
) -> tuple[str, ...]:
    terms, notices = projection.equations.terms, []
    if terms.geometric == 0:
        notices.append(
            "geometric stiffness is off on a spinning body: the stress of rotation is left out, and softening "
            "without it can show divergence that does not exist"
        )
    if not terms.physical:
        changed = [name for name in ("coriolis", "centrifugal", "geometric") if getattr(terms, name) != 1]
        listed = ", ".join(f"{name} {getattr(terms, name):g}" for name in changed)
        notices.append(f"not the complete physics: term multipliers {listed}")
    if count.confirmed is False:
        notices.append("a count of the modes shows that some are missing; ask for more modes or a smaller range")
    for low, high in tracked.doubtful:
        notices.append(
            f"between {low * _RPM:.6g} and {high * _RPM:.6g} rpm it is not beyond doubt which branch continues "
            "which"
        )
    if np.isnan(tracked.eigenvalues.real).any():
        notices.append("branches are shown only where they are among the modes asked for or little above them")
    if not projection.equations.conservative:
        notices.append("critical speeds are those of the undamped body")
    if unstable:
        notices.append("the body is unstable (positive real part) at some of the speeds")
    return tuple(notices)


def _unmet(swept: Sweep, criticals: Sequence[CriticalSpeed], tolerance: float) -> tuple[str, ...]:
    """What is less accurate than it was asked to be."""
    errors = {
        "frequency": swept.worst,
        "critical speed": max((critical.error for critical in criticals), default=0.0),
    }
    return tuple(
        f"a {name} may be off by {error:.1e} of its value, more than the tolerance asked for"
        for name, error in errors.items()
        if error > tolerance
    )
