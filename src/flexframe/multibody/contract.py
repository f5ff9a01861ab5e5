"""What two-way dynamics is given and what it gives: system, state, integrators and simulation.

Unknowns of each body are r_O (space axes), R (as a quaternion, scalar first) and its elastic coordinates δ;
velocities are u = (v, ω, δ̇) with v = Rᵀṙ_O and ω in body components. In the order of the bodies they make one
vector of length n; a planar system keeps (v_x, v_y, ω_z) of each body. With joints and drives s(q) = f(t)

    M(q) u̇ + h(q, u) = Q(q, u, t) + Aᵀλ,      A u = ḟ,      A u̇ + β = f̈ .

The displacement field of a body is x + N δ + F z(δ), z_j = ½ δᵀZ_j δ, and of a body with equations of third order
Σ_g B_jg ϑ_g⁴ beside it, ϑ = L δ: with η = (δ, z) it is linear, so that the
equations are those of the linear field in η, projected on δ by η̇ = [1; Z(δ)] δ̇. The kinetic energy is that of a
real field and M is never indefinite. Without geometric terms there is no z.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from flexframe import _core
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.constraints import TimeLaw
from flexframe.model.system import MOST_STEPS, InitialDeformation, System
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.signals import Kind, SignalNetwork
from flexframe.multibody.tables import Tables
from flexframe.reduction.loads import ReducedLoads
from flexframe.reduction.reduced_body import QuarticEnergy, ReducedBody

LEAST_TOLERANCE, MOST_TOLERANCE = 1e-14, 0.1
"""Between these lie the tolerances that an integrator with error control can meet."""

Progress = Callable[[float], None]
"""Called with the finished fraction between calls of the core; may raise to cancel."""

ENERGIES = ("kinetic", "strain", "gravity", "springs", "drives", "loads", "dissipated", "contact")
"""Columns of the energies: four that are stored (springs with contacts), the work of drives and loads, what was
dissipated, and what contacts dissipated."""


@dataclass(frozen=True, eq=False)
class DynamicBody:
    """Integrals of a body on its fields η = (δ, z), n = m + k of them, in body axes about the frame origin."""

    name: str
    mass: float
    first_moment: Array  # S: (3,)
    second_moment: Array  # J: (3, 3)
    origin_coupling: Array  # M_O = ∫ρF: (3, n)
    position_coupling: Array  # X_km = ∫ρ x_k F_m: (3, 3, n)
    shape_products: Array  # Y_ab = ∫ρ F_aᵀF_b: (3, 3, n, n)
    products: Array  # Z: (k, m, m), symmetric
    stiffness: Array  # (m, m)
    damping: Array  # (m, m)
    reduced: ReducedBody | None = None  # none for a rigid body
    loads: ReducedLoads | None = None  # of the body itself
    quartic: QuarticEnergy | None = None  # strain energy of fourth order, of a body with equations of third order
    leans: Array | None = None  # L: (g, m)
    shortening: Array | None = None  # B: (k, g)

    @property
    def size(self) -> int:
        """Number of elastic coordinates m."""
        return len(self.stiffness)

    @property
    def fields(self) -> int:
        """Number of fields n."""
        return int(self.origin_coupling.shape[1])

    @property
    def elastic_mass(self) -> Array:
        """Σ Y_kk of the elastic coordinates: (m, m)."""
        m = self.size
        return np.asarray(np.einsum("kkrt->rt", self.shape_products[:, :, :m, :m]))

    @property
    def counted_turn(self) -> float:
        """What a turn of a section counts against the limit of small deflections, as in the core."""
        return 1.0 if self.quartic is None else 0.6

    def amplitudes(self, deformation: Array) -> Array:
        """z(δ) of coordinates (m,): (k,)."""
        z = (self.products @ deformation) @ deformation / 2
        if self.leans is not None and self.shortening is not None:
            z = z + self.shortening @ (self.leans @ deformation) ** 4
        return np.asarray(z)

    def slopes(self, deformation: Array) -> Array:
        """∂z/∂δ: (k, m)."""
        slopes = self.products @ deformation
        if self.leans is not None and self.shortening is not None:
            slopes = slopes + 4 * (self.shortening * (self.leans @ deformation) ** 3) @ self.leans
        return np.asarray(slopes)

    def slope_rates(self, deformation: Array, rates: Array) -> Array:
        """d/dt ∂z/∂δ: (k, m)."""
        turns = self.products @ rates
        if self.leans is not None and self.shortening is not None:
            twice = (self.leans @ deformation) ** 2 * (self.leans @ rates)
            turns = turns + 12 * (self.shortening * twice) @ self.leans
        return np.asarray(turns)

    @cached_property
    def compiled(self) -> _core.Body:
        """The body in the core."""
        m, quartic = self.size, self.quartic
        arrays = (
            self.first_moment,
            self.second_moment,
            self.origin_coupling,
            self.position_coupling,
            self.shape_products,
            self.products,
            self.stiffness,
            self.damping,
            np.zeros(0) if quartic is None else quartic.signs,
            np.zeros((0, m, m)) if quartic is None else quartic.forms,
            np.zeros((0, m)) if self.leans is None else self.leans,
            np.zeros((len(self.products), 0)) if self.shortening is None else self.shortening,
        )
        return _core.body(float(self.mass), *(np.ascontiguousarray(array, dtype=float) for array in arrays))


def compiled_system(bodies: Sequence[DynamicBody], tables: Tables) -> _core.System:
    """Bodies and tables in the core."""
    return _core.system([body.compiled for body in bodies], tables)


@dataclass(frozen=True, eq=False)
class DynamicSystem:
    """A system ready for integration: bodies with their integrals, and flat typed tables for the core."""

    system: System
    mechanism: Mechanism  # the same joints, drives and loads between undeformed bodies
    bodies: tuple[DynamicBody, ...]
    geometric: bool
    size: int  # n: velocities of all bodies
    rigid_starts: IntArray  # number of the first velocity of each body in u: (bodies,)
    elastic_starts: IntArray  # number of the first elastic coordinate of each body in δ: (bodies + 1,)
    owners: tuple[str, ...]  # joint or drive of each row of A
    length: float  # of the system [m], for comparing positions with angles
    deflection_limit: float  # rotation of a section [rad] at which the theory of small deflections ends
    notices: tuple[str, ...]
    laws: tuple[TimeLaw, ...]  # of drives and loads, by their numbers in the tables
    network: SignalNetwork  # what loads and controllers follow
    tables: Tables

    @cached_property
    def compiled(self) -> _core.System:
        """The system in the core."""
        return compiled_system(self.bodies, self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(body.name for body in self.bodies)

    @property
    def planar(self) -> bool:
        """Whether all bodies move in the x–y plane."""
        return self.mechanism.planar

    @property
    def counts(self) -> bool:
        """Whether coordinates are measured or followed, angles of which count through all turns."""
        return bool(self.mechanism.measured.count or self.mechanism.leaders.count)

    def require_turns_counted(self, who: str, field: str) -> None:
        """Refuse angles in space that count through all turns, for who counts in the plane only."""
        ready = self.mechanism
        read = {signal.source for signal in self.network.signals if signal.kind is Kind.COORDINATE}
        owners = [owner for owner, turns in zip(ready.leaders.owners, ready.leaders.turns, strict=True) if turns]
        owners += [ready.measured.owners[k] for k in sorted(read) if ready.measured.turns[k]]
        if owners and not self.planar:
            raise InputError(
                f"{owners[0]} counts the turns of an angle, which {who} does in the plane only; take "
                "generalised_alpha or dormand_prince",
                field=field,
            )

    @property
    def rows(self) -> int:
        """Number of constraints."""
        return len(self.owners)

    def number(self, name: str) -> int:
        """Number of the body of this name."""
        return self.names.index(name)

    def elastic(self, number: int) -> slice:
        """Where the elastic coordinates of a body are in δ."""
        return slice(int(self.elastic_starts[number]), int(self.elastic_starts[number + 1]))


def _none() -> Array:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class DynamicState:
    """Where all bodies are and how they move at one time; plain arrays, which can be saved and read back.

    `memory` holds what an integrator wants to find again; a state without it starts afresh.
    """

    time: float
    positions: Array  # r_O in space: (bodies, 3)
    quaternions: Array  # body to space, scalar first: (bodies, 4)
    deformation: Array  # δ of all bodies: (m,)
    velocities: Array  # v in body components: (bodies, 3)
    angular_velocities: Array  # ω in body components: (bodies, 3)
    rates: Array  # δ̇: (m,)
    angles: Array  # of a planar system, counted through all turns: (bodies,)
    states: Array = field(default_factory=_none)  # of controllers: (states,); none are the initial ones
    held: Array = field(default_factory=_none)  # what they hold between sampling instants: (held,)
    counted: Array = field(default_factory=_none)  # measured and leading coordinates, angles through all turns
    memory: Mapping[str, Array] = field(default_factory=dict)

    def arrays(self) -> dict[str, Array]:
        """Everything as arrays, for a file."""
        own = {name: np.asarray(getattr(self, name)) for name in _STATE_FIELDS}
        return own | {f"memory_{name}": value for name, value in self.memory.items()}

    @staticmethod
    def from_arrays(arrays: Mapping[str, Array]) -> "DynamicState":
        """The state that gave these arrays."""
        own = {name: np.asarray(arrays.get(name, _none())) for name in _STATE_FIELDS[1:]}
        memory = {name[7:]: np.asarray(value) for name, value in arrays.items() if name.startswith("memory_")}
        return DynamicState(time=float(arrays["time"]), memory=memory, **own)


_STATE_FIELDS = (
    "time",
    "positions",
    "quaternions",
    "deformation",
    "velocities",
    "angular_velocities",
    "rates",
    "angles",
    "states",
    "held",
    "counted",
)


@dataclass(frozen=True)
class Statistics:
    """What an integrator did."""

    steps: int
    rejected: int
    iterations: int
    factorisations: int
    evaluations: int
    seconds: float
    halved: int = 0  # steps, and parts of them, that were taken in two halves, since their iteration failed


@dataclass(frozen=True)
class Occurrence:
    """An event that happened; of an impact speed before it [m/s], impulse [N s] and lost energy [J].

    Of an impact of angles (`turning`) they are rad/s and N m s. `rests` is 1 where shapes come to rest on each
    other, 0 where such shapes part; `closes` is 1 where a lock closes, 0 where it opens.
    """

    name: str
    number: int  # of the event
    time: float  # s
    ends: bool = False
    speed: float | None = None
    impulse: float | None = None
    lost: float | None = None
    turning: bool = False
    rests: float | None = None
    closes: float | None = None

    @property
    def title(self) -> str:
        """Its name, and what a lock does."""
        return self.name if self.closes is None else f"{self.name} {'closes' if self.closes else 'opens'}"


@dataclass(frozen=True, eq=False)
class BodyHistory:
    """Motion of one body; vectors in space axes, deformation in its own coordinates."""

    name: str
    positions: Array  # (T, 3)
    rotations: Array  # body to space: (T, 3, 3)
    angles: Array | None  # planar: (T,)
    velocities: Array
    angular_velocities: Array
    accelerations: Array
    angular_accelerations: Array
    deformation: Array  # (T, m)
    rates: Array
    second: Array


@dataclass(frozen=True, eq=False)
class Simulation:
    """A computed motion at its samples.

    Velocities and accelerations u, u̇ are in body components in the order of the contract; accelerations and
    multipliers solve the equations at the sampled states. `reason` says why a run ended before its end.
    """

    system: DynamicSystem
    integrator: str
    times: Array  # (T,)
    positions: Array  # (T, bodies, 3), space
    quaternions: Array  # (T, bodies, 4)
    angles: Array  # planar, through all turns: (T, bodies)
    deformations: Array  # (T, m)
    velocities: Array  # u: (T, n)
    accelerations: Array  # u̇: (T, n)
    multipliers: Array  # λ: (T, rows)
    energies: Array  # (T, 8), columns ENERGIES
    signals: Array  # of loads and controllers: (T, signals)
    linear_momentum: Array  # space: (T, 3)
    angular_momentum: Array  # about the origin of space: (T, 3)
    position_residuals: Array  # largest |s − f| [lengths of the system, rad]: (T,)
    velocity_residuals: Array  # largest |A u − ḟ|, the same by second, over the largest speed: (T,)
    contacts: Array  # columns `multibody.contacts.COLUMNS`: (T, contacts, 9)
    statistics: Statistics
    end: DynamicState
    reason: str | None = None
    occurrences: tuple[Occurrence, ...] = ()
    divided: bool = False  # whether these are the instants at which contacts divide steps, in order
    contact_peaks: Array = field(default_factory=lambda: np.zeros((0, 2)))  # normal force, time: (contacts, 2)

    @property
    def stored_energy(self) -> Array:
        """Kinetic, strain, gravity and spring energy together: (T,)."""
        return np.asarray(self.energies[:, :4].sum(axis=1))

    @property
    def energy_balance(self) -> Array:
        """Stored energy less the work of drives and loads, and what was dissipated: (T,)."""
        e = self.energies
        return np.asarray(self.stored_energy - e[:, 4] - e[:, 5] + e[:, 6] + e[:, 7])

    @property
    def energy_drift(self) -> float:
        """Largest change of stored energy less work, relative to the largest of the energies involved."""
        balance = self.energy_balance
        scale = np.abs(self.energies - self.energies[0]).max(initial=0.0)
        scale = max(float(scale), float(np.abs(self.energies[:, :2]).max(initial=0.0)))
        return float(np.abs(balance - balance[0]).max(initial=0.0) / scale) if scale else 0.0


@dataclass(frozen=True)
class SimulationOptions(Described):
    """How a motion is computed from t = 0, of a body on a known frame and of a system; checked here and only here.

    One of `step` [s], `steps` (their number) and `tolerance` (relative error of a step, with error control) is
    given. What is None is chosen by what moves: see `simulate`.
    """

    duration: float  # s
    step: float | None = None
    steps: int | None = None
    tolerance: float | None = None
    integrator: "str | Integrator | None" = None
    formalism: str | None = None
    samples: int | None = None  # instants that are stored
    spectral_radius: float | None = None  # ρ∞ of generalised-α: 1 damps nothing, 0 all that is fast
    terms: Terms = field(default_factory=Terms)
    initial_deformation: InitialDeformation | None = None
    period: float | None = None  # s, of the cycle that a periodic motion starts on
    modes: int | None = None  # shapes of the basis in which Whittaker's equations are solved
    observe: "Callable[[Simulation], None] | None" = field(default=None, repr=False)
    """Given every step of a system, in blocks that it must not keep."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        super().__post_init__()
        if not (np.isfinite(self.duration) and self.duration > 0):
            raise InputError(f"the duration is {self.duration:g} s; give a positive time", field="duration")
        given = [name for name in ("step", "steps", "tolerance") if getattr(self, name) is not None]
        if len(given) != 1:
            raise InputError(
                f"{' and '.join(given) or 'no step'} is given; give one of step, steps and tolerance",
                field=given[-1] if given else "step",
            )
        for name in given:
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"{name} is {value:g}; give a number above zero", field=name)
        if self.equal_step is not None and self.duration / self.equal_step > MOST_STEPS:
            raise InputError(
                f"{self.duration / self.equal_step:.2g} steps are more than {MOST_STEPS:.0e}; give a longer step "
                "or a shorter duration",
                field="step",
            )
        if self.samples is not None and self.samples < 2:
            raise InputError(
                f"{self.samples} samples are too few; give two or more, for the start and the end", field="samples"
            )
        if self.spectral_radius is not None and not 0 <= self.spectral_radius <= 1:
            raise InputError(
                f"the spectral radius is {self.spectral_radius:g}; give a number from 0 to 1",
                field="spectral_radius",
            )
        period = self.period
        if period is not None and not (
            self.initial_deformation == "periodic" and np.isfinite(period) and period > 0
        ):
            raise InputError(
                "a period in seconds, more than zero, belongs to initial_deformation periodic", field="period"
            )

    @property
    def equal_step(self) -> float | None:
        """The step that is asked for [s]; None with error control."""
        return self.duration / self.steps if self.steps is not None else self.step

    @property
    def equal_steps(self) -> int:
        """The smallest number of steps that are not longer than asked for."""
        step = self.equal_step
        assert step is not None, "with error control there are no equal steps"
        return self.steps or max(1, int(np.ceil(self.duration / step * (1 - 1e-9))))


Follows = Literal["nothing", "states", "events"]
"""What of controllers and events an integrator can follow; each is more than the last."""


class Integrator(Protocol):
    """A way to go on in time; strategies are chosen by their name."""

    @property
    def name(self) -> str: ...

    @property
    def follows(self) -> Follows:
        """What of controllers it follows: nothing, their states, or events and sampled values too."""
        ...

    def run(  # noqa: PLR0917 - all that a run has
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,
    ) -> Simulation:
        """The motion at the wanted times, the first of which is that of the start."""
        ...


def require_complete(simulation: Simulation) -> Simulation:
    """The simulation, or an error that says when and why it ended early."""
    if simulation.reason is not None:
        raise AnalysisError(f"the motion ends at t = {simulation.times[-1]:.6g} s: {simulation.reason}")
    return simulation
