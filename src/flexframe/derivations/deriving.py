"""Derive the equations of motion of one element by a formalism of the user's choice."""

from sympy import Symbol

from flexframe.derivations.algebra import Worksheet
from flexframe.derivations.collection import Route, collected
from flexframe.derivations.element_data import SymbolicElement
from flexframe.derivations.elements import symbolic_element
from flexframe.derivations.fields import BETA, BODY_LOAD, FieldSpace, Options
from flexframe.derivations.gibbs_appell import gibbs_appell
from flexframe.derivations.hamilton import hamilton, inverse_symbols, momentum_symbols
from flexframe.derivations.kane import kane
from flexframe.derivations.lagrange import lagrange
from flexframe.derivations.maggi import PARTICLE_SYMBOLS, maggi
from flexframe.derivations.motions import SymbolicMotion, symbolic_motion
from flexframe.derivations.names import FORMALISMS, GAUGES, LOADS, checked
from flexframe.derivations.opening import field_space
from flexframe.derivations.record import LOAD_PARTS, STIFFNESS_PARTS, Derivation, Operations
from flexframe.derivations.whittaker import refuse_time_dependence, whittaker, whittaker_symbols


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
    the frame, among "omega", "a_O" and "load"; by default ω and a_O do, except for Whittaker, which exists only
    for constant data. `gauge` belongs to Hamilton.

    Parameters
    ----------
    element
        Name of the element, such as "bar" or "planar_beam".
    motion
        "planar" or "spatial" motion of the frame.
    formalism
        "lagrange", "gibbs_appell", "hamilton", "maggi", "kane" or "whittaker".
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
    formalism = checked(formalism, FORMALISMS, "formalism")
    gauge = checked(gauge, GAUGES, "gauge")
    load = checked(load, LOADS, "load")
    if varying is None:
        varying = () if formalism == "whittaker" else ("omega", "a_O")
    frame = symbolic_motion(motion, varying)
    data = symbolic_element(element, space=frame.space, plane_state=plane_state)
    options = Options(prestress=prestress, damping=damping, load=load == "body")
    sheet = Worksheet()
    space, route = _followed(formalism, data, frame, options=options, sheet=sheet, gauge=gauge)
    parts = collected(route.rows, route.algebra, space.symbols, frame)
    stiffness = {name: parts.matrix("delta", name) for name in STIFFNESS_PARTS}
    loads = {name: parts.load(name) for name in LOAD_PARTS}
    return Derivation(
        element=data,
        motion=frame,
        formalism=formalism,
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


def _followed(
    formalism: str,
    element: SymbolicElement,
    motion: SymbolicMotion,
    *,
    options: Options,
    sheet: Worksheet,
    gauge: str,
) -> tuple[FieldSpace, Route]:
    """Open the ring that a formalism needs and follow it."""
    size = len(element.dofs)
    if formalism == "whittaker":
        refuse_time_dependence(motion, options)
        space = field_space(element, motion, options, whittaker_symbols(size))
        return space, whittaker(space, sheet)
    if formalism == "hamilton":
        extra = (*momentum_symbols(size), *inverse_symbols(size).values())
        space = field_space(element, motion, options, extra)
        return space, hamilton(space, sheet, gauge)
    if formalism == "maggi":
        space = field_space(element, motion, options, PARTICLE_SYMBOLS, broken=True)
        return space, maggi(space, sheet)
    space = field_space(element, motion, options)
    return space, {"lagrange": lagrange, "gibbs_appell": gibbs_appell, "kane": kane}[formalism](space, sheet)


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
