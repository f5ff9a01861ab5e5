"""Plane stress benchmarks of the element literature."""

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material
from flexframe.mesh.builders import quadrilateral, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.loads import Pressure, Traction
from flexframe.model.supports import Clamp, Symmetric
from flexframe.verification.contract import Check, Reference


def _cook(refinement: int) -> list[float]:
    mesh = quadrilateral(
        [(0, 0), (48, 44), (48, 60), (0, 44)], divisions=(24 * refinement, 24 * refinement), order=2
    )
    body = Body.plane(
        "membrane",
        mesh,
        material=Material(1.0, 1 / 3, 1.0),
        thickness=1.0,
        supports=(Clamp("left"),),
        loads=(Traction("right", (0.0, 1 / 16)),),
    )
    record = statics(discretise(body))
    return [float(record.displacements[mesh.nearest_node((48, 52)), 1])]


def _ellipses(divisions: tuple[int, int]) -> Mesh:
    """Quarter of NAFEMS LE1 between the ellipses (2, 1) and (3.25, 2.75); left = inner, right = outer."""
    square = rectangle(1.0, 1.0, divisions=divisions, order=2)
    s, t = square.points[:, 0], square.points[:, 1]
    angle = t * np.pi / 2
    x = (2 + 1.25 * s) * np.cos(angle)
    y = (1 + 1.75 * s) * np.sin(angle)
    return Mesh(np.stack([x, y], axis=1), square.blocks, square.node_sets, square.facet_sets, square.cell_sets)


def _elliptic_membrane(refinement: int) -> list[float]:
    mesh = _ellipses((8 * refinement, 10 * refinement))
    body = Body.plane(
        "membrane",
        mesh,
        material=Material(210e9, 0.3, 7800.0),
        thickness=0.1,
        supports=(Symmetric("bottom", (0, 1)), Symmetric("top", (1, 0))),
        loads=(Pressure("right", -10e6),),
    )
    record = statics(discretise(body))
    return [float(record.nodal_stress["syy"][mesh.nearest_node((2, 0))])]


def _tapered_membrane(refinement: int) -> list[float]:
    corners = [(0, -2.5), (10, -0.5), (10, 0.5), (0, 2.5)]
    mesh = quadrilateral(corners, divisions=(16 * refinement, 8 * refinement), order=2)
    body = Body.plane(
        "membrane", mesh, material=Material(200e9, 0.3, 8000.0), thickness=0.05, supports=(Clamp("left"),)
    )
    return [float(f) for f in modes(discretise(body), count=6).frequencies_hz]


def _straight_cantilever(refinement: int) -> list[float]:
    mesh = rectangle(6.0, 0.2, divisions=(6 * refinement, refinement), order=2)
    tips = []
    for traction, component in (((1 / 0.02, 0.0), 0), ((0.0, 1 / 0.02), 1)):
        body = Body.plane(
            "beam",
            mesh,
            material=Material(1e7, 0.3, 1.0),
            thickness=0.1,
            supports=(Clamp("left"),),
            loads=(Traction("right", traction),),
        )
        record = statics(discretise(body))
        tips.append(float(record.displacements[mesh.nearest_node((6.0, 0.1)), component]))
    return tips


CHECKS: tuple[Check, ...] = (
    Check(
        "cook-membrane",
        "Cook's membrane, converged",
        "E 1, ν 1/3, plane stress, 48 × 48 Q8 elements; the corner (0, 44) is singular and slows convergence",
        (Reference("v(48, 52)", 23.9677, 5e-4),),
        _cook,
    ),
    Check(
        "nafems-le1",
        "NAFEMS LE1 (published)",
        "elliptic membrane, σ_yy at (2, 0), 16 × 20 Q8 elements, nodal average",
        (Reference("σ_yy [Pa]", 92.7e6, 2e-3),),
        _elliptic_membrane,
    ),
    Check(
        "nafems-fv32",
        "NAFEMS FV32 (published)",
        "tapered cantilever membrane, 32 × 16 Q8 elements",
        tuple(
            Reference(f"f{k + 1} [Hz]", value, 1e-3)
            for k, value in enumerate((44.623, 130.03, 162.70, 246.05, 379.90, 391.44))
        ),
        _tapered_membrane,
    ),
    Check(
        "macneal-harder-straight",
        "MacNeal & Harder 1985, beam theory",
        "6 × 0.2 × 0.1 cantilever in its plane, 12 × 2 Q8 elements",
        (Reference("extension", 3.0e-5, 5e-3), Reference("in-plane shear", 0.1081, 1e-2)),
        _straight_cantilever,
    ),
)
