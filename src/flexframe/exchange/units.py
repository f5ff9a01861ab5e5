"""Systems of units of files that do not name theirs: what a length, a mass and a time of the file are in SI."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray

_POUND = 0.45359237  # kg, by definition
_GRAVITY = 9.80665  # m/s², by definition
_LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "km": 1e3, "in": 0.0254, "ft": 0.3048}
_MASSES = {
    **{"kg": 1.0, "g": 1e-3, "t": 1e3, "tonne": 1e3, "lb": _POUND},
    **{"slug": _POUND * _GRAVITY / 0.3048, "slinch": _POUND * _GRAVITY / 0.0254},
}
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0}
_FORCES = {
    **{"N": 1.0, "kN": 1e3, "MN": 1e6, "mN": 1e-3, "uN": 1e-6, "kgf": _GRAVITY},
    "lbf": _POUND * _GRAVITY,
}
_SAME = {"inch": "in", "µm": "um", "µs": "us", "µN": "uN", "lbm": "lb", "ton": "tonne", "blob": "slinch"}
_EQUAL = 1e-6  # relative, of a force and the mass that goes with it: names of units are exact


@dataclass(frozen=True)
class Units:
    """What one of a file's units is in SI, and how the user or the file named them."""

    length: float = 1.0  # m
    mass: float = 1.0  # kg
    time: float = 1.0  # s
    text: str = "m, N, s, kg"

    @property
    def force(self) -> float:
        """N."""
        return self.mass * self.length / self.time**2

    @property
    def stress(self) -> float:
        """Pa."""
        return self.force / self.length**2

    @property
    def density(self) -> float:
        """kg/m³."""
        return self.mass / self.length**3

    @property
    def inertia(self) -> float:
        """kg m², of moments of inertia."""
        return self.mass * self.length**2

    @property
    def stiffness(self) -> float:
        """N/m."""
        return self.force / self.length

    def of_coordinates(self, dofs: IntArray) -> Array:
        """One unit of each coordinate in SI: displacements (dof 1–3) in m, rotations and amounts (0) stay."""
        return np.where((dofs >= 1) & (dofs <= 3), self.length, 1.0)


SI = Units()


def parse_units(text: "str | Iterable[str]") -> Units:
    """Units from names such as "mm, N, s, tonne"; a length, and a mass or a force, a time unless it is the second.

    A force and a mass that do not go together are refused: F = m a has no factor in the files.
    """
    names = re.split(r"[\s,;]+", text.strip()) if isinstance(text, str) else list(text)
    found: dict[str, tuple[str, float]] = {}
    for given in names:
        name = _SAME.get(given, given)
        kind, value = _unit(name)
        if kind in found:
            raise InputError(f"units: {found[kind][0]} and {given} are both units of {kind}; give one")
        found[kind] = (given, value)
    if "length" not in found or not {"mass", "force"} & set(found):
        lacking = "a mass or a force" if "length" in found else "a length"
        raise InputError(f"units: {', '.join(names)} lack {lacking}; give them as in 'mm, N, s, tonne'")
    length, time = found["length"][1], found.get("time", ("s", 1.0))[1]
    by_force = found["force"][1] * time**2 / length if "force" in found else None
    mass = found["mass"][1] if "mass" in found else by_force
    assert mass is not None
    if by_force is not None and abs(mass / by_force - 1) > _EQUAL:
        fitting = [name for name, value in _MASSES.items() if abs(value / by_force - 1) < _EQUAL]
        remedy = f"the mass that goes with them is {fitting[0]}" if fitting else f"it would be {by_force:.6g} kg"
        raise InputError(
            f"units: {', '.join(names)} do not go together (a force is a mass times a length over the square of a "
            f"time); {remedy}"
        )
    return Units(length, mass, time, ", ".join(names))


def _unit(name: str) -> tuple[str, float]:
    tables = {"length": _LENGTHS, "mass": _MASSES, "time": _TIMES, "force": _FORCES}
    for kind, table in tables.items():
        if name in table:
            return kind, table[name]
    known = [unit for table in tables.values() for unit in table]
    near = get_close_matches(name, known, n=1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    raise InputError(f"units: '{name}' is not known{hint}; use {', '.join(known)}")


USUAL = tuple(
    parse_units(text)
    for text in ("m, N, s, kg", "mm, N, s, tonne", "mm, mN, s, kg", "mm, kN, ms, kg", "in, lbf, s", "ft, lbf, s")
)
"""Systems that files of finite-element programs are in."""

# Young's modulus [Pa] and density [kg/m³] of what parts are made of.
_METALS = ((205e9, 7850.0), (70e9, 2700.0), (112e9, 4450.0), (45e9, 1780.0), (115e9, 8900.0), (110e9, 7200.0))
_OTHERS = ((3e9, 1150.0), (120e9, 1580.0), (25e9, 1900.0), (11e9, 650.0), (300e9, 3500.0), (30e9, 2400.0))
_FAR = 0.35  # of the logarithm: half as much again in modulus and density together
_SIZES = (2e-3, 300.0)  # m, of parts


@dataclass(frozen=True)
class UnitsGuess:
    """The units that a file seems to be in, and why; None where nothing speaks for any."""

    units: Units | None
    reason: str


def guess_units(materials: Iterable[tuple[float, float]], size: float) -> UnitsGuess:
    """Judge units by moduli and densities, and by the size of the part, all as the file has them."""
    pairs = [(young, density) for young, density in materials if young > 0 and density > 0]
    if not pairs:
        return UnitsGuess(None, "no material with a modulus and a density tells the units")
    scores = []
    for units in USUAL:
        far = max(_distance(young * units.stress, density * units.density) for young, density in pairs)
        strange = not _SIZES[0] <= size * units.length <= _SIZES[1]
        scores.append((far > _FAR, strange, far))
    best = min(range(len(USUAL)), key=lambda k: scores[k])
    units, (unlikely, strange, _) = USUAL[best], scores[best]
    young, density = pairs[0]
    shown = (
        f"modulus {young * units.stress / 1e9:.4g} GPa, density {density * units.density:.4g} kg/m³, "
        f"size {size * units.length:.3g} m in these units"
    )
    if unlikely:
        return UnitsGuess(None, f"no usual system of units makes its materials known ones ({shown}: {units.text})")
    if strange:
        shown += "; the size is unusual"
    return UnitsGuess(units, shown)


def _distance(young: float, density: float) -> float:
    """How far a material is from the nearest known one, in logarithms."""
    known = np.log(np.array([*_METALS, *_OTHERS]))
    return float(np.linalg.norm(known - np.log([young, density]), axis=1).min())
