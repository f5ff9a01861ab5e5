"""The start of the steady cycle of a driven system, rigid and elastic coordinates together, by shooting.

Small changes of a start are η = B z of positions and B y of velocities, A B = 0. Over one period T they grow into
those of the end, x₁ = Φ x₀, and the cycle starts where the change c(x) over one period vanishes:

    x ← x + (1 − Φ)⁻¹ c(x) .

Φ is taken by differences, a motion of one period for each column. z and y are measured by energy, with Ω = 2π/T
zᵀz = ηᵀ(K + Ω²M)η and yᵀy = η̇ᵀMη̇, so that soft and stiff coordinates are disturbed alike. The eigenvalues of Φ
are Floquet's multipliers of the cycle; where one is 1 the cycle is not unique (a resonance, or a motion that
nothing drives or holds) and none is given.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.dynamics.contract import DynamicState, DynamicSystem, Simulation, require_complete
from flexframe.dynamics.equations import equations_at, moved, with_velocity
from flexframe.dynamics.places import place_of, velocity_vector
from flexframe.dynamics.scaled_equations import elastic_matrices, frame_displacements, range_of
from flexframe.dynamics.start import consistent_start
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray

Advance = Callable[[DynamicState, Array], Simulation]
"""A motion from a state to given times, the first of which is that of the state."""

_ROUNDS = 12
_FINE = 1e-9  # change over one period beside the energy of deformation, both as roots
_ENOUGH = 1e-4  # the same, where the integrator does not come nearer
_SINGULAR = 1e-7  # smallest singular value of 1 − Φ beside the largest
_PART = 1e-6  # of the kinetic energy, where there is less strain energy
_INSTANTS = 65  # of a period, for the energy of deformation


@dataclass(frozen=True, eq=False)
class PeriodicStart:
    """A state that comes back to itself after a period.

    `residual` is what it changes by over one period, as the root of an energy beside that of the deformation.
    """

    state: DynamicState
    period: float
    residual: float
    multipliers: ComplexArray  # of small disturbances over one period: (2f,)
    iterations: int


def periodic_start(system: DynamicSystem, near: DynamicState, period: float, advance: Advance) -> PeriodicStart:
    """The cycle next to a state; drives and loads must have the period [s]."""
    shooting = _Shooting(system, near, period, advance)
    x, growth, before = np.zeros(shooting.count), None, np.inf
    for iteration in range(_ROUNDS):
        change = shooting.change(x)
        size = float(np.linalg.norm(change)) / shooting.size
        if growth is None or size > 0.3 * before > 3 * _ENOUGH:
            growth = shooting.growth(x, change)
            _require_unique(growth)
        if size <= _FINE or (size <= _ENOUGH and size > 0.3 * before):
            multipliers = linalg.eigvals(growth) if growth.size else np.zeros(0)
            return PeriodicStart(shooting.state(x), period, size, multipliers.astype(complex), iteration)
        before = size
        x = x + np.linalg.solve(np.eye(len(x)) - growth, change)
    raise AnalysisError(
        f"no cycle of {period:g} s is found: after {_ROUNDS} corrections the motion still changes by {size:.1e} "
        "of its deformation over one period; take a smaller step, or add damping"
    )


def _require_unique(growth: Array) -> None:
    """No eigenvalue of Φ may be 1."""
    values = np.linalg.svd(np.eye(len(growth)) - growth, compute_uv=False)
    if len(values) and values[-1] <= _SINGULAR * values[0]:
        near = linalg.eigvals(growth)
        nearest = near[np.argmin(np.abs(near - 1.0))]
        raise AnalysisError(
            f"the cycle is not unique: a disturbance comes back after one period as {nearest.real:.6g}"
            f"{nearest.imag:+.2g}i of itself (a resonance, or a motion that nothing drives or holds); add "
            "damping, drive or hold that motion, or start in equilibrium"
        )


class _Shooting:
    """Starts around a state by coordinates x = (z, y), and how they change over one period."""

    def __init__(self, system: DynamicSystem, near: DynamicState, period: float, advance: Advance) -> None:
        self.system, self.near, self._advance = system, consistent_start(system, near), advance
        self._times = near.time + np.array([0.0, period])
        here, scales = equations_at(system, self.near), system.tables.scales
        B = range_of(here.constraint * system.tables.rows.scales[:, None] * scales).null
        stiffness, _ = elastic_matrices(system)
        mass = here.mass * scales[:, None] * scales
        speed = 2 * np.pi / period
        roots = [linalg.cholesky(B.T @ W @ B) for W in (stiffness + speed**2 * mass, mass)]  # W = RᵀR
        self._out = [scales[:, None] * linalg.solve_triangular(R, B.T, trans="T").T for R in roots]  # B R⁻¹
        self._in = [(R @ B.T) / scales for R in roots]
        self._velocity = here.velocity
        self.count = 2 * B.shape[1]
        run = require_complete(advance(self.near, np.linspace(self._times[0], self._times[1], _INSTANTS)))
        strain, kinetic = run.energies[:, 1], run.energies[:, 0]
        least = _PART * kinetic.max() if system.elastic_starts[-1] else 0.01 * kinetic.max()
        self.size = float(np.sqrt(2 * max(strain.max(), least, 1e-300)))

    def state(self, x: Array) -> DynamicState:
        """The start with these coordinates, on the constraints."""
        z, y = np.split(x, 2)
        there = moved(self.system, self.near, self._out[0] @ z)
        return consistent_start(self.system, with_velocity(self.system, there, self._velocity + self._out[1] @ y))

    def change(self, x: Array) -> Array:
        """Coordinates of the end less those of the start: (2f,)."""
        start = self.state(x)
        return self._apart(start, require_complete(self._advance(start, self._times)).end)

    def growth(self, x: Array, change: Array) -> Array:
        """Φ by differences as large as the deformation, in which the motion is nearly linear: (2f, 2f)."""
        columns = []
        for unit in np.eye(self.count):
            step = 0.1 * self.size * unit
            columns.append((self.change(x + step) - change) / (0.1 * self.size) + unit)
        return np.array(columns).reshape(self.count, self.count).T

    def _apart(self, before: DynamicState, after: DynamicState) -> Array:
        """The change of positions and velocities between two states in coordinates."""
        first, last = (place_of(self.system, state) for state in (before, after))
        local = np.concatenate([frame_displacements(first, last), last.deformation - first.deformation], axis=1)
        numbers, shift = self.system.tables.bodies.numbers, np.zeros(self.system.size)
        shift[numbers[numbers >= 0]] = local[numbers >= 0]
        faster = velocity_vector(self.system, last) - velocity_vector(self.system, first)
        return np.concatenate([self._in[0] @ shift, self._in[1] @ faster])
