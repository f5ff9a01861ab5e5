"""Every element family; adding one is one file and one name here."""

from flexframe.elements.beam import Beam
from flexframe.elements.contract import Family, is_structural
from flexframe.elements.coupled_beam import CoupledBeam
from flexframe.elements.interpolated_families import (
    Bar,
    Hexahedron8,
    Hexahedron20,
    Quadrilateral4,
    Quadrilateral8,
    Tetrahedron4,
    Tetrahedron10,
    Triangle3,
    Triangle6,
    Wedge6,
    Wedge15,
)
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BarProperty,
    PlaneProperty,
    Property,
    ShellProperty,
    SolidProperty,
)
from flexframe.elements.shell_quadrilateral import ShellQuadrilateral
from flexframe.elements.shell_triangle import ShellTriangle
from flexframe.errors import InputError
from flexframe.mesh.cells import Cell

FAMILIES: tuple[Family, ...] = (
    Bar(),
    Beam("timoshenko"),
    Beam("euler_bernoulli"),
    CoupledBeam(),
    Triangle3(),
    Triangle6(),
    Quadrilateral4(),
    Quadrilateral8(),
    Tetrahedron4(),
    Tetrahedron10(),
    Hexahedron8(),
    Hexahedron20(),
    Wedge6(),
    Wedge15(),
    ShellTriangle(),
    ShellTriangle("constant"),
    ShellQuadrilateral(),
)


def family_named(name: str) -> Family:
    """The family of that name."""
    for family in FAMILIES:
        if family.name == name:
            return family
    known = ", ".join(family.name for family in FAMILIES)
    raise InputError(f"element '{name}' is unknown; choose one of {known}", field="element")


_PROPERTY_OF_DIMENSION: dict[int, type[Property]] = {1: BarProperty, 2: PlaneProperty, 3: SolidProperty}


def property_type(family: Family) -> type[Property]:
    """What the elements of a family are made of: interpolated ones by their dimension."""
    return family.property_type if is_structural(family) else _PROPERTY_OF_DIMENSION[family.cell.dimension]


def family_for(cell: Cell, prop: Property) -> Family:
    """The first family that suits a cell and its property."""
    for family in FAMILIES:
        if family.cell == cell and _suits(family, prop):
            return family
    if isinstance(prop, ShellProperty) and cell.dimension == 2:
        raise InputError(f"a shell has no {cell.name} cells; give its mesh order: 1 (no mid-side nodes)")
    raise InputError(
        f"no element for a {cell.name} cell with a {type(prop).__name__}; "
        f"known are {', '.join(f'{f.name} ({f.cell.name})' for f in FAMILIES)}"
    )


def require_fitting(family: Family, prop: Property) -> None:
    """Refuse a property that means nothing to the elements of a family."""
    expected = property_type(family)
    if not isinstance(prop, expected) and not _suits(family, prop):
        raise InputError(f"{type(prop).__name__} does not fit {family.name} elements; give a {expected.__name__}")
    if not _suits(family, prop):
        fitting = ", ".join(other.name for other in FAMILIES if other.cell == family.cell and _suits(other, prop))
        raise InputError(
            f"{family.name} elements do not have this section; leave the family out, or take {fitting}",
            field="element",
        )


def _suits(family: Family, prop: Property) -> bool:
    if is_structural(family):
        return family.suits(prop)
    if isinstance(prop, AxisymmetricProperty):
        return family.cell.dimension == 2
    return isinstance(prop, property_type(family))
