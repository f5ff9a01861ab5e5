"""The report of a harmonic response: amplitude and phase, and the shapes at the peaks."""

import numpy as np

from flexframe.reports.document import (
    Axis,
    Block,
    KeyValue,
    KeyValues,
    Mode,
    Notice,
    Plot,
    PointLinks,
    Scene,
    Section,
    Series,
)
from flexframe.reports.document import Modes as ModeList
from flexframe.reports.pictures import drawing, frames_within_budget
from flexframe.results.frequency_response import FrequencyResponse


def section(name: str, record: FrequencyResponse) -> Section:
    """Figures, amplitude and phase over frequency or speed, moving shapes at the peaks."""
    drawn = drawing(record.body, record.mesh)
    shown = record.snapshots[: frames_within_budget(drawn, len(record.snapshots), 6)]
    unit = "Hz" if record.over == "frequency" else "rad/s"
    shapes = tuple(
        Mode(
            label=f"peak at {record.abscissa[k]:.6g} {unit}",
            displacement=(drawn.shown(record.shapes[place, :, :3]),),
            frequency=f"{record.abscissa[k]:.6g} {unit}",
        )
        for place, k in enumerate(shown)
    )
    scene = Scene(
        id=f"response-{name}",
        parts=(drawn.part,),
        content=ModeList(shapes),
        title="Shapes at the peaks",
        displacement_unit="m",
        caption="Seen in the frame of the body, one turn of the phase.",
    )
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Load", record.excitation),
                KeyValue("Speed", record.speed_rad_s, "rad/s")
                if record.speed_rad_s is not None
                else _range(record),
                KeyValue("Frame", record.frame),
                KeyValue("Largest residual", record.error, digits=2),
            )
        ),
        *(Notice("warning", text) for text in record.notices),
    ]
    for kind in ("m", "rad"):
        if any(curve.unit == kind for curve in record.curves.values()):
            blocks += _plots(record, kind, scene.id, len(shown))
    return Section(name, (*blocks, scene))


def _range(record: FrequencyResponse) -> KeyValue:
    return KeyValue("Speeds", f"{record.abscissa[0]:.5g} … {record.abscissa[-1]:.5g}", "rad/s")


def _plots(record: FrequencyResponse, kind: str, scene: str, shown: int) -> list[Block]:
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
            y=Axis("phase", "deg", minimum=-180.0, maximum=180.0),
            series=phase,
            title="Phase",
            caption="Angle of the answer against the load; negative: the answer lags.",
            height=260,
        ),
    ]
