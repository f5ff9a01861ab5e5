"""The affine equations of a body against the sums written out from its invariants."""

from dataclasses import replace

import numpy as np
import pytest
from tests.dynamic_matrix import dynamic_matrix

import flexframe as ff
from flexframe.analyses.formalism_equations import choose_equations
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import SPEED, Monomial, OperatingPoint
from flexframe.equations.cycle import Combination
from flexframe.equations.damping import rayleigh_damping
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Once, Part
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.model.body import Damping

from .samples import BODIES, TERMS, assert_equal, body, dense, motion


def written_out(discrete, now, terms):
    """Named parts of C, K and f from W, E and W² themselves, as in the element equation."""
    inertia, known, W, E = discrete.inertia, discrete.geometric, now.W, now.E
    geometric = sum(amount * known.invariant(load) for load, amount in known.coefficients(now).items())
    C = {
        "coriolis": 2 * terms.coriolis * inertia.contraction(W),
        "structural": rayleigh_damping(discrete).matrix,
        "springs": discrete.spring_damping,
    }
    K = {
        "elastic": discrete.stiffness,
        "euler": terms.euler * inertia.contraction(E),
        "centrifugal": terms.centrifugal * inertia.contraction(W @ W),
        "geometric": terms.geometric * geometric,
    }
    f = {
        "euler": -terms.euler * inertia.position_load(E),
        "centrifugal": -terms.centrifugal * inertia.position_load(W @ W),
        "origin": -inertia.origin_load(now.origin_acceleration),
        "applied": discrete.loads.forces,
    }
    return C, K, f


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_parts_are_the_sums_written_out(name, terms):
    """Each named part is a sum of at most ten products of numbers of its own size."""
    discrete = body(name)
    for seed in range(3):
        now = motion(discrete, seed)
        found = affine_equations(discrete, terms).at(now)
        for parts, wanted in zip(
            (found.damping_parts, found.stiffness_parts, found.load_parts),
            written_out(discrete, now, terms),
            strict=True,
        ):
            assert set(parts) == {part for part, value in wanted.items() if abs(dense(value)).max() > 0}
            for part, value in parts.items():
                assert_equal(dense(value), dense(wanted[part]), abs(dense(wanted[part])).max())
        assert found.mass is discrete.mass


@pytest.mark.parametrize("name", BODIES)
def test_one_pattern_for_all_instants(name):
    """Along a motion that starts at rest the sums are those of single instants, in any order of the instants."""
    discrete = body(name)
    equations = affine_equations(discrete, TERMS[1]).project(discrete.supports)
    combined = Combination(equations)
    for now in (ff.FrameMotion(), motion(discrete, 1), ff.FrameMotion(), motion(discrete, 2)):
        totals, wanted = combined.at(now), equations.at(now)
        for ours, theirs in ((totals.damping, wanted.damping), (totals.stiffness, wanted.stiffness)):
            assert_equal(ours.toarray(), theirs.toarray(), abs(theirs).max())
        assert_equal(totals.load, wanted.load, np.abs(wanted.load).max())
        assert combined.at(now) is totals


@pytest.mark.parametrize("name", BODIES)
def test_arrays_of_motions_are_the_single_ones(name):
    discrete = body(name)
    motions = [motion(discrete, seed) for seed in range(4)]
    equations = affine_equations(discrete, TERMS[1]).project(discrete.supports)
    points, rng = OperatingPoint.along(motions), np.random.default_rng(0)
    u = rng.normal(size=(4, equations.size))
    K, C, f = equations.matrices(STIFFNESS, points), equations.matrices(DAMPING, points), equations.loads(points)
    forces = equations.apply(STIFFNESS, points, u)
    merged = equations.active(points).merge()
    for i, now in enumerate(motions):
        single = equations.at(now)
        for ours, theirs in ((C[i], single.damping), (K[i], single.stiffness)):
            assert_equal(ours, theirs.toarray(), abs(theirs).max())
        assert_equal(f[i], single.load, np.abs(single.load).max())
        for order, theirs in ((DAMPING, single.damping), (STIFFNESS, single.stiffness)):
            assert_equal(merged.matrix(order, now).toarray(), theirs.toarray(), abs(theirs).max())
        varying = single.stiffness - equations.stiffness
        # K − k loses what k is larger than the rest, and a row has as many products as unknowns
        assert_equal(forces[i], varying @ u[i], abs(single.stiffness).max() * np.abs(u[i]).sum())


