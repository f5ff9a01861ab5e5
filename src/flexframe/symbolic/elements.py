"""The symbolic elements by name; adding one is a function that returns its data and a line here."""

from flexframe.symbolic.continuum_elements import rectangle, tetrahedron, triangle
from flexframe.symbolic.element_data import SymbolicElement
from flexframe.symbolic.line_elements import bar, planar_beam, spatial_beam
from flexframe.symbolic.names import PLANE_STATES, checked, checked_element


def symbolic_element(name: str, *, space: str = "planar", plane_state: str = "stress") -> SymbolicElement:
    """The data of an element; a bar has two or three displacement components a node, as its motion has."""
    name = checked_element(name)
    plane_state = checked(plane_state, PLANE_STATES, "plane state")
    if name == "bar":
        return bar(spatial=space == "spatial")
    if name == "planar_beam":
        return planar_beam()
    if name == "spatial_beam":
        return spatial_beam()
    if name == "triangle":
        return triangle(plane_state)
    if name == "rectangle":
        return rectangle(plane_state)
    return tetrahedron()
