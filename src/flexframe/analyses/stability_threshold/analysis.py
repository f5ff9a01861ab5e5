"""Cross-coupled stiffness that a rotor bears before it whirls by itself.

Seals and impellers push a shaft sideways, along its whirl: f = Q J q with a quarter of a turn J in the sense of
the spin. At one speed Ω the modes

    (λ²M + λC(Ω) + K(Ω) − Q N) φ = 0,   N = Σ s_i B_i J B_iᵀ,

are followed over Q from zero; s_i are the shares of the places, which sum to one. The first Q at which a real part
becomes positive is the threshold. This is the stability sensitivity of level I in API 617 (API RP 684 explains
it), which asks for a decrement of 0.1 with the cross-coupling that is expected, and for a threshold of twice that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.analyses.judging import judge
from flexframe.analyses.stability_threshold.record import StabilityThreshold, decrements
from flexframe.equations.affine import CROSS_COUPLED, AffineEquations
from flexframe.equations.coefficients import SPEED, Monomial, OperatingPoint
from flexframe.equations.parts import STIFFNESS, Part
from flexframe.errors import AnalysisError, InputError, at_field
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.roots import bracket_root
from flexframe.model.bearings import Bearing
from flexframe.spectra.growth import UNSTABLE
from flexframe.spectra.rotation.bearings import attachments, require_known
from flexframe.spectra.rotation.completeness import confirmation
from flexframe.spectra.rotation.free_motions import free_motions
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.orbits import Orbits
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.small_spectra import small_modes
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import sweep
from flexframe.spectra.rotation.tracked_modes import BranchStep, TrackedModes, tracked_modes
from flexframe.stages import begin_work

TOLERANCE = 1e-6
POINTS = 41
REQUIRED = 0.1
"""The logarithmic decrement that API 617 asks for."""

_BEYOND = 1.25  # of the threshold, up to which modes are followed
_STEP = 1.5  # from one cross-coupling to the next where the threshold is searched
_NOISE = 1e-10  # of the largest |λ|: real parts of modes that nothing damps
_SMALLEST, _LARGEST = 1e-5, 1e2  # of the static stiffness at the places


@judge
def stability_threshold(
    rotor: Rotor,
    speed: float,
    places: Mapping[str, float],
    *,
    anticipated: float | None = None,
    largest: float | None = None,
    decrement: float = REQUIRED,
    modes: int = 6,
    axis: ArrayLike | None = None,
    tolerance: float = TOLERANCE,
) -> StabilityThreshold:
    """The smallest cross-coupled stiffness that makes a rotor whirl by itself at a speed, beside what it has.

    Seals and bearings of the rotor stay as they are, tables over the frequency included; what is added has no
    direct stiffness and no damping.

    Parameters
    ----------
    rotor
        A round shaft of beams with bearings, or a train.
    speed
        Speed of rotation [rad/s].
    places
        Node sets ("member.set" in a train) where the cross-coupling acts, and the share that each has of it.
    anticipated
        Cross-coupling that the machine is expected to have [N/m], for the verdict.
    largest
        Cross-coupling up to which modes are followed [N/m]; without it somewhat beyond the threshold.
    decrement
        Logarithmic decrement that is asked for.
    modes
        Number of modes that are followed.
    axis
        Axis of rotation; that of the rotor, or z, if not given.
    tolerance
        Largest relative error of an eigenvalue by the projection.

    Returns
    -------
    StabilityThreshold
        Threshold [N/m], and eigenvalues [rad/s] by cross-coupling and branch.

    Examples
    --------
    >>> rotor = ff.rotors.rotor_body(
    ...     "rotor",
    ...     [ff.rotors.ShaftPiece(1.0, (ff.rotors.ShaftLayer(0.05),), elements=8)],
    ...     material=ff.STEEL,
    ...     bearings=[ff.rotors.Bearing((x, 0, 0), 1e7, 1e4) for x in (0.0, 1.0)],
    ...     stations={"middle": 0.5},
    ... )
    >>> found = ff.rotors.stability_threshold(rotor, 400.0, {"middle": 1.0}, anticipated=1e5)
    >>> round(found.threshold / 1e3), found.verdict  # kN/m
    (278, 'meets API 617, level I')
    """
    _require_sense(speed, places, anticipated, largest, decrement=decrement, modes=modes)
    model = rotor_model(rotor, (), axis)
    model.discrete.require_freedom()
    known = require_known(model.bearings, np.array([speed]))
    equations = inertial_equations(model)
    pushed = _quarter_push(model, places, np.sign(speed))
    frozen = _at_speed(equations, speed)
    begin_work()
    unit = _static_stiffness(model, frozen, pushed)
    # the amount Ω of these equations is Q, so many times that Q = `unit` stands where the speed is
    whole = frozen.extend(
        [
            Part[SparseMatrix].constant(
                "circulatory", STIFFNESS, pushed.matrix, Monomial((SPEED,), -unit / abs(speed))
            )
        ]
    ).merge()
    free = free_motions(model, whole)
    left = whole.size - free.translations.shape[1]
    wanted = min(modes, left)
    watched = min(wanted + max(2, wanted // 4), left)
    projection = SpeedProjection(whole, free, watched, abs(speed))
    end = _end(projection, speed, watched + 4, unit, largest=largest, anticipated=anticipated)
    amounts = np.linspace(0.0, end / unit * abs(speed), POINTS)
    swept = sweep(projection, amounts, wanted, tolerance)
    count = confirmation(projection, swept.modes[-1], wanted)
    tracked = tracked_modes(projection, swept.padded(projection.size), wanted)
    per = unit / abs(speed)
    threshold, branch = _crossing(projection, tracked, amounts, watched + 4, 0.0)
    required, _ = _crossing(projection, tracked, amounts, watched + 4, decrement)
    orbits = Orbits(model.discrete, projection.basis, model.axis)
    expected = None if anticipated is None else _at(projection, tracked, amounts, anticipated / per, watched + 4)
    return StabilityThreshold(
        body=model.discrete.body.name,
        speed_rad_s=float(speed),
        places=tuple(places),
        cross_couplings=amounts * per,
        eigenvalues=tracked.eigenvalues,
        whirl=orbits.whirl(tracked.vectors[0], speed),
        threshold=None if threshold is None else threshold * per,
        threshold_branch=branch,
        decrement=decrement,
        required=None if required is None else required * per,
        anticipated=anticipated,
        anticipated_eigenvalues=expected,
        errors=tracked.errors,
        confirmed=count.confirmed,
        completeness=count.method,
        method=f"{len(whole.parts)} parts of {whole.size} unknowns on {projection.size} shapes",
        notices=(*known, *_notices(tracked, count.confirmed, threshold, end)),
    )


@dataclass(frozen=True, eq=False)
class _Pushed:
    """N on the coordinates that the supports leave, and the displacements of the places."""

    matrix: SparseMatrix
    bases: Array  # (n, 2 places)


def _require_sense(
    speed: float,
    places: Mapping[str, float],
    anticipated: float | None,
    largest: float | None,
    *,
    decrement: float,
    modes: int,
) -> None:
    if not np.isfinite(speed) or speed == 0:
        raise InputError(f"the speed is {speed:g} rad/s; give one other than zero", field="speed")
    if not places or not all(share > 0 for share in places.values()):
        raise InputError(
            "the cross-coupling acts nowhere; give one place or more with positive shares", field="on"
        )
    for name, value in (("anticipated", anticipated), ("largest", largest), ("decrement", decrement)):
        if value is not None and not 0 < value < np.inf:
            raise InputError(f"{name} is {value:g}; give a positive number", field=name)
    if largest is not None and anticipated is not None and largest < anticipated:
        raise InputError(
            "the cross-coupling that is expected is above the largest one; give a larger one", field="largest"
        )
    if modes < 1:
        raise InputError(f"the number of modes is {modes}; ask for at least one", field="modes")


def _quarter_push(model: RotorModel, places: Mapping[str, float], sense: float) -> _Pushed:
    """Σ s_i B_i J B_iᵀ: what pushes a quarter of a turn ahead of the displacement."""
    quarter = np.zeros((4, 4))
    quarter[:2, :2] = sense * np.array([[0.0, -1.0], [1.0, 0.0]])
    whole = sum(places.values())
    acting = [Bearing(place, ((0.0, 1.0), (-1.0, 0.0)), name=place) for place in places]
    with at_field("on"):
        for place in places:
            model.discrete.body.selected_nodes(place)
    found = attachments(model.discrete, acting, model.axis)
    parts = [
        share / whole / len(each.bases) * each.assembled(quarter)
        for share, each in zip(places.values(), found, strict=True)
    ]
    basis = model.discrete.supports.basis
    columns = [np.asarray((basis.T @ B).toarray())[:, :2] for each in found for B in each.bases]
    return _Pushed(sparse.csr_array(basis.T @ sum(parts[1:], parts[0]) @ basis), np.hstack(columns))


def _at_speed(equations: AffineEquations, speed: float) -> AffineEquations:
    """The equations at a speed; what is skew in K stays apart from what measures energy."""
    parts = tuple(
        replace(part, name=CROSS_COUPLED)
        if part.order == STIFFNESS and part.name.startswith("circulatory")
        else part
        for part in equations.parts
    )
    return replace(equations, parts=parts).frozen(OperatingPoint(amounts={SPEED: speed}))


def _static_stiffness(model: RotorModel, equations: AffineEquations, pushed: _Pushed) -> float:
    """What a force across at the places meets, of the size of a cross-coupling that matters [N/m]."""
    rigid = free_motions(model, equations).all
    K, M = equations.constant_stiffness, equations.constant_mass
    shift = 1e-6 * abs(K).max() / abs(M).max() if rigid.shape[1] else 0.0
    try:
        with factorise(K + shift * M, "symmetric") as factors:
            moved = np.einsum("nk,nk->k", pushed.bases, np.asarray(factors.solve(pushed.bases)))
    except np.linalg.LinAlgError as error:
        raise AnalysisError("nothing holds the rotor across its axis; give it bearings") from error
    return float(1 / np.abs(moved).max())


def _end(
    projection: SpeedProjection,
    speed: float,
    count: int,
    unit: float,
    *,
    largest: float | None,
    anticipated: float | None,
) -> float:
    """The cross-coupling up to which modes are followed [N/m]."""
    if largest is not None:
        return largest
    least = 0.0 if anticipated is None else _BEYOND * anticipated
    trial, small = _SMALLEST, projection.moving
    alone = projection.modes_at(0.0, count).eigenvalues
    frequency = float(np.abs(alone.imag[np.nanargmin(decrements(alone))])) if np.abs(alone.imag).max() else 0.0
    while trial <= _LARGEST:
        # tables over the frequency are held here at that of the mode which is damped least
        values = small_modes(
            small, trial * abs(speed), count, scale=projection.scale, frequency=frequency
        ).eigenvalues
        if values.real.max() > UNSTABLE * np.abs(values).max():
            return max(_BEYOND * trial * unit, least)
        trial *= _STEP
    return max(unit, least)


def _crossing(
    projection: SpeedProjection, tracked: TrackedModes, amounts: Array, count: int, level: float
) -> tuple[float | None, int | None]:
    """The first amount at which a decrement falls below a level, and its branch; 0 where it is below at once."""
    values = tracked.eigenvalues
    # Re λ + level |Im λ|/2π changes its sign with δ − level, and says what an overdamped motion does
    excess = values.real + level * np.abs(values.imag) / (2 * np.pi)
    noise = _NOISE * float(np.nanmax(np.abs(values)))
    with np.errstate(invalid="ignore"):
        above = excess > noise
    if above[0].any():
        return 0.0, int(np.argmax(above[0]))
    found: list[tuple[float, int]] = []
    for k, b in np.argwhere(above[1:] & ~above[:-1] & np.isfinite(excess[:-1])):
        step = BranchStep(projection, tracked, amounts, int(k), int(b), count)

        def growth(amount: float, step: BranchStep = step) -> float:
            value = step.mode(amount)[0]
            return value.real + level * abs(value.imag) / (2 * np.pi)

        ends = (float(amounts[k]), float(amounts[k + 1]))
        sizes = [growth(end) for end in ends]
        if sizes[0] < 0 < sizes[1]:
            found.append((bracket_root(growth, *ends, tolerance=1e-13 * ends[1]), int(b)))
        elif sizes[0] >= 0:  # by less than rounding: nothing damps the mode
            found.append((ends[0], int(b)))
    return min(found, default=(None, None))


def _at(
    projection: SpeedProjection, tracked: TrackedModes, amounts: Array, amount: float, count: int
) -> ComplexArray:
    """Eigenvalues of the branches at an amount, NaN where one is not known: (branches,)."""
    k = int(np.clip(np.searchsorted(amounts, amount) - 1, 0, len(amounts) - 2))
    out = np.full(tracked.eigenvalues.shape[1], np.nan, dtype=complex)
    for b in np.flatnonzero(np.isfinite(tracked.eigenvalues[k : k + 2].real).all(axis=0)):
        out[b] = BranchStep(projection, tracked, amounts, k, int(b), count).mode(amount)[0]
    return out


def _notices(
    tracked: TrackedModes, confirmed: bool | None, threshold: float | None, end: float
) -> tuple[str, ...]:
    notices = []
    if threshold is None:
        notices.append(f"no mode becomes unstable up to a cross-coupling of {end:.4g} N/m")
    if threshold == 0.0:
        notices.append("the rotor is unstable without the cross-coupling that is added")
    if confirmed is False:
        notices.append("a count of the modes shows that some are missing; ask for more modes")
    if not np.isfinite(decrements(tracked.eigenvalues[0])).any():
        notices.append("no mode of those followed oscillates; ask for more modes")
    return tuple(notices)
