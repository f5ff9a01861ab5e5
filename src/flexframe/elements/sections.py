"""Cross-sections of beams from their shapes, and constants given in axes that are not principal.

Constants are those of thin walls. The centroid counts as shear centre: a channel that is loaded across its axis of
symmetry twists in truth, which a beam without warping does not know.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.elements.properties import GeneralSection
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
    """
    if not inertia_z * inertia_y > product**2:
        raise InputError(
            f"section: the product of inertia is {product:g}; no section has it with {inertia_z:g} and "
            f"{inertia_y:g}: its square is below their product"
        )
    mean, difference = (inertia_z + inertia_y) / 2, (inertia_z - inertia_y) / 2
    radius = float(np.hypot(difference, product))
    # the axis of the largest ∫y² that is nearest to the given y, unless the given z is nearer
    angle = 0.5 * float(np.arctan2(product, difference))
    largest, smallest = mean + radius, mean - radius
    if abs(angle) > np.pi / 4:
        angle -= np.sign(angle) * np.pi / 2
        largest, smallest = smallest, largest
    made = GeneralSection(area, largest, smallest, torsion_constant, shear_factor)
    return OrientedSection(made, float(angle))


def i_section(height: float, width: float, *, web: float, flange: float) -> GeneralSection:
    """An I with its web along y: outer height and width, thickness of web and flanges."""
    inner = height - 2 * flange
    _require_walls(height, width, web=web, flange=flange)
    area = 2 * width * flange + inner * web
    return GeneralSection(
        area=area,
        inertia_z=(width * height**3 - (width - web) * inner**3) / 12,
        inertia_y=(2 * flange * width**3 + inner * web**3) / 12,
        torsion_constant=(2 * width * flange**3 + inner * web**3) / 3,
        # shear along y flows through the web, along z through the flanges
        shear_factor=inner * web / area,
        shear_factor_across=5 / 6 * 2 * width * flange / area,
        fibre_height=height,
        fibre_width=width,
    )


def channel_section(height: float, width: float, *, web: float, flange: float) -> GeneralSection:
    """A channel with its web along y and flanges towards +z, about its centroid.

    `fibre_width` is twice the distance of the farther edge: the stress of bending in x–z is on the safe side.
    """
    inner = height - 2 * flange
    _require_walls(height, width, web=web, flange=flange)
    area = 2 * width * flange + inner * web
    centroid = (2 * width * flange * width / 2 + inner * web * web / 2) / area
    about_back = (2 * flange * width**3 + inner * web**3) / 3
    return GeneralSection(
        area=area,
        inertia_z=(width * height**3 - (width - web) * inner**3) / 12,
        inertia_y=about_back - area * centroid**2,
        torsion_constant=(2 * width * flange**3 + inner * web**3) / 3,
        shear_factor=inner * web / area,
        shear_factor_across=5 / 6 * 2 * width * flange / area,
        fibre_height=height,
        fibre_width=2 * max(centroid, width - centroid),
    )


def _require_walls(height: float, width: float, *, web: float, flange: float) -> None:
    if not (0 < web < width and 0 < 2 * flange < height):
        raise InputError(
            f"section {height:g} × {width:g}: walls of {web:g} (web) and {flange:g} (flange) do not fit; "
            "give positive thicknesses that leave room between the flanges and beside the web"
        )
