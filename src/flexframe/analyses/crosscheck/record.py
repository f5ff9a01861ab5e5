"""The record of a crosscheck: a body's equations by several formalisms, compared."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from flexframe.equations.coefficients import Terms
from flexframe.mesh.mesh import Mesh
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True)
class FormalismCheck:
    """What one formalism gave, relative to the references."""

    name: str
    title: str
    primitive: str
    applicable: bool
    reason: str  # why it is not applicable
    differences: Mapping[str, float]  # quantity → relative difference
    unknowns: int  # of the system that it solves for the body
    additions: int
    multiplications: int
    seconds: float
    drift: float = 0.0  # of a system: largest gap of joints after a step, in lengths and radians
    energy_drift: float = 0.0  # of a system: change of the energy balance over the motion that was compared

    @property
    def max_relative_difference(self) -> float | None:
        """The largest difference; None where the formalism does not apply."""
        return max(self.differences.values(), default=0.0) if self.applicable else None

    def agrees(self, tolerance: float) -> bool:
        """Whether every quantity agrees; a formalism that does not apply does not disagree."""
        return all(difference <= tolerance for difference in self.differences.values())

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json."""
        return {
            "max_relative_difference": self.max_relative_difference,
            "applicable": self.applicable,
            "reason": self.reason,
            "operations": {"additions": self.additions, "multiplications": self.multiplications},
            "unknowns": self.unknowns,
            "seconds": self.seconds,
            "drift": self.drift,
            "energy_drift": self.energy_drift,
            "differences": dict(self.differences),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Crosscheck(Record):
    """Every formalism against the closed form and against second derivatives of positions."""

    kind: ClassVar[str] = "crosscheck"
    presented_by: ClassVar[str] = ".presentation:CrosscheckPresentation"

    body: str
    mesh: Mesh
    checks: tuple[FormalismCheck, ...]
    closed_form_difference: float  # closed form against second derivatives of positions
    elements: Mapping[str, tuple[int, int]]  # family → (compared, present)
    compared: tuple[str, ...]  # sentences: what was compared with what
    tolerance: float
    seed: int
    speed_rad_s: float
    time_s: float
    terms: Terms = field(default_factory=Terms)
    notices: tuple[str, ...] = ()

    @property
    def disagreeing(self) -> tuple[str, ...]:
        """Names of the formalisms that differ by more than the tolerance."""
        return tuple(check.name for check in self.checks if not check.agrees(self.tolerance))

    @property
    def agrees(self) -> bool:
        """Whether all applicable formalisms and the references agree."""
        return not self.disagreeing and self.closed_form_difference <= self.tolerance

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "body": self.body,
            "formalisms": {check.name: check.summary() for check in self.checks},
            "closed_form_difference": self.closed_form_difference,
            "agrees": self.agrees,
            "tolerance": self.tolerance,
            "elements": {name: {"compared": n, "present": total} for name, (n, total) in self.elements.items()},
            "compared": list(self.compared),
            "seed": self.seed,
            "speed_rad_s": self.speed_rad_s,
            "time_s": self.time_s,
            "terms": asdict(self.terms),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        quantities = list(dict.fromkeys(name for check in self.checks for name in check.differences))
        table = np.array(
            [[check.differences.get(name, np.nan) for name in quantities] for check in self.checks]
        ).reshape(len(self.checks), len(quantities))
        return NamedArrays(
            {
                "relative_difference": (("formalism", "quantity"), table),
                "additions": ("formalism", [check.additions for check in self.checks]),
                "multiplications": ("formalism", [check.multiplications for check in self.checks]),
                "unknowns": ("formalism", [check.unknowns for check in self.checks]),
                "seconds": ("formalism", [check.seconds for check in self.checks], {"units": "s"}),
            },
            coords={"formalism": [check.name for check in self.checks], "quantity": quantities},
            attrs={"kind": self.kind, "body": self.body, "seed": self.seed, "speed_rad_s": self.speed_rad_s},
        )
