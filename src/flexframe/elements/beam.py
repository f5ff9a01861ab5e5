"""Straight two-node beams in space, Euler–Bernoulli and Timoshenko, with exact interpolation.

Local axes: x along the beam, y and z the principal axes of the section. With the shear parameter
Φ = 12EI/(κGA L²) the interpolation is the exact solution of the beam without load between its nodes, so shear
does not lock; Φ = 0 is the Hermite interpolation of Euler–Bernoulli. Sections do not warp and shear acts through
the centroid, which may lie beside the nodes at the end of rigid arms. In the volume

    u = u0 − y θz + z θy,   v = v0 − z θx,   w = w0 + y θx .

Bodies in a plane use only ux, uy, rz of the six nodal degrees of freedom.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from flexframe.elements.contract import NODE_DOFS, InertiaFields, StrainFields
from flexframe.elements.properties import BeamProperty, Property
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import gauss_line
from flexframe.mesh.cells import LINE, Cell

_RULE = gauss_line(4)  # products of two cubics, and slope² times a quadratic axial force
_AXIAL, _SHEAR_Y, _SHEAR_Z, _TWIST, _BEND_Y, _BEND_Z = range(6)
_U1, _V1, _W1, _RX, _RY, _RZ, _DRX, _DRY, _DRZ, _WAGNER = range(10)


def _quadratic_strains() -> Array:
    """H_r of e_r = … + ½ ΓᵀH_rΓ with Γ = (u', v', w', θx, θy, θz, θx', θy', θz', √(Ip/A) θx').

    Second-order terms of the geometrically exact beam with rotation vectors at the nodes, the axial force along
    the tangent:  ε: ½(v'²+w'²) + ½(Ip/A)θx'²,  γy: θx(w' + ½θy) − θz u',  γz: −θx(v' − ½θz) + θy u',
    κ: −½ θ×θ'. With all of them a rigid rotation turns the internal forces and does nothing else.
    """
    H = np.zeros((6, 10, 10))

    def add(strain: int, first: int, second: int, coefficient: float) -> None:
        H[strain, first, second] += coefficient
        H[strain, second, first] += coefficient

    for slope in (_V1, _W1, _WAGNER):
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
    cosine, sine = np.cos(prop.angle), np.sin(prop.angle)
    turn = np.array([[1, 0, 0], [0, cosine, sine], [0, -sine, cosine]])
    return length, np.matmul(turn, axes)


def _unturned_frames(coordinates: Array, prop: BeamProperty) -> tuple[Array, Array]:
    """Lengths and axes before the section is turned in them."""
    axis = coordinates[:, 1] - coordinates[:, 0]
    length = np.linalg.norm(axis, axis=1)
    x = axis / length[:, None]
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
    return length, np.stack([x, np.cross(z, x), z], axis=1)


def _to_body(local: Array, axes: Array) -> Array:
    """Columns for local nodal dofs turned into columns for body nodal dofs: (..., 12)."""
    blocks = local.reshape(*local.shape[:-1], 4, 3)
    middle = (1,) * (blocks.ndim - 3)
    turned = np.matmul(blocks, axes.reshape(len(axes), *middle, 3, 3))
    return turned.reshape(local.shape)


@dataclass(frozen=True)
class Beam:
    """Two-node beam of either theory."""

    theory: Literal["euler_bernoulli", "timoshenko"]

    cell: ClassVar[Cell] = LINE
    degree: ClassVar[int] = 3
    node_dofs: ClassVar[tuple[str, ...]] = NODE_DOFS
    resultants: ClassVar[tuple[str, ...]] = ("N", "Vy", "Vz", "Mx", "My", "Mz")
    quadratic: ClassVar[Array] = _quadratic_strains()

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

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains (ε, γy, γz, κx, κy, κz) and slopes at four Gauss points of the axis."""
        prop = _beam_property(prop)
        section, material = prop.section, prop.material
        length, axes = _frames(coordinates, prop)
        xi = (_RULE.points[:, 0] + 1) / 2
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

        slope = np.zeros((*shape, 10, 12))
        slope[:, :, _U1] = strain[:, :, _AXIAL]
        slope[:, :, _V1, _IN_PLANE] = v.slope
        slope[:, :, _W1, _OUT_OF_PLANE] = _OUT_SIGN * w.slope
        slope[:, :, _RZ, _IN_PLANE] = v.rotation
        slope[:, :, _RY, _OUT_OF_PLANE] = -_OUT_SIGN * w.rotation
        slope[:, :, _DRZ] = strain[:, :, _BEND_Z]
        slope[:, :, _DRY] = strain[:, :, _BEND_Y]
        slope[:, :, _DRX] = strain[:, :, _TWIST]
        slope[:, :, _RX, [3, 9]] = np.stack([1 - xi, xi], axis=-1)
        slope[:, :, _WAGNER] = np.sqrt((section.inertia_y + section.inertia_z) / section.area) * slope[:, :, _DRX]
        return StrainFields(
            weights=length[:, None] * (_RULE.weights / 2),
            positions=_axis_points(coordinates, xi),
            strain=_to_body(strain, axes),
            resultant=_to_body(resultant, axes),
            slope=_to_body(slope, axes),
        )

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields:
        """Four Gauss points of the axis times four section points with the area and second moments."""
        prop = _beam_property(prop)
        section = prop.section
        length, axes = _frames(coordinates, prop)
        xi = (_RULE.points[:, 0] + 1) / 2
        v, w = self._planes(length, xi, prop)
        linear = np.stack([1 - xi, xi], axis=-1)
        y0, z0 = np.sqrt(section.inertia_z / section.area), np.sqrt(section.inertia_y / section.area)
        rotary = np.sqrt(prop.rotary_inertia)
        shape = np.zeros((len(length), len(xi), 4, 3, 12))
        offsets = np.array([[y0, z0], [-y0, z0], [-y0, -z0], [y0, -z0]])
        for corner, (y, z) in enumerate(offsets):
            N = shape[:, :, corner]
            N[:, :, 0, [0, 6]] = linear
            N[:, :, 0, _IN_PLANE] = -rotary * y * v.rotation
            N[:, :, 0, _OUT_OF_PLANE] = -rotary * z * _OUT_SIGN * w.rotation
            N[:, :, 1, _IN_PLANE] = v.deflection
            N[:, :, 1, [3, 9]] = -z * linear
            N[:, :, 2, _OUT_OF_PLANE] = _OUT_SIGN * w.deflection
            N[:, :, 2, [3, 9]] = y * linear
        in_body = np.einsum("eki,egckp->egcip", axes, _to_body(shape, axes))
        across = np.einsum("ck,eki->eci", offsets, axes[:, 1:])
        positions = _axis_points(coordinates, xi)[:, :, None] + across[:, None]
        weights = prop.material.density * section.area / 4 * length[:, None] * (_RULE.weights / 2)
        points = 4 * len(xi)
        return InertiaFields(
            weights=np.repeat(weights, 4, axis=1),
            positions=positions.reshape(len(length), points, 3),
            shape=in_body.reshape(len(length), points, 3, 12),
        )

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """−∫ρ (As)·(θ×(θ×s)) dA = θᵀ[tr(P)1 − sym(P)]θ over the places s of the section, P = ∫ρ (As)sᵀ dA."""
        prop = _beam_property(prop)
        product = _section_product(_frames(coordinates, prop)[1], prop, gradient)
        trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
        rotary = np.sqrt([1.0, prop.rotary_inertia, prop.rotary_inertia])
        kernel = np.zeros((len(coordinates), 10, 10))
        symmetric = (product + product.swapaxes(1, 2)) / 2
        kernel[:, _RX : _RZ + 1, _RX : _RZ + 1] = (trace * np.eye(3) - symmetric) * np.outer(rotary, rotary)
        return kernel

    def particular_resultants(self, coordinates: Array, prop: Property, load: Array, gradient: Array) -> Array:
        """N, V, M in a beam with clamped ends under distributed forces and moments."""
        prop = _beam_property(prop)
        section, material = prop.section, prop.material
        length, axes = _frames(coordinates, prop)
        L, s = length[:, None], ((_RULE.points[:, 0] + 1) / 2)[None]
        local = np.einsum("eki,egi->egk", axes, load) * section.area
        # m = ∫ρ s × (As) dA, constant along the beam
        product = _section_product(axes, prop, gradient)
        rotary = np.sqrt(prop.rotary_inertia)
        moments = np.stack(
            [product[:, 2, 1] - product[:, 1, 2], rotary * product[:, 0, 2], -rotary * product[:, 0, 1]], axis=1
        )
        values = np.zeros((*load.shape[:2], 6))
        axial = -L * (local[..., 0] @ _INTEGRATE.T)
        values[..., _AXIAL] = axial - (axial @ _MEAN)[:, None]
        values[..., _TWIST] = moments[:, 0, None] * L * (0.5 - s)
        for across, force, moment, inertia, factor, sign in (
            (1, _SHEAR_Y, _BEND_Z, section.inertia_z, section.shear_factor, 1.0),
            (2, _SHEAR_Z, _BEND_Y, section.inertia_y, section.shear_factor_z, -1.0),
        ):
            shear = material.shear_modulus * section.area * factor
            flexibility = material.young * inertia / shear if self.theory == "timoshenko" else 0.0
            V, M = _clamped_bending(length, local[..., across], sign * moments[:, 3 - across], flexibility)
            values[..., force], values[..., moment] = V, sign * M
        return values

    def _planes(
        self, length: Array, xi: Array, prop: BeamProperty
    ) -> tuple[_PlaneInterpolation, _PlaneInterpolation]:
        """Bending in the local x–y and x–z planes."""
        section = prop.section
        return (
            self._plane(length, xi, prop, section.inertia_z, section.shear_factor),
            self._plane(length, xi, prop, section.inertia_y, section.shear_factor_z),
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


def _section_product(axes: Array, prop: BeamProperty, gradient: Array) -> Array:
    """P = ∫ρ (As)sᵀ dA in local axes, of a force per mass with gradient A in body axes: (elements, 3, 3)."""
    moments = prop.material.density * np.array([0.0, prop.section.inertia_z, prop.section.inertia_y])
    return np.asarray(np.einsum("eki,ij,elj->ekl", axes, gradient, axes) * moments)


def _axis_points(coordinates: Array, xi: Array) -> Array:
    return np.einsum("gn,eni->egi", np.stack([1 - xi, xi], axis=-1), coordinates)


def _integration_matrix() -> Array:
    """∫₀^{s_g} of the polynomial through values at the Gauss points s of [0, 1]: (points, points)."""
    s = (_RULE.points[:, 0] + 1) / 2
    powers = np.arange(len(s))
    return (s[:, None] ** (powers + 1) / (powers + 1)) @ np.linalg.inv(s[:, None] ** powers)


_INTEGRATE = _integration_matrix()
_MEAN = _RULE.weights / 2


def _clamped_bending(length: Array, load: Array, moment: Array, flexibility: float) -> tuple[Array, Array]:
    """V and M at the Gauss points of clamped beams, V' = −q, M' = −V − m, `flexibility` = EI/κGA.

    The two redundants follow from θ(L) = 0, ∫M = 0, and v(L) = 0, −∫xM + (EI/κGA)∫V = 0.
    """
    L = length[:, None]
    s = ((_RULE.points[:, 0] + 1) / 2)[None]
    V = -L * (load @ _INTEGRATE.T)
    M = -L * (V @ _INTEGRATE.T) - moment[:, None] * L * s
    # add c0 to V: M gets −c0 x + c1
    mean_M, mean_xM, mean_V = M @ _MEAN, (L * s * M) @ _MEAN, V @ _MEAN
    c0 = (mean_xM - length / 2 * mean_M - flexibility * mean_V) / (length**2 / 12 + flexibility)
    c1 = -mean_M + c0 * length / 2
    return V + c0[:, None], M - c0[:, None] * L * s + c1[:, None]
