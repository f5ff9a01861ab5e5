"""How the equilibrium of a system is shown."""

from collections.abc import Sequence

import numpy as np

from flexframe.analyses.statics.system_record import LoadCurve, SystemStatics
from flexframe.analyses.transient.coupled_presentation import bases_blocks, strain_checks
from flexframe.multibody.division.exact import STRESS_ALONG
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
)
from flexframe.presentation.mechanism_scene import mechanism_scene
from flexframe.presentation.presentation import Bars, DataTable, Figure, Presentation, sizes
from flexframe.presentation.scenes import Block, Scene

_ROUNDING = 1e-9  # part of the largest that is zero: how well an equilibrium is met


class SystemStaticsPresentation(Presentation[SystemStatics]):
    """Stability, the bodies where they rest, what joints and springs carry."""

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        largest = record.largest_displacements
        figures = [
            KeyValue("Equilibrium", record.stability),
            KeyValue("Degrees of freedom", len(record.eigenvalues)),
            KeyValue("Potential energy", record.potential, "J", "weight, springs and strain", 6),
        ]
        if len(record.eigenvalues):
            note = f"tangent stiffness over mass; mostly {record.loosest}"
            figures.insert(
                1, KeyValue("Smallest eigenvalue", float(record.eigenvalues[0].real), "rad²/s²", note, 5)
            )
        if largest:
            body = max(largest, key=lambda n: largest[n])
            figures.append(KeyValue("Elastic displacement", largest[body], "m", f"largest, {body}", 5))
        for number, factor in enumerate(record.buckling_factors[:1], start=1):
            note = f"linear, of all loads together, the smallest of {len(record.buckling_factors)}"
            figures.insert(number, KeyValue("Buckling factor", float(factor), "", note, 6))
        blocks: list[Block] = [KeyValues(tuple(figures))]
        if record.stability != "stable":
            blocks.append(Notice("info", f"The position is {record.words}."))
        blocks += [Notice("info", text) for text in record.notices]
        blocks += [_scene(name, record), _positions(record)]
        blocks.append(_joints(record))
        if record.springs:
            blocks.append(_springs(record))
        if record.stress:
            columns = (Column("body"), Column("measure"), Column("largest", "Pa", 5), Column("where"))
            rows = tuple((b, p.measure.replace("_", " "), p.value, p.words) for b, p in record.stress.items())
            exact = any(found.exact for found in record.reductions)
            words = f"Largest stress. Of exact beams, {STRESS_ALONG}." if exact else "Largest stress"
            blocks.append(Table(columns, rows, words))
        if record.path is not None and record.path.displacements:
            blocks.append(_path(record.path))
        if record.reductions:
            blocks += bases_blocks(record.reductions)
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Stability, where bodies rest, and what joints, drives and springs carry."""
        summary = self.record.summary()
        length = self.record.motion.mechanism.length
        largest = _scales(self.record)[0]
        rows: list[tuple[Cell, ...]] = [
            (
                f"equilibrium: {summary['stability']} (smallest eigenvalue)",
                summary["smallest_eigenvalue_rad2_s2"],
                "rad²/s²",
            )
        ]
        for name, body in summary["bodies"].items():
            rows.append((f"{name} at", _list_values(body["position_m"], length), "m"))
            if "angle_rad" in body:
                rows.append((f"{name} turned", _round(body["angle_rad"], 1.0), "rad"))
            if "max_elastic_displacement_m" in body:
                rows.append((f"{name} deformed by", body["max_elastic_displacement_m"], "m"))
                rows += _farthest(self.record, name) if name in self.record.strains else []
        rows += [
            (f"force of {name}", _list_values(joint["force_N"], largest), "N")
            for name, joint in summary["joints"].items()
        ]
        rows += [
            (f"drive {name}", _list_values(drive["values"], 0.0), "N, N m")
            for name, drive in summary["drives"].items()
        ]
        for name, spring in summary["springs"].items():
            rows.append((f"{spring['kind'].replace('_', ' ')} {name}", spring["force"], spring["unit"]))
        rows += [
            (f"buckling factor {k}", float(f), "") for k, f in enumerate(self.record.buckling_factors, start=1)
        ]
        rows += [
            (f"largest {name}", found["value"] / 1e6, "MPa")
            if found["unit"] == "Pa"
            else (f"largest {name}", found["value"], found["unit"])
            for name, found in summary["maxima"].items()
        ]
        exact = any(found.exact for found in self.record.reductions)
        words = f"Of exact beams, {STRESS_ALONG}." if exact and self.record.stress else ""
        return (Table((Column("what"), Column("value", "", 6), Column("unit")), tuple(rows), words),)

    def quality(self) -> tuple[Check, ...]:
        return tuple(strain_checks(self.record.strains))

    def data(self) -> DataTable:
        """Force and moment of every joint and drive on its second body, space axes."""
        joints = self.record.forces.joints
        columns = {
            f"{part} {axis}": [float(getattr(found, part)[0, i]) for found in joints.values()]
            for part in ("force", "moment")
            for i, axis in enumerate("xyz")
        }
        return DataTable("joint", list(joints), columns)

    def figure(self) -> Figure:
        """Sizes of the joint forces."""
        joints = self.record.forces.joints
        forces = tuple(float(sizes(found.force[0])) for found in joints.values())
        return Bars(tuple(joints), forces, Axis("force", "N"), self.record.stability)


def _scene(name: str, record: SystemStatics) -> Scene:
    """The bodies where they rest; those of exact beams in true size."""
    return mechanism_scene(
        f"equilibrium-{name}",
        record.motion,
        record.forces,
        displacements={body: shape[None] for body, shape in record.displacements.items()},
        true_size=any(found.exact for found in record.reductions),
    )


def _path(path: LoadCurve) -> Plot:
    series = tuple(Series(name, found, path.factors, markers=True) for name, found in path.displacements.items())
    lines = tuple(ReferenceLine("tangent singular", 0.0, factor) for factor in path.singular)
    return Plot(
        Axis("largest displacement", "m"),
        Axis("load factor"),
        series,
        "Loads that grow from nothing",
        lines,
        caption="Every point is an equilibrium; steps follow the arc of the path.",
    )


def _scales(record: SystemStatics) -> tuple[float, float]:
    """Sizes beside which forces [N] and moments [N m] of joints are judged to be rounding."""
    joints, length = record.forces.joints.values(), record.motion.mechanism.length
    force = max((float(sizes(found.force[0])) for found in joints), default=0.0)
    moment = max((float(sizes(found.moment[0])) for found in joints), default=0.0)
    return max(force, moment / length), max(moment, force * length)


def _farthest(record: SystemStatics, name: str) -> list[tuple[Cell, ...]]:
    """Displacement and rotation of the node of a body that moves most, in the axes of the body."""
    shape = record.displacements[name]
    node = int(np.argmax(sizes(shape[:, :3])))
    mesh = record.motion.mechanism.system.body(name).mesh
    assert mesh is not None
    words, u = f"  its node {mesh.node_label(node)}", shape[node]
    return [
        (f"{words} displaced", _list_values(u[:3].tolist(), float(sizes(u[:3]))), "m"),
        (f"{words} turned", _list_values(u[3:].tolist(), 1.0), "rad"),
    ]


def _list_values(values: Sequence[float], scale: float) -> str:
    return ", ".join(f"{_round(value, scale):.6g}" for value in values)


def _round(value: float, scale: float) -> float:
    """A number, or zero where it is the rounding of numbers of some size."""
    return 0.0 if abs(value) <= _ROUNDING * scale else value


def _positions(record: SystemStatics) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for name in record.motion.names:
        moving, (moved, turned) = record.motion.body(name), record.moved[name]
        angle = None if moving.angles is None else float(np.degrees(moving.angles[0]))
        place = [_round(float(x), record.motion.mechanism.length) for x in moving.positions[0]]
        angle = None if angle is None else _round(angle, 360.0)
        rows.append((name, *place, angle, moved, float(np.degrees(turned))))
    columns = (
        Column("body"),
        *(Column(axis, "m", 6) for axis in "xyz"),
        Column("angle", "°", 6),
        Column("moved", "m", 4),
        Column("turned", "°", 4),
    )
    return Table(columns, tuple(rows), "Where the bodies rest, and how far that is from the start")


def _joints(record: SystemStatics) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for name, found in record.forces.joints.items():
        parts = [
            _round(float(value), scale)
            for vector, scale in zip((found.force[0], found.moment[0]), _scales(record), strict=True)
            for value in vector
        ]
        rows.append((name, found.second, *parts))
    columns = (
        Column("joint or drive"),
        Column("on"),
        *(Column(f"force {axis}", "N", 5) for axis in "xyz"),
        *(Column(f"moment {axis}", "N m", 5) for axis in "xyz"),
    )
    return Table(columns, tuple(rows), "Forces of joints and drives, space axes")


def _springs(record: SystemStatics) -> Table:
    rows = tuple(
        (
            s.name,
            s.kind.replace("_", " "),
            s.coordinate,
            "rad" if s.turns else "m",
            s.force,
            "N m" if s.turns else "N",
        )
        for s in record.springs
    )
    columns = (
        Column("spring"),
        Column("kind"),
        Column("coordinate", "", 6),
        Column("unit"),
        Column("force", "", 6),
        Column("of force"),
    )
    return Table(columns, rows, "Springs")
