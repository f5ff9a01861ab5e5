"""The record of a reduction, and reduced bodies in files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.reduction.reduced_body import ReducedBody
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True, eq=False)
class SpinComparison:
    """Frequencies at one instant of the frame's motion, from the reduced equations and from all of them."""

    speed_rad_s: float
    reduced_hz: Array  # (k,)
    full_hz: Array  # (k,)


@dataclass(frozen=True, eq=False, repr=False)
class Reduction(Record):
    """A reduced body and how good it is."""

    kind: ClassVar[str] = "reduction"
    presented_by: ClassVar[str] = ".presentation:ReductionPresentation"

    body: str
    mesh: Mesh
    full_size: int  # degrees of freedom of the body
    reduced: ReducedBody
    fields: Array  # basis vectors at the nodes, largest displacement 1: (m, nodes, 6)
    frequencies_hz: Array  # of the reduced body at rest: (k,)
    full_hz: Array  # of the body at rest: (k,)
    error_estimates: Array  # of the frequencies, relative, without the modes of the body: (k,)
    error_bounds: Array  # relative: (k,)
    effective_mass: Array  # shares of mass along and moments of inertia about x, y, z: (k, 6)
    tolerance: float  # of frequencies, relative
    band_hz: float  # every mode of the body below it is met to the tolerance
    interface_errors: Mapping[str, float]  # unit load → part of the static answer that is lacking, energy norm
    inertia_errors: Mapping[str, float]
    spinning: SpinComparison | None
    notices: tuple[str, ...] = ()
    model: Body | None = None  # as it is drawn

    @property
    def errors(self) -> Array:
        """f / f_full − 1 at rest: (k,)."""
        return np.asarray(self.frequencies_hz / self.full_hz - 1)

    def summary(self) -> dict[str, Any]:
        basis = self.reduced.basis
        out: dict[str, Any] = {
            "kind": self.kind,
            "body": self.body,
            "strategy": basis.strategy,
            "reference": basis.reference,
            "full_size": self.full_size,
            "size": self.reduced.size,
            "coordinates": [
                {"kind": c.kind, "label": c.label, "frequency_hz": c.frequency_hz} for c in basis.coordinates
            ],
            "frequencies_hz": self.frequencies_hz.tolist(),
            "full_hz": self.full_hz.tolist(),
            "relative_errors": self.errors.tolist(),
            "error_estimates": self.error_estimates.tolist(),
            "error_bounds": self.error_bounds.tolist(),
            "tolerance": self.tolerance,
            "band_hz": self.band_hz,
            "effective_mass": self.effective_mass.tolist(),
            "static_errors": {"interfaces": dict(self.interface_errors), "inertia": dict(self.inertia_errors)},
            "mass_kg": self.reduced.mass,
            "points": {
                point.name: point.position.tolist() for point in (*self.reduced.interfaces, *self.reduced.sensors)
            },
            "notices": list(self.notices),
        }
        if self.spinning is not None:
            out["spinning"] = {
                "speed_rad_s": self.spinning.speed_rad_s,
                "frequencies_hz": self.spinning.reduced_hz.tolist(),
                "full_hz": self.spinning.full_hz.tolist(),
            }
        return out

    def arrays(self) -> NamedArrays:
        r = self.reduced
        square = ("coordinate", "coordinate_column")
        points = (*r.interfaces, *r.sensors)
        return NamedArrays(
            {
                "frequency": ("mode", self.frequencies_hz, {"units": "Hz"}),
                "full_frequency": ("mode", self.full_hz, {"units": "Hz"}),
                "error_estimate": ("mode", self.error_estimates),
                "error_bound": ("mode", self.error_bounds),
                "effective_mass": (("mode", "direction"), self.effective_mass),
                "field": (("coordinate", "node", "dof"), self.fields),
                "node_position": (("node", "axis"), self.mesh.points, {"units": "m"}),
                "stiffness": (square, r.stiffness),
                "damping": (square, r.damping),
                "elastic_mass": (square, r.elastic_mass),
                "first_moment": ("axis", r.first_moment, {"units": "kg m"}),
                "second_moment": (("axis", "axis_column"), r.second_moment, {"units": "kg m2"}),
                "origin_coupling": (("axis", "coordinate"), r.origin_coupling),
                "position_coupling": (("axis", "axis_column", "coordinate"), r.position_coupling),
                "shape_products": (("axis", "axis_column", *square), r.shape_products),
                "origin_quadratic": (("axis", *square), r.origin_quadratic),
                "position_quadratic": (("axis", "axis_column", *square), r.position_quadratic),
                "point_position": (("point", "axis"), np.array([p.position for p in points]).reshape(-1, 3)),
                "point_rows": (
                    ("point", "dof", "coordinate"),
                    np.array([p.rows for p in points]).reshape(-1, 6, r.size),
                ),
                "point_quadratic": (
                    ("point", "dof", *square),
                    np.array([p.quadratic for p in points]).reshape(-1, 6, r.size, r.size),
                ),
            },
            coords={
                "coordinate": [c.label for c in r.basis.coordinates],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
                "direction": ["x", "y", "z", "about x", "about y", "about z"],
                "point": [p.name for p in points],
            },
            attrs={
                "kind": self.kind,
                "body": self.body,
                "strategy": r.basis.strategy,
                "reference": r.basis.reference,
                "mass_kg": r.mass,
                "band_hz": self.band_hz,
            },
        )
