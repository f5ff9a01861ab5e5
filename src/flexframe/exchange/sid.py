"""Reduced bodies as standard input data (SID) of flexible bodies, after Wallrapp (1994).

With the invariants of `ReducedBody` the objects of a SID are, coordinate k, row r, axes a, b, c in cyclic order,

    mdCM = S + M_O q,           J = tr 𝒥 1 − 𝒥 with 𝒥 = J + sym(2X q),      Me = ΣY_kk,    Ke = k,   De = d,
    Ct   = (M_O + g q)ᵀ,        Cr_a = d_a + (C_a + H_bc − H_cb) q,
    Gr_k = 2(tr X_k 1 − X_kᵀ),  Ge_k = 2 C_a of column k,                   ksigma = 0,
    Oe_ab = e_ab + (K_ab + k_g^ab) q of ω_aω_b, twice that where a ≠ b, columns 11, 22, 33, 12, 23, 13,

and of its nodes origin = x + N q, phi = N + G q, psi likewise of rotations, AP = 1 + skew(psi q).
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from flexframe.exchange.contract import Format, Part
from flexframe.exchange.sid_reading import MOMENTS, NAMES, SQUARES, read_sid, turning
from flexframe.exchange.sid_text import Taylor, fortran, taylor_lines
from flexframe.exchange.units import SI, Units
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint
from flexframe.reduction.strategies import Coordinate

_LINE = 400  # characters


def write_sid(body: ReducedBody, path: str | Path, *, by_coordinate: bool = False) -> tuple[str, ...]:
    """Write the standard input data of a reduced body; an earlier file is replaced when the new one is whole.

    Parameters
    ----------
    body
        The reduced body.
    path
        The text file (.sid_fem or .sid), in SI units.
    by_coordinate
        Order of the columns of `Gr` and `Ge`: axis by axis as FEMBS writes them, or coordinate by coordinate.

    Returns
    -------
    tuple of str
        What has no place in the format and was left out, in sentences.

    Examples
    --------
    >>> rod = ff.Body.beam("rod", length=1.2, divisions=10, section=ff.Circle(0.01), material=ff.STEEL)
    >>> body = ff.reduction.reduce_body(rod, ff.reduction.Modal(2), reference=ff.reduction.MeanAxes())
    >>> ff.reduction.write_sid(body, "rod.sid_fem")
    ()
    >>> ff.exchange.read_part("rod.sid_fem").reduced.size
    2
    """
    place = Path(path)
    unfinished = place.with_name(place.name + ".part")
    unfinished.write_text(sid_text(body, SI, by_coordinate=by_coordinate), encoding="utf-8")
    unfinished.replace(place)
    return _left_out(body)


def sid_text(body: ReducedBody, units: Units = SI, *, by_coordinate: bool = False) -> str:
    """The standard input data of a reduced body as plain text."""
    return "\n".join(_sid_lines(body, units, by_coordinate=by_coordinate)) + "\n"


def _sid_lines(body: ReducedBody, units: Units, *, by_coordinate: bool) -> Iterator[str]:
    points, m = (*body.interfaces, *body.sensors), body.size
    names = [point.name for point in points]
    numbered = _are_numbers(names)
    comment = "flexframe" if numbered or not _fits(names) else NAMES + json.dumps(names)
    yield f"{len(points):5d}{m:5d}    :No. nodes, No. modes:{comment}"
    yield " part"
    yield f"      new modal                                 = {' '.join(body.name.split())}"
    yield "           refmod"
    yield f"                mass                            = {fortran(body.mass / units.mass)}"
    yield f"                nelastq                         = {m:4d}"
    for k, coordinate in enumerate(body.basis.coordinates, start=1):
        yield f"                ielastq ({k:4d})                  = {_coordinate_name(coordinate)}"
    yield "           end refmod"
    yield "           frame"
    for number, point in enumerate(points, start=1):
        yield f"                new node                        = {point.name if numbered else number}"
        yield "                     rframe                     = body ref"
        for name, taylor in _of_point(point, units).items():
            yield from taylor_lines(name, taylor, m, 21)
        yield "                end node"
    yield "           end frame"
    for name, taylor in _of_body(body, units, by_coordinate=by_coordinate).items():
        yield from taylor_lines(name, taylor, m, 11)
    yield "      end modal"
    yield " end part"


def _of_point(point: ReducedPoint, units: Units) -> dict[str, Taylor]:
    length, rows = units.length, point.rows
    slopes = point.quadratic.transpose(2, 0, 1)  # of each coordinate: (m, 6, m)
    return {
        "origin": Taylor(point.position[:, None] / length, rows[:3].T[:, :, None] / length),
        "phi": Taylor(rows[:3] / length, slopes[:, :3] / length),
        "psi": Taylor(rows[3:], slopes[:, 3:]),
        "AP": Taylor(np.eye(3), skew(rows[3:].T)),
    }


def _of_body(body: ReducedBody, units: Units, *, by_coordinate: bool) -> dict[str, Taylor]:
    m, X = body.size, body.position_coupling
    moment, inertia = units.mass * units.length, units.inertia
    energy = units.force * units.length
    linear = X + X.swapaxes(0, 1)
    slopes = np.einsum("kkr->r", linear)[:, None, None] * np.eye(3) - linear.transpose(2, 0, 1)
    at_rest = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    axes = "kij->ikj" if by_coordinate else "kij->ijk"
    Gr = np.einsum(axes, turning(X))
    Ge = np.einsum(axes, 2 * body.coriolis.transpose(2, 1, 0))
    factors = [1.0 if a == b else 2.0 for a, b in SQUARES]
    stiff = body.centrifugal + body.centrifugal_quadratic
    Oe0 = np.stack([f * body.centrifugal_loads[at] for f, at in zip(factors, SQUARES, strict=True)], axis=1)
    Oe1 = np.stack([f * stiff[at] for f, at in zip(factors, SQUARES, strict=True)], axis=2)
    Cr1 = (body.coriolis + body.euler_quadratic).transpose(2, 1, 0)
    return {
        "mdCM": Taylor(body.first_moment[:, None] / moment, body.origin_coupling.T[:, :, None] / moment),
        "J": Taylor(_six(at_rest[None])[0] / inertia, _six(slopes) / inertia),
        "Ct": Taylor(body.origin_coupling.T / moment, body.origin_quadratic.transpose(2, 1, 0) / moment),
        "Cr": Taylor(body.euler_loads.T / inertia, Cr1 / inertia),
        "Me": Taylor(body.elastic_mass / inertia),
        "Gr": Taylor(Gr.reshape(3, 3 * m) / inertia),
        "Ge": Taylor(Ge.reshape(m, 3 * m) / inertia),
        "Oe": Taylor(Oe0 / inertia, Oe1.swapaxes(0, 1) / inertia),
        "ksigma": Taylor(np.zeros((m, 1))),
        "Ke": Taylor(body.stiffness / energy),
        "De": Taylor(body.damping / (energy * units.time)),
    }


def _six(tensors: Array) -> Array:
    """Symmetric tensors (n, 3, 3) as columns (n, 6, 1)."""
    return np.stack([tensors[:, a, b] for a, b in MOMENTS], axis=1)[:, :, None]


def _coordinate_name(coordinate: Coordinate) -> str:
    label = " ".join(coordinate.label.split())
    if coordinate.frequency_hz is not None:
        return f"{label} : {coordinate.frequency_hz:.12g} Hz"
    return f"{coordinate.kind}: {label}"


def _are_numbers(names: Sequence[str]) -> bool:
    return all(re.fullmatch(r"[1-9]\d{0,4}", name) for name in names)


def _fits(names: Sequence[str]) -> bool:
    """Whether a line holds the names; programs read lines of some hundred characters."""
    return len(json.dumps(names)) < _LINE


def _left_out(body: ReducedBody) -> tuple[str, ...]:
    found = []
    names = [point.name for point in (*body.interfaces, *body.sensors)]
    if not _are_numbers(names) and not _fits(names):
        found.append(
            f"names of the {len(names)} points are too long for the first line: they are numbered in their order, "
            f"from {names[0]} to {names[-1]}"
        )
    if body.loads is not None:
        found.append("the loads of the body have no place in standard input data and were left out")
    still = [point.name for point in (*body.interfaces, *body.sensors) if not point.present.all()]
    if still:
        found.append(
            f"some displacements or rotations do not exist at {', '.join(still[:6])}{' …' * (len(still) > 6)}; "
            "there the points of the file move with the frame of the body"
        )
    return tuple(found)


def _write_part(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    assert part.reduced is not None
    path.write_text(sid_text(part.reduced, units), encoding="utf-8")
    return _left_out(part.reduced)


SID = Format(
    name="sid",
    title="standard input data (SID)",
    endings=(".sid_fem", ".sid"),
    reads=("reduced",),
    writes=("reduced",),
    read=read_sid,
    write=_write_part,
    knows=lambda head: re.search(rb"^\s*refmod\s*$", head, re.IGNORECASE | re.MULTILINE) is not None,
)
