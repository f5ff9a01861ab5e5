"""The branches of one set of equations over the speed, whatever they are of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.campbell.speed_branches import is_overdamped
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.results.record import Whirl
from flexframe.spectra.growth import UNSTABLE, growing
from flexframe.spectra.rotation.completeness import Confirmation, confirmation, independent_modes
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed, Reach, solved_crossings
from flexframe.spectra.rotation.directions import Directions
from flexframe.spectra.rotation.free_motions import FreeMotions, translation_modes
from flexframe.spectra.rotation.orbits import Orbits
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import Sweep, sweep
from flexframe.spectra.rotation.stability_limits import stability_limits
from flexframe.spectra.rotation.tracked_modes import TrackedModes, tracked_modes

_COUNTED_EVERYWHERE = 5_000  # unknowns up to which modes are counted at three speeds, above at the fastest
_RPM = 30 / np.pi


@dataclass(frozen=True, eq=False)
class SpinBranches:
    """Branches without the free translations, which decouple, and what they were found with."""

    projection: SpeedProjection
    swept: Sweep
    count: Confirmation
    reach: Reach
    tracked: TrackedModes
    speeds: Array

    def limits(self, grows: BoolArray) -> tuple[float, ...]:
        """Speeds at which branches that grow somewhere become unstable or stable again."""
        among = self.projection.modes + 4
        return stability_limits(self.projection, self.tracked, self.speeds, among, np.any(grows, axis=0))

    def all_growing(self, grows: BoolArray) -> BoolArray:
        """The same with the free translations, which do not grow."""
        return np.hstack([np.zeros((len(self.speeds), self.projection.translations), dtype=bool), grows])


def spin_branches(
    equations: AffineEquations,
    free: FreeMotions,
    speeds: Array,
    modes: int,
    *,
    orders: Sequence[int],
    tolerance: float,
) -> SpinBranches:
    """Follow the lowest modes over the speeds, on a projection that also knows crossings with engine orders."""
    left = equations.size - free.translations.shape[1]
    wanted = min(max(modes - free.translations.shape[1], 1), left)
    watched = min(wanted + max(2, wanted // 4), left)
    projection = SpeedProjection(equations, free, watched, float(np.abs(speeds).max()))
    swept, count = _complete(projection, speeds, wanted, tolerance)
    reach = Reach.of(swept)
    solved_crossings(projection, orders, reach=reach, tolerance=tolerance)
    swept = swept.padded(projection.size)
    return SpinBranches(projection, swept, count, reach, tracked_modes(projection, swept, wanted), speeds)


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


def with_translations(
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


def growing_branches(
    body: DiscreteBody | HarmonicBody, projection: SpeedProjection, tracked: TrackedModes
) -> BoolArray:
    """Where branches grow: (speeds, branches)."""
    values = tracked.eigenvalues
    known, scale = np.isfinite(values.real), float(np.nanmax(np.abs(values)))
    found = np.zeros(known.shape, dtype=bool)
    found[known] = values.real[known] > UNSTABLE * scale
    for k in np.flatnonzero(found.any(axis=1)):
        here = np.flatnonzero(found[k])
        full = body.supports.expand(projection.basis @ tracked.vectors[k][:, here])
        found[k, here] = growing(body, values[k, here], full, scale)
    return found


def branch_labels(
    body: DiscreteBody | HarmonicBody,
    projection: SpeedProjection,
    tracked: TrackedModes,
    words: Callable[[int, ComplexArray, ComplexArray], Sequence[str]],
    *,
    grows: BoolArray,
    orbits: Orbits | None = None,
) -> tuple[str, ...]:
    """What each branch is at the last speed where it is known, and whether it is unstable anywhere.

    `words` say it of eigenvalues and shapes (all dofs) at the speed of a number. Where all that is known of a
    branch are negative real eigenvalues, it is overdamped.
    """
    known = np.isfinite(tracked.eigenvalues.real)
    last = len(known) - 1 - np.argmax(known[::-1], axis=0)
    labels = np.full(known.shape[1], "", dtype=object)
    for k in np.unique(last):
        here = np.flatnonzero(last == k)
        full = body.supports.expand(projection.basis @ tracked.vectors[k][:, here])
        labels[here] = words(int(k), 1j * np.abs(tracked.eigenvalues[k, here]), full)
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


def branch_method(projection: SpeedProjection) -> str:
    """How the branches were found."""
    if projection.whole:
        return f"full equations of {projection.equations.size} unknowns at every speed"
    return f"projection of {projection.equations.size} unknowns on {projection.size} shapes"


def branch_notices(
    projection: SpeedProjection,
    tracked: TrackedModes,
    count: Confirmation,
    *,
    unstable: bool,
) -> tuple[str, ...]:
    """What the reader must know of the branches."""
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


def unmet_tolerance(swept: Sweep, criticals: Sequence[CriticalSpeed], tolerance: float) -> tuple[str, ...]:
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
