"""States of meshed bodies on known frames, as sensors see them: all degrees of freedom δ, frames given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, SparseMatrix
from flexframe.model.system import System
from flexframe.motion.frame import MotionLaw
from flexframe.multibody.inverse_dynamics import JointForce
from flexframe.multibody.motion import BodyMotion
from flexframe.sensors.contract import Marker, Sensor, UnavailableError, naming, read_all
from flexframe.sensors.kinds import DofSensor, MarkerSensor
from flexframe.sensors.states import Columns, Deformation, Frame, JointReadings, State

RESERVED = ("displacement", "point", "support_force", "kinetic_energy", "strain_energy")
MarkerKey = tuple[str, str]  # body and name of the marker


@dataclass(frozen=True, eq=False)
class MarkerRows:
    """(u, θ) of a marker, the mean over its nodes, as rows · δ."""

    rows: SparseMatrix  # (6, p)
    present: BoolArray  # which of the six all its nodes have: (6,)

    @staticmethod
    def on(discrete: DiscreteBody, marker: Marker) -> "MarkerRows":
        """Of the nodes of a body."""
        assert marker.on is not None
        numbers = discrete.dofs.numbers[discrete.body.selected_nodes(marker.on)]  # (nodes, 6)
        node, row = np.nonzero(numbers >= 0)
        weights = np.full(len(row), 1 / len(numbers))
        rows = sparse.coo_array((weights, (row, numbers[node, row])), shape=(6, discrete.dofs.count))
        return MarkerRows(sparse.csr_array(rows), np.asarray((numbers >= 0).all(axis=0), dtype=bool))


@dataclass(frozen=True, eq=False)
class MeshState(State):
    """Meshed bodies with the motion of their markers; coordinates are the degrees of freedom of all bodies."""

    discrete: Mapping[str, DiscreteBody]
    rows: Mapping[MarkerKey, MarkerRows]
    moved: Mapping[MarkerKey, tuple[Array, Array, Array | None]]  # (u, θ), rates and accelerations: (T, 6) each
    frames: Callable[[str], Frame] | None = None
    joints: Mapping[str, JointForce] | None = None

    def body_frame(self, body: str) -> Frame:
        return super().body_frame(body) if self.frames is None else self.frames(body)

    def deformation(self, marker: Marker) -> Deformation | None:
        key = (marker.body, marker.name)
        if key not in self.rows:
            return None  # on a rigid body, or the origin of a frame
        found = self.rows[key]
        dense = found.rows.toarray()[None] if self.sought == "jacobian" else None
        return Deformation(*self.moved[key], dense, found.present)

    def columns(self, body: str) -> Columns:
        start = 0
        for name, discrete in self.discrete.items():
            if name == body:
                break
            start += discrete.dofs.count
        total = sum(discrete.dofs.count for discrete in self.discrete.values())
        own = self.discrete[body].dofs.count if body in self.discrete else 0
        return Columns(total, np.full(6, -1), np.arange(start, start + own))

    def joint(self, name: str) -> JointReadings:
        if self.joints is None or name not in self.joints:
            return super().joint(name)
        return self.joints[name]


def marker_rows(
    system: System, discrete: Mapping[str, DiscreteBody], sensors: Mapping[str, Sensor]
) -> dict[MarkerKey, MarkerRows]:
    """Rows of the markers that sensors follow on the meshed bodies."""
    found = {}
    for name, sensor in sensors.items():
        with naming(name):
            if name in RESERVED:
                raise InputError("that name is taken by the record itself; choose another")
            for marker in sensor.markers(system):
                if marker.on is not None and marker.body in discrete:
                    found[marker.body, marker.name] = MarkerRows.on(discrete[marker.body], marker)
    return found


def lone_system(discrete: DiscreteBody) -> System:
    """One body as a system, so that sensors find it by its name."""
    return System([discrete.body], space=discrete.body.space)


def _at_rest(analysis: str, discrete: DiscreteBody, sensors: Mapping[str, Sensor]) -> MeshState:
    """A body without deformation at one instant, without a place in space."""
    system, bodies, still = lone_system(discrete), {discrete.body.name: discrete}, np.zeros((1, 6))
    rows = marker_rows(system, bodies, sensors)
    return MeshState(analysis, system, "value", bodies, rows, dict.fromkeys(rows, (still, still, still)))


@dataclass(frozen=True, eq=False)
class LinearSensor:
    """One component of a sensor as a row that multiplies δ."""

    name: str
    unit: str
    row: Array  # (p,)


def linear_sensors(
    analysis: str, discrete: DiscreteBody, sensors: Mapping[str, Sensor]
) -> tuple[LinearSensor, ...]:
    """Jacobians of sensors about the undeformed body, for analyses that are linear in δ."""
    state, found = _at_rest(analysis, discrete, sensors), []
    for name, sensor in sensors.items():
        with naming(name):
            made, jacobian = sensor.read(state), sensor.jacobian(state)
        names = [f"{name} {part}" for part in made.components] or [name]
        rows = jacobian.reshape(len(names), -1)
        found += [LinearSensor(part, made.unit, row) for part, row in zip(names, rows, strict=True)]
    return tuple(found)


def displacement_rows(analysis: str, discrete: DiscreteBody, sensors: Mapping[str, Sensor]) -> dict[str, Array]:
    """Displacement [m] of the marker of each sensor, for analyses that show orbits: (3, p) each."""
    state, found = _at_rest(analysis, discrete, sensors), {}
    for name, sensor in sensors.items():
        with naming(name):
            if not isinstance(sensor, DofSensor | MarkerSensor):
                raise UnavailableError(
                    state, f"{type(sensor).__name__}", "give on, or the displacement of a marker"
                )
            (marker,) = sensor.markers(state.system)
            slopes = state.seeking("jacobian").marker(marker).displacement.slopes
            assert slopes is not None
            found[name] = slopes[0]
    return found


def law_motion(name: str, law: MotionLaw, times: Array, last_angle: float = 0.0) -> BodyMotion:
    """A frame on a known motion, in space axes; InputError where the motion is known by its components only.

    The angle about z is counted on from the one before.
    """
    poses, motions = [law.pose(float(t)) for t in times], [law.at(float(t)) for t in times]
    R = np.array([pose.rotation for pose in poses])
    angles = np.unwrap([last_angle, *np.arctan2(R[:, 1, 0], R[:, 0, 0])])[1:]

    def in_space(which: str) -> Array:
        return np.einsum("tij,tj->ti", R, np.array([getattr(motion, which) for motion in motions]))

    return BodyMotion(
        name=name,
        times=times,
        positions=np.array([pose.position for pose in poses]),
        rotations=R,
        angles=angles,
        velocities=in_space("origin_velocity"),
        angular_velocities=in_space("angular_velocity"),
        accelerations=in_space("origin_acceleration"),
        angular_accelerations=in_space("angular_acceleration"),
    )


@dataclass(eq=False)
class BodySensors:
    """Reads the sensors of one body on a known motion, from blocks of instants of its markers."""

    sensors: Mapping[str, Sensor]
    discrete: DiscreteBody
    law: MotionLaw
    analysis: str = "a transient of a body on a known frame"
    units: dict[str, str] = field(default_factory=dict)  # of every component, by its name
    wants_accelerations: bool = False
    _rows: dict[MarkerKey, MarkerRows] = field(init=False)
    _stacked: SparseMatrix = field(init=False)
    _angle: float = 0.0

    def __post_init__(self) -> None:
        """Everything that a sensor asks for is tried at the start, before anything is computed."""
        self._rows = marker_rows(
            lone_system(self.discrete), {self.discrete.body.name: self.discrete}, self.sensors
        )
        parts = [found.rows for found in self._rows.values()]
        self._stacked = sparse.csr_array(sparse.vstack(parts) if parts else (0, self.discrete.dofs.count))
        still = np.zeros((1, self._stacked.shape[0]))
        try:
            self.read(np.zeros(1), still, still, None)
        except InputError:
            self.wants_accelerations = True
            self.read(np.zeros(1), still, still, still)
        self._angle = 0.0

    def marker_motion(self, vector: Array) -> Array:
        """(u, θ) of all markers for displacements, rates or accelerations (p,): (6 · markers,)."""
        return np.asarray(self._stacked @ vector)

    def read(self, times: Array, moved: Array, rates: Array, accelerations: Array | None) -> Array:
        """Every component of every sensor: (T, components); marked vectors are (T, 6 · markers) each."""
        motions: list[BodyMotion] = []

        def frame(body: str) -> BodyMotion:
            if not motions:
                motions.append(law_motion(body, self.law, times, self._angle))
            return motions[0]

        split = {
            key: tuple(
                None if part is None else part[:, 6 * k : 6 * k + 6] for part in (moved, rates, accelerations)
            )
            for k, key in enumerate(self._rows)
        }
        state = MeshState(
            analysis=self.analysis,
            system=lone_system(self.discrete),
            sought="value",
            discrete={self.discrete.body.name: self.discrete},
            rows=self._rows,
            moved=split,  # type: ignore[arg-type]  # three each
            frames=frame,
        )
        columns: dict[str, Array] = {}
        for name, found in read_all(self.sensors, state).items():
            made = found.columns(name)
            columns |= made
            self.units |= dict.fromkeys(made, found.unit)
        if motions and motions[0].angles is not None:
            self._angle = float(motions[0].angles[-1])
        return np.array(list(columns.values())).reshape(len(columns), len(times)).T
