"""Matrices as printed in textbooks and in the source papers."""

import pytest
from sympy import ImmutableMatrix, Matrix, Rational, eye, ones, symbols, zeros
from sympy.physics.quantum import TensorProduct

from flexframe.symbolic.deriving import symbolic_element

from .samples import derived

rho, E, A, I, L = symbols("rho E A I L", positive=True)  # noqa: E741
P = symbols("P", real=True)


def _same(mine: ImmutableMatrix, published: Matrix) -> bool:
    return (mine - published).expand().is_zero_matrix


def _bending(entries: tuple[int, ...]) -> Matrix:
    """The 4 × 4 pattern of a Hermite beam over (v1, θ1, v2, θ2) from its six numbers."""
    a, b, c, d, e, f = entries
    return Matrix(
        [
            [a, b * L, c, -d * L],
            [b * L, e * L**2, d * L, f * L**2],
            [c, d * L, a, -b * L],
            [-d * L, f * L**2, -b * L, e * L**2],
        ]
    )


def test_bar() -> None:
    for motion, components in (("planar", 2), ("spatial", 3)):
        derivation = derived("bar", motion, "kane", prestress=True)
        unit = eye(components)
        assert _same(derivation.mass, TensorProduct(rho * A * L / 6 * Matrix([[2, 1], [1, 2]]), unit))
        assert _same(derivation.stiffness["geometric"], TensorProduct(P / L * Matrix([[1, -1], [-1, 1]]), unit))
        axial = Matrix(components, components, lambda i, j: int(i == j == 0))
        assert _same(derivation.stiffness["elastic"], TensorProduct(E * A / L * Matrix([[1, -1], [-1, 1]]), axial))


def test_planar_beam() -> None:
    """Consistent mass 156, 22L, …, rotary inertia 36, 3L, …, geometric stiffness of a constant axial force."""
    derivation = derived("planar_beam", "planar", "lagrange", prestress=True)
    bending, axial = [1, 2, 4, 5], [0, 3]
    mass = rho * A * L / 420 * _bending((156, 22, 54, 13, 4, -3)) + rho * I / (30 * L) * _bending(
        (36, 3, -36, -3, 4, -1)
    )
    assert _same(derivation.mass.extract(bending, bending), mass)
    assert _same(derivation.mass.extract(axial, axial), rho * A * L / 6 * Matrix([[2, 1], [1, 2]]))
    elastic = derivation.stiffness["elastic"]
    assert _same(elastic.extract(bending, bending), E * I / L**3 * _bending((12, 6, -12, -6, 4, 2)))
    geometric = derivation.stiffness["geometric"]
    assert _same(geometric.extract(bending, bending), P / (30 * L) * _bending((36, 3, -36, -3, 4, -1)))
    assert _same(geometric.extract(axial, axial), P / L * Matrix([[1, -1], [-1, 1]]))  # Green's strain has u'²
    assert geometric.extract(axial, bending).is_zero_matrix


def test_planar_beam_couples_axial_and_bending_motion_when_it_turns() -> None:
    """∫N_u N_v of linear and Hermite functions: 7/20, L/20, 3/20, −L/30 (Coriolis and Euler terms)."""
    derivation = derived("planar_beam", "planar", "lagrange")
    omega = derivation.motion.omega[2]
    coupling = (
        rho
        * A
        * L
        * Matrix(
            [
                [Rational(7, 20), L / 20, Rational(3, 20), -L / 30],
                [Rational(3, 20), L / 30, Rational(7, 20), -L / 20],
            ]
        )
    )
    assert _same(derivation.coriolis.extract([0, 3], [1, 2, 4, 5]), -2 * omega * coupling)


