"""Bodies of revolution: what their sections may carry, and the inertia of what the section sweeps."""

from dataclasses import replace

import numpy as np

from flexframe.assembly.inertia import InertiaInvariants
from flexframe.errors import InputError
from flexframe.maths.arrays import BoolArray
from flexframe.model.body import Body

AXIS = np.array([0.0, 1.0, 0.0])
"""The axis of symmetry in body components."""

_ON_AXIS = 1e-9  # of the largest radius
_REFUSED = ("loads", "couplings", "prestress", "matrices")


def on_axis(body: Body) -> BoolArray:
    """Which nodes of a section lie on the axis: (nodes,)."""
    radii = body.mesh.points[:, 0]
    return np.asarray(np.abs(radii) <= _ON_AXIS * radii.max())


def harmonics_only(name: str) -> InputError:
    """Why an analysis that knows no nodal diameters cannot take a body of revolution."""
    return InputError(
        f"body {name} is the section of a body of revolution, whose motions are those of its nodal diameters; ask "
        "for modes, a Campbell diagram, a frequency response, a run-up, a critical-speed map or a stability "
        "threshold, or mesh the whole body with solid elements"
    )


def require_section(body: Body) -> None:
    """Refuse what a section of a body of revolution cannot be or carry."""
    if not body.axisymmetric:
        return
    part = ("bodies", body.name)
    if not all(region.prop.revolved for region in body.regions):
        raise InputError(
            f"body {body.name} has axisymmetric regions and others; let all of them be axisymmetric, or none"
        )
    if body.space != "spatial":
        raise InputError(f"body {body.name} is axisymmetric and moves in space; use space: spatial")
    radii = body.mesh.points[:, 0]
    if radii.min() < -_ON_AXIS * radii.max():
        node = int(np.argmin(radii))
        raise InputError(
            f"body {body.name}: node {body.mesh.node_label(node)} has x = {radii[node]:g} m; the section of a "
            "body of revolution lies in x ≥ 0, with x the radius and y the axis"
        )
    for name in _REFUSED:
        if getattr(body, name):
            raise InputError(
                f"body {body.name} is axisymmetric and has {name}, which its nodal diameters do not know; leave "
                "them out, or mesh the whole body with solid elements",
                part=(*part, name),
            )
    _require_rings(body)
    if body.damping.fixed_mass or body.damping.fixed_stiffness:
        raise InputError(
            f"body {body.name} is axisymmetric; give damping that turns with it (mass, stiffness), or mesh the "
            "whole body with solid elements",
            part=(*part, "damping"),
        )
    for number, support in enumerate(body.supports):
        rows = support.constraints()[:, :3]
        if (np.abs(rows[:, :2]).any(axis=1) & (np.abs(rows[:, 2]) > 1e-12)).any():
            raise InputError(
                f"body {body.name}: a support holds a direction between the section and the circumference; give "
                "directions in the x–y plane, or z",
                part=(*part, "supports", number),
            )


def _require_rings(body: Body) -> None:
    """Refuse what a ring of evenly spread springs or mass does not have."""
    part = ("bodies", body.name)
    for number, spring in enumerate(body.springs):
        if any(spring.values(which)[3:].any() for which in ("stiffness", "damping")):
            raise InputError(
                f"body {body.name} is axisymmetric, and a spring on it acts on displacements of a ring; leave its "
                "rotational values out",
                part=(*part, "springs", number),
            )
    for number, mass in enumerate(body.point_masses):
        if mass.inertia is not None:
            raise InputError(
                f"body {body.name} is axisymmetric, and a mass on it is spread evenly around its ring, whose "
                "moments of inertia follow; leave the inertia out",
                part=(*part, "point_masses", number),
            )
    for number, bearing in enumerate(body.bearings):
        if bearing.pedestal is not None or bearing.to is not None:
            raise InputError(
                f"body {body.name} is axisymmetric, and its bearings go to space; leave the pedestal (or the "
                "other end) out, or make a rotor of beams",
                part=(*part, "bearings", bearing.name or number),
            )


def swept_inertia(section: InertiaInvariants) -> InertiaInvariants:
    """Mass, centre and moments of what a section sweeps about y; the integrals with N stay those of n = 0."""
    first = np.array([0.0, section.first_moment[1], 0.0])
    radial = section.second_moment[0, 0] / 2
    second = np.diag([radial, section.second_moment[1, 1], radial])
    coupling = section.origin_coupling.copy()
    coupling[[0, 2]] = 0.0  # shifts across the axis have one nodal diameter
    return replace(section, first_moment=first, second_moment=second, origin_coupling=coupling)
