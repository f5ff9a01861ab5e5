"""The record of a body in equilibrium."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.assembly.stress_error import StressError
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.results.body_fields import mesh_variables
from flexframe.results.peaks import beam_place, safety
from flexframe.results.record import Frame, NamedArrays, Record


@dataclass(frozen=True, eq=False)
class StressMaximum:
    """The largest value of one stress measure and where it is, in beams with the fibre."""

    measure: str
    value: float
    unit: str
    place: tuple[float, float, float]
    cell: int
    along: float | None = None  # of a beam: 0 at its first node … 1
    fibre: tuple[float, float] | None = None  # of a beam: (y, z) in its section, m
    strength: float | None = None  # of the material there, Pa


@dataclass(frozen=True, eq=False, repr=False)
class Statics(Record):
    """Displacements and stress of a body in equilibrium with its loads and inertia."""

    kind: ClassVar[str] = "statics"
    presented_by: ClassVar[str] = ".presentation:StaticsPresentation"

    body: str
    mesh: Mesh
    displacements: Array  # ux … rz: (nodes, 6)
    support_forces: Array  # forces and moments on the body: (nodes, 6)
    stress_positions: Array  # points where stress was recovered: (points, 3)
    stress_values: Mapping[str, Array]  # measure → (points,)
    maxima: tuple[StressMaximum, ...]
    relief: Array  # (−a, −α) of the rigid acceleration that the loads give a free body, origin at O: (6,)
    frame: Frame
    speed_rad_s: float
    terms: Terms
    nodal_stress: Mapping[str, Array]  # measure → (nodes,), averaged; empty for beams alone
    error: StressError | None = None  # None for beams alone
    notices: tuple[str, ...] = ()
    model: Body | None = None  # as it is drawn

    def summary(self) -> dict[str, Any]:
        size = np.linalg.norm(self.displacements[:, :3], axis=1)
        node = int(np.argmax(size))
        return {
            "kind": self.kind,
            "body": self.body,
            "frame": self.frame,
            "speed_rad_s": self.speed_rad_s,
            "terms": asdict(self.terms),
            "max_displacement_m": float(size[node]),
            "max_displacement_node": node,
            "max_displacement_place_m": self.mesh.points[node].tolist(),
            "max_displacement_components_m": self.displacements[node, :3].tolist(),
            "maxima": {
                m.measure: {
                    "value": m.value,
                    "unit": m.unit,
                    "place_m": list(m.place),
                    "cell": m.cell,
                    **beam_place(m.along, m.fibre),
                    **safety(m.measure, m.value, m.strength),
                }
                for m in self.maxima
            },
            "support_force_N": self.support_forces[:, :3].sum(axis=0).tolist(),
            "inertia_relief": self.relief.tolist(),
            "stress_error": self._error_summary(),
            "notices": list(self.notices),
        }

    def _error_summary(self) -> dict[str, Any] | None:
        """Estimated error of the stress; `at_maximum_Pa` where the von Mises stress is largest."""
        if self.error is None:
            return None
        largest = next((m for m in self.maxima if m.measure == "von_mises"), None)
        return {
            "relative": self.error.relative,
            "energy_norm": self.error.estimate,
            "worst_cell": self.error.worst,
            "worst_Pa": float(np.nanmax(self.error.stress)),
            "at_maximum_Pa": None if largest is None else float(self.error.stress[largest.cell]),
        }

    def arrays(self) -> NamedArrays:
        stress = {f"stress_{name}": ("stress_point", values) for name, values in self.stress_values.items()}
        stress |= {f"nodal_stress_{name}": ("node", values) for name, values in self.nodal_stress.items()}
        if self.error is not None:
            stress["stress_error"] = ("cell", self.error.cells)
            stress["stress_error_von_mises"] = ("cell", self.error.stress)
        return NamedArrays(
            {
                "displacement": (("node", "dof"), self.displacements),
                "support_force": (("node", "dof"), self.support_forces),
                **mesh_variables(self.mesh),
                "stress_position": (("stress_point", "axis"), self.stress_positions, {"units": "m"}),
                **stress,
            },
            coords={"dof": ["ux", "uy", "uz", "rx", "ry", "rz"], "axis": ["x", "y", "z"]},
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame, "speed_rad_s": self.speed_rad_s},
        )
