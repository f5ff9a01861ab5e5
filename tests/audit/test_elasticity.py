"""Hooke's law in the plane and the stiffness matrix: digest entries E7, E8 and E9.

Paper 000 (12)-(18), 001 (16)-(21), 002 (20)-(25), 003 (7)-(13). Strains in Voigt order e11, e22, γ12 = 2 e12.
"""

from collections.abc import Callable

import pytest
from mpmath import mp, mpf

from .precision import DIGITS, Vector, array, assert_fails_by, assert_holds, contract, gradient, identity, size

with mp.workdps(DIGITS):  # 3/10 to fifty digits, although the module is imported at fifteen
    YOUNG, POISSON = mpf(5) / 2, mpf(3) / 10
    SHEAR = YOUNG / (2 * (1 + POISSON))


def plane_strain() -> Vector:
    """The correct matrix of 003 (9)."""
    E, nu = YOUNG, POISSON
    rows = [[1 - nu, nu, mpf(0)], [nu, 1 - nu, mpf(0)], [mpf(0), mpf(0), (1 - 2 * nu) / 2]]
    return E / ((1 + nu) * (1 - 2 * nu)) * array(rows)


def plane_stress() -> Vector:
    """The matrix of a thin sheet."""
    rows = [[mpf(1), POISSON, mpf(0)], [POISSON, mpf(1), mpf(0)], [mpf(0), mpf(0), (1 - POISSON) / 2]]
    return YOUNG / (1 - POISSON**2) * array(rows)


def printed_003() -> Vector:
    """003 (9) as printed."""
    E, nu = YOUNG, POISSON
    return E / ((1 - nu) * (1 - 2 * nu)) * _diagonal(1 - nu, 1 - nu, (1 - 2 * nu) / 2)


def printed_000() -> Vector:
    """000 (13) as printed, with ε12 = ½γ12 put in."""
    return _diagonal(YOUNG / (1 - 2 * POISSON), YOUNG / (1 - 2 * POISSON), YOUNG / (4 * (1 - POISSON)))


def _diagonal(*entries: mpf) -> Vector:
    return contract("i,ij->ij", array(entries), identity(len(entries)))


def _rotate(matrix: Vector, angle: mpf) -> Vector:
    """D seen in axes turned by an angle: T D Tᵀ with stresses transformed as σ' = QᵀσQ."""
    c, s = mp.cos(angle), mp.sin(angle)
    T = array([[c * c, s * s, 2 * c * s], [s * s, c * c, -2 * c * s], [-c * s, c * s, c * c - s * s]])
    return T @ matrix @ T.T


def _lame_from_tensor(strain: Vector, out_of_plane: mpf) -> Vector:
    """σ = λ tr(ε) 1 + 2με in space, in-plane Voigt components."""
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    trace = strain[0] + strain[1] + out_of_plane
    return array([lame * trace + 2 * SHEAR * strain[0], lame * trace + 2 * SHEAR * strain[1], SHEAR * strain[2]])


def test_e7_correct_matrices_follow_from_the_law_in_space() -> None:
    """E7: plane strain is Hooke's law with ε33 = 0; plane stress is the same law with σ33 = 0."""
    strain = array([mpf(3) / 8, mpf(-1) / 4, mpf(5) / 16])
    assert_holds(plane_strain() @ strain, _lame_from_tensor(strain, mpf(0)))
    through_thickness = -POISSON / (1 - POISSON) * (strain[0] + strain[1])
    assert_holds(plane_stress() @ strain, _lame_from_tensor(strain, through_thickness))


@pytest.mark.parametrize("law", [plane_strain, plane_stress])
@pytest.mark.parametrize("degrees", [17, 45, 120])
def test_e7_correct_matrices_are_isotropic(law: Callable[[], Vector], degrees: int) -> None:
    """E7: an isotropic material has the same matrix in every pair of axes."""
    assert_holds(_rotate(law(), mp.radians(degrees)), law())


