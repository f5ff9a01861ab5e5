"""Frozen records of what was computed, with everything needed to read them: frame, terms, residuals, notices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import numpy as np

from flexframe.assembly.stress_error import StressError
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.mesh.mesh import Mesh
from flexframe.results.body_fields import mesh_variables
from flexframe.results.named_arrays import NamedArrays
from flexframe.results.stress import beam_place

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

Frame = Literal["fixed", "rotating", "inertial"]
Whirl = Literal["forward", "backward", "mixed", ""]


class Record(Protocol):
    """The result of one analysis."""

    kind: ClassVar[str]

    @property
    def notices(self) -> tuple[str, ...]:
        """Approximations and warnings that the reader must see."""
        ...

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json, ready for JSON, with its kind."""
        ...

    def arrays(self) -> NamedArrays:
        """Everything that was computed; complex numbers as real and imaginary parts."""
        ...

    def to_xarray(self) -> "xarray.Dataset":
        """The same as a dataset of xarray."""
        ...

    def to_dataframe(self) -> "pandas.DataFrame":
        """The table that a reader would want first."""
        ...

    def plot(self) -> Any:
        """Draw it with matplotlib; the axes are returned."""
        ...

    def _repr_html_(self) -> str:
        """How it shows itself in a notebook."""
        ...


def complex_pairs(values: ComplexArray) -> list[list[float]]:
    """[re, im] of each number."""
    return [[float(value.real), float(value.imag)] for value in values]


