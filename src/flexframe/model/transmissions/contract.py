"""What every transmission is: a joint that couples two coordinates."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, ClassVar, cast

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.constraints import (
    Between,
    Coupled,
    Directed,
    JointConstraint,
)
from flexframe.model.transmissions.forces import Pull, TransmissionForce


class Transmission(Directed):
    """A joint that couples two coordinates."""

    kind: ClassVar[str]
    name: str
    first: str
    second: str

    def coupled(self) -> Coupled:
        """What follows what."""
        raise NotImplementedError

    def element(self) -> TransmissionForce | None:
        """Its force, where it has a stiffness."""
        return None

    def elements(self) -> tuple[TransmissionForce, ...]:
        """Its force in the parts that act by themselves, as each flank of its teeth does."""
        whole = self.element()
        return () if whole is None else (whole,)

    def pulls(self) -> tuple[Pull, ...]:
        """What it pulls and pushes beside its own coordinates."""
        return ()

    @property
    def follows_reaction(self) -> str:
        """The field for which it acts on bearings with a force that follows its reaction; none: no force does."""
        if getattr(self, "stiffness", None) is not None or getattr(self, "torque_only", True):
            return ""
        follows = {"flanks": getattr(self, "flanks", "one") == "both"}
        follows |= {name: bool(getattr(self, name, 0.0)) for name in ("helix_angle", "pretension")}
        return next((name for name, does in follows.items() if does), "")

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> "Transmission":  # noqa: ARG002
        """The same where the places of both markers in the axes of the carrier are known, at the start.

        Places are given where bearings hold the markers of wheels there. `misfit` is s − f(r); an elastic
        transmission whose phase is not given begins without a stretch.
        """
        return self

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (self.coupled(),) if self.element() is None else ()


def require_positive(what: str, value: float) -> None:
    if not (value > 0 and np.isfinite(value)):
        raise InputError(f"{what} is {value:g}; give a number above zero")


def require_not_negative(joint: Transmission, *names: str) -> None:
    for name in names:
        value = getattr(joint, name)
        if value is not None and not value >= 0:
            raise InputError(f"{name} of {joint.name} is {value:g}; give zero or more", field=name)


def fields_of(joint: Transmission) -> dict[str, Any]:
    return {each.name: getattr(joint, each.name) for each in fields(cast("Any", joint))}


def pulls_of(joints: Iterable[object]) -> tuple[Pull, ...]:
    """What transmissions among joints pull and push beside their own coordinates."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.pulls())


def elements_of(joints: Iterable[object]) -> tuple[TransmissionForce, ...]:
    """Force elements among joints."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.elements())


def sides_of(joint: object) -> tuple[Between, ...]:
    """The coordinates that a joint couples, each with its two markers."""
    found = [c for c in joint.constraints() if isinstance(c, Coupled)] if hasattr(joint, "constraints") else []
    if isinstance(joint, Transmission) and (element := joint.element()) is not None:
        found.append(element.coupled)
    return tuple(side for coupled in found for side in coupled.sides)
