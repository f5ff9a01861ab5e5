"""The canonical equations hold along a motion of the element, in both gauges, in exact arithmetic."""

import pytest
from sympy import Matrix, Rational, Symbol

from flexframe.symbolic import Derivation

from .samples import derived, exact, values


def _state(derivation: Derivation) -> tuple[Matrix, Matrix, Matrix]:
    """δ, δ̇ and the δ̈ that the second-order equations give."""
    known = values(derivation)
    size = derivation.mass.rows
    delta = Matrix([Rational(r + 2, 7 - r) for r in range(size)])
    rate = Matrix([Rational((-1) ** r * (r + 1), 5) for r in range(size)])
    right = exact(derivation.total_load, known) - exact(derivation.total_damping, known) * rate
    second = exact(derivation.mass, known).LUsolve(right - exact(derivation.total_stiffness, known) * delta)
    return delta, rate, second


@pytest.mark.parametrize("gauge", ["natural", "invariant"])
@pytest.mark.parametrize(
    ("element", "motion"), [("bar", "spatial"), ("planar_beam", "planar"), ("triangle", "planar")]
)
def test_canonical_equations(element: str, motion: str, gauge: str) -> None:
    """δ̇ = ∂H/∂p and ṗ = −∂H/∂δ, with ṗ from the chain rule and v̇_O = a_O − ω × v_O; no number is rounded."""
    derivation = derived(element, motion, "hamilton", gauge=gauge)
    known = values(derivation)
    delta, rate, second = _state(derivation)
    size = len(delta)
    steps = {step.title.partition(",")[0]: step.expression for step in derivation.steps}
    momenta, hamiltonian = steps["momenta"], steps["Hamiltonian"]
    names = {
        stem: [Symbol(f"{stem}_{r + 1}", real=True) for r in range(size)] for stem in ("delta", "deltadot", "p")
    }
    place = dict(zip(names["delta"], delta, strict=True)) | dict(zip(names["deltadot"], rate, strict=True))

    p_now = exact(momenta, {**known, **place})
    inverse = exact(steps["inverse of the mass matrix"], known)
    assert inverse * exact(derivation.mass, known) == Matrix.eye(size)
    named_inverse = {
        Symbol(f"n_{{{r + 1},{t + 1}}}", real=True): inverse[r, t] for r in range(size) for t in range(r, size)
    }
    here = {**known, **place, **named_inverse, **dict(zip(names["p"], p_now, strict=True))}

    speeds = Matrix([hamiltonian.diff(symbol) for symbol in names["p"]])
    assert exact(speeds, here) == rate
    assert exact(steps["first canonical equations"], here) == rate

    forces = Matrix([-hamiltonian.diff(symbol) for symbol in names["delta"]])
    assert exact(forces, here) == exact(steps["second canonical equations"], here)
    p_rate = _total_rate(momenta, derivation, names, (rate, second))
    assert exact(p_rate, {**known, **place}) == exact(forces, here)


def _total_rate(momenta: Matrix, derivation: Derivation, names: dict, changes: tuple[Matrix, Matrix]) -> Matrix:
    """dp/dt by the chain rule."""
    motion = derivation.motion
    rates = dict(zip(names["delta"], changes[0], strict=True)) | dict(
        zip(names["deltadot"], changes[1], strict=True)
    )
    rates |= {w: e for w, e in zip(motion.omega, motion.epsilon, strict=True) if w is not None}
    w, v, a = (Matrix([s or 0 for s in group]) for group in (motion.omega, motion.v_O, motion.a_O))
    drift = a - w.cross(v)
    rates |= {symbol: drift[i] for i, symbol in enumerate(motion.v_O) if symbol is not None}
    total = Matrix.zeros(*momenta.shape)
    for symbol, rate in rates.items():
        total += momenta.diff(symbol) * rate
    return total


def test_gauges_differ_in_what_they_need() -> None:
    """The natural gauge knows v_O and neither ε nor a_O; the invariant one knows ω, ε, a_O and not v_O."""
    natural, invariant = (
        next(
            step.expression.free_symbols
            for step in derived("planar_beam", "planar", "hamilton", gauge=gauge).steps
            if step.title == "second canonical equations"
        )
        for gauge in ("natural", "invariant")
    )
    motion = derived("planar_beam", "planar", "hamilton").motion
    speeds, accelerations = ({s for s in group if s is not None} for group in (motion.v_O, motion.a_O))
    epsilon = motion.epsilon[2]
    assert speeds <= natural and not natural & {epsilon, *accelerations}
    assert {epsilon, *accelerations} <= invariant and not invariant & speeds
