"""What closed surfaces enclose, against closed forms and against solids that are integrated cell by cell."""

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.blocks import CellBlock, triangulate
from flexframe.mesh.builders import blade, block
from flexframe.mesh.cells import TRIANGLE
from flexframe.mesh.enclosed import enclosed_solid, surface_faults
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody


def surface(points: Array, triangles: IntArray) -> Mesh:
    return Mesh(points, (CellBlock(TRIANGLE, triangles),)).without_unused_nodes()


def skin(mesh: Mesh) -> Mesh:
    """The outer surface of a solid mesh."""
    return surface(mesh.points, triangulate(mesh.boundary()))


def box(sides: tuple[float, float, float], *, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Mesh:
    return skin(block(sides, (2, 1, 1), order=1)).moved(translation=at)


def together(first: Mesh, second: Mesh, *, turned: bool = False) -> Mesh:
    """Two surfaces in one mesh, the second perhaps inside out."""
    more = second.blocks[0].nodes[:, [0, 2, 1] if turned else [0, 1, 2]] + first.node_count
    return surface(np.concatenate([first.points, second.points]), np.concatenate([first.blocks[0].nodes, more]))


def test_box() -> None:
    """V = abc, I = m (b² + c²)/12 about the middle: products and sums of a dozen triangles."""
    a, b, c = 0.2, 0.02, 0.01
    found = enclosed_solid(box((a, b, c), at=(1.0, -2.0, 0.5)))
    close = rounding(1000)
    assert found.volume == pytest.approx(a * b * c, rel=close)
    assert found.area == pytest.approx(2 * (a * b + b * c + c * a), rel=close)
    assert np.allclose(found.centre, [1 + a / 2, -2 + b / 2, 0.5 + c / 2], rtol=0, atol=close)
    moments = a * b * c / 12 * np.array([b**2 + c**2, a**2 + c**2, a**2 + b**2])
    # coordinates about 2 are rounded to 2 ε, which is 1e-14 of the thickness, and that enters squared
    assert np.allclose(found.inertia, np.diag(moments), rtol=0, atol=1e-12 * moments.max())
    assert found.shells == 1


def test_twisted_blade_as_a_solid() -> None:
    """The surface of straight tetrahedra encloses just them: invariants by quadrature are the same."""
    mesh = blade(1.2, 0.3, 0.2, 0.05, twist_angle=0.7, divisions=(5, 2, 1), order=1, shape="tetra")
    mesh = mesh.moved(rotation_from_vector(np.array([0.3, -0.5, 0.9])), (0.4, 0.1, -0.2))
    body = RigidBody.of_surface("blade", skin(mesh), density=STEEL.density)
    solid = discretise(Body.solid("blade", mesh, material=STEEL)).inertia
    centre = solid.centre_of_mass
    about = solid.inertia_tensor - solid.mass * ((centre @ centre) * np.eye(3) - np.outer(centre, centre))
    close = rounding(1e4)  # sums over all cells in both, moved from the origin to the centre
    assert body.mass == pytest.approx(solid.mass, rel=close)
    assert np.allclose(body.centre, centre, rtol=0, atol=close)
    assert np.allclose(body.inertia, about, rtol=0, atol=close * np.abs(solid.inertia_tensor).max())


def test_cavities_and_pieces() -> None:
    """A hollow cube, two cubes beside each other, and what must be refused."""
    outer, inner = box((1.0, 1.0, 1.0)), box((0.5, 0.5, 0.5), at=(0.3, 0.2, 0.1))
    hollow = enclosed_solid(together(outer, inner, turned=True))
    assert hollow.volume == pytest.approx(0.875, rel=rounding(1000))
    centre = (0.5 - 0.125 * (np.array([0.3, 0.2, 0.1]) + 0.25)) / 0.875
    assert np.allclose(hollow.centre, centre, rtol=0, atol=rounding(1000))
    assert hollow.shells == 2
    apart = together(outer, box((0.5, 0.5, 0.5), at=(2.0, 0.0, 0.0)))
    assert enclosed_solid(apart).volume == pytest.approx(1.125, rel=rounding(1000))
    with pytest.raises(InputError, match="lies inside another and would count twice"):
        enclosed_solid(together(outer, inner))
    with pytest.raises(InputError, match="inside out and no cavity"):
        enclosed_solid(together(outer, box((0.5, 0.5, 0.5), at=(2.0, 0.0, 0.0)), turned=True))


def test_faults_are_counted() -> None:
    """A missing triangle opens three edges, a turned one twists three, all turned are inside out."""
    whole = box((1.0, 1.0, 1.0))
    triangles = whole.blocks[0].nodes
    assert surface_faults(triangles).text == ""
    assert surface_faults(triangles[1:]).open == 3
    turned = triangles.copy()
    turned[4] = turned[4, ::-1]
    assert (surface_faults(turned).open, surface_faults(turned).twisted) == (0, 3)
    for wrong, words in (
        (triangles[1:], "body cube: the surface is not closed: 3 edges are open"),
        (turned, "body cube: the triangles are not turned alike: 3 edges"),
        (triangles[:, ::-1], "body cube: the surface is inside out: its volume is -1 m³"),
    ):
        with pytest.raises(InputError, match=words):
            RigidBody.of_surface("cube", surface(whole.points, wrong), density=1.0)
    with pytest.raises(InputError, match="the mesh has hexahedron20 cells"):
        enclosed_solid(block((1, 1, 1), (1, 1, 1)))
    flat = np.array([[0, 1, 2], [0, 2, 1]])
    with pytest.raises(InputError, match="encloses no volume"):
        enclosed_solid(surface(np.eye(3), flat))
