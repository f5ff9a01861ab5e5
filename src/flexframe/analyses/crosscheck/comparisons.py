"""Differences between what a formalism gives and the references: closed form, assembled closed form, positions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.analyses.crosscheck.record import FormalismCheck
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.parts import EquationsOfMotion
from flexframe.formalisms.contract import ElementEquations, ElementState, MovingElements, bound_motion
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.references import balance, closed_form, reference_energy
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.rest_basis import RestBasis


@dataclass(frozen=True, eq=False)
class Sample:
    """Elements with a random state, and what the references say of it."""

    elements: MovingElements
    state: ElementState
    inertia: ElementEquations  # closed form without elastic and applied forces
    balance: Array  # inertia forces by positions: (elements, p)
    complete: ElementEquations  # closed form with all forces
    scale: Array  # 1/√M_ii, which makes the entries of M of order one: (elements, p)

    @property
    def massless(self) -> bool:
        """Whether an element can move without kinetic energy."""
        scaled = self.inertia.mass * self.scale[:, :, None] * self.scale[:, None, :]
        return bool(np.linalg.eigvalsh(scaled)[:, 0].min() < 1e-12)

    @property
    def closed_form_difference(self) -> float:
        """The closed form against second derivatives of positions."""
        return self.relative(self.inertia.residual(self.state) - self.balance, self.inertia)

    def relative(self, forces: Array, equations: ElementEquations) -> float:
        """Forces next to the terms of equations at the state, both in units of the mass matrix."""
        state = self.state
        terms = (
            np.einsum("eij,ej->ei", np.abs(equations.mass), np.abs(state.accelerations))
            + np.einsum("eij,ej->ei", np.abs(equations.damping), np.abs(state.rates))
            + np.einsum("eij,ej->ei", np.abs(equations.stiffness), np.abs(state.displacements))
            + np.abs(equations.load)
        )
        return ratio(float(np.abs(forces * self.scale).max()), float((terms * self.scale).max()))


@dataclass(frozen=True, eq=False)
class WholeBody:
    """The supported body with all its forces at a random state, by the closed form: (p,) each."""

    displacements: Array
    rates: Array
    accelerations: Array
    support_forces: Array


@dataclass(eq=False)
class Tally:
    """Differences of one formalism, the largest of each quantity."""

    differences: dict[str, float] = field(default_factory=dict)

    def add(self, quantity: str, difference: float) -> None:
        """Keep the larger one; NaN and infinity count as the largest number."""
        found = difference if np.isfinite(difference) else np.finfo(float).max
        self.differences[quantity] = max(float(found), self.differences.get(quantity, 0.0))


def refusal_check(formalism: Formalism, primitive: str, reason: str) -> FormalismCheck:
    """The check of a formalism that does not apply."""
    return FormalismCheck(
        name=formalism.name,
        title=formalism.title,
        primitive=primitive,
        applicable=False,
        reason=reason,
        differences={},
        unknowns=0,
        additions=0,
        multiplications=0,
        seconds=0.0,
    )


def ratio(difference: float, size: float) -> float:
    """difference / size, and 0 where there is no difference."""
    if difference == 0:
        return 0.0
    return float(difference / size) if size > 0 else float("inf")


def motion_rate(motion: FrameMotion, size: float) -> float:
    """How fast the frame changes, 1/s; 1 at rest."""
    candidates = (
        motion.speed,
        float(np.sqrt(np.linalg.norm(motion.angular_acceleration))),
        float(np.sqrt(np.linalg.norm(motion.origin_acceleration) / size)),
    )
    return max(candidates) or 1.0


def sample_state(elements: MovingElements, motion: FrameMotion, rng: np.random.Generator) -> Sample:
    """A random state in which displacements are as large as the elements and rates as fast as the frame."""
    bare = elements.without_forces()
    inertia = closed_form(bare, motion)
    diagonal = np.einsum("eii->ei", inertia.mass)
    smallest = np.where(diagonal > 0, diagonal, np.inf).min(axis=1, keepdims=True)
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, smallest))
    mass = elements.weights.sum(axis=1)[:, None]
    centre = np.einsum("eg,egi->ei", elements.weights, elements.positions) / mass
    spread = np.einsum("eg,egi->e", elements.weights, (elements.positions - centre[:, None]) ** 2)[:, None]
    reach = np.where(spread > 0, np.sqrt(spread), np.sqrt(mass))  # √mass times a length
    rate = motion_rate(motion, float((reach / np.sqrt(mass)).max()))
    d, v, a = rng.standard_normal((3, *scale.shape)) * scale * reach / np.sqrt(elements.size)
    state = ElementState(d, rate * v, rate**2 * a)
    return Sample(
        elements=elements,
        state=state,
        inertia=inertia,
        balance=balance(bare, motion, state),
        complete=closed_form(elements, motion),
        scale=scale,
    )


def whole_body(discrete: DiscreteBody, equations: EquationsOfMotion, rng: np.random.Generator) -> WholeBody | None:
    """Accelerations and support forces by elimination; None where the mass matrix is singular."""
    supports = discrete.supports
    M = supports.reduce_matrix(equations.mass)
    diagonal = M.diagonal()
    if diagonal.min(initial=np.inf) <= 0:
        return None
    try:
        factors = factorise(M, "spd")
    except SingularMatrixError:
        return None
    d, v = (supports.expand(rng.standard_normal(supports.size) / np.sqrt(diagonal)) for _ in range(2))
    force = equations.load - equations.damping @ v - equations.stiffness @ d
    accelerations = supports.expand(factors.solve(supports.reduce_vector(force)))
    residual = np.asarray(equations.mass @ accelerations - force)
    return WholeBody(d, v, accelerations, supports.support_forces(residual))


def compare_sample(
    formalism: Formalism, motion: FrameMotion, sample: Sample, tally: Tally, *, prefix: str = ""
) -> None:
    """Inertia terms against the closed form and positions, complete forces, and the formalism's own energy."""
    bare, state = sample.elements.without_forces(), sample.state
    inertia = formalism.element_equations(bare, motion, Work())
    complete = formalism.element_equations(sample.elements, motion, Work())
    for quantity, difference in _inertia_differences(sample, inertia, motion).items():
        tally.add(prefix + quantity, difference)
    against_positions = inertia.residual(state) - sample.balance
    tally.add(f"{prefix}inertia_forces", sample.relative(against_positions, sample.inertia))
    against_closed_form = complete.residual(state) - sample.complete.residual(state)
    tally.add(f"{prefix}complete_forces", sample.relative(against_closed_form, sample.complete))
    energy = formalism.energy(bare, motion, state)
    if energy is not None:
        kind = formalism.energy_kind
        expected = reference_energy(kind, bare, motion, state)
        # kinetic terms cancel in H and in Jacobi's function
        size = reference_energy(kind if kind == "acceleration" else "kinetic", bare, motion, state)
        worst = np.abs(energy - expected).max()
        tally.add(f"{prefix}energy", ratio(float(worst), float(np.abs(size).max())))


