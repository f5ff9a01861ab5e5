"""Projection gives the same class: supports, modes, sectors, reduced and rigid bodies."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.assembly.dofs import rigid_displacements
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations, frame_parts
from flexframe.multibody.links.joined_bodies import RigidPart
from flexframe.reduction.equations import reduced_affine_equations
from flexframe.reduction.reduced_body import reduce_body
from flexframe.reduction.strategies import Modal

from .samples import BODIES, TERMS, assert_equal, body, dense, motion


def assert_projected(small, whole, basis):
    """BᴴAB of every part: two sums over the unknowns, so that |B|ᵀ|A||B| bounds the size of the terms."""
    B, n = dense(basis), len(dense(basis))
    for ours, theirs in (
        ({"mass": small.mass}, {"mass": whole.mass}),
        (small.damping_parts, whole.damping_parts),
        (small.stiffness_parts, whole.stiffness_parts),
    ):
        assert set(ours) == set(theirs)
        for name, found in ours.items():
            A = dense(theirs[name])
            size = (np.abs(B).T @ np.abs(A) @ np.abs(B)).max()
            assert_equal(dense(found), B.conj().T @ A @ B, size, operations=4 * n)
    for name, found in small.load_parts.items():
        f = whole.load_parts[name]
        assert_equal(found, B.conj().T @ f, (np.abs(B).T @ np.abs(f)).max(), operations=4 * n)


@pytest.mark.parametrize("kind", ["supports", "dense", "sector"])
@pytest.mark.parametrize("name", BODIES)
def test_projection_of_an_instant_is_the_instant_of_the_projection(name, kind):
    discrete, rng = body(name), np.random.default_rng(4)
    equations = affine_equations(discrete, TERMS[1])
    shape = (discrete.dofs.count, 4)
    bases = {
        "supports": discrete.supports,
        "dense": rng.normal(size=shape),
        "sector": rng.normal(size=shape) + 1j * rng.normal(size=shape),
    }
    small = equations.project(bases[kind])
    assert isinstance(small, AffineEquations)
    basis = discrete.supports.basis if kind == "supports" else bases[kind]
    for seed in range(2):
        now = motion(discrete, seed)
        assert_projected(small.at(now), equations.at(now), basis)


def test_projections_follow_each_other():
    """Modes of a supported body: the projection of a projection."""
    discrete, rng = body("beam"), np.random.default_rng(6)
    V = rng.normal(size=(discrete.supports.size, 3))
    equations = affine_equations(discrete)
    now = motion(discrete, 1)
    both = equations.project(discrete.supports).project(V).at(now)
    assert_projected(both, equations.at(now), np.asarray(discrete.supports.basis @ V))


@pytest.mark.parametrize("terms", TERMS[:2], ids=str)
def test_a_reduced_body_has_the_projected_equations(terms):
    """Its own invariants on its basis, against the projection of all matrices.

    The quadratic field behind its geometric stiffness solves for the same unit loads; K is known to the condition
    of that solution, a few thousand for this mesh.
    """
    discrete = body("beam")
    reduced = reduce_body(discrete, Modal(4))
    V = reduced.basis.vectors
    now = motion(discrete, 2)
    own = reduced_affine_equations(reduced, terms).at(now)
    whole = affine_equations(discrete, terms).project(V).at(now)
    for ours, theirs in (
        (own.mass, whole.mass),
        (own.damping, whole.damping),
        (own.stiffness, whole.stiffness),
    ):
        assert_equal(ours, theirs, np.abs(theirs).max(), operations=1e6)
    assert_equal(own.load, whole.load, np.abs(whole.load).max(), operations=1e4)


def test_a_rigid_body_has_the_equations_of_rigid_motions():
    """Six displacements of a rigid part against a body projected on them, without elastic and geometric forces."""
    discrete = body("solid")
    inertia, rigid = discrete.inertia, rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    part = RigidPart.of(inertia.mass, inertia.centre_of_mass, inertia.inertia_tensor, np.arange(6))
    terms = ff.Terms(geometric=0.0)
    own = AffineEquations(6, tuple(frame_parts(part)), terms)
    whole = affine_equations(discrete, terms).project(rigid)
    now = motion(discrete, 3)
    ours, theirs = own.at(now), whole.at(now)
    for name in ("coriolis",):
        wanted = theirs.damping_parts[name]
        assert_equal(dense(ours.damping_parts[name]), wanted, np.abs(wanted).max(), operations=1e3)
    for name in ("euler", "centrifugal"):
        wanted = theirs.stiffness_parts[name]
        assert_equal(dense(ours.stiffness_parts[name]), wanted, np.abs(wanted).max(), operations=1e3)
    for name in ("euler", "centrifugal", "origin"):
        wanted = theirs.load_parts[name]
        assert_equal(ours.load_parts[name], wanted, np.abs(wanted).max(), operations=1e3)
