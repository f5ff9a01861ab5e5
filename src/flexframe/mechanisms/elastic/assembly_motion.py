"""Motion in time of joined elastic bodies about the rigid motion of their mechanism.

    M q̈ + C(t) q̇ + K(t) q = f(t) + A(t)ᵀλ,   A(t) q = 0

by generalised-α on positions and multipliers (Arnold and Brüls 2007): constraints hold at the end of every step
although their directions turn with the mechanism, and λ are the joint forces beyond those of the rigid motion.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.mechanisms.elastic.assembly import ElasticAssembly


@dataclass(frozen=True, eq=False)
class AssemblyMotion:
    """Coordinates of all bodies side by side, in their own frames, at the instants of the mechanism's motion."""

    displacements: Array  # (T, q)
    rates: Array  # (T, q)
    accelerations: Array  # (T, q)
    multipliers: Array  # λ of the elastic motion alone: (T, rows)


def assembly_motion(
    assembly: ElasticAssembly, *, spectral_radius: float = 0.8, quasi_static: bool = False
) -> AssemblyMotion:
    """From the undeformed bodies at the first instant; steps are those of the motion, which must be equal.

    `quasi_static` leaves out inertia and damping of the deformation: the shape follows the loads at once.
    """
    times = assembly.motion.times
    if quasi_static:
        return _followed(assembly)
    steps = np.diff(times)
    if len(times) < 2 or np.ptp(steps) > 1e-6 * steps.mean():
        raise InputError("the instants of a response must be evenly spaced; give equal steps")
    h, method = float(steps.mean()), AlphaMethod(spectral_radius)
    if spectral_radius >= 1:
        raise InputError("joined bodies need some numerical damping; give a spectral radius below 1")
    M = assembly.mass.toarray()
    T, size, rows = len(times), assembly.size, assembly.constraints.shape[1]
    q, v, a, lam = (np.zeros((T, n)) for n in (size, size, size, rows))
    a[0], lam[0] = _started(assembly, M)
    auxiliary = a[0].copy()
    am, af = method.inertia_weight, method.force_weight
    for i in range(1, T):
        C, K, f = assembly.broken(i)
        A = assembly.constraints[i]
        # (1 − α_m) â' + α_m â = (1 − α_f) a' + α_f a  makes â' = known + gain a'
        gain = (1 - af) / (1 - am)
        known = (af * a[i - 1] - am * auxiliary) / (1 - am)
        u0 = q[i - 1] + h * v[i - 1] + h**2 * ((0.5 - method.beta) * auxiliary + method.beta * known)
        v0 = v[i - 1] + h * ((1 - method.gamma) * auxiliary + method.gamma * known)
        bu, bv = h**2 * method.beta * gain, h * method.gamma * gain
        system = M + bv * C + bu * K
        a[i], lam[i] = _constrain(system, A, f - C @ v0 - K @ u0, -A @ u0 / bu)
        auxiliary = known + gain * a[i]
        q[i], v[i] = u0 + bu * a[i], v0 + bv * a[i]
    return AssemblyMotion(q, v, a, lam)


def _followed(assembly: ElasticAssembly) -> AssemblyMotion:
    """Equilibrium in every position under the loads of the rigid motion."""
    T, size = len(assembly.motion.times), assembly.size
    q, lam = np.zeros((T, size)), np.zeros((T, assembly.constraints.shape[1]))
    nothing = np.zeros(size)
    for i in range(T):
        now = assembly.at(i)
        q[i] = now.basis @ np.linalg.solve(now.stiffness, now.load)
        lam[i] = assembly.multipliers(i, nothing, nothing, q[i])
    return AssemblyMotion(q, np.zeros_like(q), np.zeros_like(q), lam)


def _started(assembly: ElasticAssembly, M: Array) -> tuple[Array, Array]:
    """Accelerations and multipliers of undeformed bodies that are at rest in their frames."""
    _, _, f = assembly.broken(0)
    return _constrain(M, assembly.constraints[0], f, np.zeros(assembly.constraints.shape[1]))


def _constrain(matrix: Array, A: Array, force: Array, target: Array) -> tuple[Array, Array]:
    """x and λ of  matrix x = force + Aᵀλ,  A x = target; redundant rows share their λ."""
    factor = scipy.linalg.lu_factor(matrix)
    free, pulled = scipy.linalg.lu_solve(factor, force), scipy.linalg.lu_solve(factor, A.T)
    scale = np.sqrt(np.abs(np.diag(A @ pulled)).clip(np.finfo(float).tiny))
    compliance = (A @ pulled) / np.outer(scale, scale)
    lam = np.linalg.lstsq(compliance, (target - A @ free) / scale, rcond=1e-9)[0] / scale
    return np.asarray(free + pulled @ lam), np.asarray(lam)
