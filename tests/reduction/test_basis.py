"""Bases: exact static answers, convergence, reference conditions, interfaces of several nodes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.mesh.reference_points import with_points
from flexframe.model.supports import Clamp, MeanCoupling
from flexframe.reduction.accuracy import accuracy, mode_accuracy
from flexframe.reduction.attached import AttachedBody, ClampedFrame, MeanAxes, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.expansion import nodal_displacements, reduced_stress
from flexframe.reduction.interfaces import Interface, point_rows
from flexframe.reduction.strategies import STRATEGIES, CraigBampton, Guyan, Modal

from .samples import FREE, beam, clamped, frame, plate, solid

HELD = {
    "spatial beam": (clamped(beam()), "end"),
    "planar frame": (clamped(frame("planar")), "end"),
    "spatial frame": (clamped(frame()), "end"),
    "plate": (clamped(plate()), "right"),
    "solid": (clamped(solid()), "right"),
}
every_held_body = pytest.mark.parametrize("name", HELD)
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def held(name: str) -> AttachedBody:
    body, on = HELD[name]
    return attach(body, interfaces=[Interface("tip", on)])


# ---------------------------------------------------------------------- the contract of every strategy


@every_strategy
@every_held_body
def test_interface_forces_are_answered_exactly(name: str, strategy) -> None:
    """Static displacements under unit forces and moments at the interface, from the basis and from the whole body.

    Both are solutions of the same body; the condition of the small system, up to 1e6, leaves 1e-9.
    """
    attached = held(name)
    basis = reduction_basis(attached, strategy())
    forces = attached.rows.T.toarray()
    small = np.linalg.solve(basis.reduce(attached.discrete.stiffness), basis.reduce_vector(forces))
    expected = attached.discrete.equilibrium.solve(forces).displacements
    scale = np.abs(expected).max(axis=0)
    assert np.abs((basis.vectors @ small - expected) / scale).max() < 1e-8


@every_strategy
@pytest.mark.parametrize("name", ["spatial beam", "plate", "solid"])
def test_self_balanced_forces_on_a_free_body(name: str, strategy) -> None:
    """Pull at both ends: every strategy answers forces between interfaces of a free body exactly."""
    body = FREE[name]
    ends = ("start", "end") if "start" in body.mesh.node_sets else ("left", "right")
    attached = attach(body, interfaces=[Interface(end, end) for end in ends], reference=MeanAxes())
    basis = reduction_basis(attached, strategy())
    names = list(attached.row_names)
    forces = attached.rows.toarray()
    pull = forces[names.index(f"{ends[1]} ux")] - forces[names.index(f"{ends[0]} ux")]
    assert np.abs(attached.rigid.T @ pull).max() < 1e-12
    small = np.linalg.solve(basis.reduce(attached.discrete.stiffness), basis.reduce_vector(pull))
    expected = attached.discrete.equilibrium.solve(pull).displacements[:, 0]
    assert np.abs(basis.expand(small) - expected).max() < 1e-9 * np.abs(expected).max()


@every_strategy
@pytest.mark.parametrize("reference", [MeanAxes(), ClampedFrame("left")], ids=["mean axes", "clamped"])
def test_basis_obeys_the_reference_condition(strategy, reference) -> None:
    """No rigid motion is left: RᵀMV = 0, or V = 0 at the clamp; K and M of the basis are definite."""
    attached = attach(plate(), interfaces=[Interface("a", "left"), Interface("b", "right")], reference=reference)
    basis = reduction_basis(attached, strategy())
    K, M = (basis.reduce(matrix) for matrix in (attached.discrete.stiffness, attached.discrete.mass))
    size = np.sqrt(np.diagonal(M))
    rigid = attached.rigid
    assert rigid.shape[1] == (3 if isinstance(reference, MeanAxes) else 0)
    if rigid.shape[1]:
        heavy = np.sqrt(np.einsum("pr,pr->r", rigid, attached.discrete.mass @ rigid))
        momentum = rigid.T @ (attached.discrete.mass @ basis.vectors)
        assert np.abs(momentum / np.outer(heavy, size)).max() < 1e-12
    else:
        nodes = attached.discrete.body.selected_nodes("left")
        assert not nodal_displacements(attached.discrete, basis, np.eye(basis.size))[:, nodes].any()
    for matrix in (K, M):
        scale = 1 / np.sqrt(np.diagonal(matrix))
        assert np.linalg.eigvalsh(matrix * np.outer(scale, scale))[0] > 1e-8


@every_strategy
def test_orthonormal_basis_is_the_same_space(strategy) -> None:
    """Diagonal matrices with the eigenvalues of the first basis, and its projector."""
    attached = held("plate")
    plain, modal = (reduction_basis(attached, strategy(), orthonormal=flag) for flag in (False, True))
    values = (2 * np.pi * np.array([c.frequency_hz for c in modal.coordinates])) ** 2
    np.testing.assert_allclose(modal.reduce(attached.discrete.mass), np.eye(plain.size), atol=1e-10)
    np.testing.assert_allclose(
        modal.reduce(attached.discrete.stiffness) / values[-1], np.diag(values) / values[-1], atol=1e-10
    )
    amounts = np.linalg.lstsq(plain.vectors, modal.vectors, rcond=None)[0]
    assert np.abs(plain.vectors @ amounts - modal.vectors).max() < 1e-9 * np.abs(modal.vectors).max()


# ---------------------------------------------------------------------- single strategies


@every_held_body
def test_guyan_coordinates_are_interface_displacements(name: str) -> None:
    """L V = 1, and the reduced stiffness is the inverse of the interface flexibility."""
    attached = held(name)
    basis = reduction_basis(attached, Guyan())
    np.testing.assert_allclose(attached.rows @ basis.vectors, np.eye(basis.size), atol=1e-9)
    flexibility = attached.rows @ attached.attachments
    product = basis.reduce(attached.discrete.stiffness) @ flexibility
    np.testing.assert_allclose(product, np.eye(basis.size), atol=1e-7)


def test_guyan_of_a_cantilever() -> None:
    """Tip stiffness of an Euler–Bernoulli cantilever, EI/L³ [12, −6L; −6L, 4L²], exact for the elements."""
    body = beam("planar", theory="euler_bernoulli", supports=(Clamp("start"),))
    attached = attach(body, interfaces=[Interface("tip", "end")])
    basis = reduction_basis(attached, Guyan())
    prop, L = body.regions[0].prop, 1.5
    EA, EI = prop.material.young * prop.section.area, prop.material.young * prop.section.inertia_z  # type: ignore[attr-defined]
    expected = np.array([[EA / L, 0, 0], [0, 12 * EI / L**3, -6 * EI / L**2], [0, -6 * EI / L**2, 4 * EI / L]])
    np.testing.assert_allclose(basis.reduce(attached.discrete.stiffness), expected, atol=1e-9 * EA)
    assert [c.label for c in basis.coordinates] == ["tip ux", "tip uy", "tip rz"]


@pytest.mark.parametrize("name", ["spatial beam", "plate", "solid"])
def test_craig_bampton_converges_from_above(name: str) -> None:
    """Six frequencies fall towards those of the body as modes are added, to 2 % of the error of three modes.

    Each basis contains the one before, so that no frequency can rise (Courant–Fischer), up to rounding.
    """
    attached = held(name)
    errors = [
        mode_accuracy(attached, reduction_basis(attached, CraigBampton(k)), 6).errors for k in (3, 6, 12, 24)
    ]
    for less, more in pairwise(errors):
        assert (more < less + 1e-10).all()
    assert (errors[-1] > -1e-9).all()
    assert errors[-1].max() < 0.02 * errors[0].max()
    assert errors[-1][:3].max() < 1e-4


def test_craig_bampton_with_all_modes_is_the_body() -> None:
    """As many modes as there are: every frequency is that of the body, to 1e-7 (condition of the pencil)."""
    body = clamped(plate((2, 1)))
    attached = attach(body, interfaces=[Interface("corner", (1.5, 0.4))])
    size = attached.discrete.supports.size
    basis = reduction_basis(attached, CraigBampton(size - 2))
    assert basis.size == size
    found = mode_accuracy(attached, basis, size)
    np.testing.assert_allclose(found.frequencies_hz, found.full_hz, rtol=1e-7)


def bending_values(found_hz, body) -> np.ndarray:
    """Angular frequencies in units of √(EI/ρAL⁴)."""
    prop = body.regions[0].prop
    stiff, heavy = prop.material.young * prop.section.inertia_z, prop.material.density * prop.section.area
    return np.asarray(found_hz) * 2 * np.pi * 1.5**2 / np.sqrt(stiff / heavy)


def require_bending(found: np.ndarray, beta: float, divisions: int) -> None:
    """One of the values is β²; cubic elements are high by (βh)⁴/1440 (their frequency by half of (βh)⁴/720)."""
    assert np.abs(found / beta**2 - 1).min() < 1.2 * (beta / divisions) ** 4 / 1440


def test_fixed_interface_modes() -> None:
    """Modes of a beam held at its start with its end held as well are those of the clamped–clamped beam."""
    body = beam("planar", 16, theory="euler_bernoulli", rotary_inertia=0.0, supports=(Clamp("start"),))
    attached = attach(body, interfaces=[Interface("end", "end")])
    found = bending_values(attached.modes(4, interfaces_held=True).frequencies_hz, body)
    for beta in (4.73004074, 7.85320462, 10.99560784):
        require_bending(found, beta, 16)


@pytest.mark.parametrize("reference", [MeanAxes(), ClampedFrame("left")], ids=["free", "held"])
def test_modes_of_a_large_body_are_those_by_lapack(reference) -> None:
    """A plate above the size where block Lanczos takes over, with and without its interface held."""
    attached = attach(plate((30, 8)), interfaces=[Interface("tip", "right")], reference=reference)
    assert attached.discrete.supports.size > 500
    for flag in (False, True):
        found = attached.modes(6, interfaces_held=flag)
        values, _ = attached._dense_modes(6, interfaces_held=flag)
        np.testing.assert_allclose(found.frequencies_hz, np.sqrt(values) / (2 * np.pi), rtol=1e-9)
        held_rows = attached.rows @ found.vectors
        assert not flag or np.abs(held_rows).max() < 1e-8 * np.abs(found.vectors).max()


def test_one_interface_of_a_free_body_is_a_rigid_motion() -> None:
    """Its static shapes carry no strain, so that mean axes leave the modes alone."""
    attached = attach(solid(), interfaces=[Interface("flange", "right", "rigid")], reference=MeanAxes())
    basis = reduction_basis(attached, CraigBampton(3))
    assert [c.kind for c in basis.coordinates] == ["mode"] * 3


def test_free_modes_of_a_beam() -> None:
    """βL of the free–free Euler–Bernoulli beam."""
    body = beam("planar", 16, theory="euler_bernoulli", rotary_inertia=0.0)
    basis = reduction_basis(attach(body, reference=MeanAxes()), Modal(4))
    found = bending_values([c.frequency_hz for c in basis.coordinates], body)
    for beta in (4.73004074, 7.85320462, 10.99560784):
        require_bending(found, beta, 16)


def test_inertia_shapes_complete_the_basis() -> None:
    """With the static answers to unit inertia loads these loads are answered exactly, 1e-6 = √rounding."""
    attached = held("plate")
    without, with_them = (
        accuracy(attached, reduction_basis(attached, Modal(3), inertia_shapes=flag)) for flag in (False, True)
    )
    assert max(without.inertia_loads.values()) > 0.05
    assert max(with_them.inertia_loads.values()) < 1e-5


# ---------------------------------------------------------------------- interfaces


def test_mean_interface_is_the_mean_coupling() -> None:
    """Rows of a point beside a face against the coupling of the assembly (weighted least squares there)."""
    body, place = solid(), (1.8, 0.1, 0.25)
    rows = point_rows(body, discretise(body).dofs, Interface("P", "right", at=place)).rows.toarray()
    mesh = with_points(body.mesh, {"hub": place})
    coupled = discretise(replace(body, mesh=mesh, couplings=(MeanCoupling("hub", "right"),)))
    explicit = coupled.supports.couplings.explicit.toarray()
    (hub,) = mesh.nodes_of("hub")
    own = coupled.dofs.numbers[hub]
    others = np.setdiff1d(coupled.supports.couplings.independent, own)
    assert others.tolist() == list(range(rows.shape[1]))
    np.testing.assert_allclose(rows, explicit[own], atol=1e-12)


def test_mean_interface_of_a_rigid_motion() -> None:
    """The functionals give back any rigid motion of the body: u_P = a + θ × x_P."""
    attached = attach(solid(), interfaces=[Interface("face", "right"), Interface("edge", 3)])
    face = attached.interfaces[0]
    motion = np.random.default_rng(1).standard_normal(6)
    field = rigid_displacements(attached.discrete.dofs, attached.discrete.body.mesh.points) @ motion
    expected = np.concatenate([motion[:3] + np.cross(motion[3:], face.position), motion[3:]])
    np.testing.assert_allclose(face.rows @ field, expected, atol=1e-12)
    assert attached.interfaces[1].present.tolist() == [True] * 3 + [False] * 3


def test_rigid_interface_moves_its_nodes_as_one_piece() -> None:
    """Every field of the basis moves the face rigidly with its point: u = u_P + θ_P × (x − x_P)."""
    attached = attach(clamped(solid()), interfaces=[Interface("flange", "right", "rigid")])
    basis = reduction_basis(attached, CraigBampton(4))
    nodal = nodal_displacements(attached.discrete, basis, np.eye(basis.size))
    (flange,) = attached.interfaces
    nodes = attached.discrete.body.selected_nodes("right")
    arms = attached.discrete.body.mesh.points[nodes] - flange.position
    point = np.asarray(flange.rows @ basis.vectors).T
    expected = point[:, None, :3] + np.cross(point[:, None, 3:], arms[None])
    np.testing.assert_allclose(nodal[:, nodes, :3], expected, atol=1e-9 * np.abs(expected).max())


def test_clamped_frame_at_an_interface() -> None:
    """A frame that moves with a rigid flange: the flange rests in it and its rows drop out."""
    body = solid()
    attached = attach(
        body,
        interfaces=[Interface("root", "left", "rigid"), Interface("tip", "right")],
        reference=ClampedFrame("root"),
    )
    basis = reduction_basis(attached, Guyan())
    assert [c.label.split()[0] for c in basis.coordinates] == ["tip"] * 6
    assert not np.asarray(attached.interfaces[0].rows @ basis.vectors).any()
    assert attached.reference == "clamped at root"


# ---------------------------------------------------------------------- back to the mesh


def test_expansion_of_states_and_histories() -> None:
    """A history is expanded state by state, and the stress of a state is that of its displacements."""
    attached = held("plate")
    basis = reduction_basis(attached, CraigBampton(3))
    history = np.random.default_rng(2).standard_normal((4, basis.size))
    nodal = nodal_displacements(attached.discrete, basis, history)
    dofs = attached.discrete.dofs
    for state, field in zip(history, nodal, strict=True):
        single = nodal_displacements(attached.discrete, basis, state)
        np.testing.assert_allclose(single, field, atol=ROUNDING * np.abs(field).max())
        np.testing.assert_allclose(
            field[dofs.numbers >= 0], basis.vectors @ state, atol=1e-12 * np.abs(field).max()
        )
    assert nodal.shape == (4, attached.discrete.body.mesh.node_count, 6)
    # stress is linear: that of a sum of fields is the sum of theirs
    parts = [reduced_stress(attached.discrete, basis, row)[0].measures["sxx"] for row in np.eye(basis.size)]
    total = reduced_stress(attached.discrete, basis, history[0])[0].measures["sxx"]
    np.testing.assert_allclose(total, np.einsum("m,meg->eg", history[0], parts), atol=1e-10 * np.abs(total).max())
