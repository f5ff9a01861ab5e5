"""How the matrices of a small body are shown."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.matrices.record import Matrices
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Cell, Column, KeyValue, KeyValues, Matrix, Notice, Table
from flexframe.presentation.drawing import drawing
from flexframe.presentation.presentation import DataTable, Figure, Presentation
from flexframe.presentation.scenes import Block, Scene, StaticShape

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


class MatricesPresentation(Presentation[Matrices]):
    """The element, every matrix and load vector of its equation of motion."""

    lists: ClassVar = {
        "dofs": ("dof",),
        "vectors.*": ("dof",),
        "matrices.invariant_M_O": ("axis", "dof"),
        "matrices.*": ("dof", "other_dof"),
    }
    telling = ("scalars.*",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        drawn = drawing(record.body, record.mesh, record.model)
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
                parts=drawn.parts,
                content=StaticShape(drawn.still),
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
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Size and largest entry of every matrix and vector, and the scalars."""
        record = self.record
        rows: list[tuple[Cell, ...]] = [
            (name, f"{len(values)} × {values.shape[1]}" if values.ndim > 1 else str(len(values)), _largest(values))
            for name, values in {**record.matrices, **record.vectors}.items()
        ]
        rows += [(name, "", value) for name, value in record.scalars.items()]
        return (Table((Column("part"), Column("size"), Column("largest entry", "", 6)), tuple(rows)),)

    def data(self, name: str = "mass") -> DataTable:
        """One matrix with its degrees of freedom."""
        dofs, matrix = self.record.dofs, self.record.matrices[name]
        rows = dofs if matrix.shape[0] == len(dofs) else None
        return DataTable("", rows, dict(zip(dofs, matrix.T, strict=True)))

    def figure(self) -> Figure:
        """Every square matrix."""
        square = {key: m for key, m in self.record.matrices.items() if m.shape[0] == m.shape[1] and m.any()}
        return tuple(Matrix(key, matrix) for key, matrix in square.items())


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))
