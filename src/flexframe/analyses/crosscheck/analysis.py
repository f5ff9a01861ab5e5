"""A body's equations by every formalism, against each other, the closed form and brute force."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from flexframe.analyses.crosscheck.comparisons import (
    Sample,
    Tally,
    WholeBody,
    compare_assembled,
    compare_body,
    compare_sample,
    motion_rate,
    refusal_check,
    sample_state,
    whole_body,
)
from flexframe.analyses.crosscheck.record import Crosscheck, FormalismCheck
from flexframe.analyses.judging import judge
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import EquationsOfMotion
from flexframe.errors import at_field
from flexframe.formalisms.bodies import is_damped, reduced_elements, require_elements, selected_groups
from flexframe.formalisms.formalism import BodySize, Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.moving_elements import ElementGroup, element_groups
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion, MotionLaw, Steady
from flexframe.reduction.rest_basis import RestBasis, body_basis
from flexframe.stages import begin_work

TOLERANCE = 1e-9
SAMPLE = 8  # elements of each family and property on a body that is too large to take all
LARGEST_BODY = 1200  # degrees of freedom of all elements side by side, up to which the whole body is solved
MODES = 6
INSTANTS = 9  # of the motion law from the instant on, which decide whether it is steady


@dataclass(frozen=True, eq=False)
class _Subject:
    """What all formalisms are tried on."""

    discrete: DiscreteBody
    motion: FrameMotion
    groups: Sequence[ElementGroup]
    samples: Sequence[Sample]
    basis: RestBasis
    reduced: Sample
    equations: EquationsOfMotion
    body: WholeBody | None
    geometric: float


@judge
def crosscheck(
    body: Body | DiscreteBody,
    motion: FrameMotion | MotionLaw,
    *,
    time: float = 0.0,
    terms: Terms | None = None,
    seed: int = 0,
    sample: int = SAMPLE,
    formalisms: Sequence[Formalism] | None = None,
) -> Crosscheck:
    """Form the equations of a body by every formalism, or by the given ones, and compare.

    On each compared element: M, C, K, f without elastic and applied forces against the closed form, inertia
    forces at a random state against second derivatives of positions, the complete forces, and the formalism's own
    energy. On the body: the same in a reduced basis and, up to 1200 element degrees of freedom, accelerations and
    support forces with all elements joined as the formalism does it. A larger body shows `sample` elements of each
    family and property, chosen at random by `seed`. Of the terms the multiplier of geometric stiffness is used;
    those of inertia are taken as 1, since no formalism knows others, and a notice says so.

    Parameters
    ----------
    body
        A body, described or discretised.
    motion
        Motion of its frame: of one instant or over time.
    time
        The instant of a motion over time [s].
    terms
        Multipliers of the terms; all 1 if not given.
    seed, sample
        Seed of the random states, and how many elements of each family are compared on a large body.
    formalisms
        The formalisms to compare; all six if not given.

    Returns
    -------
    Crosscheck
        Largest relative differences of each formalism, operations and seconds.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade",
    ...     length=1.2,
    ...     divisions=2,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> found = ff.crosscheck(blade, ff.FrameMotion.spin(30.0))
    >>> found.agrees, len(found.checks)
    (True, 6)
    """
    discrete = ensure_discrete(body)
    discrete.require_freedom()
    require_elements(discrete, field="crosscheck")
    law = Steady(motion) if isinstance(motion, FrameMotion) else motion
    with at_field("motion"):
        now = law.at(time)
    asked = terms or Terms()
    used = Terms(geometric=asked.geometric)
    begin_work()
    subject = _subject(discrete, now, used, np.random.default_rng(seed), sample)
    rate = max(motion_rate(now, 1.0), 10.0)
    motions = [law.at(time + step / rate) for step in np.linspace(0.0, 1.0, INSTANTS)]
    notices: list[str] = []
    changed = [name for name in ("coriolis", "euler", "centrifugal") if getattr(asked, name) != 1]
    if changed:
        notices.append(
            f"multipliers of {', '.join(changed)} other than 1 are not physics that a formalism could give: the "
            "equations were compared with the complete inertia terms"
        )
    checks = []
    for formalism in numeric_formalisms() if formalisms is None else formalisms:
        reason = formalism.refusal(motions, damped=is_damped(discrete))
        checks.append(
            _check_formalism(formalism, subject, notices)
            if reason is None
            else refusal_check(formalism, formalism.primitive, reason)
        )
    if subject.body is None and _is_small(discrete):
        notices.append("the mass matrix is singular: accelerations of the whole body were not compared")
    return Crosscheck(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        checks=tuple(checks),
        closed_form_difference=max(s.closed_form_difference for s in (*subject.samples, subject.reduced)),
        elements=_counts(subject),
        compared=_sentences(subject, seed),
        tolerance=TOLERANCE,
        seed=seed,
        speed_rad_s=now.speed,
        time_s=time,
        terms=used,
        notices=tuple(dict.fromkeys(notices)),
    )


def _is_small(discrete: DiscreteBody) -> bool:
    return sum(batch.count * batch.element_dofs for batch in discrete.batches) <= LARGEST_BODY


def _subject(
    discrete: DiscreteBody, motion: FrameMotion, terms: Terms, rng: np.random.Generator, sample: int
) -> _Subject:
    small, geometric = _is_small(discrete), terms.geometric
    groups = (
        list(element_groups(discrete, motion, geometric=geometric))
        if small
        else selected_groups(discrete, motion, per_family=sample, rng=rng, geometric=geometric)
    )
    basis = body_basis(discrete, MODES, equations_of_motion(discrete, motion).load)
    equations = equations_of_motion(discrete, motion, terms)
    return _Subject(
        discrete=discrete,
        motion=motion,
        groups=groups,
        samples=[sample_state(group.elements, motion, rng) for group in groups],
        basis=basis,
        reduced=sample_state(reduced_elements(discrete, motion, basis.vectors, geometric=geometric), motion, rng),
        equations=equations,
        body=whole_body(discrete, equations, rng) if small else None,
        geometric=geometric,
    )


def _check_formalism(formalism: Formalism, subject: _Subject, notices: list[str]) -> FormalismCheck:
    """One formalism on all samples, on the reduced body and on the whole body."""
    tally, work, motion = Tally(), Work(), subject.motion
    seconds = 0.0
    for group, sample in zip(subject.groups, subject.samples, strict=True):
        if formalism.needs_mass and sample.massless:
            notices.append(
                f"{formalism.title}: {group.family} elements can move without mass; they were compared only as "
                "parts of the body"
            )
            continue
        start = perf_counter()
        formalism.element_equations(sample.elements, motion, work)
        seconds += perf_counter() - start
        compare_sample(formalism, motion, sample, tally)
    compare_sample(formalism, motion, subject.reduced, tally, prefix="body_")
    compare_assembled(formalism, motion, subject.reduced, subject.basis, equations=subject.equations, tally=tally)
    if subject.body is not None:
        compare_body(formalism, subject.discrete, motion, subject.body, tally, geometric=subject.geometric)
    return FormalismCheck(
        name=formalism.name,
        title=formalism.title,
        primitive=formalism.primitive,
        applicable=True,
        reason="",
        differences=tally.differences,
        unknowns=formalism.body_unknowns(_body_size(subject.discrete)),
        additions=work.additions,
        multiplications=work.multiplications,
        seconds=seconds,
    )


def _body_size(discrete: DiscreteBody) -> BodySize:
    side_by_side = sum(int((discrete.dofs.of_elements(batch) >= 0).sum()) for batch in discrete.batches)
    return BodySize(discrete.dofs.count, discrete.supports.size, side_by_side)


def _counts(subject: _Subject) -> dict[str, tuple[int, int]]:
    """Elements compared and present, by family."""
    present: dict[str, int] = {}
    for batch in subject.discrete.batches:
        present[batch.family.name] = present.get(batch.family.name, 0) + batch.count
    counts = {name: (0, count) for name, count in present.items()}
    for group in subject.groups:
        compared, total = counts.get(group.family, (0, group.elements.count))
        counts[group.family] = (compared + group.elements.count, total)
    return counts


def _sentences(subject: _Subject, seed: int) -> tuple[str, ...]:
    """What was compared, in words."""
    total = sum(batch.count for batch in subject.discrete.batches)
    compared = sum(group.elements.count for group in subject.groups)
    which = "all" if _is_small(subject.discrete) else f"{compared} of {total}, chosen at random (seed {seed})"
    basis = subject.basis
    lines = [
        f"elements, {which}: M, C, K, f without elastic and applied forces against the closed form, inertia "
        "forces at a random state against second derivatives of positions, complete forces, own energy",
        f"body in a basis of {basis.size} shapes ({basis.description}): the same, and against the assembled "
        "closed form from invariants",
    ]
    if subject.body is not None:
        lines.append(
            "whole body with all its forces: accelerations at a random state and support forces, constraints "
            "handled as each formalism does it (Maggi: all elements side by side)"
        )
    else:
        lines.append("whole body: compared in the reduced basis only")
    return tuple(lines)
