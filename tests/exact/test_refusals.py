"""What cannot be computed is refused with the place and the way out."""

import re

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.elements.contract import is_interpolated, is_structural
from flexframe.elements.families import FAMILIES, family_for, family_named
from flexframe.elements.properties import (
    BarProperty,
    BeamProperty,
    Circle,
    GeneralSection,
    Material,
    PlaneProperty,
    Property,
    Rectangle,
    ShellProperty,
    SolidProperty,
)
from flexframe.errors import AnalysisError, InputError
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import line, rectangle
from flexframe.mesh.cells import LINE, LINE3, QUAD, QUAD8, TRIANGLE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.loads import LineLoad, NodeForce, Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Pin, Roller, Symmetric
from flexframe.motion.frame import FrameMotion

from .solving import MATERIAL, SECTION, beam_body, solve

PLATE = PlaneProperty(MATERIAL, 0.1)
BEAM = BeamProperty(MATERIAL, SECTION)
BAR = BarProperty(MATERIAL, 0.1)


def two_cells() -> Mesh:
    mesh = rectangle(2.0, 1.0, (2, 1), order=1)
    return mesh.with_sets(cell_sets={"first": [0], "second": [1], "both": [0, 1]})


def test_cell_without_region() -> None:
    body = Body("plate", two_cells(), (Region(PLATE, "first"),))
    with pytest.raises(InputError, match=r"body plate: cell 1 belongs to no region; give"):
        discretise(body)


def test_cell_in_two_regions() -> None:
    body = Body("plate", two_cells(), (Region(PLATE, "both"), Region(PLATE, "second")))
    with pytest.raises(InputError, match=r"body plate: cell 1 is in two regions; let"):
        discretise(body)


def test_body_without_region() -> None:
    with pytest.raises(InputError, match="body plate has no region"):
        Body("plate", two_cells(), ())


def test_labels_of_the_file_are_shown() -> None:
    """A mesh that came from a file is spoken of with the file's own numbers."""
    mesh = two_cells()
    labelled = Mesh(mesh.points, mesh.blocks, cell_sets=mesh.cell_sets, cell_labels=np.array([101, 202]))
    with pytest.raises(InputError, match="cell 202 belongs to no region"):
        discretise(Body("plate", labelled, (Region(PLATE, "first"),)))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_plane_elements_stay_in_the_plane(space: str) -> None:
    """Plane elements have no place outside z = 0, beams only in planar space."""
    lifted = two_cells().moved(translation=(0, 0, 0.5))
    with pytest.raises(InputError, match=r"node \d+ lies outside the x–y plane \(z = 0.5\)"):
        discretise(Body("plate", lifted, (Region(PLATE),), space=space))


def test_planar_beam_outside_the_plane() -> None:
    mesh = line(1.0, 2, direction=(1, 0, 1))
    with pytest.raises(InputError, match="lies outside the x–y plane"):
        discretise(beam_body(mesh, "timoshenko", space="planar"))
    discretise(beam_body(mesh, "timoshenko", space="spatial"))


# ---------------------------------------------------------------------- properties and families


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize(
    "prop",
    [PLATE, BEAM, BAR, SolidProperty(MATERIAL), ShellProperty(MATERIAL, 0.1)],
    ids=lambda prop: type(prop).__name__,
)
def test_property_must_fit_the_family(family, prop: Property) -> None:
    """Of all pairs only the meaningful ones are accepted; the others name the property."""
    cell = family.cell
    meaningful = {1: BarProperty, 2: PlaneProperty, 3: SolidProperty}[cell.dimension]
    if not is_interpolated(family):
        meaningful = {1: BeamProperty, 2: ShellProperty}[cell.dimension]
    points = np.zeros((cell.nodes, 3))
    points[:, : cell.dimension] = cell_geometry(cell).nodes
    mesh = Mesh(points, (CellBlock(cell, np.arange(cell.nodes)[None]),))
    space = "spatial" if cell.dimension == 3 else "planar"
    body = Body("body", mesh, (Region(prop, family=family.name),), space=space)
    if isinstance(prop, meaningful) and is_structural(family) and not family.suits(prop):
        with pytest.raises(InputError, match=f"{family.name} elements do not have this section"):
            discretise(body)
    elif isinstance(prop, meaningful):
        assert discretise(body).dofs.count > 0
    else:
        with pytest.raises(InputError, match=f"{type(prop).__name__} does not fit"):
            discretise(body)


