"""The program that meshes geometry with netgen, in a process of its own: what ends it does not end flexframe.

It reads a request (JSON) from its input and writes arrays (.npz) to the file that the request names, or, where the
geometry cannot be meshed, a sentence. Only netgen and numpy are imported. Lengths are in mm, as OpenCASCADE has
them whatever the file says.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

_SHAPE_OF_CELLS = 0.1178511  # volume of a regular tetrahedron over the cube of its edge, √2/12
_NO_AREA = 1e-12  # of the largest face
_SAME = 1e-6  # relative, of volumes before and after bodies are joined at common faces


class Refused(Exception):  # noqa: N818 - a sentence, no failure of the program
    """What is wrong with the geometry, and what to do."""


def read_geometry(request: dict[str, Any]) -> tuple[Any, dict[str, int]]:
    """The geometry of a file, its bodies joined at common faces, and how much of it was read."""
    from netgen.occ import Glue, OCCGeometry

    try:
        geometry = OCCGeometry(request["path"])
        if request["sew"] and not len(geometry.shape.solids):
            geometry.Heal(tolerance=request["tolerance"], fixsmalledges=False, fixspotstripfaces=False)
    except Exception as error:  # netgen's own exceptions have no common class
        raise Refused(f"OpenCASCADE cannot read it ({_line(error)}); export it again") from error
    solids, faces = list(geometry.shape.solids), list(geometry.shape.faces)
    if not solids:
        raise Refused(f"has {len(faces)} faces and no solid; export the part as a solid")
    _require_whole(faces, request["faces"])
    volumes = [float(solid.mass) for solid in solids]
    if not (np.isfinite(volumes).all() and min(volumes) > 0):
        raise Refused("has a solid without a volume; repair the part and export it again")
    loose = len(faces) - sum(len(solid.faces) for solid in solids)
    geometry = OCCGeometry(Glue(solids) if len(solids) > 1 else solids[0])
    if len(solids) > 1:
        joined = [float(solid.mass) for solid in geometry.shape.solids]
        if len(joined) != len(solids) or abs(sum(joined) / sum(volumes) - 1) > _SAME:
            raise Refused("has bodies that lie in one another; export them one by one, or as one body")
    return geometry, {"solids": len(solids), "loose": loose}


def _require_whole(faces: list[Any], declared: int) -> None:
    """Refuse geometry of which faces were lost, or lost their edges, on the way from the file."""
    if len(faces) < declared:
        raise Refused(f"can be read only in part: {len(faces)} of its {declared} faces; export it again")
    areas = np.array([float(face.mass) for face in faces])
    if not (areas > _NO_AREA * areas.max()).all():
        raise Refused("has a face without an area; repair the part and export it again")


def _limit_time(seconds: float) -> None:
    """End this process when it has computed for so long: on damaged geometry netgen may never end."""
    try:
        import resource
    except ImportError:  # Windows, where only the clock of the caller ends it
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def mesh_geometry(request: dict[str, Any]) -> dict[str, Any]:
    """Arrays of the mesh and facts of the geometry."""
    from netgen.occ import OCCGeometry

    _limit_time(request["seconds"])
    geometry, facts = read_geometry(request)
    solids = list(geometry.shape.solids)
    low, high = (np.array(list(corner)) for corner in geometry.shape.bounding_box)
    size = request["size"] or float(np.linalg.norm(high - low)) / request["parts"]
    cells = sum(float(solid.mass) for solid in solids) / (_SHAPE_OF_CELLS * size**3)
    if cells > request["most"]:
        raise Refused(f"would have {cells:.2g} cells of {size:.4g} mm; give a larger size")
    _limit_time(request["seconds"] + request["seconds_per_cell"] * cells)
    faces_named, bodies = _unique_names(geometry.shape.faces, "face"), _unique_names(geometry.shape.solids, "body")
    unknown = [name for name in request["sizes"] if name not in faces_named]
    if unknown:
        raise Refused(f"has no face '{unknown[0]}' of which sizes speaks; known are {', '.join(faces_named)}")
    for face in geometry.shape.faces:
        if face.name in request["sizes"]:
            face.maxh = request["sizes"][face.name]
    try:
        geometry = OCCGeometry(geometry.shape)
        mesh = geometry.GenerateMesh(
            maxh=size,
            grading=request["grading"],
            curvaturesafety=request["per_radius"],
            segmentsperedge=request["per_edge"],
        )
        if request["order"] == 2:
            mesh.SecondOrder()
    except Exception as error:
        raise Refused(f"netgen cannot mesh it ({_line(error)}); give a smaller size, or repair it") from error
    tetrahedra, triangles = mesh.Elements3D().NumPy(), mesh.Elements2D().NumPy()
    of_body = [bodies.index(mesh.GetMaterial(number)) for number in range(1, len(solids) + 1)]
    of_face = [faces_named.index(face.bcname) for face in mesh.FaceDescriptors()]
    exact = np.zeros(len(bodies))
    for solid in geometry.shape.solids:
        exact[bodies.index(solid.name)] += float(solid.mass)
    return {
        "points": np.array(mesh.Coordinates()),
        "tetrahedra": tetrahedra["nodes"].astype(np.int64) - 1,
        "body": np.array(of_body, dtype=np.int64)[tetrahedra["index"] - 1],
        "triangles": triangles["nodes"].astype(np.int64) - 1,
        "face": np.array(of_face, dtype=np.int64)[triangles["index"] - 1],
        "volumes": exact,
        "facts": json.dumps({**facts, "size": size, "face_names": faces_named, "body_names": bodies}),
    }


def _unique_names(shapes: Any, word: str) -> list[str]:
    """Names of faces or bodies, each once; those without one are called by their numbers from now on."""
    for number, shape in enumerate(shapes, 1):
        if not shape.name:
            shape.name = f"{word}{number}"
    return list(dict.fromkeys(shape.name for shape in shapes))


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    try:
        answer = mesh_geometry(request)
    except Refused as refused:
        answer = {"refused": str(refused)}
    with Path(request["answer"]).open("wb") as target:
        np.savez(target, **answer)


if __name__ == "__main__":
    main()
