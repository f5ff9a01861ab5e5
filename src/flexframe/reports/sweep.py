"""The report of a sweep: counts, failures, response curves, contours, and what matters most."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from flexframe import __version__
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Code,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    Series,
    Table,
    Text,
)
from flexframe.presentation.scenes import Block, Row
from flexframe.reports.document import Document, Section, render_html
from flexframe.sweeps.plan import measure
from flexframe.sweeps.responses import Response, responses
from flexframe.sweeps.sweep import Sweep

MOST_PLOTS = 40
MOST_CURVES = 8
MOST_FAILURES = 200
LEVELS = 9
COLD, WARM = (31, 92, 190), (205, 45, 45)  # red, green, blue of the lowest and the highest contour


def sweep_report(found: Sweep, case_text: str) -> str:
    """One self-contained page."""
    return render_html(sweep_document(found, case_text))


def sweep_document(found: Sweep, case_text: str) -> Document:
    """What the page says."""
    answering = responses(found)
    sections = [Section("Overview", tuple(_overview(found)))]
    if found.failures:
        sections.append(Section("Failed cases", (_failures(found),)))
    if found.plan.kind == "latin_hypercube" and answering:
        sections.append(Section("What matters", _influence(found, answering)))
    sections.extend(_responses(found, answering))
    sections.append(Section("Case file", (Code(case_text, "yaml", caption=found.case),)))
    return Document(
        title=f"Sweep: {found.title}",
        sections=tuple(sections),
        case_name=found.case,
        version=__version__,
        meta=(("cases", str(len(found.plan.points))), ("computed by", found.runner)),
    )


def _overview(found: Sweep) -> Iterator[Block]:
    total, failed = len(found.plan.points), len(found.failures)
    yield KeyValues(
        (
            KeyValue("cases", total),
            KeyValue("failed", failed),
            KeyValue("time of all cases", found.case_seconds, "s", digits=3),
            KeyValue("waited for", found.wall_seconds, "s", f"for {found.computed} cases", digits=3),
        )
    )
    rows: list[tuple[Cell, ...]] = []
    for place, (name, variation) in enumerate(zip(found.plan.names, found.plan.variations, strict=True)):
        texts = (
            variation.values
            if found.plan.kind == "grid"
            else sorted({point[place] for point in found.plan.points}, key=lambda text: (len(text), text))
        )
        if variation.span is not None:
            span = variation.span
            shown = f"{span.low:g} to {span.high:g} {span.unit}".strip() + (", logarithmic" if span.log else "")
        else:
            shown = ", ".join(texts[:8]) + (", …" if len(texts) > 8 else "")
        rows.append((name, variation.name, shown, len(texts)))
    plan = (
        "Every combination of the values."
        if found.plan.kind == "grid"
        else (f"Latin hypercube of {total} points, seed {found.plan.seed}.")
    )
    columns = (Column("name"), Column("field of the case"), Column("values"), Column("count"))
    yield Table(columns, tuple(rows), caption=plan)
    yield Text(
        "`results.nc` holds every number of every case as one dataset, `cases.jsonl` the cases in the order in "
        "which they finished. `flexframe run` with the same `--set` gives all results of a single case."
    )


def _failures(found: Sweep) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (failed.index, *found.plan.points[failed.index], failed.reason)
        for failed in found.failures[:MOST_FAILURES]
    ]
    more = len(found.failures) - MOST_FAILURES
    caption = f"{more} more are in summary.json." if more > 0 else ""
    columns = (Column("case"), *map(Column, found.plan.names), Column("reason"))
    return Table(columns, tuple(rows), caption=caption)


def _influence(found: Sweep, answering: list[Response]) -> tuple[Block, ...]:
    """Rank correlation of each response with each variation."""
    numeric = [name for name in found.plan.names if found.dataset[name].dtype.kind == "f"]
    rows = []
    for response in answering:
        for component, column in zip(response.components, response.values.T, strict=True):
            label = f"{response.name} {component}".strip()
            cells = [_rank_correlation(found.dataset[name].to_numpy(), column) for name in numeric]
            rows.append((label, *cells))
    columns = (Column("response"), *(Column(name, digits=2) for name in numeric))
    return (
        Table(
            columns,
            tuple(rows),
            caption="Spearman's rank correlation: ±1 when the response only rises or only falls with the value "
            "whatever the others do, 0 when it shows no trend.",
        ),
    )


def _rank_correlation(first: Array, second: Array) -> float | None:
    known = np.isfinite(first) & np.isfinite(second)
    if known.sum() < 3 or np.ptp(second[known]) == 0 or np.ptp(first[known]) == 0:
        return None
    return float(np.corrcoef(_ranks(first[known]), _ranks(second[known]))[0, 1])


def _ranks(values: Array) -> Array:
    """Places in the order; equal values share their mean place."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse])


def _responses(found: Sweep, answering: list[Response]) -> Iterator[Section]:
    """A section for each analysis."""
    for analysis in found.kinds:
        blocks: list[Block] = []
        for response in answering:
            if response.analysis == analysis:
                blocks.extend(_snapshots(found, response))
        if len(blocks) > MOST_PLOTS:
            more = f"Only the first {MOST_PLOTS} plots are shown; results.nc holds everything."
            blocks = [*blocks[:MOST_PLOTS], Notice("info", more)]
        if blocks:
            yield Section(analysis, tuple(blocks))


