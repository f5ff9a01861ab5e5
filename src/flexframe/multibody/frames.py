"""Markers that joints, drives and loads name, as frames in flat tables."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.errors import InputError, at_part
from flexframe.maths.arrays import Array
from flexframe.model.constraints import (
    Along,
    Displacement,
    Perpendicular,
    RimHeight,
    RimSlip,
    Rotation,
    first_place,
)
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.measured import MeasuredCoordinate
from flexframe.model.system import GROUND
from flexframe.model.system_loads import CoordinateForce
from flexframe.multibody.constraints import BoundFrames
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.tables import FrameTables
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint


@dataclass(eq=False)
class Frames:
    """Frames of markers: body origins, then points of elastic bodies in the order they are asked for."""

    ready: Mechanism
    elastic: Mapping[str, ReducedBody]
    geometric: bool
    points: list[tuple[int, ReducedPoint]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    turning: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """Number of frames, which is the number of the ground."""
        return self.ready.bodies + len(self.points)

    def number(self, marker: str, wanted_by: str, *, turning: bool) -> tuple[int, Array, Array]:
        """Frame of a marker, with the point and the axes in that frame."""
        part, given = self.ready.system.parts.get(wanted_by, ()), marker
        with at_part(*part) if part else nullcontext():
            marker = self.ready.system.resolve(marker)
        owner, frame = self.ready.system.frame(given, wanted_by) if self._rigid(marker) else ("", None)
        if frame is not None:
            number = -1 if owner == GROUND else self.ready.names.index(owner)
            return number, frame.point, frame.axes
        owner, _, name = marker.partition(".")
        reduced = self.elastic[owner]
        there = next(
            (p for p in (*reduced.interfaces, *reduced.sensors) if p.name in (name, f"marker {name}")), None
        )
        if there is None:
            names = ", ".join(p.name for p in (*reduced.interfaces, *reduced.sensors)) or "none"
            raise InputError(
                f"{wanted_by}: the elastic body {owner} has no interface '{name}'; known are {names}: "
                "name it as an interface of its reduction",
                part=part,
            )
        spins = (2,) if self.ready.planar else (0, 1, 2)
        if turning and not all(there.present[3 + axis] for axis in spins) and there.rows.any():
            flat = there.present[5] and not any(there.present[3:5])
            remedy = f"give body {owner} space: spatial" if flat else "take nodes that are not on one line"
            raise InputError(
                f"{wanted_by}: the point {marker} has no rotation of its own, which this joint needs; {remedy}",
                part=part,
            )
        if marker not in self.known:
            self.known[marker] = self.count
            self.points.append((self.ready.names.index(owner), there))
        if turning:
            self.turning.add(self.known[marker])
        return self.known[marker], np.zeros(3), self.ready.system.frame(given, wanted_by)[1].axes

    def _rigid(self, marker: str) -> bool:
        owner, _, point = marker.partition(".")
        return owner not in self.elastic or not point

    def bind(
        self, entry: BoundFrames, link: "Joint | Drive | CoordinateForce | MeasuredCoordinate"
    ) -> BoundFrames:
        """A constraint between two frames."""
        turning = isinstance(entry.constraint, Perpendicular | Rotation | RimHeight | RimSlip) or (
            isinstance(entry.constraint, Displacement) and any(entry.constraint.rotation)
        )
        carries = turning or isinstance(entry.constraint, Displacement)
        carries = carries or (isinstance(entry.constraint, Along) and not entry.constraint.in_space)
        first, second = entry.markers if any(entry.markers) else (link.first, link.second)
        a, first_point, first_axes = self.number(first, link.name, turning=carries)
        b, second_point, second_axes = self.number(second, link.name, turning=turning)
        return replace(
            entry,
            first=a,
            second=b,
            first_point=first_place(entry.constraint, first_point, first_axes),
            second_point=second_point,
            first_axes=first_axes,
            second_axes=second_axes,
            leaders=tuple(self.bind(leader, link) for leader in entry.leaders),
        )

    def tables(self, most: int) -> FrameTables:
        """Flat tables, the ground last."""
        count = self.count + 1
        bodies = np.full(count, -1, dtype=np.int64)
        bodies[: self.ready.bodies] = np.arange(self.ready.bodies)
        elastic, curved, by_sine = (np.zeros(count, dtype=np.int64) for _ in range(3))
        markers = np.zeros((count, 3))
        rows, quadratic = np.zeros((count, 6, most)), np.zeros((count, 6, most, most))
        powers = max((len(p.shortening.leans) for _, p in self.points if p.shortening is not None), default=0)
        shortening = np.zeros((count, 6, powers))
        for number, (body, point) in enumerate(self.points, start=self.ready.bodies):
            m = point.rows.shape[1]
            bodies[number], markers[number] = body, point.position
            elastic[number] = 2 if number in self.turning else 1
            rows[number, :, :m] = point.rows
            if self.geometric:
                quadratic[number, :, :m, :m] = (point.quadratic + point.quadratic.swapaxes(1, 2)) / 2
                curved[number] = quadratic[number].any()
                if point.shortening is not None:
                    by_sine[number] = 1
                    shortening[number, :, : len(point.shortening.leans)] = point.shortening.moved
        return FrameTables(bodies, elastic, curved, by_sine, markers, rows, quadratic, shortening)
