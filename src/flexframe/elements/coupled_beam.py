"""Two-node beams whose sections are given by full 6×6 matrices of stiffness and mass.

Without load between the nodes the forces of the sections are f(s) = B(s) F, s from the middle: n is constant and
m = m₀ + s n × e_x. With the flexibility C of the section both ends move against each other by

    D δ = (u_B − u_A − ½L (θ_A + θ_B) × e_x,  θ_B − θ_A) = ∫ BᵀC B ds F,

so that f = B F and the strains C f are those of the exact solution, and displacements follow by integrating them:
θ' = κ, u' = Γ + θ × e_x. Nothing locks, coupled or not. Matrices, which are given about the line of the beam,
are moved to the centre of mass, where rigid arms join the nodes: weight and inertia act there. The matrices say
how the section shears and what its inertia is; sections do not warp. Of the fibres beside the axis only Wagner's
term of torsion is kept, with the mean square distance of the axial stiffness from its centre, (EIy + EIz)/EA.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.elements.beam_lines import (
    AXIAL,
    DRX,
    POINTS,
    RX,
    SLOPES,
    STRETCH,
    TWIST,
    U1,
    WAGNER,
    BeamFamily,
    axis_points,
    beam_property,
    end_frames,
    gauss_points,
    repeated_integral,
    section_frames,
    to_body,
)
from flexframe.elements.contract import InertiaFields, PlacedSections, SectionLaw, StrainFields
from flexframe.elements.properties import BeamProperty, Property
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew

_GAUSS, _SHARES = gauss_points(POINTS)
_ALONG = np.array([1.0, 0.0, 0.0])
_ARM = -skew(_ALONG)  # n ↦ n × e_x


@dataclass(frozen=True)
class CoupledBeam(BeamFamily):
    """Two-node beam of sections with full matrices."""

    @property
    def name(self) -> str:
        return "coupled_beam"

    def suits(self, prop: Property) -> bool:
        """Sections by their matrices."""
        return isinstance(prop, BeamProperty) and isinstance(prop.section, SectionMatrices)

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """From the nodes to the centres of mass: (elements, 2, 3)."""
        arms = super().arms(coordinates, prop)
        centre = _section(prop).centre
        if not centre.any():
            return arms
        across = np.einsum("i,eij->ej", centre, section_frames(coordinates, beam_property(prop))[1])
        both = np.repeat(across[:, None], 2, axis=1)
        return both if arms is None else arms + both

    def placed_sections(self, coordinates: Array, prop: Property) -> PlacedSections:
        placed = super().placed_sections(coordinates, prop)
        # the rectangle that is drawn is about the line
        return PlacedSections(placed.section, placed.axes, placed.arms - _section(prop).centre @ placed.axes)

    def section_law(self, coordinates: Array, prop: Property, tangents: Array | None = None) -> SectionLaw:
        """As the matrices say, about the line."""
        section = _section(prop)
        axes, arms = end_frames(coordinates, beam_property(prop), tangents)
        return SectionLaw(axes, arms, section.flexibility, section.mass_matrix)

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields:
        """Strains (ε, γy, γz, κx, κy, κz) and slopes at four Gauss points of the axis."""
        prop = beam_property(prop)
        section = _section(prop)
        length, axes = section_frames(coordinates, prop)
        field = _Interpolation(length, section.about_centre)
        slope = np.zeros((len(length), len(_GAUSS), SLOPES, 12))
        slope[:, :, U1 : U1 + 3] = field.slopes
        slope[:, :, RX : RX + 3] = field.rotations
        slope[:, :, DRX : DRX + 3] = field.strains[:, :, TWIST:]
        slope[:, :, STRETCH] = field.strains[:, :, AXIAL] * (prop.strain_law == "green")
        slope[:, :, WAGNER] = section.polar_radius * field.strains[:, :, TWIST]
        return StrainFields(
            weights=length[:, None] * _SHARES,
            positions=axis_points(coordinates, _GAUSS),
            strain=to_body(field.strains, axes),
            resultant=to_body(field.forces, axes),
            slope=to_body(slope, axes),
        )

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields:
        """Four Gauss points of the axis times points with the second moments of the section."""
        prop = beam_property(prop)
        section = _section(prop)
        length, axes = section_frames(coordinates, prop)
        field = _Interpolation(length, section.about_centre)
        shares, places = section.points
        # u + θ × p
        shape = field.displacements[:, :, None] - skew(places) @ field.rotations[:, :, None]
        in_body = np.einsum("eki,egckp->egcip", axes, to_body(shape, axes))
        positions = axis_points(coordinates, _GAUSS)[:, :, None] + np.einsum("ck,eki->eci", places, axes)[:, None]
        weights = section.mass_matrix[0, 0] * length[:, None] * _SHARES
        count = len(shares) * len(_GAUSS)
        return InertiaFields(
            weights=(weights[..., None] * shares).reshape(len(length), count),
            positions=positions.reshape(len(length), count, 3),
            shape=in_body.reshape(len(length), count, 3, 12),
        )

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """−∫ρ (As)·(θ×(θ×s)) dA = θᵀ[tr(P)1 − sym(P)]θ over the places s of the section, P = ∫ρ (As)sᵀ dA."""
        product = _product(section_frames(coordinates, beam_property(prop))[1], _section(prop), gradient)
        kernel = np.zeros((len(coordinates), 1, SLOPES, SLOPES))
        trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
        kernel[:, 0, RX : RX + 3, RX : RX + 3] = trace * np.eye(3) - (product + product.swapaxes(1, 2)) / 2
        return kernel

    def particular_resultants(
        self, coordinates: Array, prop: Property, load: Array, gradient: Array, stations: Array | None = None
    ) -> Array:
        """Forces in a beam with clamped ends under distributed forces and moments.

        n' = −q and m' = n × e_x − μ give f₀ from zero at the start; ∫BᵀC (f₀ + B F) ds = 0 gives F.
        """
        prop = beam_property(prop)
        section = _section(prop)
        length, axes = section_frames(coordinates, prop)
        q = np.einsum("eki,egi->egk", axes, load) * prop.extent
        product = _product(axes, section, gradient)
        moment = np.stack(
            [product[:, (i + 2) % 3, (i + 1) % 3] - product[:, (i + 1) % 3, (i + 2) % 3] for i in range(3)], 1
        )

        def begun(shares: Array) -> Array:
            """f₀ at shares of the way: (elements, shares, 6)."""
            n = -length[:, None, None] * np.einsum("sg,egk->esk", repeated_integral(1, shares), q)
            twice = -(length**2)[:, None, None] * np.einsum("sg,egk->esk", repeated_integral(2, shares), q)
            m = twice @ _ARM.T - (length[:, None] * shares)[..., None] * moment[:, None]
            return np.concatenate([n, m], axis=-1)

        field = _Interpolation(length, section.about_centre)
        at_points = begun(_GAUSS)
        weights = length[:, None] * _SHARES
        moved = np.einsum("eg,egji,jk,egk->ei", weights, field.carry, field.flexibility, at_points)
        F = -np.linalg.solve(field.both, moved[..., None])[..., 0]
        shares = _GAUSS if stations is None else stations
        return begun(shares) + np.einsum("egij,ej->egi", _carry(length, shares), F)

    def line_load_refusal(self, prop: Property) -> str | None:
        """They act on the line, and what acts inside the elements here acts on the mass."""
        if not _section(prop).centre.any():
            return None
        return (
            "a line load acts on the line of the beam, and the section has its centre of mass beside that; give "
            "forces at nodes, or reduction: exact, which takes it"
        )

    def reported_resultants(self, values: Array, prop: Property) -> Array:
        """With moments about the line."""
        return _section(prop).about_line(values)

    def stress_measures(self, values: Mapping[str, Array], prop: Property) -> dict[str, Array]:
        """Resultants about the line, and Young's modulus times the largest strain at the drawn corners."""
        strain = np.abs(_section(prop).fibre_strains(_resultants(values))).max(axis=-1)
        return {**values, "fibre": beam_property(prop).material.young * strain}

    def worst_fibre(self, measures: Mapping[str, Array], prop: Property) -> Array:
        """Where in the section that strain is: (…, 2)."""
        section = _section(prop)
        worst = np.abs(section.fibre_strains(_resultants(measures))).argmax(axis=-1)
        return np.array(section.stress_points)[worst]


