"""Assembly of a linkage: positions that satisfy every joint, from a rough start, and how wheels mesh there."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import RANK_TOLERANCE
from flexframe.maths.rotations import rotation_from_vector
from flexframe.model.body import Body
from flexframe.model.constraints import RimHeight, RimSlip, unit
from flexframe.model.joints import Cylindrical, Joint, Revolute
from flexframe.model.system import GROUND, System
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Rack
from flexframe.multibody.constraints import ConstraintSet, Targets
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.states import Configuration, array_poses

CLOSED = 1e-11
"""Largest residual of an assembled linkage, in lengths of the system and radians."""

_ITERATIONS = 200
_LONGEST_STEP = 0.5
_OTHER_STARTS = 40


@dataclass(frozen=True, eq=False)
class Branch:
    """One way to assemble the linkage; branches are numbered by their distance from the rough start."""

    name: str
    configuration: Configuration


def scale_constraints(
    mechanism: Mechanism, constraints: ConstraintSet, c: Configuration, targets: Targets
) -> tuple[Array, Array]:
    """Residuals (T, rows) and Jacobian (T, rows, n) in lengths of the system and radians."""
    s, J = constraints.values(c, targets.times)
    rows = mechanism.row_scale(constraints)
    matrix = constraints.reduce_jacobian(J) * rows[:, None] * mechanism.column_scale
    return constraints.residual(s, targets) * rows, matrix


def scaled_jacobian(mechanism: Mechanism, constraints: ConstraintSet, c: Configuration, time: float) -> Array:
    """Jacobian (T, rows, n) at a time in lengths of the system and radians."""
    _, J = constraints.values(c, np.array([time]))
    return constraints.reduce_jacobian(J) * mechanism.row_scale(constraints)[:, None] * mechanism.column_scale


def close_loops(
    mechanism: Mechanism, constraints: ConstraintSet, c: Configuration, targets: Targets
) -> tuple[Configuration, Array]:
    """Damped Gauss–Newton (Levenberg–Marquardt) from one instant; also the residual that is left: (rows,)."""
    holonomic = constraints.holonomic
    gap, J = scale_constraints(mechanism, constraints, c, targets)
    size, damping = float(gap[0] @ gap[0]), 1e-3
    for _ in range(_ITERATIONS):
        if np.abs(gap).max(initial=0.0) < 0.01 * CLOSED:
            break
        U, s, Vt = np.linalg.svd(J[0][holonomic], full_matrices=False)
        kept = s > RANK_TOLERANCE * s[0]
        along = (U.T @ gap[0][holonomic])[kept]
        mu = damping * size if size > 1e-12 else 0.0
        step = -Vt[kept].T @ (s[kept] / (s[kept] ** 2 + mu) * along)
        longest = np.abs(step).max()
        step *= min(1.0, _LONGEST_STEP / longest) if longest > 0 else 1.0
        trial = mechanism.move(c, (step * mechanism.column_scale)[None])
        new_gap, new_J = scale_constraints(mechanism, constraints, trial, targets)
        new_size = float(new_gap[0] @ new_gap[0])
        if new_size < size:
            stalled = new_size > (1 - 1e-9) * size
            c, gap, J, size, damping = trial, new_gap, new_J, new_size, max(damping / 5, 1e-12)
            if stalled:
                break
        else:
            damping *= 8
            if size < CLOSED**2 or damping > 1e12:
                break
    return c, gap[0]


def assemble_positions(
    mechanism: Mechanism, constraints: ConstraintSet, time: float, start: Configuration | None = None
) -> Configuration:
    """Positions at a time that satisfy the constraints, near the start; other starts are tried when that fails."""
    targets = constraints.targets(np.array([time]))
    rough = start or mechanism.rough_start()
    require_defined(constraints, rough)
    best, gap = close_loops(mechanism, constraints, rough, targets)
    if np.abs(gap).max(initial=0.0) < CLOSED:
        return best
    found = []
    for trial in _scatter(mechanism, rough, _OTHER_STARTS):
        c, left = close_loops(mechanism, constraints, trial, targets)
        if np.abs(left).max(initial=0.0) < CLOSED:
            found.append(c)
        elif np.abs(left).max() < np.abs(gap).max():
            best, gap = c, left
    if found:
        return min(found, key=lambda c: _distance(mechanism, c, rough))
    row = int(np.argmax(np.abs(gap)))
    apart = abs(gap[row])
    shown = f"{apart * mechanism.length * 1e3:.4g} mm" if constraints.lengths[row] else f"{np.degrees(apart):.4g}°"
    raise AnalysisError(
        f"the linkage cannot be assembled at t = {time:g} s: {constraints.owners[row]} stays {shown} apart; "
        "check the lengths of the links, or give a start nearer to the wanted assembly",
        part=constraints.parts.get(constraints.owners[row], ()),
    )


def require_defined(constraints: ConstraintSet, c: Configuration) -> None:
    """Refuse a start at which a constraint has no direction."""
    if not constraints.count:
        return
    s, J = constraints.values(c, np.zeros(c.count))
    finite = np.isfinite(s[0]) & np.isfinite(J[0]).all(axis=(1, 2))
    if finite.all():
        return
    row = int(np.argmin(finite))
    owner = constraints.owners[row]
    why = (
        "its disc lies flat on the plane, so that no point of the rim touches it; give a start in which it "
        "stands, or another axis or normal"
        if isinstance(constraints.entries[row].constraint, RimHeight | RimSlip)
        else "its points coincide, so that it has no direction; give a start in which they are apart"
    )
    raise InputError(f"{owner} has no meaning at the start: {why}", part=constraints.parts.get(owner, ()))


def assembly_branches(
    mechanism: Mechanism, time: float = 0.0, *, starts: int = 200, seed: int = 0
) -> tuple[Branch, ...]:
    """All assemblies found from many starts, for a linkage whose drives fix every coordinate.

    Parameters
    ----------
    mechanism
        A linkage made by `mechanism`.
    time
        Time of the drives [s].
    starts, seed
        How many random starts, and the seed of their generator.

    Returns
    -------
    tuple of Branch
        The assemblies, the one nearest to the described start first.

    Examples
    --------
    >>> crank, coupler = (ff.RigidBody.rod(name, length=0.3, mass=1.0) for name in ("crank", "coupler"))
    >>> joints = [
    ...     ff.Revolute("A", "ground", "crank.start"),
    ...     ff.Revolute("B", "crank.end", "coupler.start"),
    ...     ff.joints.PointOnLine("C", "ground", "coupler.end"),
    ... ]
    >>> system = ff.System([crank, coupler], joints, [ff.AngleDrive("motor", "ground", "crank", 0.5)])
    >>> len(ff.bodies.assembly_branches(ff.bodies.mechanism(system), starts=20))
    2
    """
    constraints = mechanism.constraints
    targets = constraints.targets(np.array([time]))
    rough = mechanism.rough_start()
    found: list[Configuration] = []
    for trial in (rough, *_scatter(mechanism, rough, starts, seed)):
        c, gap = close_loops(mechanism, constraints, trial, targets)
        known = any(_distance(mechanism, c, other) < 1e-6 for other in found)
        if np.abs(gap).max(initial=0.0) < CLOSED and not known:
            found.append(c)
    found.sort(key=lambda c: _distance(mechanism, c, rough))
    return tuple(Branch(f"branch {i + 1}", c) for i, c in enumerate(found))


def _scatter(mechanism: Mechanism, rough: Configuration, count: int, seed: int = 0) -> list[Configuration]:
    """Starts all over the place, the first ones nearer."""
    random = np.random.default_rng(seed)
    starts = []
    for k in range(count):
        reach = min(1.0, (k + 1) / (0.5 * count))
        positions = rough.positions[:, :-1] + reach * mechanism.length * random.uniform(
            -1, 1, size=(1, mechanism.bodies, 3)
        )
        if mechanism.planar:
            assert rough.angles is not None
            positions[..., 2] = 0.0
            angles = rough.angles + reach * random.uniform(-np.pi, np.pi, size=(1, mechanism.bodies))
            starts.append(array_poses(positions, None, angles))
        else:
            vectors = reach * random.uniform(-np.pi, np.pi, size=(1, mechanism.bodies, 3)) / np.sqrt(3)
            starts.append(array_poses(positions, rotation_from_vector(vectors) @ rough.rotations[:, :-1], None))
    return starts


def _distance(mechanism: Mechanism, a: Configuration, b: Configuration) -> float:
    """Largest difference of positions (in lengths of the system) and rotation matrices."""
    apart = np.abs(a.positions - b.positions).max() / mechanism.length
    return float(max(apart, np.abs(a.rotations - b.rotations).max()))


NEARLY_CLOSED = 1e-6
"""Gap that elastic bodies make up for, in lengths of the system and radians."""


def rough_assembly(mechanism: Mechanism, time: float, *, elastic: bool) -> Configuration:
    """Positions that satisfy the joints between undeformed bodies.

    Where bodies are elastic it is enough to be near: places on a mesh lie where its nodes are, and joints that
    rigid bodies could only meet with exact places are met by a small deformation.
    """
    constraints = mechanism.start_constraints
    if elastic and constraints.count:
        targets = constraints.targets(np.array([time]))
        require_defined(constraints, mechanism.rough_start())
        best, gap = close_loops(mechanism, constraints, mechanism.rough_start(), targets)
        if np.abs(gap).max(initial=0.0) < NEARLY_CLOSED:
            return best
    return assemble_positions(mechanism, constraints, time)


_SAME = 1e-9  # distance beside the size of a body that is none


def assembled_joints(ready: Mechanism) -> list[Joint]:
    """The joints of a system, its transmissions as they are where it starts."""
    system = ready.system
    try:
        c = rough_assembly(ready, 0.0, elastic=any(isinstance(body, Body) for body in system.bodies))
    except (InputError, AnalysisError):  # said where the assembly is asked for
        return list(system.joints)
    stretched = ready.forces.values(c)[0][0].tolist() if ready.forces.count else []
    misfits = dict(zip(ready.forces.owners, stretched, strict=True))
    return [
        joint.assemble(_centres(system, joint, c), misfits.get(joint.name, 0.0))
        if isinstance(joint, Transmission)
        else joint
        for joint in system.joints
    ]


def _centres(system: System, joint: Transmission, c: Configuration) -> tuple[Array, Array] | None:
    """Where both markers are in the axes of the carrier; none where bearings do not hold wheels there."""
    carrier = getattr(joint, "carrier", GROUND)
    wheels = (joint.first,) if isinstance(joint, Rack) else (joint.first, joint.second)
    if not all(_is_held(system, wheel, carrier) for wheel in wheels):
        return None
    number = {body.name: k for k, body in enumerate(system.bodies)} | {GROUND: len(system.bodies)}

    def place(marker: str) -> Array:
        (owner, at), (other, frame) = system.frame(marker), system.frame(carrier)
        a, b = number[owner], number[other]
        there = c.positions[0, a] + c.rotations[0, a] @ at.point
        origin = c.positions[0, b] + c.rotations[0, b] @ frame.point
        return np.asarray((c.rotations[0, b] @ frame.axes).T @ (there - origin))

    return place(joint.first), place(joint.second)


def _is_held(system: System, marker: str, carrier: str) -> bool:
    """Whether a bearing at a marker holds it in the carrier, or in a body that turns there in the carrier."""
    holder = system.frame(carrier)[0]
    for other, at in _bearings(system, marker):
        if other == holder:
            return True
        if any(body == holder for body, _ in _bearings(system, at)):
            return True
    return False


def _bearings(system: System, marker: str) -> Iterator[tuple[str, str]]:
    """Bearings on whose axis a marker lies: the other body, and the marker on it."""
    owner, frame = system.frame(marker)
    for joint in system.joints:
        if not isinstance(joint, Revolute | Cylindrical):
            continue
        for own, other in ((joint.first, joint.second), (joint.second, joint.first)):
            body, at = system.frame(own)
            if body != owner:
                continue
            axis = at.axes @ unit(joint.axis, "axis")
            off = np.cross(axis, frame.point - at.point)
            if np.linalg.norm(off) <= _SAME * (1.0 + np.linalg.norm(at.point)):
                yield system.frame(other)[0], other
