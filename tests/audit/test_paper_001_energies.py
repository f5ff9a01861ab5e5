"""Paper 001: the kinetic energy (10)-(15) in 10 terms and the energy of accelerations (33)-(36) in 15.

A quadratic integral of a sum of constituents splits into one part for every pair of constituents, and
that part is isolated by switching on the pair and its members: S(i + j) - S(i) - S(j). Every printed term
is compared with the part that it stands for. Invariants: J_km, S_k, m_O,kr, m_k,mr, m_kr,nt of (11)-(14).
"""

from collections.abc import Callable

import pytest
from mpmath import mpf

from .moving_element import Snapshot
from .precision import Vector, assert_fails_by, assert_holds, contract, size

Term = Callable[["Symbols"], mpf]
Pair = tuple[str, str]


class Symbols:
    """The symbols of paper 001 at one instant; P is the product ṘᵀṘ that must not appear."""

    def __init__(self, frame: Snapshot) -> None:
        element = frame.element
        self.frame = frame
        self.v, self.a, self.W, self.A = frame.v, frame.a, frame.W, frame.A
        self.P = frame.R1.T @ frame.R1
        self.d, self.d1, self.d2 = frame.d, frame.d1, frame.d2
        self.m, self.S, self.J = element.total_mass, element.static_moment, element.second_moment
        self.M_O, self.X, self.Y, self.mass = element.M_O, element.X, element.Y, element.m

    def velocity_constituents(self) -> dict[str, Vector]:
        """The four parts of Rᵀṙ at every point."""
        return {
            "v": self._same_everywhere(self.v),
            "Wx": self.frame.element.position @ self.W.T,
            "WNd": self._displacement(self.d) @ self.W.T,
            "Nd'": self._displacement(self.d1),
        }

    def acceleration_constituents(self) -> dict[str, Vector]:
        """The five parts of Rᵀr̈ and the two that (34) adds."""
        position = self.frame.element.position
        return {
            "a": self._same_everywhere(self.a),
            "Ax": position @ self.A.T,
            "ANd": self._displacement(self.d) @ self.A.T,
            "2WNd'": 2 * self._displacement(self.d1) @ self.W.T,
            "Nd''": self._displacement(self.d2),
            "Px": position @ self.P.T,
            "PNd": self._displacement(self.d) @ self.P.T,
        }

    def quadratic(self, field: Vector) -> mpf:
        """½∫ρ|field|²."""
        return self.frame.element.integral("gi,gi->", field, field) / 2

    def part(self, constituents: dict[str, Vector], pair: Pair) -> mpf:
        """The part of the quadratic integral that belongs to one pair of constituents."""
        first, second = (constituents[name] for name in pair)
        if pair[0] == pair[1]:
            return self.quadratic(first)
        return self.quadratic(first + second) - self.quadratic(first) - self.quadratic(second)

    def _displacement(self, coordinates: Vector) -> Vector:
        return contract("gkr,r->gk", self.frame.element.shape, coordinates)

    def _same_everywhere(self, vector: Vector) -> Vector:
        return vector + mpf(0) * self.frame.element.position


# The ten terms of (15) in the paper's order, with W_ik = α_ji α̇_jk and m_kr,it in the last term.
KINETIC: dict[Pair, Term] = {
    ("v", "v"): lambda s: s.m * (s.v @ s.v) / 2,
    ("Wx", "Wx"): lambda s: contract("ik,im,km->", s.W, s.W, s.J) / 2,
    ("WNd", "WNd"): lambda s: contract("ik,in,krnt,r,t->", s.W, s.W, s.Y, s.d, s.d) / 2,
    ("Nd'", "Nd'"): lambda s: s.d1 @ s.mass @ s.d1 / 2,
    ("v", "Wx"): lambda s: contract("i,ik,k->", s.v, s.W, s.S),
    ("v", "WNd"): lambda s: contract("i,ik,kr,r->", s.v, s.W, s.M_O, s.d),
    ("v", "Nd'"): lambda s: contract("i,ir,r->", s.v, s.M_O, s.d1),
    ("Wx", "WNd"): lambda s: contract("ik,im,kmr,r->", s.W, s.W, s.X, s.d),
    ("Wx", "Nd'"): lambda s: contract("ik,kir,r->", s.W, s.X, s.d1),
    ("WNd", "Nd'"): lambda s: contract("ik,krit,r,t->", s.W, s.Y, s.d, s.d1),
}

