"""The record of a modal analysis."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.results.body_fields import mesh_variables
from flexframe.results.record import Frame, NamedArrays, Record, Whirl, complex_pairs


@dataclass(frozen=True, eq=False, repr=False)
class Modes(Record):
    """Eigenvalues λ and shapes φ of (λ²M + λC + K)φ = 0 at one frozen instant.

    One of each conjugate pair is given, the one with positive imaginary part. Nothing is filtered: eigenvalues
    with positive real part are unstable and stay in the list. A symmetric problem (no Coriolis term) lists the
    unstable one of each real pair ±λ.
    """

    kind: ClassVar[str] = "modes"
    presented_by: ClassVar[str] = ".presentation:ModesPresentation"

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
    frequency_bounds_hz: Array | None = None  # lowest and highest possible, of modes in substructures: (modes, 2)
    notices: tuple[str, ...] = ()
    model: Body | None = None  # as it is drawn

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
        if self.frequency_bounds_hz is not None:
            out["frequency_bounds_hz"] = [
                [f if np.isfinite(f) else None for f in pair] for pair in self.frequency_bounds_hz.tolist()
            ]
        return out

    def arrays(self) -> NamedArrays:
        parts = ["re", "im"]
        return NamedArrays(
            {
                "eigenvalue": (("mode", "part"), np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)),
                "frequency": ("mode", self.frequencies_hz, {"units": "Hz"}),
                "residual": ("mode", self.residuals),
                **(
                    {}
                    if self.frequency_bounds_hz is None
                    else {"frequency_bound": (("mode", "side"), self.frequency_bounds_hz, {"units": "Hz"})}
                ),
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
