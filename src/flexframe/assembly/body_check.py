"""What a body amounts to, to be compared with the drawing before anything is computed with it."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.maths.arrays import Array
from flexframe.mesh.checks import MeshQuality, check_mesh
from flexframe.model.body import Body


@dataclass(frozen=True, eq=False)
class BodyCheck:
    """Counts, volume, mass, centre, inertia about the centre, and the quality of the mesh; SI units."""

    body: str
    nodes: int
    elements: dict[str, int]  # family → how many
    dofs: int
    volume: float
    mass: float
    centre: Array  # (3,)
    inertia: Array  # about the centre, body axes: (3, 3)
    principal_moments: Array  # ascending: (3,)
    quality: MeshQuality

    def describe(self) -> str:
        """A few lines to read."""
        parts = ", ".join(f"{count} {family}" for family, count in self.elements.items()) or "no elements"
        x, y, z = self.centre
        moments = ", ".join(f"{value:.6g}" for value in self.principal_moments)
        quality = self.quality
        return "\n".join(
            [
                f"{self.body}: {parts}; {self.nodes} nodes, {self.dofs} degrees of freedom",
                f"volume {self.volume:.6g} m³, mass {self.mass:.6g} kg",
                f"centre of mass ({x:.6g}, {y:.6g}, {z:.6g}) m, principal moments {moments} kg m²",
                f"scaled Jacobian from {quality.min_scaled_jacobian:.3g} (cell {quality.worst_cell}), "
                f"mean {quality.mean_scaled_jacobian:.3g}; edge ratio up to {quality.max_aspect_ratio:.3g}",
            ]
        )


def check_body(body: Body | DiscreteBody) -> BodyCheck:
    """Measure a body.

    Parameters
    ----------
    body
        A body, described or discretised.

    Returns
    -------
    BodyCheck
        Mass [kg], volume [m³], centre of mass [m] and inertia [kg m²], for comparison with a drawing.

    Examples
    --------
    >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=ff.STEEL)
    >>> round(ff.bodies.check_body(block).volume, 9)
    0.004
    """
    discrete = ensure_discrete(body)
    inertia, mesh = discrete.inertia, discrete.body.mesh
    quality = check_mesh(mesh)
    centre = inertia.centre_of_mass
    about_centre = inertia.inertia_tensor - inertia.mass * (
        (centre @ centre) * np.eye(3) - np.outer(centre, centre)
    )
    elements: dict[str, int] = {}
    for batch in discrete.batches:
        elements[batch.family.name] = elements.get(batch.family.name, 0) + batch.count
    return BodyCheck(
        body=discrete.body.name,
        nodes=mesh.node_count,
        elements=elements,
        dofs=discrete.dofs.count,
        volume=quality.volume,
        mass=inertia.mass,
        centre=centre,
        inertia=about_centre,
        principal_moments=np.asarray(np.linalg.eigvalsh(about_centre), dtype=float),
        quality=quality,
    )
