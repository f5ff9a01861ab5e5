"""A model in substructures: its approximate modes, its static answers and its count, none with the whole factors.

Only one part is factorised at a time in each worker, and again whenever it is needed; what remains between them
is dense, and belongs to what separates parts. A part of the work that is done is kept, so that an interrupted run
goes on there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from scipy import sparse

from flexframe.errors import AnalysisError
from flexframe.keeping import current_keeper, fingerprint
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factor_kernels import Block, pivot_tolerance
from flexframe.maths.matrix_products import shifted
from flexframe.maths.multilevel.condensation import (
    Condensed,
    Inside,
    Placed,
    condense_part,
    condense_separator,
)
from flexframe.maths.multilevel.division import Division, Substructure, divide
from flexframe.maths.multilevel.elimination import (
    Entries,
    condense_load,
    count_part,
    count_separator,
    eliminate_part,
    eliminate_separator,
    half_solve,
    half_solve_back,
    solve_part,
)
from flexframe.maths.multilevel.panels import Symmetric, symmetric
from flexframe.maths.multilevel.pool import Pool


class NotDefiniteError(AnalysisError):
    """A matrix that has to be definite, and is not."""

    def __init__(self) -> None:
        super().__init__(
            "the stiffness is not definite: a part of the body can move without straining; support it"
        )


@dataclass(frozen=True)
class Task:
    """Work on one substructure; `depends` is all that decides on its result."""

    key: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    depends: str


@dataclass(frozen=True, eq=False)
class DividedPencil:
    """K and M, how their unknowns are divided, and who works on the parts."""

    stiffness: SparseMatrix
    mass: SparseMatrix
    division: Division
    pool: Pool

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return 1 + max(piece.level for piece in self.division)

    @property
    def parts(self) -> int:
        """How many parts have nothing below them."""
        return sum(not piece.children for piece in self.division)

    def condense(self, modes: int) -> "MultilevelModel":
        """Reduce the model level by level; so many modes of each substructure are kept.

        Raises `NotDefiniteError` where K is not definite.
        """
        inside: dict[int, Inside] = {}

        def task(number: int, below: dict[int, Any]) -> Task:
            piece, entries = self.division[number], self._entries(number, with_mass=True)
            if not piece.children:
                return self._task(number, condense_part, entries, modes)
            children = [Placed(below.pop(child), self._places(piece, child)) for child in piece.children]
            return self._task(number, condense_separator, entries, children, modes, 2 * modes)

        def take(number: int, result: tuple[Condensed, Inside] | None) -> Condensed:
            if result is None:
                raise NotDefiniteError
            inside[number] = result[1].store()
            return result[0].store()

        last = self._climb(task, take)
        return MultilevelModel(self, inside, last.squares)

    def eliminate(self) -> "MultilevelModel":
        """What solves need, without modes. Raises `NotDefiniteError` where K is not definite."""
        inside: dict[int, Inside] = {}

        def take(number: int, result: tuple[Symmetric, tuple[Array, Array] | None] | None) -> Symmetric:
            if result is None:
                raise NotDefiniteError
            if result[1] is not None:
                factor, half = result[1]
                inside[number] = Inside(np.empty((len(factor), 0)), None, factor, half).store()
            return result[0].store()

        self._climb(self._tasks(eliminate_part, eliminate_separator), take)
        return MultilevelModel(self, inside, np.empty(0))

    def _tasks(
        self, of_part: Callable[..., Any], of_separator: Callable[..., Any]
    ) -> Callable[[int, dict[int, Any]], Task]:
        """Tasks with the stiffness alone, and what was added from below."""

        def task(number: int, below: dict[int, Any]) -> Task:
            piece, entries = self.division[number], self._entries(number, with_mass=False)
            if not piece.children:
                return self._task(number, of_part, entries)
            children = [(below.pop(child), self._places(piece, child)) for child in piece.children]
            return self._task(number, of_separator, entries, children)

        return task

    def count_below(self, value: float) -> int | None:
        """How many eigenvalues of K φ = λ M φ lie below `value`; None where it is too near to one of some part.

        The signs of the pivots of K − value·M are those of its parts and of what is left of each level after
        elimination of the one below (Haynsworth).
        """
        pencil = DividedPencil(shifted(self.stiffness, self.mass, value), self.mass[:0], self.division, self.pool)
        return pencil._negative()

    def _negative(self) -> int | None:
        total, known = 0, True

        def take(number: int, result: tuple[Symmetric, int] | None) -> Symmetric:
            nonlocal total, known
            if result is None:
                known = False
                return symmetric(
                    len(self.division[number].boundary), lambda first, last: np.zeros((last - first, last))
                )
            total += result[1]
            return result[0].store()

        self._climb(self._tasks(count_part, count_separator), take)
        return total if known else None

    def _climb(self, task: Callable[[int, dict[int, Any]], Task], take: Callable[[int, Any], Any]) -> Any:
        """Work from the parts upwards, as deep as possible first; what the last substructure gives."""
        waiting = {number: len(piece.children) for number, piece in enumerate(self.division)}
        parent = {child: number for number, piece in enumerate(self.division) for child in piece.children}
        ready = sorted(number for number, missing in waiting.items() if not missing)
        below: dict[int, Any] = {}

        def tasks() -> Iterator[Task | None]:
            while True:
                yield task(heappop(ready), below) if ready else None

        for key, result in self._results(tasks(), len(self.division)):
            below[key] = take(key, result)
            if key in parent:
                waiting[parent[key]] -= 1
                if not waiting[parent[key]]:
                    heappush(ready, parent[key])
        return below.popitem()[1]

    def visit_parts(
        self, function: Callable[..., Any], arguments: Callable[[Substructure], tuple[Array, ...]]
    ) -> dict[int, Any]:
        """A function of the entries of each part, and of what belongs to it of some arrays."""
        parts = [number for number, piece in enumerate(self.division) if not piece.children]
        tasks = (
            self._task(number, function, self._entries(number, with_mass=False), *arguments(self.division[number]))
            for number in parts
        )
        return dict(self._results(tasks, len(parts)))

    def _results(self, tasks: Iterable[Task | None], count: int) -> Iterator[tuple[int, Any]]:
        """Results of tasks as they come, those that were kept at once; None is a task that has to wait."""
        keeper, pool = current_keeper(), self.pool
        keys: dict[int, str] = {}
        source, done = iter(tasks), 0
        while done < count:
            task = next(source, None) if pool.has_room else None
            if task is not None:
                found = None if keeper is None else keeper.find(task.depends)
                if found is None:
                    keys[task.key] = task.depends
                    pool.start(task.key, task.function, task.arguments)
                    continue
                done += 1
                yield task.key, found
                continue
            key, result = pool.finished()
            if keeper is not None and result is not None:
                keeper.keep(keys[key], result)
            done += 1
            yield key, result

    def _task(self, number: int, function: Callable[..., Any], *arguments: Any) -> Task:
        depends = "" if current_keeper() is None else f"{function.__name__} {number} {fingerprint(arguments)}"
        return Task(number, function, arguments, depends)

    def _entries(self, number: int, *, with_mass: bool) -> Entries:
        piece = self.division[number]
        stiffness, stiffness_edge = _rows(self.stiffness, piece)
        if not with_mass:
            return Entries(stiffness, stiffness_edge)
        return Entries(stiffness, stiffness_edge, *_rows(self.mass, piece))

    def _places(self, piece: Substructure, child: int) -> IntArray:
        """Where the boundary of a substructure below is among own and boundary."""
        boundary = self.division[child].boundary
        in_own = np.searchsorted(piece.own, boundary)
        is_own = in_own < len(piece.own)
        is_own[is_own] = piece.own[in_own[is_own]] == boundary[is_own]
        return np.where(is_own, in_own, len(piece.own) + np.searchsorted(piece.boundary, boundary))


@dataclass(frozen=True, eq=False)
class MultilevelModel:
    """A divided pencil with definite K, reduced: squares Λ of its approximate circular frequencies, ascending."""

    pencil: DividedPencil
    inside: dict[int, Inside]
    squares: Array  # (m,)

    @property
    def dense_bytes(self) -> float:
        """What is held of all levels between the parts, large arrays on disk."""
        arrays = (a for one in self.inside.values() for a in (one.factor, one.half, one.modes) if a is not None)
        return float(sum(array.nbytes for array in arrays))

    def vectors(self, count: int) -> Array:
        """Approximate modes, in the order of the squares: (n, count)."""
        division = self.pencil.division
        x = np.zeros((self.pencil.stiffness.shape[0], count))
        amounts = {len(division) - 1: np.eye(len(self.squares), count)}
        for number in reversed(range(len(division))):
            piece, inside = division[number], self.inside[number]
            q = amounts.pop(number)
            x[piece.own] = np.asarray(inside.modes) @ q
            if not piece.children:
                continue
            factor, half = _dense(inside)
            x[piece.own] -= half_solve_back(factor, half @ x[piece.boundary])
            row, down = 0, np.asarray(inside.below) @ q
            for child in piece.children:
                few = self.inside[child].modes.shape[1]
                amounts[child] = down[row : row + few]
                row += few
        answers = self.pencil.visit_parts(
            solve_part, lambda piece: (np.zeros((len(piece.own), count)), x[piece.boundary])
        )
        for number, static in answers.items():
            x[division[number].own] += _found(static)
        return x

    def solve(self, rhs: Array) -> Array:
        """K⁻¹ rhs for a block (n, k)."""
        division = self.pencil.division
        f, x = np.array(rhs, dtype=float), np.empty(rhs.shape)
        added = self.pencil.visit_parts(condense_load, lambda piece: (f[piece.own],))
        for number in sorted(added):  # in one order, whoever was first
            f[division[number].boundary] += _found(added[number])
        for number, piece in enumerate(division):
            if piece.children:
                factor, half = _dense(self.inside[number])
                f[piece.own] = half_solve(factor, f[piece.own])
                f[piece.boundary] -= half.T @ f[piece.own]
        for number in reversed(range(len(division))):
            piece = division[number]
            if piece.children:
                factor, half = _dense(self.inside[number])
                x[piece.own] = half_solve_back(factor, f[piece.own] - half @ x[piece.boundary])
        solved = self.pencil.visit_parts(solve_part, lambda piece: (f[piece.own], x[piece.boundary]))
        for number, answer in solved.items():
            x[division[number].own] = _found(answer)
        return x


class DividedKernel:
    """A definite matrix that is eliminated part by part; every solve factorises the parts again."""

    def __init__(self, matrix: SparseMatrix, parts: int, pool: Pool) -> None:
        pencil = divided_pencil(matrix, sparse.csr_array(matrix.shape), parts, pool)
        self._model: MultilevelModel | None = pencil.eliminate()
        self.name = f"elimination by {pencil.parts} substructures in {pencil.levels} levels, {pool.name}"
        self.order = None

    def solve(self, rhs: Block) -> Block:
        """x with A x = rhs."""
        assert self._model is not None
        return self._model.solve(rhs)

    def smallest_pivot(self) -> float:
        """Not known; those of all parts are above rounding."""
        return float(pivot_tolerance(1))

    def negative_pivots(self) -> int | None:
        """None: a definite matrix."""
        return 0

    def close(self) -> None:
        """Free the dense factors."""
        self._model = None


def divided_pencil(stiffness: SparseMatrix, mass: SparseMatrix, parts: int, pool: Pool) -> DividedPencil:
    """Divide a symmetric pencil into so many parts."""
    first, second = (
        sparse.csr_array((np.ones(a.nnz, np.float32), a.indices, a.indptr), shape=a.shape)
        for a in (stiffness, mass)
    )
    pattern = sparse.csr_array(first + second)
    pattern.sort_indices()
    return DividedPencil(stiffness, mass, divide(pattern, parts), pool)


def _rows(matrix: SparseMatrix, piece: Substructure) -> tuple[SparseMatrix, SparseMatrix]:
    rows = matrix[piece.own]
    return sparse.csr_array(rows[:, piece.own]), sparse.csr_array(rows[:, piece.boundary])


def _dense(inside: Inside) -> tuple[Array, Array]:
    """L and L⁻¹K_sb of what separates substructures."""
    assert inside.factor is not None
    assert inside.half is not None
    return np.asarray(inside.factor), np.asarray(inside.half)


def _found(result: Array | None) -> Array:
    """Answers of a part that was definite before."""
    if result is None:
        raise NotDefiniteError
    return result
