"""A small basis on which the equations of a spinning body are right at every speed of a range, with error bounds.

The basis starts with the modes at rest. At sample speeds the residual r = P(λ, Ω)φ of each wanted mode is measured
in the norm of K̂⁻¹ = (K + τM)⁻¹, and K̂⁻¹r, the correction that it calls for, is added where it matters. All
residuals are combinations of the same few columns, so one factorisation and one set of solves serve all speeds.
Entries of bearing tables act on few coordinates: whatever their coefficients, their forces are combinations of
unit forces there, which are kept once, and whose static shapes belong to the basis.

‖r‖² comes from that combination as a small difference of large numbers. An energy xᵀK̂x, also one of solutions with
the factors of K̂, is rounded by ε|x|ᵀ|K̂||x|, so that ‖r‖ is known to √ε times the root of this at best; the norms
include it. Where that is not enough the residual itself is solved for, which leaves ε in place of √ε.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import STIFFNESS, Part
from flexframe.keeping import fingerprint
from flexframe.maths.arrays import Array, BoolArray, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, definite_factors, factorise
from flexframe.reduction.rest_basis import orthonormal, rough_modes
from flexframe.spectra.rotation.free_motions import FreeMotions
from flexframe.spectra.rotation.frequency_dependence import dependent_modes, newton_mode
from flexframe.spectra.rotation.small_spectra import SmallModes, small_modes

WHOLE = 60  # unknowns up to which nothing is projected
_FEW = 12  # coordinates: three nodes with displacements across an axis that lies anyhow
_NEAR, _ALIKE = 0.1, 0.8  # of |λ|: how far a mode may be from where its branch leads, and cosine of its shape
_EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class _Columns:
    """Columns of the basis, A V of every coefficient A but K, and K̂⁻¹ of those: (n, m), (n, q m) twice.

    Those of local coefficients have no columns in the basis, and unit forces as their images.
    """

    basis: Array
    images: Array
    solved: Array
    rounding: Array  # ε|x|ᵀ|K̂||x| of basis and solved: (m + q m,)


@dataclass(frozen=True, eq=False)
class Residuals:
    """r = P(λ, Ω)Vy of m modes in the norm of K̂⁻¹."""

    coordinates: ComplexArray  # of r beside K̂Vy in the kept columns: (Q, m)
    norms: Array  # bounds that include the rounding: (m,)
    rounding: Array  # how much of the norm may be rounding: (m,)

    @property
    def rounded(self) -> BoolArray:
        """Where the norm says little more than how it was rounded: (m,)."""
        return np.asarray(self.rounding > 0.5 * self.norms)


@dataclass(eq=False)
class SpeedProjection:
    """V, the coefficients on it, and the residuals of what comes out; `extend` makes it larger."""

    equations: AffineEquations
    free: FreeMotions
    modes: int
    fastest: float  # rad/s
    local: tuple[str, ...] = field(init=False)  # coefficients that act on few coordinates
    scale: float = field(init=False)  # of the lowest elastic frequencies, rad/s
    whole: bool = field(init=False)  # whether the basis spans everything
    known: dict[tuple[Any, ...], Any] = field(init=False, default_factory=dict)  # answers of the basis as it is
    uncounted: set[float] = field(
        init=False, default_factory=set
    )  # speeds where modes over the frequency may lack
    _lowest: float = field(init=False)  # elastic eigenvalue at rest
    _shift: float = field(init=False)  # τ
    _factors: Factorisation = field(init=False)
    _absolute: SparseMatrix = field(init=False)  # |K̂|
    _columns: list[_Columns] = field(init=False, default_factory=list)
    _parts: dict[str, Array] = field(init=False)
    _gram: Array = field(init=False)
    _small: AffineEquations[Array] | None = field(init=False, default=None)
    _moving: AffineEquations[Array] = field(init=False)
    _images: Array = field(init=False, default_factory=lambda: np.empty((0, 0, 0)))
    _units: Array = field(init=False)

    def __post_init__(self) -> None:
        e, rigid = self.equations, self.free.all
        K, M = e.constant_stiffness, e.constant_mass
        known = rigid.shape[1]
        self.whole = e.size <= max(WHOLE, 2 * self.modes) and _has_mass_everywhere(M)
        count = min(e.size, known + self.modes + (0 if self.whole else max(8, self.modes // 2)))
        factors = None if known or count >= e.size // 4 else definite_factors(K)
        if factors is not None:
            self._shift, self._factors = 0.0, factors
            values, vectors = rough_modes(factors, M, count)
            elastic = values
        else:
            start = symmetric_modes(K, M, count, rigid_modes=rigid if known else None, confirm=False)
            values, vectors = start.eigenvalues, start.vectors
            elastic = values[np.linalg.norm(rigid.T @ np.asarray(M @ vectors), axis=0) < 0.5]
            lowest = float(elastic.min(initial=np.inf))
            scale = float(np.abs(elastic).min(initial=np.inf)) if elastic.size else 1.0
            self._shift = 0.0 if not known and lowest > 0 else 0.1 * scale + max(0.0, -2 * lowest)
            self._factors = factorise(K + self._shift * M, "spd")
        self._lowest = float(elastic.min(initial=np.inf))
        self._absolute = abs(K + self._shift * M)
        self.scale = float(np.sqrt(np.abs(elastic).min())) if elastic.size else 1.0
        self._parts = {c.name: np.empty((0, 0)) for c in e.coefficients}
        self._gram = np.empty((0, 0))
        self.local = () if self.whole else _local(e)
        if known:
            self.extend(rigid)
        self.extend(np.eye(e.size) if self.whole else vectors)
        if self.local:
            self._keep_unit_forces()

    @property
    def basis(self) -> Array:
        """V, M-orthonormal, translations first: (n, r)."""
        return np.hstack([columns.basis for columns in self._columns])

    @property
    def size(self) -> int:
        """Number of columns r."""
        return len(self._parts["mass"])

    @property
    def fingerprint(self) -> str:
        """What tells this projection from those before it grew."""
        return fingerprint(self.fastest, self._shift, self._parts, self._gram)

    @property
    def translations(self) -> int:
        """How many of the first coordinates are free translations."""
        return self.free.translations.shape[1]

    @property
    def small(self) -> AffineEquations[Array]:
        """The coefficients on all coordinates."""
        if self._small is None or self._small.size != self.size:
            parts = (
                Part[Array].constant(c.name, c.order, self._parts[c.name], c.coefficient)
                for c in self.equations.coefficients
            )
            self._small = AffineEquations(self.size, tuple(parts), self.equations.terms)
            t = self.translations
            self._moving = self._small.block(slice(t, None)) if t else self._small
        return self._small

    @property
    def moving(self) -> AffineEquations[Array]:
        """The coefficients on the coordinates beside the free translations."""
        self.small  # noqa: B018 - makes both
        return self._moving

    @property
    def metric(self) -> Array:
        """VᵀK̂V, positive definite."""
        return self._parts["stiffness"] + self._shift * self._parts["mass"]

    def modes_at(self, speed: float, count: int) -> SmallModes:
        """The lowest modes at a speed beside the free translations, in all coordinates."""
        t = self.translations
        small = self.moving
        if self.equations.depends_on_frequency:
            solved = dependent_modes(small, speed, count, scale=self.scale)
            found, self.uncounted = solved.modes, self.uncounted | (set() if solved.counted else {speed})
        else:
            found = small_modes(small, speed, count, scale=self.scale)
        vectors = np.concatenate([np.zeros((t, found.vectors.shape[1])), found.vectors])
        return SmallModes(speed, found.eigenvalues, vectors)

    def mode_near(
        self, speed: float, value: complex, vector: ComplexArray, count: int
    ) -> tuple[complex, ComplexArray]:
        """The mode at a speed that continues another one: its eigenvalue and coordinates (r,).

        Newton's steps find it if they stay near; else it is the nearest of the `count` lowest modes.
        """
        t = self.translations
        found = newton_mode(self.moving, speed, value, vector[t:])
        if found is not None and abs(found[0] - value) <= _NEAR * abs(value):
            shape = np.concatenate([np.zeros(t), found[1]])
            if abs(np.vdot(shape, vector)) >= _ALIKE * np.linalg.norm(shape) * np.linalg.norm(vector):
                return found[0], shape
        modes = self.modes_at(speed, count)
        place = int(np.argmin(np.abs(modes.eigenvalues - value)))
        return complex(modes.eigenvalues[place]), modes.vectors[:, place]

    def extend(self, directions: Array | ComplexArray) -> int:
        """Add what directions (n, m) have of their own; the number of columns that were added."""
        e = self.equations
        new = orthonormal(_real_columns(directions), e.constant_mass, [columns.basis for columns in self._columns])
        if not new.shape[1]:
            return 0
        images = [np.asarray(c.matrix @ new) for c in e.coefficients]
        old = [columns.basis for columns in self._columns]
        for c, image in zip(e.coefficients, images, strict=True):
            above = np.vstack([np.empty((0, new.shape[1])), *(basis.T @ image for basis in old)])
            # every coefficient is symmetric or skew in theory, but damping of any kind is welcome
            left = np.asarray(c.matrix.T @ new)
            beside = np.hstack([np.empty((new.shape[1], 0)), *(left.T @ basis for basis in old)])
            self._parts[c.name] = np.block([[self._parts[c.name], above], [beside, new.T @ image]])
        if self.whole:
            nothing = np.empty((e.size, 0))
            self._columns.append(_Columns(new, nothing, nothing, np.zeros(new.shape[1])))
            return new.shape[1]
        # P = K̂ + (λ² − τ)M + …, and K̂⁻¹K̂V = V: of K̂ nothing needs to be kept
        others = [image for c, image in zip(e.coefficients, images, strict=True) if c.name in self._spread]
        kept = np.hstack(others)
        solved = np.hstack([self._factors.solve(image) for image in others])
        self._keep(_Columns(new, kept, solved, self._rounding(np.hstack([new, solved]))))
        return new.shape[1]

    @cached_property
    def _spread(self) -> tuple[str, ...]:
        """Coefficients but K whose images are kept column by column."""
        names = (c.name for c in self.equations.coefficients)
        return tuple(name for name in names if name != "stiffness" and name not in self.local)

    @cached_property
    def _rows(self) -> IntArray:
        """Coordinates on which local coefficients act: (b,)."""
        matrices = [c.matrix for c in self.equations.coefficients if c.name in self.local]
        return np.unique(np.concatenate([sparse.coo_array(matrix).row for matrix in matrices]))

    def _keep_unit_forces(self) -> None:
        """Unit forces on the coordinates of local coefficients, and their static shapes in the basis."""
        forces = np.zeros((self.equations.size, len(self._rows)))
        forces[self._rows, np.arange(len(self._rows))] = 1.0
        solved = np.asarray(self._factors.solve(forces))
        self._keep(_Columns(np.empty((len(forces), 0)), forces, solved, self._rounding(solved)))
        self.extend(solved)

    def _keep(self, added: _Columns) -> None:
        """Columns and their products with those before."""
        cross = [columns.images.T @ added.solved for columns in self._columns]
        corner = added.images.T @ added.solved
        self._columns.append(added)
        self._gram = np.block(
            [
                [self._gram, np.vstack([np.empty((0, corner.shape[1])), *cross])],
                [
                    np.hstack([np.empty((corner.shape[0], 0)), *(block.T for block in cross)]),
                    (corner + corner.T) / 2,
                ],
            ]
        )

    def residuals(self, eigenvalues: ComplexArray, speed: float, vectors: ComplexArray) -> Residuals:
        """Residuals of modes y (r, m) from the kept columns w: ‖K̂Vy + w‖² = yᴴVᵀK̂Vy + 2 Re yᴴVᵀw + ‖w‖²."""
        count = vectors.shape[1]
        if self.whole:
            return Residuals(np.empty((0, count), dtype=complex), np.zeros(count), np.zeros(count))
        factors, weights = self._spread_multipliers(eigenvalues, speed)
        rows, place, rounding = [], 0, np.zeros(count)
        inside = sum(factors[name] * (self._parts[name] @ vectors) for name in self._spread)
        for columns in self._columns:
            part = vectors[place : place + columns.basis.shape[1]]
            if len(part):
                images = [factors[name] * part for name in self._spread]
            else:
                images = [self._local_forces(eigenvalues, weights, vectors)]
                inside = inside + self._unit_basis.T @ images[0]
            rows += images
            place += columns.basis.shape[1]
            both = np.concatenate([part, *images])
            rounding += columns.rounding @ (both.real**2 + both.imag**2)
        coordinates = np.concatenate(rows)
        squares = np.einsum("rm,rm->m", vectors.conj(), self.metric @ vectors + 2 * inside).real
        squares += np.einsum("qm,qm->m", coordinates.conj(), self._gram @ coordinates).real
        return Residuals(coordinates, np.sqrt(np.maximum(squares, 0.0) + rounding), np.sqrt(rounding))

    def solved_residuals(
        self, eigenvalues: ComplexArray, speed: float, vectors: ComplexArray
    ) -> tuple[ComplexArray, Array, Array]:
        """K̂⁻¹r (n, m), bounds of ‖r‖ from ‖r‖² = rᴴK̂⁻¹r, and their rounding: (m,) each.

        Modes may have the coordinates of the basis before it grew.
        Products with K̂ are rounded as if it were another matrix, by ε|K̂|, and ‖r‖ so by ε|φ|ᵀ|K̂||φ| / ‖φ‖.
        """
        shapes, factors = self.basis[:, : len(vectors)] @ vectors, self._multipliers(eigenvalues, speed)
        images = {c.name: np.asarray(c.matrix @ shapes) for c in self.equations.coefficients}
        elastic = images["stiffness"] + self._shift * images["mass"]
        r = elastic + sum(factor * images[name] for name, factor in factors.items())
        solved = self._factors.solve(r)
        norms = np.sqrt(np.maximum(np.einsum("im,im->m", r.conj(), solved).real, 0.0))
        rounding = self._rounding(shapes) / np.sqrt(np.einsum("im,im->m", shapes.conj(), elastic).real)
        return solved, norms + rounding, rounding

    def solved_shape(
        self, equations: AffineEquations, eigenvalue: Any, speed: float, vector: ComplexArray
    ) -> ComplexArray:
        """K̂⁻¹r of other equations on the same coordinates, of one shape with the coordinates (r,): (n,)."""
        return np.asarray(self._factors.solve(self._residual(equations, eigenvalue, speed, vector)))

    def solved_norm(
        self, equations: AffineEquations, eigenvalue: Any, speed: float, vector: ComplexArray
    ) -> float:
        """‖r‖ of the same."""
        r = self._residual(equations, eigenvalue, speed, vector)
        square = float(np.vdot(r, self._factors.solve(r)).real)
        return float(np.sqrt(max(square, 0.0)))

    def _residual(
        self, equations: AffineEquations, eigenvalue: Any, speed: float, vector: ComplexArray
    ) -> ComplexArray:
        shape = self.basis[:, : len(vector)] @ vector
        factors = equations.factors(complex(np.asarray(eigenvalue).item()), speed)
        images = zip(factors, equations.coefficients, strict=True)
        return np.asarray(sum(factor * np.asarray(c.matrix @ shape) for factor, c in images))

    @property
    def tabled(self) -> bool:
        """Whether coefficients are functions of the speed or frequency other than powers."""
        return any(c.coefficient.components is None for c in self.equations.coefficients)

    def _spread_multipliers(
        self, eigenvalues: ComplexArray, speed: float
    ) -> tuple[dict[str, ComplexArray], Array]:
        """What multiplies the coefficients with images, (m,) each, and the values of local ones.

        (m or 1, local).
        """
        e = self.equations
        spread = [c for c in e.coefficients if c.name in self._spread]
        local = [c for c in e.coefficients if c.name in self.local]
        point = OperatingPoint.at_speed(speed, eigenvalues if e.depends_on_frequency else 0.0)
        factors = {c.name: eigenvalues**c.order * e.weight(c, point) for c in spread}
        factors["mass"] = factors["mass"] - self._shift
        return factors, np.atleast_2d(e.weights_of(local, point))

    def _local_forces(self, eigenvalues: ComplexArray, weights: Array, vectors: ComplexArray) -> ComplexArray:
        """Forces of local coefficients on their coordinates: (b, m)."""
        orders = np.array([c.order for c in self.equations.coefficients if c.name in self.local])
        total = np.zeros((self._seen.shape[1], vectors.shape[1]), dtype=complex)
        for order in np.unique(orders):
            own = np.flatnonzero(orders == order)
            images = np.tensordot(weights[:, own], self._seen[own], axes=1)  # (m or 1, b, r)
            moved = images[0] @ vectors if len(images) == 1 else np.einsum("mbr,rm->bm", images, vectors)
            total += eigenvalues**order * moved
        return total

    def _multipliers(self, eigenvalues: ComplexArray, speed: float) -> dict[str, ComplexArray]:
        """What multiplies each coefficient but K in P = K̂ + (λ² − τ)M + …: (m,) each."""
        e = self.equations
        all_factors = zip(e.coefficients, e.factors(eigenvalues, speed), strict=True)
        factors = {c.name: factor for c, factor in all_factors if c.name != "stiffness"}
        factors["mass"] = factors["mass"] - self._shift
        return factors

    def _rounding(self, columns: Array | ComplexArray) -> Array:
        """ε|x|ᵀ|K̂||x| of columns (n, m): (m,)."""
        sizes = np.abs(columns)
        return _EPSILON * np.asarray(np.einsum("im,im->m", sizes, np.asarray(self._absolute @ sizes)))

    def corrected(self, coordinates: ComplexArray, most: int) -> int:
        """Extend by the main directions of K̂⁻¹r, which is K̂⁻¹w up to the basis, of coordinates (Q, m) of w."""
        # coefficients differ by many powers of ten: unit columns first, but none that is rounding alone
        length = np.sqrt(np.maximum(np.diag(self._gram), 0.0))
        count = len(self._spread)
        kind = np.concatenate(
            [
                np.repeat(np.arange(count), c.basis.shape[1])
                if c.basis.shape[1]
                else np.full(c.images.shape[1], count)
                for c in self._columns
            ]
        )
        largest = np.array([length[kind == k].max() for k in range(count + bool(self.local))])
        length = np.maximum(length, 1e-6 * largest[kind])
        length[length == 0.0] = 1.0  # a coefficient whose images of the basis vanish
        # a light shaft between heavy discs: stiffness of the coordinates differs by many powers of ten as well
        metric = self.metric
        unit = 1 / np.sqrt(np.diag(metric))
        factor = linalg.cho_factor(unit[:, None] * metric * unit)
        inside = unit[:, None] * linalg.cho_solve(factor, unit[:, None] * self._overlaps)
        outside = self._gram - self._overlaps.T @ inside
        both = np.hstack([coordinates.real, coordinates.imag]) * length[:, None]
        values, turn = linalg.eigh(outside / np.outer(length, length))
        kept = values > 1e-14 * values[-1]
        root, turn = np.sqrt(values[kept]), turn[:, kept]
        wanted = root[:, None] * (turn.T @ both)
        # every residual counts alike, however small it is already
        wanted = wanted / np.maximum(np.linalg.norm(wanted, axis=0), np.finfo(float).tiny)
        left, sizes, _ = linalg.svd(wanted, full_matrices=False)
        chosen = left[:, : max(1, min(most, int(np.count_nonzero(sizes > 1e-2 * sizes[0]))))]
        weights = (turn @ (chosen / root[:, None])) / length[:, None]
        # most of it lies in the basis already and is taken out before what is left is judged
        direction, place = -self.basis @ (inside @ weights), 0
        for columns in self._columns:
            width = columns.solved.shape[1]
            direction += columns.solved @ weights[place : place + width]
            place += width
        return self.extend(direction)

    @property
    def _overlaps(self) -> Array:
        """VᵀW of the kept columns W: (r, Q)."""
        blocks, place = [], 0
        for columns in self._columns:
            width = columns.basis.shape[1]
            if width:
                blocks += [self._parts[name][:, place : place + width] for name in self._spread]
            else:
                blocks.append(self._unit_basis.T)
            place += width
        return np.hstack(blocks)

    @property
    def _seen(self) -> Array:
        """A V of the local coefficients in the coordinates on which they act: (coefficients, b, r)."""
        self._unit_basis  # noqa: B018 - makes both
        return self._images

    @property
    def _unit_basis(self) -> Array:
        """V in those coordinates: (b, r)."""
        if self._images.shape[-1] != self.size:
            basis = self.basis
            local = [c.matrix for c in self.equations.coefficients if c.name in self.local]
            rows = [sparse.csr_array(matrix)[self._rows] for matrix in local]
            self._images = np.array([np.asarray(matrix @ basis) for matrix in rows])
            self._units = basis[self._rows]
        return self._units

    def margin(self, speed: float) -> float:
        """θ with K(Ω) ≥ θK̂ beside free motions, by interpolation in Ω²; not positive where none is known."""
        limit, theta = self.definite
        if abs(speed) > limit:
            return -1.0
        part = (speed / limit) ** 2 if limit else 0.0
        return (1 - part) * self._lowest / (self._lowest + self._shift) + part * theta

    @cached_property
    def definite(self) -> tuple[float, float]:
        """A speed up to which K(Ω) is definite beside free motions, and θ with K(Ω) ≥ θK̂ there; (−1, 0): none.

        K(Ω) − θK̂ must have as many negative eigenvalues as there are free motions (Sylvester).
        """
        e, S, others = self.equations, self.equations.part("spin_stiffness"), self.free.others
        if not e.conservative or not self._lowest > 0:
            return -1.0, 0.0
        if S is None:
            return np.inf, self._lowest / (self._lowest + self._shift)
        # rigid rotations must stay without stiffness, or the free motions would not decouple from the rest
        moved = np.abs(np.asarray(e.constant_mass @ others)).max(initial=0.0)
        if np.abs(np.asarray(S @ others)).max(initial=0.0) > 1e-7 * moved:
            return -1.0, 0.0
        metric = e.constant_stiffness + self._shift * e.constant_mass
        for part, theta in ((1.0, 0.5), (1.0, 0.1), (1.0, 0.01), (0.5, 0.1), (0.25, 0.1)):
            speed = part * self.fastest
            try:
                with factorise(e.at_speed(STIFFNESS, speed) - theta * metric, "symmetric") as factors:
                    negative = factors.negative_pivots
            except SingularMatrixError:
                continue
            if negative == self.free.all.shape[1]:
                return speed, theta
        return -1.0, 0.0


def _local(equations: AffineEquations) -> tuple[str, ...]:
    """Coefficients by laws that act on no more than a few coordinates."""
    laws = [c for c in equations.coefficients if c.coefficient.components is None]
    rows = {c.name: np.unique(sparse.coo_array(c.matrix).row).size for c in laws}
    return tuple(name for name, count in rows.items() if count <= _FEW)


def _has_mass_everywhere(mass: SparseMatrix) -> bool:
    """Whether every coordinate of a small body has a mass of its own."""
    scale = 1 / np.sqrt(np.maximum(mass.diagonal(), np.finfo(float).tiny))
    return bool(linalg.eigvalsh(scale[:, None] * mass.toarray() * scale)[0] > 1e-9)


def _real_columns(directions: Array | ComplexArray) -> Array:
    """Real and imaginary parts (n, 2 m) of complex columns, without a part that is rounding beside the other."""
    if not np.iscomplexobj(directions):
        return np.asarray(directions)
    both = np.hstack([directions.real, directions.imag])
    return both[:, np.linalg.norm(both, axis=0) > 1e-6 * np.tile(np.linalg.norm(directions, axis=0), 2)]
