"""Rotors described with ROSS: its Python objects, or what its save files hold, as bodies or trains of flexframe.

ROSS is not imported; its elements are known by the names of their attributes. Its x, y and z are e₁, e₂ and the
spin axis, here y, z and x of the body. Its `frequency` of bearings is the speed of the shaft: it takes
coefficients at the speed in every analysis. Its proportional damping acts in the fixed frame, its torque has end
moments of fixed direction.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexframe.elements.properties import BeamProperty, Circle, Material
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.model.bearings import Bearing, BearingTable, Pedestal
from flexframe.model.body import Body, Damping, PointMass, Prestress, Region
from flexframe.model.rotors import AXIS
from flexframe.model.supports import Fix, FrameSpring
from flexframe.model.trains import RotorTrain, TrainMember

_COEFFICIENTS = tuple(f"{letter}{row}{column}" for letter in "kcm" for row in "xy" for column in "xy")


@dataclass(frozen=True)
class RossRotor:
    """A rotor of ROSS as a body or a train, the nodes of its stations, and what could not be taken over."""

    rotor: Body | RotorTrain
    nodes: Mapping[int, str | int]  # number in ROSS → node of the body, or "member.set" of the train
    notices: tuple[str, ...] = ()


@dataclass(eq=False)
class _Elements:
    """The elements of a rotor by kind, whether objects or tables of a file."""

    shaft: list[Any] = field(default_factory=list)
    discs: list[Any] = field(default_factory=list)
    bearings: list[Any] = field(default_factory=list)
    masses: list[Any] = field(default_factory=list)


def ross_rotor(source: Any, name: str = "rotor") -> RossRotor:
    """A rotor of ROSS: a `ross.Rotor`, or the content of its save file (TOML) as a dict.

    Bearing tables are ROSS's own splines, sampled so that the cubic splines through the samples are the same
    functions; beyond their ends, where ROSS extrapolates, speeds are refused.

    Parameters
    ----------
    source
        A rotor object, or the content of a save file.
    name
        Name of the body or train.

    Returns
    -------
    RossRotor
        The rotor, its nodes, and notices of what differs.

    Examples
    --------
    >>> steel = {"name": "steel", "rho": 7810, "E": 211e9, "G_s": 81.2e9}
    >>> element = {"L": 0.25, "idl": 0.0, "odl": 0.05, "idr": 0.0, "odr": 0.05, "material": steel}
    >>> content = {
    ...     "ShaftElement_a": {**element, "n": 0},
    ...     "ShaftElement_b": {**element, "n": 1},
    ...     "BearingElement_c": {"n": 0, "kxx": [1e6], "cxx": [0.0]},
    ...     "BearingElement_d": {"n": 2, "kxx": [1e6], "cxx": [0.0]},
    ... }
    >>> found = ff.rotors.ross_rotor(content)
    >>> found.rotor.mesh.node_count, len(found.rotor.bearings)
    (3, 2)
    """
    elements = _of_file(source) if isinstance(source, Mapping) else _of_object(source)
    if not elements.shaft:
        raise InputError("the rotor of ROSS has no shaft elements; give a rotor, or the content of its save file")
    notices: list[str] = []
    chains = _chains(elements.shaft)
    stands = {int(_get(mass, "n")): mass for mass in elements.masses}
    known = {node for chain in chains for node in _chain_nodes(chain)}
    springs = _to_ground(elements, known, stands)
    bodies = []
    numbers: dict[int, tuple[int, int]] = {}
    for k, chain in enumerate(chains):
        first = _chain_nodes(chain)[0]
        for node in _chain_nodes(chain):
            numbers[node] = (k, node - first)
        own = name if len(chains) == 1 else f"shaft {k + 1}"
        bodies.append(_shaft(own, chain, elements, notices))
    if len(chains) == 1 and not any(_get(b, "n_link") in known for b in elements.bearings):
        held = tuple(_bearing(b, springs, stands, int(_get(b, "n")) - _first(chains[0])) for b in springs.own)
        return RossRotor(
            replace(bodies[0], bearings=held), {n: node for n, (_, node) in numbers.items()}, tuple(notices)
        )
    places = {n: f"{bodies[k].name}.node {n}" for n, (k, _) in numbers.items()}
    held = tuple(
        _bearing(b, springs, stands, places[int(_get(b, "n"))], places.get(_link(b))) for b in springs.own
    )
    starts = _starts(chains, elements, numbers)
    members = tuple(TrainMember(body, 1.0, (start, 0.0, 0.0)) for body, start in zip(bodies, starts, strict=True))
    return RossRotor(RotorTrain(name, members, held), places, tuple(notices))


# ---------------------------------------------------------------------- reading


def _get(element: Any, name: str, default: Any = None) -> Any:
    found = element.get(name) if isinstance(element, Mapping) else getattr(element, name, None)
    return default if found is None else found


def _of_object(rotor: Any) -> _Elements:
    kinds = ("shaft_elements", "disk_elements", "bearing_elements", "point_mass_elements")
    if not all(hasattr(rotor, kind) for kind in kinds[:3]):
        raise InputError(
            f"{type(rotor).__name__} is no rotor of ROSS; give a ross.Rotor, or the content of its save file"
        )
    shaft, discs, bearings, masses = (list(getattr(rotor, kind, ()) or ()) for kind in kinds)
    return _Elements(shaft, discs, bearings, masses)


def _of_file(content: Mapping[str, Any]) -> _Elements:
    """Tables "ShaftElement_tag" and so on; bearings of any class hold their coefficients."""
    found = _Elements()
    for key, table in content.items():
        if not isinstance(table, Mapping) or key == "parameters":
            continue
        kind = key.partition("_")[0]
        if kind.startswith("ShaftElement"):
            found.shaft.append(table)
        elif kind.startswith("DiskElement"):
            found.discs.append(table)
        elif kind.startswith("PointMass"):
            found.masses.append(table)
        elif "kxx" in table:
            found.bearings.append(table)
        else:
            raise InputError(
                f"{key} is a {kind}, which flexframe does not know from ROSS; remove it, or save the rotor with "
                "coefficients"
            )
    return found


def _first(chain: Sequence[Any]) -> int:
    return int(_get(chain[0], "n"))


def _chains(shaft: Sequence[Any]) -> list[list[Any]]:
    """Elements that follow each other, layers beside each other.

    Another shaft begins where a number is left out.
    """
    ordered = sorted(shaft, key=lambda element: int(_get(element, "n")))
    chains = [[ordered[0]]]
    for element in ordered[1:]:
        if int(_get(element, "n")) > int(_get(chains[-1][-1], "n")) + 1:
            chains.append([])
        chains[-1].append(element)
    return chains


def _chain_nodes(chain: Sequence[Any]) -> list[int]:
    return list(range(_first(chain), int(_get(chain[-1], "n")) + 2))


# ---------------------------------------------------------------------- shafts and discs


def _shaft(name: str, chain: Sequence[Any], elements: _Elements, notices: list[str]) -> Body:
    first, nodes = _first(chain), _chain_nodes(chain)
    lengths = np.zeros(len(nodes) - 1)
    groups: dict[tuple[BeamProperty, str, int], list[int]] = {}
    stressed: dict[tuple[float, float], list[int]] = {}
    cells = []
    damping: set[tuple[float, float]] = set()
    for number, element in enumerate(chain):
        place = int(_get(element, "n")) - first
        lengths[place] = float(_get(element, "L"))
        prop = _property(element)
        theory = "timoshenko" if _get(element, "shear_effects", default=True) else "euler_bernoulli"
        alone = 0 if prop.end_section is None else number + 1
        groups.setdefault((prop, f"{theory}_beam", alone), []).append(number)
        force, torque = (float(_get(element, key, 0.0)) for key in ("axial_force", "torque"))
        if force or torque:
            stressed.setdefault((force, torque), []).append(number)
        damping.add((float(_get(element, "alpha", 0.0)), float(_get(element, "beta", 0.0))))
        cells.append((place, place + 1))
        _note_differences(element, notices)
    if len(damping) > 1:
        raise InputError(
            f"shaft elements have different proportional damping, alpha and beta {sorted(damping)}; give all the "
            "same"
        )
    alpha, beta = damping.pop()
    x = np.concatenate([[0.0], np.cumsum(lengths)])
    sets = {f"section {k + 1}": own for k, own in enumerate(groups.values())}
    sets |= {f"stressed {k + 1}": own for k, own in enumerate(stressed.values())}
    discs = [disc for disc in elements.discs if int(_get(disc, "n")) in nodes]
    all_motions = any(_get(element, "dof_count") == 6 or _is_six(element) for element in chain)
    return Body(
        name,
        Mesh(
            np.column_stack([x, np.zeros((len(x), 2))]),
            (CellBlock(LINE, np.array(cells)),),
            node_sets={
                "start": np.array([0]),
                "end": np.array([len(x) - 1]),
                **{f"node {node}": np.array([node - first]) for node in nodes},
            },
            cell_sets={"all": np.arange(len(cells)), **{key: np.array(own) for key, own in sets.items()}},
        ),
        tuple(Region(prop, f"section {k + 1}", family) for k, (prop, family, _) in enumerate(groups)),
        supports=() if all_motions else (Fix("all", ("ux", "rx")),),
        point_masses=tuple(
            PointMass(
                int(_get(disc, "n")) - first,
                float(_get(disc, "m")),
                (float(_get(disc, "Ip")), float(_get(disc, "Id")), float(_get(disc, "Id"))),
            )
            for disc in discs
        ),
        space="spatial",
        damping=Damping(fixed_mass=alpha, fixed_stiffness=beta),
        springs=tuple(_axial_springs(elements, nodes, first)) if all_motions else (),
        prestress=tuple(
            Prestress(f"stressed {k + 1}", force, torque) for k, (force, torque) in enumerate(stressed)
        ),
        axis=AXIS,
    )


def _is_six(element: Any) -> bool:
    return type(element).__name__.endswith("6DoF") or "kzz" in str(_get(element, "class", ""))


def _axial_springs(elements: _Elements, nodes: Sequence[int], first: int) -> Iterator[FrameSpring]:
    """Axial stiffness of bearings with six degrees of freedom, which does not turn."""
    for bearing in elements.bearings:
        axial = [np.atleast_1d(np.asarray(_get(bearing, key, 0.0), dtype=float)) for key in ("kzz", "czz", "mzz")]
        if any(np.ptp(values) > 0 for values in axial) or axial[2].any():
            raise InputError(
                f"the bearing on node {_get(bearing, 'n')} has an axial mass, or axial stiffness or damping over "
                "the speed; flexframe takes constant kzz and czz"
            )
        stiffness, damping = (float(values[0]) for values in axial[:2])
        if int(_get(bearing, "n")) in nodes and (stiffness or damping):
            yield FrameSpring(int(_get(bearing, "n")) - first, (stiffness, 0, 0), damping=(damping, 0, 0))


def _property(element: Any) -> BeamProperty:
    material = _get(element, "material")
    E, G = float(_get(material, "E")), float(_get(material, "G_s"))
    made = Material(
        E, E / (2 * G) - 1, float(_get(material, "rho")), str(_get(material, "name", "material")), idealised=True
    )
    left = float(_get(element, "odl")), float(_get(element, "idl"))
    right = float(_get(element, "odr", left[0])), float(_get(element, "idr", left[1]))
    factor = None
    if _get(element, "shear_method_calc", "cowper") == "hutchinson":
        factor = _hutchinson((left[1] + right[1]) / (left[0] + right[0]), made.poisson)
    rotary = 1.0 if _get(element, "rotary_inertia", default=True) else 0.0
    end = None if left == right else Circle(*right, factor)
    return BeamProperty(made, Circle(*left, factor), rotary_inertia=rotary, end_section=end)


def _hutchinson(bore: float, poisson: float) -> float:
    """κ of a tube after Hutchinson, J. Appl. Mech. 68 (2001): 6(1+ν)²(1+m²)²/[(7+12ν+4ν²)(1+m²)² + 4m²(5+6ν+2ν²)].

    ROSS has one power of 1+ν fewer in the numerator, which is kept here, so that its models stay what they are.
    """
    m = bore**2
    whole = (1 + m) ** 2
    below = (7 + 12 * poisson + 4 * poisson**2) * whole + 4 * m * (5 + 6 * poisson + 2 * poisson**2)
    return 6 * (1 + poisson) * whole / below


def _note_differences(element: Any, notices: list[str]) -> None:
    gyroscopic, rotary = (bool(_get(element, key, default=True)) for key in ("gyroscopic", "rotary_inertia"))
    if gyroscopic != rotary:
        text = (
            "shaft elements have gyroscopic moments without rotary inertia, or the reverse; here both belong "
            f"together ({'with' if rotary else 'without'} rotary inertia), so that frequencies differ from those "
            "of ROSS"
        )
        if text not in notices:
            notices.append(text)


# ---------------------------------------------------------------------- bearings


@dataclass(frozen=True, eq=False)
class _Springs:
    """Bearings on shafts, and those of pedestals by their node."""

    own: list[Any]
    pedestals: dict[int, Any]


def _link(bearing: Any) -> int:
    found = _get(bearing, "n_link")
    return -1 if found is None else int(found)


def _to_ground(elements: _Elements, known: set[int], stands: Mapping[int, Any]) -> _Springs:
    own = [b for b in elements.bearings if int(_get(b, "n")) in known]
    under = {int(_get(b, "n")): b for b in elements.bearings if int(_get(b, "n")) in stands}
    lost = [b for b in elements.bearings if int(_get(b, "n")) not in known and int(_get(b, "n")) not in stands]
    if lost:
        raise InputError(
            f"a bearing is on node {_get(lost[0], 'n')}, which is no node of a shaft or of a point mass"
        )
    for node in stands:
        users = [b for b in own if _link(b) == node]
        if len(users) != 1:
            raise InputError(
                f"{len(users)} bearings stand on the point mass of node {node}; flexframe takes one bearing for "
                "each pedestal"
            )
    if len(under) != len([b for b in elements.bearings if int(_get(b, "n")) in stands]):
        raise InputError("two bearings lie between a point mass and the ground; join their coefficients")
    return _Springs(own, under)


def _bearing(
    element: Any, springs: _Springs, stands: Mapping[int, Any], on: str | int, to: str | None = None
) -> Bearing:
    name, constants, table = _coefficients(element)
    stand = _link(element)
    if stand not in stands:
        return Bearing(on, **constants, table=table, to=to, name=name)
    mass = stands[stand]
    masses = tuple(float(_get(mass, key, _get(mass, "m", 0.0))) for key in ("mx", "my"))
    _, under, under_table = (
        _coefficients(springs.pedestals[stand]) if stand in springs.pedestals else ("", {}, None)
    )
    if under.pop("mass", None) is not None:
        raise InputError(
            f"the bearing below the point mass of node {stand} has mass coefficients; add them to the point mass"
        )
    pedestal = Pedestal(masses, table=under_table, **under)
    return Bearing(on, **constants, table=table, name=name, pedestal=pedestal)


def _coefficients(element: Any) -> tuple[str, dict[str, Any], BearingTable | None]:
    """Name, constant matrices and table of a bearing."""
    values = {key: np.atleast_1d(np.asarray(_get(element, key, 0.0), dtype=float)) for key in _COEFFICIENTS}
    for first, second in (("kxx", "kyy"), ("cxx", "cyy"), ("mxx", "myy")):
        if _get(element, second) is None:
            values[second] = values[first]
    name = str(_get(element, "tag", "") or "")
    speeds = _get(element, "frequency")
    if speeds is None or np.size(speeds) < 2:
        kinds = zip(("stiffness", "damping", "mass"), "kcm", strict=True)
        matrices = {
            kind: tuple(tuple(float(values[f"{letter}{row}{column}"][0]) for column in "xy") for row in "xy")
            for kind, letter in kinds
        }
        return name, {kind: matrix for kind, matrix in matrices.items() if np.any(matrix)}, None
    given = np.asarray(speeds, dtype=float)
    sampled = _refine(given)
    columns = {
        key: spline_of_ross(given, np.broadcast_to(v, given.shape))(sampled)
        for key, v in values.items()
        if v.any()
    }
    return name, {}, BearingTable.from_columns({"speed": sampled, **columns}, source="ROSS")


def _refine(speeds: Array) -> Array:
    """The speeds, and enough points beside the ends that every knot of ROSS's splines is one of a cubic spline."""
    if len(speeds) < 4:
        return np.linspace(speeds[0], speeds[-1], 4) if len(speeds) == 3 else speeds
    inner = [(speeds[0] + speeds[1]) / 2, (speeds[-2] + speeds[-1]) / 2]
    return np.sort(np.concatenate([speeds, inner]))


