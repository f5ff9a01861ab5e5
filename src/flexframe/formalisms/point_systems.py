"""A system as the formalisms see it: points, forces and constraint equations at a state, and states as vectors."""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.formalisms.beam_sections import BeamSections, beam_motion, beam_sections
from flexframe.formalisms.contract import SystemInstant
from flexframe.formalisms.mass_points import MassPoints, mass_points, point_motion
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_product, rotation_about_z, rotation_from_quaternion
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import counted_in_plane, equations_at, evaluation_at, place_of, with_velocity

_PLANAR, _SPATIAL = (0, 1, 5), (0, 1, 2, 3, 4, 5)


_LIMP = 1e60  # flexibility of beams that resist nothing


@dataclass(frozen=True, eq=False)
class PointSystem:
    """A system whose bodies are mass points, prepared once for many states."""

    system: DynamicSystem
    points: tuple[MassPoints, ...]
    columns: tuple[IntArray, ...]  # of (v, ω, δ̇) that each body uses
    places: tuple[slice, ...]  # of its velocities in u
    beams: tuple[BeamSections, ...]
    given: DynamicSystem  # the same with beams that are neither elastic nor heavy: what is left are given forces

    def local(self, state: DynamicState, number: int) -> Array:
        """(v, ω, δ̇) of a body: (6 + m,)."""
        rates = state.rates[self.system.elastic(number)]
        return np.concatenate([state.velocities[number], state.angular_velocities[number], rates])

    def at(self, state: DynamicState) -> SystemInstant:
        """Everything at one state."""
        system = self.system
        equations = equations_at(self.given, state)
        bodies = tuple(
            point_motion(
                points, body, state.deformation[system.elastic(number)], self.local(state, number), columns
            )
            for number, (points, body, columns) in enumerate(
                zip(self.points, system.bodies, self.columns, strict=True)
            )
        )
        gravity = gravity_at(system, state) if self.beams else np.zeros(3)
        beams = tuple(beam_motion(sections, state, gravity) for sections in self.beams)
        return SystemInstant(
            system=system,
            state=state,
            bodies=bodies,
            places=self.places,
            velocity=equations.velocity,
            applied=equations.applied_force,
            constraint=equations.constraint,
            drive=equations.drive_rate,
            bias=equations.bias,
            potential=equations.potential_energy + sum(beam.potential for beam in beams),
            beams=beams,
        )


def point_system(system: DynamicSystem) -> PointSystem:
    """Find the mass points of all bodies."""
    system.system.require_smooth("a formalism")
    system.system.require_free_of_reactions("a formalism")
    rigid = _PLANAR if system.planar else _SPATIAL
    points, columns, places = [], [], []
    for number, body in enumerate(system.bodies):
        points.append(mass_points(body, planar=system.planar))
        columns.append(np.array([*rigid, *range(6, 6 + body.size)], dtype=np.int64))
        first = int(system.rigid_starts[number])
        places.append(slice(first, first + len(columns[-1])))
    beams = beam_sections(system, np.array(rigid, dtype=np.int64))
    return PointSystem(system, tuple(points), tuple(columns), tuple(places), beams, _without_beams(system))


def _without_beams(system: DynamicSystem) -> DynamicSystem:
    """The system with exact beams that only carry their loads."""
    own = system.tables.beams
    if not len(own.lengths):
        return system
    nothing, soft = np.zeros_like(own.mass), np.broadcast_to(_LIMP * np.eye(6), own.mass.shape)
    light = own._replace(
        flexibilities=np.ascontiguousarray(soft), bending=np.zeros_like(own.bending), damping=nothing, mass=nothing
    )
    return replace(system, tables=system.tables._replace(beams=light))


def gravity_at(system: DynamicSystem, state: DynamicState) -> Array:
    """Acceleration of space on all mass at a state [m/s²]: (3,)."""
    if not len(system.tables.fields.laws):
        return system.tables.gravity
    evaluation = evaluation_at(system, state.time)
    evaluation.evaluate(place_of(system, state), state.time, np.zeros(system.size), np.zeros(system.rows), True)
    return system.mechanism.gravity_at(np.array([state.time]), evaluation.signals()[None])[0]


@dataclass(frozen=True, eq=False)
class Coordinates:
    """States as plain vectors that any integrator of ordinary differential equations can advance.

    A planar system has (x, y, θ) of each body, a spatial one r_O and the quaternion; then δ of all bodies.
    """

    system: DynamicSystem

    @property
    def _width(self) -> int:
        return 3 if self.system.planar else 7

    @property
    def size(self) -> int:
        """Length of a vector of coordinates."""
        return self._width * len(self.system.bodies) + int(self.system.elastic_starts[-1])

    def pack(self, state: DynamicState) -> Array:
        """The coordinates of a state."""
        if self.system.planar:
            rigid = np.concatenate([state.positions[:, :2], state.angles[:, None]], axis=1)
        else:
            rigid = np.concatenate([state.positions, state.quaternions], axis=1)
        return np.concatenate([rigid.reshape(-1), state.deformation])

    def state(self, time: float, coordinates: Array, velocity: Array) -> DynamicState:
        """The state with these coordinates and velocities u."""
        bodies, width = len(self.system.bodies), self._width
        rigid, delta = coordinates[: width * bodies].reshape(bodies, width), coordinates[width * bodies :]
        positions, angles = np.zeros((bodies, 3)), np.zeros(bodies)
        if self.system.planar:
            positions[:, :2], angles = rigid[:, :2], rigid[:, 2].copy()
            zero = np.zeros(bodies)
            quaternions = np.stack([np.cos(angles / 2), zero, zero, np.sin(angles / 2)], axis=1)
        else:
            positions[:] = rigid[:, :3]
            quaternions = rigid[:, 3:] / np.linalg.norm(rigid[:, 3:], axis=1, keepdims=True)
        empty = np.zeros((bodies, 3))
        plain = DynamicState(
            time, positions, quaternions, delta.copy(), empty, empty.copy(), np.zeros_like(delta), angles
        )
        if self.system.planar and self.system.counts:
            plain = replace(plain, counted=counted_in_plane(self.system, positions, angles))
        return with_velocity(self.system, plain, velocity)

    def rates(self, state: DynamicState) -> Array:
        """ṙ_O = R v, q̇ = ½ q ∘ (0, ω) or θ̇ = ω_z, δ̇."""
        if self.system.planar:
            R = rotation_about_z(state.angles)
            moved = np.matmul(R, state.velocities[..., None])[..., 0]
            rigid = np.concatenate([moved[:, :2], state.angular_velocities[:, 2:]], axis=1)
        else:
            R = rotation_from_quaternion(state.quaternions)
            moved = np.matmul(R, state.velocities[..., None])[..., 0]
            omega = np.concatenate([np.zeros((len(R), 1)), state.angular_velocities], axis=1)
            rigid = np.concatenate([moved, quaternion_product(state.quaternions, omega) / 2], axis=1)
        return np.concatenate([rigid.reshape(-1), state.rates])

    def scales(self) -> Array:
        """One length of the system, one radian, and the elastic coordinates that belong to them."""
        u = self.system.tables.scales
        rigid, elastic = [], []
        for number, body in enumerate(self.system.bodies):
            first = int(self.system.rigid_starts[number])
            length = u[first]
            rigid.append([length, length, 1.0] if self.system.planar else [length] * 3 + [1.0] * 4)
            count = 3 if self.system.planar else 6
            elastic.append(u[first + count : first + count + body.size])
        return np.concatenate([np.array(rigid).reshape(-1), *elastic])
