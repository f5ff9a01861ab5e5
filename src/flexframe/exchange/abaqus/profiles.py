"""Cross-sections of Abaqus beams: measures along the section's axes n1 and n2.

Local y is n2 and local z is −n1, so that a point (n1, n2) lies at (y, z) = (n2, −n1).
"""

from collections.abc import Callable

from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.sections import Circle, Rectangle, Section
from flexframe.errors import InputError
from flexframe.exchange.units import Units

Corner = tuple[float, float]


def beam_profile(profile: str, values: tuple[float, ...], units: Units, where: str) -> Section:
    """A section by its name and sizes."""
    found = _PROFILES.get(profile.upper())
    if found is None:
        raise InputError(f"beam section {profile} of '{where}' is not read; give {', '.join(_PROFILES)}")
    make, count = found
    if len(values) < count:
        raise InputError(f"beam section {profile} of '{where}' takes {count} sizes; complete them")
    return make(*(value * units.length for value in values[:count]))


def _polygon(corners: list[Corner], hole: list[Corner] | None = None) -> Section:
    """Corners (n1, n2) in local axes."""
    outline = tuple((second, -first) for first, second in corners)
    inner = () if hole is None else (tuple((second, -first) for first, second in hole),)
    return PolygonSection(outline, inner)


def _rectangle(a: float, b: float) -> Section:
    """a along n1, b along n2."""
    return Rectangle(width=a, height=b)


def _circle(radius: float) -> Section:
    return Circle(2 * radius)


def _pipe(radius: float, wall: float) -> Section:
    return Circle(2 * radius, 2 * (radius - wall))


def _box(a: float, b: float, *walls: float) -> Section:
    """Outer a along n1 and b along n2; walls at +n1, +n2, −n1, −n2."""
    right, top, left, bottom = walls
    hole = [(left, bottom), (a - right, bottom), (a - right, b - top), (left, b - top)]
    return _polygon([(0.0, 0.0), (a, 0.0), (a, b), (0.0, b)], hole)


def _wide(*sizes: float) -> Section:
    """Distance of the origin, height along n2, widths of bottom and top flange, thicknesses, of the web last."""
    _, height, bottom, top, low, high, web = sizes
    right = [
        (bottom / 2, 0.0),
        (bottom / 2, low),
        (web / 2, low),
        (web / 2, height - high),
        (top / 2, height - high),
    ]
    right.append((top / 2, height))
    return _polygon([*right, *((-first, second) for first, second in reversed(right))])


def _angle(a: float, b: float, low: float, web: float) -> Section:
    return _polygon([(0.0, 0.0), (a, 0.0), (a, low), (web, low), (web, b), (0.0, b)])


_PROFILES: dict[str, tuple[Callable[..., Section], int]] = {
    "RECT": (_rectangle, 2),
    "CIRC": (_circle, 1),
    "PIPE": (_pipe, 2),
    "THICK PIPE": (_pipe, 2),
    "BOX": (_box, 6),
    "I": (_wide, 7),
    "L": (_angle, 4),
}
