"""The equations of a mechanism at one state, which tests solve in ways of their own."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.states import Configuration, Rates, as_vector


@dataclass(frozen=True, eq=False)
class MechanismEquations:
    """M q̈ + h = Q + Aᵀλ with A q̇ + b = 0 and A q̈ + γ = 0, in the velocities (v_O, ω) of all bodies, space axes.

    A planar system keeps (v_x, v_y, ω_z) of each body. Rows of A may be redundant.
    """

    mass: Array  # M: (n, n)
    inertia_force: Array  # h: (n,)
    applied_force: Array  # Q: (n,)
    constraint: Array  # A: (m, n)
    drive_rate: Array  # b: (m,)
    bias: Array  # γ: (m,)
    velocity: Array  # q̇: (n,)
    owners: tuple[str, ...]  # joint or drive of each row

    @property
    def kinetic_energy(self) -> float:
        """½ q̇ᵀ M q̇ [J]."""
        return float(0.5 * self.velocity @ self.mass @ self.velocity)


def mechanism_equations(
    mechanism: Mechanism, time: float, configuration: Configuration, velocities: Rates
) -> MechanismEquations:
    """M, h, Q, A, b and γ at one instant (the first of the given configuration)."""
    c, u, times = configuration.at([0]), velocities.at([0]), np.array([time])
    constraints = mechanism.constraints
    targets = constraints.targets(times)
    _, J = constraints.values(c)
    _, bias = constraints.rates(c, u)
    return MechanismEquations(
        mass=mechanism.mass_matrix(c)[0],
        inertia_force=mechanism.in_coordinates(mechanism.inertia_wrenches(c, u, None))[0],
        applied_force=mechanism.in_coordinates(mechanism.applied_wrenches(c, u, times))[0],
        constraint=constraints.reduce_jacobian(J)[0],
        drive_rate=-targets.rate[0],
        bias=bias[0] - targets.second[0],
        velocity=as_vector(u, mechanism.planar)[0],
        owners=constraints.owners,
    )
