"""A mechanism in the coordinates of its driven joints: where a tool is, how it moves with them, and back.

With x(q) the place and rotation of the tool and J = ∂x/∂q, inverse kinematics takes damped steps

    δq = Jᵀ (J Jᵀ + μ)⁻¹ e + (1 − J⁺J) (q₀ − q),      e = (p* − p, log(R* Rᵀ)),

lengths over one length of the system; the second part keeps the joints of a redundant arm next to a posture q₀, so
that q follows from the pose alone. Joints at a limit that would be passed stay there. Elastic bodies are
undeformed, and closed loops, gears and mimicking joints are part of the mechanism: all bodies follow the driven
joints by Newton's method.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexframe.errors import AnalysisError, InputError, at_field
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.null_spaces import solved
from flexframe.maths.rotations import skew, vector_from_rotation
from flexframe.model.drives import Drive, JointLimits, joint_drive
from flexframe.model.joints import Joint, Prismatic, Revolute
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.transmissions.followers import Mimic
from flexframe.multibody.closure import CLOSED, assemble_positions, scale_constraints, scaled_jacobian
from flexframe.multibody.constraints import Targets
from flexframe.multibody.mechanism import Mechanism, mechanism
from flexframe.multibody.mobility import require_driven
from flexframe.multibody.states import Configuration

REACHED = 1e-10
"""Distance from a pose that is met, in lengths of the system and radians."""
SINGULAR = 1e-5
"""Singular value of J beside the largest below which a direction is nearly lost."""

_LONGEST = 0.25  # step of a joint that all bodies follow at once [rad, or lengths of the system]
_ROUNDS = 300
_STILL = 1e-13  # last step of the joints
_NEAR = 1e-4  # distance from a pose within which joints move on to their posture


@dataclass(frozen=True, eq=False)
class Target:
    """Where a tool shall be: its place [m] and, where it matters, its axes; in the plane the place and angle."""

    place: Array  # (3,)
    axes: Array | None = None  # (3, 3)


@dataclass(frozen=True, eq=False)
class Solution:
    """Joint values with the poses that they give."""

    values: Array  # rad or m: (k,)
    configuration: Configuration
    left: Array  # target less pose, in lengths of the system and radians, of the wanted components: (m,)
    held: BoolArray  # joints at a limit that the target would have them pass: (k,)

    @property
    def reached(self) -> bool:
        """Whether the tool is where it shall be."""
        return bool(np.abs(self.left).max(initial=0.0) < 10 * REACHED)


class JointSpace:
    """A system in the coordinates of some of its joints, with a tool at a marker."""

    def __init__(self, system: System, tool: str, joints: Sequence[str] | None = None) -> None:
        self.joints = driven_joints(system, joints)
        with at_field("tool"):
            owner, self.frame = system.frame(tool)
        if owner == GROUND:
            raise InputError(f"the tool {tool} is fixed in space; name a marker of a body", field="tool")
        self.described, self.tool = system, tool
        taken = {(joint.first, joint.second) for joint in self.joints}
        others: list[Drive] = [each for each in system.drives if (each.first, each.second) not in taken]
        bare = mechanism(replace(system, drives=others, initial=()))
        c = assemble_positions(bare, bare.constraints, 0.0)
        self.limits: tuple[JointLimits, ...] = tuple(system.limits_of(joint.name) for joint in self.joints)
        drives = [joint_drive(joint, 0.0) for joint in self.joints]
        self.system = replace(system, drives=[*others, *drives], initial=())
        self.mechanism: Mechanism = mechanism(self.system)
        owners = self.mechanism.constraints.owners
        self.rows = np.array([owners.index(drive.name) for drive in drives], dtype=np.int64)
        self.start_values = self.mechanism.constraints.values(c, np.zeros(1))[0][0, self.rows]
        self.start = self.mechanism.counted_from(c)
        self.body = self.mechanism.names.index(owner)
        self.length = self.mechanism.length
        self.sizes = np.array([self.length if isinstance(j, Prismatic) else 1.0 for j in self.joints])
        self.rank = self._rank()

    def _rank(self) -> int:
        """Of all constraints, where the joints drive all that moves."""
        laws = dict(zip(self.names, self.start_values.tolist(), strict=True))
        drives = [*self.system.drives[: -len(laws)], *(joint_drive(j, laws[j.name]) for j in self.joints)]
        try:
            return require_driven(mechanism(replace(self.system, drives=drives)), self.start, 0.0)
        except InputError as error:
            raise InputError(f"{error}, or name the joints that motors drive", field="joints") from None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the joints."""
        return tuple(joint.name for joint in self.joints)

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper values [rad or m]: (k,) each."""
        low, high = zip(*(each.range for each in self.limits), strict=True)
        return np.array(low), np.array(high)

    # ------------------------------------------------------------------ from joints to the tool

    def configuration(self, values: Array, near: Configuration) -> Configuration:
        """All bodies at joint values (T, k), next to poses that are near."""
        targets = self._targets(values)
        c = near
        for _ in range(30):
            gap, J = scale_constraints(self.mechanism, self.mechanism.constraints, c, targets)
            if np.abs(gap).max() < 0.01 * CLOSED:
                break
            step = solved(J, -gap, self.rank)
            c = self.mechanism.move(c, step * self.mechanism.column_scale)
            if np.abs(step).max() < 1e-15:
                break
        if not np.abs(gap).max() < CLOSED:
            raise AnalysisError("the bodies do not follow the joints: the mechanism is at a dead point")
        return c

    def _targets(self, values: Array) -> Targets:
        found = self.mechanism.constraints.targets(np.zeros(len(values)))
        value = found.value.copy()
        value[:, self.rows] = values
        return Targets(found.times, value, np.zeros_like(value), np.zeros_like(value))

    def pose(self, c: Configuration) -> tuple[Array, Array]:
        """Places (T, 3) and axes (T, 3, 3) of the tool."""
        R = c.rotations[:, self.body]
        return c.positions[:, self.body] + R @ self.frame.point, R @ self.frame.axes

    def jacobian(self, c: Configuration) -> Array:
        """Velocity and angular velocity of the tool for unit rates of the joints, of one instant: (6, k)."""
        size = 3 if self.mechanism.planar else 6
        own = self._following(c).reshape(self.mechanism.bodies, size, -1)[self.body]
        full = np.zeros((6, len(self.rows)))
        full[[0, 1, 5] if size == 3 else list(range(6))] = own
        arm = c.rotations[0, self.body] @ self.frame.point
        full[:3] -= skew(arm) @ full[3:]
        return full

    def _following(self, c: Configuration) -> Array:
        """Coordinates of all bodies for a unit of each joint, of one instant: (n, k)."""
        J = scaled_jacobian(self.mechanism, self.mechanism.constraints, c, 0.0)[0]  # drives held as at the start
        right = np.zeros((len(J), len(self.rows)))
        right[self.rows, np.arange(len(self.rows))] = self.mechanism.row_scale(self.mechanism.constraints)[
            self.rows
        ]
        if J.shape[0] == J.shape[1] == self.rank:
            columns = np.linalg.solve(J, right)
        else:
            columns = solved(np.repeat(J[None], right.shape[1], axis=0), right.T, self.rank).T
        return np.asarray(columns * self.mechanism.column_scale[:, None])

    # ------------------------------------------------------------------ from the tool to joints

    def wanted_components(self, target: Target) -> Array:
        """Numbers of the components of (place, rotation) that a target has."""
        place = [0, 1] if self.mechanism.planar else [0, 1, 2]
        turn = [5] if self.mechanism.planar else [3, 4, 5]
        return np.array(place + (turn if target.axes is not None else []), dtype=np.int64)

    def error(self, target: Target, c: Configuration) -> Array:
        """Target less pose in lengths of the system and radians, of one instant: (6,)."""
        place, axes = self.pose(c)
        turn = np.zeros(3) if target.axes is None else vector_from_rotation(target.axes @ axes[0].T)
        return np.concatenate([(target.place - place[0]) / self.length, turn])

    def scaled_tool_jacobian(self, c: Configuration, wanted: Array) -> Array:
        """J of the wanted components in lengths of the system and radians, for joints in the same: (m, k)."""
        J = self.jacobian(c) * self.sizes
        J[:3] /= self.length
        return np.asarray(J[wanted])

    def solve(self, target: Target, values: Array, near: Configuration, posture: Array | None = None) -> Solution:
        """Joint values that bring the tool to a target, from values on; next to a `posture` where there is choice.

        Where it is out of reach, the values whose pose is nearest.
        """
        wanted, (low, high) = self.wanted_components(target), self.bounds
        q, c = np.clip(values, low, high), near
        if not np.array_equal(q, values):
            c = self._move(values, q, c)
        damping, e = 1e-3, self.error(target, c)[wanted]
        held = np.zeros(len(q), dtype=bool)
        for _ in range(_ROUNDS):
            J = self.scaled_tool_jacobian(c, wanted)
            near_enough = np.abs(e).max(initial=0.0) < _NEAR
            step, held = self._step(J, e, damping, q, posture if near_enough else None)
            longest = float(np.abs(step).max(initial=0.0))
            if longest < _STILL:
                break
            step *= min(1.0, _LONGEST / longest)
            there = np.clip(q + step * self.sizes, low, high)
            try:
                moved = self.configuration(there[None], c)
            except AnalysisError:
                damping *= 10
                continue
            left = self.error(target, moved)[wanted]
            if near_enough or float(left @ left) < float(e @ e):
                gained = 1 - float(left @ left) / max(float(e @ e), 1e-300)
                q, c, e, damping = there, moved, left, max(damping / 5, 1e-15)
                if not near_enough and gained < 1e-12:
                    break  # it comes no nearer
            else:
                damping *= 5
                if damping > 1e10:
                    break
        return Solution(q, c, e, held)

    def _step(
        self, J: Array, e: Array, damping: float, values: Array, posture: Array | None
    ) -> tuple[Array, BoolArray]:
        """δq in lengths and radians, joints at limits held that would pass them."""
        low, high = self.bounds
        held = np.zeros(len(values), dtype=bool)
        for _ in range(len(values) + 1):
            free = J * ~held
            mu = damping * float(e @ e)
            step = free.T @ np.linalg.lstsq(free @ free.T + mu * np.eye(len(e)), e, rcond=1e-14)[0]
            if posture is not None and free.shape[1] > len(e):
                away = np.where(held, 0.0, (posture - values) / self.sizes)
                step += away - np.linalg.pinv(free, rcond=1e-9) @ (free @ away)
            there = values + step * self.sizes
            room = 1e-12 * np.maximum(1.0, np.abs(values))
            outside = ~held & (
                ((values <= low + room) & (there < low - room)) | ((values >= high - room) & (there > high + room))
            )
            if not outside.any():
                break
            held |= outside
        return step, held

    def _move(self, first: Array, last: Array, c: Configuration) -> Configuration:
        """Bodies that follow joints from one set of values to another."""
        far = float((np.abs(last - first) / self.sizes).max(initial=0.0))
        for share in np.linspace(0.0, 1.0, int(np.ceil(far / _LONGEST)) + 1)[1:]:
            c = self.configuration((first + share * (last - first))[None], c)
        return c

    def solutions(self, target: Target, starts: int, *, first: bool = False, seed: int = 0) -> list[Solution]:
        """Solutions from where the system starts and from other values, the nearest first; or the best of none.

        With `first` the search ends with the first of them.
        """
        low, high = self.bounds
        random = np.random.default_rng(seed)
        wide = np.where(np.isfinite(low), low, self.start_values - np.pi * self.sizes)
        far = np.where(np.isfinite(high), high, self.start_values + np.pi * self.sizes)
        found: list[Solution] = []
        best: Solution | None = None
        for k in range(max(starts, 1)):
            values = self.start_values if k == 0 else random.uniform(wide, far)
            try:
                c = self.start if k == 0 else self._move(self.start_values, values, self.start)
                made = self.solve(target, values, c, self.start_values)
            except AnalysisError:  # on the way a loop could not follow
                continue
            if made.reached:
                known = any(self._alike(made.values, each.values) for each in found)
                found += [] if known else [made]
            if best is None or np.linalg.norm(made.left) < np.linalg.norm(best.left):
                best = made
            if first and found:
                break
        if best is None:
            raise AnalysisError("no start could be assembled; give one nearer to the wanted pose", field="start")
        found.sort(key=lambda each: float(np.linalg.norm((each.values - self.start_values) / self.sizes)))
        return found or [best]

    def _alike(self, one: Array, other: Array) -> bool:
        apart = (one - other) / self.sizes
        turning = np.array([isinstance(joint, Revolute) for joint in self.joints])
        apart = np.where(turning, (apart + np.pi) % (2 * np.pi) - np.pi, apart)
        return bool(np.abs(apart).max(initial=0.0) < 1e-4)


def driven_joints(system: System, names: Sequence[str] | None) -> tuple[Joint, ...]:
    """The joints of these names; else all revolute and prismatic ones that nothing drives or leads.

    Where all are driven, these are meant.
    """
    joints = {joint.name: joint for joint in system.joints}
    if names is not None:
        for place, name in enumerate(names):
            if name not in joints:
                raise InputError(unknown("joint", name, list(joints)), field=("joints", place))
            if not isinstance(joints[name], Revolute | Prismatic):
                raise InputError(
                    f"{name} has no single coordinate; name revolute and prismatic joints", field=("joints", place)
                )
        if len(set(names)) < len(names) or not names:
            raise InputError("a joint is named twice, or none is; name each once", field="joints")
        return tuple(joints[name] for name in names)
    follow = {(each.first, each.second) for each in system.joints if isinstance(each, Mimic)}
    driven = {(each.first, each.second) for each in system.drives}
    found = [
        joint
        for joint in system.joints
        if isinstance(joint, Revolute | Prismatic) and (joint.first, joint.second) not in follow
    ]
    free = [joint for joint in found if (joint.first, joint.second) not in driven]
    if not found:
        raise InputError("there is no revolute or prismatic joint that a motor could drive", field="joints")
    return tuple(free or found)
