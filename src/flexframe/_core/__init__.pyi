"""What the compiled core offers."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from numpy.typing import NDArray

from flexframe.maths.arrays import Array, BoolArray, IntArray

_Rows = NDArray[Any]
"""Row starts or columns of a sparse matrix: int32 or int64."""
_Entries = NDArray[Any]
"""Entries of a sparse matrix: float64 or complex128."""

LEVELS: tuple[str, ...]
LEVEL: str

# --- the end of a process that does not hear a signal ------------------------------------------------------------

class LastResort:
    """A thread that ends the process where the main thread does not hear a signal."""

    def __init__(self, pipe: str) -> None: ...
    def answer(self, signal: int, words: str, exit_code: int, patience: float) -> None:
        """What is said after a signal that is not heard within seconds of patience, and the exit code."""

    def set_heard(self, heard: bool) -> None:
        """Whether the main thread knows of the last signal."""

    def join(self) -> None:
        """Wait until the writer of the pipe is closed."""

def remove_at_last(path: str) -> None:
    """A file that is removed when a `LastResort` ends the process."""

def leave_at_last(path: str) -> None:
    """No longer one of these files."""

# --- systems of bodies; tables are the named tuples of `multibody.tables` ---------------------------------------

class Body:
    """Integrals of a body."""

class System:
    """Bodies, frames, constraints, forces, loads and laws."""

    @property
    def size(self) -> int:
        """Number of velocities."""

def body(
    mass: float,
    first_moment: Array,  # (3,)
    second_moment: Array,  # (3, 3)
    origin_coupling: Array,  # (3, n)
    position_coupling: Array,  # (3, 3, n)
    shape_products: Array,  # (3, 3, n, n)
    products: Array,  # (k, m, m)
    stiffness: Array,  # (m, m)
    damping: Array,  # (m, m)
    quartic_signs: Array,  # (terms,)
    quartic_forms: Array,  # (terms, m, m)
    leans: Array,  # (g, m)
    shortening: Array,  # (k, g)
) -> Body: ...
def system(bodies: Sequence[Body], tables: Any) -> System: ...
def with_laws(system: System, laws: Any) -> System: ...

class Model:
    """A system that was read from a file, with the state and the memory of an integrator that it was left in."""

    @property
    def system(self) -> System: ...
    @property
    def time(self) -> float: ...
    @property
    def memory(self) -> Mapping[str, Sequence[float]]: ...
    def write(self, place: Any) -> bool:
        """Put the state into the arrays of a place; false where there is none."""

def write_model(
    system: System,
    path: str,
    place: Any = None,
    time: float = 0.0,
    memory: Mapping[str, Sequence[float]] = ...,
) -> None:
    """Write a system to one file, a state and the memory of an integrator too where they are given."""

def read_model(path: str) -> Model:
    """The model of a file; a RuntimeError says what is wrong with it."""

class Evaluation:
    """The equations of a system at one state after the other; results are those of the last one."""

    def __init__(self, system: System) -> None: ...
    def evaluate(self, place: Any, time: float, x: Array, multipliers: Array, inertia_only: bool) -> None: ...
    def accelerations(self, place: Any, time: float, x: Array, multipliers: Array) -> bool:
        """Fill u̇ and λ; false where a free motion has no inertia."""
    def project(self, place: Any, time: float) -> bool:
        """Put a place on the constraints; whether that succeeds."""
    def residual(self) -> Array:
        """M x + h − Q − Aᵀλ, then the gaps of the constraints: (n + rows,)."""
    def extrapolated_beam_forces(self) -> Array:
        """K(ε + ε̇) of exact beams at the state that was evaluated last: (beams, 6)."""
    def tangents(
        self,
        place: Any,
        time: float,
        x: Array,
        multipliers: Array,
        stride: float,
        rates: bool,
        beam_forces: Array,
    ) -> list[Array]:
        """Rows, columns, values of ∂r/∂q, then of ∂r/∂u; `beam_forces` stand for those of strain, if any."""
    def stiffness(self) -> Array: ...  # as iterations take it: (n, n)
    def dependent_rows(self, tolerance: float) -> Array:
        """Orthonormal y with yᵀA = 0, A scaled to lengths of the system and radians: (rows, redundant rows)."""
    def matrices(self) -> Array:
        """M, and below it A: (n + rows, n)."""
    def targets(self) -> Array:
        """Laws of the constraints with two derivatives: (rows, 3)."""
    def biases(self) -> Array:
        """Second derivatives of the constraints without u̇, less those of their laws: (rows,)."""
    def coordinates(self) -> Array:
        """Coordinates of the force elements: (elements,)."""
    def signals(self) -> Array:
        """Values of all signals: (signals,)."""
    def input_slopes(self, inputs: int) -> tuple[Array, Array]:
        """∂r/∂w and ∂(signals)/∂w of the first held values: (n + rows, inputs), (signals, inputs)."""
    def powers(self) -> Array:
        """Of drives, loads and dissipation, that of contacts apart: (4,)."""
    def touches(self) -> Array:
        """Gap, rate, normal force, friction, normal, point and force of each place of contact: (touches, 13)."""
    def measures(self) -> Array:
        """Kinetic, strain and gravity energy, linear and angular momentum: (9,)."""
    def spring_energy(self) -> float: ...

class RunningState:
    """Where a running system is, to go on from there bit by bit."""

    @property
    def time(self) -> float: ...

class Stepper:
    """A system that is stepped from outside; `stepping` as `multibody.stepping.Stepping` has it."""

    def __init__(self, system: System, stepping: Any) -> None: ...
    def start(self, place: Any, time: float, expected: float) -> int: ...
    def step(self, length: float, inputs: Array, outputs: Array) -> int:
        """Go on by a length of time with inputs, fill the outputs; the status as that of integrators."""
    def call(self, functions: Callable[[int, float, float], bool]) -> None:
        """Who gives the values of functions at (groups, time, step)."""
    def hold(self, number: int, value: float, time: float, step: float) -> bool: ...
    @property
    def time(self) -> float: ...
    @property
    def status(self) -> int: ...
    @property
    def body(self) -> int:
        """That bends too far, or the event that ended the motion."""
    @property
    def outputs(self) -> list[float]: ...
    @property
    def inputs(self) -> list[float]: ...
    def signals(self, time: float) -> list[float]: ...
    def take_happened(self) -> list[tuple[int, float, float, float, float, bool, bool, bool]]:
        """What happened since the last call.

        Event, time, speed before, impulse and lost energy; whether a lock closed, shapes rest, or such part.
        """
    def write(self, place: Any) -> None: ...
    def save(self) -> RunningState: ...
    def restore(self, saved: RunningState) -> bool: ...
    def write_file(self, path: str) -> None: ...
    def read_file(self, path: str) -> bool:
        """Go on from a file; false where it is of another system."""

class ContinuousSystem:
    """A system as ẋ = f(t, x, w) in independent coordinates; a ValueError says why it cannot be one."""

    def __init__(self, system: System, stepping: Any, place: Any, time: float) -> None: ...
    @property
    def positions(self) -> list[int]:
        """Numbers of the coordinates that are independent."""
    @property
    def velocities(self) -> list[int]: ...
    @property
    def states(self) -> list[float]: ...
    @property
    def nominals(self) -> list[float]: ...
    @property
    def watched(self) -> list[tuple[int, int]]:
        """Event and contact of each event indicator, −1 where it is none."""
    def evaluate(self, time: float, states: Array, inputs: Array) -> None:
        """Find all that follows; a RuntimeError says why there is nothing."""
    @property
    def rates(self) -> list[float]: ...
    @property
    def outputs(self) -> list[float]: ...
    @property
    def indicators(self) -> list[float]: ...
    @property
    def gaps(self) -> tuple[float, float]:
        """Of positions and velocities, in lengths of the system and radians."""
    def slopes(self, states: Array, inputs: Array) -> tuple[list[float], list[float]]:
        """Of rates and outputs along a direction."""

class GeneralisedAlpha:
    """Steps of generalised-α with α_m, α_f, β, γ."""

    def __init__(
        self, system: System, constants: tuple[float, float, float, float], deflection_limit: float
    ) -> None: ...
    def start(self, place: Any, time: float, step: float) -> bool: ...
    def restore(self, place: Any, memory: Mapping[str, Sequence[float]]) -> bool: ...
    def run(self, intervals: Any, samples: Any, taken: int, seconds: float) -> tuple[int, int, float, int]:
        """Status, samples taken, time reached and the body that bends too far."""
    def happened_at_start(self) -> bool:
        """Whether the last event happened where a step begins."""
    def rewind(self) -> None:
        """Forget how far the intervals of the last call were done."""
    def signals(self, time: float) -> list[float]:
        """Values of all signals at the state at hand."""
    def hold(self, number: int, value: float, time: float, step: float) -> bool:
        """Set a held value and find the accelerations anew; false where a free motion has no inertia."""
    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float, time: float, step: float
    ) -> tuple[bool, float, float, float, bool]:
        """Throw the shapes of a touch back: whether it can be, impulse, lost energy, old speed, rest from now."""
    def rests(self, touch: int) -> bool:
        """Whether shapes rest on each other by an impulsive law."""
    def rests_elsewhere(self, touch: int) -> bool:
        """Whether a shape that meets a curve at this touch rests at another place of it."""
    def release(self, touch: int, time: float, step: float) -> bool:
        """Part shapes that rest; false where a free motion has no inertia."""
    def lock(self, held: int, time: float, step: float) -> tuple[bool, bool, float, float, float]:
        """Close or open a lock: whether it can be, and is closed; impulse, lost energy, old speed."""
    def switch_side(self, jump: int, time: float, step: float) -> bool:
        """What jumps in a formula leaves its side; false where a free motion has no inertia."""
    def keep_divisions(self) -> None:
        """Keep the instants at which contacts and failed iterations divide steps."""
    def division_times(self) -> Array:
        """Those that are kept."""
    def give_divisions(self, samples: Any) -> None:
        """Copy them into rows of samples, as many as there are times, and forget them."""
    def memory(self) -> dict[str, list[float]]: ...
    def write(self, place: Any) -> None: ...
    def contact_peaks(self) -> Array:
        """Largest normal force of each contact so far, and its time: (contacts, 2)."""
    def counts(self) -> tuple[int, int, int, int, int]:
        """Steps, iterations, factorisations, evaluations, and steps that were taken in halves."""

class EnergyMomentum:
    """Steps of rigid bodies and exact beams that keep energy and momenta; methods as of `GeneralisedAlpha`."""

    def __init__(self, system: System) -> None: ...
    def start(self, place: Any, time: float, step: float) -> bool: ...
    def restore(self, place: Any, memory: Mapping[str, Sequence[float]]) -> bool: ...
    def run(self, intervals: Any, samples: Any, taken: int, seconds: float) -> tuple[int, int, float, int]: ...
    def keep_divisions(self) -> None: ...
    def division_times(self) -> Array: ...
    def give_divisions(self, samples: Any) -> None: ...
    def memory(self) -> dict[str, list[float]]: ...
    def write(self, place: Any) -> None: ...
    def counts(self) -> tuple[int, int, int, int, int]: ...

class ExplicitRungeKutta:
    """Steps with error control by the method of a tableau."""

    def __init__(self, system: System, tableau: str, tolerance: float, deflection_limit: float) -> None: ...
    def sample_at(self, instants: Sequence[float], groups: Sequence[int], functions: int) -> None:
        """Sample groups of held values at instants, one bit for each; calls end where functions are due."""
    def signals(self) -> list[float]:
        """Values of all signals at the end of the last step."""
    def hold(self, number: int, value: float) -> None:
        """Set a held value there."""
    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float
    ) -> tuple[bool, float, float, float, bool]:
        """Throw the shapes of a touch back: whether it can be, impulse, lost energy, old speed, rest from now."""
    def rests(self, touch: int) -> bool:
        """Whether the shapes of a touch rest on each other."""
    def rests_elsewhere(self, touch: int) -> bool:
        """Whether a shape meets a curve at one place while it rests at another."""
    def release(self, touch: int) -> bool:
        """Part shapes that rest; false where a free motion has no inertia."""
    def lock(self, held: int) -> tuple[bool, bool, float, float, float]:
        """Close or open a lock: whether it can be, and is closed; impulse, lost energy, old speed."""
    def switch_side(self, jump: int) -> bool:
        """What jumps in a formula leaves its side; false where a free motion has no inertia."""
    def sample_end(self, samples: Any, k: int) -> bool:
        """Keep the end of the last step as a sample; false where a free motion has no inertia."""
    def keep_end(self, steps: Any, k: int) -> bool:
        """Keep the end of the last step as a step; false where a free motion has no inertia."""
    def end_when_stiff(self, steps_left: float, until: float) -> None:
        """End with the status of a stiff motion where more than so many steps are left until a time."""
    def start(self, place: Any, time: float) -> bool: ...
    def restore(self, place: Any, memory: Mapping[str, Sequence[float]]) -> bool: ...
    def run(
        self, times: Array, taken: int, samples: Any, steps: Any, when: Array, seconds: float
    ) -> tuple[int, int, float, int]: ...
    def take_kept(self) -> int:
        """States of steps that were written since the last time."""
    def memory(self) -> dict[str, list[float]]: ...
    def write(self, place: Any) -> None: ...
    def contact_peaks(self) -> Array: ...
    def counts(self) -> tuple[int, int, int]:
        """Steps, rejected ones, evaluations."""

def beam_resultants(
    system: System,
    first: int,
    positions: Array,  # (T, bodies, 3)
    quaternions: Array,  # (T, bodies, 4)
    velocities: Array,  # u: (T, n)
    accelerations: Array,  # (T, n)
    gravity: Array,  # acceleration of space on all mass: (T, 3)
    factors: Array,  # of loads along beams: (T, loads)
    stations: Array,  # ξ: (S,)
    out: Array,
) -> None:
    """N, Vy, Vz, Mx, My, Mz of sections along exact beams from `first` on: (T, beams, S, 6)."""

def table_values(numbers: Array, rows: int, columns: int, x: Array, y: Array, out: Array) -> None:
    """Values, both slopes and f_xx, f_xy, f_yy of a table at many places: (places, 6)."""

def constraint_values(
    tables: Any, positions: Array, rotations: Array, values: Array, jacobians: Array
) -> None: ...
def constraint_rates(
    tables: Any,
    positions: Array,
    rotations: Array,
    velocities: Array,
    angular_velocities: Array,
    rates: Array,
    biases: Array,
) -> None: ...
def constraint_types() -> list[str]:
    """Names of the types of constraints, by their numbers."""

def force_laws() -> list[str]:
    """Names of the laws of force along a coordinate, by their numbers."""

def contact_pairs() -> list[str]:
    """Names of the pairs of shapes, by their numbers."""

def contact_points() -> list[int]:
    """At how many places pairs of shapes may touch, by their numbers."""

def contact_laws() -> list[str]:
    """Names of the laws of normal force, by their numbers."""

def contact_damping(law: int, restitution: float) -> float:
    """The factor c of damping of a law by its coefficient of restitution, zero of a linear law."""

# --- bodies in free flight ---------------------------------------------------------------------------------------

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

# --- meshes: core/include/flexframe/graphs.hpp, core/include/flexframe/overlaps.hpp -----------------------------

def connected_parts(first: IntArray, second: IntArray, made: IntArray, /) -> None: ...
def overlapping_cells(corners: Array, starts: IntArray, margin: float, /) -> list[int] | None: ...

# --- sparse patterns: core/include/flexframe/sparse_patterns.hpp ------------------------------------------------
# Arrays are contiguous. What is named `made` is written.

def node_pairs(node_count: int, tables: Sequence[IntArray], wide: bool, /) -> tuple[_Rows, _Rows]: ...
def add_scalars(starts: _Rows, columns: _Rows, nodes: IntArray, blocks: Array, made: Array, /) -> None: ...
def equation_starts(
    starts: _Rows, columns: _Rows, numbers: IntArray, wanted: BoolArray, made: IntArray, /
) -> None: ...
def equation_columns(
    starts: _Rows, columns: _Rows, numbers: IntArray, made_starts: _Rows, made_columns: _Rows, /
) -> None:
    """Writes `made_columns`."""

def expand_scalars(
    starts: _Rows,
    columns: _Rows,
    scalars: Array,
    numbers: IntArray,
    factor: Array,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: Array,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""

def block_offsets(starts: _Rows, columns: _Rows, numbers: IntArray, made: _Rows, /) -> None: ...
def add_blocks(
    starts: _Rows,
    columns: _Rows,
    offsets: _Rows,
    made_starts: _Rows,
    made_entries: Array,
    numbers: IntArray,
    nodes: IntArray,
    blocks: Array,
    /,
) -> None:
    """Writes `made_entries`."""

def selected_starts(starts: _Rows, columns: _Rows, kept: IntArray, place: IntArray, made: IntArray, /) -> None: ...
def select(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    kept: IntArray,
    place: IntArray,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: _Entries,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""

# --- sums, products and scaling of sparse matrices: core/include/flexframe/sparse_scaling.hpp --------------------

def absolute_product(starts: _Rows, columns: _Rows, entries: _Entries, x: Array, made: Array, /) -> None: ...
def add_scaled(
    starts: _Rows,
    columns: _Rows,
    entries: Array,
    other_starts: _Rows,
    other_columns: _Rows,
    other_entries: Array,
    factor: float,
    made: Array,
    /,
) -> bool: ...
def scaled_maxima(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    row_scale: Array,
    column_scale: Array,
    made_rows: Array,
    made_columns: Array,
    /,
) -> None: ...
def scale(
    starts: _Rows, columns: _Rows, entries: _Entries, row_scale: Array, column_scale: Array, made: _Entries, /
) -> None: ...
def triangle_maxima(starts: _Rows, columns: _Rows, entries: _Entries, scale: Array, made: Array, /) -> None: ...
def upper_starts(starts: _Rows, columns: _Rows, made: _Rows, /) -> None: ...
def fill_upper(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: _Entries,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""

# --- films of journal bearings -----------------------------------------------------------------------------------

class Cavitation(Enum):
    """What becomes of pressures below that of the surroundings."""

    none = 0
    guembel = 1
    reynolds = 2

def solve_pads(
    arcs: Array,  # (n, 2)
    edges: Array,  # (n, 2)
    positions: Array,  # (n, 2)
    closed: bool,
    axial_stiffness: Array,  # (rows, rows)
    axial_weights: Array,  # (rows,)
    end_weight: float,
    cavitation: Cavitation,
    pressures: Array,  # (n, cells + 1, rows)
    forces: Array,  # (n, 2)
    stiffness: Array,  # (n, 2, 2)
    damping: Array,  # (n, 2, 2)
    flows: Array,  # (n, 2)
    drags: Array,  # (n,)
    counts: IntArray,  # (n, 3)
    /,
) -> None:
    """Fill what the films of n pads do; see core/include/flexframe/pad_film.hpp."""
