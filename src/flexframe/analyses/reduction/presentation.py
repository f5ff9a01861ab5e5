"""How a reduction is shown: fields of the basis, its errors, mass that takes part."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from flexframe.analyses.reduction.record import Reduction
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Check,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
)
from flexframe.presentation.drawing import drawing, frames_within_budget
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList


class ReductionPresentation(Presentation[Reduction]):
    """Basis fields, frequencies against the body, static answers and mass that takes part."""

    lists: ClassVar = {
        "effective_mass": ("mode", "dof"),
        "coordinates.*": ("coordinate",),
        "error_*": ("mode",),
        "*frequencies_hz": ("mode",),
        "*full_hz": ("mode",),
        "relative_errors": ("mode",),
    }
    telling = ("frequencies_hz", "relative_errors")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        drawn = drawing(record.body, record.mesh, record.model)
        coordinates = record.reduced.basis.coordinates
        shown = frames_within_budget(drawn, len(coordinates))
        fields = tuple(
            Mode(
                label=f"{k + 1}. {coordinates[k].label}",
                displacement=drawn.displacements(record.fields[k]),
                frequency="" if (f := coordinates[k].frequency_hz) is None else f"{f:.6g} Hz",
            )
            for k in range(shown)
        )
        basis = record.reduced.basis
        blocks: list[Block] = [
            KeyValues(
                (
                    KeyValue("Coordinates", record.reduced.size, note=f"of {record.full_size}"),
                    KeyValue("Good below", record.band_hz, "Hz", note=f"frequencies to {record.tolerance:.2g}"),
                    KeyValue("Largest static error", _worst(record), note="energy norm, all unit loads", digits=2),
                    KeyValue("Mass", record.reduced.mass, "kg"),
                )
            ),
            *(Notice("warning", text) for text in record.notices),
            Scene(
                id=f"reduction-{name}",
                parts=drawn.parts,
                content=ModeList(fields),
                title="Fields of the basis",
                caption=f"{basis.strategy}. Frame: {basis.reference}."
                + (
                    f" The first {shown} of {len(coordinates)} fields are drawn."
                    if shown < len(coordinates)
                    else ""
                ),
            ),
            _frequencies(record),
            _error_plot(record),
            _static(record),
        ]
        if record.spinning is not None:
            blocks.append(_spinning(record))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Frequencies of the reduced body against those of the whole one."""
        table = _frequencies(self.record)
        shares = [c.header for c in table.columns if c.header.startswith(("mass ", "inertia "))]
        more = f" Good below {self.record.band_hz:.4g} Hz." if np.isfinite(self.record.band_hz) else ""
        words = f"Frequencies of the reduced body beside those of the body, at rest.{more}"
        return (compact(table, without=shares, caption=words),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        weak = "static answers lack this part (energy norm); add inertia shapes or interfaces"
        return (
            Check("coordinates", f"{record.reduced.size} of {record.full_size}"),
            Check("good below", record.band_hz, "Hz", digits=4),
            Check("largest static error", _worst(record), "", 0.05, weak),
            Check("strategy", record.reduced.basis.strategy),
            Check("mass", record.reduced.mass, "kg", digits=5),
        )

    def data(self) -> DataTable:
        """A row for each mode: reduced and full frequency, error and its estimate."""
        record = self.record
        columns = {
            "frequency_hz": record.frequencies_hz,
            "full_hz": record.full_hz,
            "relative_error": record.errors,
            "error_estimate": record.error_estimates,
            "error_bound": record.error_bounds,
        }
        return DataTable("mode", np.arange(1, len(record.frequencies_hz) + 1), columns)

    def figure(self) -> Figure:
        """Errors of the reduced frequencies, their estimates and the tolerance."""
        plot = _error_plot(self.record)
        tolerance = ReferenceLine("tolerance", intercept=self.record.tolerance)
        return replace(plot, reference_lines=(*plot.reference_lines, tolerance))


def _worst(record: Reduction) -> float:
    return max([0.0, *record.interface_errors.values(), *record.inertia_errors.values()])


def _frequencies(record: Reduction) -> Table:
    columns = (
        Column("mode"),
        Column("reduced", "Hz", 7),
        Column("body", "Hz", 7),
        Column("error", "%", 3),
        Column("estimated error", "%", 3),
        Column("a mode of the body is within", "%", 3),
        *(Column(f"mass {axis}", "%", 3) for axis in "xyz"),
        *(Column(f"inertia {axis}", "%", 3) for axis in "xyz"),
    )
    rows: list[tuple[Cell, ...]] = []
    for k in range(len(record.full_hz)):
        errors = (record.errors[k], record.error_estimates[k], record.error_bounds[k])
        shares = np.where(record.effective_mass[k] > 1e-12, record.effective_mass[k], 0.0)
        rows.append(
            (
                k + 1,
                float(record.frequencies_hz[k]),
                float(record.full_hz[k]),
                *(100 * float(e) if abs(e) > 1e-9 else 0.0 for e in errors),
                *(100 * float(share) for share in shares),
            )
        )
    return Table(
        columns,
        tuple(rows),
        caption="Modes at rest of the reduced body and of the body. The estimate, and the bound within which some "
        "mode of the body lies (not always this one), do not use the modes of the body; mass and inertia are the "
        "effective shares of each mode.",
    )


def _error_plot(record: Reduction) -> Plot:
    floor = 1e-12  # rounding, which a logarithmic axis must not show as an error
    return Plot(
        x=Axis("frequency of the body", "Hz"),
        y=Axis("relative error of the frequency", log=True),
        series=tuple(
            Series(title, record.full_hz, np.maximum(np.abs(values), floor), markers=True, colour=colour)
            for title, values, colour in (
                ("error", record.errors, "blue"),
                ("estimate", record.error_estimates, "orange"),
                ("bound", record.error_bounds, "grey"),
            )
        ),
        title="Accuracy of the modes",
        reference_lines=(VerticalLine(f"good below {record.band_hz:.5g} Hz", record.band_hz),),
    )


def _static(record: Reduction) -> Table:
    rows = [("interface", load, 100 * error) for load, error in record.interface_errors.items()]
    rows += [("inertia", load, 100 * error) for load, error in record.inertia_errors.items()]
    return Table(
        (Column("kind"), Column("unit load"), Column("lacking", "%", 3)),
        tuple(rows),
        caption="Part of the static answer to each unit load that the basis lacks, in energy norm.",
    )


def _spinning(record: Reduction) -> Table:
    spinning = record.spinning
    assert spinning is not None
    pairs = zip(spinning.reduced_hz, spinning.full_hz, strict=True)
    return Table(
        (Column("mode"), Column("reduced", "Hz", 7), Column("body", "Hz", 7), Column("error", "%", 3)),
        tuple(
            (k, float(f), float(full), 100 * float(f / full - 1) if full else None)
            for k, (f, full) in enumerate(pairs, start=1)
        ),
        caption=f"Frequencies in the rotating frame at {spinning.speed_rad_s:.6g} rad/s, all terms.",
    )
