"""Names a user may write, and the refusal of the others; nothing here needs SymPy."""

from flexframe.errors import InputError
from flexframe.formalisms.registry import canonical

ELEMENTS = ("bar", "planar_beam", "spatial_beam", "triangle", "rectangle", "tetrahedron")
"""Elements whose equations are short enough to be written down."""

EXACT_BEAM = "exact_beam"
"""The planar geometrically exact beam, nonlinear and in space instead of in a moving frame."""

MOTIONS = ("planar", "spatial")
PLANE_STATES = ("stress", "strain")
GAUGES = ("natural", "invariant")
LOADS = ("none", "body")
VARYING = ("omega", "a_O", "load")
"""Data that may depend on time in the moving frame."""

OTHER_SPELLINGS = {
    "triangle3": "triangle",
    "t3": "triangle",
    "tri3": "triangle",
    "tetrahedron4": "tetrahedron",
    "tet4": "tetrahedron",
}

TOO_LONG = (
    *("triangle6", "t6", "tri6", "quadrilateral4", "q4", "quad4", "quadrilateral8", "q8", "quad8"),
    *("quadrilateral9", "q9", "quad9", "tetrahedron10", "tet10", "hexahedron", "hexahedron8", "hex8"),
    *("hexahedron20", "hex20", "hexahedron27", "hex27", "wedge", "wedge6", "wedge15", "pyramid"),
    *("timoshenko_beam", "plate", "shell", "shell4", "plate4"),
)
"""Families of the numeric part whose symbols would not fit on a page."""


def check_name(name: str, allowed: tuple[str, ...], what: str) -> str:
    """The canonical spelling of a name, or an `InputError` that lists the allowed ones."""
    spelled = canonical(name)
    for candidate in allowed:
        if canonical(candidate) == spelled:
            return candidate
    raise InputError(f"{what} {name!r} is unknown; choose one of {', '.join(allowed)}")


def check_element(name: str) -> str:
    """The canonical name of a symbolic element; families that are too long are refused with the way out."""
    spelled = canonical(name)
    if spelled in TOO_LONG:
        raise InputError(
            f"the symbols of element {name!r} do not fit on a page; use the numeric route "
            "`flexframe crosscheck CASE.yaml`, which forms its equations by every formalism "
            f"(symbolic elements: {', '.join(ELEMENTS)})"
        )
    return check_name(OTHER_SPELLINGS.get(spelled, name), ELEMENTS, "element")
