"""The reports of elastic bodies in a mechanism: frequencies along the cycle, and elastic response."""

from dataclasses import replace

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.reports.document import (
    Axis,
    Block,
    Column,
    Cursor,
    History,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    PointLinks,
    Row,
    Scene,
    Section,
    Series,
    Table,
)
from flexframe.reports.mechanism_scene import mechanism_scene, shown_instants, time_plot
from flexframe.reports.pictures import drawing
from flexframe.results.cycle_spectrum import CycleSpectrum
from flexframe.results.elastic_response import ElasticResponse

POINTS = 1500  # of a curve


def cycle_spectrum_section(name: str, record: CycleSpectrum) -> Section:
    """Frequencies over the crank's position beside the moving mechanism, growth rates, ranges of the branches."""
    scene = f"spectrum-{name}"
    frequencies = record.frequencies_hz
    figures = [
        KeyValue("Elastic", ", ".join(record.bodies), note=f"{record.unknowns} unknowns"),
        KeyValue("Positions", len(record.times), note="at rest in each" if record.at_rest else "in motion"),
        KeyValue(
            "Lowest frequency", float(frequencies[:, 0].min()), "Hz", f"up to {frequencies[:, 0].max():.5g} Hz"
        ),
        KeyValue("Error estimate", record.error_estimate, "", "relative, of the reduced basis", 2),
        KeyValue("Doubtful steps", len(record.ambiguous), note="of following the branches"),
    ]
    growth = record.growth_rates
    plots: list[Block] = [
        _over_cycle(record, scene, frequencies, title="Natural frequencies", label="frequency", unit="Hz")
    ]
    change = 100 * (frequencies / frequencies.mean(axis=0) - 1)
    plots.append(
        _over_cycle(
            record, scene, change, title="Change against the mean of each branch", label="change", unit="%"
        )
    )
    if np.abs(growth).max() > 1e-6 * np.abs(record.eigenvalues).max():
        plots.append(
            _over_cycle(record, scene, growth, title="Frozen growth rates", label="growth rate", unit="1/s")
        )
    rows = tuple(
        (
            k + 1,
            float(f.min()),
            float(f.max()),
            100 * float(f.max() / f.min() - 1) if f.min() else None,
            float(g.max()),
        )
        for k, (f, g) in enumerate(zip(frequencies.T, growth.T, strict=True))
    )
    blocks: list[Block] = [
        KeyValues(tuple(figures)),
        *(Notice("info", text) for text in record.notices),
        Row((mechanism_scene(scene, record.motion), plots[0])),
        *plots[1:],
        Table(
            (
                Column("branch"),
                Column("lowest", "Hz", 7),
                Column("highest", "Hz", 7),
                Column("range", "%", 3),
                Column("largest growth rate", "1/s", 3),
            ),
            rows,
            caption=f"Branches are counted at the first position. {record.method}.",
        ),
    ]
    return Section(name, tuple(blocks))


def elastic_response_section(name: str, record: ElasticResponse) -> Section:
    """Deforming mechanism, sensors, forces with and without elasticity, stress with the place of its maximum."""
    scene = f"response-{name}"
    figures = [
        KeyValue("Elastic", ", ".join(record.bodies), note=record.basis),
        KeyValue("Steps", record.steps, note=record.method),
        KeyValue("Energy balance", record.energy_drift, "", "largest misfit seen at the steps, relative", 2),
    ]
    if record.damping.parts:
        figures.append(KeyValue("Damping", "; ".join(record.damping.parts), note=record.damping.ratio_words))
    if record.periodic is not None:
        largest = float(np.abs(record.periodic.multipliers).max())
        word = "stable" if record.periodic.stable else "unstable"
        figures.append(KeyValue("Largest multiplier", largest, "", f"over one period: {word}", 6))
    for found in record.stress:
        where = ", ".join(f"{x:.4g}" for x in found.place)
        note = (
            f"{found.measure.replace('_', ' ')}, {found.body} at ({where}) m, {found.peak.words}, "
            f"t = {found.time:.5g} s; over all steps"
        )
        figures.append(KeyValue("Largest stress", found.value / 1e6, "MPa", note))
    blocks: list[Block] = [
        KeyValues(tuple(figures)),
        *(Notice("info", text) for text in record.notices),
        deforming_scene(scene, record),
    ]
    times = record.times
    for unit in dict.fromkeys(sensor.unit for sensor in record.sensors.values()):
        curves = [(key, s.values) for key, s in record.sensors.items() if s.unit == unit]
        label = {"m": "displacement", "rad": "rotation", "J": "energy"}.get(unit, "value")
        blocks.append(time_plot(scene, times, curves, title=_titles(label), label=label, unit=unit))
    sizes = [(key, np.linalg.norm(f.force, axis=1)) for key, f in record.joints.items()]
    rigid = [(f"{key}, rigid", np.linalg.norm(f.rigid_force, axis=1)) for key, f in record.joints.items()]
    loaded = [curve for curve in (*sizes, *rigid) if curve[1].max(initial=0.0) > 0]
    if loaded:
        blocks.append(time_plot(scene, times, loaded, title="Joint forces", label="force", unit="N"))
    for found in record.stress:
        blocks.append(_stress_plot(scene, record, found.body, found.times, found.largest / 1e6))
    return Section(name, tuple(blocks))


def deforming_scene(scene_id: str, record: ElasticResponse) -> Scene:
    """The moving mechanism with the deformation of its elastic bodies, which the page can magnify."""
    scene = mechanism_scene(scene_id, record.motion, record.forces)
    assert isinstance(scene.content, History)
    motions = list(scene.content.motions)
    for number, body in enumerate(record.motion.mechanism.system.bodies):
        if body.name in record.displacements and body.mesh is not None:
            shown = drawing(body.name, body.mesh).nodes
            shapes = record.displacements[body.name][:, shown, :3]
            motions[number + 1] = replace(motions[number + 1], displacements=shapes)  # the ground comes first
    return replace(
        scene,
        content=replace(scene.content, motions=tuple(motions)),
        title="Mechanism and deformation",
        caption="Arrows are the forces of the rigid motion.",
    )


def _titles(label: str) -> str:
    return {
        "displacement": "Displacements in the frame of the body",
        "rotation": "Rotations",
        "energy": "Energies",
    }.get(label, label)


def _stress_plot(scene: str, record: ElasticResponse, body: str, times: Array, values: Array) -> Plot:
    kept = shown_instants(len(record.times))
    return Plot(
        x=Axis("time", "s"),
        y=Axis("largest stress", "MPa"),
        series=(Series(body, times, values),),
        title=f"Largest stress of {body}",
        cursor=Cursor(scene, record.times[kept], record.times[kept]),
        height=300,
    )


def _over_cycle(record: CycleSpectrum, scene: str, values: Array, *, title: str, label: str, unit: str) -> Plot:
    """Branches over the crank angle where it grows, else over time; a click shows the position."""
    angle = record.crank_angle_deg
    turning = angle is not None and bool((np.diff(angle) > 0).all())
    x = angle if angle is not None and turning else record.times
    kept = np.unique(np.round(np.linspace(0, len(x) - 1, min(len(x), POINTS))).astype(np.int64))
    frames = shown_instants(len(x))
    return Plot(
        x=Axis("crank angle", "°") if turning else Axis("time", "s"),
        y=Axis(label, unit),
        series=tuple(
            Series(f"branch {k + 1}", x[kept], column[kept], links=PointLinks(scene, times=record.times[kept]))
            for k, column in enumerate(values.T)
        ),
        title=title,
        cursor=Cursor(scene, record.times[frames], x[frames]),
    )
