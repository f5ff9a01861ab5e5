"""Plane stress, solids and shells: patch tests and benchmarks of the element literature."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.integration import stress
from flexframe.elements.properties import Material, Property, ShellProperty, SolidProperty
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.factorisation import factorise
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, quadrilateral, rectangle
from flexframe.mesh.cells import HEXAHEDRON, QUAD
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import tetrahedra, triangles
from flexframe.model.body import Body, Region
from flexframe.model.loads import Load, NodeForce, Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Support, Symmetric
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


def spatial_body(
    mesh: Mesh, prop: Property, supports: Sequence[Support] = (), loads: Sequence[Load] = ()
) -> DiscreteBody:
    """A body in space of one property."""
    body = Body("part", mesh, (Region(prop),), supports=tuple(supports), loads=tuple(loads), space="spatial")
    return discretise(body)


# ---------------------------------------------------------------------- patch tests

_CUBE_INSIDE = (
    (0.249, 0.342, 0.192),
    (0.826, 0.288, 0.288),
    (0.850, 0.649, 0.263),
    (0.273, 0.750, 0.230),
    (0.320, 0.186, 0.643),
    (0.677, 0.305, 0.683),
    (0.788, 0.693, 0.644),
    (0.165, 0.745, 0.702),
)
_CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_PLATE = ((0, 0), (0.24, 0), (0.24, 0.12), (0, 0.12), (0.04, 0.02), (0.18, 0.03), (0.16, 0.08), (0.08, 0.08))
_PLATE_CELLS = ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7))


def _cube_patch() -> Mesh:
    """Seven hexahedra of the unit cube around an irregular one."""
    cells = [list(range(8, 16))]
    for _, face in HEXAHEDRON.facets:
        cells.append([*reversed(face), *(8 + node for node in reversed(face))])
    return Mesh(np.array([*_CUBE, *_CUBE_INSIDE], dtype=float), (CellBlock(HEXAHEDRON, np.array(cells)),))


def _held_solution(discrete: DiscreteBody, exact: Array, held: BoolArray) -> Array:
    """Displacements (p,) where those of the held nodes (nodes, 6) are given and nothing else acts."""
    numbers = discrete.dofs.numbers
    given = np.zeros(discrete.dofs.count)
    fixed = np.zeros(discrete.dofs.count, dtype=bool)
    known = (numbers >= 0) & held[:, None]
    given[numbers[known]] = exact[known]
    fixed[numbers[known]] = True
    K = discrete.stiffness.tocsr()
    free = np.flatnonzero(~fixed)
    load = -(K @ given)[free]
    given[free] = factorise(K[free][:, free], "spd").solve(load)
    return given


def _extremes(discrete: DiscreteBody, displacements: Array, components: Sequence[int]) -> list[float]:
    """The value of each component farthest from its mean over all elements; in a patch all are equal."""
    padded = np.append(displacements, 0.0)
    fields = [stress(batch, padded[discrete.dofs.of_elements(batch)]).values for batch in discrete.batches]
    table = np.concatenate([values.reshape(-1, values.shape[2]) for values in fields])
    away = np.abs(table - table.mean(axis=0))
    return [float(table[np.argmax(away[:, c]), c]) for c in components]


def _solid_patch(refinement: int) -> list[float]:
    """σxx and τxy of the cube by hexahedra and by tetrahedra; linear cells, then quadratic ones."""
    found = []
    for mesh in (_cube_patch(), tetrahedra(_cube_patch())):
        patch = mesh if refinement == 1 else quadratic(mesh)
        discrete = spatial_body(patch, SolidProperty(Material(1e6, 0.25, 1.0)))
        x = patch.points
        exact = np.zeros((len(x), 6))
        exact[:, :3] = 0.5e-3 * (x + x.sum(axis=1, keepdims=True))
        outside: BoolArray = np.any(np.abs(x * (1 - x)) < 1e-12, axis=1)
        found += _extremes(discrete, _held_solution(discrete, exact, outside), (0, 3))
    return found


def _shell_patch(refinement: int) -> list[float]:
    """Membrane stress and surface stress of bending of the plate, by quadrilaterals and by triangles."""
    t = 1e-3
    plate = Mesh(np.array(_PLATE, dtype=float), (CellBlock(QUAD, np.array(_PLATE_CELLS)),))
    plate = plate if refinement == 1 else quarter(plate)
    found = []
    for mesh in (plate, triangles(plate)):
        discrete = spatial_body(mesh, ShellProperty(Material(1e6, 0.25, 1.0), t))
        x, y, _ = mesh.points.T
        outside = (np.abs(x * (0.24 - x)) < 1e-12) | (np.abs(y * (0.12 - y)) < 1e-12)
        stretched, bent = np.zeros((2, mesh.node_count, 6))
        stretched[:, 0], stretched[:, 1] = 1e-3 * (x + y / 2), 1e-3 * (y + x / 2)
        # w = 1e-3 (x² + xy + y²)/2, θx = w,y, θy = −w,x
        bent[:, 2] = 1e-3 * (x * x + x * y + y * y) / 2
        bent[:, 3], bent[:, 4] = 1e-3 * (x / 2 + y), -1e-3 * (x + y / 2)
        forces = _extremes(discrete, _held_solution(discrete, stretched, outside), (0, 2))
        moments = _extremes(discrete, _held_solution(discrete, bent, outside), (3, 5))
        found += [value / t for value in forces] + [abs(6 * value) / t**2 for value in moments]
    return found


def quadratic(mesh: Mesh) -> Mesh:
    """The same cells with nodes in the middle of their straight edges."""
    (cells,) = mesh.blocks
    ends = np.sort(cells.nodes[:, [edge[:2] for edge in cells.cell.edges]], axis=2)
    pairs, numbers = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    middles = mesh.node_count + numbers.reshape(len(cells), -1)
    points = np.vstack([mesh.points, mesh.points[pairs].mean(axis=1)])
    return Mesh(points, (CellBlock(cells.cell.of_order(2), np.hstack([cells.nodes, middles])),))


def quarter(mesh: Mesh) -> Mesh:
    """Every quadrilateral in four, through its centre and the middles of its sides."""
    curved = quadratic(mesh)
    (cells,) = curved.blocks
    centres = curved.node_count + np.arange(len(cells))
    points = np.vstack([curved.points, mesh.points[cells.nodes[:, :4]].mean(axis=1)])
    corners, sides = cells.nodes[:, :4], cells.nodes[:, 4:]
    parts = [np.stack([corners[:, k], sides[:, k], centres, sides[:, k - 1]], axis=1) for k in range(4)]
    return Mesh(points, (CellBlock(QUAD, np.concatenate(parts)),))


# ---------------------------------------------------------------------- beams


def _edge_force(mesh: Mesh, on: str, force: Sequence[float]) -> list[NodeForce]:
    """A force spread along the straight and evenly divided side `on`."""
    nodes = mesh.nodes_of(on)
    along = mesh.points[nodes] @ np.ptp(mesh.points[nodes], axis=0)
    weights = np.ones(len(nodes))
    weights[[np.argmin(along), np.argmax(along)]] = 0.5
    weights /= weights.sum()
    return [NodeForce(int(n), tuple(float(w) * np.array(force))) for n, w in zip(nodes, weights, strict=True)]


def _straight_solids(refinement: int) -> list[float]:
    """Extension, shear in the plane of width 0.2 and across it."""
    mesh = block((6.0, 0.2, 0.1), (12 * refinement, refinement, refinement), order=2)
    tips = []
    for axis in range(3):
        traction = [0.0, 0.0, 0.0]
        traction[axis] = 1 / 0.02
        material = Material(1e7, 0.3, 1.0)
        discrete = spatial_body(
            mesh, SolidProperty(material), [Clamp("left")], [Traction("right", tuple(traction))]
        )
        tips.append(float(statics(discrete).displacements[mesh.nodes_of("right"), axis].mean()))
    return tips


def _straight_shells(refinement: int) -> list[float]:
    mesh = rectangle(6.0, 0.2, (12 * refinement, 2 * refinement), order=1)
    tips = []
    for axis in range(3):
        force = np.eye(3)[axis].tolist()
        prop = ShellProperty(Material(1e7, 0.3, 1.0), 0.1)
        discrete = spatial_body(mesh, prop, [Clamp("left")], _edge_force(mesh, "right", force))
        tips.append(float(statics(discrete).displacements[mesh.nodes_of("right"), axis].mean()))
    return tips


def _twist(refinement: int) -> list[float]:
    """Thick and thin, loads in and across the plane of the free end, by quadrilaterals and by triangles."""
    length, width = 12.0, 1.1
    found = []
    for shape in ("quad", "triangle"):
        flat = rectangle(1.0, 1.0, (12 * refinement, 2 * refinement), order=1, shape=shape)
        u, v = flat.points[:, 0], flat.points[:, 1] - 0.5
        angle = np.pi / 2 * u
        points = np.stack([length * u, width * v * np.cos(angle), width * v * np.sin(angle)], axis=1)
        mesh = replace(flat, points=points)
        tip = mesh.nearest_node((length, 0, 0))
        for thickness, size in ((0.32, 1.0), (0.0032, 1e-6)):
            for axis in (2, 1):
                force = (size * np.eye(3)[axis]).tolist()
                prop = ShellProperty(Material(29e6, 0.22, 1.0), thickness)
                discrete = spatial_body(mesh, prop, [Clamp("left")], _edge_force(mesh, "right", force))
                found.append(float(statics(discrete).displacements[tip, axis]))
    return found


# ---------------------------------------------------------------------- surfaces and blocks


def _hemisphere(refinement: int) -> list[float]:
    """Radial displacement under the load of a quarter of the hemisphere with an 18° hole."""
    radius, hole, n = 10.0, np.radians(18), 8 * refinement
    found = []
    for shape in ("quad", "triangle"):
        flat = rectangle(1.0, 1.0, (n, n), order=1, shape=shape)
        polar, around = hole + (np.pi / 2 - hole) * flat.points[:, 1], np.pi / 2 * flat.points[:, 0]
        x, y = np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)
        mesh = replace(flat, points=radius * np.stack([x, y, np.cos(polar)], axis=1))
        pulled, pushed = mesh.nearest_node((radius, 0, 0)), mesh.nearest_node((0, radius, 0))
        discrete = spatial_body(
            mesh,
            ShellProperty(Material(6.825e7, 0.3, 1.0), 0.04),
            [Symmetric("left", (0, 1, 0)), Symmetric("right", (1, 0, 0)), Fix(pulled, ("uz",))],
            [NodeForce(pulled, (1.0, 0, 0)), NodeForce(pushed, (0, -1.0, 0))],
        )
        found.append(float(statics(discrete).displacements[pulled, 0]))
    return found


def _cook_shells(refinement: int) -> list[float]:
    found = []
    for shape in ("quad", "triangle"):
        flat = rectangle(1.0, 1.0, (16 * refinement, 16 * refinement), order=1, shape=shape)
        u, v = flat.points[:, 0], flat.points[:, 1]
        mesh = replace(flat, points=np.stack([48 * u, 44 * u + v * (44 - 28 * u)], axis=1))
        discrete = spatial_body(
            mesh,
            ShellProperty(Material(1.0, 1 / 3, 1.0), 1.0),
            [Clamp("left"), Fix("all", ("uz", "rx", "ry"))],
            _edge_force(mesh, "right", (0, 1.0, 0)),
        )
        found.append(float(statics(discrete).displacements[mesh.nearest_node((48, 52)), 1]))
    return found


def _elliptic_solids(refinement: int) -> list[float]:
    """NAFEMS LE1 as half of a slab of solids, so thin that it is in plane stress, σyy averaged at (2, 0)."""
    slab = block((1.0, 1.0, 0.01), (8 * refinement, 10 * refinement, 1), order=2)
    s, angle = slab.points[:, 0], slab.points[:, 1] * np.pi / 2
    x, y = (2 + 1.25 * s) * np.cos(angle), (1 + 1.75 * s) * np.sin(angle)
    mesh = replace(slab, points=np.stack([x, y, slab.points[:, 2]], axis=1))
    supports = [Symmetric("front", (0, 1, 0)), Symmetric("back", (1, 0, 0)), Symmetric("bottom", (0, 0, 1))]
    prop = SolidProperty(Material(210e9, 0.3, 7800.0))
    record = statics(spatial_body(mesh, prop, supports, [Pressure("right", -10e6)]))
    return [float(record.nodal_stress["syy"][mesh.nearest_node((2, 0, 0))])]


def _tapered_shells(refinement: int) -> list[float]:
    """NAFEMS FV32 with shells that stay in their plane."""
    corners = [(0, -2.5), (10, -0.5), (10, 0.5), (0, 2.5)]
    mesh = quadrilateral(corners, divisions=(24 * refinement, 12 * refinement), order=1)
    prop = ShellProperty(Material(200e9, 0.3, 8000.0), 0.05)
    discrete = spatial_body(mesh, prop, [Clamp("left"), Fix("all", ("uz", "rx", "ry"))])
    return [float(f) for f in modes(discrete, count=6).frequencies_hz]


def _free_block(refinement: int) -> list[float]:
    mesh = block((3.0, 2.0, 1.0), (12 * refinement, 8 * refinement, 4 * refinement), order=2)
    record = modes(spatial_body(mesh, SolidProperty(Material(1.0, 0.3, 1.0))), count=12)
    return [float(w) for w in np.abs(record.eigenvalues.imag)[6:12]]


_BENT, _STRETCHED = (0.66667, 0.2), (4000 / 3, 400.0)
_TWISTED = (5.424e-3, 1.754e-3, 5.256e-3, 1.294e-3)


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
    Check(
        "patch-solids",
        "MacNeal & Harder 1985, patch test for solids",
        "unit cube, E 1e6, ν 1/4, displacements of its surface given; linear cells, then quadratic ones",
        tuple(
            Reference(f"{cells}, {name}, farthest from the mean", value, 1e-8)
            for cells in ("hexahedra", "tetrahedra")
            for name, value in (("σxx", 2000.0), ("τxy", 400.0))
        ),
        _solid_patch,
    ),
    Check(
        "patch-shells",
        "MacNeal & Harder 1985, patch test for plates",
        "0.24 × 0.12 × 0.001, E 1e6, ν 1/4, displacements of the edge given; the mesh, then each cell in four",
        tuple(
            Reference(f"{cells}, {name}, farthest from the mean", value, 1e-5)
            for cells in ("quadrilaterals", "triangles")
            for name, value in zip(
                ("membrane σxx", "membrane τxy", "bending σxx", "bending τxy"),
                (*_STRETCHED, *_BENT),
                strict=True,
            )
        ),
        _shell_patch,
    ),
    Check(
        "macneal-harder-straight-solids",
        "MacNeal & Harder 1985, beam theory",
        "6 × 0.2 × 0.1 cantilever, 24 × 2 × 2 Hex20 elements",
        (
            Reference("extension", 3.0e-5, 5e-3),
            Reference("in-plane shear", 0.1081, 1e-2),
            Reference("out-of-plane shear", 0.4321, 1e-2),
        ),
        _straight_solids,
    ),
    Check(
        "macneal-harder-straight-shells",
        "MacNeal & Harder 1985, beam theory",
        "6 × 0.2 × 0.1 cantilever, 24 × 4 shell quadrilaterals",
        (
            Reference("extension", 3.0e-5, 5e-3),
            Reference("in-plane shear", 0.1081, 1e-2),
            Reference("out-of-plane shear", 0.4321, 1e-2),
        ),
        _straight_shells,
    ),
    Check(
        "twisted-beam",
        "MacNeal & Harder 1985; thin: Simo, Fox & Rifai 1989",
        "12 × 1.1, twisted by 90°, t 0.32 and 0.0032 (load 1e-6), 24 × 4 shells",
        tuple(
            Reference(f"{cells}, t {t}, load {direction}", value, 2e-2)
            for cells in ("quadrilaterals", "triangles")
            for (t, direction), value in zip(
                ((0.32, "in plane"), (0.32, "across"), (0.0032, "in plane"), (0.0032, "across")),
                _TWISTED,
                strict=True,
            )
        ),
        _twist,
    ),
    Check(
        "hemisphere",
        "pinched hemisphere with a hole, 0.0924 to 0.0940 in the literature",
        "R 10, t 0.04, 16 × 16 shells on a quarter",
        tuple(
            Reference(f"{cells}, radial displacement", 0.0932, 2e-2) for cells in ("quadrilaterals", "triangles")
        ),
        _hemisphere,
    ),
    Check(
        "cook-membrane-shells",
        "Cook's membrane, converged",
        "E 1, ν 1/3, 32 × 32 shells that stay in their plane",
        tuple(Reference(f"{cells}, v(48, 52)", 23.9677, 1e-2) for cells in ("quadrilaterals", "triangles")),
        _cook_shells,
    ),
    Check(
        "nafems-le1-solids",
        "NAFEMS LE1 (published)",
        "elliptic membrane, t 0.02, one layer of 16 × 20 Hex20 elements, σ_yy at (2, 0), nodal average",
        (Reference("σ_yy [Pa]", 92.7e6, 5e-3),),
        _elliptic_solids,
    ),
    Check(
        "nafems-fv32-shells",
        "NAFEMS FV32 (published)",
        "tapered cantilever membrane, 48 × 24 shell quadrilaterals that stay in their plane",
        tuple(
            Reference(f"f{k + 1} [Hz]", value, 5e-3)
            for k, value in enumerate((44.623, 130.03, 162.70, 246.05, 379.90, 391.44))
        ),
        _tapered_shells,
    ),
    Check(
        "free-block",
        "converged by two methods",
        "free block 3 × 2 × 1, ν 0.3, 24 × 16 × 8 Hex20 elements",
        tuple(
            Reference(f"ω √(ρ/E), {k + 1}.", value, 5e-5)
            for k, value in enumerate((0.469666, 0.547106, 0.766188, 0.926967, 1.006242, 1.015994))
        ),
        _free_block,
    ),
)
