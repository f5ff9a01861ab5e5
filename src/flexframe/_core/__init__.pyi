"""What the compiled core offers. Arrays are contiguous; those that are named `made…` or said to be are written."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from flexframe.maths.arrays import Array, BoolArray, IntArray

_Rows = NDArray[Any]
"""Row starts or columns of a sparse matrix: int32 or int64."""
_Entries = NDArray[Any]
"""Entries of a sparse matrix: float64 or complex128."""

LEVEL: str

# meshes: core/include/flexframe/graphs.hpp, core/include/flexframe/overlaps.hpp
def connected_parts(first: IntArray, second: IntArray, made: IntArray, /) -> None: ...
def overlapping_cells(corners: Array, starts: IntArray, margin: float, /) -> list[int] | None: ...

# sparse patterns: core/include/flexframe/sparse_patterns.hpp
def node_pairs(node_count: int, tables: Sequence[IntArray], wide: bool, /) -> tuple[_Rows, _Rows]: ...
def add_scalars(starts: _Rows, columns: _Rows, nodes: IntArray, blocks: Array, made: Array, /) -> None: ...
def equation_starts(
    starts: _Rows, columns: _Rows, numbers: IntArray, wanted: BoolArray, made: IntArray, /
) -> None: ...
def equation_columns(
    starts: _Rows, columns: _Rows, numbers: IntArray, made_starts: _Rows, made_columns: _Rows, /
) -> None:
    """Writes `made_columns`."""

def expand_scalars(
    starts: _Rows,
    columns: _Rows,
    scalars: Array,
    numbers: IntArray,
    factor: Array,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: Array,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""

def block_offsets(starts: _Rows, columns: _Rows, numbers: IntArray, made: _Rows, /) -> None: ...
def add_blocks(
    starts: _Rows,
    columns: _Rows,
    offsets: _Rows,
    made_starts: _Rows,
    made_entries: Array,
    numbers: IntArray,
    nodes: IntArray,
    blocks: Array,
    /,
) -> None:
    """Writes `made_entries`."""

def selected_starts(starts: _Rows, columns: _Rows, kept: IntArray, place: IntArray, made: IntArray, /) -> None: ...
def select(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    kept: IntArray,
    place: IntArray,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: _Entries,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""

# sums, products and scaling of sparse matrices: core/include/flexframe/sparse_scaling.hpp
def absolute_product(starts: _Rows, columns: _Rows, entries: _Entries, x: Array, made: Array, /) -> None: ...
def add_scaled(
    starts: _Rows,
    columns: _Rows,
    entries: Array,
    other_starts: _Rows,
    other_columns: _Rows,
    other_entries: Array,
    factor: float,
    made: Array,
    /,
) -> bool: ...
def scaled_maxima(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    row_scale: Array,
    column_scale: Array,
    made_rows: Array,
    made_columns: Array,
    /,
) -> None: ...
def scale(
    starts: _Rows, columns: _Rows, entries: _Entries, row_scale: Array, column_scale: Array, made: _Entries, /
) -> None: ...
def triangle_maxima(starts: _Rows, columns: _Rows, entries: _Entries, scale: Array, made: Array, /) -> None: ...
def upper_starts(starts: _Rows, columns: _Rows, made: _Rows, /) -> None: ...
def fill_upper(
    starts: _Rows,
    columns: _Rows,
    entries: _Entries,
    made_starts: _Rows,
    made_columns: _Rows,
    made_entries: _Entries,
    /,
) -> None:
    """Writes `made_columns` and `made_entries`."""
