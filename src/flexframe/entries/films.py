"""Film bearings of a case: what surrounds the journal, the oil and the load."""

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import (
    Angle,
    AngularVelocity,
    Count,
    Force,
    Length,
    LengthOrZero,
    Multiplier,
    PositiveNumber,
    quantity,
)

if TYPE_CHECKING:
    from flexframe.films.bearings import FilmBearing
    from flexframe.model.bearings import BearingTable

_VISCOSITY = q.Dimension("a viscosity", "Pa s", (-1, 1, -1), "0.02 Pa s")
_INERTIA = q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.2 kg m^2")
_Viscosity = Annotated[float, quantity(_VISCOSITY, "positive")]
_Inertia = Annotated[float, quantity(_INERTIA, "not negative")]
_Pressure = Annotated[float, quantity(q.STRESS, "not negative")]
_Speed = Annotated[float, quantity(q.ANGULAR_VELOCITY, "positive")]
_OF_KINDS = {
    "grooves": ("grooved",),
    "groove_width": ("grooved", "elliptical", "lobed"),
    "groove_pressure": ("grooved", "elliptical", "lobed"),
    "pads": ("lobed", "tilting_pad"),
    "preload": ("elliptical", "lobed", "tilting_pad"),
    "offset": ("lobed", "tilting_pad"),
    "first": ("elliptical", "lobed", "tilting_pad"),
    "arc": ("tilting_pad",),
    "pad_inertia": ("tilting_pad",),
    "pivot_depth": ("tilting_pad",),
    "frequencies": ("tilting_pad",),
}
"""Fields that belong to some kinds only."""


class FilmSpeedsEntry(Entry):
    """From which to which speed of the journal a film is computed."""

    start: _Speed
    end: _Speed

    @model_validator(mode="after")
    def _increasing(self) -> "FilmSpeedsEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self


class FilmEntry(Entry):
    """A journal bearing whose oil film is computed by Reynolds' equation at the given load.

    `clearance` is the smallest radial gap of the centred journal, `load` what presses on the journal along x and y
    of the bearing. Angles are measured from x towards y, the sense of rotation. Without them the first pad (its
    middle, or its pivot) lies in the direction of the load, and two grooves at right angles to it. The `preload`
    of a pad is 1 − clearance/(its own clearance). Pads that tilt follow at the frequency of the speed, or at
    `frequencies`.
    """

    kind: Literal["plain", "grooved", "elliptical", "lobed", "tilting_pad"]
    diameter: Length
    length: Length
    clearance: Length
    viscosity: _Viscosity
    load: Annotated[tuple[Force, ...], Field(min_length=2, max_length=2, strict=False)]
    speeds: FilmSpeedsEntry
    grooves: Annotated[tuple[Angle, ...], Field(min_length=1, strict=False)] | None = None
    groove_width: Angle | None = None
    groove_pressure: _Pressure = 0.0
    pads: Count | None = None
    arc: Angle | None = None
    preload: Multiplier | None = None
    offset: Multiplier = 0.5
    first: Angle | None = None
    pad_inertia: _Inertia = 0.0
    pivot_depth: LengthOrZero = 0.0
    frequencies: Annotated[tuple[AngularVelocity, ...], Field(min_length=1, strict=False)] | None = None
    cavitation: Literal["reynolds", "guembel", "none"] = "reynolds"
    tolerance: PositiveNumber = 1e-3
    beyond: Literal["refuse", "hold"] = "refuse"

    @model_validator(mode="after")
    def _of_its_kind(self) -> "FilmEntry":
        for name, kinds in _OF_KINDS.items():
            if name in self.model_fields_set and self.kind not in kinds:
                words = " and ".join(kinds)
                raise refusal_at(
                    name, f"belongs to bearings of the kind {words}; leave it out of a {self.kind} one"
                )
        if not any(self.load) and self.first is None and self.kind != "plain" and self.grooves is None:
            raise refusal_at("load", "is zero, which leaves open where pads and grooves lie; give their angles")
        return self

    def bearing(self) -> "FilmBearing":
        """Its geometry."""
        from flexframe.films.bearings import FilmBearing

        measures = (self.diameter / 2, self.length, self.clearance)
        more: dict[str, Any] = {"cavitation": self.cavitation, "groove_pressure": self.groove_pressure}
        towards = float(np.arctan2(self.load[1], self.load[0]))
        first = towards if self.first is None else self.first
        width = float(np.radians(20.0)) if self.groove_width is None else self.groove_width
        preload = 0.0 if self.kind == "tilting_pad" else 0.5
        preload = preload if self.preload is None else self.preload
        match self.kind:
            case "plain":
                return FilmBearing.plain(*measures, **more)
            case "grooved":
                grooves = self.grooves or (towards - np.pi / 2, towards + np.pi / 2)
                return FilmBearing.grooved(*measures, grooves=grooves, groove_width=width, **more)
            case "elliptical":
                return FilmBearing.elliptical(*measures, preload=preload, groove_width=width, first=first, **more)
            case "lobed":
                return FilmBearing.lobed(
                    *measures,
                    pads=self.pads or 3,
                    preload=preload,
                    offset=self.offset,
                    groove_width=width,
                    first=first,
                    **more,
                )
            case "tilting_pad":
                return FilmBearing.tilting_pad(
                    *measures,
                    pads=self.pads or 5,
                    arc=float(np.radians(60.0)) if self.arc is None else self.arc,
                    preload=preload,
                    offset=self.offset,
                    first=first,
                    inertia=self.pad_inertia,
                    thickness=self.pivot_depth,
                    **more,
                )

    def table(self) -> "BearingTable":
        """Its coefficients over the speed; computed once for equal entries."""
        from flexframe.errors import at_field

        with at_field("film"):
            choices = (self.frequencies, self.tolerance, self.beyond)
            speeds = self.speeds.start, self.speeds.end
            return _compute(self.bearing(), (self.load[0], self.load[1]), self.viscosity, speeds, choices)


@lru_cache(maxsize=32)
def _compute(
    bearing: "FilmBearing",
    load: tuple[float, float],
    viscosity: float,
    speeds: tuple[float, float],
    choices: tuple[tuple[float, ...] | None, float, Literal["refuse", "hold"]],
) -> "BearingTable":
    from flexframe.films.states import film_table

    frequencies, tolerance, beyond = choices
    return film_table(
        bearing, load, viscosity, speeds, frequencies=frequencies, tolerance=tolerance, beyond=beyond
    )
