"""Branches of a system that turns steadily: followed over the speed, and where they meet an excitation or zero."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from flexframe.analyses.campbell.system_spectrum import ModesAtSpeed, SystemSpectrum
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.branch_tracking import States, follow_branches
from flexframe.spectra.growth import UNSTABLE
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed
from flexframe.spectra.rotation.tracked_modes import EQUAL

_ON_THE_LINE = 1e-7  # of its frequency: a branch this near to an engine order is on it
_MET = 1e-7  # of its frequency: misfit of a solution above which two branches changed places under it
_TWICE = 1e-9  # of the speed: roots nearer than this are one


@dataclass(frozen=True, eq=False)
class SystemBranches:
    """Eigenvalues by branch, NaN where unknown, and the numbers of their modes (−1 where unknown)."""

    speeds: Array
    eigenvalues: ComplexArray  # (speeds, branches)
    numbers: IntArray  # (speeds, branches)
    energies: tuple[ComplexArray, ...]  # states of the branches at each speed: (2f, branches) each
    doubtful: tuple[tuple[float, float], ...]  # intervals of speed


def system_branches(spectrum: SystemSpectrum, speeds: Array, wanted: int, watched: int) -> SystemBranches:
    """All branches that are among the `wanted` lowest modes at any of the speeds."""
    found = [spectrum.at(float(speed)) for speed in speeds]
    scale = max(float(np.abs(modes.eigenvalues[:wanted]).max(initial=0.0)) for modes in found)
    branches = follow_branches(
        lambda speed: _lowest(spectrum.at(float(speed)), watched),
        speeds,
        [_lowest(modes, watched) for modes in found],
        wanted=wanted,
        equal=EQUAL * scale,
    )
    table = [modes.eigenvalues for modes in found]
    branches = branches.lowest(wanted).by_size(table)
    return SystemBranches(
        speeds,
        branches.values(table),
        branches.numbers,
        tuple(state[:, own] for state, own in zip(branches.states, branches.numbers, strict=True)),
        branches.intervals(speeds),
    )


def _lowest(modes: ModesAtSpeed, count: int) -> States:
    return States(modes.eigenvalues[:count], modes.energies[:, :count])


def _along(
    spectrum: SystemSpectrum, branches: SystemBranches, ends: Sequence[int], branch: int
) -> Callable[[float], complex]:
    """Eigenvalue of a branch between two speeds: the mode that has most of its states at both ends."""
    states = [branches.energies[k][:, branch] for k in ends]

    def value(speed: float) -> complex:
        modes = spectrum.at(speed)
        shares = sum(np.abs(end.conj() @ modes.energies) ** 2 for end in states)
        return complex(modes.eigenvalues[int(np.argmax(shares))])

    return value


def _steps(level: Array) -> list[tuple[int, int]]:
    """Steps and branches between whose ends a level changes its sign."""
    change = (level[:-1] * level[1:] < 0) & np.isfinite(level[:-1] + level[1:])
    return [(int(k), int(b)) for k, b in np.argwhere(change)]


def _once(branches: SystemBranches, steps: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of branches that are equal along a step, the first."""
    values = branches.eigenvalues
    scale = float(np.nanmax(np.abs(values)))
    kept: list[tuple[int, int]] = []
    for k, b in steps:
        twins = [other for step, other in kept if step == k]
        if not any(np.nanmax(np.abs(values[k : k + 2, b] - values[k : k + 2, o])) < EQUAL * scale for o in twins):
            kept.append((k, b))
    return kept