# The fifteen terms of the appendix that are built on α α̈ = A, α α̇ = W: the complete energy.
ACCELERATION: dict[Pair, Term] = {
    ("a", "a"): lambda s: s.m * (s.a @ s.a) / 2,
    ("Ax", "Ax"): lambda s: contract("ik,im,km->", s.A, s.A, s.J) / 2,
    ("ANd", "ANd"): lambda s: contract("ik,im,krmt,r,t->", s.A, s.A, s.Y, s.d, s.d) / 2,
    ("2WNd'", "2WNd'"): lambda s: 2 * contract("ik,im,krmt,r,t->", s.W, s.W, s.Y, s.d1, s.d1),
    ("Nd''", "Nd''"): lambda s: s.d2 @ s.mass @ s.d2 / 2,
    ("a", "Ax"): lambda s: contract("i,ik,k->", s.a, s.A, s.S),
    ("a", "ANd"): lambda s: contract("i,ik,kr,r->", s.a, s.A, s.M_O, s.d),
    ("a", "2WNd'"): lambda s: 2 * contract("i,ik,kr,r->", s.a, s.W, s.M_O, s.d1),
    ("a", "Nd''"): lambda s: contract("i,ir,r->", s.a, s.M_O, s.d2),
    ("Ax", "ANd"): lambda s: contract("ik,im,kmr,r->", s.A, s.A, s.X, s.d),
    ("Ax", "2WNd'"): lambda s: 2 * contract("ik,im,kmr,r->", s.A, s.W, s.X, s.d1),
    ("Ax", "Nd''"): lambda s: contract("ik,kir,r->", s.A, s.X, s.d2),
    ("ANd", "2WNd'"): lambda s: 2 * contract("ik,im,krmt,r,t->", s.A, s.W, s.Y, s.d, s.d1),
    ("ANd", "Nd''"): lambda s: contract("ik,krit,r,t->", s.A, s.Y, s.d, s.d2),
    ("2WNd'", "Nd''"): lambda s: 2 * contract("ik,krit,r,t->", s.W, s.Y, s.d1, s.d2),
}

# The twelve further terms of the appendix, mended, that carry α̇ α̇ = P.
SPURIOUS: dict[Pair, Term] = {
    ("Px", "Px"): lambda s: contract("ik,im,km->", s.P, s.P, s.J) / 2,
    ("a", "Px"): lambda s: contract("i,ik,k->", s.a, s.P, s.S),
    ("a", "PNd"): lambda s: contract("i,ik,kr,r->", s.a, s.P, s.M_O, s.d),
    ("Px", "Ax"): lambda s: contract("ik,im,km->", s.P, s.A, s.J),
    ("Px", "PNd"): lambda s: contract("ik,im,kmr,r->", s.P, s.P, s.X, s.d),
    ("Px", "ANd"): lambda s: contract("ik,im,kmr,r->", s.P, s.A, s.X, s.d),
    ("Px", "2WNd'"): lambda s: 2 * contract("ik,im,kmr,r->", s.P, s.W, s.X, s.d1),
    ("Px", "Nd''"): lambda s: contract("ik,kir,r->", s.P, s.X, s.d2),
    ("PNd", "PNd"): lambda s: contract("ik,im,krmt,r,t->", s.P, s.P, s.Y, s.d, s.d) / 2,
    ("PNd", "ANd"): lambda s: contract("ik,im,krmt,r,t->", s.P, s.A, s.Y, s.d, s.d),
    ("PNd", "2WNd'"): lambda s: 2 * contract("ik,im,krmt,r,t->", s.P, s.W, s.Y, s.d, s.d1),
    ("PNd", "Nd''"): lambda s: contract("ik,krit,r,t->", s.P, s.Y, s.d, s.d2),
}

# The thirteenth product with P, which the appendix forgets.
FORGOTTEN: dict[Pair, Term] = {("Ax", "PNd"): lambda s: contract("ik,im,kmr,r->", s.A, s.P, s.X, s.d)}

# The seven of the twelve that are misprinted, as printed: a stray δ_r beside S_k (read as a factor Σδ_r),
# α for α̇ once, α̇ for α̈ three times, a missing ½ and δ̈_r for δ_r.
PRINTED: dict[Pair, Term] = {
    ("a", "Px"): lambda s: contract("i,ik,k->", s.a, s.P, s.S) * s.d.sum(),
    ("a", "PNd"): lambda s: contract("i,ik,kr,r->", s.a, s.W, s.M_O, s.d),
    ("Px", "Ax"): lambda s: contract("ik,im,km->", s.P, s.W, s.J),
    ("Px", "ANd"): lambda s: contract("ik,im,kmr,r->", s.P, s.W, s.X, s.d),
    ("PNd", "PNd"): lambda s: contract("ik,im,krmt,r,t->", s.P, s.P, s.Y, s.d, s.d),
    ("PNd", "ANd"): lambda s: contract("ik,im,krmt,r,t->", s.P, s.W, s.Y, s.d, s.d),
    ("PNd", "Nd''"): lambda s: contract("ik,krit,r,t->", s.P, s.Y, s.d2, s.d2),
}


@pytest.fixture
def symbols(space: Snapshot) -> Symbols:
    """Paper 001's symbols for the spatial element."""
    return Symbols(space)


