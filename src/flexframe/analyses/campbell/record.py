"""The record of a Campbell diagram: frequencies of a spinning body over its speed, in both frames."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.campbell.speed_branches import (
    MeasuredFrequencies,
    SpeedBranches,
    branch_coordinates,
    branch_summary,
    branch_variables,
    rows,
    shown_speeds,
)
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import FrameSpring
from flexframe.results.body_fields import mesh_variables
from flexframe.results.record import Frame, NamedArrays, Whirl
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed, DampedCriticalSpeed


@dataclass(frozen=True, eq=False, repr=False)
class CampbellDiagram(SpeedBranches):
    """Branches of eigenvalues over the speed of rotation; NaN where a branch is above the modes asked for.

    Frequencies are those of `frame`, as a rule the one that turns with the body; `inertial_frequencies_hz` those
    of the same waves in space, NaN for standing waves, which have two. Whirl is the direction of a wave with or
    against the spin.
    """

    presented_by: ClassVar[str] = ".presentation:CampbellPresentation"

    body: str
    mesh: Mesh
    speeds: Array  # rad/s: (speeds,)
    axis: Array  # (3,)
    eigenvalues: ComplexArray  # rad/s: (speeds, branches)
    nodal_diameters: tuple[int | None, ...] | None  # of the branches; None for bodies that do not fill circles
    inertial_frequencies_hz: Array | None  # (speeds, branches)
    rotating_whirl: tuple[tuple[Whirl, ...], ...] | None
    inertial_whirl: tuple[tuple[Whirl, ...], ...] | None
    labels: tuple[str, ...]  # of the branches
    errors: Array  # relative error of each |λ|: (speeds, branches)
    guaranteed: bool  # whether all errors are bounds
    confirmed: bool | None  # whether a count shows that no mode is missing
    completeness: str  # how and where that was counted
    critical_speeds: tuple[CriticalSpeed, ...]
    damped_critical_speeds: tuple[DampedCriticalSpeed, ...]  # on the branches of a damped rotor in space
    stability_limits: tuple[float, ...]  # rad/s, where a branch becomes unstable or stable again
    engine_orders: tuple[int, ...]
    snapshots: IntArray  # speeds whose shapes are kept
    shapes: ComplexArray  # ux … rz at the nodes, largest displacement 1: (snapshots, branches, nodes, 6)
    terms: Terms
    method: str
    notices: tuple[str, ...] = ()
    frame: Frame = "rotating"  # whose frequencies `eigenvalues` are
    model: Body | None = None  # as it is drawn
    bearings: tuple[FrameSpring, ...] = ()  # as they are drawn
    measured: tuple[MeasuredFrequencies, ...] = ()

    @property
    def whirl(self) -> tuple[Whirl, ...] | None:
        """Direction of each branch in space at the lowest speed that tells."""
        if self.inertial_whirl is None:
            return None
        order = np.argsort(np.abs(self.speeds))
        directions = [[self.inertial_whirl[k][b] for k in order] for b in range(len(self.labels))]
        return tuple(next((word for word in words if word), "") for words in directions)

    @property
    def critical_speeds_rad_s(self) -> tuple[float, ...]:
        """Critical speeds that a load at rest in space or one that turns with the body excites."""
        return tuple(c.speed_rad_s for c in self.critical_speeds if c.excited_by)

    def summary(self) -> dict[str, Any]:
        chosen = shown_speeds(self)
        out = branch_summary(self, chosen) | {
            "body": self.body,
            "errors": {
                "largest": float(np.nanmax(self.errors)),
                "kind": "guaranteed bound" if self.guaranteed else "estimate",
            },
            "confirmed": self.confirmed,
            "completeness": self.completeness,
            "terms": asdict(self.terms),
            "damped_critical_speeds": [asdict(c) for c in self.damped_critical_speeds],
        }
        if self.inertial_frequencies_hz is not None and self.inertial_whirl is not None:
            out |= {
                "whirl": list(self.whirl or ()),
                "inertial_frequencies_hz": rows(self.inertial_frequencies_hz[chosen]),
                "inertial_whirl": [list(self.inertial_whirl[k]) for k in chosen],
            }
        if self.nodal_diameters is not None and self.rotating_whirl is not None:
            out |= {
                "nodal_diameters": list(self.nodal_diameters),
                "rotating_whirl": [list(self.rotating_whirl[k]) for k in chosen],
            }
        return out

    def arrays(self) -> NamedArrays:
        points = ("speed", "branch")
        data = branch_variables(self) | {
            "error": (points, self.errors),
            "shape": (
                ("picture", "branch", "node", "dof", "part"),
                np.stack([self.shapes.real, self.shapes.imag], -1),
            ),
            **mesh_variables(self.mesh),
        }
        if self.inertial_frequencies_hz is not None:
            data["inertial_frequency"] = (
                points,
                self.inertial_frequencies_hz,
                {"units": "Hz", "frame": "inertial"},
            )
        return NamedArrays(
            data,
            coords=branch_coordinates(self),
            attrs={"kind": self.kind, "body": self.body, "frame": self.frame},
        )
