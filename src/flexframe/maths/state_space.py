"""Linear systems ẋ = A x + B w, y = C x + D w: responses, Hankel singular values and reduction.

    balanced:   W_c = W_o = diag σ,   ‖G − G_r‖∞ ≤ 2 Σ_{dropped} σ        (Moore 1981, Enns 1984, Glover 1984)
    modal:      G = D + Σ c_i b_i/(s − λ_i),   ‖G − G_r‖∞ ≤ Σ_{dropped} |c_i||b_i|/|Re λ_i|

Poles that are not stable have no Gramians: balanced truncation keeps all of them and reduces the rest. Systems of
instants, x_{k+1} = A x_k + B w_k, are reduced through z = (1 + s)/(1 − s), which keeps σ and the bound.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, ComplexArray

_STABLE = 1e-9  # −Re λ/|λ|max from which a pole counts as stable
_EMPTY = 1e-14  # σ beside the largest that is rounding


@dataclass(frozen=True, eq=False)
class StateSpace:
    """A (n, n), B (n, m), C (p, n), D (p, m); with a period x_{k+1} = A x_k + B w_k, without one ẋ = A x + B w."""

    A: Array
    B: Array
    C: Array
    D: Array
    period: float | None = None  # s, between the instants of a discrete system

    @property
    def order(self) -> int:
        """Number of states."""
        return len(self.A)

    @property
    def poles(self) -> ComplexArray:
        """Eigenvalues of A by ascending size, of a pair the one above the real axis first."""
        values = linalg.eigvals(self.A).astype(complex) if self.order else np.zeros(0, dtype=complex)
        return values[np.lexsort((-values.imag, np.round(np.abs(values), 12)))]

    @property
    def exponents(self) -> ComplexArray:
        """λ of e^{λt} [1/s] of every pole; of a discrete system ln z/T, below half the sampling frequency."""
        if self.period is None:
            return self.poles
        # a pole at zero ends at once: it is as fast as numbers are
        sizes = np.maximum(np.abs(self.poles), np.finfo(float).tiny)
        return np.asarray((np.log(sizes) + 1j * np.angle(self.poles)) / self.period)

    def response(self, rates: Array) -> ComplexArray:
        """D + C (s − A)⁻¹ B at angular frequencies (k,), s = iω, or e^{iωT} of a discrete system: (k, p, m)."""
        own = self.balanced()
        T, Q = linalg.schur(own.A, output="complex")  # one triangular solution for each frequency
        B, C = Q.conj().T @ own.B, own.C @ Q
        out = np.empty((len(rates), *self.D.shape), dtype=complex)
        identity = np.eye(self.order)
        points = 1j * np.asarray(rates) if self.period is None else np.exp(1j * np.asarray(rates) * self.period)
        for k, point in enumerate(points):
            shifted = point * identity - T
            if (np.diagonal(shifted) == 0).any():
                out[k] = np.inf
                continue
            out[k] = self.D + C @ linalg.solve_triangular(shifted, B)
        return out

    def held(self, step: float) -> tuple[Array, Array]:
        """x(t + h) = A_h x + B_h w for an input that stays for a step."""
        assert self.period is None, "a discrete system has its own step"
        n, m = self.B.shape
        both = np.zeros((n + m, n + m))
        both[:n, :n], both[:n, n:] = self.A, self.B
        made = linalg.expm(both * step)
        return made[:n, :n], made[:n, n:]

    def step_response(self, times: Array) -> Array:
        """y after a unit step of each input at t = 0, at evenly spread times from 0 on (k,): (k, p, m).

        Of a discrete system at its instants, whatever the times are.
        """
        states = np.zeros((self.order, self.B.shape[1]))
        if len(times) < 2:
            return np.asarray([self.C @ states + self.D])
        A, B = (self.A, self.B) if self.period is not None else self.held(float(times[1] - times[0]))
        out = np.empty((len(times), *self.D.shape))
        for k in range(len(times)):
            out[k] = self.C @ states + self.D
            states = A @ states + B
        return out

    def balanced(self) -> "StateSpace":
        """With scaled states, so that rows and columns of A are alike in size."""
        A, (scale, _) = linalg.matrix_balance(self.A, permute=False, separate=True)
        return replace(self, A=np.asarray(A, dtype=float), B=self.B / scale[:, None], C=self.C * scale)

    def continuous(self) -> "StateSpace":
        """The continuous system with the same values on z = (1 + s)/(1 − s); itself where it is one."""
        if self.period is None:
            return self
        one = np.eye(self.order)
        try:
            before = np.linalg.solve(self.A + one, np.hstack([self.A - one, self.B]))  # (A + 1)⁻¹ (A − 1, B)
        except np.linalg.LinAlgError:
            raise AnalysisError(
                "a pole lies at z = −1, where nothing is reduced; change the period or a gain a little"
            ) from None
        C = np.linalg.solve((self.A + one).T, self.C.T).T
        root = np.sqrt(2.0)
        n = self.order
        D = self.D - self.C @ before[:, n:]
        return StateSpace(np.array(before[:, :n], dtype=float), root * before[:, n:], root * C, D)

    def instants(self, period: float) -> "StateSpace":
        """The discrete system of which this one is the continuous one."""
        one = np.eye(self.order)
        after = np.linalg.solve(one - self.A, np.hstack([one + self.A, self.B]))
        C = np.linalg.solve((one - self.A).T, self.C.T).T
        root = np.sqrt(2.0)
        n = self.order
        D = self.D + self.C @ after[:, n:]
        return StateSpace(np.array(after[:, :n], dtype=float), root * after[:, n:], root * C, D, period)


@dataclass(frozen=True, eq=False)
class Reduced:
    """A smaller system, and by how much its frequency response may differ at most (largest singular value)."""

    system: StateSpace
    error_bound: float
    hankel_values: Array  # of the stable part, all of them; none of a modal reduction
    kept_unstable: int  # states of poles that are not stable


def hankel_values(system: StateSpace) -> Array:
    """σ of the stable part, descending."""
    return _balance(_separate(system.continuous())[0])[0]


def balanced_truncation(system: StateSpace, order: int | None = None, tolerance: float | None = None) -> Reduced:
    """Keep the states that inputs reach and outputs see most: so many in all, or until 2Σσ is below a limit."""
    if order is not None:
        _require_order(system, order)
    if system.period is not None:
        found = balanced_truncation(system.continuous(), order, tolerance)
        return replace(found, system=found.system.instants(system.period))
    stable, rest = _separate(system)
    values, left, right = _balance(stable)
    loose = 0 if rest is None else rest.order
    if order is not None:
        count = order - loose
    else:
        assert tolerance is not None, "one of both is given"
        bounds = 2 * np.append(np.cumsum(values[::-1])[::-1], 0.0)  # of keeping 0, 1, …
        count = int(np.argmax(bounds <= tolerance))
    if count < 0:
        raise InputError(
            f"{loose} states belong to poles that are not stable and stay; ask for {loose} or more", field="order"
        )
    count = min(count, len(values))
    T, inverse = left[:count], right[:, :count]
    small = StateSpace(T @ stable.A @ inverse, T @ stable.B, stable.C @ inverse, system.D)
    return Reduced(_together(small, rest), float(2 * values[count:].sum()), values, loose)


def _require_order(system: StateSpace, order: int) -> None:
    if not 0 < order <= system.order:
        raise InputError(
            f"{order} states of {system.order} are asked for; ask for fewer, one or more", field="order"
        )


def modal_truncation(system: StateSpace, order: int, *, static: bool = True) -> Reduced:
    """Keep the poles nearest to zero; with `static` D makes up for what the others answer at rest."""
    poles = system.poles
    _require_order(system, order)
    if system.period is not None:
        raise InputError(
            "a modal reduction is for continuous time, and this model is one of instants; take a balanced one",
            field="method",
        )
    if order == system.order:
        return Reduced(system, 0.0, np.zeros(0), 0)
    limit = _between(poles, order)
    low, high = _split_system(system, lambda value: abs(value) < limit)
    assert high is not None
    D = low.D
    if static:
        D = D - high.C @ np.linalg.solve(high.A, high.B)
    return Reduced(replace(low, D=D), _modal_bound(high, static=static), np.zeros(0), 0)


def _between(poles: ComplexArray, order: int) -> float:
    """A size of λ between the poles kept and left; a conjugate pair stays together."""
    sizes = np.sort(np.abs(poles))
    if sizes[order] - sizes[order - 1] <= 1e-9 * sizes[order]:
        raise InputError(
            f"{order} states would part a conjugate pair of poles; ask for one state more or less", field="order"
        )
    return float(np.sqrt(sizes[order] * max(sizes[order - 1], 0.25 * sizes[order])))


def _modal_bound(system: StateSpace, *, static: bool) -> float:
    """Σ |c||b|/|Re λ| of the poles; with the static answer kept |jω/λ| ≤ |λ|/|Re λ| more of each."""
    values, vectors = linalg.eig(system.A)
    b = np.linalg.norm(np.linalg.solve(vectors, system.B), axis=1)
    c = np.linalg.norm(system.C @ vectors, axis=0)
    damped = np.abs(values.real)
    if (damped <= 1e-14 * np.abs(values)).any():
        return float("inf")
    # G(iω) of a pole is c b/(iω − λ); less its static value it is c b iω/(λ(iω − λ))
    size = 1 / damped
    if static:
        size = np.minimum(1 / damped + 1 / np.abs(values), 2 / damped)
    return float((c * b * size).sum())


def _separate(system: StateSpace) -> tuple[StateSpace, StateSpace | None]:
    """The stable part with D zero, and the rest, None where all is stable."""
    fastest = float(np.abs(system.poles).max(initial=0.0))
    stable, rest = _split_system(system, lambda value: value.real < -_STABLE * fastest)
    return replace(stable, D=0 * system.D), rest


def _split_system(system: StateSpace, chosen: Callable[[complex], bool]) -> tuple[StateSpace, StateSpace | None]:
    """Two systems whose sum it is, the first with the chosen poles and D."""

    def first(real: float, imaginary: float = 0.0) -> bool:
        return bool(chosen(complex(real, imaginary)))

    if not system.order:
        return system, None
    system = system.balanced()
    T, Q, count = linalg.schur(system.A, output="real", sort=first)
    # X that takes the coupling away: T11 X − X T22 = −T12
    B, C = Q.T @ system.B, system.C @ Q
    if count == system.order:
        return StateSpace(T, B, C, system.D), None
    X = linalg.solve_sylvester(T[:count, :count], -T[count:, count:], -T[:count, count:])
    one = StateSpace(T[:count, :count], B[:count] - X @ B[count:], C[:, :count], system.D)
    two = StateSpace(T[count:, count:], B[count:], C[:, count:] + C[:, :count] @ X, 0 * system.D)
    return one, two


def _balance(system: StateSpace) -> tuple[Array, Array, Array]:
    """σ descending, and left and right projections of balanced states, by square roots of the Gramians."""
    if not system.order:
        return np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))
    reach, see = _root(system.A, system.B), _root(system.A.T, system.C.T)
    U, values, Vt = linalg.svd(see.T @ reach)
    kept = values > _EMPTY * values.max(initial=0.0)
    if not kept.any():
        raise AnalysisError("no input reaches an output; name other inputs or outputs")
    U, V, values = U[:, : len(values)][:, kept], Vt.T[:, : len(values)][:, kept], values[kept]
    roots = np.sqrt(values)
    return values, (see @ U / roots).T, reach @ V / roots


def _root(A: Array, B: Array) -> Array:
    """L with L Lᵀ = W and A W + W Aᵀ + B Bᵀ = 0, rounding below zero left out."""
    gramian = linalg.solve_continuous_lyapunov(A, -B @ B.T)
    values, vectors = linalg.eigh((gramian + gramian.T) / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _together(one: StateSpace, two: StateSpace | None) -> StateSpace:
    """The sum of two systems with D of the first."""
    if two is None:
        return one
    return StateSpace(linalg.block_diag(one.A, two.A), np.vstack([one.B, two.B]), np.hstack([one.C, two.C]), one.D)
