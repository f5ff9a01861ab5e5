"""How a linear model is shown: poles first, then Bode, pole map and step response."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.linear_model.record import LinearModel
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.presentation.blocks import (
    Axis,
    Check,
    Column,
    KeyValue,
    KeyValues,
    Matrix,
    Notice,
    Plot,
    ReferenceLine,
    Series,
    Table,
)
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact, logarithmic_decrement
from flexframe.presentation.scenes import Block
from flexframe.presentation.units import QUOTIENT

_SMALL = 8  # states up to which the matrices are written out
_MOST = 8  # curves in a plot
_GONE = 1e-12  # |z| of a motion that ends at the next instant
_MOST_INSTANTS = 5000  # of a step response
_WORDS = {"stable": "die away", "neutral": "neither grow nor die away", "unstable": "grow"}


class LinearModelPresentation(Presentation[LinearModel]):
    """Poles with frequency, damping and decrement; Bode, pole map and step response."""

    axes = ("pole",)
    lists: ClassVar = {
        "poles": ("pole", "part"),
        "states": ("state",),
        "inputs": ("input",),
        "outputs": ("output",),
        "hankel_values": ("state",),
        "multipliers": ("multiplier", "part"),
    }
    telling = ("frequencies_hz", "damping_ratios")

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002 - there are no scenes
        record = self.record
        blocks: list[Block] = [
            KeyValues(_figures(record)),
            *(Notice("warning", text) for text in record.notices),
            _pole_table(record),
        ]
        if record.inputs and record.outputs:
            blocks += _bode(record)
        blocks.append(_pole_map(record))
        if record.inputs and record.outputs:
            blocks += _steps(record)
        if record.reduction is not None and len(record.reduction.hankel_values):
            blocks.append(_hankel(record))
        if record.cycle is not None:
            blocks.append(_multipliers(record))
        blocks.append(_channels(record))
        if record.order <= _SMALL:
            blocks += _matrices(record)
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """A row for each pole, one of each pair; then inputs and outputs."""
        poles = _pole_table(self.record)
        tables = [compact(poles, caption=_headline(self.record))]
        if self.record.cycle is not None:
            tables.append(compact(_multipliers(self.record)))
        if self.record.inputs or self.record.outputs:
            tables.append(compact(_channels(self.record, states=False)))
        return tuple(tables)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        words = "the equations bend within the smallest step of a difference; look for play, friction or limits"
        checks = [Check("differences of two steps", record.error, "", 1e-3, words)]
        if record.reduction is not None:
            checks.append(Check("error bound of the reduction", record.reduction.error_bound))
        if record.cycle is not None:
            words = "the map of the period is not converged to this part; take more instants"
            checks.append(Check("change of the map in its last refinement", record.cycle.error, "", 1e-6, words))
        return tuple(checks)

    def data(self) -> DataTable:
        """A row for each pole."""
        record = self.record
        columns = {
            "frequency_hz": record.frequencies_hz,
            "damping_ratio": record.damping_ratios + 0.0,
            "real": record.poles.real + 0.0,
            "imaginary": record.poles.imag,
        }
        return DataTable("pole", np.arange(1, record.order + 1), columns)

    def figure(self) -> Figure:
        """Bode and pole map."""
        record = self.record
        plots = _bode(record) if record.inputs and record.outputs else []
        return (*plots, _pole_map(record))


def _headline(record: LinearModel) -> str:
    numbers = {"state": record.order, "input": len(record.inputs), "output": len(record.outputs)}
    count = ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for word, number in numbers.items())
    if record.reduction is None:
        return f"{record.point}; {count}"
    bound = f"error at most {record.reduction.error_bound:.3g}"
    return f"{record.point}; {count}, {record.reduction.method} from {record.reduction.full_order} states: {bound}"


def _figures(record: LinearModel) -> tuple[KeyValue, ...]:
    moving = record.exponents[(record.poles.imag > 0) & (np.abs(record.exponents) > record.rest)]
    ratios = -moving.real / np.abs(moving)
    found = [
        KeyValue("Point", record.point),
        KeyValue("States", record.order),
        KeyValue("Free motions", _WORDS[record.stability]),
    ]
    if record.sample_period is not None:
        note = f"half the sampling frequency is {0.5 / record.sample_period:.6g} Hz"
        found.append(KeyValue("From instant to instant", record.sample_period, "s", note))
    if len(ratios):
        found.append(KeyValue("Least damping ratio", float(ratios.min()) + 0.0, note="of poles that oscillate"))
    if record.reduction is not None:
        note = f"{record.reduction.method}, from {record.reduction.full_order} states"
        found.append(KeyValue("Error of the reduction, at most", record.reduction.error_bound, note=note))
    return tuple(found)


def _pole_table(record: LinearModel) -> Table:
    """One of each conjugate pair; of a sampled loop what its motion is between the instants, and the size of z."""
    columns = (
        Column("pole"),
        Column("|z|", "", 6),
        Column("frequency", "Hz", 6),
        Column("damping ratio", "", 4),
        Column("logarithmic decrement", "", 4),
        Column("real part", "1/s", 5),
        Column("time constant", "s", 4),
    )
    rows = []
    sampled = record.sample_period is not None
    shown = zip(record.poles[record.shown], record.exponents[record.shown], strict=True)
    for number, (pole, exponent) in enumerate(shown, start=1):
        still = abs(exponent) <= record.rest
        turning = not still and exponent.imag > 1e-12 * abs(exponent)
        ratio = float(-exponent.real / abs(exponent)) + 0.0 if turning else None
        gone = sampled and abs(pole) <= _GONE  # after one period nothing is left of it
        rows.append(
            (
                number,
                float(abs(pole)) if sampled else None,
                float(exponent.imag / (2 * np.pi)) if turning and not gone else 0.0,
                None if gone else ratio,
                None if gone else logarithmic_decrement(ratio),
                None if gone else 0.0 if still else float(exponent.real) + 0.0,
                float(-1 / exponent.real)
                if not (still or gone) and exponent.real < -1e-10 * abs(exponent)
                else None,
            )
        )
    words = "Poles, one of each conjugate pair"
    if sampled:
        words += "; frequency and damping are those of ln z over the period"
    return Table(columns, tuple(rows), caption=words)


def _channels(record: LinearModel, *, states: bool = True) -> Table:
    lists = (("state", record.states if states else ()), ("input", record.inputs), ("output", record.outputs))
    rows = tuple((word, each.name, each.unit, each.value + 0.0) for word, found in lists for each in found)
    columns = (Column("sort"), Column("name"), Column("unit"), Column("value at the point", "", 5, of_row=True))
    return Table(columns, rows, caption="What is changed, given and seen")


# ---------------------------------------------------------------------- curves


def shown_frequencies(record: LinearModel) -> Array:
    """Hz: those asked for, or from well below the slowest pole to beyond the fastest, dense near resonances."""
    if len(record.frequencies):
        return record.frequencies[record.frequencies > 0]
    poles = record.exponents[record.poles.imag > 0]
    sizes = np.abs(record.exponents)
    sizes = sizes[(sizes > record.rest) & (np.abs(record.poles) > _GONE)] / (2 * np.pi)
    if not len(sizes):
        return np.logspace(-2, 2, 401)
    low, high = sizes.min() / 10, min(sizes.max() * 3, sizes.min() * 1e5)
    if record.sample_period is not None:  # what is faster is seen as something slower
        high = 0.5 / record.sample_period
        low = min(low, high / 10)
    near = []
    for pole in poles:
        width = max(abs(pole.real), 1e-4 * abs(pole)) * np.array(
            [-8, -4, -2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2, 4, 8]
        )
        near.append((pole.imag + width) / (2 * np.pi))
    grid = np.concatenate([np.geomspace(low, high, 401), *near])
    return np.unique(grid[(grid >= low) & (grid <= high)])


def _pairs(record: LinearModel) -> list[tuple[int, int]]:
    found = [(o, i) for i in range(len(record.inputs)) for o in range(len(record.outputs))]
    seen = [(o, i) for o, i in found if record.C[o].any() or record.D[o, i]]
    return (seen or found)[:_MOST]


def _label(record: LinearModel, output: int, given: int) -> str:
    if len(record.inputs) == 1:
        return record.outputs[output].name
    return f"{record.outputs[output].name} by {record.inputs[given].name}"


def _unit(record: LinearModel, output: int, given: int) -> str:
    """Of an answer over what it answers to; a factor has none."""
    above, below = record.outputs[output].unit, record.inputs[given].unit
    return above if below in ("", "1") else f"{above or '1'}{QUOTIENT}{below}"


def _by_unit(record: LinearModel, pairs: list[tuple[int, int]]) -> dict[str, list[tuple[int, int]]]:
    """Outputs and inputs by the unit of the answer."""
    found: dict[str, list[tuple[int, int]]] = {}
    for output, given in pairs:
        found.setdefault(_unit(record, output, given), []).append((output, given))
    return found


def _bode(record: LinearModel) -> list[Plot]:
    """Amplitudes and phases of the outputs over the frequency, a plot of amplitudes for each unit."""
    f = shown_frequencies(record)
    H = record.response(f)
    x = Axis("frequency", "Hz", log=True)
    pairs = _pairs(record)
    plots = []
    for unit, own in _by_unit(record, pairs).items():
        sizes = [Series(_label(record, o, i), f, _positive(np.abs(H[:, o, i]))) for o, i in own]
        visible = any(np.isfinite(each.y).any() for each in sizes)
        caption = f"Amplitude for a unit amplitude of {_input_text(record, own)}."
        y = Axis("amplitude", unit, log=visible)
        title = f"Frequency response of {_output_text(record, own)}"
        plots.append(Plot(x, y, tuple(sizes), title=title, caption=caption))
    turns = [Series(_label(record, o, i), f, _phase(H[:, o, i])) for o, i in pairs]
    return [*plots, Plot(x, Axis("phase", "°"), tuple(turns), title="Phase", height=260)]


def _output_text(record: LinearModel, pairs: list[tuple[int, int]]) -> str:
    return ", ".join(dict.fromkeys(record.outputs[o].name for o, _ in pairs))


def _input_text(record: LinearModel, pairs: list[tuple[int, int]]) -> str:
    return ", ".join(dict.fromkeys(record.inputs[i].name for _, i in pairs))


def _positive(values: Array) -> Array:
    return np.where((values > 0) & np.isfinite(values), values, np.nan)


def _phase(values: ComplexArray) -> Array:
    finite = np.where(np.isfinite(values), values, 1.0)
    return np.degrees(np.unwrap(np.angle(finite)))


def _pole_map(record: LinearModel) -> Plot:
    poles = record.poles
    if record.sample_period is not None:
        turn = np.linspace(np.pi, 0.0, 91)
        circle = [Series("|z| = 1", np.cos(turn), half * np.sin(turn), colour="grey") for half in (1.0, -1.0)]
        found = Series("poles", poles.real + 0.0, poles.imag, line=False, markers=True)
        return Plot(
            Axis("real part of z"),
            Axis("imaginary part of z"),
            (found, *circle),
            title="Poles",
            caption="Inside the circle free motions die away; the angle is 2π × frequency × period.",
        )
    series = Series("poles", poles.real + 0.0, poles.imag / (2 * np.pi), line=False, markers=True)
    return Plot(
        Axis("real part", "1/s"),
        Axis("imaginary part / 2π", "Hz"),
        (series,),
        title="Poles",
        reference_lines=(ReferenceLine("", 0.0, 0.0),),
        caption="Left of zero free motions die away; the height is the frequency.",
    )


def step_duration(record: LinearModel) -> float:
    """s: until the slowest pole has settled, twenty of its periods at most."""
    if record.duration is not None:
        return record.duration
    moving = record.exponents[(np.abs(record.exponents) > record.rest) & (np.abs(record.poles) > _GONE)]
    if not len(moving):
        return 1.0 if record.sample_period is None else 20 * record.sample_period
    slowest = moving[np.argmin(np.abs(moving))]
    settled = 6 / abs(slowest.real) if slowest.real < -1e-6 * abs(slowest) else np.inf
    return float(min(settled, 20 * 2 * np.pi / abs(slowest)))


def _steps(record: LinearModel) -> list[Plot]:
    duration, period = step_duration(record), record.sample_period
    times: Array = np.linspace(0.0, duration, 601)
    caption = "Change of the outputs after a step of an input at t = 0, for each unit of the input."
    if period is not None:
        count = min(max(int(np.ceil(duration / period)), 2), _MOST_INSTANTS)
        times = period * np.arange(count, dtype=float)
        caption += " Lines join the instants of the sampling."
    y = record.step_response(times)
    plots = []
    pairs = [(o, i) for o, i in _pairs(record) if np.isfinite(y[:, o, i]).all()]
    for unit, own in _by_unit(record, pairs).items():
        series = tuple(Series(_label(record, o, i), times, y[:, o, i]) for o, i in own)
        plots.append(
            Plot(
                Axis("time", "s"),
                Axis("" if unit else "value", unit),
                series,
                title=f"Step response of {_output_text(record, own)}",
                caption=caption,
                height=300,
            )
        )
    return plots


def _hankel(record: LinearModel) -> Plot:
    assert record.reduction is not None
    values = record.reduction.hankel_values
    return Plot(
        Axis("state"),
        Axis("Hankel singular value", "", log=bool((values > 0).all())),
        (Series("σ", np.arange(1.0, len(values) + 1), values, markers=True),),
        title="Hankel singular values",
        caption="Twice the sum of those left out bounds the error of the frequency response.",
        height=260,
    )


def _multipliers(record: LinearModel) -> Table:
    assert record.cycle is not None
    rows = tuple(
        (
            number,
            float(abs(value)),
            float(np.degrees(np.angle(value))),
            float(np.log(abs(value)) / record.cycle.period),
        )
        for number, value in enumerate(record.cycle.multipliers, start=1)
    )
    columns = (
        Column("multiplier"),
        Column("size", "", 6),
        Column("angle", "deg", 5),
        Column("growth rate", "1/s", 5),
    )
    words = f"Multipliers of one period of {record.cycle.period:.6g} s, {len(record.cycle.times)} models along it"
    return Table(columns, rows, caption=words)


def _matrices(record: LinearModel) -> list[Matrix]:
    names = {
        "A": (record.states, record.states),
        "B": (record.states, record.inputs),
        "C": (record.outputs, record.states),
        "D": (record.outputs, record.inputs),
    }
    made = []
    for name, (rows, columns) in names.items():
        values = getattr(record, name)
        if values.size:
            made.append(
                Matrix(name, values, tuple(each.name for each in rows), tuple(each.name for each in columns))
            )
    return made
