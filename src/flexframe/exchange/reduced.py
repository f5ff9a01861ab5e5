"""Reduced bodies in one file of named arrays (.npz), with all that they are."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.contract import Format, Part, Settings
from flexframe.exchange.units import Units
from flexframe.files import ANYWHERE, OpenFile
from flexframe.maths.array_archives import DAMAGED
from flexframe.reduction.basis import ReductionBasis
from flexframe.reduction.loads import ReducedLoads
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint
from flexframe.reduction.strategies import Coordinate, CoordinateKind

FORMAT = "flexframe reduced body"
VERSION = 1
_PLAIN = (
    "mass",
    "first_moment",
    "second_moment",
    "origin_coupling",
    "position_coupling",
    "shape_products",
    "stiffness",
    "damping",
    "origin_quadratic",
    "position_quadratic",
)
_LOADS = tuple(field.name for field in fields(ReducedLoads))
KINDS: dict[str, CoordinateKind] = {
    "interface": "interface",
    "attachment": "attachment",
    "inertia": "inertia",
    "load": "load",
    "mode": "mode",
}


def to_arrays(body: ReducedBody) -> dict[str, Any]:
    """Every field of a reduced body by name, SI units; texts are arrays of strings."""
    points = (*body.interfaces, *body.sensors)
    m = body.size
    frequencies = [np.nan if c.frequency_hz is None else c.frequency_hz for c in body.basis.coordinates]
    return {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "name": np.array(body.name),
        **{name: np.asarray(getattr(body, name)) for name in _PLAIN},
        "point_names": np.array([point.name for point in points], dtype=str),
        "point_positions": np.array([point.position for point in points]).reshape(-1, 3),
        "point_rows": np.array([point.rows for point in points]).reshape(-1, 6, m),
        "point_quadratic": np.array([point.quadratic for point in points]).reshape(-1, 6, m, m),
        "point_present": np.array([point.present for point in points], dtype=bool).reshape(-1, 6),
        "interface_count": np.array(len(body.interfaces)),
        "basis_vectors": body.basis.vectors,
        "coordinate_kinds": np.array([c.kind for c in body.basis.coordinates], dtype=str),
        "coordinate_labels": np.array([c.label for c in body.basis.coordinates], dtype=str),
        "coordinate_frequencies_hz": np.array(frequencies),
        "strategy": np.array(body.basis.strategy),
        "reference": np.array(body.basis.reference),
        **({} if body.loads is None else {f"load_{name}": getattr(body.loads, name) for name in _LOADS}),
    }


def from_arrays(arrays: Mapping[str, Any]) -> ReducedBody:
    """The reduced body that `to_arrays` described; other data are refused."""
    if "format" not in arrays or str(arrays["format"]) != FORMAT:
        raise InputError("the file holds no reduced body; give one that flexframe wrote")
    if int(arrays["version"]) > VERSION:
        raise InputError(
            f"the reduced body has version {int(arrays['version'])}, this flexframe reads up to {VERSION}; "
            "update flexframe"
        )
    points = tuple(
        ReducedPoint(str(name), position, rows, quadratic, present)
        for name, position, rows, quadratic, present in zip(
            *(arrays[f"point_{part}"] for part in ("names", "positions", "rows", "quadratic", "present")),
            strict=True,
        )
    )
    described = (arrays[f"coordinate_{part}"] for part in ("kinds", "labels", "frequencies_hz"))
    coordinates = tuple(
        Coordinate(KINDS[str(kind)], str(label), None if np.isnan(f) else float(f))
        for kind, label, f in zip(*described, strict=True)
    )
    count = int(arrays["interface_count"])
    plain = {name: np.asarray(arrays[name], dtype=float) for name in _PLAIN if name != "mass"}
    return ReducedBody(
        name=str(arrays["name"]),
        mass=float(arrays["mass"]),
        **plain,
        interfaces=points[:count],
        sensors=points[count:],
        basis=ReductionBasis(
            np.asarray(arrays["basis_vectors"], dtype=float),
            coordinates,
            str(arrays["strategy"]),
            str(arrays["reference"]),
        ),
        next_order=None,
        loads=_loads(arrays),
    )


def _loads(arrays: Mapping[str, Any]) -> ReducedLoads | None:
    if "load_force" not in arrays:
        return None
    return ReducedLoads(**{name: np.asarray(arrays[f"load_{name}"], dtype=float) for name in _LOADS})


def write_reduced_body(body: ReducedBody, path: str | Path) -> None:
    """Write a reduced body to one .npz file; an earlier file is replaced when the new one is whole.

    Parameters
    ----------
    body
        The reduced body.
    path
        The file (.npz).

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.write_reduced_body(body, "rod.npz")
    >>> ff.reduction.read_reduced_body("rod.npz").size
    2
    """
    place = Path(path)
    if place.suffix != ".npz":
        raise InputError(f"{place.name}: a reduced body is written as .npz; change the ending")
    unfinished = place.with_name(place.name + ".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **to_arrays(body))
    unfinished.replace(place)


def read_reduced_body(path: str | Path) -> ReducedBody:
    """Read a reduced body that `write_reduced_body` wrote.

    Parameters
    ----------
    path
        The file (.npz).

    Returns
    -------
    ReducedBody
        The body as it was written, in SI units.

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.write_reduced_body(body, "rod.npz")
    >>> ff.reduction.read_reduced_body("rod.npz").name
    'rod'
    """
    with ANYWHERE.open(path) as file:
        return _read(file)


def _read(file: OpenFile) -> ReducedBody:
    try:
        with np.load(file.stream, allow_pickle=False) as arrays:
            return from_arrays(dict(arrays))
    except DAMAGED as error:
        raise InputError(
            f"{file.name}: the file is damaged or holds no reduced body ({error}); write it again"
        ) from error


def _read_part(file: OpenFile, settings: Settings) -> Part:
    del settings  # such files are in SI
    return Part(reduced=_read(file))


def _write_part(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    del units
    assert part.reduced is not None
    write_reduced_body(part.reduced, path)
    return ()


REDUCED = Format(
    name="reduced",
    title="flexframe reduced body",
    endings=(".npz",),
    reads=("reduced",),
    writes=("reduced",),
    read=_read_part,
    write=_write_part,
    knows=lambda head: head.startswith(b"PK") and b"version.npy" in head,
)
