"""Rayleigh damping: α m + β k of the elements alone, on rates relative to the frame, against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import linalg

import flexframe as ff
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.bodies import equations_of_motion
from flexframe.formalisms.bodies import assembled_equations, broken_equations, reduced_elements
from flexframe.formalisms.lagrange import Lagrange
from flexframe.multibody.links.link import ElasticLink, resting_history
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.reduced_body import reduced_body
from flexframe.reduction.strategies import Modal

ALPHA, BETA = 7.0, 3e-4
UNIT = np.finfo(float).eps


def bare_beam(**more: object) -> ff.Body:
    """Four elements of steel without anything at their nodes."""
    beam = ff.Body.beam(
        "beam", length=0.8, divisions=4, section=ff.Rectangle(width=0.02, height=0.01), material=ff.STEEL
    )
    return replace(beam, **more)


def dressed_beam(**more: object) -> ff.Body:
    """The same with a spring, a damper, point masses with and without inertia, and damping of its elements."""
    return bare_beam(
        springs=(ff.supports.FrameSpring("end", stiffness=(0, 5e3, 0), damping=(0, 4.0, 0)),),
        point_masses=(ff.PointMass("end", 0.3), ff.PointMass(2, 0.2, inertia=(1e-3, 1e-3, 1e-3))),
        damping=ff.Damping(mass=ALPHA, stiffness=BETA),
        **more,
    )


def damper(discrete: DiscreteBody) -> np.ndarray:
    """The damper of the dressed beam: one entry on uy of the end."""
    full = np.zeros((discrete.dofs.count, discrete.dofs.count))
    place = next(i for i in range(len(full)) if discrete.dofs.place(i) == (4, "uy"))
    full[place, place] = 4.0
    return full


def expected(discrete: DiscreteBody) -> np.ndarray:
    """α m + β k of the bare beam and the damper."""
    bare = ff.discretise(bare_beam())
    return ALPHA * bare.mass.toarray() + BETA * bare.stiffness.toarray() + damper(discrete)


def close(found: np.ndarray, reference: np.ndarray) -> None:
    """Sums of a few dozen products, each rounded once."""
    assert np.abs(found - reference).max() <= 64 * UNIT * np.abs(reference).max()


def test_every_route_has_the_damping_of_the_elements_alone() -> None:
    """A clamped beam with a spring and point masses: neither of them is damped by α or β on any route."""
    discrete = ff.discretise(dressed_beam(supports=(ff.Clamp("start"),)))
    reference, still = expected(discrete), ff.FrameMotion()
    reduce = discrete.supports.basis.toarray()
    close(equations_of_motion(discrete, still).damping.toarray(), reference)
    close(assembled_equations(Lagrange(), discrete, still).damping.toarray(), reference)
    broken = broken_equations(Lagrange(), discrete, still)
    close((broken.spread.T @ broken.damping @ broken.spread).toarray(), reference)
    held = reduce.T @ reference @ reduce
    close(reduced_elements(discrete, still, reduce).damping[0], held)
    close(ElasticLink.attach(discrete).equations(resting_history(np.array([0.0]))).damping.toarray(), held)
    attached = attach(discrete)
    basis = reduction_basis(attached, Modal(4))
    close(reduced_body(attached, basis).damping, basis.vectors.T @ reference @ basis.vectors)


@pytest.mark.parametrize("free", ["wholly", "about a pin"])
def test_rigid_motion_of_a_free_body_is_not_damped(free: str) -> None:
    """C R = 0 on the rigid motions that nothing holds, and elastic modes have 2ζω = α + βω² of a bare beam."""
    supports = () if free == "wholly" else (ff.Pin("start"),)
    body = bare_beam(damping=ff.Damping(mass=ALPHA, stiffness=BETA), supports=supports)
    discrete = ff.discretise(body)
    C = discrete.supports.reduce_matrix(equations_of_motion(discrete, ff.FrameMotion()).damping).toarray()
    K, M = (discrete.supports.reduce_matrix(a).toarray() for a in (discrete.stiffness, discrete.mass))
    squares, modes = linalg.eigh(K, M)
    rigid = discrete.equilibrium.rigid.shape[1]
    assert rigid == (3 if free == "wholly" else 1)
    want = np.where(np.arange(len(squares)) < rigid, 0.0, ALPHA + BETA * squares)
    # modes are good to eps times the largest eigenvalue
    assert np.abs(modes.T @ C @ modes - np.diag(want)).max() <= 256 * UNIT * (ALPHA + BETA * squares[-1])
    broken = broken_equations(Lagrange(), discrete, ff.FrameMotion())
    for made in (
        assembled_equations(Lagrange(), discrete, ff.FrameMotion()).damping,
        broken.spread.T @ broken.damping @ broken.spread,
    ):
        close(discrete.supports.reduce_matrix(made).toarray(), C)


def test_mean_axes_see_the_same_damping() -> None:
    """A free body with point masses: P of the closed form and the basis of mean axes remove the same motion."""
    discrete = ff.discretise(replace(dressed_beam(), springs=()))
    attached = attach(discrete)
    basis = reduction_basis(attached, Modal(5))
    small = reduced_body(attached, basis)
    C = equations_of_motion(discrete, ff.FrameMotion()).damping
    close(small.damping, basis.vectors.T @ np.asarray(C @ basis.vectors))
    bare = ff.discretise(bare_beam())
    by_hand = ALPHA * bare.mass.toarray() + BETA * bare.stiffness.toarray()
    # modes are free of rigid motion to the accuracy of an eigenvector
    reference = basis.vectors.T @ by_hand @ basis.vectors
    assert np.abs(small.damping - reference).max() <= 1e-9 * np.abs(reference).max()


def test_a_large_free_body_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damping by mass of a free body fills the matrix; its reduced body needs no such matrix."""
    monkeypatch.setattr("flexframe.equations.damping._FULL", 10)
    discrete = ff.discretise(bare_beam(damping=ff.Damping(mass=ALPHA)))
    with pytest.raises(ff.AnalysisError, match="tie the body to its frame"):
        equations_of_motion(discrete, ff.FrameMotion())
    attached = attach(discrete)
    small = reduced_body(attached, reduction_basis(attached, Modal(2)))
    assert small.damping == pytest.approx(ALPHA * small.elastic_mass, rel=1e-9)