def test_family_must_fit_the_cells() -> None:
    body = Body("plate", two_cells(), (Region(PLATE, family="triangle3"),))
    with pytest.raises(InputError, match="triangle3 elements need triangle cells, the mesh has quad"):
        discretise(body)


def test_unknown_family_and_missing_element() -> None:
    with pytest.raises(InputError, match="element 'quad9' is unknown; choose one of bar, "):
        family_named("quad9")
    with pytest.raises(InputError, match="no element for a quad cell with a BeamProperty"):
        family_for(QUAD, BEAM)
    with pytest.raises(InputError, match="no element for a line3 cell with a BeamProperty"):
        family_for(LINE3, BEAM)


def test_default_families() -> None:
    assert family_for(LINE, BEAM).name == "timoshenko_beam"
    assert family_for(LINE, BAR).name == "bar"
    assert family_for(TRIANGLE, PLATE).name == "triangle3"
    assert family_for(QUAD8, PLATE).name == "quadrilateral8"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Material(-1.0, 0.3, 1.0), "young is -1; give a positive"),
        (lambda: Material(1.0, 0.3, float("nan")), "density is nan; give a positive"),
        (lambda: Material(1.0, 0.5, 1.0), "poisson is 0.5; give a value between -1 and 0.5"),
        (lambda: Rectangle(0.1, 0.0), "height is 0; give a positive"),
        (lambda: Circle(0.1, 0.1), "inner_diameter is 0.1"),
        (lambda: GeneralSection(1.0, 1.0, -1.0, 1.0), "inertia_y is -1"),
        (lambda: PlaneProperty(MATERIAL, 0.0), "thickness is 0"),
        (lambda: BarProperty(MATERIAL, -1.0), "area is -1"),
        (lambda: BeamProperty(MATERIAL, SECTION, rotary_inertia=-1), "rotary_inertia is -1"),
        (lambda: PointMass("tip", 0.0), "point mass is 0"),
        (lambda: Roller("tip", (0, 0)).constraints(), "roller direction has no length"),
        (lambda: Symmetric("tip", (0, 0)).constraints(), "symmetry normal has no length"),
        (lambda: Roller("tip", (1, 0, 0, 0)).constraints(), "give three finite components"),
        (lambda: Fix("tip", ("ux", "phi")).constraints(), "support holds 'phi'; choose from ux"),
        (lambda: FrameMotion.spin(1.0, (0, 0, 0)), "spin axis has no direction"),
        (lambda: FrameMotion((1.0, np.inf, 0)), "angular velocity is .*give three finite"),
    ],
)
def test_values_that_mean_nothing(make, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()


# ---------------------------------------------------------------------- loads and supports


def test_places_that_do_not_exist() -> None:
    def body(**extra) -> Body:
        return Body("plate", two_cells(), (Region(PLATE),), **extra)

    with pytest.raises(InputError, match=r"unknown set 'lefft'.*left"):
        discretise(body(supports=(Clamp("lefft"),)))
    with pytest.raises(InputError, match="has no node 99; nodes count from 0 to 5"):
        discretise(body(loads=(NodeForce(99, (1, 0)),)))
    with pytest.raises(InputError, match="unknown facet set 'rim'"):
        discretise(body(loads=(Pressure("rim", 1.0),)))


def test_loads_that_nothing_carries() -> None:
    """A load that would be lost is an error, not a smaller answer."""
    plate = Body("plate", two_cells(), (Region(PLATE),), supports=(Clamp("left"),))

    def loaded(*loads) -> Body:
        return Body("plate", plate.mesh, plate.regions, supports=plate.supports, loads=loads)

    with pytest.raises(InputError, match="a moment acts on 'right' whose nodes have no rotation"):
        discretise(loaded(NodeForce("right", moment=(0, 0, 1.0))))
    with pytest.raises(InputError, match="a load acts along uz of node"):
        discretise(loaded(NodeForce("right", (0, 0, 1.0))))
    with pytest.raises(InputError, match="a load acts along uz of node"):
        discretise(loaded(Traction("right", (0, 1.0, 0.5))))
    with pytest.raises(InputError, match="a line load needs beams or bars"):
        discretise(loaded(LineLoad((0, 1.0))))
    planar = beam_body(line(1.0, 2), "timoshenko", [Clamp("start")], [LineLoad((0, 1.0, 0.5))], space="planar")
    with pytest.raises(InputError, match="a line load has a component along z"):
        discretise(planar)
    turned = beam_body(line(1.0, 2), "timoshenko", [], [NodeForce("end", moment=(1.0, 0, 0))], space="planar")
    with pytest.raises(InputError, match="a load acts along rx of node 2"):
        discretise(turned)


def test_traction_away_from_plane_elements() -> None:
    """Edges of plane elements have a thickness; the ends of beams have no edges."""
    mesh = line(1.0, 2)
    assert not mesh.facet_sets
    with pytest.raises(InputError, match="unknown facet set 'end'"):
        discretise(beam_body(mesh, "timoshenko", [], [Traction("end", (1.0, 0))]))


def test_fully_held_body_has_nothing_to_solve() -> None:
    """Every degree of freedom held: no displacement, and the supports carry the loads."""
    body = beam_body(
        line(1.0, 1), "timoshenko", [Clamp("start"), Clamp("end")], [NodeForce("end", (1.0, 2.0, 3.0))]
    )
    solved = solve(body)
    assert np.abs(solved.delta).max() == 0
    np.testing.assert_allclose(solved.reaction[1, :3], [-1, -2, -3], atol=ROUNDING)


# ---------------------------------------------------------------------- mechanisms


def truss(bars: list[tuple[int, int]], supports, space: str = "planar") -> Body:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    mesh = Mesh(points, (CellBlock(LINE, np.array(bars)),))
    return Body("truss", mesh, (Region(BAR),), supports=supports, loads=(NodeForce(2, (0.1, 0.2)),), space=space)


SQUARE = [(0, 1), (1, 2), (2, 3), (3, 0)]


def test_braced_square_stands() -> None:
    solved = solve(truss([*SQUARE, (0, 2)], (Pin(0), Roller(1, (0, 1)))))
    assert np.abs(solved.delta).max() > 0


@pytest.mark.parametrize(
    ("bars", "supports", "places"),
    [
        (SQUARE, (Pin(0), Pin(1)), {2, 3}),
        ([(0, 1), (1, 2), (0, 2), (2, 3)], (Pin(0), Pin(1)), {3}),
    ],
    ids=["unbraced square", "loose bar"],
)
def test_mechanism_of_bars_names_the_node(bars, supports, places: set[int]) -> None:
    """Part of the body moves without strain: the message says where and what to do."""
    with pytest.raises(AnalysisError, match="can move without straining; join or support") as refused:
        solve(truss(bars, supports))
    named = re.search(r"node (\d+), u[xy]", str(refused.value))
    assert named is not None
    assert int(named.group(1)) in places


def test_free_mechanism_is_refused_too() -> None:
    """Without supports the rigid motions are known; a square of bars still shears."""
    with pytest.raises(AnalysisError, match="can move without straining"):
        solve(truss(SQUARE, ()))


def test_flat_truss_in_space_is_a_mechanism() -> None:
    """Bars in a plane do not resist across it."""
    with pytest.raises(AnalysisError, match=r"node \d, uz .displacement.*without straining"):
        solve(truss([*SQUARE, (0, 2)], (Pin(0), Pin(1)), space="spatial"))
