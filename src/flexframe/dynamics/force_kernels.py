"""Forces at places and along coordinates in compiled loops."""

from math import pi, tanh
from typing import Any

from flexframe.dynamics.compiling import fast_inner, inner
from flexframe.dynamics.constraint_kernels import sides_of
from flexframe.dynamics.law_kernels import law_jet
from flexframe.dynamics.vector_kernels import cross, turned

SPRING, TORSION, FRICTION, MOTOR = range(4)


@inner
def _coordinate_force(forces: Any, k: int, s: float, rate: float) -> Any:
    """Elastic force, other force, stored energy along a coordinate."""
    kind = forces.kinds[k]
    c0, c1, c2 = forces.constants[k, 0], forces.constants[k, 1], forces.constants[k, 2]
    if kind == SPRING:  # stiffness, free, damping
        return -c0 * (s - c1), -c2 * rate, 0.5 * c0 * (s - c1) ** 2
    if kind == TORSION:
        twist = pi - (pi - (s - c1)) % (2.0 * pi)
        return -c0 * twist, -c2 * rate, 0.5 * c0 * twist * twist
    if kind == FRICTION:  # limit, velocity
        return 0.0, -c0 * tanh(rate / c1), 0.0
    first, last = forces.curve_starts[k], forces.curve_starts[k + 1] - 1
    curve = forces.curve
    if rate <= curve[first, 0]:
        return 0.0, curve[first, 1], 0.0
    for i in range(first, last):
        if rate <= curve[i + 1, 0]:
            part = (rate - curve[i, 0]) / (curve[i + 1, 0] - curve[i, 0])
            return 0.0, curve[i, 1] + part * (curve[i + 1, 1] - curve[i, 1]), 0.0
    return 0.0, curve[last, 1], 0.0


@fast_inner
def apply_forces(tables: Any, time: float, work: Any) -> None:  # noqa: PLR0912
    """Wrenches on the frames from forces at places and along coordinates; powers of loads and dampers."""
    forces, W = tables.forces, work.wrenches
    for f in range(W.shape[0]):
        for i in range(6):
            W[f, i] = 0.0
    for k in range(3):
        work.powers[k] = 0.0
    work.springs[0] = 0.0
    for k in range(len(forces.frames)):
        f = forces.frames[k]
        b = tables.frames.bodies[f]
        law = forces.laws[k]
        for i in range(6):
            work.load[i] = law_jet(tables.laws, law[i], time, work.stack)[0]
        push = (work.load[0], work.load[1], work.load[2])
        moment = (work.load[3], work.load[4], work.load[5])
        if forces.in_body[k] and b >= 0:
            push, moment = turned(work.rotations[b], push), turned(work.rotations[b], moment)
        lever = cross(turned(work.R[0, f], forces.arms[k]), push)
        for i in range(3):
            W[f, i] += push[i]
            W[f, 3 + i] += moment[i] + lever[i]
            work.powers[1] += push[i] * work.v[0, f, i] + (moment[i] + lever[i]) * work.w[0, f, i]
    sides, J = tables.coordinates.frames, work.cJ
    for k in range(len(sides)):
        rate = work.crate[0, k]
        elastic, other, energy = _coordinate_force(forces, k, work.cs[0, k], rate)
        work.springs[0] += energy
        if forces.kinds[k] == MOTOR:
            work.powers[1] += other * rate
        else:
            work.powers[2] -= other * rate
        for f in sides_of(sides, k):
            if f >= 0:
                for i in range(6):
                    W[f, i] += (elastic + other) * J[0, k, f, i]
