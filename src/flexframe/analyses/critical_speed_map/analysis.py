"""Undamped critical speeds of a shaft over the stiffness of its bearings.

All bearings of the map get one stiffness k, alike in all directions across the axis, and no damping. A round shaft
then whirls in circles: with w₁ + i w₂ of every displacement and rotation across the axis as coordinate, unbalance
meets a mode where

    (K + k B Bᵀ) φ = Ω² (M − iG − S) φ ,

a Hermitian problem with one coordinate in place of two. K without bearings holds nothing of a free shaft; with
k > 0 it must be definite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from flexframe.analyses.critical_speed_map.record import CriticalSpeedMap, MapCrossing, OwnStiffness
from flexframe.analyses.judging import judge
from flexframe.assembly.section_rotors import SectionBody
from flexframe.errors import AnalysisError, InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.roots import bracket_root
from flexframe.model.bearings import Bearing
from flexframe.spectra.rotation.bearings import attachments, bearing_name, require_known
from flexframe.spectra.rotation.harmonic_loads import across
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.small_spectra import order_inertia
from flexframe.stages import begin_work

SAMPLES = 61  # stiffnesses of a map
_CURVE = 81  # speeds of the stiffness of a bearing
_HELD = 1e-12  # part of a circular coordinate that supports leave, below which it is held


@judge
def critical_speed_map(
    rotor: Rotor,
    stiffnesses: ArrayLike | None = None,
    *,
    modes: int = 4,
    bearings: Sequence[str] | None = None,
    speeds: ArrayLike | None = None,
    axis: ArrayLike | None = None,
) -> CriticalSpeedMap:
    """The `modes` lowest undamped critical speeds over the stiffness of the bearings, and where they meet it.

    Every bearing of the map has the same stiffness in all directions and no damping, others are left out;
    pedestals stay, with the mean of their directions and without damping.

    Parameters
    ----------
    rotor
        A round shaft of beams with bearings, or a train.
    stiffnesses
        Increasing, positive [N/m]; without them from a tenth of the softest bearing to ten times the stiffest
        one, to the next power of ten.
    modes
        Number of curves.
    bearings
        Names of the bearings of the map; without them all that have direct stiffness.
    speeds
        Lowest and highest speed [rad/s] between which the stiffness of the bearings is drawn; without them those
        of their tables.
    axis
        Axis of rotation; that of the rotor, or z, if not given.

    Returns
    -------
    CriticalSpeedMap
        Speeds [rad/s] by stiffness and mode, the stiffness of the bearings over the speed, and where both meet.

    Examples
    --------
    >>> rotor = ff.rotors.rotor_body(
    ...     "rotor",
    ...     [ff.rotors.ShaftPiece(1.0, (ff.rotors.ShaftLayer(0.05),), elements=8)],
    ...     material=ff.STEEL,
    ...     bearings=[ff.rotors.Bearing((x, 0, 0), 1e7) for x in (0.0, 1.0)],
    ... )
    >>> ff.rotors.critical_speed_map(rotor, [1e3, 1e10], modes=1).speeds[:, 0].round(1).tolist()  # √(2k/m), hinged
    [11.4, 637.1]
    """
    if modes < 1:
        raise InputError(f"the number of modes is {modes}; ask for at least one", field="modes")
    model = rotor_model(rotor, (), axis)
    if any(member.ratio not in (0.0, 1.0) for member in model.members) or model.gears:
        raise InputError(
            "shafts at several speeds have no common synchronous whirl; ask for the map of one shaft",
            field="body",
        )
    chosen, others = _map_bearings(model, bearings)
    ends = None if speeds is None else numbers(speeds, "speeds")
    own = tuple(_own_stiffness(chosen, ends))
    known = () if ends is None else require_known([bearing for _, bearing in chosen], ends)
    given = _default_range(own) if stiffnesses is None else numbers(stiffnesses, "stiffnesses")
    if not (given > 0).all() or not np.isfinite(given).all() or (np.diff(given) <= 0).any() or not given.size:
        raise InputError("the stiffnesses are not positive and increasing; give them in N/m", field="stiffness")
    problem = _problem(model, [bearing for _, bearing in chosen])
    problem.speeds(float(given[0]), modes)
    begin_work()
    table = np.array([problem.speeds(float(k), modes) for k in given])
    return CriticalSpeedMap(
        body=model.discrete.body.name,
        stiffnesses=given,
        speeds=table,
        bearings=tuple(name for name, _ in chosen),
        own=own,
        crossings=tuple(_crossings(problem, own, modes)),
        notices=(*others, *known, *_missing(table)),
    )


@dataclass(frozen=True, eq=False)
class _CircularProblem:
    """K, B Bᵀ and M − iG − S of circular whirl: (n, n) each, Hermitian."""

    shaft: ComplexArray
    held: ComplexArray
    inertia: ComplexArray

    def speeds(self, stiffness: float, count: int) -> Array:
        """The lowest critical speeds [rad/s], NaN where there are no more: (count,)."""
        n = len(self.shaft)
        whole = self.shaft + stiffness * self.held
        diagonal = np.diagonal(whole).real
        scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        levels = linalg.eigvalsh(scale[:, None] * whole * scale)
        if not levels[0] > n * np.finfo(float).eps * levels[-1]:  # a motion that only rounding resists
            raise AnalysisError(
                "the bearings of the map do not hold the shaft, which can still tilt or move freely; name two "
                "bearings or more"
            )
        kappa = linalg.eigh(self.inertia, whole, eigvals_only=True, subset_by_index=[max(n - count, 0), n - 1])[
            ::-1
        ]
        out = np.full(count, np.nan)
        # gyroscopic moments of thin discs stiffen: some modes meet no speed
        found = kappa[kappa > 1e-12 * np.abs(kappa).max()]
        out[: len(found)] = 1 / np.sqrt(found)
        return out


def _problem(model: RotorModel, chosen: Sequence[Bearing]) -> _CircularProblem:
    stands = [_even(bearing) for bearing in model.bearings if model.is_pedestal(bearing)]
    equations = inertial_equations(replace(model, bearings=tuple(stands)))
    basis = _circular(model)
    unit = np.diag([1.0, 1.0, 0.0, 0.0])
    held = [found.assembled(unit) for found in attachments(model.discrete, chosen, model.axis)]
    springs = model.discrete.supports.reduce_matrix(reduce(add, held))
    small = equations.project(basis)
    shaft, mass = (_hermitian(matrix) for matrix in (small.constant_stiffness, small.constant_mass))
    return _CircularProblem(
        shaft, _hermitian(np.asarray(basis.conj().T @ (springs @ basis))), order_inertia(small, 1, mass)
    )


def _hermitian(matrix: Array | ComplexArray) -> ComplexArray:
    return np.asarray((matrix + matrix.conj().T) / 2, dtype=complex)


def _even(bearing: Bearing) -> Bearing:
    """Without damping, with the mean of both directions."""
    constants = bearing.constants
    k, m = (float(np.trace(matrix[:2, :2]) / 2) for matrix in (constants.stiffness, constants.mass))
    if bearing.table is not None:
        raise InputError(
            f"{bearing.name}: its stiffness depends on the frequency, which a map does not take; "
            "give the pedestal one stiffness",
            field="bearings",
        )
    return replace(bearing, stiffness=k, damping=0.0, mass=m, angle=0.0)


def _circular(model: RotorModel) -> ComplexArray:
    """Coordinates in which everything across the axis turns forward: orthonormal columns (n, c).

    Unbalance has the phase of e^{iΩt}(e₁ − i e₂): displacement and rotation of a node follow e₁ and lag along e₂.
    """
    dofs, supports = model.discrete.dofs, model.discrete.supports
    first, second = across(model.axis)
    if isinstance(model.discrete, SectionBody):
        # real parts of the waves stand before imaginary ones; a shift along z is imaginary
        one = np.eye(supports.size // 2)
        return np.concatenate([one, 1j * float(model.axis[1]) * one]) / np.sqrt(2)
    direction = (first - 1j * second) / np.sqrt(2)
    columns = []
    for start in (0, 3):
        for numbers_ in dofs.numbers[:, start : start + 3]:
            exists = numbers_ >= 0
            if not exists[np.abs(direction) > _HELD].all():
                continue
            column = np.zeros(dofs.count, dtype=complex)
            column[numbers_[exists]] = direction[exists]
            columns.append(column)
    free = np.asarray(supports.basis.T @ np.array(columns).T)
    norms = np.linalg.norm(free, axis=0)
    return np.asarray(free[:, norms > 1 - 1e-9])


def _map_bearings(
    model: RotorModel, names: Sequence[str] | None
) -> tuple[list[tuple[str, Bearing]], tuple[str, ...]]:
    """Bearings of the map with their names, and what is said of the others."""
    named = [
        (bearing_name(bearing, number), bearing)
        for number, bearing in enumerate(model.bearings)
        if not model.is_pedestal(bearing)
    ]
    if not named:
        raise InputError("the rotor has no bearings, whose stiffness the map needs; give it some", field="body")
    if names is None:
        kept = [pair for pair in named if max(_direct(pair[1], _middle(pair[1]))) > 0]
    else:
        for number, name in enumerate(names):
            if name not in dict(named):
                known = ", ".join(dict(named))
                raise InputError(
                    f"there is no bearing {name}; the bearings are {known}", field=("bearings", number)
                )
        kept = [pair for pair in named if pair[0] in names]
    if not kept:
        raise InputError("no bearing has direct stiffness; name those of the map", field="bearings")
    left = [name for name, _ in named if name not in dict(kept)]
    notices = [f"left out of the map, since the shaft is not held by them: {', '.join(left)}"] if left else []
    if any(not bearing.isotropic for bearing in model.bearings if model.is_pedestal(bearing)):
        notices.append("pedestals have the mean stiffness of both directions in the map")
    return kept, tuple(notices)


def _middle(bearing: Bearing) -> float:
    """A speed in the middle of what a table knows [rad/s]."""
    low, high = _known_range(bearing) or (0.0, 0.0)
    return (low + high) / 2


def _known_range(bearing: Bearing) -> tuple[float, float] | None:
    """Lowest and highest speed of a table, or frequency of synchronous whirl [rad/s]; None for constants."""
    table = bearing.table
    if table is None:
        return None
    ends = [(float(p[0]), float(p[-1])) for p in (table.speeds, table.frequencies) if p is not None]
    return max(low for low, _ in ends), min(high for _, high in ends)


def _direct(bearing: Bearing, speed: float) -> tuple[float, float]:
    """kxx and kyy along e₁ and e₂ in synchronous whirl [N/m]."""
    stiffness = bearing.at(speed, speed).stiffness
    return float(stiffness[0, 0]), float(stiffness[1, 1])


def _own_stiffness(chosen: Sequence[tuple[str, Bearing]], ends: Array | None) -> Iterator[OwnStiffness]:
    """The direct stiffness of each bearing; equal ones together."""
    found: dict[tuple[bytes, bytes], OwnStiffness] = {}
    for name, bearing in chosen:
        known = _known_range(bearing)
        speeds = np.zeros(1)
        if known is not None:
            low, high = known if ends is None else (float(ends[0]), float(ends[-1]))
            speeds = np.linspace(low, high, _CURVE)
        values = np.array([_direct(bearing, float(speed)) for speed in speeds])
        even = np.allclose(values[:, 0], values[:, 1], rtol=1e-12)
        for column, direction in ((0, ""),) if even else ((0, "x"), (1, "y")):
            curve = OwnStiffness((name,), direction, None if known is None else speeds, values[:, column])
            key = (speeds.tobytes(), values[:, column].tobytes())
            if key in found:
                curve = replace(curve, bearings=(*found[key].bearings, name))
            found[key] = curve
    yield from found.values()


def _default_range(own: Sequence[OwnStiffness]) -> Array:
    values = np.concatenate([curve.stiffnesses for curve in own])
    positive = values[values > 0]
    if not positive.size:
        raise InputError("no bearing of the map has direct stiffness; give the stiffnesses", field="stiffness")
    low, high = np.floor(np.log10(positive.min())) - 1, np.ceil(np.log10(positive.max())) + 1
    return np.logspace(low, high, SAMPLES)


def _crossings(problem: _CircularProblem, own: Sequence[OwnStiffness], modes: int) -> Iterator[MapCrossing]:
    """Where a curve of the map has the stiffness of a bearing at its own speed, ascending."""
    found = []
    for number, curve in enumerate(own):
        if curve.speeds is None:
            if curve.stiffnesses[0] > 0:
                at = problem.speeds(float(curve.stiffnesses[0]), modes)
                found += [(float(speed), number, mode) for mode, speed in enumerate(at) if np.isfinite(speed)]
            continue
        table = np.array(
            [problem.speeds(float(k), modes) if k > 0 else np.full(modes, np.nan) for k in curve.stiffnesses]
        )
        ahead = table - curve.speeds[:, None]
        for row, mode in np.argwhere(ahead[:-1] * ahead[1:] <= 0):
            low, high = float(curve.speeds[row]), float(curve.speeds[row + 1])

            def excess(speed: float, curve: OwnStiffness = curve, mode: int = int(mode)) -> float:
                k = curve.at(speed)
                return float(problem.speeds(k, modes)[mode]) - speed

            found.append((bracket_root(excess, low, high, tolerance=1e-9 * high), number, int(mode)))
    for speed, number, mode in sorted(found):
        curve = own[number]
        yield MapCrossing(mode + 1, curve.label, curve.at(speed), speed)


def _missing(table: Array) -> tuple[str, ...]:
    if np.isfinite(table).all():
        return ()
    return ("gyroscopic moments keep some modes from meeting any speed of the shaft; their curves end",)
