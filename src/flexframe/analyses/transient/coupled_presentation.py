"""How a coupled motion is shown: deforming bodies, sensors, energies, forces, what the integrator did."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.analyses.exact_bodies import SMALL_STRAIN
from flexframe.analyses.mechanism_tables import peak_forces
from flexframe.analyses.signal_blocks import signal_blocks, signal_table
from flexframe.analyses.transient.coupled_record import PICTURES, CoupledMotion, ReductionFigures
from flexframe.analyses.transient.force_arrows import contact_arrows, following_arrows
from flexframe.analyses.transient.presentation import LOOSE_JOINTS, balance_check, extremes
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.drives import AngleDrive
from flexframe.multibody.contract import Occurrence
from flexframe.multibody.division.exact import SECTION_LAW, STRESS_ALONG
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Check,
    Column,
    Cursor,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
    Text,
    VerticalLine,
)
from flexframe.presentation.drawing import Drawing, frames_within_budget
from flexframe.presentation.mechanism_scene import body_parts, mechanism_scene, shown_instants
from flexframe.presentation.presentation import DataTable, Figure, Presentation, SensorCurves, history, unit_plots
from flexframe.presentation.scenes import Block, History, Row, Scene, Trace
from flexframe.presentation.units import SI
from flexframe.results.peaks import ROUNDING
from flexframe.results.record import thin

POINTS = 1500  # of a curve
_NOTHING = 1e-9  # displacement in lengths of the system that is rounding
BESIDE = 0.05  # size of a path, or distance of two, relative to the largest, that is not worth a line
SIMILAR = 20.0  # ratio of sizes up to which curves share a plot
LISTED = 20  # events and impacts in a table
MOST_LINES = 40  # that mark events in a plot
CHARACTERS = 100  # of names of events beside each other, over the width of a plot
SEEN = 6  # sensors whose values stand beside events
STATED_PEAKS = 2e-3  # error of the largest force of an impact, see docs/theory/contact.md
SHOWN = 0.02  # of the range of a curve: a peak between its instants that is farther outside is worth a word
SMALLEST = 1e-18  # drawn on a logarithmic axis in place of zero
_QUANTITIES = {
    "m": "length",
    "rad": "angle",
    "m/s": "velocity",
    "rad/s": "angular velocity",
    "m/s^2": "acceleration",
    "rad/s^2": "angular acceleration",
    "N": "force",
    "N m": "moment",
    "Pa": "stress",
    "J": "energy",
    "kg m/s": "momentum",
    "kg m^2/s": "moment of momentum",
}
Curve = tuple[str, Array]


class CoupledMotionPresentation(Presentation[CoupledMotion]):
    """The moving system, sensors, energies, residuals and forces, bases of the elastic bodies."""

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene = deforming_scene(f"coupled-{name}", record)
        blocks: list[Block] = list(self._answers())
        if record.stopped:
            text = f"The motion ends early, at t = {record.times[-1]:.6g} s: {record.stopped}."
            blocks.append(Notice("error", text))
        blocks += [Notice("info", text) for text in record.notices]
        blocks += [scene, *_sensor_plots(scene.id, record), *_balance_plots(scene.id, record)]
        blocks += signal_blocks(record.times, self._curves(), record.settling)
        blocks += _force_plots(scene.id, record)
        blocks += _contact_plots(scene.id, record)
        for found in record.stress:
            where = ", ".join(f"{x:.4g}" for x in found.place)
            curve = _plot(
                scene.id,
                record,
                [(found.body, np.interp(record.times, found.times, found.largest / 1e6))],
                title=f"Largest stress of {found.body}",
                axis=Axis(found.measure.replace("_", " "), "MPa"),
            )
            caption = (
                f"Largest of all steps {found.value / 1e6:.5g} MPa at ({where}) m, {found.peak.words}, "
                f"t = {found.time:.5g} s; the curve has the stored instants."
            )
            blocks.append(_with_words(curve, caption))
        if record.reductions:
            blocks += bases_blocks(record.reductions)
        blocks.append(_figures(record))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """The answers; frequencies and settling of sensors where bodies vibrate or settling is asked for."""
        record = self.record
        asked = record.settling if not record.reductions else None
        return self._answers() + signal_table(record.times, self._curves(), record.settling, only=asked)

    def _curves(self) -> dict[str, tuple[str, Array]]:
        return {name: (column.unit, column.values) for name, column in self.record.columns().items()}

    def _answers(self) -> tuple[Table, ...]:
        """Extremes of sensors over all steps and of stress, largest forces of joints, drives, contacts; events."""
        forces = peak_forces(self.record.forces, self.record.force_peaks)
        return extremes(self.record.summary()) + forces + _contact_table(self.record) + _event_tables(self.record)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        start, theory, figures = record.summary()["start"], record.theory_error, record.figures
        deformed = start["max_elastic_displacement_m"]
        if deformed < _NOTHING * record.motion.mechanism.length:
            deformed = 0.0
        small = f"deflections leave the range of the linear theory ({theory.words}); divide the bodies"
        return (
            balance_check(record.energy_drift),
            Check("constraint residual", record.constraint_residual, limit=1e-6, otherwise=LOOSE_JOINTS),
            *([Check("error of the theory", theory.value, limit=1e-2, otherwise=small)] if theory.body else []),
            *strain_checks(record.strains),
            Check(f"deformed at the start ({start['initial_deformation']})", deformed, "m"),
            Check("elastic coordinates", sum(found.size for found in record.reductions)),
            Check("steps", figures.steps),
            Check("computed in", figures.seconds, "s"),
        )

    def sensors(self) -> SensorCurves:
        """What the sensors saw."""
        found = self.record.columns()
        return SensorCurves(self.record.times, {name: (s.unit, s.values) for name, s in found.items()})

    def data(self) -> DataTable:
        """Sensors over time."""
        return history(self.record.times, {name: column.values for name, column in self.record.columns().items()})

    def figure(self) -> Figure:
        """What the sensors saw."""
        curves = {name: (column.unit, column.values) for name, column in self.record.columns().items()}
        plots = unit_plots(Axis("time", "s"), self.record.times, curves)
        return tuple(_with_events(plot, self.record) for plot in plots)


def _storage_text(record: CoupledMotion) -> str:
    words = record.stored_words
    return f"{words[0].upper()}{words[1:]}."


# ---------------------------------------------------------------------- the moving system


def deforming_scene(scene_id: str, record: CoupledMotion) -> Scene:
    """All bodies in motion with the deformation of the elastic ones, which the page can magnify."""
    bodies = record.motion.mechanism.system.bodies
    true_size = any(found.exact for found in record.reductions)
    elastic = [body for body in bodies if body.name in record.displacements]
    shown = {body.name: body_parts(body, "", 1.0, true_size=true_size) for body in elastic}
    drawn = [found for found in shown.values() if isinstance(found, Drawing)]
    room = min((frames_within_budget(found, len(record.snapshots)) for found in drawn), default=PICTURES)
    chosen = thin(len(record.snapshots), max(2, room // max(len(shown), 1)))
    forces = _at(record.forces, record.snapshots[chosen])
    scene = mechanism_scene(
        scene_id,
        forces.motion,
        forces,
        watched=record.watched,
        displacements={name: values[chosen] for name, values in record.displacements.items()},
        true_size=true_size,
    )
    assert isinstance(scene.content, History)
    instants = record.snapshots[chosen][shown_instants(len(chosen))]
    pushing = contact_arrows(record, instants)
    whose = [*(["joints and drives"] if forces.joints else []), *(["contacts"] if pushing else [])]
    arrows = (*scene.content.arrows, *pushing, *following_arrows(record, instants))
    return replace(
        scene,
        content=replace(scene.content, traces=_distinct(scene.content.traces), arrows=arrows),
        title="Motion and deformation" if shown else "Motion",
        caption=f"Arrows are the forces of {' and '.join(whose)} on their second body." if whose else "",
    )


def _distinct(traces: Sequence[Trace]) -> tuple[Trace, ...]:
    """Paths that are seen, without those that run beside another: sides of a joint differ by deformation."""
    kept: list[Trace] = []
    sizes = [float(np.ptp(trace.points, axis=0).max()) for trace in traces]
    near = BESIDE * max(sizes, default=0.0)
    for trace, size in zip(traces, sizes, strict=True):
        if size > near and not any(np.abs(trace.points - other.points).max() < near for other in kept):
            kept.append(trace)
    return tuple(kept)


def _at(forces: MechanismForces, instants: IntArray) -> MechanismForces:
    """Motion and forces at some of the instants."""
    motion = forces.motion
    some = replace(
        motion,
        times=motion.times[instants],
        configuration=motion.configuration.at(instants),
        velocities=motion.velocities.at(instants),
        accelerations=motion.accelerations.at(instants),
    )
    joints = {
        name: replace(
            found,
            places=found.places[instants],
            force=found.force[instants],
            moment=found.moment[instants],
            values=found.values[instants],
        )
        for name, found in forces.joints.items()
    }
    return MechanismForces(some, joints, forces.multipliers[instants], forces.balance)


# ---------------------------------------------------------------------- curves


def _plot(scene: str, record: CoupledMotion, curves: Sequence[Curve], *, title: str, axis: Axis) -> Plot:
    kept = thin(len(record.times), POINTS)
    times = record.times[kept]
    series = tuple(
        Series(name, times, values[kept], links=PointLinks(scene, times=times)) for name, values in curves
    )
    seen = record.times[record.snapshots]
    plot = Plot(Axis("time", "s"), axis, series, title=title, cursor=Cursor(scene, seen, seen), height=300)
    return _with_events(plot, record)


def _with_events(plot: Plot, record: CoupledMotion) -> Plot:
    """A plot over time with a thin line where something happened; crowded ones are left out and counted."""
    lines = event_lines(record.events, float(record.times[-1] - record.times[0]))
    if not lines:
        return plot
    some = "" if len(lines) == len(record.events) else f"Lines mark {len(lines)} of {len(record.events)} events."
    return replace(plot, reference_lines=(*plot.reference_lines, *lines), caption=some)


def event_lines(events: Sequence[Occurrence], duration: float) -> tuple[VerticalLine, ...]:
    """Lines at events that are apart by a part of the duration, with the names for which there is room.

    The first of those that crowd is kept, and the one that ends the motion.
    """
    kept: list[Occurrence] = []
    for event in sorted(events, key=lambda found: (not found.ends, found.time)):
        if all(abs(event.time - other.time) >= duration / MOST_LINES for other in kept):
            kept.append(event)
    lines, free = [], -np.inf
    for event in sorted(kept, key=lambda found: found.time):
        fits = event.time >= free
        if fits:
            free = event.time + duration * (len(event.title) + 2) / CHARACTERS
        lines.append(VerticalLine(event.title if fits else "", event.time))
    return tuple(lines)


def _with_words(plot: Plot, words: str) -> Plot:
    """A plot with a sentence before its caption."""
    return replace(plot, caption=f"{words} {plot.caption}".strip())


def _sensor_plots(scene: str, record: CoupledMotion) -> list[Block]:
    """A plot for every vector; single numbers of one unit share a plot where they are of similar size."""
    plots: list[Block] = []
    singles: list[tuple[str, float, dict[str, Curve]]] = []
    for name, sensor in record.sensors.items():
        title = name.replace("_", " ")
        if sensor.components:
            axis = Axis(_QUANTITIES.get(sensor.unit, "value"), sensor.unit)
            plot = _plot(scene, record, list(sensor.columns().items()), title=title, axis=axis)
            plots.append(_with_peaks(plot, record, [name]))
            continue
        span = float(np.ptp(sensor.values)) or float(np.abs(sensor.values).max(initial=0.0))
        for unit, size, curves in singles:
            if unit == sensor.unit and span < SIMILAR * size and size < SIMILAR * span:
                curves[name] = (title, sensor.values)
                break
        else:
            singles.append((sensor.unit, span, {name: (title, sensor.values)}))
    for unit, _, curves in singles:
        axis = Axis(_QUANTITIES.get(unit, "value"), unit)
        titles = ", ".join(title for title, _ in curves.values())
        plot = _plot(scene, record, list(curves.values()), title=titles, axis=axis)
        plots.append(_with_peaks(plot, record, list(curves)))
    return plots


def _with_peaks(plot: Plot, record: CoupledMotion, names: Sequence[str]) -> Plot:
    """A plot with points for peaks within steps that curves at the stored instants do not show."""
    points = []
    for name in names:
        sensor = record.sensors[name]
        columns = sensor.columns()
        for component, peaks in sensor.extremes(record.times).items():
            values = columns[component]
            least = SHOWN * float(np.ptp(values))
            points += [
                (at, value)
                for value, at, over in (
                    (peaks.least, peaks.least_at, values.min() - peaks.least),
                    (peaks.largest, peaks.largest_at, peaks.largest - values.max()),
                )
                if over > least
            ]
    if not points:
        return plot
    x, y = np.array(sorted(points)).T
    marked = Series("peaks between the stored instants", x, y, colour="red", line=False, markers=True)
    return replace(plot, series=(*plot.series, marked))


def _balance_plots(scene: str, record: CoupledMotion) -> list[Block]:
    energies = [(name, values) for name, values in record.energies.items() if np.abs(values).max(initial=0.0) > 0]
    blocks: list[Block] = []
    if energies:
        blocks.append(_plot(scene, record, energies, title="Energies", axis=Axis("energy", "J")))
    residuals = [("positions", record.position_residuals), ("velocities", record.velocity_residuals)]
    visible = [(name, np.maximum(values, SMALLEST)) for name, values in residuals if values.any()]
    misfit = np.abs(record.energy_misfit)
    plots: list[Block] = []
    if misfit.any():
        axis = Axis("misfit, relative", log=True)
        curve = ("energy balance", np.maximum(misfit, SMALLEST))
        balance = _plot(scene, record, [curve], title="Energy balance", axis=axis)
        words = f"Misfit up to {record.energy_drift:.2g}: {record.balance_words}."
        plots.append(_with_words(balance, words))
    if visible:
        axis = Axis("residual, relative", log=True)
        plots.append(_plot(scene, record, visible, title="Residuals of joints and drives", axis=axis))
    if len(plots) > 1:
        return [*blocks, Row(tuple(plots))]
    return [*blocks, *plots]


def _contact_table(record: CoupledMotion) -> tuple[Table, ...]:
    """Largest normal forces over all steps, those within an impact too; of impulsive contacts those at rest."""
    contacts = record.motion.mechanism.system.all_contacts
    thrown = {contact.name for contact in contacts if contact.law.kind == "impulsive"}
    tables = []
    for turning, unit in ((False, "N"), (True, "N m")):
        what = "moment of a stop" if turning else "normal force"
        columns = (
            Column("contact"),
            Column(f"largest {what}", unit),
            Column("at t", "s"),
            Column("touching", "%"),
        )
        found = {
            name: each
            for name, each in record.contacts.items()
            if each.turning == turning and (name not in thrown or each.peak)
        }
        if not found:
            continue
        rows = [(name, each.peak, each.peak_at, 100 * each.touching) for name, each in found.items()]
        caption = "Stops of hinges" if turning else "Contacts"
        if found.keys() - thrown:
            caption += f", forces over all steps, to {100 * STATED_PEAKS:g} % by the steps within an impact"
        if thrown & found.keys():
            depth = max(-float(np.min(found[name].gap)) for name in thrown & found.keys())
            caption += "; forces of impulsive ones are those at rest"
            if depth > 0:
                caption += f", where supports yield by {SI.words(depth, 'rad' if turning else 'm', 2)} at most"
            caption += "; impulses are in the table of impacts"
        tables.append(Table(columns, tuple(rows), caption))
    lost = record.lost_in_contacts
    if tables and lost:
        last = tables[-1]
        tables[-1] = replace(last, caption=f"{last.caption}; contacts take {SI.words(lost, 'J', 5)} in all")
    return tuple(tables)


def _event_tables(record: CoupledMotion) -> tuple[Table, ...]:
    """When events happened, and impacts with what they took; the first of them where they are many."""
    others = [found for found in record.events if found.speed is None]
    tables: list[Table] = []
    for turning, speed, impulse in ((False, "m/s", "N s"), (True, "rad/s", "N m s")):
        impacts = [found for found in record.events if found.speed is not None and found.turning == turning]
        if not impacts:
            continue
        columns = (
            Column("impact"),
            Column("at t", "s", 7),
            Column("speed before", speed),
            Column("impulse", impulse),
        )
        rows = [
            (
                found.title,
                found.time,
                found.speed,
                found.impulse,
                found.lost,
                "comes to rest" if found.rests else "",
            )
            for found in impacts
        ]
        lost = sum(found.lost or 0.0 for found in impacts)
        words = f"; they take {SI.words(lost, 'J', 5)} in all"
        tables.append(
            _first_rows((*columns, Column("lost energy", "J"), Column("remark")), rows, "impacts", words)
        )
    if others:
        curves = record.columns()
        seen = {
            name: (unit, _unless_rounding(values, curves[name].values))
            for name, (unit, values) in list(record.at_events().items())[:SEEN]
        }
        happened = [
            (found.title, found.time, *(values[k] for _, values in seen.values()), _remark(found))
            for k, found in enumerate(record.events)
            if found.speed is None
        ]
        sensors = (Column(name.replace("_", " "), unit, 5) for name, (unit, _) in seen.items())
        named = (Column("event"), Column("at t", "s", 7), *sensors, Column("motion"))
        if len(others) > len({found.name for found in others}):  # how long each state of a cycle lasts
            since = [None, *np.diff([found.time for found in others]).tolist()]
            happened = [(*row[:2], after, *row[2:]) for row, after in zip(happened, since, strict=True)]
            named = (*named[:2], Column("after the last", "s", 4), *named[2:])
        tables.append(_first_rows(named, happened, "events", ", with what sensors see right after them"))
    return tuple(tables)


def _unless_rounding(values: Sequence[float | None], over: Array) -> list[float | None]:
    """What a sensor sees at events, zero where it is rounding beside what it sees over the motion."""
    least = ROUNDING * float(np.abs(over).max(initial=0.0))
    return [value if value is None or abs(value) > least else 0.0 for value in values]


def _remark(event: Occurrence) -> str:
    if event.ends:
        return "ends"
    return "" if event.rests is None else "shapes that rested part"


def _first_rows(columns: tuple[Column, ...], rows: Sequence[tuple[Cell, ...]], what: str, more: str) -> Table:
    """The first rows, and later ones with a remark."""
    words = f"All {what}" if len(rows) <= LISTED else f"The first {LISTED} of {len(rows)} {what}"
    marked = [row for row in rows[LISTED:] if row[-1]][:LISTED]
    if marked:
        words += " and later ones with a remark"
    return Table(columns, (*rows[:LISTED], *marked), f"{words}{more}.")


def _contact_plots(scene: str, record: CoupledMotion) -> list[Block]:
    plots: list[Block] = []
    for turning in (False, True):
        some = {name: found for name, found in record.contacts.items() if found.turning == turning}
        if not some:
            continue
        of_gap, of_force = next(iter(some.values())).units
        what, size = ("stops of hinges", "moment") if turning else ("contacts", "force")
        forces = [(name, found.normal) for name, found in some.items() if found.normal.any()]
        gaps = [(name, found.gap) for name, found in some.items()]
        if forces:
            title = "Moments of stops of hinges" if turning else "Normal forces of contacts"
            curves = _plot(scene, record, forces, title=title, axis=Axis(size, of_force))
            words = f"At the stored instants; an impact between two of them is in the table of {what}."
            plots.append(_with_words(curves, words))
        plots.append(_plot(scene, record, gaps, title=f"Gaps of {what}", axis=Axis("gap", of_gap)))
    return plots


def _force_plots(scene: str, record: CoupledMotion) -> list[Block]:
    blocks: list[Block] = []
    links = [found for found in record.forces.joints.values() if not found.drive]
    rounding = 0.0
    for what, unit in (("force", "N"), ("moment", "N m")):
        sizes = [(found.name, np.linalg.norm(getattr(found, what), axis=1)) for found in links]
        largest = max((values.max(initial=0.0) for _, values in sizes), default=0.0)
        shown = [curve for curve in sizes if curve[1].max(initial=0.0) > max(1e-9 * largest, rounding)]
        rounding = 1e-12 * largest * record.motion.mechanism.length  # of forces, in moments
        if shown:
            blocks.append(_plot(scene, record, shown, title=f"Joint {what}s", axis=Axis(what, unit)))
    turning = [d.name for d in record.motion.mechanism.system.drives if isinstance(d, AngleDrive)]
    for found in record.forces.joints.values():
        if not found.drive:
            continue
        what, unit = ("torque", "N m") if found.name in turning else ("force", "N")
        several = found.values.shape[1] > 1
        curves = [(f"{found.name} {i + 1}" if several else found.name, v) for i, v in enumerate(found.values.T)]
        title = f"{what.capitalize()} of {found.name}"
        blocks.append(_plot(scene, record, curves, title=title, axis=Axis(what, unit)))
    return blocks


# ---------------------------------------------------------------------- tables


def bases_blocks(reductions: Sequence[ReductionFigures]) -> list[Block]:
    """Which coordinates elastic bodies have, and how good they are; the section law of exact beams."""
    rows: list[tuple[Cell, ...]] = []
    for found in reductions:
        if found.exact:
            rows.append((found.body, f"{found.strategy}; frame: {found.reference}", f"{found.size}", None, None))
            continue
        statics = max((*found.interface_errors.values(), *found.inertia_errors.values()), default=0.0)
        words = found.strategy + (" (chosen by default)" if found.by_default else "")
        kept = f"{found.size} of {found.full_size}"
        rows.append((found.body, f"{words}; frame: {found.reference}", kept, found.band_hz, 100 * statics))
    columns = (
        Column("body"),
        Column("coordinates"),
        Column("kept"),
        Column("modes within 1 % below", "Hz", 4),
        Column("largest static error", "%", 3),
    )
    exact = any(found.exact for found in reductions)
    law = [Text(f"Exact beams: {SECTION_LAW}; {STRESS_ALONG}.")] if exact else []
    return [Table(columns, tuple(rows), "Coordinates of the elastic bodies"), *law]


def strain_checks(strains: Mapping[str, float]) -> list[Check]:
    """The largest strain of bodies of exact beams."""
    words = (
        "the section law is linear and meant for small strains; where the material does not follow it, stiffness "
        "and stress are others"
    )
    return [
        Check(f"largest strain of {body}", 100 * strain, "%", 100 * SMALL_STRAIN, words)
        for body, strain in strains.items()
    ]


def _figures(record: CoupledMotion) -> Table:
    figures = record.figures
    rows = [
        ("start", record.start.words),
        ("damping", record.damping.words),
        ("integrator", figures.description),
        ("equations by", figures.formalism),
        ("unknowns of a step", f"{figures.unknowns}"),
        ("steps", f"{figures.steps}"),
        ("rejected steps", f"{figures.rejected}"),
        ("Newton iterations", f"{figures.iterations}"),
        ("factorisations", f"{figures.factorisations}"),
        ("seconds", f"{figures.seconds:.4g}"),
        ("geometric stiffening", "on" if record.terms.geometric else "off"),
    ]
    if figures.halved:
        rows.append(("steps taken in halves", f"{figures.halved}"))
    if record.resumed_at is not None:
        rows.append(("taken up again at", f"{record.resumed_at:.6g} s"))
    return Table((Column("what"), Column("value")), tuple(rows), "Integration")