def _snapshots(found: Sweep, response: Response) -> Iterator[Block]:
    if found.plan.kind != "grid":
        yield from _scatters(found, response)
        return
    axes = sorted(range(len(found.plan.shape)), key=lambda k: -found.plan.shape[k])
    wide = [k for k in axes if found.plan.shape[k] > 1]
    if len(wide) < 2:
        yield _curves(found, response, wide[0] if wide else 0)
        return
    along, across = wide[0], wide[1]
    # further variations stand at their middle values
    fixed = {k: found.plan.shape[k] // 2 for k in range(len(found.plan.shape)) if k not in (along, across)}
    where = ", ".join(f"{found.plan.names[k]} = {found.plan.variations[k].values[i]}" for k, i in fixed.items())
    for number, component in enumerate(response.components):
        values = response.values[..., number]
        for k, i in sorted(fixed.items(), reverse=True):
            values = np.take(values, i, axis=k)
        if along > across:
            values = values.T
        title = f"{response.name} {component}".strip()
        family = _family(found, response, values, (along, across), title=title, where=where)
        contours = _contours(found, response, values, (along, across), title=title, where=where)
        yield family if contours is None else Row((family, contours))


def _axis(found: Sweep, place: int) -> tuple[Axis, Array]:
    """The axis of a variation; texts stand at 0, 1, 2, …"""
    name = found.plan.names[place]
    coordinate = found.dataset[name]
    if coordinate.dtype.kind == "f":
        span = found.plan.variations[place].span
        return Axis(
            name, str(coordinate.attrs.get("units", "")), log=span is not None and span.log
        ), coordinate.to_numpy()
    texts = found.plan.variations[place].values
    shown = ", ".join(f"{k}: {text}" for k, text in enumerate(texts[:MOST_CURVES]))
    return Axis(f"{name} ({shown})"), np.arange(len(coordinate), dtype=float)


def _curves(found: Sweep, response: Response, place: int) -> Plot:
    axis, x = _axis(found, place)
    values = response.values.reshape(len(x), -1)
    series = tuple(
        Series(component or response.name, x, column, markers=len(x) <= 30)
        for component, column in zip(response.components, values.T, strict=True)
    )
    return Plot(x=axis, y=Axis(response.name, response.unit), series=series, title=response.name)


def _family(
    found: Sweep, response: Response, values: Array, places: tuple[int, int], *, title: str, where: str
) -> Plot:
    """Curves along one variation for some values of another."""
    axis, x = _axis(found, places[0])
    texts = found.plan.variations[places[1]].values
    shown = np.unique(np.linspace(0, len(texts) - 1, min(len(texts), MOST_CURVES)).round().astype(int))
    name = found.plan.names[places[1]]
    series = tuple(
        Series(f"{name} {_show(texts[k])}", x, values[:, k], markers=len(x) <= 30)
        for k in shown
        if np.isfinite(values[:, k]).any()
    )
    return Plot(x=axis, y=Axis(response.name, response.unit), series=series, title=title, caption=where)


def _contours(
    found: Sweep, response: Response, values: Array, places: tuple[int, int], *, title: str, where: str
) -> Plot | None:
    """Lines of equal value over two variations; nothing where these are no numbers or too few."""
    numeric = all(found.dataset[found.plan.names[place]].dtype.kind == "f" for place in places)
    finite = values[np.isfinite(values)]
    if not numeric or min(values.shape) < 3 or finite.size == 0 or np.ptp(finite) == 0:
        return None
    from contourpy import contour_generator

    (x_axis, x), (y_axis, y) = _axis(found, places[0]), _axis(found, places[1])
    generator = contour_generator(x, y, np.ma.masked_invalid(values.T), line_type="Separate")
    series = []
    for level in _levels(float(finite.min()), float(finite.max())):
        lines = generator.lines(level)
        if len(lines):
            gap = np.full((1, 2), np.nan)
            points = np.concatenate([part for line in lines for part in (np.asarray(line), gap)])
            label = f"{level:.6g} {response.unit}".strip()
            colour = _shade((level - finite.min()) / np.ptp(finite))
            series.append(Series(label, points[:, 0], points[:, 1], colour=colour))
    x_axis = replace(x_axis, minimum=float(x.min()), maximum=float(x.max()))
    y_axis = replace(y_axis, minimum=float(y.min()), maximum=float(y.max()))
    caption = "Lines of equal value, from blue (low) to red (high)." + (f" {where}." if where else "")
    return Plot(x=x_axis, y=y_axis, series=tuple(series), title=f"{title}, contours", caption=caption)


def _levels(low: float, high: float) -> list[float]:
    """Round values between two: 1, 2 or 5 times a power of ten apart, LEVELS of them at most."""
    coarse = (high - low) / LEVELS
    power = 10.0 ** np.floor(np.log10(coarse))
    step = power * next(digit for digit in (1.0, 2.0, 5.0, 10.0) if digit * power >= coarse * (1 - 1e-9))
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return [k * step for k in range(first, last + 1) if low < k * step < high]


def _show(text: str) -> str:
    """A value with few digits, where it is a number."""
    numbers = measure([text])
    return text if numbers is None else f"{numbers[0][0]:.4g} {numbers[1]}".strip()


def _shade(part: float) -> str:
    """From blue over violet to red."""
    colour = np.array(COLD) * (1 - part) + np.array(WARM) * part
    return "#" + "".join(f"{round(value):02x}" for value in colour)


def _scatters(found: Sweep, response: Response) -> Iterator[Block]:
    for place, name in enumerate(found.plan.names):
        if found.dataset[name].dtype.kind == "f":
            axis, x = _axis(found, place)
            series = tuple(
                Series(component or response.name, x, column, line=False, markers=True)
                for component, column in zip(response.components, response.values.T, strict=True)
            )
            yield Plot(
                x=axis, y=Axis(response.name, response.unit), series=series, title=f"{response.name} over {name}"
            )
