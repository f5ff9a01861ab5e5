"""A coupled motion with everything that sensors read: frames, deformations, forces, energies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexframe.analyses.transient.coupled.beam_sections import BeamSections, beam_sections
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled.interior import interior_forces
from flexframe.analyses.transient.coupled.stress_rows import StressRows, stress_rows
from flexframe.assembly.interior_forces import InteriorForces
from flexframe.dynamics.contract import ENERGIES, BodyHistory, Simulation
from flexframe.dynamics.frame_kinematics import FrameHistory, frame_history
from flexframe.dynamics.sensors import body_history, joint_force
from flexframe.maths.arrays import Array
from flexframe.mechanisms.inverse_dynamics import JointForce
from flexframe.mechanisms.mobility import mobility
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.mechanisms.states import Rates, placed
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.supports import NodeSelection
from flexframe.model.system import GROUND, System


@dataclass(frozen=True, eq=False)
class Observed:
    """A computed motion, ready for sensors."""

    run: Simulation
    parts: Mapping[str, ElasticPart]
    _interior: dict[str, InteriorForces] = field(default_factory=dict)
    _wrenches: dict[str, tuple[Array, Array]] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The system that moves."""
        return self.run.system.system

    @property
    def planar(self) -> bool:
        """Whether all bodies move in the x–y plane."""
        return self.run.system.planar

    @cached_property
    def bodies(self) -> dict[str, BodyHistory]:
        """Frames and elastic coordinates of all bodies."""
        return {name: body_history(self.run, name) for name in self.run.system.names}

    def interior(self, body: str) -> InteriorForces:
        """Forces inside an elastic body."""
        if body not in self._interior:
            self._interior[body] = interior_forces(self.parts[body], self.bodies[body], self.run)
        return self._interior[body]

    def stressed(self, body: str, on: NodeSelection) -> StressRows | BeamSections:
        """A place of an elastic body where stress is asked for; found once for all motions of the body."""
        part = self.parts[body]
        if on not in part.stressed_places:
            part.stressed_places[on] = stress_rows(part, on) or beam_sections(part, on)
        found = part.stressed_places[on]
        assert isinstance(found, StressRows | BeamSections)
        return found

    @cached_property
    def motion(self) -> MechanismMotion:
        """Frames of all bodies as those of a mechanism."""
        run, ready, bodies = self.run, self.run.system.mechanism, list(self.bodies.values())
        rotations = np.stack([body.rotations for body in bodies], axis=1)
        configuration = placed(run.positions, rotations, run.angles if self.planar else None)
        return MechanismMotion(
            mechanism=ready,
            times=run.times,
            configuration=configuration,
            velocities=_rates([(body.velocities, body.angular_velocities) for body in bodies]),
            accelerations=_rates([(body.accelerations, body.angular_accelerations) for body in bodies]),
            mobility=mobility(ready, configuration.at(slice(0, 1))),
            closure=float(np.max(run.position_residuals, initial=0.0)),
        )

    @cached_property
    def forces(self) -> dict[str, JointForce]:
        """Forces of all joints and drives."""
        return {link.name: self.force(link.name) for link in self.links}

    @property
    def links(self) -> tuple[Joint | Drive, ...]:
        """All joints and drives."""
        return (*self.system.joints, *self.system.drives)

    def wrench(self, name: str) -> tuple[Array, Array]:
        """Force and moment of a joint or drive on its second body, space axes: (T, 3) each."""
        if name not in self._wrenches:
            self._wrenches[name] = joint_force(self.run, name, self.bodies)
        return self._wrenches[name]

    @cached_property
    def energies(self) -> dict[str, Array]:
        """Energies by name [J]: what is stored, supplied by drives and loads, and dissipated."""
        column = dict(zip(ENERGIES, self.run.energies.T, strict=True))
        return {
            "kinetic": column["kinetic"],
            "strain": column["strain"],
            "potential": column["gravity"] + column["springs"],
            "supplied": column["drives"] + column["loads"],
            "dissipated": column["dissipated"],
        }

    def point(self, body: str, name: str) -> FrameHistory:
        """An interface or a watched point of an elastic body."""
        there = self.parts[body].reduced.point(name)
        return frame_history(self.bodies[body], there.position, there, geometric=self.run.system.geometric)

    def rotation(self, body: str, name: str) -> Array:
        """Small rotation of a point by deformation, body axes: (T, 3)."""
        there, delta = self.parts[body].reduced.point(name), self.bodies[body].deformation
        bent = np.einsum("irs,tr,ts->ti", there.quadratic[3:], delta, delta, optimize=True) / 2
        return np.asarray(delta @ there.rows[3:].T + self.run.system.geometric * bent)

    def fixed(self, body: str, place: Array) -> FrameHistory:
        """A place [m] that is fixed in the frame of a body."""
        return frame_history(self.bodies[body], place, None, geometric=False)

    def force(self, name: str) -> JointForce:
        """What a joint or drive carries, and where."""
        link = next(link for link in self.links if link.name == name)
        (first, _), (second, frame) = self.system.frame(link.first), self.system.frame(link.second)
        force, moment = self.wrench(name)
        point = link.second.partition(".")[2]
        if second == GROUND:
            places = np.repeat(frame.point[None], len(self.run.times), axis=0)
        elif second in self.parts and point:
            places = self.point(second, point).positions
        else:
            places = self.fixed(second, frame.point).positions
        return JointForce(
            name=link.name,
            first=first,
            second=second,
            places=places,
            force=force,
            moment=moment,
            drive=any(drive.name == link.name for drive in self.system.drives),
            values=self.run.multipliers[:, [owner == link.name for owner in self.run.system.owners]],
        )


def _rates(parts: list[tuple[Array, Array]]) -> Rates:
    """Linear and angular parts of all bodies, and zeros of the ground: (T, bodies + 1, 3) each."""
    still = np.zeros_like(parts[0][0])
    return Rates(*(np.stack([*(part[i] for part in parts), still], axis=1) for i in range(2)))
