"""Forces inside an elastic body of a coupled motion: weight, inertia and line loads."""

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.assembly.interior_forces import DeformationInertia, InteriorForces
from flexframe.maths.rotations import skew
from flexframe.model.constraints import time_law
from flexframe.multibody.contract import BodyHistory, Simulation


def interior_forces(part: ElasticPart, body: BodyHistory, run: Simulation) -> InteriorForces:
    """Forces per mass inside an elastic body at every instant of a motion, in its axes."""
    back = np.swapaxes(body.rotations, 1, 2)
    omega = np.einsum("tij,tj->ti", back, body.angular_velocities)
    epsilon = np.einsum("tij,tj->ti", back, body.angular_accelerations)
    W = skew(omega)
    gravity = run.system.mechanism.gravity_at(run.times, run.signals)
    weight = np.einsum("tij,tj->ti", back, gravity - body.accelerations)
    line = None
    own, way = part.discrete.loads, part.own_loads
    if way is None:
        weight = weight + own.gravity
    else:
        factor = np.broadcast_to(time_law(way.factor).jet(run.times)[0], run.times.shape)
        axes = back if way.axes == "space" else np.broadcast_to(np.eye(3), back.shape)
        line = factor[:, None, None] * axes
        weight = weight + line @ own.gravity
    moving = DeformationInertia(body.deformation, body.rates, body.second, omega)
    return InteriorForces(weight, -(skew(epsilon) + W @ W), moving, line)
