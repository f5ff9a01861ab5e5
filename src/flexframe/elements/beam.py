"""Straight two-node beams in space, Euler–Bernoulli and Timoshenko, with exact interpolation.

Local axes: x along the beam, y and z the principal axes of the section. With the shear parameter
Φ = 12EI/(κGA L²) the interpolation is the exact solution of the beam without load between its nodes, so shear
does not lock; Φ = 0 is the Hermite interpolation of Euler–Bernoulli. Sections do not warp. The centroid may lie
beside the nodes at the end of rigid arms, and the shear centre S beside the centroid. With the deflections of S

    u = u0 − y θz + z θy,   v = vS − (z − zS) θx,   w = wS + (y − yS) θx ,

so that bending moments and the axial force belong to the centroid, shear forces and torque to the shear centre.

Bodies in a plane use only ux, uy, rz of the six nodal degrees of freedom.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from flexframe.elements.clamped_beams import GAUSS, RULE, STATIONS, clamped_axial, clamped_bending
from flexframe.elements.contract import (
    ElementBatch,
    InertiaFields,
    PlacedSections,
    SectionLaw,
    StrainFields,
    StructuralFamily,
)
from flexframe.elements.properties import BeamProperty, Property, Section
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.elements.section_points import section_points
from flexframe.elements.stress_measures import fibre_stress, worst_fibre
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.cells import LINE, Cell

_AXIAL, _SHEAR_Y, _SHEAR_Z, _TWIST, _BEND_Y, _BEND_Z = range(6)
_U1, _V1, _W1, _RX, _RY, _RZ, _DRX, _DRY, _DRZ, _WAGNER, _STRETCH = range(11)
_SLOPES = 11


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
    H = np.zeros((6, _SLOPES, _SLOPES))

    def add(strain: int, first: int, second: int, coefficient: float) -> None:
        H[strain, first, second] += coefficient
        H[strain, second, first] += coefficient

    for slope in (_STRETCH, _V1, _W1, _WAGNER):
        add(_AXIAL, slope, slope, 0.5)
    add(_SHEAR_Y, _RX, _W1, 1.0)
    add(_SHEAR_Y, _RX, _RY, 0.5)
    add(_SHEAR_Y, _RZ, _U1, -1.0)
    add(_SHEAR_Z, _RX, _V1, -1.0)
    add(_SHEAR_Z, _RX, _RZ, 0.5)
    add(_SHEAR_Z, _RY, _U1, 1.0)
    for strain, (b, c), (db, dc) in (
        (_TWIST, (_RY, _RZ), (_DRY, _DRZ)),
        (_BEND_Y, (_RZ, _RX), (_DRZ, _DRX)),
        (_BEND_Z, (_RX, _RY), (_DRX, _DRY)),
    ):
        add(strain, b, dc, -0.5)
        add(strain, c, db, 0.5)
    return H


@dataclass(frozen=True)
class _PlaneInterpolation:
    """Deflection v, slope v', rotation θ, curvature θ' in one bending plane over (v1, θ1, v2, θ2).

    Each is (elements, points, 4); `shear_force` is V = κGA(v' − θ), finite also for Φ = 0.
    """

    deflection: Array
    slope: Array
    rotation: Array
    curvature: Array
    shear_force: Array


def _interpolation(length: Array, xi: Array, phi: Array, bending: float) -> _PlaneInterpolation:
    """Exact interpolation at ξ = x/L ∈ [0, 1] for the shear parameters Φ: lengths and Φ are (elements,)."""
    L, P = length[:, None], phi[:, None]
    s = xi[None, :]
    one = np.ones_like(L * s)

    def stack(*columns: Array) -> Array:
        return np.stack([column * one for column in columns], axis=-1) / (1 + P)[..., None]

    return _PlaneInterpolation(
        deflection=stack(
            1 - 3 * s**2 + 2 * s**3 + P * (1 - s),
            L * (s - 2 * s**2 + s**3 + P / 2 * (s - s**2)),
            3 * s**2 - 2 * s**3 + P * s,
            L * (s**3 - s**2 + P / 2 * (s**2 - s)),
        ),
        slope=stack(
            (6 * s**2 - 6 * s - P) / L,
            1 - 4 * s + 3 * s**2 + P / 2 * (1 - 2 * s),
            (6 * s - 6 * s**2 + P) / L,
            3 * s**2 - 2 * s + P / 2 * (2 * s - 1),
        ),
        rotation=stack(
            6 * (s**2 - s) / L,
            1 - 4 * s + 3 * s**2 + P * (1 - s),
            6 * (s - s**2) / L,
            3 * s**2 - 2 * s + P * s,
        ),
        curvature=stack(
            6 * (2 * s - 1) / L**2,
            (6 * s - 4 - P) / L,
            6 * (1 - 2 * s) / L**2,
            (6 * s - 2 + P) / L,
        ),
        # v' − θ = −Φ/(1+Φ) (v1/L + θ1/2 − v2/L + θ2/2), times κGA = 12EI/(ΦL²)
        shear_force=stack(-12 * bending / L**3, -6 * bending / L**2, 12 * bending / L**3, -6 * bending / L**2),
    )


# places of (v1, θz1, v2, θz2) and of (w1, −θy1, w2, −θy2) among the twelve local dofs
_IN_PLANE = np.array([1, 5, 7, 11])
_OUT_OF_PLANE = np.array([2, 4, 8, 10])
_OUT_SIGN = np.array([1.0, -1, 1, -1])


def _frames(coordinates: Array, prop: BeamProperty) -> tuple[Array, Array]:
    """Lengths (elements,) and principal axes (elements, 3, 3): rows x, y, z in body components."""
    length, axes = _unturned_frames(coordinates, prop)
    middle = float(prop.twists_at(np.array([0.0, 1.0])).mean())
    return length, np.matmul(_turn(prop, middle), axes)


def _turn(prop: BeamProperty, twist: float) -> Array:
    """Of the section in its local axes: (3, 3)."""
    angle = prop.angle + prop.section.principal_angle + twist
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, cosine, sine], [0, -sine, cosine]])


def _end_frames(coordinates: Array, prop: BeamProperty, tangents: Array | None) -> tuple[Array, Array]:
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


def _to_body(local: Array, axes: Array) -> Array:
    """Columns for local nodal dofs turned into columns for body nodal dofs: (..., 12)."""
    blocks = local.reshape(*local.shape[:-1], 4, 3)
    middle = (1,) * (blocks.ndim - 3)
    turned = np.matmul(blocks, axes.reshape(len(axes), *middle, 3, 3))
    return turned.reshape(local.shape)


def _of_centroids(columns: Array, section: Section) -> Array:
    """Columns for nodal deflections of the shear centre as columns for those of the centroid: (..., 12).

    vS = vC − zS θx,  wS = wC + yS θx.
    """
    y_s, z_s = section.shear_centre
    if y_s or z_s:
        for node in (0, 6):
            columns[..., node + 3] += y_s * columns[..., node + 2] - z_s * columns[..., node + 1]
    return columns


@dataclass(frozen=True)
class Beam(StructuralFamily):
    """Two-node beam of either theory."""

    theory: Literal["euler_bernoulli", "timoshenko"]

    cell: ClassVar[Cell] = LINE
    degree: ClassVar[int] = 3
    property_type: ClassVar[type[Property]] = BeamProperty
    units: ClassVar[Mapping[str, str]] = {"N": "N", "Vy": "N", "Vz": "N", "Mx": "N m", "My": "N m", "Mz": "N m"}
    resultants: ClassVar[tuple[str, ...]] = tuple(units)
    quadratic: ClassVar[Array] = _quadratic_strains()
    stations: ClassVar[Array | None] = STATIONS

    @property
    def name(self) -> str:
        return f"{self.theory}_beam"

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """From the nodes to the centroids at both ends, if the section has an offset: (elements, 2, 3)."""
        prop = _beam_property(prop)
        if not any(prop.offset):
            return None
        across = np.asarray(prop.offset) @ _unturned_frames(coordinates, prop)[1][:, 1:]
        return np.repeat(across[:, None], 2, axis=1)

    def placed_sections(self, coordinates: Array, prop: Property) -> PlacedSections:
        prop = _beam_property(prop)
        arms = self.arms(coordinates, prop)
        return PlacedSections(
            prop.section,
            _frames(coordinates, prop)[1],
            np.zeros((len(coordinates), 3)) if arms is None else arms[:, 0],
        )

    def along_line(self, batch: ElementBatch) -> tuple[ElementBatch, ...]:
        """Elements that are twisted along their line, each with the angles at its own ends."""
        prop = _beam_property(batch.prop)
        if prop.twist is None:
            return (batch,)
        if (batch.nodes[1:, 0] != batch.nodes[:-1, 1]).any():
            raise InputError(
                "twist goes along a line, but a cell does not begin where the one before it ends; give the cells "
                "in their order, or a region for each line",
                field="twist",
            )
        lengths = np.linalg.norm(batch.coordinates[:, 1] - batch.coordinates[:, 0], axis=1)
        angles = prop.twists_at(np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum())
        return tuple(
            replace(batch.taken(np.array([k])), prop=replace(prop, twist=(float(first), float(last))))
            for k, (first, last) in enumerate(pairwise(angles))
        )

    def section_law(self, coordinates: Array, prop: Property, tangents: Array | None = None) -> SectionLaw:
        """Axial force and bending about the centroid, shear and torque about the shear centre.

        The shears there are γy − zS κx and γz + yS κx; Euler–Bernoulli has none.
        """
        prop = _beam_property(prop)
        section, material = prop.section, prop.material
        axes, arms = _end_frames(coordinates, prop, tangents)
        if isinstance(section, SectionMatrices):
            flexibility = np.asarray(np.linalg.inv(section.stiffness_matrix), dtype=float)
            return SectionLaw(axes, arms, flexibility, section.mass_matrix)
        E, G, A = material.young, material.shear_modulus, section.area
        y_s, z_s = section.shear_centre
        along_y, along_z = prop.shear_factors
        sheared = self.theory == "timoshenko"
        compliance = np.diag(
            [
                1 / (E * A),
                1 / (along_y * G * A) if sheared else 0.0,
                1 / (along_z * G * A) if sheared else 0.0,
                1 / (G * section.torsion_constant),
                1 / (E * section.inertia_y),
                1 / (E * section.inertia_z),
            ]
        )
        strains = np.eye(6)  # at the centroid, from shears at the shear centre
        strains[_SHEAR_Y, _TWIST], strains[_SHEAR_Z, _TWIST] = z_s, -y_s
        rotary = prop.rotary_inertia * np.array([section.inertia_y, section.inertia_z])
        polar = section.inertia_y + section.inertia_z
        return SectionLaw(
            axes,
            arms,
            strains @ compliance @ strains.T,
            material.density * np.diag([A, A, A, polar, *rotary]),
        )

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains (ε, γy, γz, κx, κy, κz) and slopes at four Gauss points of the axis."""
        prop = _beam_property(prop)
        section, material = prop.section, prop.material
        if isinstance(section, SectionMatrices):
            raise InputError(
                "a section by its stiffness and mass matrices is for exact beams; give reduction: exact, or a "
                "section by its shape",
                field="section",
            )
        length, axes = _frames(coordinates, prop)
        xi = GAUSS
        v, w = self._planes(length, xi, prop)
        shape = (len(length), len(xi))
        stretch = np.stack([-1 / length, 1 / length], axis=-1)[:, None, :]

        strain = np.zeros((*shape, 6, 12))
        strain[:, :, _AXIAL, [0, 6]] = stretch
        strain[:, :, _TWIST, [3, 9]] = stretch
        strain[:, :, _SHEAR_Y, _IN_PLANE] = v.slope - v.rotation
        strain[:, :, _SHEAR_Z, _OUT_OF_PLANE] = _OUT_SIGN * (w.slope - w.rotation)
        strain[:, :, _BEND_Z, _IN_PLANE] = v.curvature
        strain[:, :, _BEND_Y, _OUT_OF_PLANE] = -_OUT_SIGN * w.curvature

        E, G = material.young, material.shear_modulus
        resultant = np.zeros_like(strain)
        resultant[:, :, _AXIAL] = E * section.area * strain[:, :, _AXIAL]
        resultant[:, :, _TWIST] = G * section.torsion_constant * strain[:, :, _TWIST]
        resultant[:, :, _BEND_Y] = E * section.inertia_y * strain[:, :, _BEND_Y]
        resultant[:, :, _BEND_Z] = E * section.inertia_z * strain[:, :, _BEND_Z]
        resultant[:, :, _SHEAR_Y, _IN_PLANE] = v.shear_force
        resultant[:, :, _SHEAR_Z, _OUT_OF_PLANE] = _OUT_SIGN * w.shear_force

        slope = np.zeros((*shape, _SLOPES, 12))
        slope[:, :, _U1] = strain[:, :, _AXIAL]
        slope[:, :, _STRETCH] = strain[:, :, _AXIAL] * (prop.strain_law == "green")
        # of the centroid: vC' = vS' + zS θx', wC' = wS' − yS θx'
        y_s, z_s = section.shear_centre
        slope[:, :, _V1, _IN_PLANE] = v.slope
        slope[:, :, _W1, _OUT_OF_PLANE] = _OUT_SIGN * w.slope
        slope[:, :, _V1] += z_s * strain[:, :, _TWIST]
        slope[:, :, _W1] -= y_s * strain[:, :, _TWIST]
        slope[:, :, _RZ, _IN_PLANE] = v.rotation
        slope[:, :, _RY, _OUT_OF_PLANE] = -_OUT_SIGN * w.rotation
        slope[:, :, _DRZ] = strain[:, :, _BEND_Z]
        slope[:, :, _DRY] = strain[:, :, _BEND_Y]
        slope[:, :, _DRX] = strain[:, :, _TWIST]
        slope[:, :, _RX, [3, 9]] = np.stack([1 - xi, xi], axis=-1)
        slope[:, :, _WAGNER] = np.sqrt((section.inertia_y + section.inertia_z) / section.area) * slope[:, :, _DRX]
        return StrainFields(
            weights=length[:, None] * (RULE.weights / 2),
            positions=_axis_points(coordinates, xi),
            strain=_to_body(_of_centroids(strain, section), axes),
            resultant=_to_body(_of_centroids(resultant, section), axes),
            slope=_to_body(_of_centroids(slope, section), axes),
        )

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields:
        """Four Gauss points of the axis times points of the section with its area and second moments."""
        prop = _beam_property(prop)
        length, axes = _frames(coordinates, prop)
        xi = GAUSS
        v, w = self._planes(length, xi, prop)
        linear = np.stack([1 - xi, xi], axis=-1)
        samples = section_points(prop.section, prop.rotary_inertia)
        y_s, z_s = prop.section.shear_centre
        shape = np.zeros((len(length), len(xi), len(samples.shares), 3, 12))
        for number, ((x, y, z), bends, twists) in enumerate(
            zip(samples.places, samples.bends, samples.twists, strict=True)
        ):
            N = shape[:, :, number]
            assert not (x and bends), "points before and behind a section stay where they are"
            N[:, :, 0, [0, 6]] = linear
            N[:, :, 1, _IN_PLANE] = v.deflection
            N[:, :, 2, _OUT_OF_PLANE] = _OUT_SIGN * w.deflection
            if bends:
                N[:, :, 0, _IN_PLANE] = -y * v.rotation
                N[:, :, 0, _OUT_OF_PLANE] = -z * _OUT_SIGN * w.rotation
            # the centroid moves by zS θx, −yS θx beside S, and the point about the centroid where it twists
            N[:, :, 1, [3, 9]] = (z_s - (z if twists else 0.0)) * linear
            N[:, :, 2, [3, 9]] = ((y if twists else 0.0) - y_s) * linear
        in_body = np.einsum("eki,egckp->egcip", axes, _to_body(_of_centroids(shape, prop.section), axes))
        places = np.einsum("ck,eki->eci", samples.places, axes)
        positions = _axis_points(coordinates, xi)[:, :, None] + places[:, None]
        weights = prop.material.density * prop.section.area * length[:, None] * (RULE.weights / 2)
        points = len(samples.shares) * len(xi)
        return InertiaFields(
            weights=(weights[..., None] * samples.shares).reshape(len(length), points),
            positions=positions.reshape(len(length), points, 3),
            shape=in_body.reshape(len(length), points, 3, 12),
        )

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """−∫ρ (As)·(θ×(θ×s)) dA = θᵀ[tr(P)1 − sym(P)]θ over the places s of the section, P = ∫ρ (As)sᵀ dA."""
        prop = _beam_property(prop)
        product = _section_product(_frames(coordinates, prop)[1], prop, gradient)
        trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
        multiplier = np.full((3, 3), prop.rotary_inertia)
        multiplier[0, 0] = 1.0  # torsion alone
        kernel = np.zeros((len(coordinates), _SLOPES, _SLOPES))
        symmetric = (product + product.swapaxes(1, 2)) / 2
        kernel[:, _RX : _RZ + 1, _RX : _RZ + 1] = (trace * np.eye(3) - symmetric) * multiplier
        return kernel

    def particular_resultants(
        self, coordinates: Array, prop: Property, load: Array, gradient: Array, stations: Array | None = None
    ) -> Array:
        """N, V, M in a beam with clamped ends under distributed forces and moments."""
        prop = _beam_property(prop)
        section, material = prop.section, prop.material
        length, axes = _frames(coordinates, prop)
        stations = GAUSS if stations is None else stations
        local = np.einsum("eki,egi->egk", axes, load) * section.area
        # m = ∫ρ s × (As) dA, constant along the beam
        product = _section_product(axes, prop, gradient)
        rotary = prop.rotary_inertia
        moments = np.stack(
            [product[:, 2, 1] - product[:, 1, 2], rotary * product[:, 0, 2], -rotary * product[:, 0, 1]], axis=1
        )
        values = np.zeros((len(length), len(stations), 6))
        values[..., _AXIAL] = clamped_axial(length, local[..., 0], stations)
        y_s, z_s = section.shear_centre
        about_shear_centre = z_s * local[..., 1] - y_s * local[..., 2]
        values[..., _TWIST] = moments[:, 0, None] * length[:, None] * (0.5 - stations)
        values[..., _TWIST] += clamped_axial(length, about_shear_centre, stations)
        along_y, along_z = prop.shear_factors
        for across, force, moment, inertia, factor, sign in (
            (1, _SHEAR_Y, _BEND_Z, section.inertia_z, along_y, 1.0),
            (2, _SHEAR_Z, _BEND_Y, section.inertia_y, along_z, -1.0),
        ):
            shear = material.shear_modulus * section.area * factor
            flexibility = material.young * inertia / shear if self.theory == "timoshenko" else 0.0
            V, M = clamped_bending(
                length, local[..., across], sign * moments[:, 3 - across], flexibility, stations
            )
            values[..., force], values[..., moment] = V, sign * M
        return values

    def stress_measures(self, values: Mapping[str, Array], prop: Property) -> dict[str, Array]:
        """Resultants, and the largest normal stress of the section."""
        section = _beam_property(prop).section
        if isinstance(section, SectionMatrices):
            strain = np.abs(section.fibre_strains(_resultants(values))).max(axis=-1)
            return {**values, "fibre": prop.material.young * strain}
        return {**values, "fibre": fibre_stress(section, values["N"], values["My"], values["Mz"])}

    def worst_fibre(self, measures: Mapping[str, Array], prop: Property) -> Array:
        """Where in the section that stress is, in its principal axes: (…, 2)."""
        section = _beam_property(prop).section
        if isinstance(section, SectionMatrices):
            worst = np.abs(section.fibre_strains(_resultants(measures))).argmax(axis=-1)
            return np.array(section.stress_points)[worst]
        return worst_fibre(section, *(measures[name] for name in ("N", "My", "Mz")))

    def _planes(
        self, length: Array, xi: Array, prop: BeamProperty
    ) -> tuple[_PlaneInterpolation, _PlaneInterpolation]:
        """Bending in the local x–y and x–z planes."""
        section, (along_y, along_z) = prop.section, prop.shear_factors
        return (
            self._plane(length, xi, prop, section.inertia_z, along_y),
            self._plane(length, xi, prop, section.inertia_y, along_z),
        )

    def _plane(
        self, length: Array, xi: Array, prop: BeamProperty, inertia: float, factor: float
    ) -> _PlaneInterpolation:
        bending = prop.material.young * inertia
        phi = np.zeros_like(length)
        if self.theory == "timoshenko":
            shear = prop.material.shear_modulus * prop.section.area * factor
            phi = 12 * bending / (shear * length**2)
        return _interpolation(length, xi, phi, bending)


def _beam_property(prop: Property) -> BeamProperty:
    if not isinstance(prop, BeamProperty):
        raise InputError(f"{type(prop).__name__} does not fit a beam; give a section and a material")
    return prop


def _resultants(values: Mapping[str, Array]) -> Array:
    """(N, Vy, Vz, Mx, My, Mz): (..., 6)."""
    return np.stack(np.broadcast_arrays(*(values[name] for name in Beam.resultants)), axis=-1)


def _section_product(axes: Array, prop: BeamProperty, gradient: Array) -> Array:
    """P = ∫ρ (As)sᵀ dA in local axes, of a force per mass with gradient A in body axes: (elements, 3, 3)."""
    moments = prop.material.density * np.array([0.0, prop.section.inertia_z, prop.section.inertia_y])
    return np.asarray(np.einsum("eki,ij,elj->ekl", axes, gradient, axes) * moments)


def _axis_points(coordinates: Array, xi: Array) -> Array:
    return np.einsum("gn,eni->egi", np.stack([1 - xi, xi], axis=-1), coordinates)
