"""The record of a crosscheck of a whole system: its coupled equations by several formalisms, compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.crosscheck.record import FormalismCheck
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True, eq=False, repr=False)
class SystemCrosscheck(Record):
    """Every formalism against the compiled equations of the system, and these against positions."""

    kind: ClassVar[str] = "crosscheck"
    presented_by: ClassVar[str] = ".presentation:CrosscheckPresentation"

    system: str
    bodies: Mapping[str, int]  # number of elastic coordinates by name
    velocities: int
    constraints: int
    checks: tuple[FormalismCheck, ...]
    closed_form_difference: float  # compiled equations against second derivatives of positions
    compared: tuple[str, ...]  # sentences: what was compared with what
    tolerance: float
    geometric: bool
    seed: int
    span_s: float  # of the motions that were compared
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
            "system": self.system,
            "formalisms": {check.name: check.summary() for check in self.checks},
            "closed_form_difference": self.closed_form_difference,
            "agrees": self.agrees,
            "tolerance": self.tolerance,
            "bodies": dict(self.bodies),
            "velocities": self.velocities,
            "constraints": self.constraints,
            "geometric": self.geometric,
            "compared": list(self.compared),
            "seed": self.seed,
            "span_s": self.span_s,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        quantities = list(dict.fromkeys(name for check in self.checks for name in check.differences))
        table = np.array(
            [[check.differences.get(name, np.nan) for name in quantities] for check in self.checks]
        ).reshape(len(self.checks), len(quantities))
        numbers = {
            name: ("formalism", [getattr(check, name) for check in self.checks])
            for name in ("additions", "multiplications", "unknowns", "drift", "energy_drift", "seconds")
        }
        return NamedArrays(
            {"relative_difference": (("formalism", "quantity"), table), **numbers},
            coords={"formalism": [check.name for check in self.checks], "quantity": quantities},
            attrs={"kind": self.kind, "system": self.system, "seed": self.seed, "span_s": self.span_s},
        )
