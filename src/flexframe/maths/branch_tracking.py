"""Modes followed from one value of a parameter to the next by their shapes.

A mode is a unit state z (a complex column) in an inner product in which different modes are nearly orthogonal. The
share |zᴴz'|² decides who continues whom through a crossing; where two modes veer, shapes change places gradually,
and steps small enough follow them. With a solver between the samples, modes that change places are therefore
watched in steps of 1/64; what veers within less is taken as a crossing. A mode that passes zero frequency turns
into its conjugate, which is a follower as well. Where only samples are known, the straight continuation of the
eigenvalues decides what shapes leave open.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray, IntArray

CLEAR = 0.6  # share of the state before; nobody else can have more than the rest
_SMALLEST_STEP = 2.0**-10  # of a step, below which an unclear follower stays unclear
_VEERING = 2.0**-6  # of a step: modes that change places are watched this closely, for they may only veer
_LOST = 0.02  # share below which a mode has left the window of known modes
_EXTRA_SOLUTIONS = 600


@dataclass(frozen=True, eq=False)
class States:
    """The modes at one value of the parameter: eigenvalues (m,) and unit states (n, m), lowest first."""

    eigenvalues: ComplexArray
    states: ComplexArray


@dataclass(frozen=True, eq=False)
class Branches:
    """Modes joined to branches; a branch has the number that its mode has where the tracking starts.

    `doubtful` are the intervals (k, k + 1) with the branches whose continuation is not beyond doubt.
    """

    numbers: IntArray  # of the mode at each parameter on each branch, −1 where not known: (parameters, branches)
    shares: Array  # of the state before, 1 at the start and where not known: (parameters, branches)
    doubtful: tuple[tuple[int, IntArray], ...]
    states: tuple[ComplexArray, ...] = ()  # those of equal eigenvalues turned to their neighbours

    def chosen(self, branches: IntArray) -> "Branches":
        """Some of the branches, in that order; doubt about others does not count."""
        own = tuple((k, np.flatnonzero(np.isin(branches, names))) for k, names in self.doubtful)
        kept = tuple((k, names) for k, names in own if names.size)
        return replace(self, numbers=self.numbers[:, branches], shares=self.shares[:, branches], doubtful=kept)

    def lowest(self, count: int) -> "Branches":
        """The branches that are among the `count` lowest modes at any parameter."""
        return self.chosen(np.flatnonzero(((self.numbers >= 0) & (self.numbers < count)).any(axis=0)))

    def by_size(self, eigenvalues: Iterable[ComplexArray]) -> "Branches":
        """Sorted by the first |λ| that is known of them, those known from the start first."""
        values = self.values(eigenvalues)
        first = np.argmax(np.isfinite(values.real), axis=0)
        return self.chosen(np.lexsort((np.abs(values[first, np.arange(values.shape[1])]), first)))

    def values(self, eigenvalues: Iterable[ComplexArray]) -> ComplexArray:
        """Eigenvalues by branch, NaN where a branch is not known: (parameters, branches)."""
        rows = [own[n] for own, n in zip(eigenvalues, self.numbers, strict=True)]
        return np.where(self.numbers >= 0, np.array(rows), complex(np.nan, np.nan))

    def intervals(self, parameters: Array) -> tuple[tuple[float, float], ...]:
        """The doubtful intervals of the parameter, ascending."""
        places = sorted({k for k, _ in self.doubtful})
        return tuple((float(parameters[k]), float(parameters[k + 1])) for k in places)


def follow_branches(
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
    states = [solution.states for solution in solutions]
    joined = _Joined([state.shape[1] for state in states], start, wanted)
    for here, there in [
        *((k, k + 1) for k in range(start, len(states) - 1)),
        *((k, k - 1) for k in range(start, 0, -1)),
    ]:
        now = States(solutions[here].eigenvalues, states[here])
        step = follower.step(parameters[here], now, parameters[there], solutions[there])
        states[there] = step.states
        joined.add(here, there, step.follower, step.share)
    return replace(joined.branches(), states=tuple(states))


def sampled_branches(eigenvalues: ComplexArray, shares: Iterable[Array]) -> Branches:
    """Branches of eigenvalues (T, k) from the shares (k before, k after) of neighbouring samples alone.

    Every branch goes on to the last sample; shapes decide, and with them the straight continuation where they
    leave doubt.
    """
    T, k = eigenvalues.shape
    joined = _Joined([k] * T, 0, k)
    before = np.arange(k)  # number at the sample before of each mode here
    for i, share in enumerate(shares):
        follower = np.argmax(share, axis=1)
        if not (share.max(axis=1) > CLEAR).all() or len(np.unique(follower)) < k:
            expected = 2 * eigenvalues[i] - eigenvalues[i - 1][before] if i else eigenvalues[i]
            follower = best_partners(-_costs(eigenvalues[i], expected, eigenvalues[i + 1], share))[1]
        joined.add(i, i + 1, follower, share[np.arange(k), follower])
        before = np.argsort(follower)
    return joined.branches()


def _costs(now: ComplexArray, expected: ComplexArray, after: ComplexArray, share: Array) -> Array:
    """What speaks against each continuation: shapes, and distance beside the mean distance of neighbours."""
    scale = np.abs(np.diff(np.sort(np.abs(now)))).mean() if len(now) > 1 else float(np.abs(now[0]))
    distance = np.abs(expected[:, None] - after[None]) / max(scale, np.finfo(float).tiny)
    return np.asarray((1 - share) + np.minimum(distance, 1.0))


@dataclass(eq=False)
class _Joined:
    """Steps joined to branches, outward from a start; modes that nobody leads to begin a branch."""

    sizes: Sequence[int]  # modes at each parameter
    start: int
    wanted: int
    _names: list[IntArray] = field(init=False)
    _shares: list[Array] = field(init=False)
    _born: int = field(init=False)
    _doubtful: list[tuple[int, IntArray]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._names = [np.arange(size) for size in self.sizes]
        self._shares = [np.ones(size) for size in self.sizes]
        self._born = self.sizes[self.start]

    def add(self, here: int, there: int, follower: IntArray, share: Array) -> None:
        """A step: the number there of each mode here (−1: none), and its share of the state."""
        names, known = np.full(self.sizes[there], -1, dtype=np.int64), follower >= 0
        names[follower[known]] = self._names[here][known]
        self._shares[there][follower[known]] = share[known]
        fresh = names < 0
        names[fresh] = self._born + np.arange(np.count_nonzero(fresh))
        self._born += int(np.count_nonzero(fresh))
        self._names[there] = names
        low = known & (np.minimum(np.arange(len(known)), follower) < self.wanted)
        unclear = self._names[here][low & (share < CLEAR)]
        if unclear.size:
            self._doubtful.append((min(here, there), unclear))

    def branches(self) -> Branches:
        """All branches."""
        numbers = np.full((len(self.sizes), self._born), -1, dtype=np.int64)
        shares = np.ones(numbers.shape)
        for k, names in enumerate(self._names):
            numbers[k, names], shares[k, names] = np.arange(len(names)), self._shares[k]
        return Branches(numbers, shares, tuple(self._doubtful))


def best_partners(shares: Array) -> tuple[IntArray, IntArray]:
    """Rows and columns of the pairs with the largest sum of shares (m, n); of the larger group some stay alone.

    Where the favourites of the smaller group all differ, they are the answer. Only rivals need the assignment of
    scipy.optimize, which takes longer to load than many cases to compute.
    """
    wide = shares.shape[0] <= shares.shape[1]
    favourites = np.argmax(shares, axis=1 if wide else 0)
    if len(np.unique(favourites)) == len(favourites):
        numbers = np.arange(len(favourites))
        if wide:
            return numbers, favourites
        order = np.argsort(favourites)
        return favourites[order], numbers[order]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(shares, maximize=True)
    return rows, columns


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
        crossed = width > _VEERING and self._cross(old, new, direct.follower)
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

    def _cross(self, old: States, new: States, follower: IntArray) -> bool:
        """Whether two of the wanted modes change places where they meet in the complex plane.

        Damped modes may pass each other at a distance; if it is more than what they move, they do not veer.
        """
        kept = np.flatnonzero((follower >= 0) & (np.minimum(np.arange(len(follower)), follower) < self.wanted))
        first, last = old.eigenvalues[kept], new.eigenvalues[follower[kept]]
        lower = np.abs(first)[:, None] < np.abs(first) - self.equal
        changed = lower & (np.abs(last)[:, None] > np.abs(last) + self.equal)
        if not changed.any():
            return False
        apart, there = first[:, None] - first, last[:, None] - last
        way = np.where(there == apart, 1.0, there - apart)
        part = np.clip(-(apart * way.conj()).real / np.abs(way) ** 2, 0.0, 1.0)
        moved = np.abs(last - first)
        near = np.abs(apart + part * (there - apart)) <= moved[:, None] + moved
        return bool((changed & near).any())

    def _direct(self, old: States, new: States) -> _Step:
        after = new.states.copy()
        turned = np.zeros(after.shape[1], dtype=bool)
        for group in equal_groups(new.eigenvalues, self.equal):
            after[:, group] = _rotate(old.states, after[:, group])
            turned[group] = True
        shares = np.abs(old.states.conj().T @ after) ** 2
        mirrored = np.abs(old.states.T @ after) ** 2
        mirrored[:, turned] = 0.0
        shares = np.maximum(shares, mirrored)
        rows, columns = best_partners(shares)
        follower = np.full(old.states.shape[1], -1, dtype=np.int64)
        share = np.zeros(len(follower))
        follower[rows], share[rows] = columns, shares[rows, columns]
        # above the wanted modes no small steps clear a doubt: what leaves the window is not what comes into it
        above = (np.arange(len(follower)) >= self.wanted) & (follower >= self.wanted)
        follower[share < np.where(above, CLEAR, _LOST)] = -1
        return _Step(follower, share, after)


def _rotate(old: ComplexArray, group: ComplexArray) -> ComplexArray:
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
