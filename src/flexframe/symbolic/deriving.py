"""Derive the equations of motion of one element by a formalism of the user's choice."""

from sympy import Symbol

from flexframe.formalisms.registry import registered
from flexframe.symbolic.algebra import Worksheet
from flexframe.symbolic.collection import collected
from flexframe.symbolic.continuum_elements import rectangle, tetrahedron, triangle
from flexframe.symbolic.element_data import SymbolicElement
from flexframe.symbolic.fields import BETA, BODY_LOAD, Options
from flexframe.symbolic.formalism import SymbolicFormalism
from flexframe.symbolic.line_elements import bar, planar_beam, spatial_beam
from flexframe.symbolic.motions import symbolic_motion
from flexframe.symbolic.names import GAUGES, LOADS, PLANE_STATES, check_element, checked
from flexframe.symbolic.opening import field_space
from flexframe.symbolic.record import LOAD_PARTS, STIFFNESS_PARTS, Derivation, Operations


def derive(
    element: str,
    motion: str = "planar",
    formalism: str = "lagrange",
    *,
    plane_state: str = "stress",
    prestress: bool = False,
    damping: bool = False,
    load: str = "none",
    varying: tuple[str, ...] | None = None,
    gauge: str = "natural",
) -> Derivation:
    """The equations of motion of one finite element in a moving frame.

    `prestress` adds the geometric stiffness of a constant axial force or stress, `damping` a force −β k δ̇, and
    `load="body"` a uniform force density p_V in frame components. `varying` names the data that change in time in
    the frame, among "omega", "a_O" and "load"; by default ω and a_O do, except where a formalism exists only
    for constant data. `gauge` belongs to Hamilton.

    Parameters
    ----------
    element
        Name of the element, such as "bar" or "planar_beam".
    motion
        "planar" or "spatial" motion of the frame.
    formalism
        Name of the formalism, see `flexframe derive --help`.
    plane_state
        Plane "stress" or "strain", for plane elements.
    prestress, damping, load
        Terms to include.
    varying
        Data that change in time.
    gauge
        Which momenta Hamilton's route takes.

    Returns
    -------
    Derivation
        Symbolic M, C, K and f with every step; `latex()`, `python()` and `c()` write them.

    Examples
    --------
    >>> ff.derive("bar").mass.shape
    (4, 4)
    """
    entry = registered(formalism)
    gauge = checked(gauge, GAUGES, "gauge")
    load = checked(load, LOADS, "load")
    form: SymbolicFormalism = entry.form("symbolic")
    form = form.with_gauge(gauge)
    frame = symbolic_motion(motion, form.varying if varying is None else varying)
    data = symbolic_element(element, space=frame.space, plane_state=plane_state)
    options = Options(prestress=prestress, damping=damping, load=load == "body")
    sheet = Worksheet()
    form.require(frame, options)
    space = field_space(data, frame, options, form.symbols(len(data.dofs)), broken=form.broken)
    route = form.route(space, sheet)
    parts = collected(route.rows, route.algebra, space.symbols, frame)
    stiffness = {name: parts.matrix("delta", name) for name in STIFFNESS_PARTS}
    loads = {name: parts.load(name) for name in LOAD_PARTS}
    return Derivation(
        element=data,
        motion=frame,
        formalism=entry.name,
        mass=parts.matrix("second", "mass"),
        coriolis=parts.matrix("rate", "coriolis"),
        damping=parts.matrix("rate", "damping"),
        stiffness={n: part for n, part in stiffness.items() if n != "geometric" or prestress},
        load={n: part for n, part in loads.items() if n != "body" or options.load},
        state=route.state,
        steps=route.steps,
        operations=Operations(tuple(sheet.primitives)),
        parameters=_parameters(data, options),
        conditions=route.conditions,
    )


def symbolic_element(name: str, *, space: str = "planar", plane_state: str = "stress") -> SymbolicElement:
    """The data of an element; a bar has two or three displacement components a node, as its motion has."""
    name = check_element(name)
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


def _parameters(element: SymbolicElement, options: Options) -> tuple[Symbol, ...]:
    """Symbols of the matrices beside the motion, in the order of a function's arguments."""
    in_use = [
        p for i, p in enumerate(BODY_LOAD) if any(element.shape[i, r] != 0 for r in range(len(element.dofs)))
    ]
    return (
        *element.parameters,
        *(element.prestress if options.prestress else ()),
        *((BETA,) if options.damping else ()),
        *(in_use if options.load else ()),
    )
