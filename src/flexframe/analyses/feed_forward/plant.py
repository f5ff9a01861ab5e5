"""An elastic system whose drives follow commands: its motion, its quasi-static shape, and its linear models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from flexframe.analyses.linear_model.system import Ready, SystemQuestion, question
from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import DEGREE
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.constraints import constant_of, time_law
from flexframe.model.drives import AngleDrive, DistanceDrive, Drive, PositionDrive
from flexframe.model.system import System
from flexframe.motion.trajectories import Trajectory
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, SimulationOptions, Statistics
from flexframe.multibody.equations import laws_at
from flexframe.multibody.equilibria.elastic import elastic_equilibrium
from flexframe.multibody.integrators.recording import WORKS, simulation_of
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.kinematics import follow
from flexframe.multibody.linearisation import LinearSystem, common_back, linear_system
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.robots.tool_drives import JointLaw
from flexframe.sensors.contract import Sensor, read_all
from flexframe.sensors.kinds import MarkerSensor

OneDrive = AngleDrive | PositionDrive | DistanceDrive
TIP = "tip"
_NOTHING = Statistics(steps=0, rejected=0, iterations=0, factorisations=0, evaluations=0, seconds=0.0)


@dataclass(frozen=True, eq=False)
class Run:
    """A motion: times, the tip [m], and the torque or force of every drive."""

    times: Array  # s: (T,)
    tip: Array  # space: (T, 3)
    forces: Array  # N m or N: (T, drives)
    simulation: Simulation


@dataclass(frozen=True, eq=False)
class Plant:
    """A system with one law for each drive, which may be exchanged, and a tip that is watched."""

    ready: Ready
    marker: str
    drives: tuple[OneDrive, ...]
    commands: tuple[Trajectory, ...]

    @classmethod
    def of(
        cls,
        system: System,
        tip: str,
        reductions: Mapping[str, ReductionChoice | Literal["rigid"]],
        discrete: Mapping[str, DiscreteBody] | None,
    ) -> "Plant":
        """A system with drives that follow motions from rest to rest."""
        drives = tuple(map(_of_one_coordinate, system.drives))
        commands = tuple(map(_command, drives))
        if not commands:
            raise InputError("no drive gives a command that could be shaped; add drives", part=("drives",))
        sensors: dict[str, Sensor] = {TIP: MarkerSensor("position", tip)}
        asked = question(
            system,
            inputs=[f"drives.{drive.name}" for drive in system.drives],
            outputs=[TIP],
            sensors=sensors,
            reductions=reductions,
            discrete=discrete,
            geometric=True,
        )
        elastic = elastic_system(system, reductions, watched=asked.watched, discrete=discrete)
        return cls(Ready(asked, elastic), tip, drives, commands)

    @property
    def asked(self) -> SystemQuestion:
        """What is asked of the system."""
        return self.ready.asked

    @cached_property
    def end(self) -> float:
        """When all commands have ended [s]."""
        return max(command.end for command in self.commands)

    def system(self, commands: Sequence[Trajectory]) -> System:
        """The system with these commands of its drives."""
        return replace(self.ready.elastic.system, drives=self._drives(commands))

    def dynamic(self, commands: Sequence[Trajectory]) -> DynamicSystem:
        """Its equations."""
        return self.ready.dynamic(self.system(commands))

    # ------------------------------------------------------------------ motions

    def run(self, commands: Sequence[Trajectory], times: Array, options: SimulationOptions) -> Run:
        """The motion from rest in equilibrium with the loads."""
        moving = self.dynamic(commands)
        start = self.shape(moving, times[:1])[0]
        found = integrate(moving, options, start, times=times)
        return Run(times, self.tip(found), self.drive_forces(found), found)

    def tip(self, run: Simulation) -> Array:
        """Where the tip is: (T, 3)."""
        sensors = {TIP: self.asked.sensors[TIP]}
        seen = read_all(sensors, Observed.of(run, self.ready.elastic.parts))[TIP]
        values = np.zeros((len(run.times), 3))
        values[:, : seen.values.shape[1]] = seen.values
        return values

    def drive_forces(self, run: Simulation) -> Array:
        """What the drives give: (T, drives)."""
        owners = np.array(run.system.owners)
        return np.stack([run.multipliers[:, owners == drive.name].sum(axis=1) for drive in self.drives], axis=1)

    def rigid_tip(self, commands: Sequence[Trajectory], times: Array) -> Array:
        """Where the tip of the undeformed system would be: (T, 3)."""
        return follow(mechanism(self._system(commands)), times).marker(self.marker)[0]

    def _system(self, commands: Sequence[Trajectory]) -> System:
        return replace(self.asked.system, drives=self._drives(commands))

    def _drives(self, commands: Sequence[Trajectory]) -> list[Drive]:
        return [replace(drive, law=law) for drive, law in zip(self.drives, commands, strict=True)]

    def rigid_forces(self, commands: Sequence[Trajectory], times: Array) -> Array:
        """What the drives of the undeformed system would give: (T, drives)."""
        from flexframe.multibody.inverse_dynamics import inverse_dynamics

        found = inverse_dynamics(follow(mechanism(self._system(commands)), times))
        return np.stack([found.joints[drive.name].values[:, 0] for drive in self.drives], axis=1)

    def rigid_jacobians(self, commands: Sequence[Trajectory], times: Array) -> Array:
        """How the tip of the undeformed system moves with each command: (T, 3, drives)."""
        made = []
        step = 1e-5
        for k in range(len(commands)):
            sides = []
            for sign in (1.0, -1.0):
                moved = [shift(law, sign * step * (j == k)) for j, law in enumerate(commands)]
                sides.append(self.rigid_tip(moved, times))
            made.append((sides[0] - sides[1]) / (2 * step))
        return np.stack(made, axis=2)

    # ------------------------------------------------------------------ quasi-static shapes

    def shape(self, moving: DynamicSystem, times: Array) -> list[DynamicState]:
        """States in which elastic bodies rest in their frames under loads and inertia of the motion, at times."""
        c = follow(moving.mechanism, times)
        states = []
        for k, time in enumerate(times.tolist()):
            here, u = c.configuration.at([k]), c.velocities.at([k])
            R = here.rotations[0, :-1]
            local = [np.einsum("bij,bi->bj", R, part[0, :-1]) for part in (u.linear, u.angular)]
            still = np.zeros(int(moving.elastic_starts[-1]))
            angles = np.zeros(len(R)) if here.angles is None else here.angles[0]
            near = DynamicState(
                time=time,
                positions=here.positions[0, :-1].copy(),
                quaternions=quaternion_from_rotation(R),
                deformation=still,
                velocities=local[0],
                angular_velocities=local[1],
                rates=still,
                angles=angles,
            )
            states.append(elastic_equilibrium(laws_at(moving, time, time), near).state)
        return states

    def tip_at(self, moving: DynamicSystem, states: Sequence[DynamicState]) -> Array:
        """Where the tip is in states: (T, 3)."""
        ready = laws_at(moving, states[0].time, states[-1].time)
        works = np.zeros((len(states), WORKS))
        return self.tip(simulation_of(ready, "quasi-static", states, works=works, statistics=_NOTHING))

    # ------------------------------------------------------------------ linear models

    def models(self, moving: DynamicSystem, states: Sequence[DynamicState]) -> list[LinearSystem]:
        """ẋ = A x + B ẅ, y = C x at states, in the same coordinates; w are offsets of the commands."""
        first = laws_at(moving, states[0].time, states[0].time)
        back = common_back(first, states) if len(states) > 1 else None
        return [
            linear_system(laws_at(moving, state.time, state.time), state, self.tip, self.asked.drives, back)
            for state in states
        ]


def _of_one_coordinate(drive: Drive) -> OneDrive:
    if isinstance(drive, AngleDrive | PositionDrive | DistanceDrive):
        return drive
    raise InputError(
        f"{drive.name} prescribes a path of a point, not one coordinate; lead the tool by drives of joints",
        part=("drives", drive.name),
    )


def _command(drive: OneDrive) -> Trajectory:
    """The motion from rest to rest that a drive follows."""
    law = time_law(drive.law)
    if isinstance(law, JointLaw):
        return law.trajectory
    if isinstance(law, Trajectory):
        return law
    constant = constant_of(law)
    if constant is not None:
        return resting(constant)
    raise InputError(
        f"{drive.name} follows a law that does not end; give a motion from point to point, such as a polynomial, "
        "a trapezoid or a tool on a path",
        part=("drives", drive.name),
    )


def resting(value: float) -> Trajectory:
    """A command that stays."""
    row = np.zeros((1, DEGREE + 1))
    row[0, 0] = value
    return Trajectory(np.array([0.0, 1e-3]), row, ((value, 0.0), (value, 0.0)))


def shift(law: Trajectory, offset: float) -> Trajectory:
    """The command with a constant added."""
    rows = law.coefficients.copy()
    rows[:, 0] += offset
    (first, rate), (last, end) = law.ends
    return Trajectory(law.breaks, rows, ((first + offset, rate), (last + offset, end)))


def later(law: Trajectory, by: float) -> Trajectory:
    """The command, begun later [s]."""
    return Trajectory(law.breaks + by, law.coefficients, law.ends)
