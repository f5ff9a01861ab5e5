"""Balance of forces and moments of every body about its centre of mass, without the tables of flexframe."""

import numpy as np

from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.mechanism import mass_properties


def imbalance(forces, extra=None):
    """Largest m a − ΣF and I ε + ω × Iω − ΣM of any body, relative to the largest of the joints.

    `extra` maps a body to a list of (point, force, moment), each (T, 3), for loads besides gravity.
    """
    motion = forces.motion
    system = motion.mechanism.system
    masses = mass_properties(system.bodies)
    worst = 0.0
    largest = max(float(max(np.abs(f.force).max(), np.abs(f.moment).max())) for f in forces.joints.values())
    for k, body in enumerate(system.bodies):
        moving = motion.body(body.name)
        m, c, I_O = masses.mass[k], masses.centre[k], masses.inertia[k]
        I_G = I_O - m * (c @ c * np.eye(3) - np.outer(c, c))
        G, _, a = moving.point(c)
        force, moment = np.zeros((len(motion.times), 3)), np.zeros((len(motion.times), 3))
        for load in system.loads:
            if isinstance(load, SystemGravity):
                force += m * np.array((*load.acceleration, 0.0)[:3])
            elif isinstance(load, MarkerForce):
                raise NotImplementedError
        for point, f, n in (extra or {}).get(body.name, ()):
            force, moment = force + f, moment + n + np.cross(point - G, f)
        for link in forces.joints.values():
            for owner, sign in ((link.second, 1.0), (link.first, -1.0)):
                if owner == body.name:
                    force = force + sign * link.force
                    moment = moment + sign * (link.moment + np.cross(link.places - G, link.force))
        for t in range(0, len(motion.times), 7):
            R, w, e = moving.rotations[t], moving.angular_velocities[t], moving.angular_accelerations[t]
            I_space = R @ I_G @ R.T
            left = [m * a[t] - force[t], I_space @ e + np.cross(w, I_space @ w) - moment[t]]
            if motion.mechanism.planar:  # only the constraints of the plane are forces there
                left = [left[0][:2], left[1][2:]]
            worst = max(worst, *(float(np.abs(part).max()) for part in left))
    return worst / largest
