"""Campbell diagrams of bodies of revolution, nodal diameter by nodal diameter."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.analyses.campbell.spin_branches import (
    SpinBranches,
    branch_labels,
    branch_method,
    branch_notices,
    growing_branches,
    spin_branches,
    unmet_tolerance,
    with_translations,
)
from flexframe.analyses.harmonics import said_once, spin_notices, surface_shapes
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.section_rotors import SectionBody, section_surface
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.mesh.extrusion import SweptSurface
from flexframe.results.record import Whirl, thin
from flexframe.spectra.mode_labels import harmonic_labels
from flexframe.spectra.rotation.bearings import require_known
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed, critical_speeds
from flexframe.spectra.rotation.directions import Directions, directions
from flexframe.spectra.rotation.free_motions import harmonic_free_motions
from flexframe.spectra.rotation.rotor_model import RotorModel
from flexframe.spectra.rotation.spinning_equations import turning_waves
from flexframe.spectra.rotation.tracked_modes import TrackedModes
from flexframe.spectra.rotation.waves import Waves
from flexframe.stages import begin_work

_ROOM = 12_000_000  # numbers that the kept shapes may hold
_PICTURES = 8

Table = tuple[tuple[Whirl, ...], ...]


@dataclass(frozen=True, eq=False)
class _Diameter:
    """The branches of one number of nodal diameters."""

    harmonic: HarmonicBody
    found: SpinBranches
    tracked: TrackedModes  # with the free translations
    seen: Directions
    labels: tuple[str, ...]
    limits: tuple[float, ...]
    criticals: tuple[CriticalSpeed, ...]
    notices: tuple[str, ...]


def harmonic_campbell(
    model: RotorModel,
    speeds: Array,
    terms: Terms | None,
    *,
    modes: int,
    diameters: Sequence[int],
    orders: tuple[int, ...],
    tolerance: float,
) -> CampbellDiagram:
    """The `modes` lowest branches of each number of nodal diameters, in their order; see `campbell_diagram`."""
    assert isinstance(model.discrete, SectionBody)
    section, axis = model.discrete.waves.section, model.axis
    known = require_known(model.bearings, speeds)
    harmonics = [section.harmonics.at(n) for n in diameters]
    equations = [
        turning_waves(model, n, terms).about(axis).project(section.harmonics.at(n).supports) for n in diameters
    ]
    begin_work()
    parts = []
    for harmonic, affine in zip(harmonics, equations, strict=True):
        free = harmonic_free_motions(harmonic, affine)
        found = spin_branches(affine, free, speeds, modes, orders=(0, *orders), tolerance=tolerance)
        parts.append(_diameter(harmonic, found, axis, (0, *orders), tolerance))
    surface = section_surface(section, max(diameters))
    snapshots, shapes = _shapes(parts, surface, len(speeds))
    confirmed = {part.found.count.confirmed for part in parts}
    fastest = float(np.abs(speeds).max())
    used = terms or Terms()
    return CampbellDiagram(
        body=section.body.name,
        mesh=surface.mesh,
        speeds=speeds,
        axis=axis,
        eigenvalues=np.hstack([part.tracked.eigenvalues for part in parts]),
        nodal_diameters=tuple(part.harmonic.n for part in parts for _ in part.labels),
        inertial_frequencies_hz=np.hstack([part.seen.inertial_frequencies_hz for part in parts]),
        rotating_whirl=_beside([part.seen.rotating_whirl for part in parts]),
        inertial_whirl=_beside([part.seen.inertial_whirl for part in parts]),
        labels=tuple(label for part in parts for label in part.labels),
        errors=np.hstack([part.tracked.errors for part in parts]),
        guaranteed=all(part.found.swept.guaranteed for part in parts),
        confirmed=False if False in confirmed else None if None in confirmed else True,
        completeness="; ".join(dict.fromkeys(part.found.count.method for part in parts)),
        critical_speeds=tuple(
            sorted((c for part in parts for c in part.criticals), key=lambda c: (c.speed_rad_s, c.engine_order))
        ),
        damped_critical_speeds=(),
        stability_limits=tuple(sorted({limit for part in parts for limit in part.limits})),
        engine_orders=orders,
        snapshots=snapshots,
        shapes=shapes,
        terms=used,
        method="nodal diameters one by one: "
        + "; ".join(dict.fromkeys(branch_method(part.found.projection) for part in parts)),
        notices=(
            *spin_notices(section, fastest, used),
            *said_once([(part.harmonic.n, part.notices) for part in parts]),
            *known,
        ),
    )


def _diameter(
    harmonic: HarmonicBody, found: SpinBranches, axis: Array, crossed: Sequence[int], tolerance: float
) -> _Diameter:
    projection, speeds = found.projection, found.speeds
    full = harmonic.supports.expand(projection.basis)
    forms = Waves(lambda vectors: harmonic.content(full @ vectors, axis))
    grows = growing_branches(harmonic, projection, found.tracked)
    seen = directions(forms, found.tracked, speeds)
    assert seen is not None, "every mode has n nodal diameters"
    tracked, seen = with_translations(projection, found.tracked, seen, speeds)
    assert seen is not None
    every = found.all_growing(grows)

    def words(k: int, values: ComplexArray, shapes: ComplexArray) -> Sequence[str]:  # noqa: ARG001
        return harmonic_labels(harmonic, values, shapes)

    criticals = critical_speeds(projection, crossed, reach=found.reach, tolerance=tolerance, forms=forms)
    notices = branch_notices(projection, tracked, found.count, unstable=bool(every.any()))
    return _Diameter(
        harmonic,
        found,
        tracked,
        seen,
        branch_labels(harmonic, projection, tracked, words, grows=every),
        found.limits(grows),
        criticals,
        notices + unmet_tolerance(found.swept, criticals, tolerance),
    )


def _beside(tables: Sequence[Table]) -> Table:
    return tuple(tuple(word for row in rows for word in row) for rows in zip(*tables, strict=True))


def _shapes(parts: Sequence[_Diameter], surface: SweptSurface, count: int) -> tuple[IntArray, ComplexArray]:
    """Shapes of all branches at a few speeds, on the surface."""
    branches = sum(len(part.labels) for part in parts)
    room = max(1, _ROOM // (6 * branches * surface.mesh.node_count))
    snapshots = thin(count, min(_PICTURES, room)) if room > 1 else np.array([count - 1])
    shapes = []
    for k in snapshots:
        moved = []
        for part in parts:
            reduced = part.found.projection.basis @ part.tracked.vectors[k]
            moved.append(surface_shapes(part.harmonic, part.harmonic.supports.expand(reduced), surface))
        shapes.append(np.concatenate(moved))
    return snapshots, np.array(shapes)
