"""Parts read from one file, or from several that belong together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial, FiledMatrix, FiledModes, Part, Settings
from flexframe.exchange.formats import format_of
from flexframe.exchange.meshing import Meshing
from flexframe.exchange.numbering import Numbering
from flexframe.exchange.units import SI, parse_units
from flexframe.files import ANYWHERE, Folder
from flexframe.maths.arrays import Array, IntArray

Names = str | Path | Iterable[str | Path]


def read_part(
    paths: Names,
    *,
    units: str | None = None,
    materials: Mapping[str, AnyMaterial] | None = None,
    meshing: Meshing | None = None,
    folder: Folder = ANYWHERE,
) -> Part:
    """Read what files of other programs give of a part.

    Several files are put together: nodes of one, matrices or modes of another.

    Parameters
    ----------
    paths
        A file, or several that belong together; endings say the formats.
    units
        What the files are in, such as "mm, N, s, tonne"; SI without it.
    materials
        Materials by the name that the files give them, for those that lack or are to be others.
    meshing
        How finely geometry (STEP, IGES) is meshed.
    folder
        Folder that paths start from.

    Returns
    -------
    Part
        Mesh, properties, matrices, modes: what there is, in SI units.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.block((400.0, 100.0, 100.0), (2, 1, 1)), "block.bdf")
    >>> part = ff.exchange.read_part("block.bdf", units="mm, N, s, tonne")
    >>> part.contents
    ('mesh', 'sets', 'properties')
    >>> [float(x) for x in part.mesh.bounding_box[1].round(6)]
    [0.4, 0.1, 0.1]
    """
    listed = [paths] if isinstance(paths, str | Path) else list(paths)
    if not listed:
        raise InputError("a part needs at least one file; give its name")
    settings = Settings(SI if units is None else parse_units(units), materials or {}, meshing)
    part = merge_parts([read_file(path, settings, folder) for path in listed])
    return replace(part, notices=(*part.notices, *_not_named(settings)))


def _not_named(settings: Settings) -> Iterator[str]:
    """Sentences about given materials that no file has."""
    known = {name.lower() for name in settings.asked}
    names = ", ".join(sorted(settings.asked)) or "none"
    for name in settings.materials:
        if name.lower() not in known:
            yield f"material '{name}' is given, and no cell of the files is of that name (there are: {names})"


def read_file(path: str | Path, settings: Settings, folder: Folder = ANYWHERE) -> Part:
    """What one file gives."""
    with folder.open(path) as file:
        found = format_of(file)
        try:
            return found.part(file, settings)
        except InputError as error:
            if file.short in str(error):
                raise
            raise InputError(f"{file.name}: {error}") from error


def merge_parts(parts: list[Part]) -> Part:
    """What several files give of one part; the mesh is that with cells, and two of the same name are refused.

    Files of modes repeat the mesh, with fewer digits and without properties: that of the other file is taken.
    """
    full = [part for part in parts if part.mesh is not None and part.mesh.dimension > 0]
    made = [part for part in full if part.regions]
    if len(full) > 1 and len(made) == 1 and all(part.modes is not None for part in full if part is not made[0]):
        full = made
    if len(full) > 1:
        raise InputError("two of the files have cells; give one file with the mesh of the part")
    matrices: dict[str, FiledMatrix] = {}
    for part in parts:
        for name, matrix in part.matrices.items():
            if name in matrices:
                raise InputError(f"two of the files have a matrix '{name}'; give one of them")
            matrices[name] = matrix
    modes = [part.modes for part in parts if part.modes is not None]
    reduced = [part.reduced for part in parts if part.reduced is not None]
    if len(modes) > 1 or len(reduced) > 1:
        what = "modes" if len(modes) > 1 else "a reduced body"
        raise InputError(f"two of the files have {what}; give one of them")
    base = next(iter(full), None) or next((part for part in parts if part.mesh is not None), parts[0])
    axes = next((part.node_axes for part in parts if part.node_axes is not None), None)
    return replace(
        base,
        matrices=matrices,
        modes=_in_body_axes(modes[0], axes) if modes else None,
        reduced=next(iter(reduced), None),
        retained=next((part.retained for part in parts if part.retained is not None), None),
        notices=tuple(notice for part in parts for notice in part.notices),
        lacks=tuple(lack for part in parts for lack in part.lacks),
        lost=tuple(lost for part in parts for lost in part.lost),
    )


def _in_body_axes(modes: FiledModes, axes: tuple[IntArray, Array] | None) -> FiledModes:
    """Shapes that are given in axes of each node turned into those of the body."""
    if not modes.turned or axes is None:
        return modes
    labels, turned = axes
    own = Numbering("node", modes.node_labels, np.arange(len(modes.node_labels)))
    known = own.is_known(labels)
    at = own.of(labels[known], "modes")
    shapes = modes.shapes.copy()
    for half in (slice(0, 3), slice(3, 6)):
        shapes[:, at, half] = np.einsum("nij,knj->kni", turned[known], modes.shapes[:, at, half])
    return replace(modes, shapes=shapes, turned=False)