@pytest.mark.parametrize("law", [printed_003, printed_000])
def test_e7_printed_matrices_are_not_isotropic(law: Callable[[], Vector]) -> None:
    """E7, 003 (9), 000 (13): turned by 45° the first entry changes by -½(D11 - D12 - 2 D33), not by zero.

    For 003 that is -½Eμ/((1-μ)(1-2μ)), for 000 -¼E/((1-μ)(1-2μ)); no isotropic material behaves so.
    """
    D = law()
    change = -(D[0, 0] - D[0, 1] - 2 * D[2, 2]) / 2
    assert_fails_by(_rotate(D, mp.pi / 4)[0, 0], D[0, 0], change, term=D[0, 0])
    if law is printed_003:
        assert_holds(change, -YOUNG * POISSON / (2 * (1 - POISSON) * (1 - 2 * POISSON)))
    else:
        assert_holds(change, -YOUNG / (4 * (1 - POISSON) * (1 - 2 * POISSON)))


def test_e7_printed_laws_against_the_correct_one() -> None:
    """E7: no lateral contraction at all, and (1-μ) where (1+μ) belongs; 000 loses a further 2 in shear."""
    truth = plane_strain()
    for law in (printed_003(), printed_000()):
        assert law[0, 1] == 0
        assert_fails_by(law[0, 1], truth[0, 1], -truth[0, 1], term=truth[0, 0])
        assert abs(law[0, 0] - truth[0, 0]) > truth[0, 0] / 100
    assert_holds(printed_003()[2, 2], SHEAR * (1 + POISSON) / (1 - POISSON))
    assert_holds(printed_000()[2, 2], printed_003()[2, 2] / 2)
    assert_holds(printed_000()[:2, :2], printed_003()[:2, :2])


# --- the bilinear rectangle of paper 002 (22)-(23) ---------------------------------------------------------

SIDE_A, SIDE_B, THICKNESS = mpf(3) / 2, mpf(3) / 4, mpf(1) / 8


def _corner_functions(xi: mpf, eta: mpf) -> Vector:
    return array([(1 - xi) * (1 - eta), xi * (1 - eta), xi * eta, eta * (1 - xi)])


def _displacement(point: Vector, nodal: Vector) -> Vector:
    """u, v at ξ = x/a, η = y/b by (23); ``nodal`` = u1, v1, ..., u4, v4."""
    weights = _corner_functions(point[0] / SIDE_A, point[1] / SIDE_B)
    return array([weights @ nodal[0::2], weights @ nodal[1::2]])


def _strain_matrix(xi: mpf, eta: mpf) -> Vector:
    """B of (24): rows e11, e22 and the third printed row, which is γ12."""
    a, b = SIDE_A, SIDE_B
    along = array([-(1 - eta), 1 - eta, eta, -eta]) / a
    across = array([-(1 - xi), -xi, xi, 1 - xi]) / b
    zero = mpf(0)
    rows: list[list[mpf]] = [[], [], []]
    for node in range(4):
        rows[0] += [along[node], zero]
        rows[1] += [zero, across[node]]
        rows[2] += [across[node], along[node]]
    return array(rows)


def _stiffness(D: Vector) -> Vector:
    """∫BᵀDB over the rectangle; the integrand is quadratic, so two Gauss points a side are exact."""
    points = (mpf(1) / 2 - mp.sqrt(3) / 6, mpf(1) / 2 + mp.sqrt(3) / 6)
    matrices = [_strain_matrix(xi, eta) for xi in points for eta in points]
    return SIDE_A * SIDE_B * THICKNESS / 4 * sum(B.T @ D @ B for B in matrices)


def _nodal(gradient_of_displacement: Vector) -> Vector:
    """Nodal values of a displacement field that is linear in x and y."""
    corners = array([[mpf(0), mpf(0)], [SIDE_A, mpf(0)], [SIDE_A, SIDE_B], [mpf(0), SIDE_B]])
    return (corners @ gradient_of_displacement.T).reshape(-1)


def test_rectangle_strains() -> None:
    """002 (22)-(24): rows one and two are e11, e22; row three is γ12 = u,y + v,x, by differentiating (23)."""
    nodal = array([mpf(r * r - 5 * r + 3) / 16 for r in range(8)])
    point = array([SIDE_A / 3, SIDE_B / 5])
    jacobian = array([gradient(lambda place, i=i: _displacement(place, nodal)[i], point) for i in range(2)])
    strain = array([jacobian[0, 0], jacobian[1, 1], jacobian[0, 1] + jacobian[1, 0]])
    assert_holds(_strain_matrix(mpf(1) / 3, mpf(1) / 5) @ nodal, strain)


