"""A reduced body as named arrays, for one file, and as a text in the manner of the standard input data (SID).

The text holds the quantities of Wallrapp's standard input data (1994) as Taylor expansions in the coordinates q:
`M0` is the value at rest and `M1` the first derivative. Its geometric terms are those of the quadratic field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.reduction.basis import Coordinate, CoordinateKind, ReductionBasis
from flexframe.reduction.loads import ReducedLoads
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint

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
_KINDS: dict[str, CoordinateKind] = {
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
        Coordinate(_KINDS[str(kind)], str(label), None if np.isnan(f) else float(f))
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
        loads=_loads(arrays),
    )


def _loads(arrays: Mapping[str, Any]) -> ReducedLoads | None:
    if "load_force" not in arrays:
        return None
    return ReducedLoads(**{name: np.asarray(arrays[f"load_{name}"], dtype=float) for name in _LOADS})


def sid_text(body: ReducedBody) -> str:
    """The standard input data of a reduced body as plain text."""
    return "\n".join(_sid_lines(body)) + "\n"


def _sid_lines(body: ReducedBody) -> Iterator[str]:
    m, axes = body.size, [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
    X, d = body.position_coupling, body.euler_loads
    yield f"part {body.name}"
    yield "  new modal"
    yield "    refmod"
    yield f"      mass = {body.mass!r}"
    yield f"      nelastq = {m}"
    yield from (f"      ielastq ( {k}) = {c.label}" for k, c in enumerate(body.basis.coordinates, start=1))
    yield "    end refmod"
    yield "    frame"
    for point in (*body.interfaces, *body.sensors):
        yield f"      new node = {point.name}"
        yield from _taylor("origin", point.position[:, None], point.rows[:3].T[:, :, None])
        yield from _taylor("phi", point.rows[:3], point.quadratic[:3].transpose(2, 0, 1))
        yield from _taylor("psi", point.rows[3:], point.quadratic[3:].transpose(2, 0, 1))
        yield "      end node"
    yield "    end frame"
    yield from _taylor("mdCM", body.first_moment[:, None], body.origin_coupling.T[:, :, None])
    linear = X + X.swapaxes(0, 1)
    slopes = np.einsum("kkr->r", linear)[:, None, None] * np.eye(3) - linear.transpose(2, 0, 1)
    inertia = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    yield from _taylor("J", inertia, slopes)
    yield from _taylor("Ct", body.origin_coupling.T, body.origin_quadratic.transpose(2, 1, 0))
    yield from _taylor("Cr", d.T, (body.coriolis + body.euler_quadratic).transpose(2, 1, 0))
    yield from _taylor("Me", body.elastic_mass)
    # Gr_l = −2 ∫ρ x̃ ñ_l and Ge_l = −2 ∫ρ Nᵀ ñ_l side by side, ñ_l the skew matrix of column l of N
    couple = np.einsum("kmr->rkm", X)
    Gr = [-2 * (couple[r].T - np.trace(couple[r]) * np.eye(3)) for r in range(m)]
    units = skew(np.eye(3))
    Ge = [-2 * np.einsum("bar,bac->rc", body.shape_products[:, :, :, k].swapaxes(0, 1), units) for k in range(m)]
    yield from _taylor("Gr", np.hstack(Gr))
    yield from _taylor("Ge", np.hstack(Ge))
    factors = [1.0 if a == b else 2.0 for a, b in axes]
    loads = [f * body.centrifugal_loads[a, b] for f, (a, b) in zip(factors, axes, strict=True)]
    total = body.centrifugal + body.centrifugal_quadratic
    slopes = np.array([f * total[a, b] for f, (a, b) in zip(factors, axes, strict=True)])
    yield from _taylor("Oe", np.array(loads).T, slopes.transpose(2, 1, 0))
    yield from _taylor("K", body.stiffness)
    yield from _taylor("D", body.damping)
    yield "  end modal"
    yield "end part"


def _taylor(name: str, constant: Array, slopes: Array | None = None) -> Iterator[str]:
    """M0 (rows, columns) and M1 (m, rows, columns), entries that are zero left out."""
    order = 0 if slopes is None else 1
    rows, columns = constant.shape
    yield f"    {name}"
    yield f"      order = {order}"
    yield f"      nrow = {rows}"
    yield f"      ncol = {columns}"
    yield f"      nq = {0 if slopes is None else len(slopes)}"
    for (i, j), value in np.ndenumerate(constant):
        if value:
            yield f"      m0 ( {i + 1}, {j + 1}) = {float(value)!r}"
    if slopes is not None:
        for (k, i, j), value in np.ndenumerate(slopes):
            if value:
                yield f"      m1 ( {i + 1}, {k + 1}, {j + 1}) = {float(value)!r}"
    yield f"    end {name}"