def test_spatial_beam_holds_the_planar_one_in_both_planes() -> None:
    planar = derived("planar_beam", "planar", "kane", prestress=True)
    spatial = derived("spatial_beam", "spatial", "kane", prestress=True)
    I_y, I_z, J_t, G = symbols("I_y I_z J_t G", positive=True)
    sign = Matrix.diag(1, 1, -1, 1, 1, -1)  # θ_y = −w'
    for dofs, inertia, turn in (([0, 1, 5, 6, 7, 11], I_z, eye(6)), ([0, 2, 4, 6, 8, 10], I_y, sign)):
        for mine, its in (
            (spatial.mass, planar.mass),
            (spatial.stiffness["elastic"], planar.stiffness["elastic"]),
            (spatial.stiffness["geometric"], planar.stiffness["geometric"]),
        ):
            assert _same(mine.extract(dofs, dofs), turn * its.subs(I, inertia) * turn)
    torsion = [3, 9]
    assert _same(spatial.mass.extract(torsion, torsion), rho * (I_y + I_z) * L / 6 * Matrix([[2, 1], [1, 2]]))
    pair = Matrix([[1, -1], [-1, 1]])
    assert _same(spatial.stiffness["elastic"].extract(torsion, torsion), G * J_t / L * pair)
    assert _same(spatial.stiffness["geometric"].extract(torsion, torsion), P * (I_y + I_z) / (A * L) * pair)


def test_triangle_mass_and_tetrahedron_mass() -> None:
    """ρtA/12 and ρV/20 times (1 + unit matrix) for each displacement component."""
    t, x_2, y_3, V = symbols("t x_2 y_3 V", positive=True)
    area = x_2 * y_3 / 2
    triangle = derived("triangle", "planar", "lagrange")
    assert _same(triangle.mass, rho * t * area / 12 * TensorProduct(ones(3, 3) + eye(3), eye(2)))
    tetrahedron = derived("tetrahedron", "spatial", "kane")
    assert _same(tetrahedron.mass, rho * V / 20 * TensorProduct(ones(4, 4) + eye(4), eye(3)))


@pytest.mark.parametrize("plane_state", ["stress", "strain"])
def test_rectangle(plane_state: str) -> None:
    """Paper 002: bilinear a × b; mass ρtab/36 [4 2 1 2 …], first entries of k from its own integrals."""
    t, a, b = symbols("t a b", positive=True)
    D11, D12, D33 = symbols("D_11 D_12 D_33", positive=True)
    derivation = derived("rectangle", "planar", "lagrange", plane_state=plane_state)
    scalar = Matrix([[4, 2, 1, 2], [2, 4, 2, 1], [1, 2, 4, 2], [2, 1, 2, 4]])
    assert _same(derivation.mass, rho * t * a * b / 36 * TensorProduct(scalar, eye(2)))
    # ∫φ_1,x² = b/3a, ∫φ_1,y² = a/3b, ∫φ_1,x φ_1,y = 1/4
    corner = t * Matrix(
        [
            [D11 * b / (3 * a) + D33 * a / (3 * b), (D12 + D33) / 4],
            [(D12 + D33) / 4, D11 * a / (3 * b) + D33 * b / (3 * a)],
        ]
    )
    assert _same(derivation.stiffness["elastic"].extract([0, 1], [0, 1]), corner)
    # the Coriolis matrix of equal interpolations is m_s ⊗ [0 −1; 1 0]
    omega = derivation.motion.omega[2]
    skew = TensorProduct(scalar, Matrix([[0, -1], [1, 0]]))
    assert _same(derivation.coriolis, 2 * omega * rho * t * a * b / 36 * skew)


def test_moduli_of_the_two_plane_states() -> None:
    nu = symbols("nu", real=True)
    stress = dict(symbolic_element("triangle", plane_state="stress").definitions)
    strain = dict(symbolic_element("triangle", plane_state="strain").definitions)
    D11, D12, D33 = symbols("D_11 D_12 D_33", positive=True)
    # plane strain is plane stress with E/(1 − ν²) and ν/(1 − ν)
    moved = {E: E / (1 - nu**2), nu: nu / (1 - nu)}
    for modulus in (D11, D12, D33):
        assert (stress[modulus].subs(moved, simultaneous=True) - strain[modulus]).simplify() == 0


def test_rigid_motions_store_no_elastic_energy() -> None:
    """Translations and the small rotation of every element; the triangle's nodes are (0,0), (x2,0), (x3,y3)."""
    x_2, y_3 = symbols("x_2 y_3", positive=True)
    x_3 = symbols("x_3", real=True)
    triangle = derived("triangle", "planar", "kane").stiffness["elastic"]
    rigid = Matrix([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, x_2], [1, 0, -y_3], [0, 1, x_3]])
    assert (triangle * rigid).expand() == zeros(6, 3)
    beam = derived("planar_beam", "planar", "kane").stiffness["elastic"]
    turn = Matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, L], [0, 0, 1]])
    assert (beam * turn).expand() == zeros(6, 3)