@pytest.mark.parametrize("route", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("name", BODIES)
def test_agreement_with_the_formalisms(name, route):
    """M, C, K, f of each formalism; sums over a few hundred integration points, in its own order."""
    discrete = body(name)
    if route.name == "whittaker":  # it allows no damping
        discrete = undamped(name)
    now = motion(discrete, 5, steady=True)
    theirs = choose_equations(discrete, now, ff.Terms(), route.name)
    ours = affine_equations(discrete).at(now)
    for found, wanted in (
        (theirs.mass, ours.mass),
        (theirs.damping, ours.damping),
        (theirs.stiffness, ours.stiffness),
    ):
        # prestress comes from a static solution whose condition is that of the stiffness of a few elements, 1e4
        assert_equal(dense(found), dense(wanted), abs(wanted).max(), operations=1e6)
    assert_equal(theirs.load, ours.load, np.abs(ours.load).max(), operations=1e4)


def undamped(name):
    return ff.discretise(replace(body(name).body, damping=Damping(), springs=()))


@pytest.mark.parametrize("name", BODIES)
def test_a_speed_as_parameter(name):
    """The polynomial in Ω is the sum of the steady spin; what it calls G and S is what is linear and quadratic."""
    discrete = body(name)
    direction = np.array([0.0, 0.0, 1.0]) if name == "plane" else np.array([0.48, 0.6, 0.64])
    equations = affine_equations(discrete, TERMS[1])
    about = equations.about(direction)
    assert {part.name for part in about.coefficients} == {
        "mass", "damping", "gyroscopic", "stiffness", "spin_stiffness",
    }  # fmt: skip
    for speed in (0.0, 70.0, -300.0):
        wanted = equations.at(ff.FrameMotion.spin(speed, direction) if speed else ff.FrameMotion())
        for order, theirs in ((DAMPING, wanted.damping), (STIFFNESS, wanted.stiffness)):
            assert_equal(about.at_speed(order, speed).toarray(), theirs.toarray(), abs(theirs).max())
        P = dynamic_matrix(about, 3.0 + 5.0j, speed)
        whole = (3.0 + 5.0j) ** 2 * wanted.mass + (3.0 + 5.0j) * wanted.damping + wanted.stiffness
        assert_equal(P.toarray(), whole.toarray(), abs(whole).max())
        assert_equal(about.load(OperatingPoint.at_speed(speed)), wanted.load, np.abs(wanted.load).max())


def test_frozen_coefficients_are_constants():
    discrete = body("beam")
    now = motion(discrete, 3)
    equations = affine_equations(discrete, TERMS[1])
    held = equations.frozen(now)
    assert {part.name for part in held.parts} == {"mass", "damping", "stiffness", "load"}
    wanted = equations.at(now)
    assert_equal(held.stiffness.toarray(), wanted.stiffness.toarray(), abs(wanted.stiffness).max())
    assert_equal(held.damping.toarray(), wanted.damping.toarray(), abs(wanted.damping).max())
    assert_equal(held.load(ff.FrameMotion()), wanted.load, np.abs(wanted.load).max())


def test_a_part_is_made_when_it_is_needed():
    """A part whose coefficient or multiplier is zero is never made, and one that is needed is made once."""
    made = []

    def make():
        made.append(1)
        return np.eye(2)

    parts = (
        Part.constant("mass", MASS, np.eye(2)),
        Part("geometric", STIFFNESS, Once(make), Monomial((SPEED,))),
        Part("applied", LOAD, Once(lambda: np.ones(2))),
    )
    equations = AffineEquations(2, parts)
    equations.at(ff.FrameMotion())
    AffineEquations(2, parts, ff.Terms(geometric=0.0)).at_speed(STIFFNESS, 3.0)
    assert not made
    small = equations.project(np.ones((2, 1)))
    assert small.at_speed(STIFFNESS, 3.0) == pytest.approx(6.0)
    assert small.at_speed(STIFFNESS, 2.0) == pytest.approx(4.0)
    assert made == [1]
