"""Bodies in the datasets of results: their meshes, and the fields that live on them.

A dataset of one body has `point` (node, axis) and `cells_0_quad8`, … (one variable for each block of cells); in a
dataset of several bodies every name and every dimension of nodes and cells ends with _BODY. Fields on nodes have
the dimension `node` and fields on cells the dimension `cell`; those over time begin with `picture`. Bodies that
move without deforming have a mesh and, in `position` and `rotation` (time, body), the motion of their frames.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import cell_named
from flexframe.mesh.mesh import Mesh
from flexframe.results.record import thin

if TYPE_CHECKING:
    import xarray

Variables = dict[str, Any]
_PICTURES = 240  # of a motion that keeps none, as many as a moving scene shows


def mesh_variables(mesh: Mesh, body: str = "") -> Variables:
    """Points and cells of a mesh as variables of a dataset; `body` is named where the dataset has several."""
    end = f"_{body}" if body else ""
    made: Variables = {f"point{end}": ((f"node{end}", "axis"), mesh.points, {"units": "m"})}
    for number, block in enumerate(mesh.blocks):
        dims = (f"cell_{number}{end}", f"corner_{number}{end}")
        made[f"cells_{number}_{block.cell.name}{end}"] = (dims, block.nodes)
    return made


def frame_variables(positions: Array, rotations: Array, body: str = "") -> Variables:
    """Origin (snapshots, 3) and unit quaternion, scalar first (snapshots, 4), of a body frame in space."""
    end = f"_{body}" if body else ""
    return {
        f"frame_position{end}": (("picture", "axis"), positions, {"units": "m"}),
        f"frame_rotation{end}": (("picture", "quaternion"), rotations),
    }


@dataclass(frozen=True, eq=False)
class BodyFields:
    """What was computed on the mesh of one body, once or at several times."""

    body: str
    mesh: Mesh
    times: Array | None  # s: (snapshots,); None where nothing changes
    on_nodes: Mapping[str, Array]  # (nodes, …), over time (snapshots, nodes, …)
    on_cells: Mapping[str, Array]  # (cells,)

    def places(self, picture: int) -> Array:
        """Where the nodes are at one picture, in space, on the deformed body where it moves: (nodes, 3)."""
        motion = self.at(picture).get("motion")
        return self.mesh.points if motion is None else self.mesh.points + motion

    def at(self, picture: int) -> dict[str, Array]:
        """The fields on nodes at one picture."""
        return {name: v if self.times is None else v[picture] for name, v in self.on_nodes.items()}


def body_fields(dataset: "xarray.Dataset") -> tuple[BodyFields, ...]:
    """The bodies of a dataset with their fields; none where it has no mesh."""
    if "body" in dataset.attrs:
        return (_fields(dataset, str(dataset.attrs["body"]), ""),) if "point" in dataset else ()
    names = [name for name in str(dataset.attrs.get("bodies", "")).split(", ") if f"point_{name}" in dataset]
    moving = [str(name) for name in dataset["body"].values] if "body" in dataset.coords else []
    rigid = [name for name in moving if f"point_{name}" in dataset and name not in names]
    return (
        *(_fields(dataset, name, f"_{name}") for name in names),
        *(_rigid_fields(dataset, name) for name in rigid),
    )


def _rigid_fields(dataset: "xarray.Dataset", body: str) -> BodyFields:
    """A body that moves as one piece: r_O + R x − x and v_O + ω × R x, at the instants whose pictures are kept."""
    mesh, moving = stored_mesh(dataset, f"_{body}"), dataset.sel(body=body)
    times = np.asarray(dataset["time"].values, dtype=float)
    if "picture" in dataset.coords:
        chosen = np.flatnonzero(np.isin(times, dataset["picture"].values))
    else:
        chosen = thin(len(times), _PICTURES)
    arms = np.einsum("tij,nj->tni", rotation_from_quaternion(moving["rotation"].values[chosen]), mesh.points)
    spin, origin = moving["angular_velocity"].values[chosen], moving["position"].values[chosen]
    velocity = moving["velocity"].values[chosen, None] + np.cross(spin[:, None], arms)
    return BodyFields(
        body, mesh, times[chosen], {"motion": origin[:, None] + arms - mesh.points, "velocity": velocity}, {}
    )


def stored_mesh(dataset: "xarray.Dataset", end: str = "") -> Mesh:
    """The mesh in a dataset; `end` is what the names of its body end with."""
    blocks: list[CellBlock] = []
    while True:
        start = f"cells_{len(blocks)}_"
        found = [str(n) for n in dataset if str(n).startswith(start) and _is_of(str(n), start, end)]
        if not found:
            return Mesh(dataset[f"point{end}"].values, tuple(blocks))
        cell = cell_named(found[0].removeprefix(start).removesuffix(end))
        blocks.append(CellBlock(cell, dataset[found[0]].values.astype(np.int64)))


def _is_of(name: str, start: str, end: str) -> bool:
    """Whether a variable is a block of cells of the body with that ending."""
    return name.endswith(end) and "_" not in name.removeprefix(start).removesuffix(end)


def _fields(dataset: "xarray.Dataset", body: str, end: str) -> BodyFields:
    mesh = stored_mesh(dataset, end)
    node = f"node{end}"
    on_nodes: dict[str, Array] = {}
    over_time = f"displacement{end}" in dataset and "picture" in dataset[f"displacement{end}"].dims
    for key, variable in dataset.items():
        name = str(key).removesuffix(end)
        dims = [str(d) for d in variable.dims]
        if node not in dims or name == "point":
            continue
        if "mode" in dims:
            on_nodes |= _mode_shapes(dataset, variable.values)
        elif ("picture" in dims) == over_time and dims[int(over_time)] == node:
            on_nodes |= _split_vectors(name, variable.values) if dims[-1] == "dof" else {name: variable.values}
    if over_time and f"frame_position{end}" in dataset:
        on_nodes["motion"] = _motion(dataset, mesh.points, on_nodes["displacement"], end)
    cell = f"cell{end}"
    on_cells = {
        str(key).removesuffix(end): variable.values
        for key, variable in dataset.items()
        if variable.dims == (cell,)
    }
    times = np.asarray(dataset["picture"].values, dtype=float) if over_time else None
    return BodyFields(body, mesh, times, on_nodes, on_cells)


def _split_vectors(name: str, values: Array) -> dict[str, Array]:
    """Vectors of ux, uy, uz and of rx, ry, rz, the second only where there is any."""
    angular = {"displacement": "rotation", "support_force": "support_moment"}.get(name, f"{name}_angular")
    parts = {name: values[..., :3]}
    return parts | {angular: values[..., 3:]} if values[..., 3:].any() else parts


def _mode_shapes(dataset: "xarray.Dataset", values: Array) -> dict[str, Array]:
    """A field for each mode, named by its number and frequency; the imaginary part where it has one."""
    shapes: dict[str, Array] = {}
    digits = len(str(len(values)))
    for number, (shape, frequency) in enumerate(zip(values, dataset["frequency"].values, strict=True), 1):
        name = f"mode_{number:0{digits}}_{frequency:.6g}_Hz"
        shapes[name] = shape[:, :3, 0]
        if shape[..., 1].any():
            shapes[f"{name}_imaginary"] = shape[:, :3, 1]
    return shapes


def _motion(dataset: "xarray.Dataset", points: Array, displacements: Array, end: str) -> Array:
    """r_O + R(x + u) − x: what carries the points of the mesh to their places in space (snapshots, nodes, 3)."""
    rotations = rotation_from_quaternion(dataset[f"frame_rotation{end}"].values)
    placed = np.einsum("tij,tnj->tni", rotations, points + displacements)
    return np.asarray(placed + dataset[f"frame_position{end}"].values[:, None] - points)
