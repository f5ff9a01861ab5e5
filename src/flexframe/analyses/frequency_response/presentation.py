"""How a harmonic response is shown: amplitude and phase, and the shapes at the peaks."""

import numpy as np

from flexframe.analyses.frequency_response.record import FrequencyResponse
from flexframe.analyses.frequency_response.system_record import SystemResponse
from flexframe.presentation.blocks import (
    Axis,
    Check,
    Column,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
    Words,
)
from flexframe.presentation.drawing import drawing, frames_within_budget
from flexframe.presentation.presentation import DataTable, Presentation
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList
from flexframe.presentation.symbols import Carried

AnyResponse = FrequencyResponse | SystemResponse


_LINE = 1e-6  # of the major half axis, below which an orbit is a line


class FrequencyResponsePresentation(Presentation[FrequencyResponse]):
    """Amplitude and phase over frequency or speed, moving shapes at the peaks."""

    axes = ("sample",)
    telling = ("peaks.*",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        carried: Carried = ("masses", "supports", "springs", "loads")
        drawn = drawing(
            record.body,
            record.mesh,
            record.model,
            springs=record.bearings,
            carried=carried,
            turning=record.turning,
        )
        shown = record.snapshots[: frames_within_budget(drawn, len(record.snapshots), 2)]
        unit = "Hz" if record.over == "frequency" else "rad/s"
        shapes = tuple(
            Mode(
                label=Words(
                    "operating speed {}" if k in record.operating_samples else "peak at {}",
                    (float(record.abscissa[k]),),
                    unit,
                    6,
                ),
                displacement=drawn.displacements(record.shapes[place]),
                frequency=Words("{}", (float(record.abscissa[k]),), unit, 6),
            )
            for place, k in enumerate(shown)
        )
        scene = Scene(
            id=f"response-{name}",
            parts=drawn.parts,
            content=ModeList(shapes),
            title="Shapes at the peaks and the operating speeds"
            if record.operating_samples
            else "Shapes at the peaks",
            displacement_unit="m",
            caption="Seen in space, one turn of the phase."
            if record.frame == "inertial"
            else "Seen in the frame of the body, one turn of the phase.",
        )
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("warning", text) for text in record.notices),
        ]
        blocks += amplitude_plots(record, scene.id, len(shown))
        if record.bearing_forces:
            blocks.append(_force_plot(record))
        blocks += _orbit_blocks(record)
        return (*blocks, scene)

    def overview(self) -> tuple[Table, ...]:
        """Critical speeds and balance with verdicts, largest amplitudes of sensors and forces of bearings."""
        record = self.record
        passed = (_passages(record),) if record.passages else ()
        balanced = (_balance(record),) if record.balance else ()
        journals = (_vibrations(record),) if record.vibrations else ()
        forces = (_forces(record),) if record.bearing_forces else ()
        return (*passed, *balanced, *journals, amplitude_table(record), *forces)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (
            Check("largest residual", record.error, "", 1e-3, "ask for more modes in the reduction"),
            Check("load", record.excitation),
            Check("frame", record.frame),
        )

    def data(self) -> DataTable:
        """Amplitude and phase of every sensor."""
        return amplitude_data(self.record)


def amplitude_table(record: AnyResponse) -> Table:
    """Largest, first and last amplitude of every sensor."""
    unit = "Hz" if record.over == "frequency" else "rad/s"
    rows = []
    for name, curve in record.curves.items():
        peak = int(np.argmax(curve.amplitude))
        first, last = float(curve.amplitude[0]), float(curve.amplitude[-1])
        found = (float(curve.amplitude[peak]), curve.unit, float(record.abscissa[peak]))
        rows.append((name, *found, first, last))
    columns = (
        Column("sensor"),
        Column("largest amplitude", "", 6, of_row=True),
        Column("unit"),
        Column(f"at {record.over}", unit, 6),
        Column("first amplitude", "", 6, of_row=True),
        Column("last amplitude", "", 6, of_row=True),
    )
    return Table(columns, tuple(rows))


