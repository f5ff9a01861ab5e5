"""How the Campbell diagram of a system is shown."""

from dataclasses import replace

import numpy as np

from flexframe.analyses.campbell.branch_presentation import (
    ROWS,
    TURN,
    branch_columns_left_out,
    branch_data,
    branch_plot,
    critical_overview,
    damping,
    growth_plot,
    has_growth,
    left_out,
    number,
)
from flexframe.analyses.campbell.system_record import BodyShapes, SystemCampbell
from flexframe.analyses.transient.coupled_presentation import bases_blocks
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.presentation.blocks import COLOURS, Check, Column, Notice, Plot, Table, Words
from flexframe.presentation.drawing import BUDGET, Drawing
from flexframe.presentation.mechanism_scene import body_parts
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact, logarithmic_decrement
from flexframe.presentation.scenes import Block, Mode, Part, Scene
from flexframe.presentation.scenes import Modes as ModeList
from flexframe.results.record import thinned


class SystemCampbellPresentation(Presentation[SystemCampbell]):
    """The diagram, moving shapes, branches, critical speeds, growth, coordinates of the bodies."""

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene, snapshots = _scene(name, record)
        blocks: list[Block] = [
            *critical_overview(record, _criticals(record)),
            *(Notice("info", text) for text in record.notices),
            _diagram(record, scene.id, snapshots),
            scene,
            _branches(record),
        ]
        if record.critical_speeds:
            blocks.append(_criticals(record))
        if has_growth(record):
            blocks.append(growth_plot(record, _names(record)))
        if record.reductions:
            blocks += bases_blocks(record.reductions)
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """The critical speeds, then the branches at the first and the last speed."""
        record = self.record
        branches = compact(_branches(record), without=branch_columns_left_out(record), rows=len(record.labels))
        return (*critical_overview(record, _criticals(record)), branches)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        held = "keeps the speed" if record.spin == "held" else "gives the torque of the steady state only"
        large = "the steady state leaves the range of small deflections"
        return (
            Check("steady deflection over length", float(record.deflections.max(initial=0.0)), "", 0.1, large),
            Check("torque at the last speed", float(record.torques[-1]), "N m", digits=4),
            Check(f"drive {record.drive}", held),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Frequencies over speed, a column for each branch."""
        return branch_data(self.record)

    def figure(self) -> Figure:
        """Branches, engine orders and critical speeds."""
        return _diagram(self.record, "campbell", np.arange(len(self.record.snapshots)))


def _drawings(record: SystemCampbell) -> list[Drawing | Part]:
    """The bodies, each in its own axes."""
    size = max(float(np.ptp([s.positions[0] for s in record.shapes], axis=0).max()), 1e-9)
    bodies = record.system.bodies
    extents = [float(np.ptp(body.mesh.points, axis=0).max()) for body in bodies if body.mesh is not None]
    size = max([size, *extents])
    return [body_parts(body, COLOURS[k % len(COLOURS)], size) for k, body in enumerate(bodies)]


def _placed(part: Part, position: Array, rotation: Array) -> Part:
    """A part as it stands in space."""
    skin = None if part.skin is None else replace(part.skin, offsets=part.skin.offsets @ rotation.T)
    return replace(part, nodes=position + part.nodes @ rotation.T, skin=skin)


def _moved(
    drawn: Drawing | Part, body: BodyShapes, mesh: Mesh | None, place: int, branch: int
) -> list[ComplexArray]:
    """Displacements of the parts of a body in a branch, and rotations of those with a skin, in axes of space."""
    if isinstance(drawn, Part) or mesh is None:
        assert isinstance(drawn, Part)
        return [body.displacements(drawn.nodes, place, branch)]
    turn = np.kron(np.eye(2), body.rotations[place])
    found = drawn.displacements(body.in_body(mesh.points, place, branch))
    return [np.asarray(u @ turn[: u.shape[1], : u.shape[1]].T) for u in found]


def _scene(name: str, record: SystemCampbell) -> tuple[Scene, IntArray]:
    """The shapes that fit into the page, and the numbers of their speeds among the kept ones."""
    drawn = _drawings(record)
    parts = [
        _placed(part, body.positions[0], body.rotations[0])
        for found, body in zip(drawn, record.shapes, strict=True)
        for part in ((found,) if isinstance(found, Part) else found.parts)
    ]
    branches = len(record.labels)
    room = BUDGET // (8 * max(1, sum(part.columns * len(part.nodes) for part in parts)) * branches)
    snapshots = thinned(len(record.snapshots), int(np.clip(room, 1, len(record.snapshots))))
    names, shapes = _names(record), []
    triples = list(zip(drawn, record.shapes, record.system.bodies, strict=True))
    for place in snapshots:
        k = record.snapshots[place]
        for b in range(branches):
            moved = [u for found, shape, body in triples for u in _moved(found, shape, body.mesh, int(place), b)]
            shapes.append(
                Mode(
                    label=names[b],
                    displacement=tuple(moved),
                    frequency=f"{record.frequencies_hz[k, b]:.6g} Hz",
                    group=Words("{}", (float(record.speeds[k]) / TURN,), "turns/s"),
                )
            )
    scene = Scene(
        id=f"campbell-{name}",
        parts=tuple(parts),
        content=ModeList(tuple(shapes)),
        title="Mode shapes",
        caption="Seen in the frame that turns with the system, about its steady state.",
        view="xy" if record.system.space == "planar" else "corner",
    )
    return scene, snapshots


def _names(record: SystemCampbell) -> list[str]:
    return [f"{b}. {label}" for b, label in enumerate(record.labels, start=1)]


def _diagram(record: SystemCampbell, scene: str, snapshots: IntArray) -> Plot:
    return branch_plot(
        record,
        record.frequencies_hz,
        names=_names(record),
        colours=[""] * len(record.labels),
        criticals=record.critical_speeds,
        frame="rotating",
        title="Campbell diagram in the frame that turns with the system",
        caption="",
        scene=scene,
        snapshots=snapshots,
    )


def _branches(record: SystemCampbell) -> Table:
    columns = (
        Column("branch"),
        Column("what"),
        *(Column("at", "Hz", 7, at=(float(record.speeds[k]), "rad/s")) for k in (0, -1)),
        Column("damping ratio at the last", "", 3),
        Column("logarithmic decrement", "", 3),
    )
    rows = tuple(
        (
            b + 1,
            label,
            *(number(record.frequencies_hz[k, b]) for k in (0, -1)),
            (ratio := damping(record.damping_ratios[-1, b])),
            logarithmic_decrement(ratio),
        )
        for b, label in enumerate(record.labels)
    )
    stiffening = "on" if record.geometric else "off"
    return Table(columns, rows, caption=f"All branches. {record.method}. Geometric stiffening {stiffening}.")


def _criticals(record: SystemCampbell) -> Table:
    columns = (
        Column("critical speed", "rad/s", 8),
        Column("turns", "turns/s", 6),
        Column("engine order"),
        Column("frequency, rotating frame", "Hz", 6),
        Column("excited by"),
    )
    rows = tuple(
        (c.speed_rad_s, c.speed_rad_s / TURN, c.engine_order, c.frequency_hz, c.excited_by)
        for c in record.critical_speeds[:ROWS]
    )
    return Table(
        columns,
        rows,
        caption="Critical speeds, all crossings. Solved on the branches, steady state included: Im λ(Ω) = eΩ. "
        "Order 0 is a load that turns with "
        "the system." + left_out(record.critical_speeds),
    )