def spline_of_ross(speeds: Array, values: Array) -> Any:
    """How ROSS reads a column: a smoothing spline with a sum of squares up to the number of points, in SI units.

    Two or three points give the line or the parabola through them.
    """
    from scipy.interpolate import UnivariateSpline

    if len(speeds) < 4:
        return np.polynomial.Polynomial.fit(speeds, values, len(speeds) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the sum of squares was not met exactly
        return UnivariateSpline(speeds, values)


# ---------------------------------------------------------------------- putting together


def _starts(
    chains: Sequence[Sequence[Any]], elements: _Elements, numbers: Mapping[int, tuple[int, int]]
) -> list[float]:
    """x at which each shaft begins: where a bearing joins it to one that is placed, both lie at one place."""
    along = []
    for chain in chains:
        lengths = {int(_get(e, "n")): float(_get(e, "L")) for e in chain}
        along.append(np.concatenate([[0.0], np.cumsum([lengths[n] for n in sorted(lengths)])]))
    starts: dict[int, float] = {0: 0.0}
    for _ in chains:
        for bearing in elements.bearings:
            ends = [numbers.get(int(_get(bearing, "n"))), numbers.get(_link(bearing))]
            if None in ends:
                continue
            for (k, node), (other, there) in (ends, ends[::-1]):  # type: ignore[misc]
                if k in starts and other not in starts:
                    starts[other] = starts[k] + float(along[k][node]) - float(along[other][there])
    return [starts.get(k, 0.0) for k in range(len(chains))]
