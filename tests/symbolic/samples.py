"""Rational data for every element, and the numbers of a derivation at such data, without rounding."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sympy import Matrix, Rational, Symbol

from flexframe.maths.arrays import Array
from flexframe.symbolic import Derivation, derive

GENERAL = (
    ("bar", "planar"),
    ("bar", "spatial"),
    ("planar_beam", "planar"),
    ("planar_beam", "spatial"),
    ("spatial_beam", "spatial"),
    ("triangle", "planar"),
    ("triangle", "spatial"),
    ("rectangle", "planar"),
    ("tetrahedron", "planar"),
    ("tetrahedron", "spatial"),
)
"""Elements and motions of the agreement tests."""


def _rationals(**values: str) -> dict[str, Rational]:
    return {name: Rational(value) for name, value in values.items()}


# A rectangular section of height 3/10 (along y) and width 1/5 (along z).
_SECTION = _rationals(A="3/50", I="9/20000", I_z="9/20000", I_y="1/5000", J_t="1/2500", L="7/5")
_PLATE = _rationals(t="1/50", nu="3/10", a="6/5", b="4/5", x_2="9/10", x_3="-1/5", y_3="7/10")
_NODES = _rationals(
    x_1="1/10", y_1="-1/5", z_1="3/10",
    x_2="13/10", y_2="1/10", z_2="1/5",
    x_3="1/5", y_3="11/10", z_3="-1/10",
    x_4="2/5", y_4="3/10", z_4="6/5",
)  # fmt: skip
_COMMON = _rationals(
    rho="27/10", E="70", G="26", nu="3/10", beta="1/100", P="5/2",
    sigma_x="3/2", sigma_y="-1/2", sigma_z="4/5", tau_xy="1/3", tau_yz="-2/7", tau_xz="1/5",
    p_V1="2/3", p_V2="-3/4", p_V3="5/6",
)  # fmt: skip
MOTION = _rationals(
    omega="-3/2", omega_1="7/10", omega_2="-11/10", omega_3="13/10",
    epsilon="5/7", epsilon_1="2/5", epsilon_2="3/4", epsilon_3="-6/5",
    a_O1="-8/9", a_O2="12/5", a_O3="4/3",
    v_O1="17/3", v_O2="-5/2", v_O3="31/7",
)  # fmt: skip


def data(element: str) -> dict[str, Rational]:
    """Values of all symbols that an element and its motion can have."""
    geometry = _NODES if element == "tetrahedron" else {**_SECTION, **_PLATE}
    return {**_COMMON, **geometry, **MOTION}


@cache
def derived(element: str, motion: str, formalism: str, **options: Any) -> Derivation:
    """A derivation, done once for all tests."""
    return derive(element, motion, formalism, **options)


def values(derivation: Derivation) -> dict[Symbol, Rational]:
    """Symbol → number, definitions included."""
    numbers = data(derivation.element.name)
    known: dict[Symbol, Rational] = {
        symbol: numbers[symbol.name]
        for symbol in (
            *derivation.parameters,
            *(s for group in (derivation.motion.omega, derivation.motion.epsilon) for s in group if s),
            *(s for group in (derivation.motion.a_O, derivation.motion.v_O) for s in group if s),
        )
    }
    for symbol, value in derivation.definitions:
        known[symbol] = value.xreplace(known)
    return known


def exact(matrix: Any, known: Mapping[Symbol, Rational]) -> Any:
    """The matrix at rational data."""
    return Matrix(matrix).xreplace(dict(known))


def array(matrix: Any) -> Array:
    """A matrix of numbers as floats; a column becomes a vector."""
    result = np.array(matrix.tolist(), dtype=float)
    return result[:, 0] if matrix.cols == 1 else result


@dataclass(frozen=True)
class Numbers:
    """All parts of a derivation as floats."""

    mass: Array
    coriolis: Array
    damping: Array
    stiffness: dict[str, Array]
    load: dict[str, Array]


@cache
def numbers_of(element: str, motion: str, formalism: str, **options: Any) -> Numbers:
    """The parts at the sample data."""
    derivation = derived(element, motion, formalism, **options)
    known = values(derivation)

    def evaluated(matrix: Any) -> Array:
        return array(exact(matrix, known))

    return Numbers(
        mass=evaluated(derivation.mass),
        coriolis=evaluated(derivation.coriolis),
        damping=evaluated(derivation.damping),
        stiffness={name: evaluated(part) for name, part in derivation.stiffness.items()},
        load={name: evaluated(part) for name, part in derivation.load.items()},
    )


def vector(stem: str, motion: str) -> Array:
    """ω, ε, a_O or v_O of the sample motion with three components."""
    turning = stem in ("omega", "epsilon")
    if motion == "spatial":
        names = [f"{stem}_{i}" if turning else f"{stem}{i}" for i in (1, 2, 3)]
        return np.array([float(MOTION[name]) for name in names])
    if turning:
        return np.array([0.0, 0.0, float(MOTION[stem])])
    return np.array([float(MOTION[f"{stem}1"]), float(MOTION[f"{stem}2"]), 0.0])
