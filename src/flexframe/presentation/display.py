"""How a record shows itself at a prompt and in a notebook: what it is, its warnings, a table and a picture."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO
from typing import Any

from flexframe.presentation.figures import draw
from flexframe.presentation.presentation import Presentation
from flexframe.presentation.units import SI, DisplayUnits

ROWS, COLUMNS = 12, 8  # of a table that is shown whole
RESOLUTION = 110  # dots per inch


def record_text(presentation: Presentation[Any]) -> str:
    """A headline, the warnings and the table."""
    record = presentation.record
    table = presentation.data().to_pandas().to_string(max_rows=ROWS, max_cols=COLUMNS, float_format=_digits)
    return "\n".join([headline(record.summary()), *(f"note: {notice}" for notice in record.notices), table])


def record_html(presentation: Presentation[Any]) -> str:
    """A fragment of HTML that needs nothing from elsewhere."""
    summary = presentation.record.summary()
    notices = "".join(f"<li>{escape(notice)}</li>" for notice in presentation.record.notices)
    table = presentation.data().to_pandas().to_html(max_rows=ROWS, max_cols=COLUMNS, float_format=_digits)
    return (
        f"<div><p><strong>{escape(headline(summary))}</strong></p>"
        + (f"<ul>{notices}</ul>" if notices else "")
        + table
        + f'<p><img alt="{escape(summary["kind"])}" '
        + f'src="data:image/png;base64,{_picture(presentation)}"></p></div>'
    )


def headline(summary: Mapping[str, Any], units: DisplayUnits = SI) -> str:
    """What was computed, in a line."""
    parts = [summary["kind"].replace("_", " ")]
    if "subject" in summary:
        parts.append(f"of {summary['subject']}: {stability_words(summary, units)}")
    if "body" in summary:
        parts.append(f"of {summary['body']}")
    speed = summary.get("speed_rad_s")
    if speed:
        parts.append(f"at {units.words(speed, 'rad/s')}")
    if summary.get("frame", "fixed") != "fixed":
        parts.append(f"in the {summary['frame']} frame")
    changed = [f"{term} {value:g}" for term, value in summary.get("terms", {}).items() if value != 1]
    if changed:
        parts.append(f"with {', '.join(changed)}")
    return " ".join(parts)


def stability_words(summary: Mapping[str, Any], units: DisplayUnits) -> str:
    """Whether a motion is stable, where, and whether it is elsewhere."""
    words = "stable" if summary["stable"] else "UNSTABLE"
    scan = summary.get("scan")
    if scan is None:
        return words
    name, unit = scan["parameter"], scan["unit"]
    value = summary["parameters"].get(name)
    if value is not None:
        shown = units.words(value, unit) if unit else f"{value:.6g}"
        words += f" at {name.replace('_', ' ')} {shown}"
    count = len(scan["unstable_ranges"])
    return f"{words}, {count or 'no'} unstable range{'' if count == 1 else 's'} in the scan"


def _digits(value: float) -> str:
    return f"{value:.6g}"


def _picture(presentation: Presentation[Any]) -> str:
    from matplotlib import pyplot

    axes = draw(presentation.figure())
    if axes == []:
        return ""
    figure: Any = (axes[0] if isinstance(axes, list) else axes).figure
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=RESOLUTION)
    pyplot.close(figure)  # else the notebook would show it a second time
    return b64encode(stream.getvalue()).decode()
