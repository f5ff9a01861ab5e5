"""The equations of a body in steady rotation as a polynomial of its speed.

M δ̈ + (D + ΩG) δ̇ + (K + ΩN + Ω²S) δ = f

G = 2c is the Coriolis matrix of unit speed, S = k(ω²) + k_g the softening and the stiffness of the stress of unit
speed, N what dampers that stay in space add. Beside the elastic stiffness S would drown, so it is never a
difference of it.
"""

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations, harmonic_equations
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import LOAD, Once, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.spectra.rotation.bearings import bearing_parts
from flexframe.spectra.rotation.rotor_model import Member, RotorModel


def spinning_equations(model: RotorModel, *, terms: Terms | None = None, mean: bool = False) -> AffineEquations:
    """The equations at any steady speed in the frame that turns with the rotor, supports eliminated.

    With `mean`, bearings whose directions differ give the mean of both.
    """
    parts = bearing_parts(model.discrete, model.bearings, model.axis, mean=mean)
    return turning_equations(model, terms).extend(parts).about(model.axis).project(model.discrete.supports)


def turning_equations(model: RotorModel, terms: Terms | None = None) -> AffineEquations:
    """The equations in a frame that turns with all members, for any motion of it.

    Without bearings and supports.
    """
    if not model.one_speed:
        raise InputError(
            "shafts that turn at different speeds, gears or a casing at rest have no frame that turns with all of "
            "them; ask for the inertial frame",
            field="frame",
        )
    for member in model.members:
        require_spin(member.discrete, model.axis)
    size = model.discrete.dofs.count
    if model.single:
        return affine_equations(model.discrete, terms, held_in_space=True)
    parts = [
        _place_part(part, member, size)
        for member in model.members
        for part in affine_equations(member.discrete, terms, held_in_space=True).parts
    ]
    return AffineEquations(size, tuple(parts), terms or Terms())


def turning_waves(model: RotorModel, n: int, terms: Terms | None = None) -> AffineEquations:
    """The equations of n nodal diameters of a body of revolution in the frame that turns with it.

    With the bearings, which act on one nodal diameter alone; without supports.
    """
    rotor = model.discrete
    assert isinstance(rotor, SectionBody)
    equations = harmonic_equations(rotor.waves.section.harmonics.at(n), terms)
    if n != 1 or not model.bearings:
        return equations
    held = AffineEquations(equations.size, tuple(bearing_parts(rotor, model.bearings, model.axis)))
    return equations.extend(held.project(rotor.back).parts)


def require_spin(discrete: DiscreteBody, axis: Array) -> None:
    """Refuse an axis about which a body cannot turn."""
    if discrete.body.space == "planar" and np.abs(axis[:2]).max() > 1e-12:
        raise InputError(
            f"body {discrete.body.name} is planar and spins about {axis.tolist()}; a planar body spins about z",
            field="axis",
        )


def _place_part(part: Part[SparseMatrix], member: Member, size: int) -> Part[SparseMatrix]:
    """A part of a member on the degrees of freedom of the whole."""

    def vector() -> Array:
        out = np.zeros(size)
        out[member.numbers] = part.source.value
        return out

    source = Once(vector) if part.order == LOAD else Once(lambda: member.placed(part.source.value, size))
    return Part(part.name, part.order, source, part.coefficient)
