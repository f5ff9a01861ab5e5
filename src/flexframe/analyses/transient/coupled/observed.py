"""A coupled motion with everything that sensors read: frames, deformations, forces, energies."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from flexframe.analyses.transient.coupled.beam_sections import (
    BeamSections,
    BeamStress,
    beam_sections,
    joined_sections,
)
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled.interior import interior_forces
from flexframe.analyses.transient.coupled.stress_rows import RowStress, StressRows, stress_rows
from flexframe.assembly.interior_forces import InteriorForces
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.system import GROUND
from flexframe.multibody.contract import ENERGIES, BodyHistory, Simulation
from flexframe.multibody.division.histories import deformation_in_whole, whole_history
from flexframe.multibody.division.pieces import Division, described_system, divisions_of
from flexframe.multibody.histories import (
    body_history,
    joint_force,
    marker_history,
    mechanism_motion,
    point_deformation,
)
from flexframe.multibody.inverse_dynamics import JointForce
from flexframe.multibody.mechanism import Mechanism, mechanism
from flexframe.multibody.motion import MechanismMotion
from flexframe.sensors.contract import Marker, Reading
from flexframe.sensors.states import Columns, Deformation, MarkerReader, State, StressReadings


@dataclass(frozen=True, eq=False)
class Observed(State):
    """A computed motion, ready for sensors; its coordinates are those of the unknowns u = (v, ω, δ̇)."""

    run: Simulation
    parts: Mapping[str, ElasticPart]
    _interior: dict[str, InteriorForces] = field(default_factory=dict)
    _wrenches: dict[str, tuple[Array, Array]] = field(default_factory=dict)

    @staticmethod
    def of(run: Simulation, parts: Mapping[str, ElasticPart]) -> "Observed":
        """The state of a simulation."""
        described = described_system(run.system.system)
        return Observed("a transient of a system", described, "value", run, parts)

    @property
    def divisions(self) -> Mapping[str, Division]:
        """Bodies that are computed as several pieces."""
        return divisions_of(self.run.system.system)

    @property
    def planar(self) -> bool:
        """Whether all bodies move in the x–y plane."""
        return self.run.system.planar

    @cached_property
    def bodies(self) -> dict[str, BodyHistory]:
        """Frames and elastic coordinates of all bodies, those of divided ones beside their pieces."""
        computed = {name: body_history(self.run, name) for name in self.run.system.names}
        return computed | {
            name: whole_history(self.run.system, division, computed) for name, division in self.divisions.items()
        }

    def interior(self, body: str) -> InteriorForces:
        """Forces inside an elastic body."""
        if body not in self._interior:
            self._interior[body] = interior_forces(self.parts[body], self.bodies[body], self.run)
        return self._interior[body]

    def body_frame(self, body: str) -> BodyHistory:
        return self.bodies[body]

    def deformation(self, marker: Marker) -> Deformation | None:
        if marker.on is not None and marker.body in self.divisions:
            division = self.divisions[marker.body]
            piece, own = division.locate(marker.on)
            return deformation_in_whole(self.run.system, division, piece, f"marker {own}", self.bodies)
        if marker.on is None or marker.body not in self.parts:
            return None
        there, system = self.parts[marker.body].reduced.point(marker.name), self.run.system
        return point_deformation(self.bodies[marker.body], there, geometric=system.geometric)

    def marker(self, marker: Marker) -> MarkerReader:
        if marker.on is None or marker.body not in self.parts:
            return super().marker(marker)
        there = self.parts[marker.body].reduced.point(marker.name)
        return super().marker(replace(marker, point=there.position))

    def columns(self, body: str) -> Columns:
        system = self.run.system
        number = system.number(body)
        numbers = system.tables.bodies.numbers[number][: 6 + system.bodies[number].size]
        return Columns(system.size, numbers[:6], numbers[6:])

    def stress(self, marker: Marker) -> StressReadings:
        if marker.on is not None and marker.body in self.divisions:
            if self.divisions[marker.body].exact is not None:
                from flexframe.analyses.transient.coupled.exact_stress import ExactStress

                return ExactStress.at(self, self.divisions[marker.body], marker.on)
            met = self.divisions[marker.body].holders(marker.on)
            each = [self.stress(replace(marker, body=piece.name, on=own)) for piece, own in met]
            return joined_sections([stress for stress in each if isinstance(stress, BeamStress)])
        if marker.body not in self.parts:
            raise InputError(f"body {marker.body} is rigid here and has no stress; give it a reduction")
        assert marker.on is not None, "a marker with stress is on a mesh"
        part, body = self.parts[marker.body], self.bodies[marker.body]
        if marker.on not in part.stressed_places:  # found once for all motions of the body
            part.stressed_places[marker.on] = stress_rows(part, marker.on) or beam_sections(part, marker.on)
        found = part.stressed_places[marker.on]
        if not isinstance(found, StressRows):
            assert isinstance(found, BeamSections)
            return BeamStress(found, self.interior(marker.body))
        slopes = None
        if self.sought == "rate":
            slopes = body.rates[..., None]
        elif self.sought == "jacobian":
            own = np.broadcast_to(np.eye(part.reduced.size), (len(body.deformation), *[part.reduced.size] * 2))
            slopes = self.columns(marker.body).spread_columns(np.zeros((*own.shape[:2], 6)), own)
        return RowStress(found, Reading(body.deformation, slopes))

    @cached_property
    def motion(self) -> MechanismMotion:
        """Frames of all bodies that are described as those of a mechanism."""
        return mechanism_motion(self.run, self.bodies, self._mechanism)

    @cached_property
    def _mechanism(self) -> Mechanism:
        return mechanism(self.system) if self.divisions else self.run.system.mechanism

    @cached_property
    def forces(self) -> dict[str, JointForce]:
        """Forces of all joints and drives."""
        return {link.name: self.joint(link.name) for link in self.links}

    @property
    def links(self) -> tuple[Joint | Drive, ...]:
        """All joints and drives."""
        return (*self.system.joints, *self.system.drives)

    def wrench(self, name: str) -> tuple[Array, Array]:
        """Force and moment of a joint or drive on its second body, space axes: (T, 3) each."""
        if name not in self._wrenches:
            self._wrenches[name] = joint_force(self.run, name, self.bodies)
        return self._wrenches[name]

    def multipliers(self, name: str) -> Array:
        """The multiplier of each constraint of a joint or drive, of a drive what it needs: (T, constraints)."""
        owners = self.run.system.mechanism.constraints.owners  # without those of locks, which come after them
        return self.run.multipliers[:, [k for k, owner in enumerate(owners) if owner == name]]

    @property
    def described_multipliers(self) -> Array:
        """Those of the constraints that are described, without the bonds of divided bodies: (T, rows)."""
        bonds = {bond.name for division in self.divisions.values() for bond in division.bonds}
        return self.run.multipliers[:, [owner not in bonds for owner in self.run.system.owners]]

    @cached_property
    def energies(self) -> dict[str, Array]:
        """Energies by name [J]: what is stored, supplied by drives and loads, and dissipated."""
        column = dict(zip(ENERGIES, self.run.energies.T, strict=True))
        contact = {"contact": column["contact"]} if self.system.all_contacts else {}
        return {
            "kinetic": column["kinetic"],
            "strain": column["strain"],
            "potential": column["gravity"] + column["springs"],
            "supplied": column["drives"] + column["loads"],
            "dissipated": column["dissipated"],
            **contact,
        }

    def energy(self, name: str) -> Array:
        return self.energies.get(name, np.zeros(len(self.run.times)))

    def momentum(self, name: str) -> Array:
        return self.run.linear_momentum if name == "linear" else self.run.angular_momentum

    def load(self, name: str) -> Array:
        return self.run.signals[:, list(self.run.system.network.load_forces[name])]

    def contact(self, name: str) -> tuple[Array, Array]:
        number = [contact.name for contact in self.system.all_contacts].index(name)
        gap, normal = self.run.contacts[:, number, :2].T
        return gap, normal

    def joint(self, name: str) -> JointForce:
        """What a joint or drive carries, and where."""
        link = next(link for link in self.links if link.name == name)
        (first, _), (second, frame) = self.system.frame(link.first), self.system.frame(link.second)
        force, moment = self.wrench(name)
        if second == GROUND:
            places = np.repeat(frame.point[None], len(self.run.times), axis=0)
        else:
            places = marker_history(self.run, link.second, self.bodies).positions
        return JointForce(
            name=link.name,
            first=first,
            second=second,
            places=places,
            force=force,
            moment=moment,
            drive=any(drive.name == link.name for drive in self.system.drives),
            values=self.multipliers(link.name),
        )
