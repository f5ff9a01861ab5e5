"""A reduced body as a body for systems and analyses: its coordinates, and its points as nodes that follow them."""

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.matrices import BodyMatrices, InertiaIntegrals, QuadraticIntegrals
from flexframe.reduction.reduced_body import ReducedBody


def body_of_reduced(reduced: ReducedBody, name: str | None = None) -> Body:
    """A body that has every invariant of a reduced one; each of its points is a node set of its name."""
    points = (*reduced.interfaces, *reduced.sensors)
    if not points:
        raise InputError(
            f"body {name or reduced.name}: the reduced body has no points, so that nothing can take hold of it; "
            "reduce it with interfaces or sensors"
        )
    positions = np.array([point.position for point in points]).reshape(-1, 3)
    present = np.array([point.present for point in points], dtype=bool).reshape(-1, 6)
    rows = np.argwhere(present)
    fields = np.array([point.rows for point in points]).reshape(-1, 6, reduced.size)
    quadratic = np.array([point.quadratic for point in points]).reshape(-1, 6, reduced.size, reduced.size)
    matrices = BodyMatrices(
        rows=rows,
        stiffness=sparse.csr_array(reduced.stiffness),
        mass=sparse.csr_array(reduced.elastic_mass),
        shapes=fields[present],
        rigid=np.zeros((reduced.size, 6)),  # the coordinates hold no rigid motion
        inertia=InertiaIntegrals(
            reduced.mass,
            reduced.first_moment,
            reduced.second_moment,
            reduced.origin_coupling,
            reduced.position_coupling,
            reduced.shape_products,
        ),
        quadratic=QuadraticIntegrals(reduced.origin_quadratic, reduced.position_quadratic, quadratic[present]),
        damping=sparse.csr_array(reduced.damping) if reduced.damping.any() else None,
    )
    mesh = Mesh(
        positions,
        (CellBlock(VERTEX, np.arange(len(points))[:, None]),),
        node_sets={point.name: np.array([number]) for number, point in enumerate(points)},
    )
    return Body(name or reduced.name, mesh, (), space="spatial", matrices=matrices)
