"""Constraints: multipliers, least constraint, null spaces and independent speeds give one answer."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from flexframe.assembly.discrete import discretise
from flexframe.equations.bodies import equations_of_motion
from flexframe.formalisms.bodies import (
    assembled_equations,
    broken_equations,
    condensed_points,
    reduced_elements,
    support_constraint,
)
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.kane import Kane
from flexframe.formalisms.maggi import Maggi, allowed_motions
from flexframe.formalisms.references import closed_form
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.model.supports import Roller
from flexframe.motion.frame import FrameMotion

from .samples import blade, random_elements, random_motion, relative

every_formalism = pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda f: f.name)
MOTION = FrameMotion((3.0, -2.0, 30.0), (4.0, 5.0, -60.0), (7.0, 8.0, 9.0), (10.0, 11.0, 12.0))


@every_formalism
def test_general_constraints(formalism: Formalism) -> None:
    """Random M, A and rheonomic γ against the dense system with multipliers: condition below 1e3, 1e-11."""
    rng = np.random.default_rng(0)
    root = rng.standard_normal((9, 9))
    M, A, force, bias = root @ root.T + np.eye(9), rng.standard_normal((4, 9)), *rng.standard_normal((2, 9))
    bias = bias[:4]
    saddle = np.block([[M, -A.T], [A, np.zeros((4, 4))]])
    solution = np.linalg.solve(saddle, np.concatenate([force, -bias]))
    found = formalism.bound(sparse.csr_array(M), sparse.csr_array(A))(force, bias)
    assert relative(found.accelerations, solution[:9]) < 1e-11
    assert relative(found.joint_forces, A.T @ solution[9:]) < 1e-11
    assert np.abs(A @ found.accelerations + bias).max() < 1e-11


@pytest.mark.parametrize("name", ["gibbs_appell", "maggi", "kane", "hamilton", "whittaker"])
def test_redundant_constraints(name: str) -> None:
    """A row said twice changes nothing; joint forces stay unique although multipliers do not: 1e-11."""
    rng = np.random.default_rng(1)
    root = rng.standard_normal((7, 7))
    M, A, force = root @ root.T + np.eye(7), rng.standard_normal((3, 7)), rng.standard_normal(7)
    twice = np.vstack([A, A[0] - 2 * A[1]])
    formalism = next(f for f in numeric_formalisms() if f.name == name)
    once = formalism.bound(sparse.csr_array(M), sparse.csr_array(A))(force, np.zeros(3))
    again = formalism.bound(sparse.csr_array(M), sparse.csr_array(twice))(force, np.zeros(4))
    assert relative(again.accelerations, once.accelerations) < 1e-11
    assert relative(again.joint_forces, once.joint_forces) < 1e-11


def test_power_of_rheonomic_joints() -> None:
    """A q̇ + b = 0: joint forces have the power Q_Lᵀq̇ = −λᵀb, zero only for b = 0; round-off, 1e-12."""
    rng = np.random.default_rng(2)
    root = rng.standard_normal((6, 6))
    M, A, force, b, bias = (
        root @ root.T + np.eye(6),
        rng.standard_normal((2, 6)),
        *(rng.standard_normal(n) for n in (6, 2, 2)),
    )
    found = Maggi().bound(sparse.csr_array(M), sparse.csr_array(A))(force, bias)
    rates = np.linalg.lstsq(A, -b, rcond=None)[0] + allowed_motions(sparse.csr_array(A)) @ rng.standard_normal(4)
    multipliers = np.linalg.solve(A @ A.T, A @ found.joint_forces)
    assert found.joint_forces @ rates == pytest.approx(-multipliers @ b, rel=1e-12)
    assert (
        np.abs(allowed_motions(sparse.csr_array(A)).T @ found.joint_forces).max()
        < 1e-12 * np.abs(force).max() * 10
    )


def test_joins_are_zeros_and_ones() -> None:
    """The null space of a broken body is boolean, and B z reproduces δ at every copy exactly."""
    discrete = blade(3, space="spatial")
    broken = broken_equations(Maggi(), discrete, MOTION)
    basis = allowed_motions(broken.constraint)
    assert set(np.unique(basis.data)) == {1.0}
    assert basis.shape[1] == discrete.supports.size
    assert abs(broken.constraint @ basis).max() == 0
    # 3 beams of 12, of which the clamp holds 6 and 2 nodes are joined
    assert basis.shape[0] == 36
    assert broken.constraint.shape[0] == 2 * 6 + 6


@every_formalism
def test_supported_body(formalism: Formalism) -> None:
    """Accelerations and support forces of a blade with an inclined roller against dense elimination: 1e-10.

    The stiffness has entries of 1e9 and the accelerations are of that order over the mass; 1e-10 of the largest.
    """
    motion = FrameMotion((0, 0, 30.0)) if formalism.name == "whittaker" else MOTION
    plain = blade(3, space="spatial", force=(1.0, 2.0, 3.0))
    roller = Roller("end", (0.3, 0.8, 0.5))
    discrete = discretise(replace(plain.body, supports=(*plain.body.supports, roller)))
    reference = equations_of_motion(discrete, motion)
    rng = np.random.default_rng(4)
    B = discrete.supports.basis.toarray()
    d, v = (B @ rng.standard_normal(B.shape[1]) for _ in range(2))
    M = reference.mass.toarray()
    force = reference.load - reference.damping @ v - reference.stiffness @ d
    expected = B @ np.linalg.solve(B.T @ M @ B, B.T @ force)
    reactions = M @ expected - force
    for form in (assembled_equations, broken_equations):
        made = form(formalism, discrete, motion)
        if formalism.name == "lagrange" and form is broken_equations:
            assert np.linalg.matrix_rank(made.constraint.toarray()) == made.constraint.shape[0]
        solver = formalism.bound(made.mass, made.constraint)
        found = solver(made.force(made.spread @ d, made.spread @ v), np.zeros(made.constraint.shape[0]))
        assert relative(made.lift @ found.accelerations, expected) < 1e-10
        assert relative(made.spread.T @ found.joint_forces, reactions) < 1e-10


def test_support_rows_are_independent_and_complete() -> None:
    """A B = 0 and rank A + rank B = p with an inclined roller: orthonormal rows to 1e-12."""
    plain = blade(2, space="spatial")
    discrete = discretise(replace(plain.body, supports=(*plain.body.supports, Roller("end", (1.0, 2.0, 2.0)))))
    A = support_constraint(discrete.supports)
    assert A.shape[0] + discrete.supports.size == discrete.dofs.count
    assert np.abs(A.toarray() @ discrete.supports.basis.toarray()).max() < 1e-12
    assert np.abs(A.toarray() @ A.toarray().T - np.eye(7)).max() < 1e-12


def test_condensed_points_keep_all_integrals() -> None:
    """500 random points against the 4 + 3·2 that replace them: closed form equal to 1e-12."""
    rng = np.random.default_rng(6)
    elements, motion = random_elements(rng, elements=1, points=500, size=2), random_motion(rng)
    w, x, N = condensed_points([(elements.weights[0], elements.positions[0], elements.shape[0])])
    assert len(w) == 10
    few = replace(elements, weights=w[None], positions=x[None], shape=N[None])
    first, second = closed_form(elements, motion), closed_form(few, motion)
    for name in ("mass", "damping", "stiffness", "load"):
        assert relative(getattr(second, name), getattr(first, name)) < 1e-12


def test_reduced_body_is_a_projection() -> None:
    """The body as one element of a basis against ΦᵀMΦ … of the assembled closed form: 1e-11 of each."""
    discrete = blade(4, space="spatial", force=(1.0, 2.0, 3.0))
    rng = np.random.default_rng(7)
    basis = discrete.supports.expand(rng.standard_normal((discrete.supports.size, 3)))
    made = closed_form(reduced_elements(discrete, MOTION, basis), MOTION)
    reference = equations_of_motion(discrete, MOTION)
    assert relative(made.mass[0], basis.T @ (reference.mass @ basis)) < 1e-11
    assert relative(made.damping[0], basis.T @ (reference.damping @ basis)) < 1e-11
    assert relative(made.stiffness[0], basis.T @ (reference.stiffness @ basis)) < 1e-11
    assert relative(made.load[0], basis.T @ reference.load) < 1e-11


def test_groups_that_fit_into_memory_make_the_same_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """One element at a time, and a reduced body condensed to few points: the same equations to 1e-12."""
    discrete = blade(4, space="spatial", force=(1.0, 2.0, 3.0))
    basis = discrete.supports.expand(np.eye(discrete.supports.size)[:, :5])
    whole = assembled_equations(Kane(), discrete, MOTION)
    reduced = closed_form(reduced_elements(discrete, MOTION, basis), MOTION)
    monkeypatch.setattr("flexframe.formalisms.moving_elements.ROOM", 1)
    monkeypatch.setattr("flexframe.formalisms.bodies.POINTS", 1)
    pieces = assembled_equations(Kane(), discrete, MOTION)
    few = reduced_elements(discrete, MOTION, basis)
    assert few.weights.size <= 4 + 3 * 5
    for name in ("mass", "damping", "stiffness"):
        assert relative(getattr(pieces, name).toarray(), getattr(whole, name).toarray()) < 1e-12
        assert relative(getattr(closed_form(few, MOTION), name), getattr(reduced, name)) < 1e-12
    assert relative(pieces.load, whole.load) < 1e-12
    assert relative(closed_form(few, MOTION).load, reduced.load) < 1e-12
