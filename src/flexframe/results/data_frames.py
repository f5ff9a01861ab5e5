"""Records as pandas tables: a row for each mode, instant, speed or formalism."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    import pandas

    from flexframe.mechanisms.inverse_dynamics import JointForce
    from flexframe.results.campbell import CampbellDiagram
    from flexframe.results.crosscheck import Crosscheck
    from flexframe.results.cycle_spectrum import CycleSpectrum
    from flexframe.results.frequency_response import FrequencyResponse
    from flexframe.results.joint_forces import JointForces
    from flexframe.results.records import Matrices, Modes, Statics
    from flexframe.results.reduction import Reduction
    from flexframe.results.run_up import RunUp
    from flexframe.results.stability import Stability
    from flexframe.results.system_campbell import SystemCampbell
    from flexframe.results.system_crosscheck import SystemCrosscheck
    from flexframe.results.transient import SensorHistory


def modes_frame(modes: "Modes") -> "pandas.DataFrame":
    """A row for each mode."""
    columns: dict[str, Any] = {
        "frequency_hz": modes.frequencies_hz,
        "growth_rate": modes.growth_rates + 0.0,  # no −0 in a table
        "label": list(modes.labels),
        "residual": modes.residuals,
    }
    if modes.nodal_diameters is not None:
        columns["nodal_diameters"] = list(modes.nodal_diameters)
    if modes.whirl is not None:
        columns["whirl"] = list(modes.whirl)
    if modes.inertial_frequencies_hz is not None:
        columns["inertial_hz"] = modes.inertial_frequencies_hz
    return _indexed(columns, "mode", np.arange(1, len(modes.eigenvalues) + 1))


def statics_frame(statics: "Statics") -> "pandas.DataFrame":
    """A row for each stress measure: its largest value and place."""
    places = np.array([m.place for m in statics.maxima]).reshape(-1, 3)
    columns = {
        "value": [m.value for m in statics.maxima],
        "unit": [m.unit for m in statics.maxima],
        **{axis: places[:, i] for i, axis in enumerate("xyz")},
        "cell": [m.cell for m in statics.maxima],
    }
    return _indexed(columns, "measure", [m.measure for m in statics.maxima])


def joint_frame(joints: "Mapping[str, JointForce]") -> "pandas.DataFrame":
    """A row for each joint and drive: force and moment on its second body, space axes, at the first instant."""
    parts = [*((f"force {axis}", "force", i) for i, axis in enumerate("xyz"))]
    parts += [(f"moment {axis}", "moment", i) for i, axis in enumerate("xyz")]
    columns = {title: [float(getattr(found, name)[0, i]) for found in joints.values()] for title, name, i in parts}
    return _indexed(columns, "joint", list(joints))


def matrices_frame(record: "Matrices", name: str) -> "pandas.DataFrame":
    """One matrix with its degrees of freedom."""
    import pandas

    matrix = record.matrices[name]
    rows = record.dofs if matrix.shape[0] == len(record.dofs) else None
    return pandas.DataFrame(matrix, columns=list(record.dofs), index=rows)


def sensors_frame(times: Array, sensors: Mapping[str, "SensorHistory"]) -> "pandas.DataFrame":
    """A column for each sensor."""
    return _indexed({name: s.values for name, s in sensors.items()}, "time_s", times)


def branches_frame(record: "CycleSpectrum | CampbellDiagram | SystemCampbell") -> "pandas.DataFrame":
    """Frequencies [Hz], a column for each branch, over time or speed."""
    from flexframe.results.cycle_spectrum import CycleSpectrum

    over = ("time_s", record.times) if isinstance(record, CycleSpectrum) else ("speed_rad_s", record.speeds)
    columns = {f"branch_{i + 1}_hz": values for i, values in enumerate(record.frequencies_hz.T)}
    return _indexed(columns, *over)


def joint_forces_frame(record: "JointForces") -> "pandas.DataFrame":
    """Components in space axes of every force [N] and moment [N m], columns `JOINT.fx` … `JOINT.mz`."""
    columns = {
        f"{name}.{letter}{axis}": values[:, i]
        for name, found in record.forces.joints.items()
        for letter, values in (("f", found.force), ("m", found.moment))
        for i, axis in enumerate("xyz")
    }
    return _indexed(columns, "time_s", record.motion.times)


def motion_frame(dataset: Any) -> "pandas.DataFrame":
    """Positions and velocities of every body over time, columns `BODY.x` … `BODY.omega_z`."""
    columns: dict[str, Any] = {}
    for name in dataset.body.values:
        body = dataset.sel(body=name)
        for quantity, letter in (("position", ""), ("velocity", "v"), ("angular_velocity", "omega_")):
            for axis in "xyz":
                columns[f"{name}.{letter}{axis}"] = body[quantity].sel(axis=axis).values
    return _indexed(columns, "time_s", dataset.time.values)


def frequency_response_frame(record: "FrequencyResponse") -> "pandas.DataFrame":
    """Amplitude and phase of every sensor."""
    columns = {
        f"{name}.{part}": getattr(curve, part)
        for name, curve in record.curves.items()
        for part in ("amplitude", "phase_deg")
    }
    return _indexed(columns, "frequency_hz" if record.over == "frequency" else "speed_rad_s", record.abscissa)


def crosscheck_frame(record: "Crosscheck | SystemCrosscheck") -> "pandas.DataFrame":
    """A row for each formalism."""
    checks = record.checks
    columns = {
        "applicable": [c.applicable for c in checks],
        "max_relative_difference": [c.max_relative_difference for c in checks],
        "unknowns": [c.unknowns for c in checks],
        "multiplications": [c.multiplications for c in checks],
        "additions": [c.additions for c in checks],
        "seconds": [c.seconds for c in checks],
        "reason": [c.reason for c in checks],
    }
    return _indexed(columns, "formalism", [c.title for c in checks])


def reduction_frame(record: "Reduction") -> "pandas.DataFrame":
    """A row for each mode: reduced and full frequency, error and its estimate."""
    columns = {
        "frequency_hz": record.frequencies_hz,
        "full_hz": record.full_hz,
        "relative_error": record.errors,
        "error_estimate": record.error_estimates,
        "error_bound": record.error_bounds,
    }
    return _indexed(columns, "mode", np.arange(1, len(record.frequencies_hz) + 1))


def stability_frame(record: "Stability") -> "pandas.DataFrame":
    """A row for each multiplier, the largest first."""
    columns = {
        "real": record.multipliers.real,
        "imaginary": record.multipliers.imag,
        "size": np.abs(record.multipliers),
        "growth_rate": record.exponents.real,
    }
    return _indexed(columns, "multiplier", np.arange(1, len(record.multipliers) + 1))


def run_up_frame(record: "RunUp") -> "pandas.DataFrame":
    """Speed [rad/s] and radius [m] of every orbit over time."""
    radii = {f"{name}.radius": orbit.radius for name, orbit in record.orbits.items()}
    return _indexed({"speed_rad_s": record.speeds, **radii}, "time_s", record.times)


def _indexed(columns: Mapping[str, Any], name: str, index: Any) -> "pandas.DataFrame":
    import pandas

    return pandas.DataFrame(dict(columns), index=pandas.Index(index, name=name))