def amplitude_data(record: AnyResponse) -> DataTable:
    """Amplitude and phase of every sensor over frequency or speed."""
    columns = {
        f"{name}.{part}": getattr(curve, part)
        for name, curve in record.curves.items()
        for part in ("amplitude", "phase_deg")
    }
    return DataTable("frequency_hz" if record.over == "frequency" else "speed_rad_s", record.abscissa, columns)


def amplitude_plots(record: AnyResponse, scene: str, shown: int) -> list[Block]:
    """Amplitude and phase of all sensors, those of one unit together."""
    units = dict.fromkeys(curve.unit for curve in record.curves.values())
    return [block for unit in units for block in _plots(record, unit, scene, shown)]


def _plots(record: AnyResponse, kind: str, scene: str, shown: int) -> list[Block]:
    """Amplitude (logarithmic) and phase of the sensors with one unit; peaks play their shape."""
    targets = np.full(len(record.abscissa), -1, dtype=np.int64)
    targets[record.snapshots[:shown]] = np.arange(shown)
    links = PointLinks(scene, modes=targets)
    curves = {name: curve for name, curve in record.curves.items() if curve.unit == kind}
    x = Axis(record.over, "Hz" if record.over == "frequency" else "rad/s")
    visible = all((curve.amplitude > 0).all() for curve in curves.values())
    amplitude = tuple(
        Series(name, record.abscissa, curve.amplitude, links=links) for name, curve in curves.items()
    )
    phase = tuple(Series(name, record.abscissa, curve.phase_deg, links=links) for name, curve in curves.items())
    return [
        Plot(
            x=x, y=Axis("amplitude", kind, log=visible), series=amplitude, title="Amplitude", caption=record.method
        ),
        Plot(
            x=x,
            y=Axis("phase", "°", minimum=-180.0, maximum=180.0),
            series=phase,
            title="Phase",
            caption="Angle of the answer against the load; negative: the answer lags.",
            height=260,
        ),
    ]


def _passages(record: FrequencyResponse) -> Table:
    """Critical speeds of the curves, amplification factors and margins."""
    percent = 100.0
    rows = tuple(
        (
            p.sensor,
            p.speed_rad_s,
            p.amplification,
            None if p.margin is None else percent * p.margin,
            None if p.required is None else percent * p.required,
            p.verdict,
        )
        for p in sorted(record.passages, key=lambda p: (p.speed_rad_s, p.sensor))
    )
    columns = (
        Column("sensor"),
        Column("critical speed", "rad/s", 6),
        Column("amplification factor", "", 3),
        Column("separation margin", "%", 3),
        Column("required", "%", 3),
        Column("verdict"),
    )
    return Table(
        columns,
        rows,
        caption="Critical speeds: peaks of the amplitudes. The amplification factor is the speed of the peak over "
        "the width at 0.707 of it; where one side does not show, the other is taken twice. Margins are parts of "
        "the nearest operating speed, and required ones those of API 617, 17 (1 − 1/(AF − 1.5)) % below it, 10 % "
        "more above.",
    )


def _balance(record: FrequencyResponse) -> Table:
    """Of every tolerance plane what it may keep, what it has, and the verdict."""
    rows = tuple(
        (
            rotor.rotor,
            rotor.mass_kg,
            rotor.permissible_kg_m,
            plane.plane,
            plane.permissible_kg_m,
            plane.residual_kg_m,
            rotor.reached,
            plane.verdict,
        )
        for rotor in record.balance
        for plane in rotor.planes
    )
    columns = (
        Column("rotor"),
        Column("mass", "kg", 5),
        Column("permissible", "kg m", 4),
        Column("plane"),
        Column("its part", "kg m", 4),
        Column("given in it", "kg m", 4),
        Column("grade reached", "mm/s", 3),
        Column("verdict"),
    )
    return Table(
        columns,
        rows,
        caption=f"Balance in grade G {record.balance[0].grade:g} of ISO 21940-11, for rotors that behave as "
        "rigid: G m/Ω at the highest operating speed, shared between the bearings by the place of the centre of "
        "mass. What is given in a plane is what the unbalances leave there, moved as on a rigid body.",
    )


