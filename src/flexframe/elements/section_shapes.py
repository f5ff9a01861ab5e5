"""Cross-sections of beams from their measures, and constants given in axes that are not principal."""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.polygon_section import PolygonSection, principal_angle
from flexframe.elements.sections import GeneralSection, require_positive
from flexframe.errors import InputError


@dataclass(frozen=True)
class OrientedSection:
    """A section in its principal axes, and the angle [rad] by which these are turned about x, from y to z."""

    section: GeneralSection
    angle: float


def oriented_section(
    *,
    area: float,
    inertia_z: float,
    inertia_y: float,
    product: float,
    torsion_constant: float,
    shear_factor: float = 5 / 6,
) -> OrientedSection:
    """Principal axes of a section with ∫y² = `inertia_z`, ∫z² = `inertia_y`, ∫yz = `product` about its centroid.

    Give the angle to the beam as `BeamProperty(material, oriented.section, angle=oriented.angle)`.

    Parameters
    ----------
    area
        Area [m²].
    inertia_z, inertia_y, product
        Second moments of area [m⁴].
    torsion_constant
        Of Saint-Venant's torsion [m⁴].
    shear_factor
        Area that carries shear, as a part of the area.

    Returns
    -------
    OrientedSection
        A section in its principal axes, and the angle of these axes [rad].

    Examples
    --------
    >>> oriented = ff.sections.oriented_section(
    ...     area=1e-4, inertia_z=2e-9, inertia_y=2e-9, product=1e-9, torsion_constant=1e-9
    ... )
    >>> round(float(abs(np.degrees(oriented.angle))), 6)
    45.0
    """
    if not inertia_z * inertia_y > product**2:
        raise InputError(
            f"section: the product of inertia is {product:g}; no section has it with {inertia_z:g} and "
            f"{inertia_y:g}: its square is below their product"
        )
    angle = principal_angle(np.array([[inertia_z, product], [product, inertia_y]]))
    mean, difference = (inertia_z + inertia_y) / 2, (inertia_z - inertia_y) / 2
    # the given y stays the axis of the larger moment if it was
    along = mean + difference * np.cos(2 * angle) + product * np.sin(2 * angle)
    made = GeneralSection(area, float(along), float(2 * mean - along), torsion_constant, shear_factor)
    return OrientedSection(made, angle)


def i_section(height: float, width: float, *, web: float, flange: float) -> PolygonSection:
    """An I with its web along y: outer height and width, thickness of web and flanges.

    Parameters
    ----------
    height, width
        Outer sizes along y and z [m].
    web, flange
        Thickness of the web and of the flanges [m].

    Returns
    -------
    PolygonSection
        The section about its centroid.

    Examples
    --------
    >>> round(ff.sections.i_section(0.1, 0.06, web=0.005, flange=0.008).area * 1e4, 3)  # cm²
    13.8
    """
    _require_walls(height, width, web=web, flange=flange)
    y, z, inner, half = height / 2, width / 2, height / 2 - flange, web / 2
    quarter = [(y, z), (inner, z), (inner, half)]
    right = [*quarter, *((-a, b) for a, b in reversed(quarter))]
    return PolygonSection((*right, *((-a, -b) for a, b in right)))


def channel_section(height: float, width: float, *, web: float, flange: float) -> PolygonSection:
    """A channel with its web along y and flanges towards +z, about its centroid.

    Parameters
    ----------
    height, width
        Outer sizes along y and z [m].
    web, flange
        Thickness of the web and of the flanges [m].

    Returns
    -------
    PolygonSection
        The section about its centroid.

    Examples
    --------
    >>> round(ff.sections.channel_section(0.1, 0.05, web=0.005, flange=0.008).area * 1e4, 3)  # cm²
    12.2
    """
    _require_walls(height, width, web=web, flange=flange)
    y, inner = height / 2, height / 2 - flange
    upper = [(y, 0.0), (y, width), (inner, width), (inner, web)]
    return PolygonSection((*upper, *((-a, b) for a, b in reversed(upper))))


def box_section(height: float, width: float, *, web: float, flange: float | None = None) -> PolygonSection:
    """A hollow rectangle: outer height along y and width, walls along y (`web`) and along z (`flange`).

    Parameters
    ----------
    height, width
        Outer sizes along y and z [m].
    web, flange
        Thickness of the walls along y and along z [m]; the same if `flange` is not given.

    Returns
    -------
    PolygonSection
        The section about its centroid.

    Examples
    --------
    >>> round(ff.sections.box_section(0.1, 0.05, web=0.005).area * 1e4, 3)  # cm²
    14.0
    """
    flange = web if flange is None else flange
    _require_walls(height, width, web=2 * web, flange=flange)
    y, z = height / 2, width / 2

    def ring(a: float, b: float) -> tuple[tuple[float, float], ...]:
        return (a, b), (-a, b), (-a, -b), (a, -b)

    return PolygonSection(ring(y, z), (ring(y - flange, z - web),))


def angle_section(height: float, width: float, *, thickness: float) -> PolygonSection:
    """An L with legs along y (`height`) and z (`width`) from its corner; its principal axes are turned.

    Parameters
    ----------
    height, width
        Lengths of the legs along y and z [m].
    thickness
        Thickness of both legs [m].

    Returns
    -------
    PolygonSection
        The section about its centroid.

    Examples
    --------
    >>> round(ff.sections.angle_section(0.06, 0.06, thickness=0.006).area * 1e4, 3)  # cm²
    6.84
    """
    _require_walls(height, width, web=thickness, flange=thickness / 2)
    t = thickness
    return PolygonSection(((0.0, 0.0), (height, 0.0), (height, t), (t, t), (t, width), (0.0, width)))


def _require_walls(height: float, width: float, *, web: float, flange: float) -> None:
    require_positive("section", height=height, width=width, web=web, flange=flange)
    if not (web < width and 2 * flange < height):
        raise InputError(
            f"section {height:g} × {width:g}: walls of {web:g} (web) and {flange:g} (flange) do not fit; "
            "give positive thicknesses that leave room between the flanges and beside the web"
        )
