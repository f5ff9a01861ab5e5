"""Curves: histories, spectra along a cycle, responses over frequency, comparisons."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.results.figures.panels import curves_by_unit, one_panel, panels, sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from flexframe.results.crosscheck import Crosscheck
    from flexframe.results.cycle_spectrum import CycleSpectrum
    from flexframe.results.frequency_response import FrequencyResponse
    from flexframe.results.joint_forces import JointForces
    from flexframe.results.records import Matrices
    from flexframe.results.reduction import Reduction
    from flexframe.results.run_up import RunUp
    from flexframe.results.stability import Stability
    from flexframe.results.system_crosscheck import SystemCrosscheck
    from flexframe.results.transient import SensorHistory

SMALLEST = 1e-17  # a difference of exactly zero on a logarithmic axis


def plot_histories(times: Array, sensors: Mapping[str, "SensorHistory"]) -> list["Axes"]:
    """What the sensors saw, a panel for each unit."""
    curves = {name: (sensor.unit, sensor.values) for name, sensor in sensors.items()}
    return curves_by_unit(times, curves, label="time [s]")


def plot_joint_forces(record: "JointForces") -> list["Axes"]:
    """Sizes of forces and moments in the joints."""
    forces = {name: ("N", sizes(found.force)) for name, found in record.forces.joints.items()}
    moments = {
        f"{name} ": ("N m", sizes(found.moment))
        for name, found in record.forces.joints.items()
        if sizes(found.moment).max(initial=0.0) > 0
    }
    return curves_by_unit(record.motion.times, forces | moments, label="time [s]")


def plot_cycle_spectrum(spectrum: "CycleSpectrum", *, axes: "Axes | None" = None) -> "Axes":
    """Frequencies of the frozen equations over the crank angle, or over time where no angle is driven."""
    axes = one_panel(axes)
    angle = spectrum.crank_angle_deg
    axes.plot(spectrum.times if angle is None else angle, spectrum.frequencies_hz, linewidth=1.2)
    axes.set(xlabel="time [s]" if angle is None else "crank angle [°]", ylabel="frequency [Hz]")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    return axes


def plot_frequency_response(response: "FrequencyResponse") -> list["Axes"]:
    """Amplitude and phase of every sensor."""
    drawn = panels(2, height=2.8)
    label = "frequency [Hz]" if response.over == "frequency" else "speed [rad/s]"
    for name, curve in response.curves.items():
        drawn[0].semilogy(response.abscissa, curve.amplitude, label=f"{name} [{curve.unit}]", linewidth=1.2)
        drawn[1].plot(response.abscissa, curve.phase_deg, linewidth=1.2)
    drawn[0].set_ylabel("amplitude")
    drawn[0].legend(fontsize="small")
    drawn[1].set(xlabel=label, ylabel="phase [°]", yticks=range(-180, 181, 90))
    for axes in drawn:
        axes.grid(alpha=0.25)
    return drawn


def plot_crosscheck(check: "Crosscheck | SystemCrosscheck", *, axes: "Axes | None" = None) -> "Axes":
    """The largest difference of each formalism that applies, and the tolerance."""
    axes = one_panel(axes)
    names = [c.title for c in check.checks if c.applicable]
    values = [max(c.max_relative_difference or 0.0, SMALLEST) for c in check.checks if c.applicable]
    axes.barh(names[::-1], values[::-1], left=SMALLEST)
    axes.axvline(check.tolerance, color="tab:red", linestyle="--", label="tolerance")
    axes.set(xscale="log", xlabel="largest relative difference", xlim=(SMALLEST, 10 * check.tolerance))
    axes.legend(fontsize="small")
    return axes


def plot_reduction(reduction: "Reduction", *, axes: "Axes | None" = None) -> "Axes":
    """Errors of the reduced frequencies, and their estimates made without the modes of the body."""
    axes = one_panel(axes)
    axes.semilogy(reduction.full_hz, np.maximum(np.abs(reduction.errors), SMALLEST), "o", label="error")
    axes.semilogy(reduction.full_hz, np.maximum(reduction.error_estimates, SMALLEST), "x", label="estimated error")
    axes.axhline(reduction.tolerance, color="tab:red", linestyle="--", label="tolerance")
    axes.set(xlabel="frequency [Hz]", ylabel="relative error of the frequency")
    axes.grid(alpha=0.25)
    axes.legend(fontsize="small")
    return axes


def plot_matrices(record: "Matrices") -> list["Axes"]:
    """Every square matrix as a field of colours, each relative to its largest entry."""
    square = {name: m for name, m in record.matrices.items() if m.shape[0] == m.shape[1] and m.any()}
    columns = min(max(len(square), 1), 3)
    drawn = panels(-(-max(len(square), 1) // columns), columns, height=2.4, share=False)
    for axes, (name, matrix) in zip(drawn, square.items(), strict=False):
        axes.imshow(matrix / np.abs(matrix).max(), cmap="RdBu_r", vmin=-1, vmax=1)
        axes.set_title(name, fontsize="small")
    for axes in drawn:
        axes.set_axis_off()
    return drawn[: len(square)]


def plot_stability(record: "Stability") -> list["Axes"]:
    """Multipliers and the unit circle; below them the growth over the scan, where there is one."""
    drawn = panels(1 if record.scan is None else 2, share=False)
    angle = np.linspace(0.0, 2 * np.pi, 361)
    drawn[0].plot(np.cos(angle), np.sin(angle), color="grey", linewidth=0.8)
    drawn[0].plot(record.multipliers.real, record.multipliers.imag, "o", markersize=4)
    drawn[0].set(xlabel="Re μ", ylabel="Im μ", aspect="equal")
    if record.scan is not None:
        scan = record.scan
        drawn[1].plot(scan.values, scan.growth_rates, linewidth=1.2)
        for unstable in scan.unstable_ranges:
            drawn[1].axvspan(unstable.low, unstable.high, color="tab:red", alpha=0.15)
        unit = f" [{scan.unit}]" if scan.unit else ""
        drawn[1].set(xlabel=f"{scan.parameter}{unit}", ylabel="growth [1/s]")
        drawn[1].grid(alpha=0.25)
    return drawn


def plot_run_up(record: "RunUp", *, axes: "Axes | None" = None) -> "Axes":
    """Radius of every orbit over the speed."""
    axes = one_panel(axes)
    for name, orbit in record.orbits.items():
        axes.plot(record.speeds, orbit.radius, label=name, linewidth=1.0)
    axes.set(xlabel="speed [rad/s]", ylabel="radius of the orbit [m]")
    axes.grid(alpha=0.25)
    axes.legend(fontsize="small")
    return axes
