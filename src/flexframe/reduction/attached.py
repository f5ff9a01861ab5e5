"""A body tied to its frame, with its interfaces: static answers, modes, all by one factorisation.

A reference condition ties the frame to the body, so that its displacements hold no rigid motion. A clamped frame
moves with some nodes. Mean axes (Tisserand, Buckens) move with the body as a whole: M_O δ = 0 and d_aᵀδ = 0, so
that the deformation has neither momentum nor moment of momentum.

T is the flexibility of the attached body. Where mean axes leave rigid motions R, T balances a load by inertia
(Pᵀ f) and removes the rigid part of the answer (P δ), P = 1 − R(RᵀMR)⁻¹RᵀM, so that T is symmetric. With rows L
of interfaces, displacements that take the values y there and store the least energy under loads f are

    δ = T (f + Lᵀλ) + R c,   [L T Lᵀ  L R; RᵀLᵀ  0] [λ; c] = [y − L T f; −Rᵀf] .
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import linalg, sparse

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.projection import support_projection
from flexframe.errors import AnalysisError, InputError, at_field
from flexframe.maths.arrays import Array, BoolArray, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.null_spaces import null_space
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, NodeSelection
from flexframe.reduction.interfaces import Interface, PointRows, point_rows, row_names, with_rigid_interfaces


@dataclass(frozen=True)
class ClampedFrame:
    """The frame moves with these nodes, or with the interface of this name."""

    on: NodeSelection

    def attach(self, discrete: DiscreteBody, interfaces: Sequence[Interface]) -> DiscreteBody:
        """The body held at the nodes."""
        named = {interface.name: interface.on for interface in interfaces}
        on = named.get(self.on, self.on) if isinstance(self.on, str) else self.on
        body = replace(discrete.body, supports=(*discrete.body.supports, Clamp(on)))
        held = replace(discrete, body=body, supports=support_projection(body, discrete.dofs))
        if held.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {body.name}: a frame clamped at '{self.on}' leaves the body free to turn; clamp three "
                "nodes that are not in line, or use mean axes"
            )
        return held


@dataclass(frozen=True)
class MeanAxes:
    """The frame moves with the body as a whole, in the directions that its supports leave free."""

    def attach(self, discrete: DiscreteBody, interfaces: Sequence[Interface]) -> DiscreteBody:
        """The body itself; refused where supports hold it already."""
        del interfaces
        if not discrete.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {discrete.body.name}: its supports hold it in its frame, so that mean axes have nothing to "
                "do; leave the supports out, or the reference"
            )
        return discrete


Reference = ClampedFrame | MeanAxes


def reference_description(discrete: DiscreteBody, reference: Reference | None) -> str:
    """What ties the frame to an attached body, in words."""
    if isinstance(reference, ClampedFrame):
        return f"clamped at {reference.on}"
    if not discrete.equilibrium.rigid.shape[1]:
        return "held by its supports"
    return "mean axes beside its supports" if discrete.body.supports else "mean axes"


_DENSE = 500  # unknowns up to which modes are found by LAPACK
_HELD = 1e-12  # a row of an interface, relative to its length, that supports leave without effect
_DEPENDENT = 1e-13  # reciprocal condition of the interface equations that is rounding
_SEED = 11
_SPARE_COLUMNS = 4  # of a block beyond the modes that are asked for
_MOST_BLOCKS = 40
_RESIDUAL = 1e-8  # of an eigenvector, relative; the eigenvalue is then good to its square


@dataclass(frozen=True, eq=False)
class NaturalModes:
    """Modes of K φ = (2πf)² M φ, φᵀMφ = 1, ascending."""

    frequencies_hz: Array  # (k,)
    vectors: Array  # (p, k)


@dataclass(frozen=True, eq=False)
class AttachedBody:
    """A discrete body tied to its frame, with the points where it is joined and watched."""

    discrete: DiscreteBody
    interfaces: tuple[PointRows, ...]
    sensors: tuple[PointRows, ...]
    reference: str

    @cached_property
    def rigid(self) -> Array:
        """Rigid displacements that only the reference condition removes: (p, r)."""
        return self.discrete.supports.expand(self.discrete.equilibrium.rigid)

    @cached_property
    def rows(self) -> SparseMatrix:
        """L: the interface displacements that supports leave free, as rows: (k, p)."""
        return sparse.csr_array(self._all_rows[np.flatnonzero(self._free_rows)])

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """What the rows of L are."""
        names = [name for interface in self.interfaces for name in row_names(interface)]
        return tuple(name for name, free in zip(names, self._free_rows, strict=True) if free)

    @cached_property
    def _all_rows(self) -> SparseMatrix:
        size = self.discrete.dofs.count
        rows = [interface.rows[np.flatnonzero(interface.present)] for interface in self.interfaces]
        return sparse.csr_array(sparse.vstack([sparse.csr_array((0, size), dtype=float), *rows]))

    @cached_property
    def _free_rows(self) -> BoolArray:
        rows = self._all_rows
        free = sparse.csr_array(rows @ self.discrete.supports.basis)
        lengths = [np.sqrt(np.asarray((m * m).sum(axis=1))).reshape(-1) for m in (free, rows)]
        return np.asarray(lengths[0] > _HELD * lengths[1])

    def flexibility(self, loads: Array) -> Array:
        """T f, the displacements under balanced loads without rigid motion: (p,) or (p, k)."""
        return self.discrete.equilibrium.solve(loads).displacements.reshape(loads.shape)

    def without_rigid(self, fields: Array) -> Array:
        """P δ: what is left of displacements (p, k) when the reference condition has removed rigid motion."""
        R, M = self.rigid, self.discrete.mass
        if not R.shape[1]:
            return fields
        MR = np.asarray(M @ R)
        for _ in range(2):  # the second time removes rounding of the first
            fields = fields - R @ np.linalg.solve(R.T @ MR, MR.T @ fields)
        return fields

    @cached_property
    def attachments(self) -> Array:
        """T Lᵀ, the answers to unit forces at the interfaces: (p, k)."""
        return self.flexibility(self.rows.T.toarray())

    @cached_property
    def held_solver(self) -> Callable[[Array, Array], Array]:
        """(y, f) → displacements with the values y (k, c) at the interfaces under the loads f (p, c)."""
        L, R, TL = self.rows, self.rigid, self.attachments
        count = L.shape[0]
        LR = np.asarray(L @ R)
        if np.linalg.matrix_rank(_unit_rows(LR), tol=1e-9) < R.shape[1]:
            raise AnalysisError(
                f"body {self.discrete.body.name}: the interfaces do not hold it, so that static shapes between "
                "them do not exist; add interfaces (or ones with rotations), clamp the frame, or use the modal "
                "strategy"
            )
        flexible = np.asarray(L @ TL)
        scale = np.sqrt(np.diagonal(flexible))
        scale = np.where(scale > 1e-12 * scale.max(initial=1e-300), scale, scale.max(initial=1.0))
        rigid_scale = np.abs(LR / scale[:, None]).max(axis=0, initial=0.0)
        both = np.concatenate([scale, rigid_scale])
        matrix = np.block([[flexible, LR], [LR.T, np.zeros((R.shape[1], R.shape[1]))]]) / np.outer(both, both)
        if count and np.linalg.cond(matrix) > 1 / _DEPENDENT:
            raise AnalysisError(
                f"body {self.discrete.body.name}: the interface displacements depend on each other; two of the "
                "interfaces share nodes or a rigid piece: leave one of them out"
            )
        factors = linalg.lu_factor(matrix)

        def solve(values: Array, loads: Array) -> Array:
            answer = self.flexibility(loads) if loads.any() else np.zeros_like(loads)
            right = np.concatenate([values - L @ answer, -R.T @ loads]) / both[:, None]
            amounts = linalg.lu_solve(factors, right) / both[:, None]
            return np.asarray(answer + TL @ amounts[:count] + R @ amounts[count:])

        return solve

    def static_shapes(self) -> Array:
        """Displacements for a unit displacement of one interface row while the others rest: (p, k)."""
        count = self.rows.shape[0]
        return self.held_solver(np.eye(count), np.zeros((self.discrete.dofs.count, count)))

    def modes(self, count: int, *, interfaces_held: bool = False) -> NaturalModes:
        """The lowest elastic modes, of the attached body or with its interfaces held as well."""
        supports = self.discrete.supports
        held = self.rows.shape[0] if interfaces_held else self.rigid.shape[1]
        available = supports.size - held
        if not 0 <= count <= available:
            raise InputError(
                f"body {self.discrete.body.name} has {available} modes of this kind; ask for no more than that",
                field="modes",
            )
        if not count:
            return NaturalModes(np.empty(0), np.empty((self.discrete.dofs.count, 0)))
        if supports.size <= _DENSE or count > available // 4:
            values, vectors = self._dense_modes(count, interfaces_held=interfaces_held)
        else:
            values, vectors = self._krylov_modes(count, interfaces_held=interfaces_held)
        return NaturalModes(np.sqrt(np.maximum(values, 0.0)) / (2 * np.pi), vectors)

    def _dense_modes(self, count: int, *, interfaces_held: bool) -> tuple[Array, Array]:
        supports = self.discrete.supports
        K, M = (supports.reduce_matrix(matrix) for matrix in (self.discrete.stiffness, self.discrete.mass))
        if not interfaces_held:
            rigid = self.discrete.equilibrium.rigid
            found = symmetric_modes(K, M, count + rigid.shape[1], rigid_modes=rigid, confirm=False)
            elastic = slice(rigid.shape[1], None)
            return found.eigenvalues[elastic], supports.expand(found.vectors[:, elastic])
        free = null_space(sparse.csr_array(self.rows @ supports.basis).toarray()).basis
        small = [sparse.csr_array(free.T @ np.asarray(matrix @ free)) for matrix in (K, M)]
        found = symmetric_modes(small[0], small[1], count, confirm=False)
        return found.eigenvalues, supports.expand(free @ found.vectors)

    def _krylov_modes(self, count: int, *, interfaces_held: bool) -> tuple[Array, Array]:
        """Block Lanczos on T M: the factorisation of the static answers serves again, many columns at a time."""
        M, size = self.discrete.mass, self.discrete.dofs.count

        def answers(block: Array) -> Array:
            loads = np.asarray(M @ block)
            if not interfaces_held:
                return self.flexibility(loads)
            return self.held_solver(np.zeros((self.rows.shape[0], block.shape[1])), loads)

        block = answers(np.random.default_rng(_SEED).standard_normal((size, count + _SPARE_COLUMNS)))
        block, _ = _orthonormal(block, np.empty((size, 0)), M)
        space, projected = block, np.empty((0, 0))
        for _ in range(_MOST_BLOCKS):
            image = answers(block)
            column = space.T @ np.asarray(M @ image)
            projected = np.block([[projected, column[: len(projected)]], [column.T]])
            mu, turn = linalg.eigh((projected + projected.T) / 2)
            mu, turn = mu[::-1][:count], turn[:, ::-1][:, :count]
            following, left_over = _orthonormal(image, space, M)
            # T M space = space · projected + following · left_over on the last block
            residuals = np.linalg.norm(left_over @ turn[-block.shape[1] :], axis=0)
            if (residuals <= _RESIDUAL * mu).all():
                return np.asarray(1 / mu), np.asarray(space @ turn)
            block, space = following, np.hstack([space, following])
        raise AnalysisError(
            f"{count} modes did not converge; ask for fewer, or check the mesh for distorted cells"
        )


def attach(
    body: Body | DiscreteBody,
    *,
    interfaces: Sequence[Interface] = (),
    sensors: Sequence[Interface] = (),
    reference: Reference | None = None,
) -> AttachedBody:
    """Tie a body to its frame and find the functionals of its points.

    Without a reference the supports of the body tie it to the frame, and mean axes do where they leave it free.

    Parameters
    ----------
    body
        A body, described or discretised.
    interfaces, sensors
        Points where the body is joined, and points that are only recorded.
    reference
        `ClampedFrame` or `MeanAxes`; without it the supports of the body fix it in its frame.

    Returns
    -------
    AttachedBody
        The body under its reference condition, for `reduction_basis`.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> attached.rigid.shape
    (33, 3)
    """
    points = (*interfaces, *sensors)
    names = [point.name for point in points]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"two points are called '{twice[0]}'; give each interface and sensor its own name", field="sensors"
        )
    plain = body.body if isinstance(body, DiscreteBody) else body
    coupled, made = with_rigid_interfaces(plain, points)
    discrete = body if isinstance(body, DiscreteBody) and coupled is plain else discretise(coupled)
    if reference is not None:
        with at_field("reference"):
            discrete = reference.attach(discrete, made)
    count, rows = len(interfaces), []
    for number, point in enumerate(made):
        with at_field("interfaces" if number < count else "sensors", point.name):
            rows.append(point_rows(discrete.body, discrete.dofs, point))
    return AttachedBody(
        discrete, tuple(rows[:count]), tuple(rows[count:]), reference_description(discrete, reference)
    )


def _unit_rows(matrix: Array) -> Array:
    """Columns scaled to their largest entry."""
    largest = np.abs(matrix).max(axis=0, initial=0.0)
    return np.asarray(matrix / np.where(largest > 0, largest, 1.0))


def _orthonormal(block: Array, space: Array, mass: SparseMatrix) -> tuple[Array, Array]:
    """Q, R with block = (part in the M-orthonormal space) + Q R and Q M-orthonormal beside it."""
    factor = np.eye(block.shape[1])
    for _ in range(2):  # the second time removes rounding of the first
        block = block - space @ (space.T @ np.asarray(mass @ block))
        gram = block.T @ np.asarray(mass @ block)
        values, turn = linalg.eigh((gram + gram.T) / 2)
        kept = values > 1e-13 * values[-1]
        root = np.sqrt(values[kept])
        block, factor = block @ (turn[:, kept] / root), (turn[:, kept] * root).T @ factor
    return block, factor
