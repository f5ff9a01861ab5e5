"""Reduce a body and say how good the reduced body is."""

from collections.abc import Sequence

import numpy as np

from flexframe.analyses.judging import judge
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.reduction.record import Reduction, SpinComparison
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion
from flexframe.reduction.accuracy import Accuracy, accuracy
from flexframe.reduction.attached import AttachedBody, Reference, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.equations import reduced_equations
from flexframe.reduction.expansion import nodal_displacements
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import CraigBampton, ReductionStrategy
from flexframe.stages import begin_work

STATIC_LIMIT = 0.05  # part of a static answer, in energy norm, beyond which a notice is given
MASS_LIMIT = 0.8  # share of the mass that the modes of a clamped body should take along


@judge
def reduction(
    body: Body | DiscreteBody,
    strategy: ReductionStrategy | None = None,
    *,
    interfaces: Sequence[Interface] = (),
    sensors: Sequence[Interface] = (),
    reference: Reference | None = None,
    inertia_shapes: bool = False,
    orthonormal: bool = False,
    motion: FrameMotion = REST,
    count: int | None = None,
    tolerance: float = 0.01,
    wanted_hz: float | None = None,
) -> Reduction:
    """Reduce a body and compare it with the body itself.

    `count` modes are compared (at most 20 unless given), at rest and, if a frame that holds the body rotates, at
    that instant of its motion. `tolerance` is that of frequencies; `wanted_hz` is the highest frequency needed.

    Parameters
    ----------
    body
        A body, described or discretised.
    strategy
        `CraigBampton`, `Guyan` or `Modal`; Craig–Bampton with ten modes if not given.
    interfaces, sensors
        Points where the body is joined, and points that are only recorded.
    reference
        `ClampedFrame` or `MeanAxes`; without it the supports of the body fix it in its frame.
    inertia_shapes
        Whether static shapes of accelerations and spins are added.
    orthonormal
        Whether the fields are combined so that mass and stiffness are diagonal.
    motion
        Frozen motion of the frame, at which frequencies are compared as well.
    count
        Number of compared modes.
    tolerance
        Relative error of frequencies that is accepted.
    wanted_hz
        Highest frequency needed [Hz].

    Returns
    -------
    Reduction
        The reduced body, and frequencies [Hz] of both with errors and bounds.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> record = ff.reduction.reduction(
    ...     blade,
    ...     ff.reduction.CraigBampton(modes=4),
    ...     interfaces=[ff.reduction.Interface("root", "start"), ff.reduction.Interface("tip", "end")],
    ...     reference=ff.reduction.ClampedFrame("root"),
    ... )
    >>> record.full_size, record.reduced.size
    (30, 7)
    """
    if not 0 < tolerance < 1:
        raise InputError(
            f"the tolerance of frequencies is {tolerance:g}; give a part of one, such as 0.01", field="tolerance"
        )
    attached = attach(body, interfaces=interfaces, sensors=sensors, reference=reference)
    basis = reduction_basis(
        attached, strategy or CraigBampton(), inertia_shapes=inertia_shapes, orthonormal=orthonormal
    )
    reduced = reduced_body(attached, basis)
    begin_work()
    quality = accuracy(attached, basis, count=count)
    spinning = None
    if motion.speed and not attached.rigid.shape[1]:  # the frame of mean axes is not driven: its motion is unknown
        spinning = _spinning(attached, reduced, motion, len(quality.modes.full_hz))
    band = quality.modes.band_hz(tolerance)
    return Reduction(
        body=attached.discrete.body.name,
        mesh=attached.discrete.body.mesh,
        model=attached.discrete.body,
        full_size=attached.discrete.supports.size,
        reduced=reduced,
        fields=_normalise(nodal_displacements(attached.discrete, basis, np.eye(basis.size))),
        frequencies_hz=quality.modes.frequencies_hz,
        full_hz=quality.modes.full_hz,
        error_estimates=quality.modes.estimates,
        error_bounds=quality.modes.bounds,
        effective_mass=quality.modes.effective_mass,
        tolerance=tolerance,
        band_hz=band,
        interface_errors=quality.interface_loads,
        inertia_errors=quality.inertia_loads,
        spinning=spinning,
        notices=_notices(attached, quality, tolerance, wanted_hz),
    )


def _spinning(attached: AttachedBody, reduced: ReducedBody, motion: FrameMotion, count: int) -> SpinComparison:
    found = reduced_equations(reduced, motion).eigenvalues()[:count]
    full = modes(attached.discrete, motion, count=count).frequencies_hz[:count]
    return SpinComparison(motion.speed, np.sort(np.abs(found.imag)) / (2 * np.pi), np.sort(full))


def _normalise(fields: Array) -> Array:
    """Basis fields scaled to a largest displacement of 1."""
    largest = np.abs(fields[:, :, :3]).max(axis=(1, 2), initial=0.0)
    return np.asarray(fields / np.where(largest > 0, largest, 1.0)[:, None, None])


def _notices(
    attached: AttachedBody, quality: Accuracy, tolerance: float, wanted_hz: float | None
) -> tuple[str, ...]:
    notices, body = [], attached.discrete.body
    band = quality.modes.band_hz(tolerance)
    if wanted_hz is not None and band < wanted_hz:
        notices.append(
            f"the basis meets modes to {tolerance:.2g} below {band:.4g} Hz only, not up to {wanted_hz:.4g} Hz; "
            "keep more modes"
        )
    for what, errors in (("interface", quality.interface_loads), ("inertia", quality.inertia_loads)):
        bad = {name: error for name, error in errors.items() if error > STATIC_LIMIT}
        if bad:
            worst = max(bad, key=lambda name: bad[name])
            notices.append(
                f"static answers to {len(bad)} of {len(errors)} unit {what} loads lack more than "
                f"{STATIC_LIMIT:.0%} (energy norm), most of all {worst} ({bad[worst]:.0%}); "
                + ("add inertia shapes" if what == "inertia" else "use attachment modes, or more modes")
            )
    if not attached.rigid.shape[1]:
        shares = quality.modes.effective_mass.sum(axis=0)[:3]
        moving = attached.discrete.supports.reduce_vector(attached.discrete.inertia.origin_coupling.T)
        low = [
            f"{axis} ({share:.0%})"
            for axis, share, felt in zip("xyz", shares, moving.T, strict=True)
            if felt.any() and share < MASS_LIMIT
        ]
        if low:
            notices.append(
                f"the compared modes take less than {MASS_LIMIT:.0%} of the mass along {', '.join(low)}"
            )
    if attached.discrete.loads.forces.any() and quality.own_loads > STATIC_LIMIT:
        notices.append(
            f"the static answer to the loads of body {body.name} lacks {quality.own_loads:.0%} (energy norm); "
            "keep more modes"
        )
    return tuple(notices)
