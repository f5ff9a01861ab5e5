"""What the compiled core offers."""

from enum import Enum

from flexframe.maths.arrays import Array

LEVEL: str

class FlightOutcome(Enum):
    """How steps ended."""

    DONE = 0
    PAUSED = 1  # the time was up
    DIVERGED = 2
    INDEFINITE = 3  # the mass matrix

class Hamiltonian:
    """H(L, z, p) of a free body about its mass centre; arrays are those of `CentralInertia`."""

    def __init__(
        self,
        *,
        planar: bool,
        frequencies: Array,  # (m,)
        second_moment: Array,  # (3, 3)
        position_coupling: Array,  # (9, n)
        shape_products: Array,  # (9, n, n)
        rate_products: Array,  # (4, n, n)
        products: Array,  # Z_j at (r, t) in the order (r, j, t): (m, n − m, m)
        stiffness: Array,  # (m, m)
        damping: Array,  # (m, m)
    ) -> None: ...
    def evaluate(self, states: Array, energies: Array, gradients: Array) -> None:
        """Fill H (T,) and ∂H/∂(L, p, z) (T, 3 + 2m) at the rows of states (T, 3 + 2m)."""

class Collocation:
    """Coefficients of a step; arrays are those of `GaussCoefficients`."""

    def __init__(
        self,
        *,
        weights: Array,  # (s,)
        node_integrals: Array,  # (s, s)
        point_integrals: Array,  # (K, s)
        means: Array,  # (s, K)
        ahead: Array,  # (s, s)
    ) -> None: ...

class FreeFlight:
    """A body in free flight; its arrays are views of what is advanced, to be read and written in place."""

    def __init__(self, hamiltonian: Hamiltonian, method: Collocation) -> None: ...
    @property
    def y(self) -> Array:
        """L, z, p: (3 + 2m,)."""
    @property
    def lost(self) -> Array:
        """What rounding took from y: (3 + 2m,)."""
    @property
    def quaternion(self) -> Array:
        """Body to space, scalar first: (4,)."""
    @property
    def slopes(self) -> Array:
        """Of the last step, node by node: (s (3 + 2m),)."""
    @property
    def sums(self) -> Array:
        """Angle about z of a planar body, work of damping: (2,)."""
    @property
    def reference(self) -> Array:
        """Angular momentum in space and energy that are kept: (4,)."""
    @property
    def watch(self) -> Array:
        """Largest departures from them, relative: (2,)."""
    def keep_invariants(self) -> float:
        """Keep momentum and energy of the present state, and give the energy."""
    def advance(
        self, step: float, steps: int, seconds: float, trace: Array | None = None
    ) -> tuple[FlightOutcome, int, int]:
        """Take steps until they are done or the seconds have passed; outcome, steps and iterations.

        Rows of `trace` (steps, 3 + 2m + 6) are filled with y, quaternion and sums after each step.
        """
