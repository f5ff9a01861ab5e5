"""Modes followed from one value of a parameter to the next by their shapes.

A mode is a unit state z (a complex column) in an inner product in which different modes are nearly orthogonal. The
share |zᴴz'|² tells who is who through a crossing; where two modes veer, shapes change places gradually, and steps
small enough follow them. Modes that change places are therefore watched in steps of 1/64; what veers within less
is taken as a crossing. A mode that passes zero frequency turns into its conjugate, which is a follower as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.assignment import best_partners

CLEAR = 0.6  # share of the state before; nobody else can have more than the rest
_SMALLEST_STEP = 2.0**-10  # of a step, below which an unclear follower stays unclear
_VEERING = 2.0**-6  # of a step: modes that change places are watched this closely, for they may only veer
_EXTRA_SOLUTIONS = 600


@dataclass(frozen=True, eq=False)
class States:
    """The modes at one value of the parameter: eigenvalues (m,) and unit states (n, m), lowest first."""

    eigenvalues: ComplexArray
    states: ComplexArray


@dataclass(frozen=True, eq=False)
class Branches:
    """Modes joined to branches.

    `numbers[k, b]` is the number of the mode at the k-th parameter on branch b, −1 where the branch is not known;
    `states[k]` are the states, those of equal eigenvalues turned to their neighbours; `doubtful` are the intervals
    (k, k + 1) with the branches whose continuation is not beyond doubt.
    """

    numbers: IntArray
    states: tuple[ComplexArray, ...]
    doubtful: tuple[tuple[int, IntArray], ...]


def followed_branches(
    solve: Callable[[float], States],
    parameters: Array,
    solutions: Sequence[States],
    *,
    wanted: int,
    equal: float,
) -> Branches:
    """Join the modes of all parameters to branches, with solutions between them where it takes smaller steps.

    Only the `wanted` lowest modes call for small steps. Eigenvalues within `equal` count as equal.
    """
    follower = _Follower(solve, wanted, equal)
    # where the fewest are equal, for equal ones may take any shape
    start = int(np.argmin([sum(map(len, equal_groups(s.eigenvalues[:wanted], equal))) for s in solutions]))
    count = len(solutions)
    states = [solution.states for solution in solutions]
    identities: list[IntArray] = [np.empty(0, dtype=np.int64)] * count
    identities[start] = np.arange(states[start].shape[1])
    born = len(identities[start])
    doubtful = []
    for here, there in [
        *((k, k + 1) for k in range(start, count - 1)),
        *((k, k - 1) for k in range(start, 0, -1)),
    ]:
        now = States(solutions[here].eigenvalues, states[here])
        step = follower.step(parameters[here], now, parameters[there], solutions[there])
        states[there] = step.states
        names = np.full(step.states.shape[1], -1, dtype=np.int64)
        known = step.follower >= 0
        names[step.follower[known]] = identities[here][known]
        fresh = names < 0
        names[fresh] = born + np.arange(np.count_nonzero(fresh))
        born += int(np.count_nonzero(fresh))
        identities[there] = names
        low = known & (np.minimum(np.arange(len(known)), step.follower) < wanted)
        unclear = identities[here][low & (step.share < CLEAR)]
        if unclear.size:
            doubtful.append((min(here, there), unclear))
    numbers = np.full((count, born), -1, dtype=np.int64)
    for k, names in enumerate(identities):
        numbers[k, names] = np.arange(len(names))
    return Branches(numbers, tuple(states), tuple(doubtful))


@dataclass(frozen=True, eq=False)
class _Step:
    """Number of the new mode that continues each old one (−1: none) and its share of the old state: (old,)."""

    follower: IntArray
    share: Array
    states: ComplexArray


@dataclass(eq=False)
class _Follower:
    solve: Callable[[float], States]
    wanted: int
    equal: float
    solutions: int = 0

    def step(self, start: float, old: States, end: float, new: States, width: float = 1.0) -> _Step:
        """Match directly where that is clear, else by way of the middle."""
        direct = self._direct(old, new)
        low = np.minimum(np.arange(len(direct.share)), np.where(direct.follower < 0, 0, direct.follower))
        unclear = bool((direct.share[low < self.wanted] < CLEAR).any()) and width > _SMALLEST_STEP
        crossed = width > _VEERING and self._crossed(old, new, direct.follower)
        if not (unclear or crossed) or self.solutions >= _EXTRA_SOLUTIONS:
            return direct
        self.solutions += 1
        middle = 0.5 * (start + end)
        between = self.solve(middle)
        first = self.step(start, old, middle, between, width / 2)
        between = States(between.eigenvalues, first.states)
        second = self.step(middle, between, end, new, width / 2)
        onward = np.where(first.follower >= 0, second.follower[first.follower], -1)
        share = np.where(onward >= 0, np.minimum(first.share, second.share[first.follower]), 0.0)
        return _Step(onward, share, second.states)

    def _crossed(self, old: States, new: States, follower: IntArray) -> bool:
        """Whether two of the wanted modes change places."""
        kept = np.flatnonzero((follower >= 0) & (np.minimum(np.arange(len(follower)), follower) < self.wanted))
        before, after = np.abs(old.eigenvalues[kept]), np.abs(new.eigenvalues[follower[kept]])
        lower = before[:, None] < before - self.equal
        return bool((lower & (after[:, None] > after + self.equal)).any())

    def _direct(self, old: States, new: States) -> _Step:
        after = new.states.copy()
        turned = np.zeros(after.shape[1], dtype=bool)
        for group in equal_groups(new.eigenvalues, self.equal):
            after[:, group] = _turned(old.states, after[:, group])
            turned[group] = True
        shares = np.abs(old.states.conj().T @ after) ** 2
        mirrored = np.abs(old.states.T @ after) ** 2
        mirrored[:, turned] = 0.0
        shares = np.maximum(shares, mirrored)
        rows, columns = best_partners(shares)
        follower = np.full(old.states.shape[1], -1, dtype=np.int64)
        share = np.zeros(len(follower))
        follower[rows], share[rows] = columns, shares[rows, columns]
        follower[share < 0.02] = -1  # what leaves the window of known modes has no follower
        return _Step(follower, share, after)


def _turned(old: ComplexArray, group: ComplexArray) -> ComplexArray:
    """Of all bases of the space of a group, the one nearest to the old states that lie most in it."""
    basis, _ = np.linalg.qr(group)
    inside = basis.conj().T @ old
    chosen = np.sort(np.argsort(-np.linalg.norm(inside, axis=0))[: group.shape[1]])
    left, _, right = np.linalg.svd(inside[:, chosen])
    return np.asarray(basis @ (left @ right))


def equal_groups(values: ComplexArray, tolerance: float) -> list[IntArray]:
    """Numbers of eigenvalues that agree within a tolerance, in groups of two and more."""
    order = np.lexsort((values.real, np.abs(values)))
    apart = np.abs(np.diff(values[order])) > tolerance
    parts = np.split(order, np.flatnonzero(apart) + 1)
    return [part for part in parts if len(part) > 1]
