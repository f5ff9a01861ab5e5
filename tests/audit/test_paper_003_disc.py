"""Paper 003, Table 1: the rotating disc; digest entry E11 and what a complete equation contains.

The paper gives no data of its disc. A free annulus with inner to outer radius 0.1 in plane strain, ν = 0.3,
fits its column of classic frequencies; a = 0.2 m, E = 200 GPa and ρ = 7900 kg/m³ give the scale.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import jv, jvp, yv, yvp

# mode number: (classic Hz, proposed Hz, number n of nodal diameters)
TABLE_1 = {
    4: (5514, 5865, 2),
    5: (5514, 5865, 2),
    6: (7045, 7323, 1),
    7: (7045, 7323, 1),
    8: (8959, 9180, 3),
    9: (8959, 9180, 3),
    10: (9416, 9626, 0),
    11: (10641, 10827, 2),
    12: (10641, 10827, 2),
    13: (11713, 11883, 4),
    14: (11713, 11883, 4),
    15: (12767, 12923, 0),
    16: (14284, 14423, 5),
    17: (14284, 14423, 5),
    18: (14910, 15044, 3),
}
OUTER, INNER, YOUNG, DENSITY, POISSON = 0.2, 0.02, 200e9, 7900.0, 0.3
LAME = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
SHEAR = YOUNG / (2 * (1 + POISSON))
ADDED = 2000.0


@pytest.mark.parametrize("mode", TABLE_1)
def test_e11_proposed_column_is_classic_plus_a_constant(mode: int) -> None:
    """E11, 003 Table 1: proposed² - classic² = (2000 Hz)² within the rounding of the two printed integers."""
    classic, proposed, _ = TABLE_1[mode]
    half = 0.5  # both columns are rounded to whole Hz
    lowest = np.sqrt((proposed - half) ** 2 - (classic + half) ** 2)
    highest = np.sqrt((proposed + half) ** 2 - (classic - half) ** 2)
    assert lowest <= ADDED <= highest
    # rounding of ±½ in each column moves sqrt(classic² + 2000²) by less than 1 Hz
    assert abs(np.hypot(classic, ADDED) - proposed) < 1.0


@pytest.mark.parametrize("mode", TABLE_1)
def test_e11_sign_is_opposite_to_the_papers_own_equation(mode: int) -> None:
    """E11, 003 (24) against Table 1: -ω²m lowers a frequency to sqrt(f² - 2000²); the table raises it instead.

    The two answers differ by (2000 Hz / f)², at least 1.7 % in every row; rounding is below 0.01 %.
    """
    classic, proposed, _ = TABLE_1[mode]
    own_equation = np.sqrt(classic**2 - ADDED**2)
    assert own_equation < classic < proposed
    assert (proposed - own_equation) / classic > ADDED**2 / classic**2 * 0.99  # 2·½(2000/f)², second order
    assert (proposed - own_equation) / classic > 0.017


def test_e11_added_frequency_over_all_rows() -> None:
    """E11, 003 Table 1: the mean of sqrt(proposed² - classic²) over the 15 rows is 2000.06 Hz."""
    added = [np.sqrt(proposed**2 - classic**2) for classic, proposed, _ in TABLE_1.values()]
    assert np.mean(added) == pytest.approx(2000.06, abs=0.005)  # printed with two decimals
    assert min(added) > 1997.5
    assert max(added) < 2003.6


def test_e11_pairs_stay_double() -> None:
    """E11, 003 Table 1: pairs with n ≥ 1 stay double; Coriolis forces would split them in the first order of Ω."""
    for first, second in ((4, 5), (6, 7), (8, 9), (11, 12), (13, 14), (16, 17)):
        assert TABLE_1[first] == TABLE_1[second]


# --- the free annulus in plane strain, exact in Bessel functions -------------------------------------------


def _radial_amplitudes(
    omega: float, n: int, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """U, V, σ_r, σ_rθ of the four solutions u_r = U cos nθ, u_θ = V sin nθ at one radius."""
    columns = []
    for wave_speed, potential in ((np.sqrt((LAME + 2 * SHEAR) / DENSITY), "f"), (np.sqrt(SHEAR / DENSITY), "g")):
        h = omega / wave_speed
        for bessel, bessel_rate in ((jv, jvp), (yv, yvp)):
            value, first = bessel(n, h * radius), h * bessel_rate(n, h * radius)
            second = -first / radius + (n**2 / radius**2 - h**2) * value
            if potential == "f":  # u = grad(f cos nθ)
                U, V = first, -n * value / radius
                U1, V1 = second, n * value / radius**2 - n * first / radius
                dilatation = -(h**2) * value
            else:  # u = curl(g sin nθ)
                U, V = n * value / radius, -first
                U1, V1 = n * first / radius - n * value / radius**2, -second
                dilatation = 0.0
            normal = LAME * dilatation + 2 * SHEAR * U1
            tangential = SHEAR * (-n * U / radius + V1 - V / radius)
            columns.append((U, V, normal, tangential))
    return tuple(np.array(entry) for entry in zip(*columns, strict=True))


def _edge_matrix(omega: float, n: int) -> np.ndarray:
    """Tractions of the four solutions at both edges, columns scaled to one."""
    rows = []
    for radius in (INNER, OUTER):
        _, _, normal, tangential = _radial_amplitudes(omega, n, radius)
        rows += [normal, tangential]
    matrix = np.array(rows)
    return matrix / np.abs(matrix).max(axis=0)


def _frequency_near(hertz: float, n: int) -> float:
    """The root of the edge determinant within one per cent of a value."""

    def determinant(frequency: float) -> float:
        return float(np.linalg.det(_edge_matrix(2 * np.pi * frequency, n)))

    return brentq(determinant, 0.99 * hertz, 1.01 * hertz, xtol=1e-6)


@pytest.mark.parametrize("mode", TABLE_1)
def test_classic_column_is_an_isotropic_disc(mode: int) -> None:
    """E7, 003 (9) and Table 1: the classic column is that of the correct, isotropic plane-strain law.

    All 15 rows within 0.03 %; a law that is not isotropic would split the pairs. So the matrix (9) is a misprint.
    """
    classic, _, n = TABLE_1[mode]
    assert _frequency_near(classic, n) == pytest.approx(classic, rel=3e-4)


@pytest.mark.parametrize(("hertz", "n", "splitting"), [(5514, 2, 0.849), (7045, 1, 0.338), (8959, 3, 0.681)])
def test_coriolis_splitting_that_the_table_lacks(hertz: float, n: int, splitting: float) -> None:
    """003 (18), Table 1: first order in Ω a pair splits by ±β_n Ω/2π, β_n = 2∫UV r dr / ∫(U² + V²) r dr.

    At 2000 Hz that is ±1700 Hz for n = 2, five times the shift in the table.
    """
    omega = 2 * np.pi * _frequency_near(hertz, n)
    matrix = []
    for radius in (INNER, OUTER):
        _, _, normal, tangential = _radial_amplitudes(omega, n, radius)
        matrix += [normal, tangential]
    scale = np.abs(np.array(matrix)).max(axis=0)
    shape = np.linalg.svd(np.array(matrix) / scale)[2][-1] / scale

    def weighted(combine: str) -> float:
        def integrand(radius: float) -> float:
            U, V, _, _ = (entry @ shape for entry in _radial_amplitudes(omega, n, radius))
            return radius * (U * V if combine == "product" else U**2 + V**2)

        return quad(integrand, INNER, OUTER, epsabs=0, epsrel=1e-8)[0]

    beta = abs(2 * weighted("product") / weighted("squares"))
    assert beta == pytest.approx(splitting, abs=6e-4)  # three decimals quoted


# --- why -ω²m must not be used without the geometric stiffness ---------------------------------------------


def _centrifugal_stress(radius: float, spin: float, ratio: float) -> tuple[float, float]:
    """σ_r and σ_θ of a free spinning annulus, plane stress with Poisson ratio ``ratio``."""
    a2, b2, r2 = OUTER**2, INNER**2, radius**2
    factor = (3 + ratio) / 8 * DENSITY * spin**2
    radial = factor * (a2 + b2 - a2 * b2 / r2 - r2)
    hoop = factor * (a2 + b2 + a2 * b2 / r2 - (1 + 3 * ratio) / (3 + ratio) * r2)
    return radial, hoop


@pytest.mark.parametrize("state", ["plane stress", "plane strain"])
def test_centrifugal_stress_is_in_equilibrium(state: str) -> None:
    """003 Table 1: the closed stress field meets d(rσ_r)/dr - σ_θ + ρΩ²r² = 0 and has no traction on the edges."""
    ratio = POISSON if state == "plane stress" else POISSON / (1 - POISSON)
    spin, step = 300.0, 1e-5
    scale = DENSITY * spin**2 * OUTER**2
    for radius in (0.03, 0.1, 0.19):
        ahead, behind = (
            place * _centrifugal_stress(place, spin, ratio)[0] for place in (radius + step, radius - step)
        )
        balance = (ahead - behind) / (2 * step) - _centrifugal_stress(radius, spin, ratio)[1]
        # central difference: truncation (step/r)² of the 1/r² part, about 1e-7 of the scale at the bore
        assert abs(balance + DENSITY * spin**2 * radius**2) < 1e-6 * scale
    for edge in (INNER, OUTER):
        assert abs(_centrifugal_stress(edge, spin, ratio)[0]) < 1e-12 * scale


@pytest.mark.parametrize("state", ["plane stress", "plane strain"])
def test_virial_identity_of_the_spinning_annulus(state: str) -> None:
    """003 Table 1: ∫(σ_r + σ_θ) dV = Ω² ∫ρr² dV for the free spinning annulus, ratio 1.

    On a rigid rotation u = φ J x the geometric stiffness is φ²∫tr σ dV and k(ω²) is -φ²Ω²∫ρr² dV: they cancel,
    so -ω²m alone makes the rigid rotation of a spinning disc unstable.
    """
    ratio = POISSON if state == "plane stress" else POISSON / (1 - POISSON)
    spin = 300.0
    stress = quad(lambda r: sum(_centrifugal_stress(r, spin, ratio)) * r, INNER, OUTER, epsabs=0, epsrel=1e-13)[0]
    inertia = spin**2 * DENSITY * (OUTER**4 - INNER**4) / 4
    assert stress / inertia == pytest.approx(1.0, abs=1e-12)  # adaptive quadrature of a smooth function


def test_geometric_stiffness_cancels_centrifugal_softening_on_the_rigid_rotation() -> None:
    """003 Table 1: δᵀ(k_g + k(ω²))δ = 0 for u = J x, with tensors and quadrature over the annulus."""
    spin, ratio = 300.0, POISSON / (1 - POISSON)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    radii = INNER + (nodes + 1) / 2 * (OUTER - INNER)
    angles = np.arange(16) * np.pi / 8
    slope = np.array([[0.0, -1.0], [1.0, 0.0]])  # u_k,i of u = J x
    geometric = centrifugal = 0.0
    for radius, weight in zip(radii, weights * radii * (OUTER - INNER) / 2 * np.pi / 8, strict=True):
        radial, hoop = _centrifugal_stress(radius, spin, ratio)
        for angle in angles:
            e_r = np.array([np.cos(angle), np.sin(angle)])
            e_t = np.array([-e_r[1], e_r[0]])
            stress = radial * np.outer(e_r, e_r) + hoop * np.outer(e_t, e_t)
            geometric += weight * np.einsum("ij,ki,kj->", stress, slope, slope)
            displacement = slope @ (radius * e_r)
            centrifugal -= weight * DENSITY * spin**2 * displacement @ displacement
    # the 1/r² parts of σ_r and σ_θ cancel, the rest is a polynomial: Gauss is exact but for round-off
    assert geometric + centrifugal == pytest.approx(0.0, abs=1e-12 * abs(centrifugal))


def test_rigid_translation_of_a_spinning_body() -> None:
    """003 (24): the rigid translation appears at Ω (a body at rest in space); without Coriolis it is unstable.

    λ²m + 2λΩmJ - Ω²m: double roots ±iΩ. Without the Coriolis term λ = ±Ω, with the table's +Ω²m ±iΩ by accident.
    """
    spin = 1257.0
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])

    def roots(coriolis: float, stiffness: float) -> np.ndarray:
        companion = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness * np.eye(2), -2 * coriolis * turn]])
        return np.linalg.eigvals(companion)

    complete = roots(spin, -(spin**2))
    # a double defective root: eigenvalues carry the square root of round-off
    assert np.abs(np.abs(complete.imag) - spin).max() < 1e-5 * spin
    assert np.abs(complete.real).max() < 1e-5 * spin
    assert roots(0.0, -(spin**2)).real.max() == pytest.approx(spin, rel=1e-12)


def test_speed_of_the_table_is_out_of_reach() -> None:
    """003 Table 1: 2000 Hz means a rim speed of half the bar wave speed and a bore hoop stress of 0.21 E."""
    spin = 2 * np.pi * ADDED
    rim = spin * OUTER / np.sqrt(YOUNG / DENSITY)
    hoop = _centrifugal_stress(INNER, spin, POISSON / (1 - POISSON))[1] / YOUNG
    assert rim == pytest.approx(0.50, abs=0.005)  # quoted with two decimals
    assert hoop == pytest.approx(0.21, abs=0.005)
