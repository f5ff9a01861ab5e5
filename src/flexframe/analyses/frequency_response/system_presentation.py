"""How the harmonic response of a system is shown: amplitude and phase, and how all bodies move at the peaks."""

import numpy as np

from flexframe.analyses.campbell.shape_pictures import Shapes
from flexframe.analyses.frequency_response.presentation import amplitude_data, amplitude_plots, amplitude_table
from flexframe.analyses.frequency_response.system_record import SystemResponse
from flexframe.analyses.transient.coupled_presentation import bases_blocks
from flexframe.presentation.blocks import Check, Notice, Table, Words
from flexframe.presentation.drawing import BUDGET
from flexframe.presentation.presentation import DataTable, Presentation
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList


class SystemResponsePresentation(Presentation[SystemResponse]):
    """Amplitude and phase over frequency, moving shapes at the peaks."""

    axes = ("sample",)
    telling = ("peaks.*",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene, shown = _scene(record, f"response-{name}")
        return (
            *self.overview(),
            *(Notice("warning", text) for text in record.notices),
            *amplitude_plots(record, scene.id, shown),
            scene,
            *(bases_blocks(record.reductions) if record.reductions else ()),
        )

    def overview(self) -> tuple[Table, ...]:
        """Largest, first and last amplitude of every sensor."""
        return (amplitude_table(self.record),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        strain = "the section law of exact beams is for small strains"
        rough = "the equations bend sharply at the point: friction at rest, play, a limit that is reached"
        return (
            Check("differences of the equations", record.error, "", 1e-2, rough),
            *(
                Check(f"largest strain of {name}", value, "", 0.02, strain)
                for name, value in record.strains.items()
            ),
            Check("excitation", record.excitation),
            Check("frame", record.frame),
        )

    def data(self) -> DataTable:
        """Amplitude and phase of every sensor."""
        return amplitude_data(self.record)


def _scene(record: SystemResponse, scene_id: str) -> tuple[Scene, int]:
    """The shapes that fit into the page, and their number."""
    drawn = Shapes.of(record.system, record.shapes)
    parts = drawn.parts
    room = BUDGET // (8 * max(1, sum(part.columns * len(part.nodes) for part in parts)))
    shown = int(np.clip(room, 1, len(record.snapshots)))
    shapes = tuple(
        Mode(
            label=Words("peak at {}", (float(record.abscissa[k]),), "Hz", 6),
            displacement=drawn.displacements(0, place),
            frequency=Words("{}", (float(record.abscissa[k]),), "Hz", 6),
        )
        for place, k in enumerate(record.snapshots[:shown])
    )
    about = "the steady rotation, seen in the frame that turns with it" if record.drive else "the equilibrium"
    scene = Scene(
        id=scene_id,
        parts=parts,
        content=ModeList(shapes),
        title="Shapes at the peaks",
        displacement_unit="m",
        caption=f"About {about}, one turn of the phase.",
        view="xy" if record.system.space == "planar" else "corner",
    )
    return scene, shown
