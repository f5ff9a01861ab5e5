"""Materials, couplings, springs and places of solids in case files."""

from pathlib import Path

import pytest

from flexframe.cases.case import parse_case
from flexframe.elements.orthotropic import Orientation, OrthotropicMaterial
from flexframe.elements.properties import SolidProperty
from flexframe.entries.problems import CaseError
from flexframe.model.body import PointMass
from flexframe.model.supports import EquationCoupling, FrameSpring, MeanCoupling, RigidCoupling

CASE = """
materials:
  spruce: {young: [12 GPa, 0.9 GPa, 0.5 GPa], poisson: [0.37, 0.47, 0.42], shear: [0.75 GPa, 40 MPa, 0.72 GPa],
           density: 430 kg/m^3}
bodies:
  board:
    mesh:
      block: {lengths: [1, 0.2, 0.1], divisions: [2, 1, 1]}
      select:
        floor: {plane: {point: [0, 0, 0], normal: [0, 0, 2]}}
      reference_points: {hub: [1.2, 0.1, 50 mm], foot: [-0.1, 0.1, 0.05]}
    material: spruce
    orientation: {angle: 90 deg}
    couplings:
      - {rigid: right, reference: hub}
      - {mean: left, reference: foot, weighting: area, dofs: [ux, uy, uz]}
      - equation: [{on: hub, dof: ux}, {on: foot, dof: rz, factor: -0.5}]
    point_masses:
      - {mass: 2 kg, on: hub, inertia: [0.1, 0.1, 2000 kg cm^2]}
    springs:
      - {on: hub, stiffness: [1 kN/mm, 0, 0], rotational_stiffness: [0, 5 N m, 0], damping: [0, 20 N s/m, 0]}
analyses:
  modes: {kind: modes}
"""


def test_parts_of_a_body() -> None:
    """Every new field arrives in SI units in the description of the body."""
    body = parse_case(CASE, file="f", folder=Path()).bodies()["board"]
    prop = body.regions[0].prop
    assert prop == SolidProperty(
        OrthotropicMaterial((12e9, 0.9e9, 0.5e9), (0.37, 0.47, 0.42), (0.75e9, 4e7, 0.72e9), 430.0, "spruce"),
        Orientation.of_rotation(1.5707963267948966),
    )
    *others, equation = body.couplings
    assert others == [RigidCoupling("hub", "right"), MeanCoupling("foot", "left", ("ux", "uy", "uz"), "area")]
    assert isinstance(equation, EquationCoupling)
    assert equation.nodes == ("hub", "foot")
    assert equation.matrix.toarray().tolist() == [[1.0, *[0.0] * 10, -0.5]]
    assert body.point_masses == (PointMass("hub", 2.0, (0.1, 0.1, 0.2)),)
    assert body.springs == (FrameSpring("hub", (1e6, 0.0, 0.0), (0.0, 5.0, 0.0), (0.0, 20.0, 0.0)),)
    assert set(body.mesh.nodes_of("floor")) == set(body.mesh.nodes_of("bottom"))
    assert len(body.mesh.facets_of("floor")[0]) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (", shear: [0.75 GPa, 40 MPa, 0.72 GPa]", "", "f:3: materials.spruce: an orthotropic material has three"),
        ("material: spruce", "material: steel", "the same in all directions; leave orientation out"),
        ("reference: hub}", "reference: hup}", "f:15: bodies.board.couplings[0].reference: "),
        ("{angle: 90 deg}", "{angle: 1, axes: [[1, 0, 0], [0, 1, 0]]}", "give one orientation only"),
        ("point: [0, 0, 0], normal", "point: [0, 0, 9], normal", "no node lies on 'floor'"),
        ("inertia: [0.1, 0.1, 2000 kg cm^2]", "inertia: [0.1, 0.1, 9]", "no body has it"),
        ("stiffness: [1 kN/mm, 0, 0]", "stiffness: [-1, 0, 0]", "not negative"),
        ("dof: rz, factor", "dof: r3, factor", "f:17: bodies.board.couplings[2].equation[1].dof: "),
    ],
)
def test_what_does_not_fit_is_said(old: str, new: str, message: str) -> None:
    """With the field, and the line where there is one."""
    assert old in CASE
    with pytest.raises(CaseError) as caught:
        parse_case(CASE.replace(old, new), file="f", folder=Path())
    assert message in str(caught.value)
