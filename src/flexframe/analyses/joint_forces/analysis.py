"""Joint forces of a mechanism whose motion is known."""

from numpy.typing import ArrayLike

from flexframe.analyses.joint_forces.record import JointForces
from flexframe.analyses.judging import judged
from flexframe.analyses.kinematics.analysis import kinematics
from flexframe.analyses.rigid_motion.analysis import idle_loads
from flexframe.mechanisms.contacts import contact_notices
from flexframe.mechanisms.inverse_dynamics import inverse_dynamics
from flexframe.model.system import System


@judged
def joint_forces(system: System, times: ArrayLike, *, branch: int | None = None) -> JointForces:
    """Forces and moments in all joints, and what the drives must give, at increasing times [s]."""
    motion = kinematics(system, times, branch=branch).motion
    forces = inverse_dynamics(motion)
    return JointForces(forces, (*motion.notices, *contact_notices(forces), *idle_loads(system)))
