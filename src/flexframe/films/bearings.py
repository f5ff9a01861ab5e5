"""Journal bearings as pads around a journal: plain, with grooves, elliptical, lobed, with pads that tilt.

Angles are measured from x towards y, which is the sense of rotation, about the centre of the bearing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array

CavitationModel = Literal["reynolds", "guembel", "none"]
"""What becomes of pressures below ambient: the film ends smoothly; they count as zero; they stay."""
TURN = 2 * np.pi


@dataclass(frozen=True)
class FilmPad(Described):
    """A part of a circle around the journal, between two edges or grooves.

    Parameters
    ----------
    start
        Angle at which the pad begins [rad].
    arc
        How far it reaches in the sense of rotation [rad].
    preload
        1 − c_b/c_p: c_b is the smallest gap of the centred journal, c_p = (radius of the pad) − (of the journal).
    offset
        Where, as a part of the arc, the gap of the centred journal is smallest; a pad that tilts has its pivot
        there.
    tilting
        Whether it tilts about its pivot, without friction.
    inertia
        Moment of inertia of a tilting pad about its pivot [kg m²].
    thickness
        Distance of the pivot from the surface of the pad [m].
    """

    start: float
    arc: float
    preload: float = 0.0
    offset: float = 0.5
    tilting: bool = False
    inertia: float = 0.0
    thickness: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not np.isfinite(self.start):
            raise InputError(f"the pad begins at {self.start}; give a finite angle", field="start")
        if not 0 < self.arc <= TURN * (1 + 1e-12):
            raise InputError(
                f"the arc of the pad is {np.degrees(self.arc):g} deg; give more than 0 and at most 360 deg",
                field="arc",
            )
        if not 0 <= self.preload < 1:
            raise InputError(
                f"the preload of the pad is {self.preload:g}; give 0 or more, below 1", field="preload"
            )
        if not 0 <= self.offset <= 1:
            raise InputError(
                f"the offset of the pad is {self.offset:g}; give a part of the arc, 0 to 1", field="offset"
            )
        if self.tilting and not (0 < self.offset < 1 and self.arc < np.pi):
            raise InputError(
                f"a pad of {np.degrees(self.arc):g} deg tilts about {self.offset:g} of its arc; give an arc below "
                "180 deg, and an offset inside it",
                field="offset",
            )
        for name in ("inertia", "thickness"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise InputError(f"{name} of the pad is {getattr(self, name):g}; give 0 or more", field=name)

    @property
    def end(self) -> float:
        """Angle at which it ends [rad]."""
        return self.start + self.arc

    @property
    def pivot(self) -> float:
        """Angle of the smallest gap of the centred journal, and of the pivot [rad]."""
        return self.start + self.offset * self.arc


@dataclass(frozen=True)
class FilmBearing(Described):
    """A journal that turns in a bearing, with a film of oil between them.

    Parameters
    ----------
    radius
        Of the journal [m].
    length
        Of the bearing along the axis [m].
    clearance
        Smallest radial gap of the centred journal, c_b [m].
    pads
        What surrounds the journal; none is a whole circle without grooves.
    cavitation
        "reynolds": p = dp/dθ = 0 where the film ends; "guembel": negative pressures count as zero (half
        Sommerfeld); "none": they stay (Sommerfeld).
    groove_pressure
        Above ambient at the edges of all pads [Pa].
    sealed
        Whether the ends of the bearing are closed; else ambient pressure is there.

    Examples
    --------
    >>> bearing = ff.rotors.FilmBearing.grooved(
    ...     0.05, 0.05, 75e-6, grooves=[0.0, np.pi], groove_width=np.radians(20)
    ... )
    >>> [float(round(np.degrees(pad.arc), 6)) for pad in bearing.pads]
    [160.0, 160.0]
    """

    radius: float
    length: float
    clearance: float
    pads: tuple[FilmPad, ...] = ()
    cavitation: CavitationModel = "reynolds"
    groove_pressure: float = 0.0
    sealed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radius", "length", "clearance"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"{name} of the journal bearing is {value:g} m; give a positive one", field=name)
        if self.clearance > 0.1 * self.radius:
            raise InputError(
                f"the clearance {self.clearance:g} m is more than a tenth of the radius {self.radius:g} m, and a "
                "film is thin; give the radial clearance in m",
                field="clearance",
            )
        if not np.isfinite(self.groove_pressure) or self.groove_pressure < 0:
            raise InputError(
                f"the pressure in the grooves is {self.groove_pressure:g} Pa above ambient; give 0 or more",
                field="groove_pressure",
            )
        if self.groove_pressure > 0 and not self.pads:
            raise InputError(
                "a bearing without grooves has no pressure in them; give grooves", field="groove_pressure"
            )
        if self.sealed and not self.pads:
            raise InputError(
                "a sealed bearing without grooves leaves the pressure open; give a groove, or open ends",
                field="sealed",
            )
        self._require_apart()

    def _require_apart(self) -> None:
        """Pads that overlap are refused."""
        order = sorted(range(len(self.pads)), key=lambda k: self.pads[k].start % TURN)
        for here, there in zip(order, order[1:] + order[:1], strict=True):
            step = (self.pads[there].start - self.pads[here].start) % TURN
            if here != there and self.pads[here].arc > step + 1e-9:
                raise InputError(
                    f"pads {here + 1} and {there + 1} lie in one another; part them", field=("pads", there)
                )

    # ------------------------------------------------------------------ kinds

    @classmethod
    def plain(
        cls, radius: float, length: float, clearance: float, *, feed: float | None = None, **more: Any
    ) -> "FilmBearing":
        """A whole circle, with a line of feed or without.

        Parameters
        ----------
        radius, length, clearance
            Of the journal, of the bearing, and the smallest radial gap of the centred journal [m].
        feed
            Angle of a line at which the film begins [rad].
        more
            Further fields of the class.

        Returns
        -------
        FilmBearing
            The bearing.

        Examples
        --------
        >>> ff.rotors.FilmBearing.plain(0.05, 0.05, 75e-6).closed
        True
        """
        pads = () if feed is None else (FilmPad(feed, TURN),)
        return cls(radius, length, clearance, pads, **more)

    @classmethod
    def grooved(
        cls,
        radius: float,
        length: float,
        clearance: float,
        *,
        grooves: Sequence[float],
        groove_width: float,
        **more: Any,
    ) -> "FilmBearing":
        """A circle with axial grooves.

        Parameters
        ----------
        radius, length, clearance
            Of the journal, of the bearing, and the smallest radial gap of the centred journal [m].
        grooves
            Angles of their middles [rad].
        groove_width
            Common to all [rad].
        more
            Further fields of the class.

        Returns
        -------
        FilmBearing
            The bearing.

        Examples
        --------
        >>> bearing = ff.rotors.FilmBearing.grooved(0.05, 0.05, 75e-6, grooves=[0.0, np.pi], groove_width=0.2)
        >>> len(bearing.pads)
        2
        """
        return cls(radius, length, clearance, _between(grooves, groove_width), **more)

    @classmethod
    def lobed(
        cls,
        radius: float,
        length: float,
        clearance: float,
        *,
        pads: int = 3,
        preload: float = 0.5,
        offset: float = 0.5,
        groove_width: float = 0.0,
        first: float = -np.pi / 2,
        **more: Any,
    ) -> "FilmBearing":
        """Equal lobes with grooves between them.

        Parameters
        ----------
        radius, length, clearance
            Of the journal, of the bearing, and the smallest radial gap of the centred journal [m].
        pads
            Their number.
        preload
            1 − clearance/(clearance of a lobe).
        offset
            Where on its arc the gap of a lobe is smallest, as a part of the arc.
        groove_width
            Of the grooves between lobes [rad].
        first
            Angle of the middle of the first lobe [rad]; without it below, for y upwards.
        more
            Further fields of the class.

        Returns
        -------
        FilmBearing
            The bearing.

        Examples
        --------
        >>> bearing = ff.rotors.FilmBearing.lobed(0.05, 0.05, 75e-6, pads=3, preload=0.5)
        >>> [float(round(c * 1e6)) for c in bearing.pad_clearances]
        [150.0, 150.0, 150.0]
        """
        if pads < 1:
            raise InputError(f"a bearing of {pads} lobes; give one or more", field="pads")
        arc = TURN / pads - groove_width
        if arc <= 0:
            raise InputError(
                f"grooves of {np.degrees(groove_width):g} deg leave nothing of {pads} lobes; make them narrower",
                field="groove_width",
            )
        made = tuple(FilmPad(first + k * TURN / pads - arc / 2, arc, preload, offset) for k in range(pads))
        return cls(radius, length, clearance, made, **more)

    @classmethod
    def elliptical(
        cls,
        radius: float,
        length: float,
        clearance: float,
        *,
        preload: float = 0.5,
        groove_width: float = np.radians(20.0),
        first: float = -np.pi / 2,
        **more: Any,
    ) -> "FilmBearing":
        """Two lobes: a lemon bore.

        Parameters
        ----------
        radius, length, clearance
            Of the journal, of the bearing, and the smallest radial gap of the centred journal [m].
        preload
            1 − clearance/(clearance of a lobe).
        groove_width
            Of the grooves between lobes [rad].
        first
            Angle of the middle of the first lobe [rad]; without it below, for y upwards.
        more
            Further fields of the class.

        Returns
        -------
        FilmBearing
            The bearing.

        Examples
        --------
        >>> len(ff.rotors.FilmBearing.elliptical(0.05, 0.05, 75e-6).pads)
        2
        """
        return cls.lobed(
            radius, length, clearance, pads=2, preload=preload, groove_width=groove_width, first=first, **more
        )

    @classmethod
    def tilting_pad(
        cls,
        radius: float,
        length: float,
        clearance: float,
        *,
        pads: int = 5,
        arc: float = np.radians(60.0),
        preload: float = 0.0,
        offset: float = 0.5,
        first: float = -np.pi / 2,
        inertia: float = 0.0,
        thickness: float = 0.0,
        **more: Any,
    ) -> "FilmBearing":
        """Equal pads that tilt about their pivots.

        Parameters
        ----------
        radius, length, clearance
            Of the journal, of the bearing, and the smallest radial gap of the centred journal [m].
        pads
            Their number.
        arc
            Of a pad [rad].
        preload
            1 − clearance/(clearance of a pad).
        offset
            Where on its arc a pad has its pivot, as a part of the arc.
        first
            Angle of the first pivot [rad]; without it below, for y upwards.
        inertia
            Of a pad about its pivot [kg m²].
        thickness
            Distance of the pivot from the surface of the pad [m].
        more
            Further fields of the class.

        Returns
        -------
        FilmBearing
            The bearing.

        Examples
        --------
        >>> ff.rotors.FilmBearing.tilting_pad(0.05, 0.05, 75e-6, pads=4).tilting
        True
        """
        if pads < 1:
            raise InputError(f"a bearing of {pads} pads; give one or more", field="pads")
        made = tuple(
            FilmPad(first + k * TURN / pads - offset * arc, arc, preload, offset, True, inertia, thickness)
            for k in range(pads)
        )
        return cls(radius, length, clearance, made, **more)

    # ------------------------------------------------------------------ as arrays

    @property
    def closed(self) -> bool:
        """Whether the film has no edges."""
        return not self.pads

    @property
    def tilting(self) -> bool:
        """Whether a pad tilts."""
        return any(pad.tilting for pad in self.pads)

    @property
    def surfaces(self) -> tuple[FilmPad, ...]:
        """The pads, or the whole circle."""
        return self.pads or (FilmPad(0.0, TURN),)

    @property
    def pad_clearances(self) -> Array:
        """c_p of each pad [m]: (pads,)."""
        return np.array([self.clearance / (1 - pad.preload) for pad in self.surfaces])

    @property
    def pad_centres(self) -> Array:
        """Centres of the circles of the pads when they do not tilt, −(c_p − c_b) e(pivot) [m]: (pads, 2)."""
        pivots = np.array([pad.pivot for pad in self.surfaces])
        away = self.pad_clearances - self.clearance
        return -away[:, None] * np.column_stack([np.cos(pivots), np.sin(pivots)])

    @property
    def largest_arc(self) -> float:
        """Of its pads [rad]."""
        return max(pad.arc for pad in self.surfaces)


def _between(grooves: Sequence[float], groove_width: float) -> tuple[FilmPad, ...]:
    """Pads between grooves."""
    middles = np.sort(np.asarray(grooves, dtype=float) % TURN)
    if not middles.size or not np.isfinite(middles).all():
        raise InputError(f"the grooves are {list(grooves)}; give angles of one or more", field="grooves")
    if not 0 <= groove_width < TURN:
        raise InputError(
            f"the grooves are {np.degrees(groove_width):g} deg wide; give 0 or more", field="groove_width"
        )
    arcs = np.diff(np.append(middles, middles[0] + TURN)) - groove_width
    if (arcs <= 0).any():
        raise InputError(
            f"grooves of {np.degrees(groove_width):g} deg meet each other; make them narrower, or leave some out",
            field="grooves",
        )
    return tuple(
        FilmPad(float(middle + groove_width / 2), float(arc)) for middle, arc in zip(middles, arcs, strict=True)
    )
