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
_UNITS = {
    "mass": "kg",
    "coriolis": "N s/m",
    "structural": "N s/m",
    "stiffness": "N/m",
    "load": "N",
    "invariant": "kg",
}
_SCALARS = {"_kg_m2": "kg m²", "_kg": "kg", "_m": "m"}


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
            title, unit = _TITLES.get(key, key.replace("_", " ")), _unit(key, record)
            blocks.append(Matrix(title, matrix, rows, record.dofs, unit))
        for key, vector in record.vectors.items():
            title, unit = _TITLES.get(key, key.replace("_", " ")), _unit(key, record)
            blocks.append(Matrix(title, vector[None], (), record.dofs, unit))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Size and largest entry of every matrix and vector, and the scalars."""
        record = self.record
        rows: list[tuple[Cell, ...]] = [
            (name, _size(values), _largest(values), _unit(name, record))
            for name, values in {**record.matrices, **record.vectors}.items()
        ]
        rows += [_scalar(name, value) for name, value in record.scalars.items()]
        columns = (Column("part"), Column("size"), Column("largest entry", "", 6), Column("unit"))
        units = "" if _displacements_only(record) else " Entries of rotations have their own SI units."
        words = f"Matrices and vectors of the equation of motion; their entries are in the report.{units}"
        return (Table(columns, tuple(rows), words),)

    def data(self, name: str = "mass") -> DataTable:
        """One matrix with its degrees of freedom."""
        dofs, matrix = self.record.dofs, self.record.matrices[name]
        rows = dofs if matrix.shape[0] == len(dofs) else None
        return DataTable("", rows, dict(zip(dofs, matrix.T, strict=True)))

    def figure(self) -> Figure:
        """Every square matrix."""
        square = {key: m for key, m in self.record.matrices.items() if m.shape[0] == m.shape[1] and m.any()}
        return tuple(Matrix(key, matrix) for key, matrix in square.items())


def _displacements_only(record: Matrices) -> bool:
    """Whether no unknown is a rotation, so that a matrix has one unit."""
    return all(name.split(".")[-1].startswith("u") for name in record.dofs)


def _unit(name: str, record: Matrices) -> str:
    """Of the entries of a matrix or vector, where all have the same."""
    return _UNITS.get(name.partition("_")[0], "") if _displacements_only(record) else ""


def _scalar(name: str, value: float) -> tuple[Cell, ...]:
    """A number whose name ends in its unit."""
    end = next((end for end in _SCALARS if name.endswith(end)), "")
    title = "mass of the body" if name == "mass_kg" else name.removesuffix(end)
    return (title, "", value, _SCALARS.get(end, ""))


def _size(values: Array) -> str:
    return f"{len(values)} × {values.shape[1]}" if values.ndim > 1 else str(len(values))


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))
