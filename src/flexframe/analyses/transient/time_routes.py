"""How each formalism carries a body through time; all of them give the same motion."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.combination import Combination, same_coefficients
from flexframe.equations.terms import Terms
from flexframe.formalisms.bodies import (
    BodyEquations,
    assembled_equations,
    broken_equations,
    reduced_elements,
)
from flexframe.formalisms.canonical import CanonicalBody, Midpoint, canonical_body
from flexframe.formalisms.constraints import unbound
from flexframe.formalisms.contract import BoundSolver, Formalism
from flexframe.formalisms.natural_systems import LinearSystem
from flexframe.formalisms.time_stepping import State, Stepper
from flexframe.formalisms.whittaker import natural_elements
from flexframe.formalisms.whittaker_motion import whittaker_motion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.motion.frame import FrameMotion
from flexframe.motion.laws import MotionLaw
from flexframe.reduction.rest_basis import RestBasis, body_basis, static_coverage


@dataclass(frozen=True, eq=False)
class Instant:
    """δ and δ̇ of the body: (p,)."""

    displacements: Array
    rates: Array


class TimeRoute(Protocol):
    """A way through time."""

    @property
    def description(self) -> str: ...
    @property
    def notices(self) -> tuple[str, ...]: ...
    @property
    def steps(self) -> int: ...
    @property
    def whole(self) -> bool:
        """Whether every degree of freedom of the body takes part."""
        ...

    def motion(self, displacements: Array, rates: Array) -> Iterator[Instant]:
        """The body at every time, the first one among them."""
        ...


def time_route(
    formalism: Formalism | None,
    discrete: DiscreteBody,
    law: MotionLaw,
    combined: Combination,
    times: Array,
    *,
    method: AlphaMethod,
    modes: int,
) -> TimeRoute:
    """The way that a formalism takes; the closed form without one."""
    terms = combined.equations.terms
    if formalism is None:
        return ClosedForm(discrete, law, combined, times, method)
    if formalism.name == "hamilton":
        return Canonical(discrete, law, terms, times)
    if formalism.name == "whittaker":
        return WithoutTime(discrete, law, terms, times, body_basis(discrete, modes))
    return Bound(formalism, discrete, law, terms, times, method)


def _radius(method: AlphaMethod) -> str:
    return f"generalised-α, spectral radius {method.spectral_radius:g}"


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """Eliminated equations, coefficients combined from invariants."""

    whole: ClassVar[bool] = True
    discrete: DiscreteBody
    law: MotionLaw
    combined: Combination
    times: Array
    method: AlphaMethod
    notices: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        return f"{_radius(self.method)}, supports eliminated"

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    def motion(self, displacements: Array, rates: Array) -> Iterator[Instant]:
        supports = self.discrete.supports
        mass = supports.reduce_matrix(self.discrete.mass)
        first = self.combined.at(self.law.at(float(self.times[0])))
        u, v = supports.reduce_vector(displacements), supports.reduce_vector(rates)
        force = first.load - first.damping @ v - first.stiffness @ u
        state = State(u, v, unbound(mass)(np.asarray(force), np.zeros(0)).accelerations)
        yield Instant(supports.expand(u), supports.expand(v))
        step = float(self.times[1] - self.times[0])
        stepper: Stepper | None = None
        last: FrameMotion | None = None
        for start in self.times[:-1]:
            motion = self.law.at(float(start + (1 - self.method.force_weight) * step))
            if stepper is None or last is None or not same_coefficients(motion, last):
                stepper = Stepper.prepared(
                    mass, self.combined.at(motion), step=step, method=self.method, bound=unbound, constraints=0
                )
                last = motion
            state = stepper.advance(state)
            yield Instant(supports.expand(state.displacements), supports.expand(state.rates))


@dataclass(frozen=True, eq=False)
class Bound:
    """Element equations by a formalism at every step, constraints met as the formalism does."""

    whole: ClassVar[bool] = True
    formalism: Formalism
    discrete: DiscreteBody
    law: MotionLaw
    terms: Terms
    times: Array
    method: AlphaMethod
    notices: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        ways = {
            "lagrange": "supports by multipliers",
            "gibbs_appell": "minimum of Gauss's function under the supports",
            "maggi": "all elements side by side, joined by a null space",
            "kane": "independent generalised speeds",
        }
        return f"{_radius(self.method)}, {ways.get(self.formalism.name, 'supports as constraints')}"

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    def _equations(self, motion: FrameMotion) -> BodyEquations:
        form = broken_equations if self.formalism.name == "maggi" else assembled_equations
        return form(self.formalism, self.discrete, motion, geometric=self.terms.geometric)

    def motion(self, displacements: Array, rates: Array) -> Iterator[Instant]:
        now = self._equations(self.law.at(float(self.times[0])))
        A, spread, lift = now.constraint, now.spread, now.lift
        constraints = A.shape[0]

        def bound(matrix: SparseMatrix) -> BoundSolver:
            return self.formalism.bound(matrix, A)

        u, v = np.asarray(spread @ displacements), np.asarray(spread @ rates)
        state = State(u, v, bound(now.mass)(now.force(u, v), np.zeros(constraints)).accelerations)
        yield Instant(displacements, rates)
        step = float(self.times[1] - self.times[0])
        stepper: Stepper | None = None
        last: FrameMotion | None = None
        for start in self.times[:-1]:
            motion = self.law.at(float(start + (1 - self.method.force_weight) * step))
            if stepper is None or last is None or not same_coefficients(motion, last):
                now = self._equations(motion)
                stepper = Stepper.prepared(
                    now.mass, now, step=step, method=self.method, bound=bound, constraints=constraints
                )
                last = motion
            state = stepper.advance(state)
            yield Instant(np.asarray(lift @ state.displacements), np.asarray(lift @ state.rates))


@dataclass(frozen=True, eq=False)
class Canonical:
    """Hamilton's (δ, p) by the implicit midpoint rule."""

    whole: ClassVar[bool] = True
    discrete: DiscreteBody
    law: MotionLaw
    terms: Terms
    times: Array
    notices: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        return "implicit midpoint rule in (δ, p), symplectic, supports eliminated"

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    def _body(self, t: float) -> CanonicalBody:
        return canonical_body(self.discrete, self.law.at(t), geometric=self.terms.geometric)

    def motion(self, displacements: Array, rates: Array) -> Iterator[Instant]:
        supports = self.discrete.supports
        body = self._body(float(self.times[0]))
        factors = factorise(body.mass, "spd")
        z = supports.reduce_vector(displacements)
        p = body.momenta(z, supports.reduce_vector(rates))
        yield Instant(displacements, rates)
        step = float(self.times[1] - self.times[0])
        midpoint: Midpoint | None = None
        last = ends = self.law.at(float(self.times[0]))
        for start in self.times[:-1]:
            motion = self.law.at(float(start + step / 2))
            if midpoint is None or not same_coefficients(motion, last):
                midpoint = Midpoint.prepared(self._body(float(start + step / 2)), step)
                last = motion
            z, p = midpoint.advance(z, p)
            arrived = self.law.at(float(start + step))
            if not same_coefficients(arrived, ends):
                body, ends = self._body(float(start + step)), arrived
            v = factors.solve(np.asarray(p - body.gyroscopic @ z - body.momentum))
            yield Instant(supports.expand(z), supports.expand(v))


