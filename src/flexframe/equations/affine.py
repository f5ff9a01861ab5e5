"""The equations of a body in a moving frame as one affine sum of constant matrices.

    Σ a_i M_i δ̈ + Σ a_i C_i δ̇ + Σ a_i K_i δ = Σ a_i f_i

Each coefficient a_i is a function of the operating point: of the motion of the frame, a speed, time or frequency.
Every linear analysis takes its matrices from here; multipliers of terms are applied here and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, cast, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.assembly.projection import Projection
from flexframe.equations.coefficients import (
    ACCELERATION,
    FREQUENCY,
    ORIGIN,
    SPEED,
    SPIN,
    SPIN_UP,
    Law,
    Monomial,
    OperatingPoint,
    Substitution,
    Terms,
)
from flexframe.equations.parts import (
    DAMPING,
    LOAD,
    MASS,
    STIFFNESS,
    Basis,
    EquationsOfMotion,
    MatrixT,
    Once,
    Part,
    dense,
    weighted_sum,
)
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.motion.frame import FrameMotion
from flexframe.phases import phase

AT_REST = OperatingPoint()

MERGED_NAMES = {
    (MASS, ()): "mass",
    (DAMPING, ()): "damping",
    (STIFFNESS, ()): "stiffness",
    (LOAD, ()): "load",
    (DAMPING, (SPEED,)): "gyroscopic",
    (STIFFNESS, (SPEED,)): "circulatory",
    (STIFFNESS, (SPEED, SPEED)): "spin_stiffness",
}
"""What the sum of all parts with one order and one coefficient is called; others by their coefficient."""

CROSS_COUPLED = "cross-coupled"
"""Parts of K and M that are skew and constant; they stay apart from those that measure energy."""

_CONSERVATIVE = ("coriolis", "gyroscopic")


@dataclass(frozen=True, eq=False)
class AffineEquations(Generic[MatrixT]):
    """Named parts with coefficients, on n coordinates; see the module for the equation."""

    size: int
    parts: tuple[Part[MatrixT], ...]
    terms: Terms = field(default_factory=Terms)

    # --- parts -----------------------------------------------------------------------------------------------

    @cached_property
    def _orders(self) -> dict[int, tuple[Part[MatrixT], ...]]:
        return {
            order: tuple(part for part in self.parts if part.order == order)
            for order in (LOAD, STIFFNESS, DAMPING, MASS)
        }

    def of_order(self, order: int) -> tuple[Part[MatrixT], ...]:
        """The parts of K (0), C (1), M (2) or f (−1)."""
        return self._orders[order]

    @cached_property
    def coefficients(self) -> tuple[Part[MatrixT], ...]:
        """All parts but the loads."""
        return (*self._orders[MASS], *self._orders[DAMPING], *self._orders[STIFFNESS])

    def part(self, name: str) -> MatrixT | None:
        """The matrix of the first part of this name; None where there is none."""
        return next((part.matrix for part in self.coefficients if part.name == name), None)

    @property
    def conservative(self) -> bool:
        """Whether neither damping nor circulatory forces act, nor forces by a law that may be anything."""
        damped = any(part.name not in _CONSERVATIVE for part in self._orders[DAMPING])
        others = (*self._orders[STIFFNESS], *self._orders[MASS])
        return not damped and not any(
            p.name.startswith(("circulatory", CROSS_COUPLED)) or p.coefficient.components is None for p in others
        )

    def weights(self, order: int, point: FrameMotion | OperatingPoint) -> Array:
        """Coefficients of the parts of an order, with their multipliers: (..., parts)."""
        return self.weights_of(self._orders[order], OperatingPoint.of(point))

    def weights_of(self, parts: Sequence[Part[MatrixT]], point: OperatingPoint) -> Array:
        """Coefficients of some parts with their multipliers, laws of one function evaluated once: (..., parts)."""
        shape = point.shape
        columns: list[Any] = [None] * len(parts)
        for numbers, places, multipliers in self._shared_laws(tuple(parts)):
            law = parts[numbers[0]].coefficient
            assert isinstance(law, Law)
            values = multipliers * law.values(point)[..., places]
            if law.factor.components or law.factor.scale != 1:
                values = np.asarray(law.factor.at(point))[..., None] * values
            for column, number in enumerate(numbers):
                columns[number] = values[..., column]
        for number, part in enumerate(parts):
            if columns[number] is None:
                columns[number] = self.weight(part, point)
        if not columns:
            return np.zeros((*shape, 0))
        if not shape:
            return np.array([np.asarray(column).item() for column in columns])
        return np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1)

    def _shared_laws(self, parts: tuple[Part[MatrixT], ...]) -> list[tuple[list[int], IntArray, Array]]:
        """Parts by laws that share a function, what it is given and a factor.

        Numbers, places, multipliers; kept.
        """
        key = tuple(map(id, parts))
        if key not in self._plans:
            groups: dict[object, list[int]] = {}
            for number, part in enumerate(parts):
                law = part.coefficient
                if isinstance(law, Law) and law.place is not None:
                    groups.setdefault((id(law.function), tuple(law.given.items()), law.factor), []).append(number)
            self._plans[key] = [
                (
                    numbers,
                    np.array([parts[n].coefficient.place for n in numbers]),  # type: ignore[attr-defined]
                    np.array([self.terms.multiplier(parts[n].name) for n in numbers]),
                )
                for numbers in groups.values()
            ]
        return self._plans[key]

    @cached_property
    def _plans(self) -> dict[tuple[int, ...], list[tuple[list[int], IntArray, Array]]]:
        return {}

    def weight(self, part: Part[MatrixT], point: OperatingPoint) -> Any:
        """The coefficient of one part at a point, with its multiplier."""
        multiplier = self.terms.multiplier(part.name)
        return multiplier * part.coefficient.at(point) if multiplier else 0.0

    # --- one point -------------------------------------------------------------------------------------------

    @phase("assembly")
    def at(self, motion: FrameMotion | OperatingPoint) -> EquationsOfMotion[MatrixT]:
        """The equations of one instant, in named parts."""
        damping, stiffness = (self._sum_by_name(order, motion) for order in (DAMPING, STIFFNESS))
        return EquationsOfMotion(self.mass, damping, stiffness, self.load_parts(motion), self.terms)

    def load_parts(self, motion: FrameMotion | OperatingPoint) -> dict[str, Array]:
        """f of one instant in named parts, zeros left out: (n,) each."""
        return self._sum_by_name(LOAD, motion)

    def load(self, motion: FrameMotion | OperatingPoint) -> Array:
        """f of one instant: (n,)."""
        return np.sum([np.zeros(self.size), *self.load_parts(motion).values()], axis=0)

    def matrix(self, order: int, motion: FrameMotion | OperatingPoint = AT_REST) -> MatrixT:
        """K (0), C (1) or M (2) of one instant; at rest if none is given."""
        named = list(self._sum_by_name(order, motion).values())
        if not named:
            return self._zero
        total = named[0]
        for more in named[1:]:
            total = total + more
        return cast("MatrixT", total)

    def factors(self, eigenvalues: ArrayLike, speed: float) -> ComplexArray:
        """What multiplies each of the `coefficients` in P(λ, Ω), λ^order times its own: (parts, ...)."""
        values = np.asarray(eigenvalues, dtype=complex)
        weights = self.weights_of(self.coefficients, OperatingPoint.at_speed(speed, values))
        powers = {order: values**order for order in (STIFFNESS, DAMPING, MASS)}
        found = [powers[part.order] * weights[..., k] for k, part in enumerate(self.coefficients)]
        return np.array(found, dtype=complex).reshape(-1, *values.shape)

    def at_speed(self, order: int, speed: float, frequency: float = 0.0) -> MatrixT:
        """K (0), C (1) or M (2) at a speed about the axis that the equations were written for.

        Coefficients that depend on λ are those of λ = iω at the frequency ω [rad/s].
        """
        return self.matrix(order, OperatingPoint.at_speed(speed, 1j * frequency))

    def summed_at(self, order: int, point: OperatingPoint) -> MatrixT:
        """The same as `matrix`; dense matrices by one product with those that are kept, for many points."""
        if not any(isinstance(part.source.value, np.ndarray) for part in self._orders[MASS][:1]):
            return self.matrix(order, point)
        return cast("MatrixT", self.weighted_sum(order, self.varying_weights(order, point)))

    @cached_property
    def mass(self) -> MatrixT:
        """M at rest."""
        return self.matrix(MASS)

    @cached_property
    def stiffness(self) -> MatrixT:
        """K at rest."""
        return self.matrix(STIFFNESS)

    @cached_property
    def damping(self) -> MatrixT:
        """C at rest."""
        return self.matrix(DAMPING)

    @cached_property
    def constant_mass(self) -> MatrixT:
        """The part of M that is symmetric and depends on nothing: what kinetic energy is measured with."""
        return self._constant(MASS)

    @cached_property
    def constant_stiffness(self) -> MatrixT:
        """The part of K that is symmetric and depends on nothing: what energy is measured with."""
        return self._constant(STIFFNESS)

    def _constant(self, order: int) -> MatrixT:
        parts = [
            part
            for part in self.parts
            if part.order != order
            or (part.coefficient.components == () and not part.name.startswith(CROSS_COUPLED))
        ]
        return replace(self, parts=tuple(parts)).matrix(order)

    @property
    def depends_on_frequency(self) -> bool:
        """Whether a coefficient changes with λ, so that eigenvalues are those of a nonlinear problem."""
        return any(FREQUENCY in part.coefficient.open_to for part in self.coefficients)

    @property
    def _zero(self) -> MatrixT:
        shape = (self.size, self.size)
        small = any(isinstance(part.matrix, np.ndarray) for part in self._orders[MASS][:1])
        return cast("MatrixT", np.zeros(shape) if small else sparse.csr_array(shape, dtype=float))

    def _sum_by_name(self, order: int, motion: FrameMotion | OperatingPoint) -> dict[str, Any]:
        """Σ a_i A_i by name, parts whose coefficient is zero left out and not made."""
        point = OperatingPoint.of(motion)
        found: dict[str, Any] = {}
        for part in self._orders[order]:
            weight = np.asarray(self.weight(part, point)).item()
            if weight:
                value = part.source.value
                term = value if weight == 1 else weight * value
                found[part.name] = found[part.name] + term if part.name in found else term
        return found

    # --- arrays of points ------------------------------------------------------------------------------------

    def matrices(self, order: int, points: OperatingPoint) -> Array:
        """K (0), C (1) or M (2) at several points, dense: (t, n, n)."""
        return self.weighted_sum(order, self.varying_weights(order, points))

    def loads(self, points: OperatingPoint) -> Array:
        """f at several points: (t, n)."""
        return np.asarray(self.weights(LOAD, points) @ self.unit_loads.T)

    def varying(self, order: int) -> tuple[Part[MatrixT], ...]:
        """The parts of an order whose coefficients are not constants."""
        return self._varying[order]

    @cached_property
    def _varying(self) -> dict[int, tuple[Part[MatrixT], ...]]:
        return {
            order: tuple(part for part in parts if part.coefficient.components != ())
            for order, parts in self._orders.items()
        }

    def varying_weights(self, order: int, points: OperatingPoint) -> Array:
        """Coefficients of those parts: (t, varying)."""
        return self.weights_of(self.varying(order), OperatingPoint.of(points))

    def weighted_sum(self, order: int, weights: Array) -> Array:
        """The constant parts of an order, and the varying ones with given weights (t, varying): (t, n, n)."""
        constant, stack = self._stack(order)
        return np.asarray(constant + np.tensordot(weights, stack, axes=1))

    @cached_property
    def _stacks(self) -> dict[int, tuple[Array, Array]]:
        return {}

    def _stack(self, order: int) -> tuple[Array, Array]:
        """The sum of the constant parts of an order and the stack of the varying ones, dense; kept."""
        if order not in self._stacks:
            constant: Array = np.zeros(dense(self.coefficients[0].matrix).shape)
            for part in self._orders[order]:
                if part.coefficient.components == () and (weight := self.weight(part, AT_REST)):
                    constant = constant + weight * dense(part.matrix)
            varying = [dense(part.matrix) for part in self.varying(order)]
            self._stacks[order] = constant, np.array(varying).reshape(-1, *constant.shape)
        return self._stacks[order]

    @cached_property
    def unit_loads(self) -> Array:
        """Vectors of the loads, without coefficients: (n, loads)."""
        loads = [part.vector for part in self._orders[LOAD]]
        return np.array(loads).reshape(-1, self.size).T

    def apply(self, order: int, points: OperatingPoint, vectors: Array) -> Array:
        """The varying parts of an order at each point times the vector of that point, (t, n) → (t, n)."""
        total = np.zeros(vectors.shape)
        for part, weight in zip(self.varying(order), self.varying_weights(order, points).T, strict=True):
            total = total + weight[:, None] * np.asarray(cast(Any, part.matrix) @ vectors.T).T
        return total

    # --- the same class, changed -----------------------------------------------------------------------------

    @overload
    def project(self, basis: Projection) -> "AffineEquations[MatrixT]": ...
    @overload
    def project(self, basis: Array | ComplexArray) -> "AffineEquations[Array]": ...
    def project(self, basis: Basis) -> "AffineEquations[Any]":
        """On δ = B z: BᴴAB of every matrix, Bᴴf of every load, each made when it is needed."""
        size = basis.size if isinstance(basis, Projection) else basis.shape[1]
        made: dict[Once, Once] = {}
        for part in self.parts:  # the Coriolis and Euler parts share their matrices
            if part.source not in made:
                made[part.source] = part.source.project(basis, part.order)
        return AffineEquations(
            size, tuple(replace(part, source=made[part.source]) for part in self.parts), self.terms
        )

    def images(self, columns: Array) -> "AffineEquations[Array]":
        """A V of every matrix A: (n, r) each, without loads."""

        def image(source: Once) -> Once:
            return Once(lambda: np.asarray(source.value @ columns))

        parts = tuple(replace(part, source=image(part.source)) for part in self.coefficients)
        return cast("AffineEquations[Array]", replace(self, parts=parts))

    def block(self, chosen: slice) -> "AffineEquations[MatrixT]":
        """The equations of some of the coordinates alone."""
        size = len(range(self.size)[chosen])
        return replace(self, size=size, parts=tuple(part.block(chosen) for part in self.parts))

    def extend(self, parts: Sequence[Part[MatrixT]]) -> "AffineEquations[MatrixT]":
        """With further parts: bearings, a damper, forces at markers."""
        return replace(self, parts=(*self.parts, *parts))

    @property
    def homogeneous(self) -> "AffineEquations[MatrixT]":
        """Without loads."""
        return replace(self, parts=self.coefficients)

    def active(self, points: OperatingPoint) -> "AffineEquations[MatrixT]":
        """Without the parts whose coefficients are zero at all of the points."""
        return replace(self, parts=tuple(part for part in self.parts if np.any(self.weight(part, points))))

    def merge(self, given: Substitution | None = None) -> "AffineEquations[MatrixT]":
        """One part for each order and coefficient, after a substitution of components; zeros are left out.

        Multipliers become a part of the matrices; each law keeps a part of its own.
        """
        groups: dict[tuple[int, tuple[str, ...], bool], list[tuple[complex, Once]]] = {}
        others: list[Part[MatrixT]] = []
        for part in self.parts:
            coefficient = part.coefficient.substitute(given or {})
            multiplier = self.terms.multiplier(part.name)
            if not isinstance(coefficient, Monomial):
                name, scaled = f"{part.name}, {coefficient}, order {part.order}", [(multiplier, part.source)]
                made = replace(part, name=name, source=weighted_sum(scaled), coefficient=coefficient)
                others += [made] if multiplier else []
            elif multiplier * coefficient.scale:
                key = (part.order, tuple(sorted(coefficient.components)), part.name.startswith(CROSS_COUPLED))
                groups.setdefault(key, []).append((multiplier * coefficient.scale, part.source))
        parts = [
            Part[MatrixT](_merged_name(*key), key[0], weighted_sum(terms), Monomial(key[1]))
            for key, terms in groups.items()
        ]
        return replace(self, parts=(*parts, *others))

    def tabulate(self, point: OperatingPoint) -> "AffineEquations[MatrixT]":
        """Merged, with functions such as tables of bearings held at a point and products of components left."""
        parts = tuple(replace(part, coefficient=part.coefficient.hold(point)) for part in self.parts)
        return replace(self, parts=parts).merge()

    def tabulated_sum(self, order: int, point: OperatingPoint) -> MatrixT:
        """The constants of K (0), C (1) or M (2) with functions at a point, without products of components.

        The same as the part "stiffness" (or "mass") of `tabulate`, with skew ones.
        """
        kept = [
            part
            for part in self._orders[order]
            if part.coefficient.components == ()
            or (isinstance(part.coefficient, Law) and not part.coefficient.factor.components)
        ]
        if not any(isinstance(part.source.value, np.ndarray) for part in self._orders[MASS][:1]):
            others = (part for part in self.parts if part.order != order)
            return replace(self, parts=(*kept, *others)).matrix(order, point)
        constant, stack = self._stack(order)
        varying = self.varying(order)
        laws = [k for k, part in enumerate(varying) if part in kept]
        weights = self.weights_of([varying[k] for k in laws], point)
        return cast("MatrixT", constant + np.tensordot(weights, stack[laws], axes=1))

    def about(self, axis: ArrayLike, *, steady: bool = True) -> "AffineEquations[MatrixT]":
        """Rotation at Ω about an axis through the origin, which is at rest: a polynomial in Ω, or in Ω and Ω̇.

        M δ̈ + (D + ΩG)δ̇ + (K + ΩN + Ω²S + Ω̇E)δ = f, G "gyroscopic", N "circulatory", S "spin_stiffness".
        """
        direction = FrameMotion.spin(1.0, axis).angular_velocity
        given: dict[str, tuple[float, str | None]] = {}
        for i in range(3):
            given[SPIN[i]] = (float(direction[i]), SPEED)
            given[SPIN_UP[i]] = (0.0, None) if steady else (float(direction[i]), ACCELERATION)
            given[ORIGIN[i]] = (0.0, None)
        return self.merge(given)

    def frozen(self, point: FrameMotion | OperatingPoint) -> "AffineEquations[MatrixT]":
        """Coefficients held at one point: "mass", "damping", "stiffness" and "load".

        Laws stay laws, with the amounts of the point; what it does not give, such as a frequency, stays open.
        """
        here = OperatingPoint.of(point)
        names = {name for part in self.parts for name in part.coefficient.components or ()}
        names |= {name for part in self.parts for name in part.coefficient.open_to if name in here.amounts}
        return self.merge({name: (np.asarray(here.component(name)).item(), None) for name in names})


def _merged_name(order: int, components: tuple[str, ...], cross_coupled: bool) -> str:
    name = MERGED_NAMES.get((order, components)) or " ".join(components)
    return f"{CROSS_COUPLED} {name}" if cross_coupled else name
