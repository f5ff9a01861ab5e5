"""Results for ParaView and other readers of VTK: one .vtu file, or a .pvd file with one .vtu for each time."""

from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np
from typing_extensions import TypeIs

from flexframe.errors import AnalysisError, InputError
from flexframe.exchange.meshio_library import meshio_library
from flexframe.maths.arrays import Array
from flexframe.results.body_fields import BodyFields, body_fields
from flexframe.results.record import Record

if TYPE_CHECKING:
    import xarray

_COLLECTION = """<?xml version="1.0"?>
<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">
 <Collection>
{entries}
 </Collection>
</VTKFile>
"""


def write_paraview(result: "Record | xarray.Dataset", folder: str | Path, name: str) -> tuple[Path, ...]:
    """Write the meshes and fields of a result into a folder; the file to open comes first.

    Modes and statics become NAME.vtu (with several bodies NAME.pvd and a file for each), histories NAME.pvd with
    NAME/BODY_0000.vtu and so on. In histories the points are where they are at that time, on the deformed bodies
    in space; bodies that move as one piece are written with their meshes, or as lines between their points, at up
    to 240 of the instants. Fields keep their double precision: `displacement` and `rotation` relative to the body
    frame, `motion` from the place in the mesh to that in space, the `velocity` in space of bodies that do not
    deform, mode shapes, stress averaged at the nodes.

    Parameters
    ----------
    result
        A record, or its `to_xarray()`.
    folder, name
        Where the files go, and how they are called.

    Returns
    -------
    tuple of Path
        The written files, the one to open first.

    Examples
    --------
    >>> bar = ff.Body.solid(
    ...     "bar", ff.mesh.block((0.4, 0.05, 0.05), (2, 1, 1)), material=ff.STEEL, supports=(ff.Clamp("left"),)
    ... )
    >>> ff.results.write_paraview(ff.modes(bar, count=1), "views", "bending")[0].name
    'bending.vtu'
    """
    dataset = result if _is_dataset(result) else result.to_xarray()
    bodies = [fields for fields in body_fields(dataset) if fields.on_nodes]
    if not bodies:
        kind = dataset.attrs.get("kind", "result")
        raise InputError(f"{name} ({kind}) has no fields on a mesh; write it as csv, or choose another analysis")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if len(bodies) == 1 and bodies[0].times is None:
            path = target / f"{name}.vtu"
            _write_picture(bodies[0], 0, path)
            return (path,)
        return _write_collection(bodies, target, name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AnalysisError(
            f"{target}: {name} cannot be written ({reason}); free space or choose a folder"
        ) from error


def _is_dataset(result: "Record | xarray.Dataset") -> TypeIs["xarray.Dataset"]:
    return hasattr(result, "data_vars")


def _write_collection(bodies: list[BodyFields], target: Path, name: str) -> tuple[Path, ...]:
    (target / name).mkdir(exist_ok=True)
    entries, written = [], []
    for part, fields in enumerate(bodies):
        times = np.zeros(1) if fields.times is None else fields.times
        for picture, time in enumerate(times):
            file = f"{name}/{fields.body}_{picture:04}.vtu"
            _write_picture(fields, picture, target / file)
            written.append(target / file)
            entries.append(f'  <DataSet timestep="{float(time)!r}" part="{part}" file={quoteattr(file)}/>')
    collection = target / f"{name}.pvd"
    collection.write_text(_COLLECTION.format(entries="\n".join(entries)), encoding="utf-8", newline="\n")
    return (collection, *written)


def _write_picture(fields: BodyFields, picture: int, path: Path) -> None:
    mesh = fields.mesh
    splits = mesh.block_starts[1:-1]
    meshio = meshio_library()
    drawn = meshio.Mesh(
        fields.places(picture),
        [(block.cell.name, block.nodes) for block in mesh.blocks],
        point_data={key: _pack(values) for key, values in fields.at(picture).items()},
        cell_data={key: np.split(_pack(values), splits) for key, values in fields.on_cells.items()},
    )
    meshio.write(path, drawn)


def _pack(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=float)