@dataclass(eq=False)
class WithoutTime:
    """Whittaker's equations in a reduced basis; time is recovered."""

    whole: ClassVar[bool] = False
    discrete: DiscreteBody
    law: MotionLaw
    terms: Terms
    times: Array
    basis: RestBasis
    charts: int = 0
    steps: int = 0
    _brakes: int = field(default=0)

    @property
    def description(self) -> str:
        return (
            f"Whittaker's equations in a basis of {self.basis.size} shapes ({self.basis.description}), "
            f"{self.charts} charts, {self._brakes} of them in time at brake points"
        )

    @property
    def notices(self) -> tuple[str, ...]:
        limits = (
            f"motion in a reduced basis, the {self.basis.description}; support forces, which need the whole body, "
            "are left out"
        )
        load = affine_equations(self.discrete).load(self.law.at(float(self.times[0])))
        share = static_coverage(self.discrete, self.basis, load)
        if share > 0.99:
            return (limits,)
        return (
            limits,
            f"the basis holds only {100 * share:.3g} % of the strain energy that the loads store in the body, so "
            "their effect is mostly lost; ask for more modes",
        )

    def motion(self, displacements: Array, rates: Array) -> Iterator[Instant]:
        shapes = self.basis.vectors
        motion = self.law.at(float(self.times[0]))
        elements = reduced_elements(self.discrete, motion, shapes, geometric=self.terms.geometric)
        natural = natural_elements(elements, motion, Work())
        system = LinearSystem(natural.mass[0], natural.gyroscopic[0], natural.stiffness[0], natural.load[0])
        project = shapes.T @ np.asarray(self.discrete.mass @ np.stack([displacements, rates], axis=1))
        found = whittaker_motion(system, project[:, 0], project[:, 1], self.times)
        self.charts, self.steps = len(found.charts), found.steps
        self._brakes = found.charts.count(-1)
        for y, y_rate in zip(found.coordinates, found.rates, strict=True):
            yield Instant(shapes @ y, shapes @ y_rate)
