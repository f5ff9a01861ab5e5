"""Compact tables of what an analysis gave, made from its summary."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

Summary = Mapping[str, Any]

SHOWN = 12
"""Rows of a sort that a table shows at most."""

ROUND_OFF = 1e-6
"""Part of the largest value of its sort below which a growth rate or stress is not shown."""


def analysis_table(summary: Summary) -> Table:
    """The table of an analysis; a kind without one of its own shows its single values."""
    return TABLES.get(summary["kind"], _values)(summary)


def _table(columns: Sequence[str], *, left: Sequence[str] = ()) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right")
    return table


def _modes(summary: Summary) -> Table:
    frequencies, eigenvalues = summary["frequencies_hz"], summary["eigenvalues"]
    optional = {
        "nodal diameters": summary.get("nodal_diameters"),
        "whirl": summary.get("whirl"),
        "inertial [Hz]": summary.get("inertial_frequencies_hz"),
    }
    shown = {title: values for title, values in optional.items() if values is not None}
    table = _table(["mode", "frequency [Hz]", "growth [1/s]", *shown, "label"], left=("whirl", "label"))
    scale = max((abs(complex(*pair)) for pair in eigenvalues), default=0.0)
    highest = max(frequencies, default=0.0)
    for i, (frequency, (growth, _)) in enumerate(zip(frequencies, eigenvalues, strict=True)):
        label = summary["labels"][i]
        # the zero frequency of a rigid motion is double, and found to the root of the precision only
        noise = ROUND_OFF * highest if "rigid" in label else 0.0
        extra = [_shown(values[i], noise) for values in shown.values()]
        visible = f"{growth:.4g}" if abs(growth) > ROUND_OFF * scale else ""
        table.add_row(str(i + 1), _shown(frequency, noise), visible, *extra, label)
    return table


def _statics(summary: Summary) -> Table:
    return _equilibrium(summary) if "stability" in summary else _body_statics(summary)


def _equilibrium(summary: Summary) -> Table:
    """Stability, where bodies rest, and what joints, drives and springs carry."""
    table = _table(["what", "value", "unit"], left=("what", "unit"))
    value = summary["smallest_eigenvalue_rad2_s2"]
    table.add_row(f"equilibrium: {summary['stability']}", "" if value is None else f"{value:.6g}", "rad²/s²")
    for name, body in summary["bodies"].items():
        place = ", ".join(f"{x:.6g}" for x in body["position_m"])
        table.add_row(f"{name} at", place, "m")
        if "angle_rad" in body:
            table.add_row(f"{name} turned", f"{body['angle_rad']:.6g}", "rad")
        if "max_elastic_displacement_m" in body:
            table.add_row(f"{name} deformed by", f"{body['max_elastic_displacement_m']:.6g}", "m")
    for name, joint in summary["joints"].items():
        table.add_row(f"force of {name}", ", ".join(f"{x:.6g}" for x in joint["force_N"]), "N")
    for name, drive in summary["drives"].items():
        table.add_row(f"drive {name}", ", ".join(f"{x:.6g}" for x in drive["values"]), "N, N m")
    for name, spring in summary["springs"].items():
        table.add_row(f"{spring['kind'].replace('_', ' ')} {name}", f"{spring['force']:.6g}", spring["unit"])
    for measure, maximum in summary["maxima"].items():
        table.add_row(f"largest {measure}", f"{maximum['value']:.6g}", maximum["unit"])
    return table


def _body_statics(summary: Summary) -> Table:
    table = _table(["largest", "value", "at x, y, z [m]"], left=("largest", "at x, y, z [m]"))
    places = [summary["max_displacement_place_m"], *(m["place_m"] for m in summary["maxima"].values())]
    noise = ROUND_OFF * max(abs(coordinate) for place in places for coordinate in place)
    place = _place(summary["max_displacement_place_m"], noise)
    table.add_row("displacement", f"{summary['max_displacement_m']:.6g} m", place)
    largest: dict[str, float] = {}
    for maximum in summary["maxima"].values():
        unit = maximum["unit"]
        largest[unit] = max(largest.get(unit, 0.0), abs(maximum["value"]))
    for measure, maximum in summary["maxima"].items():
        if abs(maximum["value"]) > ROUND_OFF * largest[maximum["unit"]]:
            value = f"{maximum['value']:.6g} {maximum['unit']}"
            table.add_row(measure, value, _place(maximum["place_m"], noise))
    error = summary.get("stress_error")
    if error is not None:
        near = error["at_maximum_Pa"]
        where = "" if near is None else f"±{near:.2g} Pa at the largest von Mises stress"
        table.add_row("error of stress", f"{100 * error['relative']:.2g} % (estimate)", where)
    return table


def _matrices(summary: Summary) -> Table:
    table = _table(["part", "size", "largest entry"], left=("part",))
    for name, rows in summary["matrices"].items():
        largest = max((abs(value) for row in rows for value in row), default=0.0)
        table.add_row(name, f"{len(rows)} × {len(rows[0])}", f"{largest:.6g}")
    for name, vector in summary["vectors"].items():
        table.add_row(name, str(len(vector)), f"{max(map(abs, vector), default=0.0):.6g}")
    for name, value in summary["scalars"].items():
        table.add_row(name, "", f"{value:.6g}")
    return table


def _mode_comparison(summary: Summary) -> Table:
    names = summary["bodies"]
    heads = ["shape", "no.", *(f"{name} [Hz]" for name in names), *(f"{name} [%]" for name in names[1:])]
    table = _table(heads, left=("shape",))
    highest = max(
        (f for m in summary["modes"] for f in m["frequencies_hz"].values() if f is not None), default=0.0
    )
    for mode in summary["modes"]:
        noise = ROUND_OFF * highest if mode["motion"] == "rigid" else 0.0
        shown = [_shown(f, noise) for f in mode["frequencies_hz"].values()]
        elastic = mode["motion"] != "rigid"
        differences = [
            f"{100 * d:+.3f}" if elastic and d is not None else "" for d in mode["relative_differences"].values()
        ]
        table.add_row(mode["shape"], str(mode["order"]), *shown, *differences)
    return table


def _values(summary: Summary) -> Table:
    table = _table(["quantity", "value"], left=("quantity",))
    for name, value in summary.items():
        if isinstance(value, int | float | str) and name not in ("kind", "body", "description"):
            table.add_row(name, _shown(value))
    return table


def _shown(value: Any, noise: float = 0.0) -> str:
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    return f"{value if abs(value) > noise else 0.0:.6g}"


def _place(point: Sequence[float], noise: float = 0.0) -> str:
    return ", ".join(f"{coordinate if abs(coordinate) > noise else 0.0:.4g}" for coordinate in point)


def _crosscheck(summary: Summary) -> Table:
    table = _table(["formalism", "difference", "unknowns", "multiply", "add", "ms", ""], left=("formalism", ""))
    for column in table.columns:
        column.no_wrap = True
    reasons = []
    for name, entry in summary["formalisms"].items():
        if not entry["applicable"]:
            table.add_row(name, "–", "", "", "", "", "")
            reasons.append(f"{name} does not apply: {entry['reason']}")
            continue
        difference, operations = entry["max_relative_difference"], entry["operations"]
        table.add_row(
            name,
            f"{difference:.1e}",
            str(entry["unknowns"]),
            str(operations["multiplications"]),
            str(operations["additions"]),
            f"{1e3 * entry['seconds']:.2f}",
            _remark(entry, summary),
        )
    table.caption, table.caption_justify = "\n".join(reasons) or None, "left"
    return table


def _remark(entry: Summary, summary: Summary) -> str:
    """A disagreement, or how far the joints of a system were missed."""
    if entry["max_relative_difference"] > summary["tolerance"]:
        return "DISAGREES"
    return f"drift {entry['drift']:.0e}" if "system" in summary else ""


def _transient(summary: Summary) -> Table:
    """Extremes of the sensors over all steps, with their times, then those of stress with their places."""
    table = _table(["sensor", "unit", "smallest", "at [s]", "largest", "at [s]", "last"], left=("sensor", "unit"))
    for name, sensor in summary["sensors"].items():
        last, peaks = sensor["values"][-1], summary["peaks"].get(name)
        if peaks is None:  # only seen at the instants of the summary
            extremes = [f"{min(sensor['values']):.6g}", "", f"{max(sensor['values']):.6g}", ""]
            table.add_row(name, sensor["unit"], *extremes, f"{last:.6g}")
            continue
        found = [peaks[word] for word in ("min", "min_at_s", "max", "max_at_s")]
        parts = sensor.get("components", [""])
        rows = zip(*found, last, strict=True) if "components" in sensor else [(*found, last)]
        for part, (low, low_at, high, high_at, end) in zip(parts, rows, strict=True):
            ends = (f"{low:.6g}", f"{low_at:.4g}", f"{high:.6g}", f"{high_at:.4g}", f"{end:.6g}")
            table.add_row(f"{name} {part}".strip(), sensor["unit"], *ends)
    for name, peak in summary.get("stress", {}).items():
        what = f"{peak['measure']} of {name}" if "measure" in peak else name
        value = peak["max_Pa"] if "max_Pa" in peak else peak["value"]
        table.add_row(
            f"largest {what.replace('_', ' ')}, {_cell(peak)}",
            "Pa",
            "",
            "",
            f"{value:.6g}",
            f"{peak['at_s']:.4g}",
            "",
        )
    table.add_row("energy drift", "", "", "", "", "", f"{summary['energy_drift']:.1e}")
    if "coupling" in summary:
        if "start" in summary:
            start = summary["start"]
            shown = f"{start['max_elastic_displacement_m']:.6g}"
            table.add_row(f"deformed at the start ({start['initial_deformation']})", "m", "", "", shown, "0", "")
        table.add_row("constraint residual", "", "", "", "", "", f"{summary['constraint_residual']:.1e}")
        if summary.get("theory_error"):
            most = "at most " if summary["theory"]["is_bound"] else ""
            table.add_row("error of the theory", *[""] * 5, f"{most}{summary['theory_error']:.1e}")
    return table


def _cell(peak: Summary) -> str:
    """Where a peak of stress is."""
    where = f"cell {peak['cell']}"
    if "along" in peak:
        where += f" at {100 * peak['along']:.3g} %"
    if "fibre_m" in peak:
        y, z = (1e3 * coordinate for coordinate in peak["fibre_m"])
        where += f", fibre y {y:.4g}, z {z:.4g} mm"
    return where


def _campbell(summary: Summary) -> Table:
    """Branches at the first and the last speed, then the critical speeds that a load excites."""
    first, last = summary["speeds_rad_s"][0], summary["speeds_rad_s"][-1]
    space = summary.get("inertial_frequencies_hz")
    titles = ["branch", f"at {first:.5g} rad/s [Hz]", f"at {last:.5g} rad/s [Hz]"]
    titles += ["in space [Hz]", "nodal diameters", "whirl"] if space else []
    table = _table([*titles, "damping ratio", "label"], left=("whirl", "label"))
    frequencies, ratios = summary["frequencies_hz"], summary["damping_ratios"]
    for b, label in enumerate(summary["labels"]):
        row = [str(b + 1), _shown(frequencies[0][b]), _shown(frequencies[-1][b])]
        if space:
            diameters = summary.get("nodal_diameters", [None] * len(summary["labels"]))
            row += [_shown(space[-1][b]), _shown(diameters[b]), summary["whirl"][b]]
        ratio = ratios[-1][b]
        table.add_row(*row, "" if ratio is None or abs(ratio) < ROUND_OFF else f"{ratio:.4g}", label)
    table.add_section()
    excited = [c for c in summary["critical_speeds"] if c["excited_by"]]
    blank = [""] * (len(table.columns) - 3)
    for critical in excited[:SHOWN]:
        what = f"order {critical['engine_order']}, {critical['excited_by']}"
        speed = f"{critical['speed_rad_s']:.6g} rad/s"
        table.add_row("critical", speed, _shown(critical["frequency_hz"]), *blank[1:], what)
    for limit in summary["stability_limits_rad_s"][:SHOWN]:
        table.add_row("limit of stability", f"{limit:.6g} rad/s", "", *blank)
    return table


def _frequency_response(summary: Summary) -> Table:
    over, unit = ("frequency", "Hz") if "frequencies_hz" in summary else ("speed", "rad/s")
    columns = ["sensor", "largest amplitude", f"at {over} [{unit}]", "first amplitude", "last amplitude"]
    table = _table(columns, left=("sensor",))
    for name, sensor in summary["sensors"].items():
        peak = summary["peaks"][name]
        values = (peak["amplitude"], sensor["amplitude"][0], sensor["amplitude"][-1])
        largest, first, last = (f"{value:.6g} {sensor['unit']}" for value in values)
        table.add_row(name, largest, _shown(peak[over]), first, last)
    return table


def _stability(summary: Summary) -> Table:
    """Multipliers, then the unstable ranges of a scan."""
    table = _table(["", "real", "imaginary", "size", "growth [1/s]"], left=("",))
    pairs = zip(summary["multipliers"], summary["exponents"], strict=True)
    for number, ((real, imaginary), (growth, _)) in enumerate(pairs):
        if number == SHOWN:
            table.add_row("…", "", "", "", "")
            break
        size = f"{(real**2 + imaginary**2) ** 0.5:.8g}"
        table.add_row(f"multiplier {number + 1}", f"{real:.7g}", f"{imaginary:.7g}", size, f"{growth:.4g}")
    scan = summary.get("scan")
    if scan is not None:
        table.add_section()
        for found in scan["unstable_ranges"][:SHOWN]:
            low, high = (f"{found[end]:.9g}" for end in ("low", "high"))
            name = f"unstable, {scan['parameter']}"
            table.add_row(name, f"from {low}", f"to {high}", scan["unit"], f"{found['growth_rate']:.4g}")
        if not scan["unstable_ranges"]:
            table.add_row(f"no unstable {scan['parameter']}", "", "", "", "")
    return table


def _run_up(summary: Summary) -> Table:
    columns = ["sensor", "largest distance [m]", "at speed [rad/s]", "at time [s]", "last distance [m]"]
    table = _table(columns, left=("sensor",))
    for name, sensor in summary["sensors"].items():
        peak = sensor["peak"]
        shown = (peak["radius_m"], peak["speed_rad_s"], peak["time_s"], sensor["radius"][-1])
        table.add_row(name, *(f"{value:.6g}" for value in shown))
    return table


TABLES: Mapping[str, Callable[[Summary], Table]] = {
    "modes": _modes,
    "mode_comparison": _mode_comparison,
    "statics": _statics,
    "matrices": _matrices,
    "crosscheck": _crosscheck,
    "transient": _transient,
    "campbell": _campbell,
    "frequency_response": _frequency_response,
    "stability": _stability,
    "run_up": _run_up,
}