class _Interpolation:
    """Fields at the Gauss points over the twelve local dofs, of one section: (elements, points, …)."""

    def __init__(self, length: Array, stiffness: Array) -> None:
        C = self.flexibility = np.asarray(np.linalg.inv(stiffness), dtype=float)
        L = length[:, None, None]
        half = L[..., None] / 2
        s = (_GAUSS - 0.5) * length[:, None]
        self.carry = _carry(length, _GAUSS)
        # ∫BᵀC B ds = L (C + (L²/12) bᵀC b) with B = 1 + s b, b = [0, 0; ·×e_x, 0]
        b = np.zeros((6, 6))
        b[3:, :3] = _ARM
        self.both = L * (C + L**2 / 12 * (b.T @ C @ b))
        D = np.zeros((len(length), 6, 12))
        D[:, :3, :3], D[:, :3, 6:9] = -np.eye(3), np.eye(3)
        D[:, 3:, 3:6], D[:, 3:, 9:] = -np.eye(3), np.eye(3)
        D[:, :3, 3:6] = D[:, :3, 9:] = -half[:, 0] * _ARM
        F = np.linalg.solve(self.both, D)  # in the middle: (elements, 6, 12)
        self.forces = self.carry @ F[:, None]
        self.strains = C @ self.forces
        # strains are e₀ + s e₁
        middle, change = (C @ F)[:, None], (C @ b @ F)[:, None]
        way, square, cube = ((s**n - (-length[:, None] / 2) ** n)[..., None, None] for n in (1, 2, 3))
        start = np.zeros((1, 1, 6, 12))
        start[0, 0, :, :6] = np.eye(6)
        self.rotations = start[:, :, 3:] + way * middle[:, :, 3:] + square / 2 * change[:, :, 3:]
        # ∫θ dx = θ_A x + κ₀ x²/2 + κ₁ ∫(s² − L²/4)/2
        turned = way * start[:, :, 3:] + way**2 / 2 * middle[:, :, 3:]
        turned = turned + (cube / 6 - half**2 * way / 2) * change[:, :, 3:]
        self.displacements = (
            start[:, :, :3] + way * middle[:, :, :3] + square / 2 * change[:, :, :3] + _ARM @ turned
        )
        self.slopes = self.strains[:, :, :3] + _ARM @ self.rotations


def _carry(length: Array, shares: Array) -> Array:
    """B = [1, 0; s ·×e_x, 1] with s from the middle: (elements, shares, 6, 6)."""
    out = np.zeros((len(length), len(shares), 6, 6))
    out[:] = np.eye(6)
    out[..., 3:, :3] = ((shares - 0.5) * length[:, None])[..., None, None] * _ARM
    return out


def _section(prop: Property) -> SectionMatrices:
    section = beam_property(prop).section
    assert isinstance(section, SectionMatrices), "other sections do not suit"
    return section


def _resultants(values: Mapping[str, Array]) -> Array:
    """(N, Vy, Vz, Mx, My, Mz): (..., 6)."""
    return np.stack(np.broadcast_arrays(*(values[name] for name in CoupledBeam.resultants)), axis=-1)


def _product(axes: Array, section: SectionMatrices, gradient: Array) -> Array:
    """P = ∫ρ (As)sᵀ dA in local axes, of a force per mass with gradient A in body axes: (elements, 3, 3)."""
    return np.asarray(np.einsum("eki,ij,elj->ekl", axes, gradient, axes) @ section.second_moments)
