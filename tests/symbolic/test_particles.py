"""The particles of the broken element carry its integrals exactly."""

import pytest
from sympy import ImmutableMatrix

from flexframe.symbolic import ELEMENTS
from flexframe.symbolic.deriving import symbolic_element
from flexframe.symbolic.elements import newton_cotes


@pytest.mark.parametrize("name", ELEMENTS)
def test_products_of_all_functions(name: str) -> None:
    """Σ m_g φ_j(x_g) φ_l(x_g) = ∫ρ φ_j φ_l dV for 1, x, y, z and all entries of N, symbol by symbol."""
    element = symbolic_element(name)
    entries = {entry for entry in (*element.position, *element.shape) if entry != 0}
    functions = [ImmutableMatrix([1])[0], *sorted(entries, key=str)]
    assert all(point.share > 0 for point in element.particles)
    samples = []
    for point in element.particles:
        here = dict(zip(element.coordinates, point.place, strict=True))
        samples.append((point.share, [function.subs(here) for function in functions]))
    for j, left in enumerate(functions):
        for m, right in enumerate(functions[: j + 1]):
            sampled = element.mass * sum(share * values[j] * values[m] for share, values in samples)
            integral = element.density * element.integral(left * right)
            assert (sampled - integral).expand() == 0


def test_newton_cotes_weights() -> None:
    """The seven-point rule, times 840: 41 216 27 272 27 216 41 (Abramowitz and Stegun 25.4.18)."""
    assert [840 * weight for _, weight in newton_cotes(7)] == [41, 216, 27, 272, 27, 216, 41]
