"""What quantities usually are: one table of ranges, with the slips that lead out of them.

A value that cannot be is an error; one that is unlikely is a doubt, a sentence with the value, the usual range and
the likely slip. Doubts become notices of every record (`flexframe.analyses.judging`) and of `flexframe check`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material, Property
from flexframe.errors import InputError

_NO_LIMIT = float("inf")
_MOST = 250.0  # times the least: where a slip out of a range without an upper limit may lead


@dataclass(frozen=True)
class Usual:
    """The usual range of a quantity [unit], and factors by which a slip changes it with what the slip is."""

    quantity: str
    unit: str
    low: float
    high: float
    slips: tuple[tuple[float, str], ...] = ()

    def doubt(self, owner: str, value: float, remedy: str = "check it") -> str | None:
        """A sentence about an unusual value, with the likely slip or else the remedy; None for a usual one."""
        if self.low <= value <= self.high:
            return None
        unit = f" {self.unit}" if self.unit else ""
        limits = f"{self.low:g} to {self.high:g}{unit}" if self.low > 0 else f"up to {self.high:g}{unit}"
        if self.high == _NO_LIMIT:
            limits = f"{self.low:g}{unit} or more"
        most = _MOST * self.low if self.high == _NO_LIMIT else self.high
        slip = next((text for factor, text in self.slips if self.low <= value * factor <= most), "")
        return f"{owner}: {self.quantity} is {value:.4g}{unit}, usual is {limits}; {slip or remedy}"


USUAL = {
    # rubber and foam to diamond
    "young": Usual(
        "Young's modulus",
        "Pa",
        1e6,
        1.3e12,
        ((1e9, "was GPa meant?"), (1e6, "was MPa meant?"), (1e-9, "was it in pascals already, and GPa given?")),
    ),
    # light foam to osmium
    "density": Usual(
        "the density",
        "kg/m^3",
        10.0,
        25_000.0,
        (
            (1e3, "was g/cm^3 (t/m^3) meant?"),
            (1e6, "was kg/m^3 meant, and g/m^3 given?"),
            (1e12, "was t/mm^3 meant?"),
            (1e-3, "was g/m^3 meant?"),
        ),
    ),
    "poisson": Usual("Poisson's ratio", "", 0.0, 0.4999, ((1e-2, "was it given in per cent?"),)),
    # details of watches to towers and ships
    "size": Usual("the largest dimension", "m", 1e-4, 150.0, ((1e-3, "was mm meant?"),)),
    "slenderness": Usual("length over height of the section", "", 2.0, _NO_LIMIT, ((1e3, "was mm meant?"),)),
    "shell_thinness": Usual("width over thickness", "", 4.0, _NO_LIMIT, ((1e3, "was mm meant?"),)),
    "plane_thinness": Usual("width over thickness", "", 0.5, _NO_LIMIT, ((1e3, "was mm meant?"),)),
    # shocks of 200 times the weight
    "gravity": Usual("the acceleration", "m/s^2", 0.0, 2000.0, ((1e-3, "was mm/s^2 meant?"),)),
    # rubber mounts; structures of metal have 0.001 to 0.05
    "damping_ratio": Usual("the damping ratio", "", 0.0, 0.3, ((1e-2, "was it given in per cent?"),)),
    # the rims of flywheels and centrifuges reach about 1 km/s
    "speed": Usual(
        "the largest speed",
        "m/s",
        0.0,
        2000.0,
        ((2 * np.pi / 60, "was the speed of rotation meant in turns a minute?"), (1e-3, "was mm meant?")),
    ),
    # ρv²/E: what rotation strains a ring
    "rim_strain": Usual("the strain of rotation, ρv²/E at the rim,", "", 0.0, 0.01),
    "response": Usual("the largest displacement over the size", "", 0.0, 0.1),
    "energy_drift": Usual("the misfit of the energy balance", "", 0.0, 1e-3),
}
"""Ranges outside of which a value is reported, by quantity; SI units."""


def require_possible(owner: str, prop: Property) -> None:
    """Refuse what no section can have, whatever the units; an idealised material may have any."""
    if prop.material.idealised:
        return
    found = prop.impossible()
    if found is not None:
        raise InputError(f"body {owner}: {found}")


def material_doubts(material: Material | OrthotropicMaterial) -> Iterator[str]:
    """Doubts about the constants of a material; none about an idealised one."""
    if material.idealised:
        return
    owner = f"material {material.name}"
    values: list[tuple[str, float]] = [("density", material.density)]
    if isinstance(material, Material):
        values += [("young", material.young), ("poisson", material.poisson)]
    else:
        values += [("young", value) for value in material.young]
    for key, value in values:
        doubt = USUAL[key].doubt(owner, value)
        if doubt is not None:
            yield f"{doubt} (idealised: true keeps it without this note)"


def shape_doubts(owner: str, prop: Property, size: float) -> Iterator[str]:
    """Doubts about a section or a thickness beside the size [m] of the cells that have it."""
    if prop.material.idealised:
        return
    found = prop.proportion(size)
    if found is None:
        return
    key, ratio = found
    doubt = USUAL[key].doubt(owner, ratio)
    if doubt is not None:
        yield doubt


def wave_speed(prop: Property) -> float:
    """√(E/ρ) of the material, m/s; without bound for an idealised one."""
    material = prop.material
    if material.idealised:
        return float("inf")
    young = max(material.young) if isinstance(material, OrthotropicMaterial) else material.young
    return float(np.sqrt(young / material.density))
