"""What two-node beams share: where their sections are, strains of second order, forces between clamped ends.

Local axes: x along the beam, y and z the axes of the section. A section may lie beside the nodes at the end of
rigid arms, and be turned about x by an angle and by a twist along the line.

A load along the beam is the polynomial through its values at the Gauss points, of third degree through four; with
x = L s its integrals, and so V' = −q and M' = −V − m, are exact at any station s of [0, 1]. At the ends they are
the reactions of the clamped beam, the consistent nodal loads with opposite sign: forces there are in equilibrium
with what acts on the element.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from flexframe.elements.contract import ElementBatch, PlacedSections, StructuralFamily
from flexframe.elements.properties import BeamProperty, Property
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import gauss_line
from flexframe.mesh.cells import LINE, Cell

POINTS = 4  # products of two cubics, and slope² times a quadratic axial force
CONE_POINTS = 5  # two cubics times the area of a cone, two rotations times its second moment
STATIONS = np.array([0.0, 0.5, 1.0])
"""Places along a beam where its forces are looked at: the ends, and the middle for what acts between them."""


@lru_cache
def gauss_points(count: int) -> tuple[Array, Array]:
    """Gauss points of [0, 1] and their weights, whose sum is 1: (points,) each."""
    rule = gauss_line(count)
    return (rule.points[:, 0] + 1) / 2, rule.weights / 2


@lru_cache
def _coefficients(count: int) -> Array:
    """Of the polynomial through values at the Gauss points: (powers, points)."""
    return np.asarray(np.linalg.inv(gauss_points(count)[0][:, None] ** np.arange(count)))


def repeated_integral(count: int, stations: Array, points: int = POINTS) -> Array:
    """∫₀ˢ … ∫₀ˢ, so many times, of the polynomial through values at the Gauss points: (stations, points)."""
    powers = np.arange(points)
    factors = np.ones(points)
    for k in range(1, count + 1):
        factors = factors / (powers + k)
    return (stations[:, None] ** (powers + count) * factors) @ _coefficients(points)


@lru_cache
def _over_all(count: int, points: int) -> Array:
    """The repeated integral over the whole length: (points,)."""
    return repeated_integral(count, np.ones(1), points)[0]


def clamped_axial(length: Array, load: Array, stations: Array) -> Array:
    """N of clamped beams under axial loads [N/m] at the Gauss points: (elements, stations)."""
    L, points = length[:, None], load.shape[1]
    # N' = −q, and no elongation: ∫N = 0
    inside = repeated_integral(1, stations, points)
    return np.asarray(-L * (load @ inside.T) + L * (load @ _over_all(2, points))[:, None])


def clamped_bending(
    length: Array, load: Array, moment: Array, flexibility: float, stations: Array
) -> tuple[Array, Array]:
    """V and M of clamped beams under a load [N/m] at the Gauss points and a constant moment [N m/m].

    V' = −q, M' = −V − m, `flexibility` = EI/κGA. The two redundants follow from θ(L) = 0, ∫M = 0, and v(L) = 0,
    −∫xM + (EI/κGA)∫V = 0: (elements, stations) each.
    """
    L, s, points = length[:, None], stations[None], load.shape[1]
    double, triple, fourfold = (_over_all(count, points) for count in (2, 3, 4))
    V = -L * (load @ repeated_integral(1, stations, points).T)
    M = L**2 * (load @ repeated_integral(2, stations, points).T) - moment[:, None] * L * s
    mean_V = -length * (load @ double)
    mean_M = length**2 * (load @ triple) - moment * length / 2
    # ∫s f'' = f' − f at s = 1 for the double integral f of M
    mean_xM = length * (length**2 * (load @ (triple - fourfold)) - moment * length / 3)
    # add c0 to V: M gets −c0 x + c1
    c0 = (mean_xM - length / 2 * mean_M - flexibility * mean_V) / (length**2 / 12 + flexibility)
    c1 = -mean_M + c0 * length / 2
    return V + c0[:, None], M - c0[:, None] * L * s + c1[:, None]


AXIAL, SHEAR_Y, SHEAR_Z, TWIST, BEND_Y, BEND_Z = range(6)
U1, V1, W1, RX, RY, RZ, DRX, DRY, DRZ, WAGNER, STRETCH = range(11)
SLOPES = 11


def _quadratic_strains() -> Array:
    """H_r of e_r = … + ½ ΓᵀH_rΓ with Γ = (u', v', w', θx, θy, θz, θx', θy', θz', √(Ip/A) θx', u' or 0).

    Second-order terms of the geometrically exact beam with rotation vectors at the nodes, the axial force along
    the tangent:  ε: ½(u'²+v'²+w'²) + ½(Ip/A)θx'²,  γy: θx(w' + ½θy) − θz u',  γz: −θx(v' − ½θz) + θy u',
    κ: −½ θ×θ'. With all of them a rigid rotation turns the internal forces and does nothing else.

    With strain_law "green" ε is Green's strain of the axis, ½(r'·r' − 1), the law of bars, shells, plane and solid
    elements: it has u'². Engineering strain |r'| − 1 has not; the last slope is then 0. Of the fibres beside the
    axis only Wagner's term of torsion is kept: N(I/A)θ'² and M u'θ' would change EI by the axial strain, and
    Euler's column would not be Euler's.
    """
    H = np.zeros((6, SLOPES, SLOPES))

    def add(strain: int, first: int, second: int, coefficient: float) -> None:
        H[strain, first, second] += coefficient
        H[strain, second, first] += coefficient

    for slope in (STRETCH, V1, W1, WAGNER):
        add(AXIAL, slope, slope, 0.5)
    add(SHEAR_Y, RX, W1, 1.0)
    add(SHEAR_Y, RX, RY, 0.5)
    add(SHEAR_Y, RZ, U1, -1.0)
    add(SHEAR_Z, RX, V1, -1.0)
    add(SHEAR_Z, RX, RZ, 0.5)
    add(SHEAR_Z, RY, U1, 1.0)
    for strain, (b, c), (db, dc) in (
        (TWIST, (RY, RZ), (DRY, DRZ)),
        (BEND_Y, (RZ, RX), (DRZ, DRX)),
        (BEND_Z, (RX, RY), (DRX, DRY)),
    ):
        add(strain, b, dc, -0.5)
        add(strain, c, db, 0.5)
    return H


def section_frames(coordinates: Array, prop: BeamProperty) -> tuple[Array, Array]:
    """Lengths (elements,) and principal axes (elements, 3, 3): rows x, y, z in body components."""
    length, axes = _unturned_frames(coordinates, prop)
    middle = float(prop.twists_at(np.array([0.0, 1.0])).mean())
    return length, np.matmul(_turn(prop, middle), axes)


def _turn(prop: BeamProperty, twist: float) -> Array:
    """Of the section in its local axes: (3, 3)."""
    angle = prop.angle + prop.section.principal_angle + twist
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, cosine, sine], [0, -sine, cosine]])


def end_frames(coordinates: Array, prop: BeamProperty, tangents: Array | None) -> tuple[Array, Array]:
    """Principal axes at both ends (elements, 2, 3, 3) and arms to the centroids (elements, 2, 3), body axes."""
    chord = coordinates[:, 1] - coordinates[:, 0]
    x = np.repeat(chord[:, None] / np.linalg.norm(chord, axis=1)[:, None, None], 2, axis=1)
    if tangents is not None:  # in the direction of the element, and its own line at nodes without
        along = np.where(np.einsum("eni,eni->en", tangents, x)[..., None] < 0, -tangents, tangents)
        x = np.where(np.isnan(along), x, along)
    axes = np.stack([axes_along(x[:, end], prop) for end in (0, 1)], axis=1)
    arms = np.einsum("i,enij->enj", prop.offset, axes[:, :, 1:])
    turns = np.stack([_turn(prop, float(twist)) for twist in prop.twists_at(np.array([0.0, 1.0]))])
    return turns @ axes, arms


def _unturned_frames(coordinates: Array, prop: BeamProperty) -> tuple[Array, Array]:
    """Lengths and axes before the section is turned in them."""
    axis = coordinates[:, 1] - coordinates[:, 0]
    length = np.linalg.norm(axis, axis=1)
    return length, axes_along(axis / length[:, None], prop)


def axes_along(x: Array, prop: BeamProperty) -> Array:
    """Axes of beams along directions x (elements, 3), as rows: (elements, 3, 3)."""
    if prop.up is None:
        up = np.cross([0.0, 0.0, 1.0], x)
        up[np.linalg.norm(up, axis=1) < 1e-6] = [0.0, 1.0, 0.0]  # a beam along z: local y is the body's y
    else:
        up = np.broadcast_to(np.asarray(prop.up, float), x.shape)
    z = np.cross(x, up)
    size = np.linalg.norm(z, axis=1)
    if np.any(size < 1e-6 * np.linalg.norm(up, axis=1)):
        raise InputError("beam: `up` is parallel to the beam axis; give a direction across the beam")
    z = z / size[:, None]
    return np.stack([x, np.cross(z, x), z], axis=1)


def to_body(local: Array, axes: Array) -> Array:
    """Columns for local nodal dofs turned into columns for body nodal dofs: (..., 12)."""
    blocks = local.reshape(*local.shape[:-1], 4, 3)
    middle = (1,) * (blocks.ndim - 3)
    turned = np.matmul(blocks, axes.reshape(len(axes), *middle, 3, 3))
    return turned.reshape(local.shape)


def beam_property(prop: Property) -> BeamProperty:
    """The property of a beam."""
    if not isinstance(prop, BeamProperty):
        raise InputError(f"{type(prop).__name__} does not fit a beam; give a section and a material")
    return prop


def axis_points(coordinates: Array, xi: Array) -> Array:
    """Places at shares ξ of the way along beams: (elements, points, 3)."""
    return np.einsum("gn,eni->egi", np.stack([1 - xi, xi], axis=-1), coordinates)


@dataclass(frozen=True)
class BeamFamily(StructuralFamily):
    """Two-node beams with resultants N, V, M; a member says how they deform."""

    cell: ClassVar[Cell] = LINE
    degree: ClassVar[int] = 3
    property_type: ClassVar[type[Property]] = BeamProperty
    units: ClassVar[Mapping[str, str]] = {"N": "N", "Vy": "N", "Vz": "N", "Mx": "N m", "My": "N m", "Mz": "N m"}
    resultants: ClassVar[tuple[str, ...]] = tuple(units)
    quadratic: ClassVar[Array] = _quadratic_strains()
    stations: ClassVar[Array | None] = STATIONS

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """From the nodes to the centroids at both ends, if the section has an offset: (elements, 2, 3)."""
        prop = beam_property(prop)
        if not any(prop.offset):
            return None
        across = np.asarray(prop.offset) @ _unturned_frames(coordinates, prop)[1][:, 1:]
        return np.repeat(across[:, None], 2, axis=1)

    def placed_sections(self, coordinates: Array, prop: Property) -> PlacedSections:
        prop = beam_property(prop)
        arms = self.arms(coordinates, prop)
        return PlacedSections(
            prop.section,
            section_frames(coordinates, prop)[1],
            np.zeros((len(coordinates), 3)) if arms is None else arms[:, 0],
        )

    def along_line(self, batch: ElementBatch) -> tuple[ElementBatch, ...]:
        """Elements that are twisted or tapered along their line, each with the angles and sections at its ends."""
        prop = beam_property(batch.prop)
        if prop.twist is None and prop.end_section is None:
            return (batch,)
        if (batch.nodes[1:, 0] != batch.nodes[:-1, 1]).any():
            field = "end_section" if prop.twist is None else "twist"
            raise InputError(
                f"{field} goes along a line, but a cell does not begin where the one before it ends; give the "
                "cells in their order, or a region for each line",
                field=field,
            )
        lengths = np.linalg.norm(batch.coordinates[:, 1] - batch.coordinates[:, 0], axis=1)
        shares = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
        made = []
        for k, ends in enumerate(pairwise(shares)):
            own = prop
            if prop.twist is not None:
                first, last = prop.twists_at(np.array(ends))
                own = replace(own, twist=(float(first), float(last)))
            if prop.end_section is not None:
                begin, end = (prop.cone_at(float(share)) for share in ends)
                own = replace(own, section=begin, end_section=end)
            made.append(replace(batch.take(np.array([k])), prop=own))
        return tuple(made)
