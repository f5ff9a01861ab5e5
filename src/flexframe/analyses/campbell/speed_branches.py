"""What diagrams over the speed have in common: branches of eigenvalues, engine orders and critical speeds."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, ComplexArray, IntArray
from flexframe.results.record import Frame, Record, thin
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed

SUMMARY_SPEEDS = 300


@dataclass(frozen=True)
class MeasuredFrequencies:
    """What was measured at one speed [rad/s], to be shown beside the branches: frequencies [Hz] above zero."""

    speed: float
    frequencies_hz: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.frequencies_hz or not all(0 < value < np.inf for value in self.frequencies_hz):
            raise InputError(
                "measured frequencies are not all above zero; give one or more in Hz", field="frequencies"
            )


@dataclass(frozen=True)
class MeasuredPoint:
    """A measured frequency beside the branch that is nearest to it at its speed."""

    speed_rad_s: float
    measured_hz: float
    branch: int  # from 0
    computed_hz: float  # between the speeds of the diagram by straight lines

    @property
    def difference(self) -> float:
        """Of the computed frequency from the measured one, as part of it."""
        return self.computed_hz / self.measured_hz - 1


def is_overdamped(eigenvalues: ComplexArray) -> BoolArray:
    """Which motions die away without oscillation: real eigenvalues below zero; NaN are none."""
    return np.asarray((eigenvalues.imag == 0) & (eigenvalues.real < 0))


class SpeedBranches(Record):
    """A diagram whose tables are over (speeds, branches), NaN where a branch is not known."""

    kind: ClassVar[str] = "campbell"

    speeds: Array  # rad/s: (speeds,)
    axis: Array  # (3,)
    eigenvalues: ComplexArray  # rad/s: (speeds, branches)
    labels: tuple[str, ...]  # of the branches
    critical_speeds: tuple[CriticalSpeed, ...]
    stability_limits: tuple[float, ...]  # rad/s, where a branch becomes unstable or stable again
    engine_orders: tuple[int, ...]
    snapshots: IntArray  # speeds whose shapes are kept
    method: str
    frame: Frame  # whose frequencies `eigenvalues` are
    measured: tuple[MeasuredFrequencies, ...]  # seen in `frame`; nothing is computed from them

    @property
    @abstractmethod
    def critical_speeds_rad_s(self) -> tuple[float, ...]:
        """Critical speeds that a load excites."""

    @property
    def frequencies_hz(self) -> Array:
        """|Im λ| / 2π: (speeds, branches)."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def growth_rates(self) -> Array:
        """Re λ [1/s], positive is unstable: (speeds, branches)."""
        return self.eigenvalues.real

    @property
    def damping_ratios(self) -> Array:
        """−Re λ / |λ|, zero for free motions: (speeds, branches)."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0, -self.eigenvalues.real / np.where(size > 0, size, 1.0), size)

    @property
    def stability_margins(self) -> Array:
        """The smallest −Re λ of all branches at each speed [1/s]: (speeds,)."""
        return np.asarray(-np.nanmax(self.eigenvalues.real, axis=1))

    def with_measured(self, measured: Sequence[MeasuredFrequencies]) -> Self:
        """The same diagram with measured frequencies beside its branches.

        Each goes with a branch of its own at its speed, the nearest ones first.
        """
        return replace(self, measured=tuple(measured))  # type: ignore[type-var]  # records are dataclasses

    @property
    def measured_points(self) -> tuple[MeasuredPoint, ...]:
        """Measured frequencies at speeds of the diagram, each beside its branch."""
        points: list[MeasuredPoint] = []
        for at in self.measured:
            if not self.speeds[0] <= at.speed <= self.speeds[-1]:
                continue
            computed = np.array([np.interp(at.speed, self.speeds, branch) for branch in self.frequencies_hz.T])
            apart = np.abs(computed[None, :] - np.array(at.frequencies_hz)[:, None])
            apart[~np.isfinite(apart)] = np.inf
            pairs: dict[int, int] = {}
            while len(pairs) < len(at.frequencies_hz) and np.isfinite(apart).any():
                number, branch = np.unravel_index(int(apart.argmin()), apart.shape)
                pairs[int(number)] = int(branch)
                apart[number, :] = apart[:, branch] = np.inf
            points += [
                MeasuredPoint(at.speed, at.frequencies_hz[number], branch, float(computed[branch]))
                for number, branch in sorted(pairs.items())
            ]
        return tuple(points)


def shown_speeds(record: SpeedBranches) -> IntArray:
    """Those that a summary shows."""
    return thin(len(record.speeds), SUMMARY_SPEEDS)


def branch_summary(record: SpeedBranches, chosen: IntArray) -> dict[str, Any]:
    """The part of a summary that every diagram has."""
    return {
        "kind": record.kind,
        "frame": record.frame,
        "axis": record.axis.tolist(),
        "speeds_rad_s": record.speeds[chosen].tolist(),
        "frequencies_hz": rows(record.frequencies_hz[chosen]),
        "growth_rates": rows(record.growth_rates[chosen]),
        "damping_ratios": rows(record.damping_ratios[chosen]),
        "stability_margins": record.stability_margins[chosen].tolist(),
        "stability_limits_rad_s": list(record.stability_limits),
        "critical_speeds_rad_s": list(record.critical_speeds_rad_s),
        "critical_speeds": [asdict(c) for c in record.critical_speeds],
        "engine_orders": list(record.engine_orders),
        "labels": list(record.labels),
        "method": record.method,
        "measured": [asdict(point) | {"difference": point.difference} for point in record.measured_points],
        "samples": {"shown": len(chosen), "kept": len(record.speeds)},
        "notices": list(record.notices),
    }


def branch_variables(record: SpeedBranches) -> dict[str, Any]:
    """Variables of a dataset that every diagram has."""
    points = ("speed", "branch")
    return {
        "eigenvalue": ((*points, "part"), np.stack([record.eigenvalues.real, record.eigenvalues.imag], -1)),
        "frequency": (points, record.frequencies_hz, {"units": "Hz", "frame": record.frame}),
        "damping_ratio": (points, record.damping_ratios),
        "critical_speed": ("critical", [c.speed_rad_s for c in record.critical_speeds], {"units": "rad/s"}),
        "critical_order": ("critical", [c.engine_order for c in record.critical_speeds]),
    }


def branch_coordinates(record: SpeedBranches) -> dict[str, Any]:
    """The coordinates beside them, and those of the shapes."""
    return {
        "speed": ("speed", record.speeds, {"units": "rad/s"}),
        "picture": record.speeds[record.snapshots],
        "part": ["re", "im"],
        "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
        "axis": ["x", "y", "z"],
        "label": ("branch", list(record.labels)),
    }


def rows(table: Array) -> list[list[float | None]]:
    """A table for JSON, unknown values as null."""
    return [[float(value) if np.isfinite(value) else None for value in row] for row in table]
