"""The equilibrium of a system: where its bodies rest, what joints and springs carry, and whether it is stable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from flexframe.analyses.kinematics.record import motion_arrays
from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.peaks import StressPeak
from flexframe.results.record import NamedArrays, Record, complex_pairs

_SHOWN = 12  # eigenvalues in a summary


@dataclass(frozen=True)
class SpringForce:
    """Force [N] or torque [N m] of a spring, motor or brake on its second body, along its coordinate."""

    name: str
    kind: str
    coordinate: float  # m or rad
    force: float
    turns: bool  # whether the coordinate is an angle


@dataclass(frozen=True, eq=False)
class LoadCurve:
    """Equilibria while all loads grow together: the load factor, and how far elastic bodies deform."""

    factors: Array  # (steps,)
    displacements: Mapping[str, Array]  # largest of a node of each elastic body [m]: (steps,)
    singular: tuple[float, ...]  # factors near which the tangent was singular: limits of the load, branches

    def summary(self) -> dict[str, Any]:
        return {
            "load_factors": self.factors.tolist(),
            "max_displacement_m": {name: found.tolist() for name, found in self.displacements.items()},
            "singular_near": list(self.singular),
        }


@dataclass(frozen=True, eq=False, repr=False)
class SystemStatics(Record):
    """A position of rest under the loads at one time, and its stability.

    `stability` is judged by the eigenvalues of the tangent stiffness over the mass, both on the changes of
    position that joints and drives allow: squared angular frequencies of small vibrations without damping,
    negative where the system would leave the position. `neutral` is what cannot be told from zero.
    """

    kind: ClassVar[str] = "statics"
    presented_by: ClassVar[str] = ".system_presentation:SystemStaticsPresentation"

    forces: MechanismForces  # of one instant, with the position of the frames
    stability: Literal["stable", "unstable", "neutral"]
    eigenvalues: ComplexArray  # rad²/s², ascending by real part: (f,)
    loosest: str  # the body that moves most with the first of them
    springs: tuple[SpringForce, ...]
    moved: Mapping[str, tuple[float, float]]  # body → how far it went from the rough position, m and rad
    displacements: Mapping[str, Array]  # of each elastic body, in its axes: (nodes, 6)
    stress: Mapping[str, StressPeak]  # largest of each elastic body
    potential: float  # of weight, springs and strain [J]
    reductions: tuple[ReductionFigures, ...]
    iterations: int
    geometric: bool
    path: LoadCurve | None = None  # where loads grew from nothing
    buckling_factors: Array = field(default_factory=lambda: np.zeros(0))  # of all loads together, ascending
    strains: Mapping[str, float] = field(default_factory=dict)  # largest of each body of exact beams
    notices: tuple[str, ...] = ()

    @property
    def motion(self) -> MechanismMotion:
        """Where the frames are, as a motion of one instant."""
        return self.forces.motion

    @property
    def largest_displacements(self) -> dict[str, float]:
        """Of a node of each elastic body relative to its frame [m]."""
        return {n: float(np.linalg.norm(u[:, :3], axis=1).max()) for n, u in self.displacements.items()}

    @property
    def words(self) -> str:
        """The stability in one line."""
        if not len(self.eigenvalues):
            return "stable: joints and drives leave no motion"
        first = self.eigenvalues[0]
        return (
            f"{self.stability}: the smallest eigenvalue of the tangent stiffness over the mass is "
            f"{first.real:.6g} rad²/s² (mostly {self.loosest})"
        )

    def summary(self) -> dict[str, Any]:
        largest = self.largest_displacements
        values = self.eigenvalues
        positive = values.real[values.real > 0]
        return {
            "kind": self.kind,
            "system": self.motion.mechanism.system.name,
            "space": self.motion.mechanism.system.space,
            "time_s": float(self.motion.times[0]),
            "stability": self.stability,
            "smallest_eigenvalue_rad2_s2": float(values[0].real) if len(values) else None,
            "loosest_body": self.loosest,
            "eigenvalues_rad2_s2": complex_pairs(values[:_SHOWN]),
            "frequencies_hz": (np.sqrt(positive[:_SHOWN]) / (2 * np.pi)).tolist(),
            "degrees_of_freedom": len(values),
            "bodies": {name: self._position(name) for name in self.motion.names},
            "joints": {n: _carry(f) for n, f in self.forces.joints.items() if not f.drive},
            "drives": {n: _carry(f) for n, f in self.forces.joints.items() if f.drive},
            "springs": {
                s.name: {
                    "kind": s.kind,
                    "coordinate": s.coordinate,
                    "coordinate_unit": "rad" if s.turns else "m",
                    "force": s.force,
                    "unit": "N m" if s.turns else "N",
                }
                for s in self.springs
            },
            "max_displacement_m": max(largest.values(), default=0.0),
            "maxima": {
                f"{body} {peak.measure}": {
                    "value": peak.value,
                    "unit": "Pa",
                    "place_m": peak.place.tolist(),
                    "cell": peak.cell,
                }
                for body, peak in self.stress.items()
            },
            **({"max_strain": dict(self.strains)} if self.strains else {}),
            "potential_energy_J": self.potential,
            "closure": self.motion.closure,
            "iterations": self.iterations,
            **({} if self.path is None else {"path": self.path.summary()}),
            **({"buckling_factors": self.buckling_factors.tolist()} if len(self.buckling_factors) else {}),
            "reductions": {found.body: found.summary() for found in self.reductions},
            "geometric": self.geometric,
            "notices": list(self.notices),
        }

    def _position(self, name: str) -> dict[str, Any]:
        moving = self.motion.body(name)
        moved, turned = self.moved[name]
        out: dict[str, Any] = {
            "position_m": moving.positions[0].tolist(),
            "rotation": moving.rotations[0].tolist(),
            "moved_m": moved,
            "turned_rad": turned,
        }
        if moving.angles is not None:
            out["angle_rad"] = float(moving.angles[0])
        if name in self.displacements:
            out["max_elastic_displacement_m"] = self.largest_displacements[name]
        return out

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "eigenvalue": (("mode", "part"), np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)),
            "spring_force": ("spring", np.array([s.force for s in self.springs])),
            "spring_coordinate": ("spring", np.array([s.coordinate for s in self.springs])),
        }
        for name, found in self.forces.joints.items():
            data[f"force_{name}"] = (("time", "axis"), found.force, {"units": "N"})
            data[f"moment_{name}"] = (("time", "axis"), found.moment, {"units": "N m"})
        for name, shape in self.displacements.items():
            data[f"displacement_{name}"] = ((f"node_{name}", "dof"), shape)
        return motion_arrays(self.motion, self.kind).extend(
            data,
            coords={"spring": [s.name for s in self.springs], "dof": ["ux", "uy", "uz", "rx", "ry", "rz"]},
            attrs={"stability": self.stability},
        )


def _carry(found: JointForce) -> dict[str, Any]:
    return {
        "on": found.second,
        "by": found.first,
        "force_N": found.force[0].tolist(),
        "moment_Nm": found.moment[0].tolist(),
        "values": found.values[0].tolist(),
    }