def compare_assembled(
    formalism: Formalism,
    motion: FrameMotion,
    reduced: Sample,
    basis: RestBasis,
    *,
    equations: EquationsOfMotion,
    tally: Tally,
) -> None:
    """The reduced body against the assembled closed form, whose invariants were integrated apart."""
    made = formalism.element_equations(reduced.elements.without_forces(), motion, Work())
    shapes = basis.vectors

    def projection(parts: Sequence[SparseMatrix]) -> Array:
        total = np.zeros((basis.size, basis.size))
        for part in parts:
            total += shapes.T @ np.asarray(part @ shapes)
        return total[None]

    C, K = equations.damping_parts, equations.stiffness_parts
    load = np.zeros(len(shapes))
    for name in ("euler", "centrifugal", "origin"):
        load = load + equations.load_parts.get(name, 0.0)
    expected = ElementEquations(
        mass=projection([equations.mass]),
        damping=projection([C[name] for name in ("coriolis",) if name in C]),
        stiffness=projection([K[name] for name in ("euler", "centrifugal") if name in K]),
        load=(shapes.T @ load)[None],
    )
    against = replace(reduced, inertia=expected)
    for quantity, difference in _inertia_differences(against, made, motion).items():
        tally.add(f"assembled_{quantity}", difference)


def compare_body(
    formalism: Formalism,
    discrete: DiscreteBody,
    motion: FrameMotion,
    body: WholeBody,
    tally: Tally,
    *,
    geometric: float = 1.0,
) -> None:
    """Accelerations and support forces of the whole body, joined and held as the formalism does it."""
    equations = formalism.body_equations(discrete, motion, geometric=geometric)
    found = bound_motion(formalism, equations.system(body.displacements, body.rates))
    accelerations = np.asarray(equations.lift @ found.accelerations)
    carried = np.asarray(equations.spread.T @ found.joint_forces)
    M = discrete.mass

    def norm(values: Array) -> float:
        return float(np.sqrt(values @ (M @ values)))

    tally.add("accelerations", ratio(norm(accelerations - body.accelerations), norm(body.accelerations)))
    # in units of the mass matrix, next to the forces that are there to be carried
    diagonal = M.diagonal()
    unit = 1 / np.sqrt(np.where(diagonal > 0, diagonal, diagonal[diagonal > 0].min()))
    size = np.abs((M @ body.accelerations) * unit).max() + np.abs(body.support_forces * unit).max()
    worst = np.abs((carried - body.support_forces) * unit).max()
    tally.add("joint_forces", ratio(float(worst), float(size)))


def _inertia_differences(sample: Sample, made: ElementEquations, motion: FrameMotion) -> dict[str, float]:
    """Entries in units in which the mass matrix is of order one, next to the size of the motion's terms."""
    s, reference = sample.scale, sample.inertia
    both = s[:, :, None] * s[:, None, :]
    spin, spin_rate = motion.speed, float(np.linalg.norm(motion.angular_acceleration))
    mass = float(np.abs(reference.mass * both).max())
    # the load holds ω × v twice with opposite signs
    root_mass = float(np.sqrt(sample.elements.weights.sum(axis=1).max()))
    carried = root_mass * spin * float(np.linalg.norm(motion.origin_velocity))
    load = float(np.abs(reference.load * s).max()) + carried

    def difference(found: Array, expected: Array, factor: Array) -> float:
        return float(np.abs((found - expected) * factor).max())

    return {
        "mass": ratio(difference(made.mass, reference.mass, both), mass),
        "coriolis": ratio(difference(made.damping, reference.damping, both), 2 * spin * mass),
        "stiffness": ratio(difference(made.stiffness, reference.stiffness, both), (spin**2 + spin_rate) * mass),
        "load": ratio(difference(made.load, reference.load, s), load),
    }
