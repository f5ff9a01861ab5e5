"""What is kept of a motion in time: sensors, energies, support forces and snapshots."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.analyses.body_state import BodySensors
from flexframe.analyses.transient.record import SUMMARY_SAMPLES, FramePath, SensorHistory
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.cycle import Combination
from flexframe.errors import InputError
from flexframe.formalisms.bodies import support_constraint
from flexframe.formalisms.time_stepping import BodyInstant
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factorisation import Factorisation, factorise
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.motion.frame import FrameMotion, MotionLaw
from flexframe.results.peaks import Extremes
from flexframe.results.record import thin

INSTANTS = 4000  # that sensors keep, unless samples are asked for
PICTURES = 200
ROOM = 20_000_000  # numbers that the snapshots may hold
_BLOCK = 500  # instants that sensors read at once


@dataclass(frozen=True, eq=False)
class History:
    """The kept part of a motion."""

    kept: IntArray  # numbers of the kept times
    sensors: Mapping[str, SensorHistory]
    support_forces: Array | None  # resultant at the summary's instants: (samples, 3)
    snapshots: IntArray  # numbers among the kept times
    displacements: Array  # (snapshots, nodes, 6)
    energy_drift: float
    constraint_residual: float


@dataclass(eq=False)
class EnergyBalance:
    """Kinetic and strain energy relative to the frame, less the work done so far.

    The work of a step is Δδᵀ(f − (K − k)δ̄ − dδ̄̇) with means over the step and coefficients of its middle.
    Coriolis forces do none. For constant coefficients this sum is exact.
    """

    combined: Combination
    mass: SparseMatrix
    elastic: SparseMatrix
    work: float = 0.0
    start: float | None = None
    largest: float = 0.0
    drift: float = 0.0
    _before: tuple[Array, Array] | None = None

    def energies(self, u: Array, v: Array) -> tuple[float, float]:
        """½δ̇ᵀmδ̇ and ½δᵀkδ."""
        return float(v @ (self.mass @ v)) / 2, float(u @ (self.elastic @ u)) / 2

    def follow(self, u: Array, v: Array, middle: FrameMotion) -> tuple[float, float]:
        """Take the next instant; `middle` is the motion half way from the one before."""
        kinetic, strain = self.energies(u, v)
        if self._before is not None:
            u_old, v_old = self._before
            now = self.combined.at(middle)
            mean, mean_rate = (u + u_old) / 2, (v + v_old) / 2
            force = now.load - now.stiffness @ mean + self.elastic @ mean
            force = force - self.combined.equations.damping @ mean_rate
            self.work += float((u - u_old) @ force)
        self._before = (u, v)
        total = kinetic + strain - self.work
        self.start = total if self.start is None else self.start
        self.largest = max(self.largest, kinetic + strain, abs(self.work))
        self.drift = max(self.drift, abs(total - self.start))
        return kinetic, strain

    @property
    def relative_drift(self) -> float:
        """The largest misfit over the largest energy."""
        return self.drift / self.largest if self.largest else 0.0


@dataclass(eq=False)
class Recorder:
    """Collects instants one by one."""

    discrete: DiscreteBody
    law: MotionLaw
    times: Array
    sensors: BodySensors
    combined: Combination
    unsupported: Combination
    with_forces: bool
    samples: int = INSTANTS
    balance: EnergyBalance = field(init=False)
    kept: IntArray = field(init=False)
    snapshots: IntArray = field(init=False)
    _forced: IntArray = field(init=False)
    _held: SparseMatrix = field(init=False)
    _mass: Factorisation = field(init=False)
    _waiting: list[tuple[int, list[Array], tuple[float, float]]] = field(default_factory=list)
    _table: list[Array] = field(default_factory=list)
    _shapes: list[Array] = field(default_factory=list)
    _forces: list[Array] = field(default_factory=list)
    _extremes: Extremes = field(default_factory=Extremes)
    _residual: float = 0.0
    _amplitude: float = 0.0

    def __post_init__(self) -> None:
        supports = self.discrete.supports
        mass = supports.reduce_matrix(self.discrete.mass)
        self.balance = EnergyBalance(self.combined, mass, supports.reduce_matrix(self.discrete.stiffness))
        self._mass = factorise(mass, "spd")
        self._held = support_constraint(supports)
        self.kept = thin(len(self.times), self.samples)
        room = max(2, ROOM // (6 * self.discrete.body.mesh.node_count))
        self.snapshots = thin(len(self.kept), min(PICTURES, room))
        self._forced = thin(len(self.kept), SUMMARY_SAMPLES)

    def take(self, number: int, instant: BodyInstant) -> None:
        """The body at the time of that number."""
        supports = self.discrete.supports
        u, v = supports.reduce_vector(instant.displacements), supports.reduce_vector(instant.rates)
        before = self.times[max(number - 1, 0)]
        energies = self.balance.follow(u, v, self.law.at(float((before + self.times[number]) / 2)))
        delta = instant.displacements
        self._amplitude = max(self._amplitude, float(np.abs(delta).max(initial=0.0)))
        self._residual = max(self._residual, float(np.abs(self._held @ delta).max(initial=0.0)))
        vectors = [delta, instant.rates]
        if self.sensors.wants_accelerations:
            vectors.append(self.accelerations(float(self.times[number]), instant))
        self._waiting.append((number, [self.sensors.marker_motion(vector) for vector in vectors], energies))
        if len(self._waiting) == _BLOCK:
            self._read()
        place = int(np.searchsorted(self.kept, number))
        if place == len(self.kept) or self.kept[place] != number:
            return
        if self.with_forces and self._held.shape[0] and place in self._forced:
            self._forces.append(self._support_force(float(self.times[number]), instant))
        if place in self.snapshots:
            self._shapes.append(self.discrete.dofs.nodal(delta))

    def _read(self) -> None:
        """Let the sensors read the instants that wait."""
        if not self._waiting:
            return
        numbers = np.array([number for number, _, _ in self._waiting])
        parts = [np.array(part) for part in zip(*(marked for _, marked, _ in self._waiting), strict=True)]
        seen = self.sensors.read(self.times[numbers], parts[0], parts[1], parts[2] if len(parts) > 2 else None)
        table = np.hstack([seen, [energies for _, _, energies in self._waiting]])
        self._extremes.take(self.times[numbers], table)
        self._table.append(table[np.isin(numbers, self.kept)])
        self._waiting.clear()

    def _support_force(self, time: float, instant: BodyInstant) -> Array:
        """Resultant of the forces that the supports exert on the body, body components: (3,)."""
        force, accelerations = self._balance(time, instant)
        carried = self.discrete.supports.support_forces(np.asarray(self.discrete.mass @ accelerations - force))
        return np.asarray(self.discrete.dofs.nodal(carried)[:, :3].sum(axis=0))

    def _balance(self, time: float, instant: BodyInstant) -> tuple[Array, Array]:
        """Forces f − C δ̇ − K δ on the unsupported body, and the accelerations that they give the supported one."""
        now, supports = self.unsupported.at(self.law.at(time)), self.discrete.supports
        force = np.asarray(now.load - now.damping @ instant.rates - now.stiffness @ instant.displacements)
        return force, np.asarray(supports.expand(self._mass.solve(supports.reduce_vector(force))))

    def accelerations(self, time: float, instant: BodyInstant) -> Array:
        """δ̈ that belongs to a displacement and its rate: (p,)."""
        return self._balance(time, instant)[1]

    def history(self) -> History:
        """All that was collected."""
        self._read()
        table = np.concatenate(self._table).T
        units = self.sensors.units | {"kinetic_energy": "J", "strain_energy": "J"}
        sensors = {
            name: SensorHistory(unit, values) for (name, unit), values in zip(units.items(), table, strict=True)
        }
        sensors = {
            name: replace(sensor, peaks=peaks)
            for (name, sensor), peaks in zip(sensors.items(), self._extremes.peaks(), strict=True)
        }
        return History(
            kept=self.kept,
            sensors=sensors,
            support_forces=np.array(self._forces) if self._forces else None,
            snapshots=self.snapshots,
            displacements=np.array(self._shapes),
            energy_drift=self.balance.relative_drift,
            constraint_residual=self._residual / self._amplitude if self._amplitude else 0.0,
        )


def recorded_path(law: MotionLaw, times: Array) -> FramePath | None:
    """Positions of the frame, or None where a motion is known by its components only."""
    try:
        poses = [law.pose(float(t)) for t in times]
    except InputError:
        return None
    rotations = quaternion_from_rotation(np.array([pose.rotation for pose in poses]))
    return FramePath(np.array([pose.position for pose in poses]), rotations)
