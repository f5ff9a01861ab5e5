"""A tool that is led along a path: joint motions, what the drives need, and whether limits are kept."""

from collections.abc import Sequence

import numpy as np

from flexframe.analyses.joint_forces.analysis import joint_forces
from flexframe.analyses.judging import judge
from flexframe.analyses.peak_instants import joined_forces
from flexframe.analyses.tool_motion.record import JointNeeds, ToolMotion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.drives import Drive
from flexframe.model.joints import Prismatic
from flexframe.model.system import System
from flexframe.motion.tool_paths import PoseLaw
from flexframe.multibody.robots.tool_drives import JointLaw, JointPath, following, path_of, tool_drives
from flexframe.results.peaks import first_largest

_NEAR_SINGULAR = 0.02  # smallest singular value beside the largest below which joints go far for little


@judge
def tool_motion(
    system: System,
    tool: str | None = None,
    path: PoseLaw | None = None,
    *,
    joints: Sequence[str] | None = None,
    starts: int = 8,
    samples: int = 361,
) -> ToolMotion:
    """Lead a tool along a path: joint motions by inverse kinematics, torques by inverse dynamics, limits checked.

    Parameters
    ----------
    system
        A robot, or any system whose joints determine where the tool is; with loads, elastic bodies undeformed.
    tool, path
        The marker and its path, `ff.motion.ToolPath`; if not given, drives of the system lead a tool already.
    joints
        Those that are driven; all revolute and prismatic ones that nothing drives or leads, if not given.
    starts
        From how many sets of joint values the first pose is sought.
    samples
        Instants of the record.

    Returns
    -------
    ToolMotion
        Joints, speeds and torques over time, how near to their limits they come, and the drives.

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
    >>> found = ff.robots.tool_motion(arm, "two.end", way)
    >>> bool(found.path.deviation < 1e-6)
    True
    """
    if (tool is None) != (path is None):
        raise InputError("tool and path belong together; give both, or drives that lead a tool", field="tool")
    driven = system
    if tool is not None and path is not None:
        driven = following(system, tool_drives(system, tool, path, joints=joints, starts=starts))
    followed = path_of(driven)
    begin, end = followed.span
    times = _instants(followed, samples)
    forces = joint_forces(driven, times)
    instants, found = joined_forces(forces.forces, forces.between)
    needs = tuple(_needs(driven, drive, found[drive.name].values[:, 0], instants) for drive in _own(driven))
    notices = list(forces.notices)
    if followed.redundant > 0:
        notices.append(
            f"{followed.redundant} joint{'s' if followed.redundant > 1 else ''} more than the path needs: joints "
            "stay next to their values at its beginning"
        )
    if followed.singular_value < _NEAR_SINGULAR:
        notices.append(
            f"at t = {followed.singular_at:.4g} s the arm is nearly singular (smallest singular value "
            f"{followed.singular_value:.2g} of the largest): joints go far for little way of the tool"
        )
    notices += [words for each in needs for words in each.violations]
    return ToolMotion(
        system=driven.name,
        path=followed,
        forces=forces,
        joints=needs,
        duration=end - begin,
        drives=tuple(_own(driven)),
        notices=tuple(notices),
    )


def _own(system: System) -> list[Drive]:
    return [drive for drive in system.drives if any(isinstance(law, JointLaw) for law in drive.laws)]


def _instants(path: JointPath, samples: int) -> Array:
    """Evenly spread, with both sides of what jumps left to the search for peaks."""
    return np.linspace(*path.span, max(samples, 2))


def _needs(system: System, drive: Drive, torque: Array, times: Array) -> JointNeeds:
    law = drive.laws[0]
    assert isinstance(law, JointLaw)
    joint = next(each for each in system.joints if each.name == law.joint)
    value, rate, _ = law.jet(times)
    fastest, worst = int(first_largest(np.abs(rate))), int(first_largest(np.abs(torque)))
    return JointNeeds(
        name=joint.name,
        turns=not isinstance(joint, Prismatic),
        lowest=float(value.min()),
        highest=float(value.max()),
        speed=max(law.trajectory.peak(1), float(np.abs(rate).max())),
        speed_at=float(times[fastest]),
        force=float(np.abs(torque).max()),
        force_at=float(times[worst]),
        limits=system.limits_of(joint.name),
    )
