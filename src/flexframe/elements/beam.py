"""Straight two-node beams in space, Euler–Bernoulli and Timoshenko, with exact interpolation.

Local axes: x along the beam, y and z the principal axes of the section. With the shear parameter
Φ = 12EI/(κGA L²) the interpolation is the exact solution of the beam without load between its nodes, so shear
does not lock; Φ = 0 is the Hermite interpolation of Euler–Bernoulli. Sections do not warp. The centroid may lie
beside the nodes at the end of rigid arms, and the shear centre S beside the centroid. A cone has the interpolation
of its middle section, and stiffness and mass of the section at each point. With the deflections of S

    u = u0 − y θz + z θy,   v = vS − (z − zS) θx,   w = wS + (y − yS) θx ,

so that bending moments and the axial force belong to the centroid, shear forces and torque to the shear centre.

Bodies in a plane use only ux, uy, rz of the six nodal degrees of freedom.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from flexframe.elements.beam_lines import (
    AXIAL,
    BEND_Y,
    BEND_Z,
    CONE_POINTS,
    DRX,
    DRY,
    DRZ,
    POINTS,
    RX,
    RY,
    RZ,
    SHEAR_Y,
    SHEAR_Z,
    SLOPES,
    STRETCH,
    TWIST,
    U1,
    V1,
    W1,
    WAGNER,
    BeamFamily,
    axis_points,
    beam_property,
    clamped_axial,
    clamped_bending,
    end_frames,
    gauss_points,
    section_frames,
    to_body,
)
from flexframe.elements.contract import InertiaFields, SectionLaw, StrainFields
from flexframe.elements.properties import BeamProperty, Property, Section
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.elements.sections import section_points
from flexframe.elements.stress_measures import fibre_stress, worst_fibre
from flexframe.errors import InputError
from flexframe.maths.arrays import Array


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
class Beam(BeamFamily):
    """Two-node beam of either theory."""

    theory: Literal["euler_bernoulli", "timoshenko"]

    @property
    def name(self) -> str:
        return f"{self.theory}_beam"

    def suits(self, prop: Property) -> bool:
        """Sections by their constants."""
        return isinstance(prop, BeamProperty) and not isinstance(prop.section, SectionMatrices)

    def section_law(self, coordinates: Array, prop: Property, tangents: Array | None = None) -> SectionLaw:
        """Axial force and bending about the centroid, shear and torque about the shear centre.

        The shears there are γy − zS κx and γz + yS κx; Euler–Bernoulli has none.
        """
        prop = beam_property(prop)
        if prop.end_section is not None:
            raise InputError(
                "a beam that is tapered is not for exact beams; give each piece a region and a section of its own",
                field="end_section",
            )
        section, material = prop.section, prop.material
        axes, arms = end_frames(coordinates, prop, tangents)
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
        strains[SHEAR_Y, TWIST], strains[SHEAR_Z, TWIST] = z_s, -y_s
        rotary = prop.rotary_inertia * np.array([section.inertia_y, section.inertia_z])
        polar = section.inertia_y + section.inertia_z
        return SectionLaw(
            axes,
            arms,
            strains @ compliance @ strains.T,
            material.density * np.diag([A, A, A, polar, *rotary]),
        )

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains (ε, γy, γz, κx, κy, κz) and slopes at the Gauss points of the axis."""
        prop = beam_property(prop)
        section, material = prop.section, prop.material
        length, axes = section_frames(coordinates, prop)
        xi, shares = _points(prop)
        v, w = self._planes(length, xi, prop)
        shape = (len(length), len(xi))
        stretch = np.stack([-1 / length, 1 / length], axis=-1)[:, None, :]

        strain = np.zeros((*shape, 6, 12))
        strain[:, :, AXIAL, [0, 6]] = stretch
        strain[:, :, TWIST, [3, 9]] = stretch
        strain[:, :, SHEAR_Y, _IN_PLANE] = v.slope - v.rotation
        strain[:, :, SHEAR_Z, _OUT_OF_PLANE] = _OUT_SIGN * (w.slope - w.rotation)
        strain[:, :, BEND_Z, _IN_PLANE] = v.curvature
        strain[:, :, BEND_Y, _OUT_OF_PLANE] = -_OUT_SIGN * w.curvature

        E, G = material.young, material.shear_modulus
        constants = _along(prop, ("area", "torsion_constant", "inertia_y", "inertia_z"))
        area, torsion, inertia_y, inertia_z = (values[:, None] for values in constants)
        sheared = area / prop.section_at(0.5).area
        resultant = np.zeros_like(strain)
        resultant[:, :, AXIAL] = E * area * strain[:, :, AXIAL]
        resultant[:, :, TWIST] = G * torsion * strain[:, :, TWIST]
        resultant[:, :, BEND_Y] = E * inertia_y * strain[:, :, BEND_Y]
        resultant[:, :, BEND_Z] = E * inertia_z * strain[:, :, BEND_Z]
        resultant[:, :, SHEAR_Y, _IN_PLANE] = sheared * v.shear_force
        resultant[:, :, SHEAR_Z, _OUT_OF_PLANE] = _OUT_SIGN * sheared * w.shear_force

        slope = np.zeros((*shape, SLOPES, 12))
        slope[:, :, U1] = strain[:, :, AXIAL]
        slope[:, :, STRETCH] = strain[:, :, AXIAL] * (prop.strain_law == "green")
        # of the centroid: vC' = vS' + zS θx', wC' = wS' − yS θx'
        y_s, z_s = section.shear_centre
        slope[:, :, V1, _IN_PLANE] = v.slope
        slope[:, :, W1, _OUT_OF_PLANE] = _OUT_SIGN * w.slope
        slope[:, :, V1] += z_s * strain[:, :, TWIST]
        slope[:, :, W1] -= y_s * strain[:, :, TWIST]
        slope[:, :, RZ, _IN_PLANE] = v.rotation
        slope[:, :, RY, _OUT_OF_PLANE] = -_OUT_SIGN * w.rotation
        slope[:, :, DRZ] = strain[:, :, BEND_Z]
        slope[:, :, DRY] = strain[:, :, BEND_Y]
        slope[:, :, DRX] = strain[:, :, TWIST]
        slope[:, :, RX, [3, 9]] = np.stack([1 - xi, xi], axis=-1)
        slope[:, :, WAGNER] = np.sqrt((inertia_y + inertia_z) / area) * slope[:, :, DRX]
        return StrainFields(
            weights=length[:, None] * shares,
            positions=axis_points(coordinates, xi),
            strain=to_body(_of_centroids(strain, section), axes),
            resultant=to_body(_of_centroids(resultant, section), axes),
            slope=to_body(_of_centroids(slope, section), axes),
        )

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields:
        """Gauss points of the axis times points of the section with its area and second moments."""
        prop = beam_property(prop)
        length, axes = section_frames(coordinates, prop)
        xi, shares = _points(prop)
        v, w = self._planes(length, xi, prop)
        linear = np.stack([1 - xi, xi], axis=-1)
        samples = section_points(prop.section, prop.rotary_inertia)
        # a cone has the same points at each place, nearer or farther by the radius of gyration
        area, inertia = _along(prop, ("area", "inertia_z"))
        grown = np.sqrt(inertia / area * (prop.section.area / prop.section.inertia_z))
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
            out = grown[:, None]
            if bends:
                N[:, :, 0, _IN_PLANE] = -y * out * v.rotation
                N[:, :, 0, _OUT_OF_PLANE] = -z * out * _OUT_SIGN * w.rotation
            # the centroid moves by zS θx, −yS θx beside S, and the point about the centroid where it twists
            N[:, :, 1, [3, 9]] = (z_s - out * (z if twists else 0.0)) * linear
            N[:, :, 2, [3, 9]] = (out * (y if twists else 0.0) - y_s) * linear
        in_body = np.einsum("eki,egckp->egcip", axes, to_body(_of_centroids(shape, prop.section), axes))
        places = np.einsum("g,ck,eki->egci", grown, samples.places, axes)
        positions = axis_points(coordinates, xi)[:, :, None] + places
        weights = prop.material.density * area * length[:, None] * shares
        points = len(samples.shares) * len(xi)
        return InertiaFields(
            weights=(weights[..., None] * samples.shares).reshape(len(length), points),
            positions=positions.reshape(len(length), points, 3),
            shape=in_body.reshape(len(length), points, 3, 12),
        )

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """−∫ρ (As)·(θ×(θ×s)) dA = θᵀ[tr(P)1 − sym(P)]θ over the places s of the section, P = ∫ρ (As)sᵀ dA."""
        prop = beam_property(prop)
        product = _section_product(section_frames(coordinates, prop)[1], prop, gradient)
        trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
        multiplier = np.full((3, 3), prop.rotary_inertia)
        multiplier[0, 0] = 1.0  # torsion alone
        symmetric = (product + product.swapaxes(1, 2)) / 2
        # the second moments of a cone change along it, in proportion
        grown = np.ones(1)
        if prop.end_section is not None:
            grown = _along(prop, ("inertia_z",))[0] / prop.section.inertia_z
        kernel = np.zeros((len(coordinates), len(grown), SLOPES, SLOPES))
        turned = (trace * np.eye(3) - symmetric) * multiplier
        kernel[:, :, RX : RZ + 1, RX : RZ + 1] = grown[:, None, None] * turned[:, None]
        return kernel

    def particular_resultants(
        self, coordinates: Array, prop: Property, load: Array, gradient: Array, stations: Array | None = None
    ) -> Array:
        """N, V, M in a beam with clamped ends under distributed forces and moments; a cone has its own load.

        The forces at its ends are those of a beam of its middle section.
        """
        prop = beam_property(prop)
        middle = replace(prop, section=prop.section_at(0.5), end_section=None)
        section, material = middle.section, prop.material
        length, axes = section_frames(coordinates, prop)
        stations = _points(prop)[0] if stations is None else stations
        local = np.einsum("eki,egi->egk", axes, load) * _along(prop, ("area",))[0][:, None]
        # m = ∫ρ s × (As) dA, constant along the beam
        product = _section_product(axes, middle, gradient)
        rotary = prop.rotary_inertia
        moments = np.stack(
            [product[:, 2, 1] - product[:, 1, 2], rotary * product[:, 0, 2], -rotary * product[:, 0, 1]], axis=1
        )
        values = np.zeros((len(length), len(stations), 6))
        values[..., AXIAL] = clamped_axial(length, local[..., 0], stations)
        y_s, z_s = section.shear_centre
        about_shear_centre = z_s * local[..., 1] - y_s * local[..., 2]
        values[..., TWIST] = moments[:, 0, None] * length[:, None] * (0.5 - stations)
        values[..., TWIST] += clamped_axial(length, about_shear_centre, stations)
        along_y, along_z = prop.shear_factors
        for across, force, moment, inertia, factor, sign in (
            (1, SHEAR_Y, BEND_Z, section.inertia_z, along_y, 1.0),
            (2, SHEAR_Z, BEND_Y, section.inertia_y, along_z, -1.0),
        ):
            shear = material.shear_modulus * section.area * factor
            flexibility = material.young * inertia / shear if self.theory == "timoshenko" else 0.0
            V, M = clamped_bending(
                length, local[..., across], sign * moments[:, 3 - across], flexibility, stations
            )
            values[..., force], values[..., moment] = V, sign * M
        return values

    def working_resultants(self, values: Array, prop: Property) -> Array:
        """With the torque about the centroid, whose strains have the quadratic part: Mx + yS Vz − zS Vy."""
        y_s, z_s = beam_property(prop).section.shear_centre
        if not (y_s or z_s):
            return values
        moved = values.copy()
        moved[..., TWIST] += y_s * values[..., SHEAR_Z] - z_s * values[..., SHEAR_Y]
        return moved

    def stress_measures(self, values: Mapping[str, Array], prop: Property) -> dict[str, Array]:
        """Resultants, and the largest normal stress of the section; of a cone that of its thinner end."""
        section = _thinnest(beam_property(prop))
        return {**values, "fibre": fibre_stress(section, values["N"], values["My"], values["Mz"])}

    def worst_fibre(self, measures: Mapping[str, Array], prop: Property) -> Array:
        """Where in the section that stress is, in its principal axes: (…, 2)."""
        section = _thinnest(beam_property(prop))
        return worst_fibre(section, *(measures[name] for name in ("N", "My", "Mz")))

    def _planes(
        self, length: Array, xi: Array, prop: BeamProperty
    ) -> tuple[_PlaneInterpolation, _PlaneInterpolation]:
        """Bending in the local x–y and x–z planes."""
        section, (along_y, along_z) = prop.section_at(0.5), prop.shear_factors
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
            shear = prop.material.shear_modulus * prop.section_at(0.5).area * factor
            phi = 12 * bending / (shear * length**2)
        return _interpolation(length, xi, phi, bending)