def _vibrations(record: FrequencyResponse) -> Table:
    """Of every journal its vibration at the operating speeds and its zone."""
    rows = tuple((v.bearing, v.speed_rad_s, v.peak_to_peak_m, v.bound_m, v.zone) for v in record.vibrations)
    columns = (
        Column("journal"),
        Column("at speed", "rad/s", 6),
        Column("peak to peak", "m", 4),
        Column("end of zone A", "m", 4),
        Column("verdict"),
    )
    return Table(
        columns,
        rows,
        caption="Vibration of the journals against their bearings at the operating speeds, where it is worst, "
        "with the unbalance that is given. Zones of ISO 7919-3 are for the whole vibration that is measured on "
        "industrial machines with oil-film bearings; unbalance is a part of it.",
    )


def _forces(record: FrequencyResponse) -> Table:
    rows = []
    for name, force in record.bearing_forces.items():
        most = int(np.argmax(force.major))
        last = float(force.major[-1])
        rows.append((name, float(force.major[most]), float(record.abscissa[most]), last))
    columns = (
        Column("bearing"),
        Column("largest force", "N", 5),
        Column("at speed", "rad/s", 6),
        Column("at the last speed", "N", 5),
    )
    return Table(columns, tuple(rows), caption="Largest rotating forces of bearings, without the weight.")


def _force_plot(record: FrequencyResponse) -> Plot:
    """Half the major axis of the force of every bearing."""
    series = tuple(Series(name, record.abscissa, f.major) for name, f in record.bearing_forces.items())
    visible = all((each.y > 0).all() for each in series)
    return Plot(
        x=Axis("speed", "rad/s"),
        y=Axis("force", "N", log=visible),
        series=series,
        title="Forces of bearings",
        caption="Largest value along the turn of the force that each bearing passes on to what holds it.",
        height=300,
    )


def _orbit_blocks(record: FrequencyResponse) -> list[Block]:
    """Orbits at the highest peak and at the operating speeds, and their parts, where they are no circles."""
    if record.frame != "inertial" or not record.orbits:
        return []
    reach = np.max([orbit.major for orbit in record.orbits.values()], axis=0)
    most = int(np.argmax(reach))
    places = {most: "the highest peak"}
    words = ("the lowest operating speed", "the highest operating speed")
    for k, word in zip(record.operating_samples, words, strict=False):
        places.setdefault(k, word)
    return [block for k, word in places.items() for block in _orbits_at(record, k, word, float(reach[k]))]


def _orbits_at(record: FrequencyResponse, k: int, where: str, reach: float) -> list[Block]:
    """Orbits of all sensors at one sample."""
    side = 1.1 * reach or 1.0
    paths = {name: orbit.path(k) for name, orbit in record.orbits.items()}
    at = (float(record.abscissa[k]),)
    plot = Plot(
        x=Axis("along e1", "m", minimum=-side, maximum=side),
        y=Axis("along e2", "m", minimum=-side, maximum=side),
        series=tuple(Series(name, path[:, 0], path[:, 1]) for name, path in paths.items()),
        title=f"Orbits at {where}",
        caption=Words("At {}, seen in space along the spin axis, which points to the reader.", at, "rad/s", 6),
        height=380,
    )
    columns = [Column("sensor"), *(Column(word, "m", 4) for word in ("major half axis", "minor half axis"))]
    columns += [*(Column(word, "m", 4) for word in ("forward part", "backward part")), Column("whirl")]
    rows = tuple(
        (
            name,
            float(orbit.major[k]),
            float(abs(orbit.minor[k])),
            float(abs(orbit.forward[k])),
            float(abs(orbit.backward[k])),
            _whirl(float(orbit.minor[k]), float(orbit.major[k])),
        )
        for name, orbit in record.orbits.items()
    )
    caption = (
        f"Orbits at {where}, by their parts: a point goes round as the larger part does. Where stations of one "
        "shaft go round both ways, its whirl is mixed."
    )
    return [plot, Table(tuple(columns), rows, caption=caption)]


def _whirl(minor: float, major: float) -> str:
    if abs(minor) <= _LINE * major:
        return "a line: both parts are equal"
    return "forward" if minor > 0 else "backward"
