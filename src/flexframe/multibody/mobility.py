"""Degrees of freedom, redundant constraints, missing and superfluous drives; by the names of the joints."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import rank
from flexframe.multibody.closure import close_loops, scaled_jacobian
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.states import Configuration


@dataclass(frozen=True)
class Mobility:
    """What the joints leave free at one position.

    `redundant` counts constraints that follow from the others; `redundant_joints` are those that take part.
    """

    degrees_of_freedom: int
    driven: int
    redundant: int
    redundant_joints: tuple[str, ...]

    def notices(self) -> tuple[str, ...]:
        """What the reader of forces must know."""
        if not self.redundant:
            return ()
        return (
            f"{self.redundant} redundant constraint{'s' if self.redundant > 1 else ''} among "
            f"{', '.join(self.redundant_joints)}: the motion and the resultant on each body are unique, "
            "the share of each joint is not; the smallest forces are given",
        )


def mobility(mechanism: Mechanism, c: Configuration, time: float) -> Mobility:
    """Degrees of freedom and redundancy at a configuration (one instant)."""
    constraints = mechanism.constraints
    J = scaled_jacobian(mechanism, constraints, c, time)
    joints = J[0][~mechanism.drive_rows]
    owners = [o for o, drive in zip(constraints.owners, mechanism.drive_rows, strict=True) if not drive]
    if not len(joints):
        return Mobility(mechanism.size, int(mechanism.drive_rows.sum()), 0, ())
    U, s, _ = np.linalg.svd(joints)
    r = rank(s)
    return Mobility(
        mechanism.size - r, int(mechanism.drive_rows.sum()), len(owners) - r, named_rows(U[:, r:], owners)
    )


def require_driven(mechanism: Mechanism, c: Configuration, time: float) -> int:
    """Check that joints and drives fix every coordinate, none twice by a drive; the rank of the constraints."""
    constraints = mechanism.constraints
    J = scaled_jacobian(mechanism, constraints, c, time)
    if not len(constraints.owners):
        raise InputError(
            "the system has neither joints nor drives; kinematics needs drives for every freedom", field="kind"
        )
    U, s, Vt = np.linalg.svd(J[0])
    r = rank(s)
    free = [v for v in Vt[r:] if _moves(mechanism, c, v, time)]
    if free:
        moving = _moving_bodies(mechanism, free)
        count = len(free)
        raise InputError(
            f"{count} degree{'s' if count > 1 else ''} of freedom {'have' if count > 1 else 'has'} no drive: "
            f"{', '.join(moving)} can still move; add a drive, or compute the motion from the forces",
            field="kind",
            part=("drives",) if mechanism.system.drives else (),
        )
    if r < mechanism.size:
        involved = ", ".join(named_rows(U[:, r:], constraints.owners))
        raise AnalysisError(
            f"the linkage starts in a singular position (dead point) at t = {time:g} s, constraints of {involved} "
            "depend on each other; start at another time or angle",
            part=constraints.parts.get(named_rows(U[:, r:], constraints.owners)[0], ()) if involved else (),
        )
    idle = [owner for owner in named_rows(U[:, r:], constraints.owners) if _is_drive(mechanism, owner)]
    if idle:
        others = [owner for owner in named_rows(U[:, r:], constraints.owners) if owner not in idle]
        also = f" or free {', '.join(others)}" if others else ""
        raise InputError(
            f"the linkage is driven more than its freedom allows: {' and '.join(idle)} prescribe what already "
            f"follows; remove a drive{also}",
            part=("drives", idle[-1]),
        )
    return r


def named_rows(vectors: Array, owners: Sequence[str]) -> tuple[str, ...]:
    """Owners of the rows that take part in the vectors (rows, k), in their order."""
    if not vectors.size:
        return ()
    weight = np.abs(vectors).max(axis=1)
    chosen = weight > 1e-3 * weight.max()
    return tuple(dict.fromkeys(owner for owner, part in zip(owners, chosen, strict=True) if part))


def _is_drive(mechanism: Mechanism, owner: str) -> bool:
    return any(drive.name == owner for drive in mechanism.system.drives)


def _moves(mechanism: Mechanism, c: Configuration, direction: Array, time: float) -> bool:
    """Whether the linkage can really go that way; at a dead point it only seems so."""
    step = 1e-2 * direction / np.abs(direction).max()
    targets = mechanism.constraints.targets(np.array([time]))
    for sign in (1.0, -1.0):
        away = mechanism.move(c, (sign * step * mechanism.column_scale)[None])
        back, gap = close_loops(mechanism, mechanism.constraints, away, targets)
        apart = np.abs(back.positions - c.positions).max() / mechanism.length
        turned = np.abs(back.rotations - c.rotations).max()
        if np.abs(gap).max() < 1e-9 and max(apart, turned) > 1e-3:
            return True
    return False


def _moving_bodies(mechanism: Mechanism, directions: Sequence[Array]) -> list[str]:
    motion = np.abs(np.array(directions)).reshape(len(directions), mechanism.bodies, -1).max(axis=(0, 2))
    return [name for name, part in zip(mechanism.names, motion, strict=True) if part > 1e-6 * motion.max()]
