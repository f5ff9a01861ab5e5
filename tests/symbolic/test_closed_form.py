"""Derivations against quadrature of the closed form, and against second derivatives of positions."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest

from flexframe.maths.arrays import Array

from .quadrature_oracle import Cloud, cloud
from .samples import GENERAL, data, numbers_of, vector

RELATIVE = 1e-12
"""Sums of a few hundred terms in double precision; every integrand is integrated exactly by its rule."""


def _close(mine: Array, reference: Array) -> bool:
    return bool(np.abs(mine - reference).max() <= RELATIVE * np.abs(reference).max())


def _skew(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _sample(element: str, motion: str) -> tuple[Cloud, dict[str, float], Array]:
    numbers = {name: float(value) for name, value in data(element).items()}
    points = cloud(element, motion, numbers)
    return points, numbers, points.N()


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_inertia_terms(element: str, motion: str) -> None:
    """equations of section 4: m = ∫ρNᵀN, c = ∫ρNᵀWN, k(ε) = ∫ρNᵀEN, k(ω²) = ∫ρNᵀW²N and the loads."""
    mine = numbers_of(element, motion, "lagrange")
    points, numbers, N = _sample(element, motion)
    mass = numbers["rho"] * points.weights
    W, E = _skew(vector("omega", motion)), _skew(vector("epsilon", motion))

    def matrix(operator: Array) -> Array:
        return np.einsum("g,gir,ij,gjt->rt", mass, N, operator, N)

    def load(operator: Array) -> Array:
        return -np.einsum("g,gir,ij,gj->r", mass, N, operator, points.places)

    assert _close(mine.mass, matrix(np.eye(3)))
    assert _close(mine.coriolis, 2 * matrix(W))
    assert _close(mine.stiffness["euler"], matrix(E))
    assert _close(mine.stiffness["centrifugal"], matrix(W @ W))
    assert _close(mine.load["euler"], load(E))
    assert _close(mine.load["centrifugal"], load(W @ W))
    assert _close(mine.load["origin"], -np.einsum("g,gir,i->r", mass, N, vector("a_O", motion)))


@pytest.mark.parametrize("plane_state", ["stress", "strain"])
@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_elastic_terms(element: str, motion: str, plane_state: str) -> None:
    """k = ∫BᵀDB with engineering shear, from gradients by complex steps."""
    mine = numbers_of(element, motion, "kane", plane_state=plane_state, damping=True)
    points, numbers, _ = _sample(element, motion)
    slopes = points.slopes()
    if element in ("bar", "planar_beam", "spatial_beam"):
        stretch = slopes[:, 0, 0]
        stiffness = numbers["E"] * np.einsum("g,gr,gt->rt", points.weights, stretch, stretch)
        if element == "spatial_beam":
            twist = numbers["G"] * numbers["J_t"] / numbers["L"]
            stiffness[np.ix_([3, 9], [3, 9])] += twist * np.array([[1, -1], [-1, 1]])
    else:
        strains = [(0, 0), (1, 1), (0, 1)]
        if element == "tetrahedron":
            strains = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
        B = np.array([slopes[:, i, i] if i == j else slopes[:, i, j] + slopes[:, j, i] for i, j in strains])
        D = _moduli(element, plane_state, numbers["E"], numbers["nu"])
        stiffness = np.einsum("g,agr,ab,bgt->rt", points.weights, B, D, B)
    assert _close(mine.stiffness["elastic"], stiffness)
    assert _close(mine.damping, numbers["beta"] * stiffness)


def _moduli(element: str, plane_state: str, young: float, poisson: float) -> Array:
    """Inverse of the compliance of an isotropic body, restricted to the plane where needed."""
    shear = young / (2 * (1 + poisson))
    normal = (np.eye(3) * (1 + poisson) - poisson) / young  # ε = normal σ
    if element == "tetrahedron":
        moduli = np.diag([0.0] * 3 + [shear] * 3)
        moduli[:3, :3] = np.linalg.inv(normal)
        return moduli
    # plane stress: σ_3 = 0 drops a row of the compliance; plane strain: ε_3 = 0 drops a row of its inverse
    flat = np.linalg.inv(normal[:2, :2]) if plane_state == "stress" else np.linalg.inv(normal)[:2, :2]
    moduli = np.diag([0.0, 0.0, shear])
    moduli[:2, :2] = flat
    return moduli


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_geometric_stiffness_is_the_second_variation_of_the_work_of_the_initial_stress(
    element: str, motion: str
) -> None:
    """φ(δ) = ∫ S⁰ : ½ ∇uᵀ∇u is quadratic, so k_g = φ(r + t) − φ(r) − φ(t) exactly.

    A beam takes ∂u_x/∂x on its axis.
    """
    mine = numbers_of(element, motion, "kane", prestress=True)
    points, numbers, _ = _sample(element, motion)
    stress = np.zeros((3, 3))
    if "beam" in element or element == "bar":
        stress[0, 0] = numbers["P"] / numbers["A"]
    else:
        stress[0, 0], stress[1, 1] = numbers["sigma_x"], numbers["sigma_y"]
        stress[0, 1] = stress[1, 0] = numbers["tau_xy"]
    if element == "tetrahedron":
        stress[2, 2] = numbers["sigma_z"]
        stress[1, 2] = stress[2, 1] = numbers["tau_yz"]
        stress[0, 2] = stress[2, 0] = numbers["tau_xz"]
    slopes = points.slopes()
    if "beam" in element:
        slopes[:, :, 0] = replace(points, places=points.places * [1, 0, 0]).slopes()[:, :, 0]
    slopes = slopes[:, :, points.rows]

    def work(delta: Array) -> float:
        gradient = slopes @ delta  # (points, axis, row)
        return float(0.5 * np.einsum("g,ij,gik,gjk->", points.weights, stress, gradient, gradient))

    unit = np.eye(mine.mass.shape[0])
    single = [work(e) for e in unit]
    second = np.array(
        [[work(a + b) - single[r] - single[t] for t, b in enumerate(unit)] for r, a in enumerate(unit)]
    )
    assert _close(mine.stiffness["geometric"], second)


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_body_load(element: str, motion: str) -> None:
    mine = numbers_of(element, motion, "kane", load="body")
    points, numbers, N = _sample(element, motion)
    force = np.array([numbers[f"p_V{i}"] for i in (1, 2, 3)])
    assert _close(mine.load["body"], np.einsum("g,gir,i->r", points.weights, N, force))


@pytest.mark.parametrize(("element", "motion"), GENERAL)
def test_second_derivative_of_positions(element: str, motion: str) -> None:
    """∫ρ(RN)ᵀ r̈ from positions alone, r = r_O(t) + R(t)(x + Nδ(t)), by second differences at 60 digits.

    The histories pass through the sample data at t = 0: R = exp(tω̃ + ½t²ε̃ + t³…) has RᵀṘ = ω̃ there and its rate is
    ε̃, because a matrix commutes with itself. A step of 1e-15 leaves an error of about 1e-30.
    """
    mine = numbers_of(element, motion, "lagrange")
    points, numbers, N = _sample(element, motion)
    rng = np.random.default_rng(5)
    delta, rate, second, third = rng.uniform(-1, 1, (4, mine.mass.shape[0]))
    omega, epsilon = vector("omega", motion), vector("epsilon", motion)
    v_O, a_O = vector("v_O", motion), vector("a_O", motion)
    weighted = numbers["rho"] * points.weights[:, None, None] * N

    with mpmath.workdps(60):
        lift = np.vectorize(mpmath.mpf, otypes=[object])
        N_, x_, weighted_ = lift(N), lift(points.places), lift(weighted)
        d0, d1, d2, d3, v_, a_ = (lift(u) for u in (delta, rate, second, third, v_O, a_O))
        spin, spin_rate = (mpmath.matrix(_skew(w).tolist()) for w in (omega, epsilon))

        def projected(t: mpmath.mpf) -> Array:
            """∫ρNᵀ r(t): the partial velocities RN at t = 0 are N."""
            turn = mpmath.expm(t * spin + t**2 / 2 * spin_rate + t**3 / 5 * spin, method="taylor")
            R = np.array(turn.tolist(), dtype=object)
            origin = v_ * t + a_ * t**2 / 2 + v_ * t**3
            nodal = d0 + d1 * t + d2 * t**2 / 2 + d3 * t**3
            positions = origin + (x_ + N_ @ nodal) @ R.T
            return np.einsum("gir,gi->r", weighted_, positions)

        h = mpmath.mpf("1e-15")
        force = ((projected(h) - 2 * projected(mpmath.mpf(0)) + projected(-h)) / h**2).astype(float)
    left = mine.mass @ second + mine.coriolis @ rate
    left += (mine.stiffness["euler"] + mine.stiffness["centrifugal"]) @ delta
    left -= mine.load["euler"] + mine.load["centrifugal"] + mine.load["origin"]
    assert np.abs(left - force).max() <= RELATIVE * np.abs(force).max()