@pytest.mark.parametrize("pair", KINETIC, ids="*".join)
def test_each_term_of_the_kinetic_energy(symbols: Symbols, pair: Pair) -> None:
    """001 (10)-(15), appendix E_c: each of the ten terms is its part of ½∫ρ|ṙ|² (with W = RᵀṘ)."""
    assert_holds(KINETIC[pair](symbols), symbols.part(symbols.velocity_constituents(), pair))


def test_ten_terms_are_the_kinetic_energy(symbols: Symbols) -> None:
    """001 (15): the ten terms together are ½∫ρ|ṙ|² from differentiated positions."""
    assert len(KINETIC) == 10
    assert_holds(sum(term(symbols) for term in KINETIC.values()), symbols.frame.kinetic_energy)


def test_product_of_rotation_and_its_rate_without_transposition(symbols: Symbols) -> None:
    """001 (10), (15): α_ij α̇_jk is RṘ; harmless in products of two, wrong in the four terms linear in W."""
    literal = symbols.frame.R @ symbols.frame.R1
    assert_holds(literal.T @ literal, symbols.W.T @ symbols.W)
    assert size(literal - symbols.W) > size(symbols.W) / 100
    correct = symbols.W
    for pair in (("v", "Wx"), ("v", "WNd"), ("Wx", "Nd'"), ("WNd", "Nd'")):
        part = symbols.part(symbols.velocity_constituents(), pair)
        symbols.W = literal
        printed = KINETIC[pair](symbols)
        symbols.W = correct
        assert abs(printed - part) > abs(part) / 100


def test_last_kinetic_term_needs_kr_it(symbols: Symbols) -> None:
    """001 (15), (26): with ∫ρ N_ir N_kt for the undefined m_ik,rt the last term changes its sign."""
    s = symbols
    part = s.part(s.velocity_constituents(), ("WNd", "Nd'"))
    other = contract("ik,irkt,r,t->", s.W, s.Y, s.d, s.d1)
    assert_fails_by(other, part, -2 * part, term=part)


@pytest.mark.parametrize("pair", ACCELERATION, ids="*".join)
def test_each_term_of_the_energy_of_accelerations(symbols: Symbols, pair: Pair) -> None:
    """001 appendix E_a: each of the fifteen terms built on RᵀR̈ is its part of ½∫ρ|r̈|²."""
    assert_holds(ACCELERATION[pair](symbols), symbols.part(symbols.acceleration_constituents(), pair))


def test_fifteen_terms_are_the_energy_of_accelerations(symbols: Symbols) -> None:
    """001 (33), appendix E_a: the fifteen terms alone are ½∫ρ|r̈|² from differentiated positions."""
    assert len(ACCELERATION) == 15
    assert_holds(sum(term(symbols) for term in ACCELERATION.values()), symbols.frame.acceleration_energy)


@pytest.mark.parametrize("pair", SPURIOUS | FORGOTTEN, ids="*".join)
def test_each_spurious_term(symbols: Symbols, pair: Pair) -> None:
    """E1, 001 appendix E_a: each further term, mended, is a product with the surplus constituent ṘᵀṘ(x + Nδ)."""
    assert_holds((SPURIOUS | FORGOTTEN)[pair](symbols), symbols.part(symbols.acceleration_constituents(), pair))


def test_e1_spurious_terms_are_the_error_of_the_printed_acceleration(symbols: Symbols) -> None:
    """E1, 001 (34), (36), appendix E_a: 12 spurious terms and the forgotten one = E_a of (34) - true E_a."""
    assert len(SPURIOUS) == 12
    printed_acceleration = sum(symbols.acceleration_constituents().values())
    printed_energy = symbols.quadratic(printed_acceleration)
    surplus = sum(term(symbols) for term in (SPURIOUS | FORGOTTEN).values())
    truth = symbols.frame.acceleration_energy
    assert_fails_by(printed_energy, truth, surplus, term=truth)
    twelve = sum(term(symbols) for term in SPURIOUS.values())
    forgotten = FORGOTTEN["Ax", "PNd"](symbols)
    assert_fails_by(truth + twelve, printed_energy, -forgotten, term=forgotten)


@pytest.mark.parametrize("pair", PRINTED, ids="*".join)
def test_misprinted_spurious_terms(symbols: Symbols, pair: Pair) -> None:
    """001 appendix E_a: seven of the twelve are misprinted as well and are not even products with P."""
    part = symbols.part(symbols.acceleration_constituents(), pair)
    assert abs(PRINTED[pair](symbols) - part) > abs(part) / 100


def test_001_appendix_has_27_of_28_products() -> None:
    """001 appendix E_a: seven constituents give 28 products, of which the lists hold 15 + 12."""
    assert len(ACCELERATION) + len(SPURIOUS) == 27
    assert 7 * 8 // 2 - len(ACCELERATION | SPURIOUS) == len(FORGOTTEN)
