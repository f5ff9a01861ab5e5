"""Rigid and mean couplings, springs to the frame and point masses with inertia against exact solutions."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.geometric import geometric_stiffness
from tests.rounding import ROUNDING

import flexframe as ff
from flexframe.assembly.couplings import coupling_constraints
from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.equations.bodies import equations_of_motion
from flexframe.errors import InputError
from flexframe.formalisms.bodies import assembled_equations
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.maths.arrays import Array
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, line, rectangle
from flexframe.mesh.cells import HEXAHEDRON
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import (
    Clamp,
    EquationCoupling,
    Fix,
    FrameSpring,
    MeanCoupling,
    Pin,
    RigidCoupling,
    Roller,
)
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.reduced_body import reduced_body
from flexframe.reduction.second_order import second_order_fields
from flexframe.reduction.strategies import Modal

MATERIAL = ff.Material(young=2.0e3, poisson=0.3, density=3.0)
LENGTHS = (2.0, 0.7, 0.5)
HUB = (2.6, 0.2, 0.9)
FORCE, MOMENT = np.array([3.0, -2.0, 1.0]), np.array([0.4, 0.9, -0.7])


def solid(shape: str = "hexahedron", order: int = 2, **parts) -> Body:
    """A block with a point beside its right end."""
    mesh = with_points(block(LENGTHS, (3, 2, 2), order=order, shape=shape), {"hub": parts.pop("hub", HUB)})
    return replace(Body.solid("block", mesh, material=MATERIAL), **parts)


def moments(points: Array, forces: Array) -> Array:
    return np.cross(points, forces[:, :3]).sum(axis=0) + forces[:, 3:].sum(axis=0)


@pytest.mark.parametrize("kind", [RigidCoupling, MeanCoupling])
def test_force_and_moment_on_a_reference_reach_the_support(kind) -> None:
    """Equilibrium: reactions balance the load in force and in moment about the origin; solver round-off 1e-10."""
    body = solid(
        supports=(Clamp("left"),),
        couplings=(kind("hub", "right"),),
        loads=(NodeForce("hub", tuple(FORCE), tuple(MOMENT)),),
    )
    result = ff.statics(body)
    points = body.mesh.points
    np.testing.assert_allclose(result.support_forces[:, :3].sum(axis=0), -FORCE, atol=1e-10)
    np.testing.assert_allclose(
        moments(points, result.support_forces), -(np.cross(HUB, FORCE) + MOMENT), atol=1e-10
    )
    # the supports hold the left end only; the coupling's own forces are not reactions
    assert np.abs(result.support_forces[points[:, 0] > 1e-9]).max() < 1e-10


def test_rigid_coupling_against_multipliers() -> None:
    """The same problem with Lagrange multipliers, K and constraints written out; condition 1e5 gives 1e-9."""
    body = solid(
        supports=(Clamp("left"),),
        couplings=(RigidCoupling("hub", "right"),),
        loads=(NodeForce("hub", tuple(FORCE), tuple(MOMENT)),),
    )
    discrete = discretise(body)
    result = ff.statics(discrete)
    points = body.mesh.points
    K, count = discrete.stiffness.toarray(), discrete.dofs.count
    hub = discrete.dofs.numbers[body.mesh.nodes_of("hub")[0]]
    rows = []
    for node in body.mesh.nodes_of("right"):
        arm = points[node] - HUB
        for i in range(3):
            row = np.zeros(count)
            row[discrete.dofs.numbers[node, i]] = -1
            row[hub[i]] = 1
            for j in range(3):
                row[hub[3 + j]] = np.cross(np.eye(3)[j], arm)[i]
            rows.append(row)
    for node in body.mesh.nodes_of("left"):
        rows += list(np.eye(count)[discrete.dofs.numbers[node, :3]])
    A = np.array(rows)
    load = np.zeros(count)
    load[hub] = [*FORCE, *MOMENT]
    zero = np.zeros((len(A), len(A)))
    solved = np.linalg.solve(np.block([[K, A.T], [A, zero]]), np.append(load, np.zeros(len(A))))[:count]
    expected = discrete.dofs.nodal(solved)
    assert np.abs(result.displacements - expected).max() < 1e-9 * np.abs(expected).max()


def test_offset_load_on_a_cantilever() -> None:
    """Euler–Bernoulli with a rigid arm a across its tip: u = Fa·L/EI·…, exact up to the solver's round-off.

    A force F along x at the end of the arm along y makes the moment −F a about z: v = −F a L²/2EI, θ = −F a L/EI,
    and the arm's end moves along x by F L/EA − θ a.
    """
    length, arm, force = 1.5, 0.25, 7.0
    section = ff.Rectangle(0.02, 0.03)
    mesh = with_points(line(length, 3), {"arm": (length, arm, 0.0)})
    steel = ff.STEEL
    body = Body(
        "beam",
        mesh,
        (Region(ff.materials.BeamProperty(steel, section), family="euler_bernoulli_beam"),),
        supports=(Clamp("start"),),
        couplings=(RigidCoupling("arm", "end"),),
        loads=(NodeForce("arm", (force, 0.0, 0.0)),),
        space="spatial",
    )
    moved = ff.statics(body).displacements
    tip, end = moved[mesh.nodes_of("end")[0]], moved[mesh.nodes_of("arm")[0]]
    EI, EA = steel.young * section.inertia_z, steel.young * section.area
    theta = -force * arm * length / EI
    assert tip[1] == pytest.approx(-force * arm * length**2 / (2 * EI), rel=1e-10)
    assert tip[5] == pytest.approx(theta, rel=1e-10)
    assert end[0] == pytest.approx(force * length / EA - theta * arm, rel=1e-10)
    np.testing.assert_allclose(end[3:], tip[3:], rtol=0, atol=ROUNDING * np.abs(tip[3:]).max())


@pytest.mark.parametrize(("shape", "order"), [("hexahedron", 1), ("hexahedron", 2), ("tetra", 2), ("wedge", 2)])
def test_mean_coupling_spreads_a_force_evenly(shape: str, order: int) -> None:
    """A force through the centre, weights by area: σ = F/A everywhere, u = FL/EA, and ν contracts it; 1e-10."""
    area, force = LENGTHS[1] * LENGTHS[2], 5.0
    centre = (LENGTHS[0], LENGTHS[1] / 2, LENGTHS[2] / 2)
    body = solid(
        shape,
        order,
        hub=centre,
        supports=(Roller("left", (1, 0, 0)), Roller("front", (0, 1, 0)), Roller("bottom", (0, 0, 1))),
        couplings=(MeanCoupling("hub", "right", weighting="area"),),
        loads=(NodeForce("hub", (force, 0.0, 0.0)),),
    )
    result = ff.statics(body)
    sigma = force / area
    np.testing.assert_allclose(result.stress_values["sxx"], sigma, rtol=1e-10)
    for other in ("syy", "szz", "sxy", "syz", "szx"):
        assert np.abs(result.stress_values[other]).max() < 1e-10 * sigma
    hub = result.displacements[body.mesh.nodes_of("hub")[0]]
    strain = sigma / MATERIAL.young
    expected = strain * np.array([LENGTHS[0], -0.3 * centre[1], -0.3 * centre[2]])
    np.testing.assert_allclose(hub[:3], expected, rtol=1e-10)
    assert np.abs(hub[3:]).max() < 1e-10 * strain


@pytest.mark.parametrize("weighting", ["nodes", "area"])
def test_mean_coupling_follows_a_rigid_motion(weighting: str) -> None:
    """Nodes that turn rigidly take the reference with them, and the coupling leaves six fewer coordinates."""
    body = solid(couplings=(MeanCoupling("hub", "right", weighting=weighting),))
    discrete = discretise(body)
    fields = rigid_displacements(discrete.dofs, body.mesh.points)
    couplings = discrete.supports.couplings
    assert couplings is not None
    # sums of some twenty products of order one
    np.testing.assert_allclose(couplings.explicit @ fields[couplings.independent], fields, atol=1e-12)
    assert discrete.supports.size == discrete.dofs.count - 6


def test_mean_of_displacements_alone() -> None:
    """Two nodes on a line have no mean rotation, but their mean displacement can be tied and held."""
    mesh = with_points(rectangle(1.0, 1.0, (1, 1), order=1), {"middle": (1.0, 0.5)})
    plate = Body.plane("plate", mesh, material=MATERIAL, thickness=0.1)
    held = replace(
        plate,
        couplings=(MeanCoupling("middle", "right", dofs=("ux", "uy")),),
        supports=(Pin("middle"), Fix("bottom_left", ("ux", "uy"))),
        loads=(NodeForce("top_right", (1.0, 0.0)),),
    )
    moved = ff.statics(held).displacements[mesh.nodes_of("right")]
    assert np.abs(moved.mean(axis=0)[:2]).max() < ROUNDING * np.abs(moved).max()
    assert np.abs(moved[:, :2]).max() > 1e-4


# ---------------------------------------------------------------------- springs


def test_block_on_springs() -> None:
    """F = k u: a rigid coupling carries the block; its displacement is (F/k, …, M/κ) on six springs; 1e-9."""
    k, kappa = (10.0, 20.0, 40.0), (3.0, 5.0, 7.0)
    body = solid(
        couplings=(RigidCoupling("hub", "right"),),
        springs=(FrameSpring("hub", k, kappa),),
        loads=(NodeForce("hub", tuple(FORCE), tuple(MOMENT)),),
    )
    result = ff.statics(body)
    hub = result.displacements[body.mesh.nodes_of("hub")[0]]
    np.testing.assert_allclose(hub, np.concatenate([FORCE / k, MOMENT / kappa]), rtol=1e-9)
    assert not result.relief.any()  # held by its springs, not by its inertia


def test_free_in_the_directions_without_springs() -> None:
    """Springs along x and y at one node leave four rigid motions of a solid."""
    body = solid(couplings=(RigidCoupling("hub", "right"),), springs=(FrameSpring("hub", (1.0, 2.0, 0.0)),))
    assert discretise(body).equilibrium.rigid.shape[1] == 4


def test_damped_oscillation_on_a_spring() -> None:
    """A stiff block that slides along x: λ = −ζω₀ ± iω₀√(1−ζ²), ω₀² = k/m; its elasticity counts 1e-7."""
    stiff = ff.Material(young=1e9, poisson=0.3, density=3.0)
    mesh = with_points(block((1.0, 1.0, 1.0), (1, 1, 1)), {"hub": (0.0, 0.5, 0.5)})
    body = replace(
        Body.solid("block", mesh, material=stiff),
        couplings=(RigidCoupling("hub", "left"),),
        supports=(Fix("hub", ("uy", "uz", "rx", "ry", "rz")),),
        springs=(FrameSpring("hub", stiffness=(50.0, 0, 0), damping=(4.0, 0, 0)),),
    )
    first = ff.modes(body, count=1).eigenvalues[0]
    omega = np.sqrt(50.0 / 3.0)
    zeta = 4.0 / (2 * 3.0 * omega)
    assert first == pytest.approx(-zeta * omega + 1j * omega * np.sqrt(1 - zeta**2), rel=1e-6)


# ---------------------------------------------------------------------- point masses with inertia


def test_cantilever_with_a_heavy_tip() -> None:
    """Euler–Bernoulli with tip mass μ = M/ρAL and inertia j = I/ρAL³, roots of the frequency equation of the text.

    From v = cosh − cos + … with EIv''(L) = ω²I v'(L), EIv'''(L) = −ω²M v(L). Sixteen elements: 1e-6.
    """
    length, section = 1.0, ff.Rectangle(0.02, 0.02)
    rho_a = ff.STEEL.density * section.area
    mass, inertia = 0.8 * rho_a * length, 0.05 * rho_a * length**3
    body = Body.beam(
        "rod",
        length=length,
        divisions=16,
        section=section,
        material=ff.STEEL,
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        supports=(Clamp("start"),),
    )
    tipped = replace(body, point_masses=(PointMass("end", mass, (inertia, inertia, inertia)),))
    found = ff.modes(tipped, count=3).frequencies_hz * 2 * np.pi

    def mismatch(beta: float) -> float:
        c, s, ch, sh = np.cos(beta), np.sin(beta), np.cosh(beta), np.sinh(beta)
        # v = A (cosh − cos) + B (sinh − sin) along βx/L
        v, slope = np.array([ch - c, sh - s]), beta * np.array([sh + s, ch - c])
        bending, shear = beta**2 * np.array([ch + c, sh + s]), beta**3 * np.array([sh - s, ch + c])
        rows = np.array([bending - beta**4 * 0.05 * slope, shear + beta**4 * 0.8 * v])
        return float(np.linalg.det(rows)) / np.exp(2 * beta)

    grid = np.linspace(0.3, 9, 400)
    values = [mismatch(b) for b in grid]
    roots = [
        brentq(mismatch, a, b)
        for a, b, fa, fb in zip(grid[:-1], grid[1:], values[:-1], values[1:], strict=True)
        if fa * fb < 0
    ][:3]
    exact = np.array(roots) ** 2 * np.sqrt(ff.STEEL.young * section.inertia_z / (rho_a * length**4))
    # the third mode is the least resolved
    np.testing.assert_allclose(found, exact, rtol=2e-5)


def test_inertia_tensor_equals_its_particles() -> None:
    """One point with mass and inertia tensor against particles on a rigid frame: every matrix of a general motion.

    Mass, Coriolis, Euler, centrifugal and geometric stiffness and the loads agree in the coordinates of the
    reference, so rotary inertia and the second-order motion of rigid arms are both right; round-off 1e-10.
    """
    rng = np.random.default_rng(3)
    offsets, masses = rng.standard_normal((5, 3)) * 0.3, rng.uniform(0.5, 2.0, 5)
    offsets -= masses @ offsets / masses.sum()
    tensor = sum(m * ((s @ s) * np.eye(3) - np.outer(s, s)) for m, s in zip(masses, offsets, strict=True))
    six = (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[1, 2], tensor[2, 0])
    bare = solid(supports=(Clamp("left"),), couplings=(RigidCoupling("hub", "right"),))
    compact = replace(bare, point_masses=(PointMass("hub", float(masses.sum()), six),))
    names = {f"p{i}": tuple(HUB + s) for i, s in enumerate(offsets)}
    mesh = with_points(bare.mesh, names)
    followers = np.concatenate([mesh.nodes_of("right"), *(mesh.nodes_of(name) for name in names)])
    spread = replace(
        bare,
        mesh=mesh.with_sets(node_sets={"all_followers": followers}),
        couplings=(RigidCoupling("hub", "all_followers"),),
        point_masses=tuple(PointMass(name, float(m)) for name, m in zip(names, masses, strict=True)),
    )
    motion = ff.FrameMotion(*rng.standard_normal((4, 3)))
    reduced = []
    for body in (compact, spread):
        discrete = discretise(body)
        made = equations_of_motion(discrete, motion)
        couplings = discrete.supports.couplings
        assert couplings is not None
        parts = {"mass": made.mass, **made.damping_parts, **made.stiffness_parts}
        # on the independent dofs, which are those of the block and the hub in the same order
        matrices = {k: (couplings.explicit.T @ (v @ couplings.explicit)).toarray() for k, v in parts.items()}
        loads = {k: couplings.explicit.T @ v for k, v in made.load_parts.items()}
        reduced.append((matrices, loads))
    (matrices, loads), (expected, expected_loads) = reduced
    assert set(matrices) == {"mass", "coriolis", "elastic", "geometric", "euler", "centrifugal"}
    for name, matrix in matrices.items():
        assert np.abs(matrix - expected[name]).max() < 1e-10 * np.abs(expected[name]).max(), name
    for name, load in loads.items():
        assert np.abs(load - expected_loads[name]).max() < 1e-10 * np.abs(expected_loads[name]).max(), name


def test_rigid_rotation_of_a_stressed_body_with_a_rigid_part() -> None:
    """Turning a loaded body only turns its forces, k_g r = θ × f, also where nodes follow a reference.

    The reference carries no moment, so nothing acts on its rotation. Constraint of k, 1e3: 1e-10.
    """
    rng = np.random.default_rng(9)
    body = solid(couplings=(RigidCoupling("hub", "right"),))
    points = body.mesh.points
    loaded = np.append(body.mesh.nodes_of("left"), body.mesh.nodes_of("hub"))
    fields = np.concatenate([np.tile(np.eye(3), (len(loaded), 1, 1)), _turns(points[loaded])], axis=2).reshape(
        -1, 6
    )
    forces = rng.standard_normal(3 * len(loaded))
    forces = (forces - fields @ np.linalg.lstsq(fields, forces, rcond=None)[0]).reshape(-1, 3)
    loads = tuple(NodeForce(int(node), tuple(f)) for node, f in zip(loaded, forces, strict=True))
    discrete = discretise(replace(body, loads=loads))
    K_g = geometric_stiffness(discrete, ff.FrameMotion())
    couplings = discrete.supports.couplings
    assert couplings is not None
    rigid = rigid_displacements(discrete.dofs, points)
    for axis in range(3):
        turned = np.zeros((len(points), 6))
        turned[loaded, :3] = np.cross(np.eye(3)[axis], forces)
        expected = couplings.explicit.T @ turned[discrete.dofs.numbers >= 0]
        found = couplings.explicit.T @ (K_g @ rigid[:, 3 + axis])
        assert np.abs(found - expected).max() < 1e-10 * np.abs(K_g).max()


def _turns(points: Array) -> Array:
    """θ × x as matrices: (n, 3, 3)."""
    return np.stack([np.cross(np.eye(3)[i], points) for i in range(3)], axis=2)


# ---------------------------------------------------------------------- equations and chains


def _rows(body: Body, reference: str, on: str) -> EquationCoupling:
    """A rigid coupling of displacements written out as equations."""
    nodes, hub = body.mesh.nodes_of(on), int(body.mesh.nodes_of(reference)[0])
    arms = body.mesh.points[nodes] - body.mesh.points[hub]
    factors = np.zeros((len(nodes), 3, len(nodes) + 1, 6))
    for row, arm in enumerate(arms):
        factors[row, :, row, :3] = np.eye(3)
        factors[row, :, -1, :3] = -np.eye(3)
        factors[row, :, -1, 3:] = -np.cross(np.eye(3), arm).T  # θ × r
    return EquationCoupling((on, reference), factors.reshape(3 * len(nodes), -1))


def test_equations_equal_a_rigid_coupling() -> None:
    """Displacements and reactions under a force and a moment; solver round-off and condition, 1e-9."""
    parts = {"supports": (Clamp("left"),), "loads": (NodeForce("hub", tuple(FORCE), tuple(MOMENT)),)}
    rigid = ff.statics(solid(couplings=(RigidCoupling("hub", "right"),), **parts))
    bare = solid(**parts)
    same = ff.statics(replace(bare, couplings=(_rows(bare, "hub", "right"),)))
    size = np.abs(rigid.displacements).max()
    assert np.abs(same.displacements - rigid.displacements).max() < 1e-9 * size
    np.testing.assert_allclose(same.support_forces, rigid.support_forces, atol=1e-9 * np.abs(FORCE).max())


def test_redundant_equations_of_followers() -> None:
    """Equations that repeat what a rigid coupling says change nothing; 1e-10 of the displacements."""
    parts = {"supports": (Clamp("left"),), "loads": (NodeForce("hub", tuple(FORCE), tuple(MOMENT)),)}
    rigid = solid(couplings=(RigidCoupling("hub", "right"),), **parts)
    again = replace(rigid, couplings=(*rigid.couplings, _rows(rigid, "hub", "right")))
    discrete = discretise(again)
    assert discrete.supports.size == discretise(rigid).supports.size
    found, expected = ff.statics(discrete).displacements, ff.statics(rigid).displacements
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


def test_random_equations_against_multipliers() -> None:
    """Forty sparse equations of four terms with random factors; K with multipliers written out, condition 1e-8."""
    rng = np.random.default_rng(5)
    body = solid(supports=(Clamp("left"),), loads=(NodeForce("right", tuple(FORCE)),))
    nodes = np.setdiff1d(np.arange(body.mesh.node_count - 1), body.mesh.nodes_of("left"))
    equations = []
    for _ in range(40):
        chosen, dofs = rng.choice(nodes, 4, replace=False), rng.choice(["ux", "uy", "uz"], 4)
        terms = zip(chosen.tolist(), dofs.tolist(), rng.normal(size=4).tolist(), strict=True)
        equations.append(EquationCoupling.of_terms(list(terms)))
    body = replace(body, couplings=tuple(equations))
    discrete = discretise(body)
    found = ff.statics(discrete).displacements
    left = discrete.dofs.numbers[body.mesh.nodes_of("left"), :3].ravel()
    A = np.vstack([coupling_constraints(body, discrete.dofs).toarray(), np.eye(discrete.dofs.count)[left]])
    zero = np.zeros((len(A), len(A)))
    load = np.append(discrete.loads.forces, np.zeros(len(A)))
    solved = np.linalg.solve(np.block([[discrete.stiffness.toarray(), A.T], [A, zero]]), load)
    expected = discrete.dofs.nodal(solved[: discrete.dofs.count])
    assert np.abs(found - expected).max() < 1e-8 * np.abs(expected).max()


def _chained() -> tuple[Body, Body]:
    """Two ways to say the same: the end follows a hub that follows a far point, or all follow that."""
    mesh = with_points(block(LENGTHS, (3, 2, 2)), {"hub": HUB, "far": (3.1, -0.4, 0.6), "aside": (2.2, 0.9, 0.1)})
    everything = np.concatenate([mesh.nodes_of(name) for name in ("right", "hub", "aside")])
    bare = replace(
        Body.solid("block", mesh.with_sets(node_sets={"everything": everything}), material=MATERIAL),
        supports=(Clamp("left"),),
        point_masses=(PointMass("hub", 0.7), PointMass("aside", 0.3)),
        loads=(NodeForce("aside", tuple(FORCE)),),
    )
    chain = (RigidCoupling("hub", "right"), RigidCoupling("far", "hub"), RigidCoupling("hub", "aside"))
    return replace(bare, couplings=chain), replace(bare, couplings=(RigidCoupling("far", "everything"),))


def test_rigid_couplings_in_a_chain() -> None:
    """Every matrix of a general motion, also by a formalism, as with one coupling; round-off 1e-10."""
    motion = ff.FrameMotion(*np.random.default_rng(4).standard_normal((4, 3)))
    found = []
    for body in _chained():
        discrete = discretise(body)
        couplings = discrete.supports.couplings
        assert couplings is not None
        made = equations_of_motion(discrete, motion)
        parts = {"mass": made.mass, **made.damping_parts, **made.stiffness_parts}
        parts["by a formalism"] = assembled_equations(numeric_formalisms()[0], discrete, motion).stiffness
        far = np.isin(couplings.independent, discrete.dofs.numbers[body.mesh.nodes_of("far")[0]])
        order = np.argsort(far, kind="stable")
        T = couplings.explicit[:, order]
        found.append({name: (T.T @ (part @ T)).toarray() for name, part in parts.items()})
    for name, matrix in found[0].items():
        assert np.abs(matrix - found[1][name]).max() < 1e-10 * np.abs(matrix).max(), name


def test_second_order_of_a_chain() -> None:
    """∫ρ G and ∫ρ x G of the field at the nodes and from unit loads; twice the condition of k, 1e-10."""
    attached = attach(_chained()[0])
    basis = reduction_basis(attached, Modal(3))
    body, second = reduced_body(attached, basis), second_order_fields(attached, basis)
    r, t = second.pairs.T
    g, H = second.origin_coupling[..., 3:], second.position_coupling[..., 3:]
    scale = np.abs(body.position_quadratic).max()
    np.testing.assert_allclose(g, body.origin_quadratic[..., r, t], atol=1e-10 * scale)
    np.testing.assert_allclose(H, body.position_quadratic[..., r, t], atol=1e-10 * scale)


def test_stress_that_an_equation_carries_to_a_follower() -> None:
    """A block tied to nodes of another that follow a hub: turning the loaded whole only turns its forces.

    k_g r = θ × f holds if the arms of the rigid coupling know what the second block pulls with; 1e-10.
    """
    rng = np.random.default_rng(9)
    mesh = block((2.0, 0.7, 0.5), (4, 1, 1), order=1)
    cells, points = mesh.blocks[0].nodes, mesh.points
    at_face = np.flatnonzero(np.abs(points[:, 0] - 1.0) < 1e-9)
    copies = dict(zip(at_face.tolist(), range(len(points), len(points) + len(at_face)), strict=True))
    beyond = points[cells].mean(axis=1)[:, 0] > 1
    torn = np.where(beyond[:, None], np.vectorize(lambda node: copies.get(node, node))(cells), cells)
    mesh = ff.mesh.Mesh(np.concatenate([points, points[at_face]]), (CellBlock(HEXAHEDRON, torn),))
    mesh = with_points(mesh.with_sets(node_sets={"face": at_face}), {"hub": (1.4, 0.2, 0.9)})
    points = mesh.points
    equations = [
        EquationCoupling.of_terms([(copy, dof, 1.0), (node, dof, -1.0)])
        for node, copy in copies.items()
        for dof in ("ux", "uy", "uz")
    ]
    body = Body.solid("blocks", mesh, material=MATERIAL)
    loaded = np.append(np.flatnonzero((points[:, 0] < 1e-9) | (points[:, 0] > 1.9)), mesh.nodes_of("hub"))
    fields = np.concatenate([np.tile(np.eye(3), (len(loaded), 1, 1)), _turns(points[loaded])], axis=2).reshape(
        -1, 6
    )
    forces = rng.standard_normal(3 * len(loaded))
    forces = (forces - fields @ np.linalg.lstsq(fields, forces, rcond=None)[0]).reshape(-1, 3)
    loads = tuple(NodeForce(int(node), tuple(f)) for node, f in zip(loaded, forces, strict=True))
    body = replace(body, couplings=(*equations, RigidCoupling("hub", "face")), loads=loads)
    discrete = discretise(body)
    K_g = geometric_stiffness(discrete, ff.FrameMotion())
    couplings = discrete.supports.couplings
    assert couplings is not None
    rigid = rigid_displacements(discrete.dofs, points)
    for axis in range(3):
        turned = np.zeros((len(points), 6))
        turned[loaded, :3] = np.cross(np.eye(3)[axis], forces)
        expected = couplings.explicit.T @ turned[discrete.dofs.numbers >= 0]
        found = couplings.explicit.T @ (K_g @ rigid[:, 3 + axis])
        assert np.abs(found - expected).max() < 1e-10 * np.abs(K_g).max()


# ---------------------------------------------------------------------- refusals


def _error(make: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        make()
    return caught.value


def refused(**parts) -> str:
    with pytest.raises(InputError) as caught:
        discretise(solid(**parts))
    return str(caught.value)


def test_what_cannot_be_coupled_says_why() -> None:
    """Each message names the place and the way out."""
    twice = (RigidCoupling("hub", "right"), RigidCoupling((0.0, 0.0, 0.0), "right"))
    assert "follows in couplings 1 and 2" in refused(couplings=twice)
    circle = (RigidCoupling("hub", "right"), MeanCoupling("hub", "right"))
    assert "over other couplings, itself" in refused(couplings=circle)
    assert "selects 21 nodes and has 6 factors" in refused(couplings=(EquationCoupling(("right",), np.ones(6)),))
    assert "u1" in str(_error(lambda: EquationCoupling.of_terms([("hub", "u1", 1.0)])))
    assert "other than zero" in str(_error(lambda: EquationCoupling(("hub",), np.zeros(6))))
    assert "lie on one line" in refused(couplings=(MeanCoupling("hub", (0.0, 0.0, 0.0)),))
    assert "give one" in refused(couplings=(RigidCoupling("left", "right"),))
    assert "no rotation" in refused(point_masses=(PointMass("left", 1.0, (1.0, 1.0, 1.0)),))
    assert "does not move" in refused(springs=(FrameSpring("left", rotational_stiffness=(1.0, 0, 0)),))
    assert "couple it" in refused(point_masses=(PointMass("hub", 1.0),))
    with pytest.raises(InputError, match="no body has it"):
        PointMass("hub", 1.0, (1.0, 1.0, 3.0))
    with pytest.raises(InputError, match="negative"):
        FrameSpring("hub", (-1.0, 0, 0))


def test_formalisms_see_springs_and_inertia() -> None:
    """Equations of a beam with a spring and a wheel at its end by a formalism, element by element; 1e-11."""
    body = Body.beam(
        "rod", length=1.0, divisions=3, section=ff.Rectangle(0.02, 0.03), material=ff.STEEL, space="spatial"
    )
    body = replace(
        body,
        supports=(Clamp("start"),),
        point_masses=(PointMass("end", 2.0, (0.02, 0.01, 0.015, 0.001, 0.0, 0.002)), PointMass(1, 0.5)),
        springs=(FrameSpring("end", (1e3, 2e3, 3e3), (10.0, 20.0, 30.0), (1.0, 2.0, 3.0)),),
        loads=(NodeForce("end", (0.0, 5.0, 1.0)),),
    )
    discrete = discretise(body)
    motion = ff.FrameMotion(*np.random.default_rng(2).standard_normal((4, 3)))
    expected = equations_of_motion(discrete, motion)
    for formalism in numeric_formalisms()[:2]:
        found = assembled_equations(formalism, discrete, motion)
        for name in ("mass", "damping", "stiffness"):
            mine, other = getattr(found, name), getattr(expected, name)
            assert abs(mine - other).max() < 1e-11 * abs(other).max(), name
        assert np.abs(found.load - expected.load).max() < 1e-11 * np.abs(expected.load).max()
