"""Cross-sections of Nastran beams: PBAR and PBEAM by constants, PBARL and PBEAML by shapes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.section_shapes import box_section, channel_section, i_section, oriented_section
from flexframe.elements.sections import Circle, GeneralSection, Rectangle, Section
from flexframe.errors import InputError
from flexframe.exchange.nastran.cards import Card
from flexframe.exchange.units import Units

_TAPER = 1e-6  # relative difference of the constants at the two ends that is rounding
_STATIONS = {"YES": 16, "YESA": 8, "NO": 8}  # fields of a station with and without stress points


@dataclass(frozen=True)
class BeamSection:
    """A section, by how much its principal axes are turned from the element's [rad], and mass beside its own.

    `shear` is whether the beam yields to shear. `extra_mass` is kg/m, in the units of the file.
    """

    section: Section
    angle: float
    shear: bool
    extra_mass: float
    notice: str = ""


def bar_section(card: Card, units: Units) -> BeamSection:
    """PBAR: A, I1, I2, J, NSM; K1, K2 and I12 on the third line. Without K it does not yield to shear."""
    A, I1, I2, J, extra = card.reals(3, 5)
    K1, K2, I12 = card.reals(17, 3)
    return _general((A, I1, I2, I12, J), (K1, K2), extra, units)


def beam_section(card: Card, units: Units) -> BeamSection:
    """PBEAM: the means of the constants at its ends; K1 = K2 = 1 unless given, 0 does not yield to shear."""
    first = card.reals(3, 6)  # A, I1, I2, I12, J, NSM
    last = first
    after = 8 if card.text(9) in _STATIONS else 16  # behind the stress points of end A, if it has any
    while card.text(after + 1) in _STATIONS:
        if card.real(after + 2, 1.0) == 1.0:  # of the length: the other end
            last = [card.real(after + 3 + k, value) for k, value in enumerate(first)]
        after += _STATIONS[card.text(after + 1)]
    K1, K2 = card.reals(after + 1, 2, 1.0)
    A, I1, I2, I12, J, extra = ((a + b) / 2 for a, b in zip(first, last, strict=True))
    worst = max((abs(b / a - 1) for a, b in zip(first[:5], last[:5], strict=True) if a), default=0.0)
    made = _general((A, I1, I2, I12, J), (K1, K2), extra, units)
    if worst <= _TAPER:
        return made
    tapered = f"is tapered, its constants change by up to {worst:.0%}; their means are taken"
    return replace(made, notice="; ".join(filter(None, (made.notice, tapered))))


def shaped_section(card: Card, units: Units) -> BeamSection:
    """PBARL and PBEAML: a type and its dimensions, those of end A; the shear factors are those of the shape."""
    kind = card.text(4)
    if kind not in _SHAPES:
        raise InputError(f"type {kind or 'blank'} is not read; use {', '.join(_SHAPES)}, or constants (PBAR)")
    make, count = _SHAPES[kind]
    sizes = [size * units.length for size in card.reals(9, count)]
    if not sizes[0] > 0 or min(sizes) < 0:
        raise InputError(f"type {kind} takes {count} dimensions; complete them")
    further = card.name == "PBEAML" and any(card.fields[9 + count :])
    notice = "has further stations; the section of end A is taken all along" if further else ""
    return BeamSection(make(*sizes), 0.0, True, card.real(9 + count, 0.0), notice)


def _general(
    constants: tuple[float, float, float, float, float], factors: tuple[float, float], extra: float, units: Units
) -> BeamSection:
    """A section of constants A, I1 (∫y²), I2 (∫z²), I12 (∫yz) and J, in its principal axes."""
    A, I1, I2, I12, J = constants
    notice = ""
    if not J > 0:
        J = I1 + I2
        notice = "has no torsion constant J; that of a round section is taken, I1 + I2, the largest there is"
    across, along = units.length**2, units.length**4
    K1, K2 = (factor if factor > 0 else 1.0 for factor in factors)
    section, angle = GeneralSection(A * across, I1 * along, I2 * along, J * along), 0.0
    if I12:
        turned = oriented_section(
            area=A * across,
            inertia_z=I1 * along,
            inertia_y=I2 * along,
            product=I12 * along,
            torsion_constant=J * along,
        )
        section, angle = turned.section, turned.angle
    section = replace(section, shear_factor=K1, shear_factor_across=K2)
    return BeamSection(section, angle, min(factors) > 0, extra, notice)


def _tube(outer: float, inner: float) -> Section:
    return Circle(2 * outer, 2 * inner)


def _hexagonal(*sizes: float) -> Section:
    """HEXA: triangle width DIM1, full width DIM2 along z, height DIM3 along y."""
    tip, width, height = sizes
    y, z = height / 2, width / 2
    return PolygonSection(((0.0, z), (y, z - tip), (y, tip - z), (0.0, -z), (-y, tip - z), (-y, z - tip)))


def _tee(width: float, height: float, flange: float, web: float) -> Section:
    """T: flange DIM1 wide along z at the top, full height DIM2, thicknesses of flange and web."""
    z, w, low = width / 2, web / 2, height - flange
    return PolygonSection(
        ((0.0, -w), (0.0, w), (low, w), (low, z), (height, z), (height, -z), (low, -z), (low, -w))
    )


def _tee_lying(flange: float, stem: float, *walls: float) -> Section:
    """T1: flange DIM1 high along y, stem DIM2 long along z beside it, thicknesses of flange and stem."""
    t, w, y = walls[0], walls[1] / 2, flange / 2
    return PolygonSection(((-y, 0.0), (-y, t), (-w, t), (-w, t + stem), (w, t + stem), (w, t), (y, t), (y, 0.0)))


def _tee_standing(width: float, height: float, flange: float, web: float) -> Section:
    """T2: flange DIM1 wide at the bottom, full height DIM2, thicknesses of flange and web."""
    z, w = width / 2, web / 2
    right = [(0.0, z), (flange, z), (flange, w), (height, w)]
    return PolygonSection((*right, *((y, -across) for y, across in reversed(right))))


def _wide_by_clearance(overhang: float, web: float, clear: float, height: float) -> Section:
    """I1: flanges wider than the web by DIM1, web DIM2 thick, DIM3 between the flanges, full height DIM4."""
    return i_section(height, overhang + web, web=web, flange=(height - clear) / 2)


def _channel_by_clearance(overhang: float, web: float, clear: float, height: float) -> Section:
    """CHAN1: flanges DIM1 long beside the web, web DIM2 thick, DIM3 between the flanges, full height DIM4."""
    return channel_section(height, overhang + web, web=web, flange=(height - clear) / 2)


def _hat(height: float, wall: float, top: float, brim: float) -> Section:
    """HAT: full height DIM1, wall DIM2, full width of the top DIM3, width of each brim DIM4 beside it."""
    z = top / 2
    right = [(0.0, z - wall), (0.0, z + brim), (wall, z + brim), (wall, z), (height, z)]
    left = [(y, -across) for y, across in reversed(right)]
    inside = [(height - wall, wall - z), (height - wall, z - wall)]
    return PolygonSection((*right, *left, *inside))


def _wide(height: float, bottom: float, top: float, web: float, *flanges: float) -> Section:
    """I: height, widths of bottom and top flange, thickness of web, of bottom and top flange."""
    low, high = flanges
    if bottom == top and low == high:
        return i_section(height, bottom, web=web, flange=low)
    w = web / 2
    right = [(0.0, bottom / 2), (low, bottom / 2), (low, w), (height - high, w), (height - high, top / 2)]
    right.append((height, top / 2))
    return PolygonSection((*right, *((y, -z) for y, z in reversed(right))))


def _channel(width: float, height: float, web: float, flange: float) -> Section:
    return channel_section(height, width, web=web, flange=flange)


def _box(width: float, height: float, flange: float, web: float) -> Section:
    return box_section(height, width, web=web, flange=flange)


def _tube2(outer: float, wall: float) -> Section:
    return Circle(2 * outer, 2 * (outer - wall))


def _rod(radius: float) -> Section:
    return Circle(2 * radius)


def _bar(width: float, height: float) -> Section:
    return Rectangle(width=width, height=height)


_SHAPES: dict[str, tuple[Callable[..., Section], int]] = {
    "I1": (_wide_by_clearance, 4),
    "T1": (_tee_lying, 4),
    "T2": (_tee_standing, 4),
    "CHAN1": (_channel_by_clearance, 4),
    "HAT": (_hat, 4),
    "ROD": (_rod, 1),
    "TUBE": (_tube, 2),
    "TUBE2": (_tube2, 2),
    "BAR": (_bar, 2),
    "BOX": (_box, 4),
    "I": (_wide, 6),
    "CHAN": (_channel, 4),
    "T": (_tee, 4),
    "HEXA": (_hexagonal, 3),
}
