"""Exact beams that are curved or twisted at rest, and coupled sections: exact and published solutions."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import brentq
from tests.exact_beams.cantilevers import CLAMP, Stiffness, clamped, equilibria, exact_system, sections, straight

from flexframe.elements.properties import BeamProperty, Material, Rectangle
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import null_space
from flexframe.maths.rotations import skew
from flexframe.mesh import arc, polyline, spline
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Gravity
from flexframe.model.system import System
from flexframe.model.system_loads import BodyLoads, MarkerForce, SystemGravity
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import elastic_matrices, equations_at, place_of
from flexframe.multibody.start import rigid_start


def beam_of(mesh: Mesh, prop: BeamProperty) -> Body:
    return Body("beam", mesh, (Region(prop),), space="spatial")


def straight_mesh(length: float, divisions: int) -> Mesh:
    return polyline(straight(length, divisions), 1)


def tip_pushed(body: Body, force: Sequence[float], moment: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
    """Displacement of the end."""
    load = MarkerForce("push", "beam.end", tuple(force), tuple(moment))
    return np.asarray(
        sections(equilibria(clamped(body, [load]))).tip - body.mesh.points[body.mesh.nodes_of("end")[0]]
    )


def small_tip(body: Body, force: Array, moment: Array) -> Array:
    """The linear part of it, squares of the load dropped by its sign."""
    return (tip_pushed(body, force, moment) - tip_pushed(body, -force, -moment)) / 2


# ---------------------------------------------------------------------- arcs

BEND = Stiffness(1e7, 5e6, 5e6 / 6, 1e7 / 12).property()
CONVERGED = np.array([-23.5602, -13.6045, 53.4749])  # Bathe and Bolourchi 1979 print −23.5 −13.4 53.4


def test_bend_of_45_degrees_by_few_curved_beams() -> None:
    """The printed digits with 8 and 16 elements, and the error falls with the fourth power of their length."""
    found = {n: tip_pushed(beam_of(arc(100.0, np.pi / 4, n), BEND), (0.0, 0.0, 600.0)) for n in (2, 4, 8, 16)}
    assert found[8] == pytest.approx(CONVERGED, abs=1e-3)
    assert found[16] == pytest.approx(CONVERGED, abs=1e-4)
    best = found[16] + (found[16] - found[8]) / 15
    errors = [np.linalg.norm(found[n] - best) for n in (2, 4, 8)]
    for coarse, fine in pairwise(errors):
        assert coarse / fine > 12  # 16 less the terms of order 6
    assert errors[1] < 2e-4 * np.linalg.norm(CONVERGED)


def test_spline_through_an_arc_is_nearly_the_arc() -> None:
    """Nine points of the arc: a cubic spline departs from it by the fourth power of their distance."""
    angles = np.linspace(0.0, np.pi / 4, 9)
    mesh = spline(100 * np.stack([np.sin(angles), 1 - np.cos(angles)], 1), 1)
    on_arc = np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1)
    assert mesh.tangents is not None
    assert mesh.tangents == pytest.approx(on_arc, abs=2 * (np.pi / 32) ** 4)
    found = tip_pushed(beam_of(mesh, BEND), (0.0, 0.0, 600.0))
    assert found == pytest.approx(CONVERGED, rel=3e-4)


@pytest.mark.parametrize("divisions", [6, 12])
def test_ring_under_two_opposite_forces(divisions: int) -> None:
    """P R [R²/EI (π/4 − 2/π) + π/4 (1/EA + 1/GA)] of a ring with stretch and shear, whatever the mesh.

    With loads of both signs what is left are cubes of a displacement of 1e-4 of the radius.
    """
    EA, GA, EI, R = 900.0, 350.0, 20.0, 1.5
    body = beam_of(arc(R, 2 * np.pi, divisions), Stiffness(EA, GA, 5.0, EI).property())
    node = divisions // 2
    body = Body("beam", body.mesh.with_sets(node_sets={"top": [node]}), body.regions, space="spatial")
    P = 1e-4 * EI / R**2
    tips = []
    for sign in (1, -1):
        load = MarkerForce("pull", "beam.top", (0.0, sign * P, 0.0))
        tips.append(sections(equilibria(clamped(body, [load]))).places[node])
    exact = P * R * (R**2 / EI * (np.pi / 4 - 2 / np.pi) + np.pi / 4 * (1 / EA + 1 / GA))
    assert (tips[0] - tips[1])[1] / 2 == pytest.approx(exact, rel=1e-6)


def test_unloaded_ring_is_free_of_forces() -> None:
    """A ring that stays as it is: reference strains are those of its screws, to rounding."""
    system = clamped(beam_of(arc(1.0, 2 * np.pi, 8), BEND), [])
    place = place_of(system, rigid_start(system))
    from flexframe import _core

    evaluation = _core.Evaluation(system.compiled)
    evaluation.evaluate(place, 0.0, np.zeros(system.size), np.zeros(system.rows), False)
    # strains are differences of numbers of the order of one, stiffness 1e7
    assert np.abs(evaluation.residual()).max() < 1e7 * 1e-14


# ---------------------------------------------------------------------- linear beams by their equations


def adjoint(d: Array) -> Array:
    def cross(v: Array) -> Array:
        return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

    return np.block([[cross(d[3:]), cross(d[:3])], [np.zeros((3, 3)), cross(d[3:])]])


def transfer(deformation: Array, flexibility: Array, mass: Array, length: float, omega: float = 0.0) -> Array:
    """(ζ, f) at the end by those at the beginning: ζ' = −ad ζ + C f, f' = adᵀf − ω²μ ζ along a beam: (12, 12)."""
    ad = adjoint(deformation)
    return linalg.expm(length * np.block([[-ad, flexibility], [-(omega**2) * mass, ad.T]]))


COUPLED = np.diag([1200.0, 500.0, 300.0, 4.0, 3.0, 8.0])
for (_i, _j), _share in {(0, 3): 0.5, (1, 4): -0.3, (2, 5): 0.4, (4, 5): 0.25, (0, 5): 0.2, (1, 3): 0.3}.items():
    COUPLED[_i, _j] = COUPLED[_j, _i] = _share * np.sqrt(COUPLED[_i, _i] * COUPLED[_j, _j])
MASS = np.diag([2.0, 2.0, 2.0, 0.03, 0.01, 0.02])


def matrices(stiffness: Array = COUPLED, mass: Array = MASS) -> SectionMatrices:
    return SectionMatrices(0.1, 0.05, stiffness=tuple(map(tuple, stiffness)), mass=tuple(map(tuple, mass)))


ANY = Material(1e6, 0.3, 1.0, idealised=True)


@pytest.mark.parametrize("divisions", [1, 3])
@pytest.mark.parametrize("twist", [0.0, 1.2])
def test_coupled_section_is_exact_in_the_small(divisions: int, twist: float) -> None:
    """Tip of a cantilever with all couplings, twisted or not, against the exponential of its equations."""
    length = 1.4
    body = beam_of(straight_mesh(length, divisions), BeamProperty(ANY, matrices(), twist=(0.0, twist)))
    deformation = np.array([1.0, 0, 0, twist / length, 0, 0])
    whole = transfer(deformation, np.linalg.inv(COUPLED), MASS, length)
    turn = linalg.expm(np.array([[0, 0, 0], [0, 0, -twist], [0, twist, 0]]))  # axes of the end
    for k in range(6):
        wrench = 1e-4 * np.eye(6)[k]
        end = np.concatenate([turn.T @ wrench[:3], turn.T @ wrench[3:]])
        exact = turn @ (whole[:6, 6:] @ np.linalg.solve(whole[6:, 6:], end))[:3]
        # cubes of the load are 1e-8 of it; the load path ends with corrections of 1e-11
        assert small_tip(body, wrench[:3], wrench[3:]) == pytest.approx(exact, rel=1e-6, abs=3e-11)


@pytest.mark.parametrize("axes", ["space", "body"])
def test_weight_acts_at_the_centre_of_mass(axes: Literal["space", "body"]) -> None:
    """As a load of the body, dead or turning with it, and as gravity of the system: the same exact solution.

    (ζ, f)' has the weight and its moment about the line as constants; squares of the load cancel by its sign.
    Loads between nodes of coupled sections have an error of order 2: the limit of two meshes is taken.
    """
    length, g = 1.4, np.array([0.3, -1.0, 0.7])
    centre = np.array([0.0, 0.02, -0.05])
    mass = MASS.copy()
    mass[3:, :3] = 2.0 * skew(centre)
    mass[:3, 3:] = -mass[3:, :3]
    mass[3:, 3:] += 2.0 * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    ad = adjoint(np.array([1.0, 0, 0, 0, 0, 0]))
    grown = np.zeros((13, 13))
    grown[:12, :12] = np.block([[-ad, np.linalg.inv(COUPLED)], [np.zeros((6, 6)), ad.T]])
    grown[6:12, 12] = -2.0 * np.concatenate([g, np.cross(centre, g)])
    whole = linalg.expm(length * grown)
    exact = whole[:6, 6:12] @ np.linalg.solve(whole[6:12, 6:12], -whole[6:12, 12]) + whole[:6, 12]
    limits = []
    for divisions, share in ((8, -1 / 3), (16, 4 / 3)):
        plain = beam_of(straight_mesh(length, divisions), BeamProperty(ANY, matrices(mass=mass)))
        for size in (1e-4, -1e-4):
            weighed = Body("beam", plain.mesh, plain.regions, (), (Gravity(tuple(size * g)),), space="spatial")
            of_body = clamped(weighed, [BodyLoads("weight", "beam", axes=axes)])
            of_system = clamped(plain, [SystemGravity("weight", tuple(size * g))])
            moved = [sections(equilibria(each)).tip - [length, 0, 0] for each in (of_body, of_system)]
            limits.append(share / (2 * size) * np.array(moved))
    # cubes of the load are 1e-8 of it, the load path ends with corrections of 1e-11, order 4 leaves (6e-3/8²)²
    assert sum(limits) == pytest.approx(np.array([exact[:3], exact[:3]]), rel=1e-6, abs=5e-7)


def frequencies(system: DynamicSystem, count: int) -> Array:
    """Angular frequencies about the rest."""
    state = rigid_start(system)
    here = equations_at(system, state)
    basis = null_space(here.constraint).basis
    scales = system.tables.scales
    K = elastic_matrices(system, place_of(system, state))[0] / scales[:, None] / scales
    squares = linalg.eigh(basis.T @ (K + K.T) @ basis / 2, basis.T @ here.mass @ basis, eigvals_only=True)
    return np.sqrt(squares[:count])


def exact_frequency(near: float, deformation: Array, flexibility: Array, mass: Array, length: float) -> float:
    """Where f at the free end of a cantilever vanishes."""

    def determinant(omega: float) -> float:
        return float(np.linalg.det(transfer(deformation, flexibility, mass, length, omega)[6:, 6:]))

    return float(brentq(determinant, 0.97 * near, 1.03 * near, xtol=1e-12 * near))


# 1 in × 0.068 in × 6 in of steel, twisted by 45°
BLADE_LENGTH, BLADE = 0.1524, Rectangle(0.0254, 0.0017272)
STEEL = Material(206.85e9, 0.3, 7857.6)


def test_pretwisted_blade_against_its_differential_equation() -> None:
    """First frequencies with 8 and 16 elements: the error falls with order 4 of bending and 2 of torsion.

    Beside them are zeros of the determinant of the transfer matrix of twisted Timoshenko beams, exp(L A(ω)).
    """
    twist = np.pi / 4
    prop = BeamProperty(STEEL, BLADE, twist=(0.0, twist))
    E, G, A, Iy, Iz = STEEL.young, STEEL.shear_modulus, BLADE.area, BLADE.inertia_y, BLADE.inertia_z
    C = np.diag(1 / np.array([E * A, G * A / 1.2, G * A / 1.2, G * BLADE.torsion_constant, E * Iy, E * Iz]))
    mass = STEEL.density * np.diag([A, A, A, Iy + Iz, Iy, Iz])
    deformation = np.array([1.0, 0, 0, twist / BLADE_LENGTH, 0, 0])
    errors = []
    for divisions in (8, 16):
        body = beam_of(straight_mesh(BLADE_LENGTH, divisions), prop)
        found = frequencies(exact_system(System([body], [CLAMP], space="spatial")), 5)
        exact = [exact_frequency(w, deformation, C, mass, BLADE_LENGTH) for w in found]
        errors.append(np.abs(found / exact - 1))
    bending = [0, 1, 3, 4]  # between them is one of torsion
    coarse, fine = errors
    assert (coarse[bending] / fine[bending] > 9).all()  # 16 less higher orders, of waves of five elements
    assert coarse[2] / fine[2] == pytest.approx(4.0, rel=0.02)
    assert (fine[bending] < 2e-4).all() and fine[2] < 5e-4


# ---------------------------------------------------------------------- refusals


def test_what_cannot_be() -> None:
    """Fields and remedies in the messages."""
    bad = COUPLED.copy()
    bad[0, 3] += 1.0
    with pytest.raises(InputError, match=r"stiffness is not symmetric: row 1 has .* in column 4"):
        matrices(bad)
    soft = COUPLED.copy()
    soft[0, 3] = soft[3, 0] = 2 * np.sqrt(COUPLED[0, 0] * COUPLED[3, 3])
    with pytest.raises(InputError, match=r"not positive definite.*check the order"):
        matrices(soft)
    with pytest.raises(InputError, match="mass is not that of a section"):
        matrices(mass=np.diag([2.0, 1.0, 2.0, 0.03, 0.01, 0.02]))
    with pytest.raises(InputError, match=r"shape \(3, 3\); give six rows of six numbers"):
        matrices(np.eye(3))
    with pytest.raises(InputError, match="turned by 120° against each other at rest; give more cells"):
        clamped(beam_of(straight_mesh(1.0, 3), BeamProperty(ANY, matrices(), twist=(0.0, 2 * np.pi))), [])
    with pytest.raises(InputError, match="angle is 7 rad; an arc has up to a whole turn"):
        arc(1.0, 7.0, 20)
    with pytest.raises(InputError, match="towards is along direction"):
        arc(1.0, 1.0, 4, towards=(1.0, 0.0, 0.0))
