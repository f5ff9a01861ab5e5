"""Beams whose centroid lies beside their nodes: the same physics as a beam through the centroid."""

from dataclasses import replace

import numpy as np
import pytest
from tests.geometric import geometric_stiffness

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.equations.bodies import equations_of_motion
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import polyline
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion

MATERIAL = Material(2.0, 0.25, 1.5)
SECTION = GeneralSection(0.7, 0.05, 0.02, 0.03, 0.8)
UP, OFFSET, ANGLE = (0.2, 0.9, 0.4), (0.3, -0.2), 0.5
Q = rotation_from_vector(np.array([0.3, -0.6, 0.8]))
PLACES = np.array([0.0, 0.4, 0.7, 1.5])[:, None] * Q[:, 0]


def arm() -> Array:
    """Where the centroid is, in body axes."""
    x = Q[:, 0]
    z = np.cross(x, UP)
    z /= np.linalg.norm(z)
    return OFFSET[0] * np.cross(z, x) + OFFSET[1] * z


def body(through_centroid: bool, loads: tuple[Load, ...] = (), supports=(), theory: str = "timoshenko") -> Body:
    """One beam, with nodes beside it or on it; node sets "start" and "end"."""
    prop = BeamProperty(MATERIAL, SECTION, up=UP, angle=ANGLE, offset=(0.0, 0.0) if through_centroid else OFFSET)
    mesh = polyline(PLACES + (arm() if through_centroid else 0.0), 1)
    mesh = mesh.with_sets(node_sets={"start": [0], "end": [3]})
    return Body("beam", mesh, (Region(prop, family=f"{theory}_beam"),), supports, loads, space="spatial")


def to_centroid(mesh: Mesh) -> Array:
    """Displacements of the centroids from those of the nodes, u + θ × arm: (p, p)."""
    a = arm()
    block = np.eye(6)
    block[:3, 3:] = -np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.kron(np.eye(mesh.node_count), block)


def pair(loads: tuple[Load, ...] = (), theory: str = "timoshenko") -> tuple[DiscreteBody, DiscreteBody, Array]:
    beside, through = (discretise(body(c, loads, theory=theory)) for c in (False, True))
    return beside, through, to_centroid(beside.body.mesh)


def close(actual: Array, expected: Array, part: float = 1e-12) -> None:
    assert np.abs(actual - expected).max() < part * np.abs(expected).max()


@pytest.mark.parametrize("theory", ["euler_bernoulli", "timoshenko"])
def test_matrices_are_those_of_the_centroid(theory: str) -> None:
    """k, m and every inertia term by the rigid arms of the nodes; body loads act on the centroid. Round-off."""
    loads: tuple[Load, ...] = (Gravity((0.3, -0.8, 0.5)), LineLoad((0.1, 0.4, -0.2)))
    beside, through, T = pair(loads, theory)
    close(beside.stiffness.toarray(), T.T @ through.stiffness.toarray() @ T)
    A = np.random.default_rng(1).standard_normal((3, 3))
    close(beside.inertia.contraction(A).toarray(), T.T @ through.inertia.contraction(A).toarray() @ T)
    close(beside.inertia.position_load(A), T.T @ through.inertia.position_load(A))
    close(beside.loads.forces, T.T @ through.loads.forces)
    close(beside.inertia.second_moment, through.inertia.second_moment)


@pytest.mark.parametrize("theory", ["euler_bernoulli", "timoshenko"])
@pytest.mark.parametrize("kind", ["spin", "loads"])
def test_rotation_turns_the_forces(theory: str, kind: str) -> None:
    """With arms too: a free loaded beam has k_g r = θ × f + ½ θ × m at each node; with spin k_g + k(ω²) is zero.

    Node forces and their moments in balance; round-off 1e-11.
    """
    if kind == "loads":
        rng = np.random.default_rng(3)
        forces = rng.standard_normal((4, 3))
        rigid = np.concatenate([np.tile(np.eye(3), (4, 1, 1)), [-cross(p) for p in PLACES]], axis=2).reshape(-1, 6)
        forces = (forces.ravel() - rigid @ np.linalg.lstsq(rigid, forces.ravel(), rcond=None)[0]).reshape(-1, 3)
        loads = tuple(NodeForce(n, tuple(f)) for n, f in enumerate(forces))
        discrete = discretise(body(False, loads, theory=theory))
        K = geometric_stiffness(discrete, REST)
        fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, 3:]
        for axis in range(3):
            turned = np.zeros((4, 6))
            turned[:, :3] = np.cross(np.eye(3)[axis], forces)
            assert np.abs(K @ fields[:, axis] - turned.ravel()).max() < 1e-11 * np.abs(K).max()
        return
    free = body(False, theory=theory)
    inertia = discretise(free).inertia
    free = replace(free, mesh=free.mesh.moved(np.eye(3), -inertia.centre_of_mass))
    discrete = discretise(free)
    omega = 0.8 * np.linalg.eigh(discrete.inertia.inertia_tensor)[1][:, 2]
    parts = equations_of_motion(discrete, FrameMotion(angular_velocity=omega)).stiffness_parts
    K = parts["geometric"] + parts["centrifugal"]
    turn = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, 3:] @ omega
    assert np.abs(K @ turn).max() < 1e-11 * np.abs(K).max()


def cross(vector: Array) -> Array:
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def test_geometric_stiffness_with_loads_between_nodes() -> None:
    """A clamped beam that is accelerated and line-loaded has the same k_g by its nodes as by its centroids.

    The second-order motion of the centroid, ½θ×(θ×a), meets at each free node the forces of the two beams there,
    which balance, and at the clamp θ = 0. Round-off 1e-10.
    """
    loads: tuple[Load, ...] = (LineLoad((0.1, 0.4, -0.2)),)
    motion = FrameMotion((0.3, -0.5, 0.9), (0.2, 0.4, -0.1), (0, 0, 0), (0.3, 0.1, 0.7))
    beside, through = (discretise(body(c, loads, (Clamp("start"),))) for c in (False, True))
    T = to_centroid(beside.body.mesh)
    first = beside.supports.reduce_matrix(geometric_stiffness(beside, motion)).toarray()
    whole = T.T @ geometric_stiffness(through, motion).toarray() @ T
    close(first, whole[6:, 6:], 1e-10)


def test_eccentric_pull() -> None:
    """A force along x at the nodes bends the beam beside them: u = FL/EA + Fe²L/EI, θ = FeL/EI about both axes."""
    section, offset, length, force = replace(SECTION, inertia_y=0.03), (0.2, 0.1), 1.5, 0.4
    prop = BeamProperty(MATERIAL, section, offset=offset)
    mesh = polyline(np.array([[0.0, 0, 0], [length, 0, 0]]), 3)
    beam = Body(
        "beam", mesh, (Region(prop),), (Clamp(0),), (NodeForce((length, 0.0), (force, 0, 0)),), space="spatial"
    )
    discrete = discretise(beam)
    delta = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    end = discrete.dofs.nodal(delta)[mesh.nearest_node((length, 0))]
    E = MATERIAL.young
    about_z, about_y = E * section.inertia_z, E * section.inertia_y
    stretch = force * length / (E * section.area)
    # the force acts at −offset from the centroid
    assert end[0] == pytest.approx(
        stretch + force * length * (offset[0] ** 2 / about_z + offset[1] ** 2 / about_y), rel=1e-11
    )
    assert end[5] == pytest.approx(force * offset[0] * length / about_z, rel=1e-11)
    assert end[4] == pytest.approx(-force * offset[1] * length / about_y, rel=1e-11)
