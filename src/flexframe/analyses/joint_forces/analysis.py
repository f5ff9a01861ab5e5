"""Joint forces of a mechanism whose motion is known."""

from numpy.typing import ArrayLike

from flexframe.analyses.joint_forces.record import JointForces
from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.analysis import between_instants, driven_motion
from flexframe.analyses.peak_instants import Seen, peaks_between
from flexframe.analyses.rigid_motion.analysis import idle_loads
from flexframe.given import numbers
from flexframe.maths.arrays import Array
from flexframe.model.joint_contacts import with_ideal_joints
from flexframe.model.system import System
from flexframe.multibody.inverse_dynamics import contact_notices, inverse_dynamics
from flexframe.stages import checking


@judge
def joint_forces(system: System, times: ArrayLike, *, branch: int | None = None) -> JointForces:
    """Forces and moments in all joints, and what the drives must give, at increasing times [s].

    Parameters
    ----------
    system
        Bodies with joints, and drives for every freedom.
    times
        Increasing times [s].
    branch
        Number of the assembly, from 1.

    Returns
    -------
    JointForces
        Forces [N] and moments [N m] of every joint on its second body, in space, over time.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System(
    ...     [crank], [ff.Revolute("A", "ground", "crank")], [ff.AngleDrive("motor", "ground", "crank", "10*t")]
    ... )
    >>> found = ff.joint_forces(system, [0.0, 0.1])
    >>> found.forces.joints["A"].force[0].round(6)  # m ω² L/2 towards the axis
    array([-18.,   0.,   0.])
    """
    t = numbers(times, "times")
    system, ideal = with_ideal_joints(system)
    motion, _ = driven_motion(system, t[:1] if checking() else t, branch, known=t)
    forces = inverse_dynamics(motion)

    def look(instants: Array) -> Seen:
        there = between_instants(motion, instants)
        return Seen(there, inverse_dynamics(there), {})

    return JointForces(
        forces,
        (*motion.notices, *contact_notices(forces), *idle_loads(system), *ideal),
        between=peaks_between(Seen(motion, forces, {}), look),
    )
