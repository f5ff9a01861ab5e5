"""Bearings, seals and supports: forces across the spin axis that stay in space while the shaft turns.

Their rows and columns are x, y and the tilts about x and about y. x and y are the directions of space e₁ and e₂
across the spin axis (those of the body at t = 0), or turned from them by an angle; y lies a quarter of a turn
ahead of x in the sense of a positive speed. The force on the shaft is −K q − C q̇ − M q̈.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import Described, numbers
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_about_z
from flexframe.model.supports import NodeSelection

AXES = "xyab"
"""Names of the rows and columns: x, y, and the tilts a about x and b about y."""
KINDS = ("stiffness", "damping", "mass")
"""What multiplies q, q̇ and q̈: N/m, N s/m, kg; of tilts N m, N m s, kg m²; between both N, N s, kg m."""
Values = float | tuple[float, ...] | tuple[tuple[float, ...], ...]
Interpolation = Literal["cubic", "linear"]
Beyond = Literal["refuse", "hold"]
_LEAST = 1e-3  # mass of a pedestal by its impedance, of that whose inertia is the largest stiffness of the table

COLUMNS = {
    f"{letter}{row}{column}": (kind, i, j)
    for letter, kind in zip("kcm", KINDS, strict=True)
    for i, row in enumerate(AXES)
    for j, column in enumerate(AXES)
}
"""Names of columns of tables (kxx, cxy, mbb …) and the places that they fill."""
IMPEDANCES = {
    f"h{row}{column}_{part}": (part, i, j)
    for part in ("re", "im")
    for i, row in enumerate(AXES)
    for j, column in enumerate(AXES)
}
"""Names of columns of a dynamic stiffness H = K − ω²M + iωC over the frequency (hxx_re, hxx_im …)."""


@dataclass(frozen=True, eq=False)
class BearingTable(Described):
    """K, C and M over the speed of the shaft, the frequency of its motion, or both, in rad/s.

    Each is (points, n, n) over one of them or (speeds, frequencies, n, n) over both; n is 2 (x, y) or 4 (with the
    tilts). Between the points every entry is a cubic spline (not-a-knot; fewer than four points give the parabola
    or the line through them) or a line. Beyond the ends a speed is refused, or the end is held. `load` is the
    static load in N on the bearing along x and y for which the coefficients hold, `source` where they come from.
    """

    stiffness: Any
    damping: Any = None
    mass: Any = None
    speeds: Any = None
    frequencies: Any = None
    interpolation: Interpolation = "cubic"
    beyond: Beyond = "refuse"
    load: tuple[float, float] | None = None
    source: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("speeds", "frequencies"):
            points = getattr(self, name)
            if points is not None:
                object.__setattr__(self, name, _increasing(points, name))
        if self.speeds is None and self.frequencies is None:
            raise InputError("a table of a bearing has neither speeds nor frequencies; give one of them, or both")
        if self.frequencies is not None and self.frequencies[0] < 0:
            raise InputError("a frequency of a table of a bearing is negative; give frequencies from zero up")
        self.values  # noqa: B018 - refuses shapes that do not fit

    @cached_property
    def values(self) -> Array:
        """Of the three kinds: (3, speeds, frequencies, 4, 4)."""
        return np.array([self._fill(name, getattr(self, name)) for name in KINDS])

    def _fill(self, name: str, given: Any) -> Array:
        """Values of one kind over both inputs: (speeds, frequencies, 4, 4)."""
        over = [1 if points is None else len(points) for points in (self.speeds, self.frequencies)]
        if given is None:
            return np.zeros((*over, 4, 4))
        values = np.asarray(given, dtype=float)
        points = tuple(
            size for size, axis in zip(over, (self.speeds, self.frequencies), strict=True) if axis is not None
        )
        size = values.shape[-1] if values.ndim else 0
        if values.shape != (*points, size, size) or size not in (2, 4):
            wanted = " × ".join(map(str, points))
            raise InputError(
                f"{name} of a table of a bearing has the shape {values.shape}; give {wanted} matrices of 2 × 2 "
                "(x, y) or of 4 × 4 (with the tilts about x and y)",
                field=name,
            )
        if not np.isfinite(values).all():
            raise InputError(f"{name} of a table of a bearing is not finite everywhere; correct it", field=name)
        out = np.zeros((*over, 4, 4))
        out[..., :size, :size] = values.reshape(*over, size, size)
        return out

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, ArrayLike],
        *,
        interpolation: Interpolation = "cubic",
        beyond: Beyond = "refuse",
        load: tuple[float, float] | None = None,
        source: str = "",
    ) -> "BearingTable":
        """A table from columns kxx, kxy, …, cyy, mxx … beside `speed` or `frequency` [rad/s], or both.

        What is not given is zero, but kyy, cyy and myy (and those of the tilts, kbb …) are kxx, cxx and mxx.
        Lines may have any order; over both inputs they fill a grid. Columns hxx_re, hxx_im … over the frequency
        are a dynamic stiffness H = K − ω²M + iωC, from which K = Re H and C = Im H/ω.

        Parameters
        ----------
        columns
            Numbers by the name of their column, in SI.
        interpolation, beyond
            See the class.
        load, source
            What the coefficients hold for [N], and where they come from.

        Returns
        -------
        BearingTable
            The table.

        Examples
        --------
        >>> table = ff.rotors.BearingTable.from_columns(
        ...     {"speed": [100.0, 200.0], "kxx": [1e7, 3e7], "cxx": [2e4, 1e4]}
        ... )
        >>> table.at(150.0).stiffness[:2, :2].tolist()
        [[20000000.0, 0.0], [0.0, 20000000.0]]
        """
        inputs = {name: numbers(columns[name], name) for name in ("speed", "frequency") if name in columns}
        if not inputs:
            raise InputError("a table of a bearing has no column of speeds or frequencies; give one of them")
        known = {name: numbers(given, name) for name, given in columns.items() if name not in inputs}
        known = _with_coefficients(known, inputs.get("frequency"))
        for first, second in (("xx", "yy"), ("aa", "bb")):
            for letter in "kcm":
                if letter + first in known:
                    known.setdefault(letter + second, known[letter + first])
        axes, places = zip(*(np.unique(given, return_inverse=True) for given in inputs.values()), strict=True)
        grid = tuple(len(axis) for axis in axes)
        count = len(next(iter(inputs.values())))
        flat = np.ravel_multi_index(places, grid)
        if len(np.unique(flat)) != count:
            raise InputError("a table of a bearing has two lines for one point; remove one of them")
        if count != np.prod(grid):
            raise InputError(
                f"a table of a bearing has {count} lines, and its {' × '.join(map(str, grid))} speeds and "
                "frequencies need one for each pair; give the missing ones"
            )
        filled = {kind: np.zeros((count, 4, 4)) for kind in KINDS}
        for name, given in known.items():
            kind, i, j = COLUMNS[name]
            if len(given) != count:
                raise InputError(f"column {name} has {len(given)} values for {count} points; give one for each")
            filled[kind][flat, i, j] = given
        axis = dict(zip(inputs, axes, strict=True))
        return cls(
            **{kind: values.reshape(*grid, 4, 4) for kind, values in filled.items()},
            speeds=axis.get("speed"),
            frequencies=axis.get("frequency"),
            interpolation=interpolation,
            beyond=beyond,
            load=load,
            source=source,
        )

    @property
    def over(self) -> tuple[str, ...]:
        """What the coefficients depend on: "speed", "frequency" or both."""
        given = {"speed": self.speeds, "frequency": self.frequencies}
        return tuple(name for name, points in given.items() if points is not None)

    @cached_property
    def used(self) -> tuple[tuple[int, int, int], ...]:
        """Kind, row and column of the entries that are not zero everywhere."""
        places = np.argwhere(np.abs(self.values).max(axis=(1, 2)) > 0)
        return tuple((int(kind), int(i), int(j)) for kind, i, j in places)

    def entries(self, speed: ArrayLike = 0.0, frequency: ArrayLike = 0.0) -> Array:
        """The entries `used` at speeds and frequencies [rad/s] of one shape, held beyond the ends: (..., used)."""
        if self.frequencies is None:
            return np.asarray(self._weights(0, np.abs(np.asarray(speed, dtype=float))) @ self._entries[:, 0])
        if self.speeds is None:
            return np.asarray(self._weights(1, np.abs(np.asarray(frequency, dtype=float))) @ self._entries[0])
        rows = self._weights(0, np.abs(np.asarray(speed, dtype=float)))
        columns = self._weights(1, np.abs(np.asarray(frequency, dtype=float)))
        return np.einsum("...s,...f,sfe->...e", rows, columns, self._entries)

    def at(self, speed: float = 0.0, frequency: float = 0.0) -> "BearingCoefficients":
        """K, C and M at a speed and a frequency [rad/s], held beyond the ends."""
        found = np.zeros((3, 4, 4))
        for place, value in zip(self.used, self.entries(speed, frequency), strict=True):
            found[place] = value
        return BearingCoefficients(*found)

    @property
    def middle(self) -> "BearingCoefficients":
        """K, C and M in the middle of the table."""
        ends = [(0.0, 0.0) if p is None else (p[0], p[-1]) for p in (self.speeds, self.frequencies)]
        return self.at(*(float(low + high) / 2 for low, high in ends))

    @cached_property
    def _entries(self) -> Array:
        """(speeds, frequencies, used)."""
        return np.stack([self.values[kind, :, :, i, j] for kind, i, j in self.used], axis=-1)

    @cached_property
    def _splines(self) -> tuple[Any, Any]:
        """Splines that are 1 at one point and 0 at the others.

        None for lines and for what it does not depend on.
        """
        from scipy.interpolate import CubicSpline  # longer to load than a case without tables to compute

        return tuple(  # type: ignore[return-value]
            None
            if points is None or self.interpolation == "linear" or len(points) < 3
            else CubicSpline(points, np.eye(len(points)))
            for points in (self.speeds, self.frequencies)
        )

    def _weights(self, which: int, at: Array) -> Array:
        """How much each point of an input has of the value at a place: (..., points)."""
        points = (self.speeds, self.frequencies)[which]
        if points is None or len(points) == 1:
            return np.ones((*at.shape, 1))
        inside = np.clip(at, points[0], points[-1])
        spline = self._splines[which]
        if spline is not None:
            return np.asarray(spline(inside))
        k = np.clip(np.searchsorted(points, inside, side="right") - 1, 0, len(points) - 2)
        part = (inside - points[k]) / (points[k + 1] - points[k])
        eye = np.eye(len(points))
        return np.asarray((1 - part)[..., None] * eye[k] + part[..., None] * eye[k + 1])


@dataclass(frozen=True, eq=False)
class BearingCoefficients:
    """K, C and M of x, y and the tilts about x and y at one speed and frequency: (4, 4) each, SI."""

    stiffness: Array
    damping: Array
    mass: Array

    def dynamic_stiffness(self, eigenvalue: complex) -> Any:
        """K + λC + λ²M: (4, 4)."""
        return self.stiffness + eigenvalue * self.damping + eigenvalue**2 * self.mass


@dataclass(frozen=True)
class Pedestal(Described):
    """What a bearing stands on: a mass [kg] that moves across the axis, held in space by stiffness and damping.

    One value holds in all directions, two hold along x and y of the bearing. A table over the frequency (of a
    measured impedance, for instance) adds to them. Without a mass the table is the whole dynamic stiffness H(ω),
    mass included; a mass m is then taken out of it, H = (H + ω²m) − ω²m, which changes nothing in a harmonic
    motion.
    """

    mass: Values | None = None
    stiffness: Values = 0.0
    damping: Values = 0.0
    table: BearingTable | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in KINDS:
            if getattr(self, name) is not None:
                _require_values(getattr(self, name), name)
        if self.mass is None:
            if self.table is None or self.table.frequencies is None:
                raise InputError(
                    "pedestal: it has no mass; give one in kg, or a table of its dynamic stiffness over the "
                    "frequency",
                    field="mass",
                )
        elif not (np.diag(_matrix(self.mass))[:2] > 0).all():
            raise InputError(f"pedestal: its mass is {self.mass}; give a positive mass in kg", field="mass")

    def with_mass(self) -> "Pedestal":
        """The same with a mass of its own: where none is given, that which fits Re H = k − ω²m best."""
        if self.mass is not None:
            return self
        table = self.table
        assert table is not None and table.frequencies is not None, "checked above"
        squares = np.asarray(table.frequencies) ** 2
        values = table.values[0].copy()  # (speeds, frequencies, 4, 4)
        masses = []
        for i in (0, 1):
            seen = values[:, :, i, i].mean(axis=0)
            spread = squares - squares.mean()
            slope = float(spread @ seen / (spread @ spread)) if len(squares) > 1 else 0.0
            least = _LEAST * float(np.abs(seen).max()) / max(float(squares[-1]), np.finfo(float).tiny)
            masses.append(max(-slope, least))
            values[:, :, i, i] += squares * masses[i]
        stiffness = values if table.speeds is not None else values[0]
        return replace(self, mass=(masses[0], masses[1]), table=replace(table, stiffness=stiffness))


@dataclass(frozen=True)
class Bearing(Described):
    """A bearing, seal or support at each selected node: forces to space, or to the node `to`, across the spin
    axis.

    Units: N/m, N s/m, kg; `tilt_` values act on the rotations across the axis, N m/rad, N m s/rad. One value holds
    in all directions, two hold along x and y, a matrix of two rows is K of x and y, one of four rows has the tilts
    too. Matrices may be unsymmetric and have negative entries. A table adds to them. x and y are e₁ and e₂ of
    space (see `Unbalance`), turned by `angle` [rad] about the spin axis. A `pedestal` moves between the bearing
    and space.
    """

    on: NodeSelection
    stiffness: Values = 0.0
    damping: Values = 0.0
    tilt_stiffness: Values = 0.0
    tilt_damping: Values = 0.0
    mass: Values = 0.0
    table: BearingTable | None = None
    to: NodeSelection | None = None
    angle: float = 0.0
    name: str = ""
    pedestal: Pedestal | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (*KINDS, "tilt_stiffness", "tilt_damping"):
            _require_values(getattr(self, name), name)
        if self.pedestal is not None and self.to is not None:
            raise InputError(
                "bearing: it stands on a pedestal and goes to another node; give one of them", field="to"
            )

    @cached_property
    def constants(self) -> BearingCoefficients:
        """What does not depend on speed and frequency, along e₁ and e₂ and about them."""
        found = {kind: _matrix(getattr(self, kind)) for kind in KINDS}
        for kind in ("stiffness", "damping"):
            found[kind][2:, 2:] += _matrix(getattr(self, f"tilt_{kind}"))[:2, :2]
        turn = self.turn
        return BearingCoefficients(**{kind: turn @ matrix @ turn.T for kind, matrix in found.items()})

    @property
    def turn(self) -> Array:
        """Components along and about e₁, e₂ from those along and about x, y: (4, 4)."""
        return np.asarray(np.kron(np.eye(2), rotation_about_z(self.angle)[:2, :2]), dtype=float)

    def at(self, speed: float = 0.0, frequency: float = 0.0) -> BearingCoefficients:
        """K, C and M along and about e₁ and e₂ at a speed and a frequency [rad/s]."""
        parts = [self.constants]
        if self.table is not None:
            turn, found = self.turn, self.table.at(speed, frequency)
            parts.append(BearingCoefficients(*(turn @ getattr(found, kind) @ turn.T for kind in KINDS)))
        return BearingCoefficients(*(np.sum([getattr(part, kind) for part in parts], axis=0) for kind in KINDS))

    @property
    def isotropic(self) -> bool:
        """Whether all directions across the axis are alike."""
        matrices = [getattr(self.constants, kind) for kind in KINDS]
        if self.table is not None:
            matrices += list(self.table.values.reshape(-1, 4, 4))
        stack = np.array(matrices)
        J = np.kron(np.eye(2), [[0.0, -1.0], [1.0, 0.0]])
        return bool(np.abs(stack @ J - J @ stack).max() <= 1e-12 * np.abs(stack).max(initial=0.0))


def _require_values(values: Values, name: str) -> None:
    given = np.asarray(values, dtype=float)
    shapes = [(), (1,), (2,), (2, 2)] + ([] if name.startswith("tilt_") else [(4, 4)])
    if given.shape not in shapes:
        full = "" if name.startswith("tilt_") else " or 4 × 4"
        raise InputError(
            f"bearing: {name} has {given.size} values in the shape {given.shape}; give one, two across the axis, "
            f"or a matrix of 2 × 2{full}",
            field=name,
        )
    if not np.isfinite(given).all():
        raise InputError(f"bearing: {name} is {values}; give a finite value", field=name)
    if given.ndim < 2 and (given < 0).any():
        raise InputError(
            f"bearing: {name} is {given.min():g}; give a finite value from zero up, or a matrix such as "
            f"[[{given.min():g}, 0], [0, {given.min():g}]] where it is meant to be negative",
            field=name,
        )


def _matrix(values: Values) -> Array:
    """One value, two, 2 × 2 or 4 × 4 as 4 × 4."""
    given = np.asarray(values, dtype=float)
    out = np.zeros((4, 4))
    if given.ndim < 2:
        out[0, 0], out[1, 1] = np.broadcast_to(given, 2)
    else:
        out[: len(given), : len(given)] = given
    return out


def _increasing(points: Any, name: str) -> Array:
    found = numbers(points, name)
    if not np.isfinite(found).all() or (np.diff(found) <= 0).any():
        raise InputError(
            f"the {name} of a table of a bearing do not increase; sort them and give each once", field=name
        )
    return found


def _with_coefficients(columns: dict[str, Array], frequencies: Array | None) -> dict[str, Array]:
    """Columns of K, C and M alone; those of a dynamic stiffness made into K and C."""
    out: dict[str, Array] = {}
    for name, values in columns.items():
        if name in COLUMNS:
            out[name] = values
        elif name not in IMPEDANCES:
            known = "kxx, kxy, kyx, kyy, cxx …, mxx …, hxx_re, hxx_im …, and a and b in place of x and y for tilts"
            raise InputError(f"column {name} of a table of a bearing is not known; the columns are {known}")
        elif frequencies is None:
            raise InputError(f"column {name} is a dynamic stiffness, which needs a column of frequencies; give it")
        elif name.endswith("_re"):
            out[f"k{name[1:3]}"] = values
        else:
            still = frequencies == 0.0
            if np.abs(values[still]).max(initial=0.0) > 0:
                raise InputError(
                    f"column {name} is not zero at the frequency zero, where no damper acts; give zero there, or "
                    "begin the table above"
                )
            if still.any() and len(values) > 1:  # Im H / ω of the first frequency above
                above = np.flatnonzero(~still)[np.argmin(frequencies[~still])]
                out[f"c{name[1:3]}"] = np.where(
                    still, values[above] / frequencies[above], values / np.where(still, 1.0, frequencies)
                )
            else:
                out[f"c{name[1:3]}"] = values / frequencies
    return out
