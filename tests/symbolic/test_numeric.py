"""The numeric routes against the symbolic derivations, evaluated at the same numbers."""

from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.formalisms.samples import moving

from flexframe.elements.contract import ElementBatch
from flexframe.elements.families import family_named
from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    Property,
    Rectangle,
)
from flexframe.formalisms.contract import MovingElements
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.registry import formalism_named
from flexframe.motion.frame import FrameMotion
from flexframe.symbolic import derive

MATERIAL = Material(young=70.0, poisson=0.25, density=2.7)
SECTION = Rectangle(width=0.2, height=0.3)
LENGTH = 1.4

CASES: dict[str, tuple[str, Property, list[list[float]], list[int]]] = {
    "planar_beam": (
        "euler_bernoulli_beam",
        BeamProperty(MATERIAL, SECTION),
        [[0, 0, 0], [LENGTH, 0, 0]],
        [0, 1, 5, 6, 7, 11],
    ),
    "triangle": (
        "triangle3",
        PlaneProperty(MATERIAL, 0.4),
        [[0, 0, 0], [1.1, 0, 0], [0.3, 0.9, 0]],
        [0, 1, 2, 3, 4, 5],
    ),
    "rectangle": (
        "quadrilateral4",
        PlaneProperty(MATERIAL, 0.4),
        [[0, 0, 0], [1.1, 0, 0], [1.1, 0.8, 0], [0, 0.8, 0]],
        [0, 1, 2, 3, 4, 5, 6, 7],
    ),
    "bar": ("bar", BarProperty(MATERIAL, SECTION.area), [[0, 0, 0], [LENGTH, 0, 0]], [0, 1, 3, 4]),
}


def _numbers(symbols: tuple[Any, ...], points: list[list[float]]) -> dict[Any, float]:
    """Values of the symbols of an element, by their names."""
    known = {
        "rho": MATERIAL.density,
        "E": MATERIAL.young,
        "nu": MATERIAL.poisson,
        "A": SECTION.area,
        "I": SECTION.inertia_z,
        "L": LENGTH,
        "t": 0.4,
        "a": 1.1,
        "b": 0.8,
    }
    for index, point in enumerate(points, start=1):
        known |= {f"x_{index}": point[0], f"y_{index}": point[1]}
    return {symbol: known[symbol.name] for symbol in symbols}


@pytest.mark.parametrize("element", CASES)
@pytest.mark.parametrize("name", ["lagrange", "gibbs_appell", "hamilton", "maggi", "kane", "whittaker"])
def test_numbers_and_symbols(element: str, name: str) -> None:
    """M, C, K, f of one element in the plane, both sides exact integrals: 1e-12 of the largest entry."""
    family, prop, points, rows = CASES[element]
    derived = derive(element, "planar", name)
    omega, epsilon, a = 1.3, 0.0 if name == "whittaker" else -0.7, (0.4, -0.9)
    values = _numbers(derived.parameters, points)
    frame = derived.motion
    motion_values = {frame.omega[2]: omega, frame.epsilon[2]: epsilon, frame.a_O[0]: a[0], frame.a_O[1]: a[1]}
    known = {symbol: value for symbol, value in (values | motion_values).items() if symbol is not None}

    def evaluated(matrix: Any) -> np.ndarray:
        for symbol, expression in reversed(derived.definitions):
            matrix = matrix.xreplace({symbol: expression})
        return np.array(sp.N(matrix.xreplace(known)).tolist(), dtype=float)

    batch = ElementBatch(
        family_named(family),
        prop,
        np.arange(len(points))[None],
        np.array([points], dtype=float),
        np.zeros(1, np.int64),
    )
    full = moving(batch, np.random.default_rng(0))
    elements = MovingElements(
        full.weights,
        full.positions,
        full.shape,
        full.stiffness,
        0 * full.damping,
        0 * full.load,
    )
    motion = FrameMotion((0, 0, omega), (0, 0, epsilon), (0.2, 0.1), a)
    made = formalism_named(name).element_equations(elements, motion, Work())
    pick = np.ix_(rows, rows)
    for found, expected in (
        (made.mass[0][pick], derived.mass),
        (made.damping[0][pick], derived.coriolis),
        (made.stiffness[0][pick], derived.total_stiffness),
        (made.load[0][rows][:, None], derived.total_load),
    ):
        reference = evaluated(expected)
        assert np.abs(found - reference).max() < 1e-12 * np.abs(reference).max()
