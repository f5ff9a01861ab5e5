"""The map of one period of ÿ + C(t)ẏ + K(t)y = 0 and its eigenvalues, Floquet's multipliers.

Collocation at Gauss's points with eight stages is of order 16 and keeps the quadratic invariants of a conservative
system, so that its multipliers stay in reciprocal pairs. The number of steps grows until the map changes no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.floquet.gauss import NODES, STAGES, step_maps

MOST = 100_000  # steps
TURN = 2 * np.pi
CONSERVATIVE = 1e-6
DAMPED = 1e-11
TOLERANCE = 1e-11  # change of the map, relative to its norm, that ends the refinement
_PHASE = 2.0  # rad of the fastest motion in a step
_FEWEST = 4  # steps in a piece
_ROUNDS = 6
_SYMPLECTIC = 1e-9
_ROOM = 8_000_000  # numbers of stage systems held at once


class TooFastError(AnalysisError):
    """A period holds too many oscillations to follow them."""


class Piece(Protocol):
    """A part of the period in which the coordinates are the same."""

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...

    def coefficients(self, times: Array) -> tuple[Array, Array]:
        """C and K at several times: (t, r, r) each."""
        ...


class PeriodicSystem(Protocol):
    """ÿ + C(t)ẏ + K(t)y = 0 over one period, piece after piece."""

    @property
    def period(self) -> float: ...
    @property
    def fastest(self) -> float:
        """The highest frequency of the frozen equations [rad/s], about."""
        ...

    @property
    def pieces(self) -> Sequence[Piece]: ...

    @property
    def seams(self) -> Sequence[Array | None]:
        """What turns (y, ẏ) at the end of a piece into those of the next (the first after the last); None: 1."""
        ...


@dataclass(frozen=True, eq=False)
class PeriodMap:
    """x ↦ Φx over one period, x = (y, ẏ)."""

    period: float
    matrix: Array
    error: float  # change of Φ in the last refinement, relative to its norm
    steps: int
    refinement: float  # number of steps, in units of the coarsest, that was enough
    form: Array  # W, which a conservative system keeps: ΦᵀWΦ = W
    conservative: bool

    @property
    def multipliers(self) -> ComplexArray:
        """Eigenvalues of Φ, the largest first, of a conjugate pair the one above the real axis first."""
        values = np.linalg.eigvals(self.matrix).astype(complex)
        return values[np.lexsort((-values.imag, np.round(-np.abs(values), 9)))]

    @property
    def growth(self) -> float:
        """log |μ|max."""
        return float(np.log(np.abs(np.linalg.eigvals(self.matrix)).max()))

    @property
    def margin(self) -> float:
        """log |μ| above which a disturbance grows and the value is not round-off.

        Multipliers of a conservative system that meet on the unit circle are uncertain by the square root of the
        precision; those that damping moves across it are not.
        """
        return CONSERVATIVE if self.conservative else DAMPED

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows."""
        return self.growth <= self.margin


def quick_map(system: PeriodicSystem, refinement: float) -> PeriodMap:
    """The map with as many steps for an oscillation as were enough for a neighbouring system; no check."""
    form = _symplectic_form(system)
    matrix, steps = _map(system, form, refinement)
    return PeriodMap(system.period, matrix, np.nan, steps, refinement, form, _keeps(matrix, form, system.fastest))


def period_map(system: PeriodicSystem, most: int = MOST) -> PeriodMap:
    """Refine until the map of the period changes no more, with at most so many steps for the coarsest."""
    oscillations = system.fastest * system.period / TURN
    if TURN * oscillations / _PHASE > most:
        raise TooFastError(
            f"one period holds {oscillations:.3g} oscillations of the fastest motion, too many to follow; keep "
            "fewer modes"
        )
    refinement = 1.0
    form = _symplectic_form(system)
    before, steps = _map(system, form, refinement)
    error = np.inf
    for _ in range(_ROUNDS):
        refinement *= 1.5
        now, steps = _map(system, form, refinement)
        scale = _balance(now, system.fastest)
        last, error = error, float(np.linalg.norm(scale * (now - before)) / np.linalg.norm(scale * now))
        before = now
        if error <= TOLERANCE or error > 0.3 * last:
            break
    if not np.isfinite(before).all():
        raise AnalysisError(
            "the map of one period is not finite; the motion grows too fast, or check its formulas"
        )
    enough = refinement / 1.5  # the map before the last was already as good
    return PeriodMap(system.period, before, error, steps, enough, form, _keeps(before, form, system.fastest))


def _symplectic_form(system: PeriodicSystem) -> Array:
    """W = [[C, 1], [−1, 0]] with the skew part of C at the start of the period."""
    first = system.pieces[0]
    C = first.coefficients(np.array([first.start]))[0][0]
    one = np.eye(len(C))
    return np.block([[(C - C.T) / 2, one], [-one, np.zeros_like(one)]])


def _keeps(matrix: Array, form: Array, rate: float) -> bool:
    """Whether ΦᵀWΦ = W up to rounding, in units that make y and ẏ comparable."""
    r = len(matrix) // 2
    scale = np.concatenate([np.full(r, 1 / rate), np.ones(r)])
    W = form * np.outer(scale, scale) * rate
    Phi = matrix * np.outer(1 / scale, scale)
    size = max(float(np.linalg.norm(Phi, 2)) ** 2 * float(np.linalg.norm(W, 2)), 1.0)
    return bool(np.abs(Phi.T @ W @ Phi - W).max() <= _SYMPLECTIC * size)


def _balance(matrix: Array, rate: float) -> Array:
    """Weights of the entries that make y and ẏ comparable."""
    r = len(matrix) // 2
    side = np.concatenate([np.full(r, rate), np.ones(r)])
    return side[:, None] / side[None]


def _map(system: PeriodicSystem, form: Array, refinement: float) -> tuple[Array, int]:
    whole: Array | None = None
    total = 0
    for piece, seam in zip(system.pieces, system.seams, strict=True):
        length = piece.end - piece.start
        steps = int(np.ceil(refinement * max(_FEWEST, system.fastest * length / _PHASE)))
        total += steps
        whole = _through(piece, steps, len(form) // 2, whole)
        if seam is not None:
            whole = seam @ whole
    assert whole is not None
    return whole, total


def _through(piece: Piece, steps: int, r: int, whole: Array | None) -> Array:
    """Φ of a piece times what came before."""
    h = (piece.end - piece.start) / steps
    chunk = max(1, _ROOM // (STAGES * r) ** 2)
    done = np.eye(2 * r) if whole is None else whole
    for first in range(0, steps, chunk):
        count = min(chunk, steps - first)
        starts = piece.start + h * np.arange(first, first + count, dtype=float)
        C, K = piece.coefficients((starts[:, None] + h * NODES).ravel())
        steps_shape = (count, STAGES, r, r)
        for step in step_maps(C.reshape(steps_shape), K.reshape(steps_shape), h)[0]:
            done = step @ done
    return done


@dataclass(eq=False)
class Growth:
    """log |μ|max over one period; maps that were made are kept."""

    make: Callable[[float], PeriodMap]
    known: dict[float, PeriodMap] = field(default_factory=dict)

    def map_at(self, value: float) -> PeriodMap:
        """The map of one period."""
        if value not in self.known:
            self.known[value] = self.make(value)
        return self.known[value]

    def at(self, value: float) -> float:
        """log |μ|max."""
        return self.map_at(value).growth
