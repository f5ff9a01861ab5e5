"""States of bodies with frames and deformations, as sensors see them: coordinates, rates and derivatives.

A marker is at r_P = r_O + R (x_P + u_P) with the displacement u_P and the small rotation θ_P that the deformation
δ gives it. Coordinates are, for each body whose motion is unknown, (v, ω) in body components, then δ.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.rotations import cross, rotation_from_vector, skew, tangent_operator
from flexframe.model.system import System
from flexframe.sensors.contract import Marker, Reading, Sought, UnavailableError

_ELASTIC = "take kind: transient of a system, in which meshed bodies deform"


class StressReadings(Protocol):
    """Stress and strain at a marker: measure → (T,) each."""

    def stresses(self, measure: str | None) -> tuple[Mapping[str, Reading], str]:
        """Measures, the asked one among them if it exists, and the usual one."""
        ...

    def unit(self, measure: str) -> str:
        """Pa, or the unit of a resultant."""
        ...

    def strains(self) -> Mapping[str, Reading]: ...


class JointReadings(Protocol):
    """What a joint or drive does to its second body, in space axes."""

    @property
    def second(self) -> str: ...
    @property
    def force(self) -> Array:
        """N: (T, 3)."""
        ...

    @property
    def moment(self) -> Array:
        """N m, about its place on the second body: (T, 3)."""
        ...

    @property
    def values(self) -> Array:
        """The multiplier of each constraint; of a drive its force or torque: (T, constraints)."""
        ...


class Frame(Protocol):
    """The frame of a body over time; vectors in space axes, (T, 3) each."""

    @property
    def positions(self) -> Array: ...
    @property
    def rotations(self) -> Array:
        """Body to space: (T, 3, 3)."""
        ...

    @property
    def angles(self) -> Array | None:
        """Of a planar motion: (T,)."""
        ...

    @property
    def velocities(self) -> Array: ...
    @property
    def angular_velocities(self) -> Array: ...
    @property
    def accelerations(self) -> Array: ...
    @property
    def angular_accelerations(self) -> Array: ...


@dataclass(frozen=True, eq=False)
class Deformation:
    """(u, θ) of a marker relative to its frame, body axes, with time derivatives, (T, 6) each."""

    values: Array
    rates: Array
    accelerations: Array | None  # None where the analysis does not have them
    rows: Array | None = None  # ∂(u, θ)/∂δ: (T or 1, 6, m); wanted for a Jacobian only
    present: BoolArray | None = None  # which of the six the body defines; None for all


@dataclass(frozen=True, eq=False)
class MarkerMotion:
    """A point and the axes that turn with it: displacements in body axes, the rest in space, (T, 3) each."""

    displacements: Array
    rotations: Array  # to space: (T, 3, 3)
    positions: Array
    velocities: Array
    accelerations: Array
    angular_velocities: Array


def marker_motion(frame: Frame, point: Array, deformation: Deformation | None) -> MarkerMotion:
    """r_P, ṙ_P and r̈_P of a point x_P + u_P; without a deformation it is fixed in the body."""
    R, w = frame.rotations, frame.angular_velocities
    if deformation is None:
        still = np.zeros((len(R), 6))
        deformation = Deformation(still, still, still)
    assert deformation.accelerations is not None
    value = deformation.values
    local = (point + value[:, :3], deformation.rates[:, :3], deformation.accelerations[:, :3])
    arm, moved, pushed = (np.einsum("tij,tj->ti", R, part) for part in local)
    turn = cross(w, arm)
    T = tangent_operator(value[:, 3:])
    acceleration = frame.accelerations + cross(frame.angular_accelerations, arm) + cross(w, turn)
    return MarkerMotion(
        displacements=value[:, :3],
        rotations=R @ rotation_from_vector(value[:, 3:]),
        positions=frame.positions + arm,
        velocities=frame.velocities + turn + moved,
        accelerations=acceleration + 2 * cross(w, moved) + pushed,
        angular_velocities=w + np.einsum("tij,tkj,tk->ti", R, T, deformation.rates[:, 3:]),
    )


@dataclass(frozen=True, eq=False)
class Columns:
    """Where the coordinates of a body are among the n of a state; −1 for those that are given or missing."""

    count: int
    rigid: IntArray  # v and ω: (6,)
    elastic: IntArray  # δ: (m,)

    def spread_columns(self, rigid: Array, elastic: Array | None) -> Array:
        """Derivatives (T, …, 6) and (T, …, m) in their columns: (T, …, n)."""
        out = np.zeros((*rigid.shape[:-1], self.count))
        unknown = self.rigid >= 0
        out[..., self.rigid[unknown]] = rigid[..., unknown]
        if elastic is not None:
            out[..., self.elastic] = elastic
        return out


@dataclass(frozen=True, eq=False)
class State:
    """What an analysis knows of a motion at T instants, asked by sensors; what it does not know is refused.

    A body on a known frame and a system are the same to a sensor: bodies with frames, markers, joints and stress.
    An analysis gives `body_frame`, `deformation` and `columns`, and what else it has.
    """

    analysis: str  # in words, for messages: "a run-up"
    system: System
    sought: Sought  # which slopes the readings carry: none, the rate, or the Jacobian

    @property
    def planar(self) -> bool:
        """Whether vectors are those of a plane."""
        return self.system.space == "planar"

    def seeking(self, sought: Sought) -> Self:
        """The same state whose readings carry other slopes."""
        return self if sought == self.sought else replace(self, sought=sought)

    def body_frame(self, body: str) -> Frame:
        """The frame of a body over time."""
        raise UnavailableError(self, f"frame of body {body} in space", "measure a displacement in body axes")

    def deformation(self, marker: Marker) -> Deformation | None:  # noqa: ARG002 - a rigid body
        """What deformation does to a marker; None where it is fixed in its frame."""
        return None

    def columns(self, body: str) -> Columns:
        """The coordinates of a body."""
        raise UnavailableError(self, f"coordinates of body {body}", "measure the value or the rate")

    def frame(self, body: str) -> "FrameReader":
        """Rotation and angular motion of the frame of a body."""
        self.system.body(body)
        return FrameReader(self, body)

    def marker(self, marker: Marker) -> "MarkerReader":
        """Where a marker is and how it moves."""
        return MarkerReader(self, marker)

    def joint(self, name: str) -> "JointReadings":
        """What a joint or drive does to its second body, space axes."""
        raise UnavailableError(self, f"force of {name}", "take kind: joint_forces, rigid_motion or transient")

    def load(self, name: str) -> Array:
        """Force of a load, or its components: (T, components)."""
        raise UnavailableError(self, f"force of load {name}", "take kind: transient of a system")

    def contact(self, name: str) -> tuple[Array, Array]:
        """Gap [m] and normal force [N] of a contact: (T,) each."""
        raise UnavailableError(self, f"contact {name}", "take kind: transient of a system")

    def stress(self, marker: Marker) -> StressReadings:
        """Stress and strain at a marker on a mesh."""
        raise UnavailableError(self, f"stress of body {marker.body} at a marker", _ELASTIC)

    def energy(self, name: str) -> Array:
        """J: (T,)."""
        raise UnavailableError(self, f"{name} energy of the system", "take kind: transient of a system")

    def momentum(self, name: str) -> Array:
        """Linear [kg m/s] or angular about the origin [kg m²/s], space axes: (T, 3)."""
        raise UnavailableError(self, f"{name} momentum of the system", "take kind: transient of a system")


@dataclass(frozen=True, eq=False)
class FrameReader:
    """Readings of the frame of a body."""

    state: State
    body: str

    @cached_property
    def _frame(self) -> Frame:
        return self.state.body_frame(self.body)

    def _reading(self, values: Array, rate: Array | None) -> Reading:
        """With slopes where the rate is sought and known."""
        sought = rate if self.state.sought == "rate" else None
        return Reading(values, None if sought is None else sought[..., None])

    @property
    def rotation(self) -> Reading:
        """R with Ṙ = ω̃ R (ω in space axes), and ∂R = R ẽ_k for turns about the body axes: (T, 3, 3)."""
        R = self._frame.rotations
        if self.state.sought == "jacobian":
            turns = np.einsum("tij,kjl->tilk", R, skew(np.eye(3)))
            rigid = np.concatenate([np.zeros_like(turns), turns], axis=-1)
            return Reading(R, self.state.columns(self.body).spread_columns(rigid, None))
        return self._reading(R, skew(self._frame.angular_velocities) @ R)

    @property
    def angle(self) -> Reading:
        angles = self._frame.angles
        if angles is None:
            raise InputError("an angle is that of a body in the plane; in space use angular_velocity")
        if self.state.sought == "jacobian":
            about_z = np.broadcast_to(np.eye(6)[5], (len(angles), 6))
            return Reading(angles, self.state.columns(self.body).spread_columns(about_z, None))
        return self._reading(angles, self._frame.angular_velocities[:, 2])

    @property
    def angular_velocity(self) -> Reading:
        return self._reading(self._frame.angular_velocities, self._frame.angular_accelerations)

    @property
    def angular_acceleration(self) -> Reading:
        return Reading(self._frame.angular_accelerations)


@dataclass(frozen=True, eq=False)
class MarkerReader:
    """Readings of a marker."""

    state: State
    at: Marker

    @cached_property
    def _deformation(self) -> Deformation | None:
        return self.state.deformation(self.at)

    def require(self, row: int, what: str) -> None:
        """Refuse one of ux … rz that the nodes do not have."""
        found = self._deformation
        if found is not None and found.present is not None and not found.present[row]:
            raise InputError(f"the nodes of '{self.at.on}' have no {NODE_DOFS[row]}; choose another {what}")

    @property
    def displacement(self) -> Reading:
        """u_P, body axes."""
        return self._relative(slice(0, 3))

    @property
    def rotation(self) -> Reading:
        """θ_P, body axes."""
        return self._relative(slice(3, 6))

    def _relative(self, rows: slice) -> Reading:
        found = self._deformation
        if found is None:
            still = np.zeros((self._count, 3))
            return Reading(still, self._spread_columns(np.zeros((len(still), 3, 6)), None))
        if self.state.sought == "jacobian":
            assert found.rows is not None
            local = np.broadcast_to(found.rows[:, rows], (len(found.values), 3, found.rows.shape[2]))
            return Reading(found.values[:, rows], self._spread_columns(np.zeros((*local.shape[:2], 6)), local))
        slopes = found.rates[:, rows, None] if self.state.sought == "rate" else None
        return Reading(found.values[:, rows], slopes)

    @property
    def _count(self) -> int:
        return len(self.state.body_frame(self.at.body).positions)

    def _spread_columns(self, rigid: Array, elastic: Array | None) -> Array | None:
        """Slopes of something that deformation alone, or that frame and deformation change."""
        match self.state.sought:
            case "value":
                return None
            case "rate":
                return np.zeros((*rigid.shape[:-1], 1))
        return self.state.columns(self.at.body).spread_columns(rigid, elastic)

    @cached_property
    def _motion(self) -> MarkerMotion:
        found = self._deformation
        if found is not None and found.accelerations is None:
            found = replace(found, accelerations=np.full_like(found.values, np.nan))
        return marker_motion(self.state.body_frame(self.at.body), self.at.point, found)

    @property
    def _accelerations(self) -> Array:
        found = self._deformation
        if found is not None and found.accelerations is None:
            raise UnavailableError(self.state, "accelerations of the deformation", "measure a velocity")
        return self._motion.accelerations

    @property
    def position(self) -> Reading:
        """r_P, with ∂r_P = R (1, −(x + u)~, N)."""
        values = self._motion.positions
        if self.state.sought == "jacobian":
            R, found = self.state.body_frame(self.at.body).rotations, self._deformation
            arm = self.at.point + (np.zeros((len(R), 3)) if found is None else found.values[:, :3])
            rigid = np.concatenate([R, -R @ skew(arm)], axis=2)
            elastic = None if found is None or found.rows is None else R @ found.rows[:, :3]
            return Reading(values, self._spread_columns(rigid, elastic))
        return Reading(values, self._motion.velocities[..., None] if self.state.sought == "rate" else None)

    @property
    def velocity(self) -> Reading:
        slopes = self._accelerations[..., None] if self.state.sought == "rate" else None
        return Reading(self._motion.velocities, slopes)

    @property
    def acceleration(self) -> Reading:
        return Reading(self._accelerations)