def _root(function: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a function vanishes, unless it has no sign change there after all."""
    if function(low) * function(high) > 0:
        return None
    return float(brentq(function, low, high, xtol=1e-13 * max(abs(low), abs(high)), rtol=1e-13))


def critical_speeds(
    spectrum: SystemSpectrum, branches: SystemBranches, orders: Sequence[int]
) -> tuple[tuple[CriticalSpeed, ...], tuple[str, ...]]:
    """Speeds at which Im λ = eΩ, solved on each branch, and what could not be told."""
    found: list[CriticalSpeed] = []
    notices: list[str] = []
    for order in orders:
        line = order * np.abs(branches.speeds)[:, None]
        excess = np.abs(branches.eigenvalues.imag) - line
        on_it = (np.abs(excess) <= _ON_THE_LINE * line) & (line > 0)
        excess = np.where(on_it, 0.0, excess)
        for k, b in _once(branches, [(int(k), int(b)) for k, b in np.argwhere(on_it)]):
            if on_it[:, b].sum() == 1:
                found.append(_critical_speed(float(branches.speeds[k]), order, 0.0))
        lasting = np.flatnonzero(on_it.sum(axis=0) > 1)
        if lasting.size:
            which = ", ".join(str(b + 1) for b in lasting)
            notices.append(f"branch {which} has the frequency of engine order {order} at all or several speeds")
        for k, b in _once(branches, _steps(excess)):
            speed, miss = _crossing(spectrum, branches, k, b, order)
            if speed is None:
                low, high = branches.speeds[k : k + 2]
                notices.append(
                    f"order {order} and branch {b + 1} cross between {low:.6g} and {high:.6g} rad/s, where "
                    "branches veer; more speeds would tell where"
                )
            else:
                found.append(_critical_speed(speed, order, miss))
    return tuple(sorted(found, key=lambda c: (c.speed_rad_s, c.engine_order))), tuple(notices)


def _crossing(
    spectrum: SystemSpectrum, branches: SystemBranches, step: int, branch: int, order: int
) -> tuple[float | None, float]:
    """The speed, and what is left of Im λ − eΩ there relative to it."""
    value = _along(spectrum, branches, (step, step + 1), branch)

    def excess(speed: float) -> float:
        return abs(value(speed).imag) - order * abs(speed)

    speed = _root(excess, *(float(s) for s in branches.speeds[step : step + 2]))
    if speed is None:
        return None, np.nan
    miss = abs(excess(speed)) / (order * abs(speed))
    return (speed, miss) if miss <= _MET else (None, np.nan)


def turning_load_speeds(spectrum: SystemSpectrum, speeds: Array) -> tuple[CriticalSpeed, ...]:
    """Order 0: speeds at which a load that turns with the system meets no stiffness about the steady state."""
    table = np.array([spectrum.at(float(speed)).stiffness for speed in speeds])
    # zeros at one of the speeds are its own; those of free motions last
    zero = (table == 0) & ((table == 0).sum(axis=0) == 1) & (speeds != 0)[:, None]
    roots = [float(speeds[k]) for k in np.flatnonzero(zero.any(axis=1))]
    for k, j in np.argwhere(table[:-1] * table[1:] < 0):

        def least(speed: float, j: int = int(j)) -> float:
            return float(spectrum.at(speed).stiffness[j])

        root = _root(least, float(speeds[k]), float(speeds[k + 1]))
        roots += [] if root is None else [root]
    found: list[float] = []
    for root in sorted(roots):
        if not found or abs(root - found[-1]) > _TWICE * abs(root):
            found.append(root)
    return tuple(_critical_speed(speed, 0, _TWICE) for speed in found)


def _critical_speed(speed: float, order: int, miss: float) -> CriticalSpeed:
    return CriticalSpeed(
        speed_rad_s=speed,
        engine_order=order,
        frequency_hz=order * abs(speed) / (2 * np.pi),
        inertial_frequency_hz=None,
        nodal_diameter=None,
        excited_by="load at rest in space" if order else "load that turns with the system",
        error=miss,
    )


def growing_branches(branches: SystemBranches) -> Array:
    """Where branches grow by more than rounding: (speeds, branches) of booleans."""
    values = branches.eigenvalues
    return np.asarray(np.nan_to_num(values.real) > UNSTABLE * float(np.nanmax(np.abs(values))))


def stability_limits(spectrum: SystemSpectrum, branches: SystemBranches) -> tuple[float, ...]:
    """Where the real part of a branch changes its sign, ascending."""
    values = branches.eigenvalues
    scale = float(np.nanmax(np.abs(values)))
    level = UNSTABLE * scale if spectrum.spin.conservative else 0.0
    grows, growth = growing_branches(branches), values.real - level
    limits: list[float] = []
    for k, b in np.argwhere((grows[:-1] != grows[1:]) & np.isfinite(growth[:-1] + growth[1:])):
        quiet, outward = (k + 1, 1) if grows[k, b] else (k, -1)
        ends = [int(k), int(k) + 1]
        # at the limit itself rounding may have made the real part positive
        if growth[quiet, b] > 0 and 0 <= quiet + outward < len(growth):
            ends[(outward + 1) // 2] += outward
        value = _along(spectrum, branches, ends, int(b))

        def excess(speed: float, value: Callable[[float], complex] = value) -> float:
            return value(speed).real - level

        root = _root(excess, *(float(speed) for speed in branches.speeds[ends]))
        if root is not None:
            limits.append(root)
    return tuple(sorted(limits))
