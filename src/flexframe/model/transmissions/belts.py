"""Belts and cables with their strands."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Direction,
    Rotation,
    unit,
)
from flexframe.model.transmissions.contract import (
    SAME,
    BeltForce,
    CableForce,
    Pull,
    Transmission,
    TransmissionForce,
    Z,
    as_tuple,
    fields_of,
    require_not_negative,
    require_positive,
)
from flexframe.model.transmissions.followers import Proportional


@dataclass(frozen=True)
class Belt(Transmission):
    """A belt around two pulleys with `radii` [m]: r₂θ₂ = r₁θ₁, both against the carrier.

    A crossed belt turns the second pulley the other way. `phase` [rad] is the angle of the second pulley where the
    first has none; without one a belt that stretches begins unstretched. With `stiffness` [N/m] of each strand it
    stretches, with `damping` [N s/m] and a `pretension` [N] of each; a strand pulls and never pushes.

    Markers are the centres of the pulleys: where bearings hold them in the carrier, strands pull at them, along
    the lines that touch both pulleys. A belt that does not stretch does so with a `pretension` only. There are
    torques alone, which the carrier holds, with `torque_only`.
    """

    kind: ClassVar[str] = "belt"
    made: ClassVar[type[CableForce]] = BeltForce
    name: str
    first: str
    second: str
    radii: tuple[float, ...] = (1.0, 1.0)
    carrier: str = "ground"
    crossed: bool = False
    axis: Direction = Z
    phase: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    pretension: float = 0.0
    torque_only: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.radii) != 2:
            raise InputError(f"{self.name} runs on two pulleys; give two radii", field="radii")
        for radius in self.radii:
            with at_field("radii"):
                require_positive(f"a radius of {self.name}", radius)
        require_not_negative(self, "damping", "pretension")
        if self.stiffness is not None:
            with at_field("stiffness"):
                require_positive(f"stiffness of {self.name}", self.stiffness)
        elif self.damping or (self.pretension and self.made is CableForce):
            raise InputError(f"{self.name} has tension or damping but no stiffness; give one", field="stiffness")

    def coupling(self) -> Coupled:
        slope = self.radii[0] / self.radii[1]
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-slope if self.crossed else slope, self.phase or 0.0),
        )

    def assemble(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        unstretched = self.stiffness is not None and self.phase is None
        phased = replace(self, phase=misfit) if unstretched else self
        if self.torque_only or centres is None or (self.stiffness is None and not self.pretension):
            return phased
        axis = unit(self.axis, "axis")
        apart = (centres[1] - centres[0]) - axis * (axis @ (centres[1] - centres[0]))
        distance = float(np.linalg.norm(apart))
        reach = self.radii[0] + self.radii[1] if self.crossed else self.radii[0] - self.radii[1]
        if distance <= max(abs(reach), SAME * (1 + np.abs(centres).max())):
            return phased
        strands = StrandLines(
            as_tuple(apart / distance), as_tuple(np.cross(axis, apart / distance)), reach / distance
        )
        return (StrungCable if self.made is CableForce else StrungBelt)(**fields_of(phased), strands=strands)

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        r = self.radii[1]  # tension times radius along the angle of the second pulley
        own = (self.name, self.first, self.second, self.coupling())
        return self.made(*own, self.stiffness * r**2, self.pretension * r, self.damping * r**2)


@dataclass(frozen=True)
class StrandLines:
    """Where strands run, in the axes of the carrier: between the centres, across, and the sine of their angle."""

    between: Direction  # e
    across: Direction  # t = axis × e
    sine: float


@dataclass(frozen=True, kw_only=True)
class StrungBelt(Belt):
    """A belt whose pulleys have known centres: its strands pull at them.

    The strand on the side σ = ±1 of t runs along u = cos γ e − σ sin γ t from the first pulley to the second,
    where it pulls with −T u and turns with σ r₂ T (−σ r₂ T of a crossed belt). With the sum S of both tensions and
    their difference D = T₊ − T₋ the second pulley is pulled by −S cos γ e + D sin γ t, the first by the opposite.
    """

    strands: StrandLines

    def tensions(self) -> tuple[str, str, dict[str, float]]:
        """S and D of σ as formulas, and their numbers."""
        r, turned = self.radii[1], -1.0 if self.crossed else 1.0
        if self.stiffness is None:  # the torque r₂ D is known, and no strand pushes
            numbers = {"tension": self.pretension, "r": r, "turned": turned}
            return "max(2*tension, abs(force)/r)", "turned*force/r", numbers
        numbers = {
            "tension": self.pretension,
            "k": self.stiffness * r,
            "d": self.damping * r,
            "turned": turned,
        }
        # a strand that is taut has damping, and does not push
        ahead, behind = (f"0.5*(1 + sign(tension {c} k*s))*max(0, tension {c} (k*s + d*v))" for c in ("+", "-"))
        if self.made is CableForce:
            behind = "0"
        return f"({ahead} + {behind})", f"turned*({behind} - {ahead})", numbers

    def pulls(self) -> tuple[Pull, ...]:
        total, difference, numbers = self.tensions()
        lines, coupled = self.strands, self.coupling()
        numbers |= {"cosine": float(np.sqrt(1 - lines.sine**2)), "sine": lines.sine}
        variables = ("force",) if self.stiffness is None else ("s", "v")
        found = []
        for direction, text in ((lines.between, f"-cosine*{total}"), (lines.across, f"sine*{difference}")):
            law = Formula.parse(text, variables, numbers)
            for side, wheel, sense in ((2, self.second, 1.0), (1, self.first, -1.0)):
                way = as_tuple(sense * np.array(direction))
                name = f"{self.name} {'pull' if direction is lines.between else 'side'} {side}"
                found.append(Pull(name, self.carrier, wheel, Along(way), self.name, law, coupled))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class StrungCable(StrungBelt):
    """A cable whose drums have known centres."""

    kind: ClassVar[str] = "cable"
    made: ClassVar[type[CableForce]] = CableForce


@dataclass(frozen=True)
class Cable(Belt):
    """A cable from one drum to another with `radii` [m], wound so that the second follows when the first pulls.

    It is one strand: a positive angle of the second drum beyond r₁θ₁/r₂ stretches it, a positive angle of the
    first slackens it. The fields are those of a belt; without a stiffness it is always taut.
    """

    kind: ClassVar[str] = "cable"
    made: ClassVar[type[CableForce]] = CableForce
