"""Linear models of systems with sampled controllers: from one instant to the next.

Between instants held values h do not change; at an instant those of the controllers that act take new ones:

    ẋ = A x + B_h h + B w,      h⁺ = S x + S_h h + S_w w .

Over the period in which all samplings repeat, with the input w held, jumps and matrix exponentials make one map

    z_{k+1} = Φ z_k + Γ w_k,      y_k = C z_k + D w_k,

z = (x, h) just before an instant, y just after it. Held values that nothing reads before they are replaced are
left out: they are poles at zero of no meaning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import gcd

import numpy as np
from scipy import linalg

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.state_space import StateSpace
from flexframe.model.system import System
from flexframe.multibody.signals import Kind, SignalNetwork

_MOST_INSTANTS = 10_000  # in one period of all samplings
_WHOLE = 1e-9  # relative, of a number of periods


@dataclass(frozen=True, eq=False)
class Hybrid:
    """Rates and jumps of states (n), then held values (m) and inputs (i), and what outputs see of them."""

    rates: Array  # (n, n + m + i)
    jumps: Array  # (pairs, n + m + i)
    seen: Array  # (p, n + m + i)
    inputs: int  # i
    held: IntArray  # number of the held value of each pair, from 0 on: (pairs,)
    groups: tuple[slice, ...]  # pairs of each sampling
    timings: tuple[tuple[float, float], ...]  # period and offset of each [s]

    @property
    def states(self) -> int:
        """n."""
        return len(self.rates)


@dataclass(frozen=True, eq=False)
class SampledMatrices:
    """Φ, Γ, C, D over a period [s], and which of the states and held values are kept."""

    A: Array
    B: Array
    C: Array
    D: Array
    period: float
    kept: IntArray


def require_known_samplings(system: System, network: SignalNetwork) -> None:
    """Refuse functions of Python, which may remember anything, and reactions, which no state holds."""
    names = {each.name for each in system.controllers}
    for sampling in network.samplings:
        if sampling.function is not None:
            raise InputError(
                f"controller {sampling.name} is a function of Python, whose memory is not known; give it as a "
                "PID, a transfer function or a state space, or take the model without it",
                part=("controllers", sampling.name) if sampling.name in names else (),
            )
    reads: list[bool] = []
    for signal in network.signals:
        reads.append(signal.kind is Kind.REACTION or any(reads[k] for k in signal.inputs))
    if any(reads[k] for k in network.tables.sampled_signals):
        raise InputError(
            "a sampled controller reads the force of a joint or drive, which a linear model does not carry; "
            "measure a spring in its place, or take the model without the controller",
            field="kind",
        )


def hybrid(network: SignalNetwork, model: StateSpace, by_held: Callable[[int], tuple[Array, Array]]) -> Hybrid:
    """From a model whose last outputs are the sampled signals.

    `by_held` gives columns of B and D of a held value by its number.
    """
    A, B, C, D = model.A, model.B, model.C, model.D
    tables = network.tables
    own, places = np.unique(tables.sampled_held, return_inverse=True)
    columns = [by_held(int(k)) for k in own]
    into = np.array([rates for rates, _ in columns]).reshape(len(own), len(A)).T
    through = np.array([seen for _, seen in columns]).reshape(len(own), len(C)).T
    pairs = len(tables.sampled_signals)
    seen = np.hstack([C, through, D])
    starts = tables.sample_starts
    groups = [slice(int(a), int(b)) for a, b in pairwise(starts)]
    return Hybrid(
        np.hstack([A, into, B]),
        seen[len(C) - pairs :],
        seen[: len(C) - pairs],
        B.shape[1],
        places.astype(np.int64),
        tuple(groups),
        tuple((each.period, each.offset) for each in network.samplings),
    )


def sampled_matrices(parts: Hybrid) -> SampledMatrices:
    """The map from an instant at which as many samplings as ever act to the same instant one period later."""
    period, instants = schedule(parts.timings)
    n, total = parts.states, parts.rates.shape[1]
    size = total - parts.inputs  # states and held values
    flow = np.zeros((total, total))
    flow[:n] = parts.rates
    moved = np.eye(total)  # (z, w) → (z, w)
    seen = np.zeros((len(parts.seen), total))
    for k, (time, acting) in enumerate(instants):
        jump = np.eye(total)
        rows = np.concatenate([np.arange(group.start, group.stop) for group in (parts.groups[g] for g in acting)])
        jump[n + parts.held[rows]] = parts.jumps[rows]
        moved = jump @ moved
        if k == 0:
            seen = parts.seen @ moved
        after = instants[k + 1][0] if k + 1 < len(instants) else instants[0][0] + period
        moved = linalg.expm(flow * (after - time)) @ moved
    kept = _read(moved[:size, :size], seen[:, :size], n)
    both = np.ix_(kept, kept)
    return SampledMatrices(
        moved[:size, :size][both], moved[kept][:, size:], seen[:, kept], seen[:, size:], period, kept
    )


def _read(A: Array, C: Array, states: int) -> IntArray:
    """All states, and of the held values those that anything reads that is kept."""
    kept = np.arange(len(A))
    while True:
        used = (A[np.ix_(kept, kept)] != 0).any(axis=0) | (C[:, kept] != 0).any(axis=0) | (kept < states)
        if used.all():
            return kept
        kept = kept[used]


def schedule(timings: Sequence[tuple[float, float]]) -> tuple[float, list[tuple[float, list[int]]]]:
    """The period in which all samplings repeat [s], and its instants [s] with the samplings that act there.

    It begins with an instant at which as many as ever act together.
    """
    unit = timings[0][0]
    ratios = [Fraction(period / unit).limit_denominator(_MOST_INSTANTS) for period, _ in timings]
    for ratio, (period, _) in zip(ratios, timings, strict=True):
        if abs(float(ratio) * unit - period) > _WHOLE * period:
            raise InputError(
                f"the sampling periods {unit:g} s and {period:g} s never meet again, so that no linear model "
                "repeats; give periods that are multiples of one time",
                field="kind",
            )
    # lcm(a/b, c/d) = lcm(a, c)/gcd(b, d) of fractions in their lowest terms
    whole = reduce(
        lambda a, b: Fraction(
            a.numerator * b.numerator // gcd(a.numerator, b.numerator), gcd(a.denominator, b.denominator)
        ),
        ratios,
    )
    counts = [whole / ratio for ratio in ratios]
    if sum(counts) > _MOST_INSTANTS:
        raise InputError(
            f"the samplings repeat after {float(whole) * unit:g} s only, with {int(sum(counts)):,} instants; give "
            "periods with a shorter common multiple",
            field="kind",
        )
    common = float(whole) * unit
    found: list[tuple[float, list[int]]] = []
    for number, (period, offset) in enumerate(timings):
        for k in range(int(counts[number])):
            time = (offset + k * period) % common
            time = 0.0 if common - time < _WHOLE * common else time
            same = next((each for each in found if abs(each[0] - time) < _WHOLE * common), None)
            if same is None:
                found.append((time, [number]))
            else:
                same[1].append(number)
    found.sort(key=lambda each: each[0])
    first = max(range(len(found)), key=lambda k: (len(found[k][1]), -k))
    turned = [*found[first:], *((time + common, acting) for time, acting in found[:first])]
    return common, turned
