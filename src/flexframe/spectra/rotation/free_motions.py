"""Which rigid motions neither supports nor springs nor bearings resist, and which of them decouple."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.projection import Projection
from flexframe.assembly.section_rotors import SectionBody
from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.rotation.rotor_model import RotorModel


@dataclass(frozen=True, eq=False)
class FreeMotions:
    """Rigid motions that K does not resist, in the coordinates that the supports leave.

    Translations span a space that every coefficient maps into M times itself: they decouple from all else.
    """

    translations: Array  # (n, t)
    others: Array  # (n, r)

    @property
    def all(self) -> Array:
        """(n, t + r)."""
        return np.hstack([self.translations, self.others])


def free_motions(model: RotorModel, equations: AffineEquations) -> FreeMotions:
    """M-orthonormal rigid motions of the members in the kernel of K, translations first where they decouple."""
    fields = np.empty((model.discrete.dofs.count, 0))
    if isinstance(model.discrete, SectionBody):
        fields = model.discrete.back.expand(model.discrete.waves.rigid_fields(0.0)[:, :3])
    elif model.single:
        fields = rigid_displacements(model.discrete.dofs, model.discrete.body.mesh.points)[:, :3]
    return _not_resisted(_rigid_motions(model), model.discrete.supports, fields, equations)


def harmonic_free_motions(harmonic: HarmonicBody, equations: AffineEquations) -> FreeMotions:
    """The same of a body of revolution with one number of nodal diameters."""
    fields = harmonic.rigid_fields(0.0)[:, :3]
    return _not_resisted(harmonic.equilibrium.rigid, harmonic.supports, fields, equations)


def _not_resisted(rigid: Array, supports: Projection, shifts: Array, equations: AffineEquations) -> FreeMotions:
    """Of rigid motions that the supports allow (n, r), and translations of the body without supports (p, t)."""
    none = np.empty((equations.size, 0))
    if not rigid.shape[1]:
        return FreeMotions(none, none)
    # bearings and the stress of loads may resist what the supports allow
    energy, directions = np.linalg.eigh(rigid.T @ np.asarray(equations.constant_stiffness @ rigid))
    rounding = np.abs(rigid).T @ np.asarray(abs(equations.constant_stiffness) @ np.abs(rigid))
    rigid = rigid @ directions[:, np.abs(energy) <= 1e-12 * np.trace(rounding)]
    if not rigid.shape[1]:
        return FreeMotions(none, none)
    translations = _decoupled_translations(supports, shifts, equations)
    others = _orthonormal(rigid, equations, translations)
    return FreeMotions(translations, others)


def _rigid_motions(model: RotorModel) -> Array:
    """Rigid motions of the members that supports allow, in the coordinates that these leave: (n, r)."""
    if model.single:
        return model.discrete.equilibrium.rigid
    columns = [np.empty((model.discrete.supports.size, 0))]
    for member in model.members:
        own = member.discrete
        field = np.zeros((model.discrete.dofs.count, own.equilibrium.rigid.shape[1]))
        field[member.numbers] = own.supports.expand(own.equilibrium.rigid)
        columns.append(model.discrete.supports.reduce_vector(field))
    return np.hstack(columns)


def translation_modes(equations: AffineEquations[Array], speed: float) -> tuple[ComplexArray, ComplexArray]:
    """Eigenpairs of the decoupled translations, one of each pair: (t,) and (t, t).

    A body at rest in space, or in uniform motion, circles at Ω in the turning frame: (λ + C/2)²φ = 0, a double
    eigenvalue with one shape, which no general solver finds to more than half its digits.
    """
    size = equations.size
    G, S = (
        np.zeros((size, size)) if part is None else part
        for part in map(equations.part, ("gyroscopic", "spin_stiffness"))
    )
    C, K = speed * G, speed**2 * S
    # coordinates of unit mass: what is nothing beside Ω² is rounding
    if np.abs(K - C @ C / 4).max(initial=0.0) <= 1e-9 * max(np.abs(K).max(initial=0.0), speed**2):
        values, vectors = np.linalg.eig(-C / 2)
        values, vectors = np.tile(values, 2).astype(complex), np.tile(vectors, 2).astype(complex)
    else:
        companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K, -C]])
        values, vectors = np.linalg.eig(companion)
        vectors = vectors[:size]
    upper = values.imag > 1e-12 * np.abs(values).max(initial=0.0)
    level = np.flatnonzero(np.abs(values.imag) <= 1e-12 * np.abs(values).max(initial=0.0))
    level = level[np.argsort(-values[level].real)][: (len(level) + 1) // 2]
    chosen = np.concatenate([level, np.flatnonzero(upper)])
    vectors = vectors[:, chosen] / np.linalg.norm(vectors[:, chosen], axis=0)
    return values[chosen].astype(complex), vectors.astype(complex)


def _decoupled_translations(supports: Projection, fields: Array, equations: AffineEquations) -> Array:
    """Translations if all that the body can make are free and every coefficient maps them into M times them."""
    none = np.empty((equations.size, 0))
    fields = fields[:, np.abs(fields).max(axis=0, initial=0.0) > 0]
    basis = supports.reduce_vector(fields)
    if not fields.shape[1] or not np.allclose(supports.expand(basis), fields, atol=1e-12):
        return none
    basis = _orthonormal(basis, equations, none)
    moved = np.asarray(equations.constant_mass @ basis)
    for coefficient in equations.coefficients:
        image = np.asarray(coefficient.matrix @ basis)
        scale = 1e-8 * float(np.abs(coefficient.matrix.diagonal()).max() + np.abs(image).max())
        expected = 0.0 if coefficient.name == "stiffness" else moved @ (basis.T @ image)
        if np.abs(image - expected).max() > scale:
            return none
    return basis


def _orthonormal(fields: Array, equations: AffineEquations, known: Array) -> Array:
    """M-orthonormal basis of what the fields have beside known M-orthonormal ones."""
    M = equations.constant_mass
    fields = fields / np.sqrt(np.einsum("im,im->m", fields, np.asarray(M @ fields)))
    fields = fields - known @ (known.T @ np.asarray(M @ fields))
    values, turn = np.linalg.eigh(fields.T @ np.asarray(M @ fields))
    kept = values > 1e-8
    return np.asarray(fields @ (turn[:, kept] / np.sqrt(values[kept])))
