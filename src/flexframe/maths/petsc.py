"""Factorisation by MUMPS through PETSc, alone or divided among the processes that mpiexec started.

The first process works as it always does; each matrix that it factorises is divided by rows among all processes,
and MUMPS keeps a part of the factors in the memory of each. The others wait for the first one and take part.
"""

import atexit
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.factor_kernels import (
    BACKWARD_ERROR,
    Block,
    Kind,
    MatrixTooLargeError,
    ScaledMatrix,
    SingularMatrixError,
    pivot_tolerance,
    refuse_singular,
    try_out,
)
from flexframe.phases import phase

_WAIT = 1e-3  # seconds between looks for work, so that who waits leaves the processor to others
_ROOM = 60  # percent that MUMPS may need beyond its own estimate
_OUT_OF_MEMORY = (-5, -7, -9, -13, -17, -20)  # INFOG(1) of MUMPS where memory was not enough
_INFOG = {"error": 1, "negative": 12, "null": 28}
"""Where MUMPS says whether it failed, and how many pivots are negative or were raised from zero."""


class Team:
    """Every process of a run with MPI; what it does, all do together, at the word of the first."""

    def __init__(self) -> None:
        from mpi4py import MPI
        from petsc4py import PETSc

        self._petsc: Any = PETSc
        self._world: Any = MPI.COMM_WORLD
        self._factors: dict[int, Any] = {}
        self._made = 0
        self.size: int = self._world.Get_size()
        self.is_first: bool = self._world.Get_rank() == 0
        if self.is_first and self.size > 1:
            atexit.register(self._announce, "end")

    def serve(self) -> NoReturn:
        """Take part in what the first process does, until that ends."""
        while True:
            while not self._world.iprobe(source=0):
                time.sleep(_WAIT)
            task, arguments = self._world.recv(source=0)
            if task == "end":
                raise SystemExit(0)
            getattr(self, f"_{task}")(*arguments)

    def factorise(self, scaled: ScaledMatrix, *, symmetric: bool) -> tuple[int, dict[str, int]]:
        """The number under which factors are kept, and what MUMPS says of them."""
        n = scaled.size
        self._made += 1
        self._announce("factorise_part", self._made, n, symmetric)
        bounds = self._row_bounds(n)
        for rank in range(1, self.size):
            self._send(rank, *_rows(scaled, bounds[rank], bounds[rank + 1]))
        return self._made, self._factorise_rows(self._made, n, _rows(scaled, 0, bounds[1]), symmetric=symmetric)

    def solve(self, number: int, rhs: Block) -> Block:
        """x with A x = rhs by the factors of this number."""
        self._announce("solve_part", number)
        bounds = self._row_bounds(len(rhs))
        for rank in range(1, self.size):
            self._send(rank, np.ascontiguousarray(rhs[bounds[rank] : bounds[rank + 1]]))
        mine = self._solve_rows(number, rhs[: bounds[1]])
        return np.vstack([mine, *(part for rank in range(1, self.size) for part in self._received(rank))])

    def free(self, number: int) -> None:
        """Give the memory of factors back."""
        self._announce("free_part", number)
        self._free_part(number)

    def _announce(self, task: str, *arguments: Any) -> None:
        for rank in range(1, self.size):
            self._world.send((task, arguments), dest=rank)

    def _row_bounds(self, n: int) -> list[int]:
        return [n * rank // self.size for rank in range(self.size + 1)]

    def _send(self, rank: int, *arrays: Block) -> None:
        """Arrays of any size: a message that is pickled ends at 2 GB."""
        self._world.send([(array.shape, array.dtype) for array in arrays], dest=rank)
        for array in arrays:
            self._world.Send(array, dest=rank)

    def _received(self, rank: int) -> list[Block]:
        arrays = [np.empty(shape, dtype) for shape, dtype in self._world.recv(source=rank)]
        for array in arrays:
            self._world.Recv(array, source=rank)
        return arrays

    def _factorise_part(self, number: int, n: int, symmetric: bool) -> None:
        self._factorise_rows(number, n, self._received(0), symmetric=symmetric)

    def _solve_part(self, number: int) -> None:
        (rows,) = self._received(0)
        self._send(0, np.ascontiguousarray(self._solve_rows(number, rows)))

    def _free_part(self, number: int) -> None:
        for thing in self._factors.pop(number):
            thing.destroy()

    def _factorise_rows(self, number: int, n: int, rows: Sequence[Block], *, symmetric: bool) -> dict[str, int]:
        petsc = self._petsc
        local = len(rows[0]) - 1
        matrix = petsc.Mat()
        if symmetric:
            matrix.createSBAIJ(((local, n), (local, n)), 1, csr=tuple(rows))
        else:
            matrix.createAIJ(((local, n), (local, n)), csr=tuple(rows))
        solver = petsc.KSP().create()
        solver.setType("preonly")
        solver.setOperators(matrix)
        solver.setErrorIfNotConverged(False)
        conditioner = solver.getPC()
        conditioner.setType("cholesky" if symmetric else "lu")
        conditioner.setFactorSolverType("mumps")
        conditioner.setFactorSetUpSolverType()
        factors = conditioner.getFactorMatrix()
        factors.setMumpsIcntl(14, _ROOM)
        factors.setMumpsIcntl(24, 1)  # pivots that are zero are found and raised
        factors.setMumpsCntl(3, -pivot_tolerance(n))  # and are zero below this
        solver.setUp()
        self._factors[number] = (factors, solver, matrix)
        said = {name: factors.getMumpsInfog(index) for name, index in _INFOG.items()}
        return said | {"processes": self.size}

    def _solve_rows(self, number: int, rows: Block) -> Block:
        petsc = self._petsc
        factors, _, matrix = self._factors[number]
        local, n = matrix.getLocalSize()[0], matrix.getSize()[0]
        sizes = ((local, n), (petsc.DECIDE, rows.shape[1]))
        given = petsc.Mat().createDense(sizes, array=np.asfortranarray(rows))
        found = petsc.Mat().createDense(sizes)
        found.setUp()
        factors.matSolve(given, found)
        x = np.array(found.getDenseArray(), order="F")
        given.destroy()
        found.destroy()
        return x


def _rows(scaled: ScaledMatrix, start: int, stop: int) -> list[Block]:
    """Starts, columns and values of some rows."""
    part = scaled.stored[start:stop]
    return [part.indptr.astype(np.int32), part.indices.astype(np.int32), part.data]


@lru_cache(maxsize=1)
def team() -> Team:
    """The processes of this run; those that are not the first do not come back from here."""
    try:
        made = Team()
    except ImportError as error:
        raise InputError(
            "solver petsc needs petsc4py and mpi4py; install them (docs/how-to/large-bodies.md says how), or use "
            "pardiso or superlu"
        ) from error
    if not made.is_first:
        made.serve()
    return made


class PetscKernel:
    """Factors L D Lᵀ or L U by MUMPS."""

    order = None

    def __init__(self, number: int, said: dict[str, int], *, symmetric: bool) -> None:
        processes = said["processes"]
        self.name = "MUMPS through PETSc" if processes == 1 else f"MUMPS through PETSc in {processes} processes"
        self._number: int | None = number
        self._negative = said["negative"] if symmetric else None
        self._null = said["null"]

    @phase("solves")
    def solve(self, rhs: Block) -> Block:
        assert self._number is not None
        return team().solve(self._number, rhs)

    def smallest_pivot(self) -> float:
        return 0.0 if self._null else 1.0

    def negative_pivots(self) -> int | None:
        return self._negative

    def close(self) -> None:
        if self._number is not None:
            team().free(self._number)
            self._number = None


@phase("factors")
def factorise_petsc(scaled: ScaledMatrix, kind: Kind) -> PetscKernel:
    """Factors of a real matrix, its triangle if it is symmetric."""
    symmetric = kind != "general"
    number, said = team().factorise(scaled, symmetric=symmetric)
    kernel = PetscKernel(number, said, symmetric=symmetric)
    if said["error"] < 0:
        kernel.close()
        if said["error"] in _OUT_OF_MEMORY:
            raise MatrixTooLargeError(scaled.size)
        raise SingularMatrixError(None, f"MUMPS says {said['error']}")
    trial = try_out(scaled, kernel.solve)
    refuse_singular(trial, kernel, scaled.size)
    if not trial.backward_error < BACKWARD_ERROR:
        kernel.close()
        raise SingularMatrixError(None, f"a solve is wrong by {trial.backward_error:.0e}")
    return kernel
