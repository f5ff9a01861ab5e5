"""What a mode is: rigid, flapping, a wave with nodal diameters, unstable."""

import numpy as np

from flexframe.assembly.angular import angular_content
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.section_rotors import SectionBody
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.motion.frame import FrameMotion
from flexframe.phases import phase
from flexframe.results.record import Whirl
from flexframe.spectra.eigenpairs import modal_energies
from flexframe.spectra.growth import UNSTABLE, growing


@phase("labels")
def mode_labels(
    discrete: DiscreteBody, eigenvalues: ComplexArray, full: ComplexArray, motion: FrameMotion
) -> tuple[str, ...]:
    """Rigid motions and flap or lag of blades by their kinetic energy, instabilities by their eigenvalue."""
    if isinstance(discrete, SectionBody):
        return harmonic_labels(discrete.waves, eigenvalues, discrete.map.expand(full))
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points, discrete.inertia.centre_of_mass)
    rigid = rigid_kinds(discrete.mass, fields, full)
    scale = float(np.abs(eigenvalues).max(initial=0.0))
    labels = []
    blade = _blade_directions(discrete, full, motion)
    grows = growing(discrete, eigenvalues, full)
    for value, kind, direction, unstable in zip(eigenvalues, rigid, blade, grows, strict=True):
        labels.append(_describe(value, kind or direction, scale, unstable=bool(unstable)))
    return tuple(labels)


@phase("labels")
def harmonic_labels(harmonic: HarmonicBody, eigenvalues: ComplexArray, full: ComplexArray) -> tuple[str, ...]:
    """The same for a body of revolution with one number of nodal diameters."""
    fields = harmonic.rigid_fields(float(harmonic.section.inertia.centre_of_mass[1]))
    scale = float(np.abs(eigenvalues).max(initial=0.0))
    labels = []
    rigid, grows = rigid_kinds(harmonic.mass, fields, full), growing(harmonic, eigenvalues, full)
    twisting = np.zeros(full.shape[1], dtype=bool)
    if harmonic.n == 0:
        energies = harmonic.section.inertia.axis_energies(full)
        twisting = energies[:, 2] > 0.99 * energies.sum(axis=1)
    for value, kind, twists, unstable in zip(eigenvalues, rigid, twisting, grows, strict=True):
        word = kind or ("torsion" if twists else "")
        labels.append(_describe(value, word, scale, unstable=bool(unstable)))
    return tuple(labels)


def _describe(value: complex, kind: str, scale: float, *, unstable: bool) -> str:
    word = "divergence" if abs(value.imag) <= UNSTABLE * scale else "flutter"
    return ", ".join(part for part in (kind, word if unstable else "") if part)


def rigid_kinds(mass: SparseMatrix, fields: Array, full: ComplexArray) -> list[str]:
    """Which modes are rigid translations, rotations or motions by their kinetic energy, of six rigid fields.

    The fields (p, 6) are about the centre of mass; empty for modes that deform the body.
    """
    moves = np.abs(fields).max(axis=0, initial=0.0) > 0
    present, translations = fields[:, moves], int(moves[:3].sum())
    if not present.shape[1]:
        return [""] * full.shape[1]
    weighted = np.asarray(mass @ present)
    masses, products = present.T @ weighted, weighted.T @ full
    total = modal_energies(mass, full)
    shares = []
    for size in (translations, present.shape[1]):
        gram = masses[:size, :size]
        amounts = np.linalg.lstsq(gram, products[:size], rcond=None)[0]
        shares.append(np.einsum("im,ij,jm->m", amounts.conj(), gram, amounts).real / total)
    kinds = []
    for translation, rigid in zip(*shares, strict=True):
        kind = "translation" if translation > 1 - 1e-6 else "rotation" if translation < 1e-6 else "motion"
        kinds.append(f"rigid {kind}" if rigid > 1 - 1e-6 else "")
    return kinds


def _blade_directions(discrete: DiscreteBody, full: ComplexArray, motion: FrameMotion) -> list[str]:
    """Flap (along the spin axis), lag (across the blade in the plane of rotation) or stretch of a straight blade.

    Empty for other bodies and for modes that mix them.
    """
    none = [""] * full.shape[1]
    low, high = discrete.body.mesh.bounding_box
    along = (high - low) / max(float(np.linalg.norm(high - low)), 1e-300)
    straight = discrete.body.mesh.dimension == 1 and np.count_nonzero(np.abs(along) > 1e-9) == 1
    if not (straight and motion.speed and discrete.body.space == "spatial"):
        return none
    axis = motion.angular_velocity / motion.speed
    if abs(axis @ along) > 1e-9:
        return none
    directions = {"flap": axis, "stretch": along, "lag": np.cross(axis, along)}
    energies = {
        name: modal_energies(discrete.inertia.contraction(np.outer(d, d)), full) for name, d in directions.items()
    }
    total = modal_energies(discrete.mass, full)
    return [
        next((name for name, energy in energies.items() if energy[k] > 0.99 * total[k]), "")
        for k in range(full.shape[1])
    ]


@phase("labels")
def mode_diameters(
    discrete: DiscreteBody, shapes: ComplexArray, motion: FrameMotion, labels: tuple[str, ...]
) -> tuple[tuple[int | None, ...] | None, Array | None]:
    """Nodal diameters about the spin axis (z at rest): None for modes that mix several.

    A body counts as axisymmetric when three quarters of its elastic modes have one number; otherwise None.
    """
    axis = motion.angular_velocity / motion.speed if motion.speed else np.array([0.0, 0.0, 1.0])
    if discrete.supports.kept is None or discrete.body.mesh.dimension < 2:
        return None, None
    content = angular_content(discrete, shapes[:, :, :3], axis)
    if content is None:
        return None, None
    number = np.rint(np.sqrt(content.squared))
    pure = np.abs(content.squared - number**2) <= 0.1 * np.maximum(1, number)
    elastic = np.array(["rigid" not in label for label in labels])
    if not elastic.any() or pure[elastic].mean() < 0.75:
        return None, None
    return tuple(int(n) if clear else None for n, clear in zip(number, pure, strict=True)), content.signed


def whirl_of(signed: float, eigenvalue: complex) -> Whirl:
    """e^{i(nθ+ωt)} with n, ω > 0 runs against θ, that is against the spin about the axis."""
    if abs(signed) < 0.5 or eigenvalue.imag == 0:
        return ""
    return "backward" if signed * eigenvalue.imag > 0 else "forward"


@phase("labels")
def direction_shares(discrete: DiscreteBody, full: ComplexArray) -> Array:
    """Share of the kinetic energy of each mode in x, y, z: (modes, 3)."""
    energies = discrete.inertia.axis_energies(full)
    return energies / energies.sum(axis=1, keepdims=True)
