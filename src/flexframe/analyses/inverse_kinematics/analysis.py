"""Joint values that bring a tool to a pose."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.inverse_kinematics.record import InverseKinematics, JointValues
from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.analysis import driven_motion
from flexframe.errors import AnalysisError
from flexframe.maths.rotations import rotation_from_vector
from flexframe.model.drives import joint_drive
from flexframe.model.joint_contacts import with_ideal_joints
from flexframe.model.joints import Prismatic
from flexframe.model.rigid_body import rotation_vector
from flexframe.model.system import System
from flexframe.motion.frame import vector3
from flexframe.motion.trajectories import polynomial
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.robots.joint_space import JointSpace, Solution, Target
from flexframe.multibody.robots.tool_drives import following, lost_directions, reach_words
from flexframe.stages import begin_work

_INSTANTS = 61  # of the way from the start to the pose that is shown
_ALTERNATIVES = 16  # other solutions that are kept


@judge
def inverse_kinematics(
    system: System,
    tool: str,
    position: ArrayLike,
    *,
    rotation: ArrayLike | None = None,
    joints: Sequence[str] | None = None,
    starts: int = 16,
    nearest: bool = False,
) -> InverseKinematics:
    """Values of joints that bring a tool to a place, and turn it as asked.

    Parameters
    ----------
    system
        A robot, or any system whose joints determine where the tool is; elastic bodies are undeformed.
    tool
        The marker that is to be there.
    position, rotation
        Where it shall be [m] and, if it matters, its rotation vector [rad], both in space axes.
    joints
        Those that may move; if not given all revolute and prismatic ones that nothing drives or leads, or where
        all are driven, these. Others stay as their drives have them.
    starts
        From how many sets of joint values it is sought, the first where the system starts.
    nearest
        Whether the nearest pose is the answer where that one is out of reach; else it is an `AnalysisError`.

    Returns
    -------
    InverseKinematics
        The solution nearest to the start, with others, within the limits of the system.

    Examples
    --------
    >>> arm = ff.System(
    ...     [ff.RigidBody.rod("one", length=1.0, mass=1.0), ff.RigidBody.rod("two", length=1.0, mass=1.0)],
    ...     [ff.Revolute("A", "ground", "one"), ff.Revolute("B", "one.end", "two.start")],
    ...     start={"two": ff.Placement([1, 0], [0, 0, 1.0])},
    ... )
    >>> found = ff.robots.inverse_kinematics(arm, "two.end", (1.0, 1.0))
    >>> [round(abs(float(value)), 6) for value in found.values]  # flat and then up, elbow right
    [0.0, 1.570796]
    """
    space, target, words = _question(system, tool, position, rotation, joints)
    begin_work()
    found = space.solutions(target, starts)
    best = found[0]
    if not nearest:
        _require_reached(space, target, best)
    notices = [*words]
    if not best.reached:
        notices.append(reach_words(space, target, best))
    lost = lost_directions(space, target, best)
    if lost and best.reached:
        notices.append(lost)
    redundant = len(space.joints) - len(space.wanted_components(target))
    if redundant > 0:
        notices.append(
            f"{redundant} joint{'s' if redundant > 1 else ''} more than the pose needs: the values next to those "
            "of the start are given"
        )
    return _record(space, target, found, tuple(notices))


def check_pose(
    system: System,
    tool: str,
    position: ArrayLike,
    *,
    rotation: ArrayLike | None,
    joints: Sequence[str] | None,
    starts: int,
    nearest: bool,
) -> None:
    """Refuse what `inverse_kinematics` would refuse; a pose that is met from one start is enough."""
    space, target, _ = _question(system, tool, position, rotation, joints)
    if not nearest:
        _require_reached(space, target, space.solutions(target, starts, first=True)[0])


def _question(
    system: System,
    tool: str,
    position: ArrayLike,
    rotation: ArrayLike | None,
    joints: Sequence[str] | None,
) -> tuple[JointSpace, Target, tuple[str, ...]]:
    """Joints without play, stops and locks, where the tool shall be, and words about the first."""
    target = Target(vector3(position, "position"), _axes(rotation))
    ideal, words = with_ideal_joints(system)
    return JointSpace(ideal, tool, joints), target, words


def _require_reached(space: JointSpace, target: Target, best: Solution) -> None:
    if not best.reached:
        raise AnalysisError(reach_words(space, target, best), field="position")


def _axes(rotation: ArrayLike | None) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None":
    return None if rotation is None else rotation_from_vector(rotation_vector(rotation))


def _record(
    space: JointSpace, target: Target, found: Sequence[Solution], notices: tuple[str, ...]
) -> InverseKinematics:
    best = found[0]
    place, axes = space.pose(best.configuration)
    sizes = np.linalg.svd(
        space.scaled_tool_jacobian(best.configuration, space.wanted_components(target)), compute_uv=False
    )
    count = 2 if space.mechanism.planar else 3
    return InverseKinematics(
        system=space.described.name,
        tool=space.tool,
        joints=tuple(
            JointValues(joint.name, "m" if isinstance(joint, Prismatic) else "rad", float(value), limits.range)
            for joint, value, limits in zip(space.joints, best.values, space.limits, strict=True)
        ),
        others=np.array([each.values for each in found[1 : 1 + _ALTERNATIVES]]).reshape(-1, len(space.joints)),
        wanted=target.place,
        place=place[0],
        axes=axes[0],
        distance=float(np.linalg.norm(target.place - place[0])),
        turned=float(np.linalg.norm(best.left[count:])),
        reached=best.reached,
        singular_value=float(sizes[-1] / sizes[0]) if sizes[0] else 0.0,
        motion=_way(space, best),
        notices=notices,
    )


def _way(space: JointSpace, best: Solution) -> MechanismMotion:
    """From the start to the pose, all joints together in one second."""
    pairs = zip(space.joints, space.start_values.tolist(), best.values.tolist(), strict=True)
    drives = [joint_drive(joint, polynomial((low, high), duration=1.0)) for joint, low, high in pairs]
    return driven_motion(following(space.system, drives), np.linspace(0.0, 1.0, _INSTANTS))[0]
