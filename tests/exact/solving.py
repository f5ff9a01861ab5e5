"""Short ways from a body to numbers, for the tests of this folder."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.contract import NODE_DOFS, is_interpolated
from flexframe.elements.integration import stiffness_points, stress
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.parts import EquationsOfMotion
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region, Space
from flexframe.motion.frame import REST, FrameMotion

THEORIES = ("euler_bernoulli", "timoshenko")
MATERIAL = Material(young=2.0, poisson=0.25, density=1.5, name="test", idealised=True)
NOTHING, NO_GRADIENT = np.zeros(3), np.zeros((3, 3))
SECTION = GeneralSection(area=0.7, inertia_z=0.05, inertia_y=0.02, torsion_constant=0.03, shear_factor=0.8)


@dataclass(frozen=True)
class Rigidities:
    """EA, EI in both planes, GJ, κGA (infinite for Euler–Bernoulli)."""

    EA: float
    EIz: float
    EIy: float
    GJ: float
    kGA: float


def rigidities(theory: str, section=SECTION, material: Material = MATERIAL) -> Rigidities:
    E, G = material.young, material.young / (2 * (1 + material.poisson))
    shear = section.shear_factor * G * section.area if theory == "timoshenko" else np.inf
    return Rigidities(
        E * section.area, E * section.inertia_z, E * section.inertia_y, G * section.torsion_constant, shear
    )


def beam_body(
    mesh: Mesh,
    theory: str,
    supports=(),
    loads=(),
    *,
    section=SECTION,
    material: Material = MATERIAL,
    up: tuple[float, ...] | None = None,
    space: Space = "spatial",
    rotary_inertia: float = 1.0,
) -> Body:
    """Beams of one section along a mesh of lines."""
    prop = BeamProperty(material, section, up=up, rotary_inertia=rotary_inertia)
    region = Region(prop, family=f"{theory}_beam")
    return Body("beam", mesh, (region,), supports=tuple(supports), loads=tuple(loads), space=space)


@dataclass(frozen=True)
class Solved:
    """A static solution."""

    discrete: DiscreteBody
    delta: Array
    reaction: Array  # nodal support forces (nodes, 6)
    relief: Array

    def at(self, node: int | str, dof: str | None = None) -> Array:
        """Displacements of a node (or the only node of a set): (6,) or one of them."""
        number = int(self.discrete.body.selected_nodes(node)[0])
        values = self.discrete.dofs.nodal(self.delta)[number]
        return values if dof is None else values[NODE_DOFS.index(dof)]

    @property
    def nodal(self) -> Array:
        return self.discrete.dofs.nodal(self.delta)


def solve(body: Body, motion: FrameMotion = REST) -> Solved:
    """Linear statics under the applied loads and the inertia of the frame."""
    discrete = discretise(body)
    load = equations_of_motion(discrete, motion).load
    solution = discrete.equilibrium.solve(load)
    delta = solution.displacements[:, 0]
    relief = solution.relief[:, 0]
    inertia = discrete.inertia
    balanced = load + inertia.origin_load(relief[:3]) + inertia.position_load(skew(relief[3:]))
    reaction = discrete.supports.support_forces(discrete.stiffness @ delta - balanced)
    return Solved(discrete, delta, discrete.dofs.nodal(reaction), relief)


def recovered(solved: Solved, constant: Array = NOTHING, gradient: Array = NO_GRADIENT) -> tuple[Array, Array]:
    """Positions (points, 3) and stresses or resultants (points, components) of all elements of a body.

    A force per mass `constant` + `gradient` x acts inside, beside the line loads.
    """
    places, values = [], []
    padded = np.append(solved.delta, 0.0)
    for batch in solved.discrete.batches:
        density = None
        if not is_interpolated(batch.family):
            x = stiffness_points(batch)
            density = solved.discrete.loads.line_density(batch)[:, None]
            density = density + batch.prop.material.density * (constant + x @ gradient.T)
        field = stress(batch, padded[solved.discrete.dofs.of_elements(batch)], density, gradient)
        places.append(field.positions.reshape(-1, 3))
        values.append(field.values.reshape(-1, len(field.names)))
    return np.concatenate(places), np.concatenate(values)


def critical_factors(body: Body, count: int = 1) -> Array:
    """Smallest positive multiples of the applied loads at which k + λ k_g is singular."""
    discrete = discretise(body)
    reduce = discrete.supports.reduce_matrix
    K = reduce(discrete.stiffness).toarray()
    K_g = reduce(geometric_stiffness(discrete, REST)).toarray()
    # −K_g φ = (1/λ) K φ
    inverse = scipy.linalg.eigh(-(K_g + K_g.T) / 2, K, eigvals_only=True)
    return 1 / inverse[::-1][:count]


def reduced(discrete: DiscreteBody, equations: EquationsOfMotion) -> tuple[Array, Array, Array]:
    """M, C, K on the coordinates that the supports leave, dense."""
    reduce = discrete.supports.reduce_matrix
    return tuple(reduce(part).toarray() for part in (equations.mass, equations.damping, equations.stiffness))


def frequencies(body: Body, motion: FrameMotion = REST, count: int = 6) -> Array:
    """Angular frequencies ≥ 0 of the frozen gyroscopic problem, ascending; the dense linearisation of LAPACK."""
    discrete = discretise(body)
    M, C, K = reduced(discrete, equations_of_motion(discrete, motion))
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])
    B = np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), M]])
    values = scipy.linalg.eig(A, B, right=False)
    imaginary = np.sort(values.imag[values.imag > 0])
    return imaginary[:count]


def mapped(mesh: Mesh, function: Callable[[Array, Array], tuple[Array, Array]]) -> Mesh:
    """A mesh of the unit square under a map (u, v) → (x, y), sets kept."""
    x, y = function(mesh.points[:, 0], mesh.points[:, 1])
    return replace(mesh, points=np.column_stack([x, y, np.zeros_like(x)]))
