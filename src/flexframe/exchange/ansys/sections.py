"""Cross-sections of Ansys beams (SECTYPE, BEAM): measures along the element's y and z axes."""

from collections.abc import Callable

from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.section_shapes import oriented_section
from flexframe.elements.sections import Circle, GeneralSection, Rectangle, Section
from flexframe.errors import InputError
from flexframe.exchange.ansys.database import SectionData
from flexframe.exchange.units import Units


def beam_section(section: SectionData, units: Units) -> tuple[Section, float]:
    """A section, and by how much its principal axes are turned [rad] from those of the element."""
    if section.kind != "BEAM":
        raise InputError(f"{section.place}: a section of kind {section.kind} is no beam")
    if section.offset not in ("", "CENT"):
        raise InputError(f"{section.place}: a beam beside its nodes (SECOFFSET, {section.offset}) is not read")
    if section.subtype == "ASEC":
        return _constants(section, units)
    if section.subtype not in _SHAPES:
        known = ", ".join([*_SHAPES, "ASEC"])
        raise InputError(
            f"{section.place}: beam section {section.subtype or 'without type'} is not read; use {known}"
        )
    make, count = _SHAPES[section.subtype]
    sizes = [value * units.length for value in section.values[:count]]
    if len(sizes) < count:
        raise InputError(f"{section.place}: section {section.subtype} takes {count} numbers; complete them")
    return make(*sizes), 0.0


def _constants(section: SectionData, units: Units) -> tuple[Section, float]:
    """ASEC: A, Iyy = ∫z², Iyz, Izz = ∫y², warping constant, J."""
    if len(section.values) < 6:
        raise InputError(f"{section.place}: section ASEC takes A, Iyy, Iyz, Izz, Iw, J; complete them")
    A, Iyy, Iyz, Izz, _, J = section.values[:6]
    across, along = units.length**2, units.length**4
    if not Iyz:
        return GeneralSection(A * across, Izz * along, Iyy * along, J * along), 0.0
    turned = oriented_section(
        area=A * across,
        inertia_z=Izz * along,
        inertia_y=Iyy * along,
        product=Iyz * along,
        torsion_constant=J * along,
    )
    return turned.section, turned.angle


def _rectangle(along_y: float, along_z: float) -> Section:
    return Rectangle(width=along_z, height=along_y)


def _round(radius: float) -> Section:
    return Circle(2 * radius)


def _tube(inner: float, outer: float) -> Section:
    return Circle(2 * outer, 2 * inner)


def _box(width: float, depth: float, *walls: float) -> Section:
    """Outer width along y and depth along z; walls at −y, +y, −z, +z."""
    left, right, low, high = walls
    ring = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    hole = ((left, low), (width - right, low), (width - right, depth - high), (left, depth - high))
    return PolygonSection(ring, (hole,))


def _wide(*sizes: float) -> Section:
    """Widths of bottom and top flange along y, depth along z, thicknesses of bottom, top and web."""
    bottom, top, depth, low, high, web = sizes
    right = [
        (bottom / 2, 0.0),
        (bottom / 2, low),
        (web / 2, low),
        (web / 2, depth - high),
        (top / 2, depth - high),
    ]
    right.append((top / 2, depth))
    return PolygonSection((*right, *((-y, z) for y, z in reversed(right))))


def _channel(*sizes: float) -> Section:
    """Widths of bottom and top flange along y from the web at y = 0, depth along z, thicknesses as of the I."""
    bottom, top, depth, low, high, web = sizes
    return PolygonSection(
        (
            *((0.0, 0.0), (bottom, 0.0), (bottom, low), (web, low)),
            *((web, depth - high), (top, depth - high), (top, depth), (0.0, depth)),
        )
    )


def _angle(along_y: float, along_z: float, low: float, web: float) -> Section:
    return PolygonSection(((0.0, 0.0), (along_y, 0.0), (along_y, low), (web, low), (web, along_z), (0.0, along_z)))


def _tee(flange: float, depth: float, thickness: float, web: float) -> Section:
    """A flange along y at the bottom and a web along z."""
    a, b = flange / 2, web / 2
    right = [(a, 0.0), (a, thickness), (b, thickness), (b, depth)]
    return PolygonSection((*right, *((-y, z) for y, z in reversed(right))))


_SHAPES: dict[str, tuple[Callable[..., Section], int]] = {
    "RECT": (_rectangle, 2),
    "CSOLID": (_round, 1),
    "CTUBE": (_tube, 2),
    "HREC": (_box, 6),
    "I": (_wide, 6),
    "CHAN": (_channel, 6),
    "L": (_angle, 4),
    "T": (_tee, 4),
}
