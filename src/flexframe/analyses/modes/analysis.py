"""Modes of a body at rest or at one frozen instant of its motion."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from flexframe.analyses.exact_bodies import EXACT_TANGENT, exact_notices, require_whole_physics
from flexframe.analyses.formalism_equations import choose_equations
from flexframe.analyses.harmonics import chosen_diameters, require_closed_form, require_no_diameters
from flexframe.analyses.judging import judge
from flexframe.analyses.modes.record import Modes
from flexframe.analyses.small_deformation import prestress_notices
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.coefficients import Terms
from flexframe.equations.parts import EquationsOfMotion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion
from flexframe.results.record import Whirl
from flexframe.spectra.eigenpairs import Eigenpairs, eigenpairs
from flexframe.spectra.growth import growing
from flexframe.spectra.mode_labels import direction_shares, mode_diameters, mode_labels, whirl_of
from flexframe.stages import begin_work

if TYPE_CHECKING:
    from flexframe.multibody.equilibria.known_frame import DeformedBody

RESIDUAL_LIMIT = 1e-6
BOUND_LIMIT = 1e-4  # of a frequency, between its bounds


@judge
def modes(
    body: Body | DiscreteBody,
    motion: FrameMotion = REST,
    *,
    terms: Terms | None = None,
    count: int = 10,
    formalism: str | None = None,
    exact: bool = False,
    nodal_diameters: Sequence[int] | None = None,
    substructures: int | None = None,
) -> Modes:
    """The `count` lowest modes of (λ²M + λC + K)φ = 0 with the terms of the frozen motion.

    At rest and without damping this is the symmetric problem; in rotation the quadratic gyroscopic one. With the
    name of a formalism every element's equations are formed by that route instead of the closed form. `exact`
    takes a body of beams as geometrically exact ones: the modes are those about its equilibrium under its loads
    and the motion, however far it bends, with the full tangent there. A body of revolution has `count` modes
    of each of its `nodal_diameters`, one after the other. `substructures` is for bodies whose factors do not fit
    into memory: so many parts, each factorised by itself, are joined by multilevel Craig–Bampton and refined on
    the whole matrices until every frequency is known between proved bounds; with `ff.reduction.workers`, in
    several processes or on several machines.

    Parameters
    ----------
    body
        A body, described or discretised.
    motion
        Frozen motion of its frame; at rest if not given.
    terms
        Multipliers of the terms; all 1 if not given.
    count
        Number of modes.
    formalism
        Name of a formalism, such as "kane".
    exact
        Whether beams are geometrically exact.
    nodal_diameters
        Those of a body of revolution; 0 to 3 if not given.
    substructures
        Into how many parts a body at rest is divided; not at all if not given.

    Returns
    -------
    Modes
        Eigenvalues [rad/s], frequencies [Hz] and shapes; relative to the frame of the body. With substructures
        also `frequency_bounds_hz`.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade",
    ...     length=1.2,
    ...     divisions=8,
    ...     section=ff.Rectangle(0.04, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> ff.modes(blade, count=2).frequencies_hz.round(2)
    array([ 5.8 , 36.35])
    >>> ff.modes(blade, ff.FrameMotion.spin(30.0), count=2).frequencies_hz.round(2)
    array([ 6.15, 38.03])
    """
    if count < 1:
        raise InputError(f"the number of modes is {count}; ask for at least one", field="count")
    if substructures is not None and substructures < 2:
        raise InputError(
            f"{substructures} substructures divide nothing; give two or more, or leave them out",
            field="substructures",
        )
    discrete = ensure_discrete(body)
    terms = terms or Terms()
    discrete.require_freedom()
    if discrete.body.axisymmetric:
        from flexframe.analyses.modes.harmonics import harmonic_modes

        require_closed_form(formalism, exact=exact)
        if substructures is not None:
            raise InputError(
                "a body of revolution is solved by its section, which is small; leave substructures out",
                field="substructures",
            )
        return harmonic_modes(discrete, motion, terms, count, chosen_diameters(nodal_diameters))
    require_no_diameters(discrete.body, nodal_diameters)
    deformed = None
    if exact:
        from flexframe.multibody.equilibria.known_frame import deformed_body  # others do without

        require_whole_physics(terms, formalism)
        deformed = deformed_body(discrete, motion)
    equations = (
        choose_equations(discrete, motion, terms, formalism) if deformed is None else deformed.equations.at(REST)
    )
    begin_work()
    pairs = eigenpairs(discrete, equations, min(count, discrete.supports.size), substructures)
    full = discrete.supports.expand(_real_if_possible(pairs.vectors))
    shapes, full = normalise(np.moveaxis(discrete.dofs.nodal(full), -1, 0), full)
    rotating = motion.speed > 0
    labels = mode_labels(discrete, pairs.eigenvalues, full, motion)
    unstable = int(growing(discrete, pairs.eigenvalues, full).sum())
    diameters, signed = mode_diameters(discrete, shapes, motion, labels)
    whirl: tuple[Whirl, ...] | None = None
    inertial = None
    if diameters is not None and rotating:
        assert signed is not None
        # a wave e^{i(nθ+ωt)} of the rotating frame is e^{i(nθ+(ω−nΩ)t)} in space; a standing wave has no such n
        known = np.array([np.nan if n is None else n for n in diameters])
        travelling = np.abs(np.abs(signed) - known) < 0.25
        seen_from_space = np.abs(pairs.eigenvalues.imag - np.rint(signed) * motion.speed) / (2 * np.pi)
        inertial = np.where(travelling, seen_from_space, np.nan)
        whirl = tuple(whirl_of(n, value) for n, value in zip(signed, pairs.eigenvalues, strict=True))
    drawn = discrete.body if deformed is None else deformed.body
    return Modes(
        body=discrete.body.name,
        mesh=drawn.mesh,
        model=drawn,
        eigenvalues=pairs.eigenvalues,
        shapes=shapes.astype(complex),
        residuals=pairs.residuals,
        labels=labels,
        frame="rotating" if rotating else "fixed",
        speed_rad_s=motion.speed,
        terms=terms,
        method=_method(pairs, formalism, deformed),
        confirmed=pairs.confirmed,
        frequency_bounds_hz=None if pairs.bounds is None else np.maximum(pairs.bounds, 0.0) / (2 * np.pi),
        nodal_diameters=diameters,
        whirl=whirl,
        inertial_frequencies_hz=inertial,
        direction_shares=direction_shares(discrete, full),
        notices=(
            *fewer_modes(count, len(pairs.eigenvalues)),
            *(prestress_notices(discrete, motion, terms) if deformed is None else exact_notices(deformed)),
            *mode_notices(equations, motion, pairs, unstable),
        ),
    )


def _method(pairs: Eigenpairs, formalism: str | None, deformed: "DeformedBody | None") -> str:
    if deformed is not None:
        return f"{pairs.method}; {EXACT_TANGENT}"
    return pairs.method if formalism is None else f"{pairs.method}; equations by {formalism}"


def _real_if_possible(vectors: ComplexArray) -> ComplexArray:
    """Standing waves held as real numbers, which are complex ones too: a third of the work with them."""
    return vectors if vectors.imag.any() else cast("ComplexArray", np.ascontiguousarray(vectors.real))


def normalise(shapes: ComplexArray, full: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
    """Scale each mode so that its largest displacement component is 1 (real)."""
    flat = shapes[:, :, :3].reshape(len(shapes), -1)
    largest = flat[np.arange(len(flat)), np.argmax(np.abs(flat), axis=1)]
    largest = np.where(largest == 0, 1.0, largest)
    return shapes / largest[:, None, None], full / largest


def fewer_modes(asked: int, found: int) -> tuple[str, ...]:
    """Said where there are not as many as were asked for."""
    return (f"{asked} modes were asked for, the body has {found}",) if found < asked else ()


def mode_notices(
    equations: EquationsOfMotion, motion: FrameMotion, pairs: Eigenpairs, unstable: int
) -> tuple[str, ...]:
    """What the reader must know of modes."""
    terms, notices = equations.terms, []
    if motion.speed and terms.geometric == 0:
        notices.append(
            "geometric stiffness is off on a spinning body: the stress of rotation is left out, and softening "
            "without it can show divergence that does not exist"
        )
    if not terms.physical:
        changed = ", ".join(
            f"{name} {getattr(terms, name):g}"
            for name in ("coriolis", "euler", "centrifugal", "geometric")
            if getattr(terms, name) != 1
        )
        notices.append(f"not the complete physics: term multipliers {changed}")
    if motion.angular_acceleration.any() or motion.origin_acceleration.any():
        notices.append("eigenvalues of frozen coefficients do not decide the stability of a motion that changes")
    if pairs.confirmed is False:
        notices.append("a lower mode may have been missed: the count of eigenvalues could not be confirmed")
    elif pairs.confirmed is None:
        notices.append("the modes were not counted: that no lower one was missed is likely but not proved")
    worst = float(pairs.residuals.max(initial=0.0))
    if pairs.bounds is not None:
        notices += _bound_notices(pairs.bounds)
    elif worst > RESIDUAL_LIMIT:
        notices.append(f"an eigenpair has the relative residual {worst:.1e}; treat its frequency with care")
    if unstable:
        notices.append(f"{unstable} of the modes are unstable (positive real part)")
        if not motion.speed and "geometric" in equations.stiffness_parts:
            notices.append("the stress of the loads is beyond buckling: the body has no stable equilibrium there")
    return tuple(notices)


def _bound_notices(bounds: Array) -> list[str]:
    """What is to be said of bounds of |λ|."""
    if not np.isfinite(bounds).all():
        return ["the frequencies are bounded from above only: the modes could not be counted"]
    width = float(
        ((bounds[:, 1] - bounds[:, 0]) / np.maximum(bounds[:, 1], np.finfo(float).tiny)).max(initial=0.0)
    )
    if width > BOUND_LIMIT:
        return [f"bounds of a frequency are {width:.1e} of it apart; use fewer substructures to have it closer"]
    return []
