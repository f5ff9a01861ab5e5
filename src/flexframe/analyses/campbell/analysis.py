"""Campbell diagrams: the modes of a body over its speed of rotation."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.analyses.campbell.spin_branches import (
    branch_labels,
    branch_method,
    branch_notices,
    growing_branches,
    spin_branches,
    unmet_tolerance,
    with_translations,
)
from flexframe.analyses.harmonics import chosen_diameters, require_no_diameters, require_own_axis, spin_notices
from flexframe.analyses.judging import judge
from flexframe.analyses.small_deformation import prestress_notices
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody, drawn_displacements, drawn_mesh
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.solver_settings import limited_threads
from flexframe.model.bearings import Bearing
from flexframe.motion.frame import FrameMotion
from flexframe.results.record import Frame, thin
from flexframe.spectra.mode_labels import mode_labels
from flexframe.spectra.rotation.bearings import drawn_springs, require_known
from flexframe.spectra.rotation.critical_speeds import (
    DampedCriticalSpeed,
    critical_speeds,
    damped_critical_speeds,
)
from flexframe.spectra.rotation.directions import directions
from flexframe.spectra.rotation.free_motions import free_motions
from flexframe.spectra.rotation.inertial_equations import inertial_equations, lies_on_axis
from flexframe.spectra.rotation.orbits import Orbits, mixed_whirl_notices
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.spinning_equations import spinning_equations
from flexframe.spectra.rotation.tracked_modes import TrackedModes
from flexframe.spectra.rotation.waves import waves
from flexframe.stages import begin_work

TOLERANCE = 1e-6
ENGINE_ORDERS = (1, 2, 3, 4)
_ROOM = 12_000_000  # numbers that the kept shapes may hold
_PICTURES = 8


@judge
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
    nodal_diameters: Sequence[int] | None = None,
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
    nodal_diameters
        Those of a body of revolution, with so many `modes` each; 0 to 3 if not given.

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
    if isinstance(discrete, SectionBody):
        require_own_axis(discrete.body, direction, "axis")
        if not in_space:
            from flexframe.analyses.campbell.harmonics import harmonic_campbell

            chosen = chosen_diameters(nodal_diameters)
            return harmonic_campbell(
                model, given, terms, modes=modes, diameters=chosen, orders=orders, tolerance=tolerance
            )
        _require_one_diameter(model, nodal_diameters)
    else:
        require_no_diameters(discrete.body, nodal_diameters)
    known = require_known(model.bearings, given)
    equations = inertial_equations(model, terms=terms) if in_space else spinning_equations(model, terms=terms)
    if equations.depends_on_frequency and not in_space:
        raise InputError(
            "a table of a bearing depends on the frequency of the motion in space; ask for the inertial frame",
            field="frame",
        )
    free = free_motions(model, equations)
    begin_work()
    crossed = orders if in_space else (0, *orders)
    with limited_threads():
        found = spin_branches(equations, free, given, modes, orders=crossed, tolerance=tolerance)
    projection, swept, count, reach = found.projection, found.swept, found.count, found.reach
    tracked = found.tracked
    grows = growing_branches(discrete, projection, tracked)
    limits = found.limits(grows)
    forms = None if in_space else waves(discrete, projection.basis, direction)
    seen = None if forms is None else directions(forms, tracked, given)
    tracked, seen = with_translations(projection, tracked, seen, given)
    grows = found.all_growing(grows)
    orbits = Orbits(discrete, projection.basis, direction) if in_space else None

    def words(k: int, values: ComplexArray, full: ComplexArray) -> Sequence[str]:
        return mode_labels(discrete, values, full, FrameMotion.spin(float(given[k]), direction))

    labels = branch_labels(discrete, projection, tracked, words, grows=grows, orbits=orbits)
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
        mesh=drawn_mesh(discrete),
        model=None if isinstance(discrete, SectionBody) else discrete.body,
        bearings=drawn_springs(model.discrete, model.bearings, direction),
        speeds=given,
        axis=direction,
        eigenvalues=tracked.eigenvalues,
        nodal_diameters=(1,) * len(labels)
        if isinstance(discrete, SectionBody)
        else None
        if seen is None
        else seen.nodal_diameters,
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
        method=branch_method(projection),
        notices=_stretch_notices(model, projection)
        + branch_notices(projection, tracked, count, unstable=bool(grows.any()))
        + unmet_tolerance(swept, criticals, tolerance)
        + mixed_whirl_notices(turns, given)
        + known,
        frame=own,
    )


def _require_one_diameter(model: RotorModel, diameters: Sequence[int] | None) -> None:
    """Refuse a diagram in space of other waves than those that bearings hold."""
    body = model.discrete.body
    if diameters is None and model.bearings:
        return
    if diameters is None or chosen_diameters(diameters) != (1,):
        raise InputError(
            f"body {body.name} is axisymmetric: a diagram in space is that of one nodal diameter, in which its "
            "axis moves; give nodal_diameters: [1], or "
            + ("say frame: rotating for the others" if model.bearings else "leave frame out for the others"),
            field="frame" if diameters is None else "nodal_diameters",
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


def _shapes(discrete: DiscreteBody, basis: Array, tracked: TrackedModes) -> tuple[IntArray, ComplexArray]:
    """Shapes of all branches at a few speeds, each scaled so that its largest displacement is 1 (real)."""
    count, branches = tracked.eigenvalues.shape
    room = max(1, _ROOM // (6 * branches * drawn_mesh(discrete).node_count))
    snapshots = thin(count, min(_PICTURES, room)) if room > 1 else np.array([count - 1])
    shapes = np.empty((len(snapshots), branches, drawn_mesh(discrete).node_count, 6), dtype=complex)
    for place, k in enumerate(snapshots):
        full = discrete.supports.expand(basis @ tracked.vectors[k])
        nodal = np.moveaxis(drawn_displacements(discrete, full), -1, 0)
        flat = nodal[:, :, :3].reshape(branches, -1)
        largest = flat[np.arange(branches), np.argmax(np.abs(flat), axis=1)]
        shapes[place] = nodal / np.where(largest == 0, 1.0, largest)[:, None, None]
    return snapshots, shapes


def _stretch_notices(model: RotorModel, projection: SpeedProjection) -> tuple[str, ...]:
    """What is said of the stress that the fastest rotation makes in the members."""
    if isinstance(model.discrete, SectionBody):
        return spin_notices(model.discrete.waves.section, projection.fastest, projection.equations.terms)
    return tuple(
        notice
        for member in model.members
        for notice in prestress_notices(
            member.discrete,
            FrameMotion.spin(member.ratio * projection.fastest, model.axis),
            projection.equations.terms,
        )
    )
