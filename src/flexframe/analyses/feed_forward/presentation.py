"""How commands are compared: what is left of the vibration, the tip with all of them in one picture, torques."""

import numpy as np

from flexframe.analyses.feed_forward.record import Command, FeedForward
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Axis, Check, Column, KeyValue, KeyValues, Notice, Plot, Series, Table
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block, Row

_WORDS = {
    "none": "as given",
    "zv": "ZV",
    "zvd": "ZVD",
    "ei": "EI",
    "fitted": "fitted",
    "quasi_static": "quasi-static",
    "stable_inversion": "stable inversion",
}


class FeedForwardPresentation(Presentation[FeedForward]):
    """A row for each command; the tip after the end of every command; deflection; commands and torques."""

    axes = ("method",)
    telling = ("methods.*.residual_vibration_m",)

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002 - there are no scenes
        record = self.record
        blocks: list[Block] = [
            KeyValues(self._figures()),
            _table(record),
            *(Notice("info", text) for text in record.notices),
            _after_the_end(record),
            _deflections(record),
            Row((_commands(record), _forces(record))),
        ]
        if any(command.shaper is not None for command in record.commands.values()):
            blocks.append(_robustness(record))
        return tuple(blocks)

    def _figures(self) -> tuple[KeyValue, ...]:
        record = self.record
        found = [
            KeyValue("Mode at the tip", mode.frequency_hz, "Hz", note=f"damping ratio {mode.damping:.3g}")
            for mode in record.modes
        ]
        best = min(record.commands.values(), key=lambda each: each.residual)
        found.append(KeyValue("Least vibration left", best.residual, "m", note=_WORDS[best.method]))
        if "none" in record.commands:
            found.append(KeyValue("As given", record.commands["none"].residual, "m"))
        return tuple(found)

    def overview(self) -> tuple[Table, ...]:
        return (compact(_table(self.record), caption=_table(self.record).caption),)

    def quality(self) -> tuple[Check, ...]:
        checks = []
        for command in self.record.commands.values():
            if command.rounds:
                checks.append(Check("rounds of the inversion", command.rounds))
        return tuple(checks)

    def data(self) -> DataTable:
        """A row for each method."""
        commands = self.record.commands
        columns = {
            "residual_vibration_m": [each.residual for each in commands.values()],
            "largest_deflection_m": [each.deflection for each in commands.values()],
            "command_ends_s": [each.end for each in commands.values()],
            "settled_s": [each.settled for each in commands.values()],
            "largest_force": [each.largest_force for each in commands.values()],
        }
        return DataTable("method", list(commands), columns)

    def figure(self) -> Figure:
        """The tip after the end of every command, and its deflection."""
        return (_after_the_end(self.record), _deflections(self.record))


def _table(record: FeedForward) -> Table:
    unit = "N m" if all(record.turning) else "N" if not any(record.turning) else ""
    columns = (
        Column("command"),
        Column("vibration left", "m", 4),
        Column("of that as given", "%", 3),
        Column("command ends", "s", 5),
        Column("tip settles", "s", 5),
        Column("largest distance from the wanted place", "m", 4),
        Column(
            "largest torque or force" if not unit else "largest torque" if unit == "N m" else "largest force",
            unit,
            4,
        ),
    )
    given = record.commands.get("none")
    rows = tuple(
        (
            _WORDS[command.method],
            command.residual,
            None if given is None or not given.residual else 100 * command.residual / given.residual,
            command.end - command.before,
            None if command.settled is None else command.settled - command.before,
            command.deflection,
            command.largest_force,
        )
        for command in record.commands.values()
    )
    caption = (
        f"Commands and the tip {record.tip}; settled within {record.band * 1e3:.3g} mm of its rest. Times count "
        "from the beginning of the wanted motion; an inverted command begins before it"
    )
    return Table(columns, rows, caption=caption)


def _direction(record: FeedForward) -> Array:
    """Along which the tip vibrates most after the end of the first command: (3,)."""
    first = next(iter(record.commands.values()))
    late = first.times >= first.end
    apart = first.tip[late] - first.rest if late.any() else first.apart
    if not np.abs(apart).max(initial=0.0) > 0:
        return np.array([0.0, 1.0, 0.0])
    way = np.linalg.svd(apart, full_matrices=False)[2][0]
    return np.asarray(way * np.sign(way[np.argmax(np.abs(way))]))


def _after_the_end(record: FeedForward) -> Plot:
    way = _direction(record)
    series = []
    for command in record.commands.values():
        late = command.times >= command.end
        if late.sum() > 1:
            values = (command.tip[late] - command.rest) @ way
            series.append(Series(_WORDS[command.method], command.times[late] - command.end, values))
    shown = ", ".join(f"{x + 0.0:.3g}" for x in np.round(way, 6))
    return Plot(
        Axis("time after the end of the command", "s"),
        Axis("tip from its rest", "m"),
        tuple(series),
        title="Vibration of the tip after the command",
        caption=f"Displacement of {record.tip} from its rest along [{shown}], where it vibrates most.",
    )


def _deflections(record: FeedForward) -> Plot:
    way = _direction(record)
    series = tuple(
        Series(_WORDS[command.method], command.times - command.before, command.apart @ way)
        for command in record.commands.values()
    )
    return Plot(
        Axis("time", "s"),
        Axis("tip from its wanted place", "m"),
        series,
        title="Tip beside its wanted motion",
        caption=(
            "Along the same direction; wanted is the motion of the rigid system with the given command, of a "
            "shaped one with that."
        ),
        height=320,
    )


def _shown_drive(record: FeedForward) -> int:
    """The one with the largest torque or force."""
    return int(np.argmax(np.abs(record.rigid_forces).max(axis=0)))


def _commands(record: FeedForward) -> Plot:
    k = _shown_drive(record)
    factor, unit = (180 / np.pi, "deg") if record.turning[k] else (1.0, "m")
    series = tuple(
        Series(_WORDS[each.method], each.times - each.before, factor * each.laws[k].jet(each.times)[0])
        for each in record.commands.values()
    )
    return Plot(
        Axis("time", "s"), Axis("command", unit), series, title=f"Commands of {record.drives[k]}", height=320
    )


def _forces(record: FeedForward) -> Plot:
    k = _shown_drive(record)
    rigid = Series("rigid", record.times, record.rigid_forces[:, k], colour="grey", dashed=True)
    series = [
        Series(_WORDS[each.method], each.times - each.before, each.forces[:, k])
        for each in record.commands.values()
    ]
    turning = record.turning[k]
    return Plot(
        Axis("time", "s"),
        Axis("torque" if turning else "force", "N m" if turning else "N"),
        (*series, rigid),
        title=f"Feed-forward {'torque' if turning else 'force'} of {record.drives[k]}",
        caption="What the drive gives; dashed that of the undeformed system with the given command.",
        height=320,
    )


def _robustness(record: FeedForward) -> Plot:
    """V of the shapers over the frequency."""
    mode = record.modes[0]
    ratio = np.linspace(0.5, 1.5, 201)
    shapers: list[Command] = [each for each in record.commands.values() if each.shaper is not None]
    series = tuple(
        Series(_WORDS[each.method], ratio, 100 * each.shaper.residual(ratio * mode.frequency_hz, mode.damping))
        for each in shapers
        if each.shaper is not None
    )
    return Plot(
        Axis(f"frequency beside {mode.frequency_hz:.4g} Hz"),
        Axis("vibration left", "%"),
        series,
        title="If the frequency is another one",
        caption="What a shaper leaves of the vibration of a mode whose frequency is not the one it is made for.",
        height=300,
    )