def _points(prop: BeamProperty) -> tuple[Array, Array]:
    """Gauss points of the axis from 0 to 1, and their weights: (points,) each."""
    return gauss_points(POINTS if prop.end_section is None else CONE_POINTS)


def _thinnest(prop: BeamProperty) -> Section:
    """The section, of a cone the one with the smaller area."""
    return min(prop.section, prop.section_at(1.0), key=lambda section: section.area)


def _along(prop: BeamProperty, names: Sequence[str]) -> tuple[Array, ...]:
    """Constants of the section at the Gauss points: (points,) each."""
    xi = _points(prop)[0]
    if prop.end_section is None:
        return tuple(np.full(len(xi), getattr(prop.section, name)) for name in names)
    sections = [prop.section_at(float(share)) for share in xi]
    return tuple(np.array([getattr(section, name) for section in sections]) for name in names)


def _section_product(axes: Array, prop: BeamProperty, gradient: Array) -> Array:
    """P = ∫ρ (As)sᵀ dA in local axes, of a force per mass with gradient A in body axes: (elements, 3, 3)."""
    moments = prop.material.density * np.array([0.0, prop.section.inertia_z, prop.section.inertia_y])
    return np.asarray(np.einsum("eki,ij,elj->ekl", axes, gradient, axes) * moments)
