"""Compact tables of what an analysis gave, made from its summary."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

Summary = Mapping[str, Any]

ROUND_OFF = 1e-6
"""Part of the largest value of its sort below which a growth rate or stress is not shown."""


def analysis_table(summary: Summary) -> Table:
    """The table of an analysis; a kind without one of its own shows its single values."""
    return TABLES.get(summary["kind"], _values)(summary)


def headline(summary: Summary) -> str:
    """What was computed, in a line."""
    parts = [summary["kind"]]
    if "body" in summary:
        parts.append(f"of {summary['body']}")
    speed = summary.get("speed_rad_s")
    if speed:
        parts.append(f"at {speed:.6g} rad/s")
    if summary.get("frame", "fixed") != "fixed":
        parts.append(f"in the {summary['frame']} frame")
    changed = [f"{term} {value:g}" for term, value in summary.get("terms", {}).items() if value != 1]
    if changed:
        parts.append(f"with {', '.join(changed)}")
    return " ".join(parts)


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
    table = _table(["largest", "value", "at x, y, z [m]"], left=("largest", "at x, y, z [m]"))
    place = _place(summary["max_displacement_place_m"])
    table.add_row("displacement", f"{summary['max_displacement_m']:.6g} m", place)
    largest: dict[str, float] = {}
    for maximum in summary["maxima"].values():
        unit = maximum["unit"]
        largest[unit] = max(largest.get(unit, 0.0), abs(maximum["value"]))
    for measure, maximum in summary["maxima"].items():
        if abs(maximum["value"]) > ROUND_OFF * largest[maximum["unit"]]:
            value = f"{maximum['value']:.6g} {maximum['unit']}"
            table.add_row(measure, value, _place(maximum["place_m"]))
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


def _place(point: Sequence[float]) -> str:
    return ", ".join(f"{coordinate:.4g}" for coordinate in point)


def _crosscheck(summary: Summary) -> Table:
    columns = ["formalism", "largest difference", "unknowns", "multiplications", "additions", "ms", "remark"]
    table = _table(columns, left=("formalism", "remark"))
    for name, entry in summary["formalisms"].items():
        if not entry["applicable"]:
            table.add_row(name, "", "", "", "", "", f"not applicable: {entry['reason']}")
            continue
        difference, operations = entry["max_relative_difference"], entry["operations"]
        table.add_row(
            name,
            f"{difference:.1e}",
            str(entry["unknowns"]),
            str(operations["multiplications"]),
            str(operations["additions"]),
            f"{1e3 * entry['seconds']:.2f}",
            "" if difference <= summary["tolerance"] else "DISAGREES",
        )
    return table


def _transient(summary: Summary) -> Table:
    table = _table(["sensor", "unit", "smallest", "largest", "last"], left=("sensor", "unit"))
    for name, sensor in summary["sensors"].items():
        values = sensor["values"]
        table.add_row(name, sensor["unit"], *(f"{v:.6g}" for v in (min(values), max(values), values[-1])))
    table.add_row("energy drift", "", "", "", f"{summary['energy_drift']:.1e}")
    return table


TABLES: Mapping[str, Callable[[Summary], Table]] = {
    "modes": _modes,
    "statics": _statics,
    "matrices": _matrices,
    "crosscheck": _crosscheck,
    "transient": _transient,
}
