"""The record of the Campbell diagram of a system: frequencies of bodies that turn together, over their speed."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from flexframe.analyses.campbell.speed_branches import (
    MeasuredFrequencies,
    SpeedBranches,
    branch_coordinates,
    branch_summary,
    branch_variables,
    shown_speeds,
)
from flexframe.analyses.campbell.system_shapes import BodyShapes
from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.model.system import System
from flexframe.results.record import Frame, NamedArrays
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed

Spin = Literal["held", "free"]


@dataclass(frozen=True, eq=False, repr=False)
class SystemCampbell(SpeedBranches):
    """Branches of eigenvalues of a system that turns steadily about an axis of space; NaN where one is not known.

    Frequencies are those seen in the frame that turns with the system. `spin` says whether the drive keeps the
    speed ("held") or only gives the torque of the steady state ("free").
    """

    presented_by: ClassVar[str] = ".system_presentation:SystemCampbellPresentation"

    system: System
    drive: str
    spin: Spin
    speeds: Array  # rad/s: (speeds,)
    axis: Array  # direction in space: (3,)
    point: Array  # of the axis: (3,)
    eigenvalues: ComplexArray  # rad/s: (speeds, branches)
    labels: tuple[str, ...]  # of the branches
    torques: Array  # of the drive in the steady state [N m]: (speeds,)
    deflections: Array  # largest steady displacement of a body over its length, root of the mean: (speeds,)
    critical_speeds: tuple[CriticalSpeed, ...]
    stability_limits: tuple[float, ...]  # rad/s, where a branch becomes unstable or stable again
    engine_orders: tuple[int, ...]
    snapshots: IntArray  # speeds whose shapes are kept
    shapes: tuple[BodyShapes, ...]  # largest displacement 1
    reductions: tuple[ReductionFigures, ...]
    geometric: bool
    method: str
    notices: tuple[str, ...] = ()
    frame: Frame = "rotating"
    measured: tuple[MeasuredFrequencies, ...] = ()

    @property
    def critical_speeds_rad_s(self) -> tuple[float, ...]:
        """All critical speeds, ascending."""
        return tuple(c.speed_rad_s for c in self.critical_speeds)

    def summary(self) -> dict[str, Any]:
        chosen = shown_speeds(self)
        return branch_summary(self, chosen) | {
            "system": self.system.name,
            "bodies": [body.name for body in self.system.bodies],
            "drive": self.drive,
            "spin": self.spin,
            "axis_point_m": self.point.tolist(),
            "whirl": None,
            "drive_torques_N_m": self.torques[chosen].tolist(),
            "steady_deflections": self.deflections[chosen].tolist(),
            "reductions": {found.body: found.summary() for found in self.reductions},
            "geometric": self.geometric,
        }

    def arrays(self) -> NamedArrays:
        data = branch_variables(self) | {
            "drive_torque": ("speed", self.torques, {"units": "N m"}),
            "steady_deflection": ("speed", self.deflections),
        }
        for body in self.shapes:
            parts = np.stack([body.rigid.real, body.rigid.imag], -1)
            data[f"{body.name}_rigid_shape"] = (("picture", "branch", "dof", "part"), parts)
            if body.elastic is not None:
                parts = np.stack([body.elastic[..., :3].real, body.elastic[..., :3].imag], -1)
                places = ("picture", "branch", f"{body.name}_node", "axis", "part")
                data[f"{body.name}_elastic_shape"] = (places, parts)
        return NamedArrays(
            data,
            coords=branch_coordinates(self),
            attrs={"kind": self.kind, "system": self.system.name, "frame": self.frame, "drive": self.drive},
        )