def test_e9_printed_shear_strain_quadruples_the_shear_energy() -> None:
    """E9, 002 (20), (24): the printed ε12 is γ12; in the double sum of (20) simple shear stores 4 times too much.

    Truth: ½Gγ² times the volume for u = γy.
    """
    angle = mpf(3) / 16
    nodal = _nodal(array([[mpf(0), angle], [mpf(0), mpf(0)]]))
    volume = SIDE_A * SIDE_B * THICKNESS
    truth = SHEAR * angle**2 / 2 * volume

    def double_sum(eps12: mpf) -> mpf:
        """½σ_ij ε_ij with σ12 = σ21 = 2Gε12; the strain is uniform."""
        return (2 * SHEAR * eps12) * eps12 * volume

    printed_strain = (_strain_matrix(mpf(1) / 4, mpf(2) / 3) @ nodal)[2]
    assert_holds(double_sum(printed_strain / 2), truth)
    assert_fails_by(double_sum(printed_strain), truth, 3 * truth, term=truth)
    assert_holds(nodal @ _stiffness(plane_strain()) @ nodal / 2, truth)  # Voigt: D33 = G with γ12


@pytest.mark.parametrize("law", [plane_strain, plane_stress])
def test_e8_stiffness_without_one_half(law: Callable[[], Vector]) -> None:
    """E8, 000 (17)-(18), 001 (20)-(21), 003 (12)-(13): k = ∫BᵀDB; a further ½ inside k halves the energy."""
    slope = array([[mpf(3) / 16, mpf(1) / 8], [mpf(-1) / 4, mpf(1) / 16]])
    nodal = _nodal(slope)
    strain = array([slope[0, 0], slope[1, 1], slope[0, 1] + slope[1, 0]])
    volume = SIDE_A * SIDE_B * THICKNESS
    truth = strain @ law() @ strain / 2 * volume
    k = _stiffness(law())
    assert_holds(nodal @ k @ nodal / 2, truth)
    assert_fails_by(nodal @ (k / 2) @ nodal / 2, truth, -truth / 2, term=truth)


def test_rigid_motions_store_no_energy() -> None:
    """003 (13): k does not resist translation and infinitesimal rotation (D symmetric, B right)."""
    k = _stiffness(plane_strain())
    turn = _nodal(array([[mpf(0), mpf(-1)], [mpf(1), mpf(0)]]))
    for mode in (array([mpf(1), mpf(0)] * 4), array([mpf(0), mpf(1)] * 4), turn):
        assert_holds(k @ mode, 0 * mode)
    assert_holds(k, k.T)


def test_e7_stiffness_of_paper_000() -> None:
    """E7, E8, 000 (16), (18): the shear modulus in the printed k is 13/56 of G at μ = 0.3."""
    printed_shear = YOUNG / (8 * (1 - POISSON)) / 2
    assert_holds(printed_shear / SHEAR, mpf(13) / 56)
    angle = mpf(3) / 16
    nodal = _nodal(array([[mpf(0), angle], [mpf(0), mpf(0)]]))
    volume = SIDE_A * SIDE_B * THICKNESS
    truth = SHEAR * angle**2 / 2 * volume
    normal = YOUNG / (1 - 2 * POISSON) / 2
    printed = _stiffness(_diagonal(normal, normal, printed_shear))
    assert_fails_by(nodal @ printed @ nodal / 2, truth, -mpf(43) / 56 * truth, term=truth)


def test_e7_pure_shear_gives_two_energies_in_two_axes() -> None:
    """E7, 003 (9): pure shear γ is stretch ±γ/2 along the diagonals; the printed law gives it another energy."""
    angle = mpf(3) / 16
    shear, stretch = array([mpf(0), mpf(0), angle]), array([angle / 2, -angle / 2, mpf(0)])
    correct, printed = plane_strain(), printed_003()
    assert_holds(shear @ correct @ shear, stretch @ correct @ stretch)
    difference = stretch @ printed @ stretch - shear @ printed @ shear
    assert size(difference) > shear @ printed @ shear / 100
    ratio = (stretch @ printed @ stretch) / (shear @ printed @ shear)
    assert_holds(ratio, (1 - POISSON) / (1 - 2 * POISSON))
