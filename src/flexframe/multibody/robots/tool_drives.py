"""Drives of joints that lead a tool along a path: inverse kinematics at many instants, and laws through them.

Between two instants at which the path has no smooth derivatives, joint values are the quintic spline through
solutions at equal times; more of them are taken until the tool is on the path between them, too. Where sections
meet the speed is one, the acceleration may jump as that of the path does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import DEGREE, Pieces, spline_pieces
from flexframe.maths.rotations import vector_from_rotation
from flexframe.model.drives import Drive, joint_drive
from flexframe.model.joints import Prismatic
from flexframe.model.system import System
from flexframe.motion.tool_paths import PoseLaw
from flexframe.motion.trajectories import Trajectory
from flexframe.multibody.kinematics import stack
from flexframe.multibody.mobility import named_rows
from flexframe.multibody.robots.joint_space import SINGULAR, JointSpace, Solution, Target
from flexframe.multibody.states import Configuration

_FEWEST, _MOST = 12, 768  # solutions of a section, from one to the next
_HALVINGS = 16  # of the time in which the end of a path that can be followed is sought
_ON_PATH = 1e-7  # distance between solutions, in lengths of the system and radians, that is enough


@dataclass(frozen=True, eq=False)
class JointPath:
    """Joint values that lead a tool along a path, as laws of time."""

    joints: tuple[str, ...]
    tool: str
    path: PoseLaw
    laws: tuple[Trajectory, ...]
    deviation: float  # of the tool from the path between solutions, at most [m]
    turned: float  # the same of its orientation [rad]
    solutions: int
    singular_value: float  # smallest of J beside the largest along the path, lengths and angles alike
    singular_at: float  # s
    redundant: int  # joints more than the pose needs

    @property
    def span(self) -> tuple[float, float]:
        """Beginning and end [s]."""
        return float(self.path.breaks[0]), float(self.path.breaks[-1])


@dataclass(frozen=True, eq=False)
class JointLaw:
    """The law of one joint of a path."""

    of: JointPath
    joint: str

    @cached_property
    def trajectory(self) -> Trajectory:
        """Its polynomials over time."""
        return self.of.laws[self.of.joints.index(self.joint)]

    @property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        return self.trajectory.pieces

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        """Value, rate and second derivative."""
        return self.trajectory.jet(times)


def tool_drives(
    system: System,
    tool: str,
    path: PoseLaw,
    *,
    joints: Sequence[str] | None = None,
    starts: int = 8,
    name: str = "",
) -> list[Drive]:
    """Drives of joints that lead a tool along a path.

    Parameters
    ----------
    system
        A robot, or any system whose joints determine where the tool is. It begins near where it starts.
    tool
        The marker that is led.
    path
        `ff.motion.ToolPath`, or another law of poses.
    joints
        Those that are driven; all revolute and prismatic ones that neither follow another nor are driven, if not
        given.
    starts
        How many sets of joint values the first pose is sought from.
    name
        Before the names of the joints in those of the drives.

    Returns
    -------
    list of Drive
        One for each joint; `replace(system, drives=drives)` follows the path.

    Examples
    --------
    >>> arm = ff.System(
    ...     [ff.RigidBody.rod("one", length=1.0, mass=1.0), ff.RigidBody.rod("two", length=1.0, mass=1.0)],
    ...     [ff.Revolute("A", "ground", "one"), ff.Revolute("B", "one.end", "two.start")],
    ...     start={"two": ff.Placement([1, 0], [0, 0, 1.0])},
    ... )
    >>> way = ff.motion.ToolPath(
    ...     ff.motion.ToolPose((1.2, 0.8)),
    ...     [ff.motion.Line(ff.motion.ToolPose((1.2, -0.2)))],
    ...     lambda ways: ff.motion.polynomial(ways, duration=2.0),
    ... )
    >>> [drive.name for drive in ff.drives.tool_drives(arm, "two.end", way)]
    ['drive of A', 'drive of B']
    """
    space = JointSpace(system, tool, joints)
    found = joint_path(space, path, starts)
    return [
        joint_drive(joint, JointLaw(found, joint.name), f"{name} {joint.name}" if name else "")
        for joint in space.joints
    ]


def joint_path(space: JointSpace, path: PoseLaw, starts: int = 8) -> JointPath:
    """Joint laws that lead the tool of a space along a path; AnalysisError where it cannot follow."""
    if space.mechanism.planar and np.abs(path.position(path.breaks)[:, 2]).max() > 0:
        raise InputError("the path leaves the x–y plane, in which the system moves; give two components")
    return _Follower(space, path).find(starts)


@dataclass(frozen=True, eq=False)
class _Section:
    """Solutions at equal times of a smooth part of a path."""

    times: Array  # (T,)
    values: Array  # (T, k)
    configurations: tuple[Configuration, ...]

    def spline(self, ends: Array | None = None) -> tuple[Array, Array]:
        """Breaks and coefficients (joints, pieces, 8) through the solutions, with given speeds at both ends."""
        from scipy.interpolate import make_interp_spline  # takes a third of a second to import

        scale = float(self.times[-1] - self.times[0]) / (len(self.times) - 1)
        tau = (self.times - self.times[0]) / scale
        plain = make_interp_spline(tau, self.values, k=5)
        if ends is not None:
            bends = plain(tau[[0, -1]], 2)
            rows = [[(1, ends[k] * scale), (2, bends[k])] for k in (0, 1)]
            plain = make_interp_spline(tau, self.values, k=5, bc_type=(rows[0], rows[1]))  # type: ignore[arg-type]
        made = [spline_pieces(plain.t, column, 5) for column in np.atleast_2d(plain.c.T)]
        powers = scale ** np.arange(DEGREE + 1)
        return self.times[0] + scale * made[0][0], np.array([rows for _, rows in made]) / powers

    def speeds(self) -> Array:
        """At its beginning and its end: (2, k)."""
        breaks, rows = self.spline()
        h = breaks[-1] - breaks[-2]
        last = (rows[:, -1, 1:] * np.arange(1, DEGREE + 1)) @ h ** np.arange(DEGREE)
        return np.array([rows[:, 0, 1], last])


class _Follower:
    def __init__(self, space: JointSpace, path: PoseLaw) -> None:
        self.space, self.path = space, path
        self.worst = (np.inf, 0.0)  # smallest singular value, and when

    def find(self, starts: int) -> JointPath:
        begin = float(self.path.breaks[0])
        first = self.space.solutions(self._target(begin), starts)[0]
        if not first.reached:
            raise self._out_of_reach(first, begin)
        self.posture = first.values
        sections, last = [], first
        for span in pairwise(self.path.breaks.tolist()):
            made = self._section(span, last)
            sections.append(made)
            last = Solution(made.values[-1], made.configurations[-1], last.left, last.held)
        deviations = np.array([self._deviation(section) for section in sections]).max(axis=0)
        needed = len(self.space.wanted_components(self._target(begin)))
        return JointPath(
            self.space.names,
            self.space.tool,
            self.path,
            self._laws(sections),
            float(deviations[0]),
            float(deviations[1]),
            sum(len(section.times) for section in sections),
            *self.worst,
            len(self.space.joints) - needed,
        )

    def _target(self, time: float) -> Target:
        t = np.array([time])
        return Target(self.path.position(t)[0], self.path.rotation(t)[0] if self.path.turns else None)

    # ------------------------------------------------------------------ solutions along a section

    def _section(self, span: tuple[float, float], first: Solution) -> _Section:
        """As many solutions as bring the tool on the path between them."""
        count, made = _FEWEST, None
        while True:
            made = self._solve(span, first, count)
            size = np.array([self.space.length, 1.0])
            if (self._deviation(made) < _ON_PATH * size).all() or 2 * count > _MOST:
                return made
            count *= 2

    def _solve(self, span: tuple[float, float], first: Solution, count: int) -> _Section:
        times = np.linspace(*span, count + 1)
        values, configurations = [first.values], [first.configuration]
        for time in times[1:].tolist():
            guess = values[-1] if len(values) < 3 else 3 * values[-1] - 3 * values[-2] + values[-3]
            target = self._target(time)
            try:
                c = self.space.configuration(guess[None], configurations[-1])
                made = self.space.solve(target, guess, c, self.posture)
            except AnalysisError:
                made = self.space.solve(target, values[-1], configurations[-1], self.posture)
            if not made.reached or self._jumps(made, values[-1]):
                here = Solution(values[-1], configurations[-1], first.left, first.held)
                raise self._lost(here, float(times[len(values) - 1]), made, time)
            self._watch(made, time)
            values.append(made.values)
            configurations.append(made.configuration)
        return _Section(times, np.array(values), tuple(configurations))

    def _watch(self, made: Solution, time: float) -> None:
        J = self.space.scaled_tool_jacobian(made.configuration, self.space.wanted_components(self._target(time)))
        sizes = np.linalg.svd(J, compute_uv=False)
        smallest = float(sizes[-1] / sizes[0]) if len(sizes) == len(J) else 0.0
        if smallest < self.worst[0]:
            self.worst = smallest, time

    def _deviation(self, section: _Section) -> Array:
        """Largest distance [m] and angle [rad] of the tool from the path in the middle between solutions: (2,)."""
        middle = (section.times[1:] + section.times[:-1]) / 2
        breaks, rows = section.spline()
        place = np.clip(np.searchsorted(breaks, middle, side="right") - 1, 0, len(breaks) - 2)
        tau = middle - breaks[place]
        values = np.einsum("kpi,pi->pk", rows[:, place], tau[:, None] ** np.arange(DEGREE + 1))
        near = stack(section.configurations[:-1])
        places, axes = self.space.pose(self.space.configuration(values, near))
        apart = np.linalg.norm(places - self.path.position(middle), axis=1).max()
        if not self.path.turns:
            return np.array([apart, 0.0])
        turned = vector_from_rotation(self.path.rotation(middle) @ np.swapaxes(axes, 1, 2))
        return np.array([apart, np.linalg.norm(turned, axis=1).max()])

    # ------------------------------------------------------------------ laws, and what goes wrong

    def _laws(self, sections: Sequence[_Section]) -> tuple[Trajectory, ...]:
        """One trajectory for each joint; at rest at both ends where the path is."""
        speeds = np.array([section.speeds() for section in sections])  # (sections, 2, k)
        joined = (speeds[:-1, 1] + speeds[1:, 0]) / 2
        speeds[:-1, 1], speeds[1:, 0] = joined, joined
        rest = [self._rests(float(self.path.breaks[end]), sections[end]) for end in (0, -1)]
        speeds[0, 0] *= not rest[0]
        speeds[-1, 1] *= not rest[1]
        made = [section.spline(own) for section, own in zip(sections, speeds, strict=True)]
        breaks = np.concatenate([made[0][0][:1], *(each[0][1:] for each in made)])
        rows = np.concatenate([each[1] for each in made], axis=1)
        values = (sections[0].values[0], sections[-1].values[-1])
        return tuple(
            Trajectory(
                breaks,
                rows[k],
                (
                    (float(values[0][k]), float(speeds[0, 0, k])),
                    (float(values[1][k]), float(speeds[-1, 1, k])),
                ),
            )
            for k in range(len(self.space.joints))
        )

    def _rests(self, time: float, section: _Section) -> bool:
        """Whether the tool is at rest at an end of the path."""
        h = 1e-6 * (section.times[-1] - section.times[0])
        inside = time + h if time == section.times[0] else time - h
        apart = np.linalg.norm(np.diff(self.path.position(np.sort([time, inside])), axis=0)) / h
        mean = np.linalg.norm(np.diff(self.path.position(section.times), axis=0), axis=1).sum()
        return bool(apart <= 1e-4 * mean / (section.times[-1] - section.times[0]) or not mean)

    def _jumps(self, made: Solution, values: Array) -> bool:
        """Whether joints would turn or slide far at once."""
        return bool(np.abs((made.values - values) / self.space.sizes).max() > np.pi / 2)

    def _out_of_reach(self, made: Solution, time: float) -> AnalysisError:
        words = reach_words(self.space, self._target(time), made)
        return AnalysisError(f"at t = {time:.6g} s of the path {words}", field="path")

    def _lost(self, here: Solution, known: float, made: Solution, time: float) -> AnalysisError:
        """The path is followed up to an instant between two; what is beyond it."""
        words, low, high = reach_words(self.space, self._target(time), made), known, time
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            there = self.space.solve(self._target(middle), here.values, here.configuration, self.posture)
            if there.reached and not self._jumps(there, here.values):
                low, here = middle, there
            else:
                high = middle
        return AnalysisError(f"the path is followed up to t = {low:.6g} s; at {time:.6g} s {words}", field="path")


def reach_words(space: JointSpace, target: Target, made: Solution) -> str:
    """Why a pose is not met: how far the nearest one is, which joints are at limits, what is singular."""
    place, _ = space.pose(made.configuration)
    apart = float(np.linalg.norm(target.place - place[0]))
    count = 2 if space.mechanism.planar else 3
    turned = np.degrees(np.abs(made.left[count:])).max(initial=0.0)
    wanted, nearest = (_show(each[:count]) for each in (target.place, place[0]))
    turn = f" and {turned:.3g}° turned" if turned > 1e-4 else ""
    words = (
        f"the tool {space.tool} does not reach {wanted}: the nearest is {nearest}, {apart * 1e3:.4g} mm away{turn}"
    )
    low, high = space.bounds
    held = [
        f"{joint.name} at {value:.5g} {'m' if isinstance(joint, Prismatic) else 'rad'}"
        for joint, value, lower, upper in zip(space.joints, made.values, low, high, strict=True)
        if min(value - lower, upper - value) < 1e-9
    ]
    if held:
        return f"{words}, with {', '.join(held)} at a limit; move the pose, or widen the limits"
    lost = lost_directions(space, target, made)
    if lost:
        return f"{words}; {lost}; choose another pose or path"
    if made.reached:
        return f"{words}: the joints would jump to another assembly; begin elsewhere, or go another way round"
    return f"{words}; move the pose, or the base of the robot, or begin nearer to it"


def lost_directions(space: JointSpace, target: Target, made: Solution) -> str:
    """In which direction the tool cannot move, and which joints turn without moving it; nothing if all is well."""
    wanted = space.wanted_components(target)
    J = space.scaled_tool_jacobian(made.configuration, wanted)
    U, sizes, Vt = np.linalg.svd(J)
    if len(sizes) == len(J) and sizes[-1] > SINGULAR * sizes[0]:
        return ""
    idle = ", ".join(named_rows(Vt[len(J) - 1 : len(J)].T, space.names))
    way = U[:, -1]
    part = way[:3] if np.linalg.norm(way[: min(3, len(way))]) > 0.5 else way[3:]
    kind = "move along" if len(part) and part is not way[3:] and np.linalg.norm(way[:3]) > 0.5 else "turn about"
    return f"there the arm is singular: it cannot {kind} {_show(part)}, and {idle} move without it"


def _show(vector: Array) -> str:
    return "[" + ", ".join(f"{x + 0.0:.4g}" for x in np.round(vector, 9)) + "]"


def path_of(system: System) -> JointPath:
    """The path that drives of a system follow."""
    found = {id(law.of): law.of for drive in system.drives for law in drive.laws if isinstance(law, JointLaw)}
    if len(found) != 1:
        words = "no drive leads a tool" if not found else "two paths lead tools"
        raise InputError(f"{words}; give drives one entry with tool and path", part=("drives",))
    return next(iter(found.values()))


def following(system: System, drives: Sequence[Drive]) -> System:
    """The system with these drives in the place of others of the same joints."""
    taken = {(each.first, each.second) for each in drives}
    others = [each for each in system.drives if (each.first, each.second) not in taken]
    return replace(system, drives=[*others, *drives])
