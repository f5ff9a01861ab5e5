"""The report of the matrices of a small body."""

from flexframe.reports.document import Block, KeyValue, KeyValues, Matrix, Notice, Scene, Section, StaticShape
from flexframe.reports.pictures import drawing
from flexframe.results.records import Matrices

_TITLES = {
    "mass": "m, mass",
    "coriolis": "2c, Coriolis",
    "structural": "structural damping",
    "stiffness_elastic": "k, elastic stiffness",
    "stiffness_geometric": "k_g, geometric stiffness",
    "stiffness_euler": "k(ε), Euler",
    "stiffness_centrifugal": "k(ω²), centrifugal",
    "load_applied": "q, applied load",
    "load_euler": "−q_i(ε), Euler load",
    "load_centrifugal": "−q_i(ω²), centrifugal load",
    "load_origin": "−M_Oᵀ a_O, load of the origin's acceleration",
    "invariant_M_O": "M_O = ∫ρN",
}


def section(name: str, record: Matrices) -> Section:
    """The element, every matrix and load vector of its equation of motion."""
    drawn = drawing(record.body, record.mesh)
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Mass", record.scalars["mass_kg"], "kg"),
                KeyValue("Speed", record.speed_rad_s, "rad/s"),
                KeyValue("Frame", record.frame),
                KeyValue("Degrees of freedom", len(record.dofs)),
            )
        ),
        *(Notice("info", text) for text in record.notices),
        Scene(
            id=f"matrices-{name}",
            parts=(drawn.part,),
            content=StaticShape((None,)),
            title="Body",
            displacement_unit="m",
            height=260,
        ),
    ]
    for key, matrix in record.matrices.items():
        rows = record.dofs if matrix.shape[0] == len(record.dofs) else ("x", "y", "z")
        blocks.append(Matrix(_TITLES.get(key, key.replace("_", " ")), matrix, rows, record.dofs))
    for key, vector in record.vectors.items():
        blocks.append(Matrix(_TITLES.get(key, key.replace("_", " ")), vector[None], (), record.dofs))
    return Section(name, tuple(blocks))
