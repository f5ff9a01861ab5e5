"""What the analyses of bodies of revolution share: nodal diameters, the axis, what is drawn."""

from collections.abc import Sequence

import numpy as np

from flexframe.analyses.small_deformation import LARGEST_STRAIN
from flexframe.assembly.axisymmetric import AXIS
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mesh.extrusion import SweptSurface
from flexframe.model.body import Body

USUAL_DIAMETERS = (0, 1, 2, 3)


def chosen_diameters(given: Sequence[int] | None) -> tuple[int, ...]:
    """Numbers of nodal diameters, each once, ascending."""
    if given is None:
        return USUAL_DIAMETERS
    for n in given:
        if int(n) != n or n < 0:
            raise InputError(
                f"{n} is no number of nodal diameters; give whole numbers from 0 up", field="nodal_diameters"
            )
    if not len(given):
        raise InputError("no nodal diameters are given; give some, such as [0, 1, 2]", field="nodal_diameters")
    return tuple(sorted({int(n) for n in given}))


def require_no_diameters(body: Body, given: Sequence[int] | None) -> None:
    """Refuse nodal diameters of a body that has all of them at once."""
    if given is not None:
        raise InputError(
            f"body {body.name} is not described by the section of a body of revolution (plane: axisymmetric); its "
            "modes have the nodal diameters that they have: leave nodal_diameters out",
            field="nodal_diameters",
        )


def require_closed_form(formalism: str | None, *, exact: bool) -> None:
    """Refuse what only elements in a moving frame of their own have."""
    if formalism is not None or exact:
        raise InputError(
            "a body of revolution has equations of its nodal diameters; leave formalism and exact out",
            field="formalism" if formalism is not None else "exact",
        )


def require_own_axis(body: Body, angular_velocity: Array, field: str) -> None:
    """Refuse a rotation about another axis than that of symmetry."""
    if np.linalg.norm(np.cross(AXIS, angular_velocity)) > 1e-9 * np.linalg.norm(angular_velocity):
        shown = (angular_velocity / np.linalg.norm(angular_velocity)).round(6).tolist()
        raise InputError(
            f"body {body.name} turns about {shown}, and a body of revolution turns about y; give axis: [0, 1, 0]",
            field=field,
        )


def surface_shapes(harmonic: HarmonicBody, full: ComplexArray, surface: SweptSurface) -> ComplexArray:
    """Shapes on the surface, largest displacement 1 (real), without rotations: (modes, points, 6)."""
    moved = np.moveaxis(harmonic.displacements(full, surface), -1, 0)
    flat = moved.reshape(len(moved), -1)
    largest = flat[np.arange(len(flat)), np.argmax(np.abs(flat), axis=1)]
    shapes = np.zeros((*moved.shape[:2], 6), dtype=complex)
    shapes[:, :, :3] = moved / np.where(largest == 0, 1.0, largest)[:, None, None]
    return shapes


def spin_notices(section: DiscreteBody, speed: float, terms: Terms) -> tuple[str, ...]:
    """A warning where the rotation strains the body beyond the theory of small strains."""
    if not (speed and terms.geometric):
        return ()
    strain = section.harmonics.spin_strain * speed**2
    if strain <= LARGEST_STRAIN:
        return ()
    return (
        f"prestress at {abs(speed):.6g} rad/s: strain of about {100 * strain:.2g} % is beyond the small strains "
        f"({100 * LARGEST_STRAIN:g} %) of this theory",
    )


def said_once(notices: Sequence[tuple[int, Sequence[str]]]) -> tuple[str, ...]:
    """Notices of nodal diameters; what is said of all of them is said once."""
    texts = [text for _, found in notices for text in dict.fromkeys(found)]
    return tuple(
        dict.fromkeys(
            text if texts.count(text) == len(notices) else f"nodal diameters {n}: {text}"
            for n, found in notices
            for text in found
        )
    )