@dataclass(frozen=True, eq=False)
class Modes:
    """Eigenvalues λ and shapes φ of (λ²M + λC + K)φ = 0 at one frozen instant.

    One of each conjugate pair is given, the one with positive imaginary part. Nothing is filtered: eigenvalues
    with positive real part are unstable and stay in the list. A symmetric problem (no Coriolis term) lists the
    unstable one of each real pair ±λ.
    """

    kind: ClassVar[str] = "modes"

    body: str
    mesh: Mesh
    eigenvalues: ComplexArray  # rad/s: (modes,)
    shapes: ComplexArray  # ux … rz at the nodes, largest displacement 1: (modes, nodes, 6)
    residuals: Array  # ‖P(λ)φ‖ relative to its terms: (modes,)
    labels: tuple[str, ...]  # such as "rigid translation", "flap", "divergence", or ""
    frame: Frame
    speed_rad_s: float
    terms: Terms
    method: str
    confirmed: bool | None = None  # whether a count or a second search proves that no lower mode was missed
    nodal_diameters: tuple[int | None, ...] | None = None  # None for modes that mix several
    whirl: tuple[Whirl, ...] | None = None
    inertial_frequencies_hz: Array | None = None  # NaN for standing waves, which have two: (modes,)
    direction_shares: Array | None = None  # kinetic energy in x, y, z: (modes, 3)
    notices: tuple[str, ...] = ()

    @property
    def frequencies_hz(self) -> Array:
        """|Im λ| / 2π."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def growth_rates(self) -> Array:
        """Re λ [1/s]: positive is unstable."""
        return self.eigenvalues.real

    def summary(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "kind": self.kind,
            "body": self.body,
            "frequencies_hz": self.frequencies_hz.tolist(),
            "eigenvalues": complex_pairs(self.eigenvalues),
            "frame": self.frame,
            "terms": asdict(self.terms),
            "speed_rad_s": self.speed_rad_s,
            "labels": list(self.labels),
            "residuals": self.residuals.tolist(),
            "method": self.method,
            "confirmed": self.confirmed,
            "notices": list(self.notices),
        }
        if self.nodal_diameters is not None:
            out["nodal_diameters"] = list(self.nodal_diameters)
        if self.whirl is not None:
            out["whirl"] = list(self.whirl)
        if self.inertial_frequencies_hz is not None:
            out["inertial_frequencies_hz"] = [
                f if np.isfinite(f) else None for f in self.inertial_frequencies_hz.tolist()
            ]
        if self.direction_shares is not None:
            out["direction_shares"] = self.direction_shares.tolist()
        return out

    def arrays(self) -> NamedArrays:
        parts = ["re", "im"]
        return NamedArrays(
            {
                "eigenvalue": (("mode", "part"), np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)),
                "frequency": ("mode", self.frequencies_hz, {"units": "Hz"}),
                "residual": ("mode", self.residuals),
                "shape": (
                    ("mode", "node", "dof", "part"),
                    np.stack([self.shapes.real, self.shapes.imag], -1),
                ),
                **mesh_variables(self.mesh),
            },
            coords={
                "part": parts,
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
                "label": ("mode", list(self.labels)),
            },
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame, "speed_rad_s": self.speed_rad_s},
        )

    def to_xarray(self) -> "xarray.Dataset":
        return self.arrays().to_xarray()

    def to_dataframe(self) -> "pandas.DataFrame":
        """A row for each mode."""
        from flexframe.results.data_frames import modes_frame

        return modes_frame(self)

    def plot(self, *, count: int = 6) -> list["Axes"]:
        """Draw the first shapes with matplotlib."""
        from flexframe.results.figures.shapes import plot_modes

        return plot_modes(self, count=count)

    def __repr__(self) -> str:
        from flexframe.results.display import record_text

        return record_text(self)

    def _repr_html_(self) -> str:
        from flexframe.results.display import record_html

        return record_html(self)


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


@dataclass(frozen=True, eq=False)
class Statics:
    """Displacements and stress of a body in equilibrium with its loads and inertia."""

    kind: ClassVar[str] = "statics"

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

    def to_xarray(self) -> "xarray.Dataset":
        return self.arrays().to_xarray()

    def to_dataframe(self) -> "pandas.DataFrame":
        """A row for each stress measure."""
        from flexframe.results.data_frames import statics_frame

        return statics_frame(self)

    def plot(self) -> "Axes":
        """Draw the deformed body with matplotlib, coloured by stress."""
        from flexframe.results.figures.shapes import plot_statics

        return plot_statics(self)

    def __repr__(self) -> str:
        from flexframe.results.display import record_text

        return record_text(self)

    def _repr_html_(self) -> str:
        from flexframe.results.display import record_html

        return record_html(self)


@dataclass(frozen=True, eq=False)
class Matrices:
    """The matrices and load vectors of a small body, part by part, and its inertia invariants."""

    kind: ClassVar[str] = "matrices"

    body: str
    mesh: Mesh
    dofs: tuple[str, ...]  # "1.ux", "1.uy", …: node number (from 1) and degree of freedom
    matrices: Mapping[str, Array]  # name → (p, p) or (3, p)
    vectors: Mapping[str, Array]  # name → (p,)
    scalars: Mapping[str, float]
    frame: Frame
    speed_rad_s: float
    terms: Terms
    notices: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "body": self.body,
            "frame": self.frame,
            "speed_rad_s": self.speed_rad_s,
            "terms": asdict(self.terms),
            "dofs": list(self.dofs),
            "matrices": {name: matrix.tolist() for name, matrix in self.matrices.items()},
            "vectors": {name: vector.tolist() for name, vector in self.vectors.items()},
            "scalars": dict(self.scalars),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {}
        for name, matrix in self.matrices.items():
            rows = "dof_row" if matrix.shape[0] == len(self.dofs) else f"row_{matrix.shape[0]}"
            data[name] = ((rows, "dof"), matrix)
        data |= {name: ("dof", vector) for name, vector in self.vectors.items()}
        return NamedArrays(
            data,
            coords={"dof": list(self.dofs)},
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame, **self.scalars},
        )

    def to_xarray(self) -> "xarray.Dataset":
        return self.arrays().to_xarray()

    def to_dataframe(self, name: str = "mass") -> "pandas.DataFrame":
        """One matrix with its degrees of freedom."""
        from flexframe.results.data_frames import matrices_frame

        return matrices_frame(self, name)

    def plot(self) -> list["Axes"]:
        """Draw the square matrices as fields of colours."""
        from flexframe.results.figures.curves import plot_matrices

        return plot_matrices(self)

    def __repr__(self) -> str:
        from flexframe.results.display import record_text

        return record_text(self)

    def _repr_html_(self) -> str:
        from flexframe.results.display import record_html

        return record_html(self)


def dense(matrix: SparseMatrix) -> Array:
    """A sparse matrix written out."""
    return np.asarray(matrix.toarray())
