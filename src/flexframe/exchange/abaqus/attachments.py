"""What Abaqus and CalculiX files attach to nodes: masses, couplings, springs and supports."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.exchange.abaqus.assembly import Assembly, Placed
from flexframe.exchange.abaqus.elements import unknown_type
from flexframe.exchange.abaqus.keywords import DataLine, Keyword
from flexframe.exchange.abaqus.scopes import reals
from flexframe.exchange.equations import Equations, fix_nodes
from flexframe.exchange.units import Units
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.body import PointMass
from flexframe.model.supports import Coupling, MeanCoupling, RigidCoupling, Support

_NAMED = {
    "XSYMM": (0, 4, 5),
    "YSYMM": (1, 3, 5),
    "ZSYMM": (2, 3, 4),
    "ENCASTRE": (0, 1, 2, 3, 4, 5),
    "PINNED": (0, 1, 2),
}
_SPRINGS = ("SPRINGA", "SPRING1", "SPRING2")
_MOST_TERMS = 1_000_000  # of an equation
_ON_AXIS = 1e-9  # of the largest radius
_PLAIN = np.eye(3)


@dataclass(eq=False)
class Attached:
    """Masses, couplings and supports on node sets of the mesh, springs as small matrices, and what is lacking."""

    node_sets: dict[str, IntArray] = field(default_factory=dict)
    point_masses: list[PointMass] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    springs: list[tuple[IntArray, Array]] = field(default_factory=list)  # rows (k, 2) by number from 1 and dof
    equations: Equations = field(default_factory=Equations)
    notices: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def read_attached(assembly: Assembly, units: Units) -> Attached:
    """What all instances attach to their nodes; springs are on node numbers of the mesh, counted from 1."""
    made = Attached()
    for placed in assembly.placed.values():
        _Reader(assembly, placed, units, made).read()
    return made


@dataclass(eq=False)
class _Reader:
    """The keywords of one part or instance, and what those before said."""

    assembly: Assembly
    home: Placed
    units: Units
    made: Attached
    springs: dict[str, list[tuple[list[int], str]]] = field(default_factory=dict)  # elements by set: node labels
    points: dict[str, list[tuple[list[int], str]]] = field(default_factory=dict)  # DCOUP3D, likewise
    axes: dict[int, Array] = field(default_factory=dict)  # of displacements of single nodes, as columns

    def read(self) -> None:
        """Take all keywords in order."""
        scope = self.home.instance.scope
        masses: dict[int, float] = {}
        inertias: dict[int, tuple[float, ...]] = {}
        coupling: Keyword | None = None
        takers = {
            "ELEMENT": self._point_elements,
            "RIGID BODY": self._rigid_body,
            "MPC": self._constraints,
            "BOUNDARY": self._boundary,
            "EQUATION": self._equation,
            "KINEMATIC COUPLING": self._kinematic_coupling,
            "DISTRIBUTING COUPLING": self._distributing_coupling,
            "SPRING": self._spring,
        }
        for keyword in scope.attachments:
            if keyword.name == "TRANSFORM":
                self._transform(keyword)
        for keyword in scope.attachments:
            match keyword.name:
                case "MASS" | "ROTARY INERTIA":
                    self._mass(keyword, masses, inertias)
                case "COUPLING":
                    coupling = keyword
                case "KINEMATIC" | "DISTRIBUTING":
                    self._coupling(coupling, keyword)
                case name if name in takers:
                    takers[name](keyword)
                case "TRANSFORM":
                    continue  # was taken before
                case _:
                    self.made.lacks.append(f"{keyword.place}: *{keyword.name} is not read")
        self._add_masses(masses, inertias)
        for refused in scope.refused:
            if refused.type_name not in (*_SPRINGS, "DCOUP3D"):
                self.made.lost.append(unknown_type(refused.type_name, refused.place))

    # ------------------------------------------------------------------ nodes

    def _nodes(self, name: str, place: str) -> IntArray:
        """Numbers of a node, or of the nodes of a set or surface."""
        if name.isdigit():
            return self.home.nodes.of(np.array([int(name)]), place)
        instance, _, label = name.rpartition(".")
        if instance and label.isdigit():
            owner = self.assembly.placed.get(instance.lower())
            if owner is None:
                raise InputError(f"{place}: there is no instance '{instance}'; check the name")
            return owner.nodes.of(np.array([int(label)]), place)
        members = self.assembly.members(self.home, "node", name, place)
        if not members.size:
            raise InputError(f"{place}: the node set '{name}' is empty; give it nodes")
        return members

    def _of_surface(self, name: str, place: str) -> IntArray:
        """Nodes of a surface, or of the set of that name."""
        parts = self.home.instance.scope.surfaces.get(name.lower())
        if parts is None:
            return self._nodes(name, place)
        facets, sides = self.assembly.facets(self.home, parts)
        blocks = [*facets, *self.assembly.mesh.cells_in(sides)]
        found = [block.nodes.ravel() for block in blocks]
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *found]))

    def _free_name(self, base: str, nodes: IntArray) -> str:
        """A set of a name that is not taken."""
        name, number = base, 1
        while name in self.made.node_sets:
            number += 1
            name = f"{base} {number}"
        self.made.node_sets[name] = np.unique(nodes)
        return name

    # ------------------------------------------------------------------ masses

    def _mass(self, keyword: Keyword, masses: dict[int, float], inertias: dict[int, tuple[float, ...]]) -> None:
        cells = self.assembly.members(self.home, "element", keyword.required_value("ELSET"), keyword.place)
        values = reals(keyword.data[0]) if keyword.data else []
        if not values:
            raise InputError(f"{keyword.place}: *{keyword.name} has no data line; give its value")
        nodes = [int(self.assembly.mesh.cell(int(cell))[1][0]) for cell in cells]
        for node in nodes:
            if keyword.name == "MASS":
                masses[node] = masses.get(node, 0.0) + values[0] * self.units.mass
            else:
                xx, yy, zz, xy, xz, yz = (*values, *[0.0] * 6)[:6]
                inertias[node] = tuple(v * self.units.inertia for v in (xx, yy, zz, xy, yz, xz))

    def _add_masses(self, masses: dict[int, float], inertias: dict[int, tuple[float, ...]]) -> None:
        for node, mass in masses.items():
            name = self._free_name(f"mass {self.assembly.mesh.node_label(node)}", np.array([node]))
            try:
                self.made.point_masses.append(PointMass(name, mass, inertias.pop(node, None)))
            except InputError as error:
                self.made.lacks.append(str(error))
        for node in inertias:
            label = self.assembly.mesh.node_label(node)
            self.made.lacks.append(f"node {label} has a rotary inertia without a mass; give it one")

    # ------------------------------------------------------------------ couplings

    def _coupling(self, coupling: Keyword | None, keyword: Keyword) -> None:
        if coupling is None:
            raise InputError(f"{keyword.place}: *{keyword.name} stands without *COUPLING before it")
        place = coupling.place
        reference = self._nodes(coupling.required_value("REF NODE"), place)
        nodes = self._of_surface(coupling.required_value("SURFACE"), place)
        columns = sorted({c for line in keyword.data for c in _columns(line)}) or list(range(6))
        name = coupling.parameters.get("CONSTRAINT NAME") or f"coupling {len(self.made.couplings) + 1}"
        if len(reference) != 1:
            raise InputError(f"{place}: the reference of *COUPLING is {len(reference)} nodes; give one")
        first, second = self._free_name(name, reference), self._free_name(f"{name} nodes", nodes)
        dofs = tuple(NODE_DOFS[c] for c in columns)
        made = (
            RigidCoupling(first, second, dofs)
            if keyword.name == "KINEMATIC"
            else MeanCoupling(first, second, dofs)
        )
        self.made.couplings.append(made)

    def _kinematic_coupling(self, keyword: Keyword) -> None:
        """*KINEMATIC COUPLING: nodes and the degrees of freedom that follow."""
        reference = self._nodes(keyword.required_value("REF NODE"), keyword.place)
        for line in keyword.data:
            columns = sorted(_columns(DataLine(line.place, ",".join(line.fields[1:])))) or list(range(6))
            dofs = tuple(NODE_DOFS[c] for c in columns)
            first = self._free_name("kinematic coupling", reference)
            second = self._free_name("kinematic coupling nodes", self._nodes(line.fields[0], line.place))
            self.made.couplings.append(RigidCoupling(first, second, dofs))

    def _distributing_coupling(self, keyword: Keyword) -> None:
        """*DISTRIBUTING COUPLING: displacements of an element DCOUP3D that are a weighted mean."""
        weights: dict[int, float] = {}
        for line in keyword.data:
            weight = reals(DataLine(line.place, line.fields[1]))[0] if len(line.fields) > 1 else 1.0
            weights |= dict.fromkeys(self._nodes(line.fields[0], line.place).tolist(), weight)
        for labels, place in self.points.get(keyword.required_value("ELSET").lower(), []):
            reference = self.home.nodes.of(np.array(labels), place)
            if not weights or not sum(weights.values()) > 0:
                raise InputError(f"{keyword.place}: *DISTRIBUTING COUPLING has no nodes with weights; give them")
            share = np.array(list(weights.values())) / sum(weights.values())
            nodes = np.append(reference[0], np.array(list(weights)))
            for column in range(3):
                self.made.equations.add(nodes, np.full(len(nodes), column), np.append(1.0, -share))

    def _equation(self, keyword: Keyword) -> None:
        """*EQUATION: how many terms, then node, degree of freedom and factor of each; sets go node by node."""
        lines = iter(keyword.data)
        for line in lines:
            count, *rest = line.fields
            if not count.isdigit() or any(rest) or int(count) > _MOST_TERMS:
                raise InputError(f"{line.place}: *EQUATION begins with how many terms it has, not '{line.text}'")
            words: list[str] = []
            while len(words) < 3 * int(count):
                following = next(lines, None)
                if following is None:
                    raise InputError(
                        f"{line.place}: *EQUATION has {len(words) // 3} of its {count} terms; complete it (is the "
                        "file cut off?)"
                    )
                words += following.fields
            self._add_equation(words[: 3 * int(count)], line.place)

    def _add_equation(self, words: list[str], place: str) -> None:
        dofs = words[1::3]
        if not all(dof.isdigit() and int(dof) > 0 for dof in dofs):
            raise InputError(f"{place}: *EQUATION has a degree of freedom that is no number; check its terms")
        columns = np.array([int(dof) - 1 for dof in dofs])
        if (columns > 5).all():  # of temperature or flow
            return
        factors = np.array(reals(DataLine(place, ",".join(words[2::3]))))
        if (columns > 5).any() or not factors.any():
            self.made.lacks.append(f"{place}: *EQUATION joins other things than displacements, or has no factor")
            return
        nodes = [self._nodes(name, place) for name in words[::3]]
        size = max(len(own) for own in nodes)
        if any(len(own) not in (1, size) for own in nodes):
            raise InputError(f"{place}: *EQUATION joins sets of different sizes; give as many nodes each")
        for row in range(size):
            own = np.array([members[row % len(members)] for members in nodes])
            self.made.equations.add_turned(own, columns, factors, self._axes(own))

    def _transform(self, keyword: Keyword) -> None:
        """*TRANSFORM: axes of displacements of a set by two points: rectangular, or radial about their line."""
        nodes = self._nodes(keyword.required_value("NSET"), keyword.place)
        values = reals(keyword.data[0]) if keyword.data else []
        kind = keyword.parameters.get("TYPE", "R").upper()[:1]
        if len(values) < 6 or kind not in ("R", "C"):
            self.made.lacks.append(
                f"{keyword.place}: *TRANSFORM takes two points with TYPE=R or C; other kinds are not read"
            )
            return
        a, b = np.array(values[:3]), np.array(values[3:6])
        if kind == "R":
            first, third = np.broadcast_to(a, (len(nodes), 3)), np.cross(a, b)
        else:
            third = b - a
            first = self.assembly.mesh.points[nodes] - a
            first = first - np.outer(first @ third, third) / max(float(third @ third), 1e-300)
        lengths = np.linalg.norm(first, axis=1)
        if not np.linalg.norm(third) > 0 or not lengths.any():
            raise InputError(f"{keyword.place}: *TRANSFORM has its points in line; give three that are not")
        on_axis = lengths <= _ON_AXIS * lengths.max()
        x = first / np.where(on_axis, np.nan, lengths)[:, None]
        z = np.broadcast_to(third / np.linalg.norm(third), first.shape)
        self.axes |= dict(zip(nodes.tolist(), np.stack([x, np.cross(z, x), z], axis=2), strict=True))

    def _axes(self, nodes: IntArray) -> Array:
        """Axes of displacements as columns: (n, 3, 3)."""
        found = np.array([self.axes.get(node, _PLAIN) for node in nodes.tolist()]).reshape(-1, 3, 3)
        on_axis = nodes[np.isnan(found).any(axis=(1, 2))]
        if on_axis.size:
            label = self.assembly.mesh.node_label(int(on_axis[0]))
            raise InputError(f"node {label} is on the axis of its *TRANSFORM, where no direction is radial")
        return found

    def _rigid_body(self, keyword: Keyword) -> None:
        reference = self._nodes(keyword.required_value("REF NODE"), keyword.place)
        found = []
        for parameter in ("NSET", "PIN NSET", "TIE NSET"):
            if keyword.parameters.get(parameter):
                found.append(self._nodes(keyword.parameters[parameter], keyword.place))
        if keyword.parameters.get("ELSET"):
            cells = self.assembly.members(self.home, "element", keyword.parameters["ELSET"], keyword.place)
            found += [block.nodes.ravel() for block in self.assembly.mesh.cells_in(cells)]
        if not found or len(reference) != 1:
            raise InputError(f"{keyword.place}: *RIGID BODY needs a reference node, and nodes or elements")
        nodes = np.setdiff1d(np.concatenate(found), reference)
        number = len(self.made.couplings) + 1
        first = self._free_name(f"rigid body {number}", reference)
        second = self._free_name(f"rigid body {number} nodes", nodes)
        self.made.couplings.append(RigidCoupling(first, second))

    def _constraints(self, keyword: Keyword) -> None:
        """*MPC: BEAM ties its first node to the second as a rigid piece; other kinds are not read."""
        leaders: dict[int, list[IntArray]] = {}
        for line in keyword.data:
            kind, *names = line.fields
            if kind.upper() not in ("BEAM", "TIE") or len(names) < 2:
                self.made.lacks.append(f"{line.place}: *MPC of kind {kind} is not read")
                return
            followers, leader = (self._nodes(name, line.place) for name in names[:2])
            if len(leader) != 1:
                self.made.lacks.append(f"{line.place}: *MPC between two sets is not read; give single nodes")
                return
            leaders.setdefault(int(leader[0]), []).append(followers)
        for node, tied in leaders.items():
            label = self.assembly.mesh.node_label(node)
            first = self._free_name(f"MPC {label}", np.array([node]))
            second = self._free_name(f"MPC {label} nodes", np.concatenate(tied))
            self.made.couplings.append(RigidCoupling(first, second))

    # ------------------------------------------------------------------ springs

    def _point_elements(self, keyword: Keyword) -> None:
        kind = keyword.required_value("TYPE").upper()
        if kind not in (*_SPRINGS, "DCOUP3D"):
            return
        owners = self.points if kind == "DCOUP3D" else self.springs
        own = owners.setdefault(keyword.parameters.get("ELSET", "").lower(), [])
        for line in keyword.data:
            own.append(([int(value) for value in line.fields[1:3] if value.isdigit()], line.place))

    def _spring(self, keyword: Keyword) -> None:
        """*SPRING: between degrees of freedom of one node and the ground, of two nodes, or along their line."""
        lines = [line for line in keyword.data if any(line.fields)]
        blank = bool(keyword.data) and not any(keyword.data[0].fields)
        dofs = _spring_dofs(lines[0]) if len(lines) > 1 and not blank else []
        if keyword.has("NONLINEAR") or not lines:
            self.made.lacks.append(
                f"{keyword.place}: *SPRING is not linear or has no stiffness, which is not read"
            )
            return
        stiffness = reals(lines[-1])[0]
        for labels, place in self.springs.get(keyword.required_value("ELSET").lower(), []):
            if not labels:
                raise InputError(f"{place}: a spring has no node; give one or two")
            nodes = self.home.nodes.of(np.array(labels, dtype=np.int64), place)
            points = self.assembly.mesh.points[nodes]
            if dofs:
                columns = [dofs[min(k, len(dofs) - 1)] for k in range(len(nodes))]
                rows = np.column_stack([nodes + 1, columns])
                vector = np.array([1.0, -1.0][: len(nodes)])
            else:
                line = points[-1] - points[0]
                length = float(np.linalg.norm(line))
                if len(nodes) < 2 or not length > 0:
                    self.made.lacks.append(f"{place}: a spring has no length; give its degrees of freedom")
                    continue
                rows = np.column_stack([np.repeat(nodes + 1, 3), np.tile([1, 2, 3], 2)])
                vector = np.concatenate([line, -line]) / length
            turns = (rows[:, 1] > 3).any()
            unit = self.units.force * self.units.length if turns else self.units.stiffness
            self.made.springs.append((rows, stiffness * unit * np.outer(vector, vector)))

    # ------------------------------------------------------------------ supports

    def _boundary(self, keyword: Keyword) -> None:
        held: dict[int, set[int]] = {}
        moved = False
        for line in keyword.data:
            name, *rest = line.fields
            columns, value = _fixed_columns(rest, line)
            if value and columns and not moved:
                moved = True
                self.made.notices.append(
                    f"{line.place}: *BOUNDARY moves nodes; the body is held there, without that motion"
                )
            for node in self._nodes(name, line.place).tolist() if columns else ():
                held.setdefault(node, set()).update(columns)
        axes = self._axes(np.array(list(held), dtype=np.int64))
        own: dict[str, IntArray] = {}
        for support in fix_nodes(held, axes, "boundary", own):
            name = self._free_name(str(support.on), own[str(support.on)])
            self.made.supports.append(replace(support, on=name))


def _columns(line: DataLine) -> Iterator[int]:
    """Columns of a line first, last degree of freedom."""
    values = [int(value) for value in line.fields if value.isdigit()]
    if values:
        yield from (
            dof - 1 for dof in range(values[0], (values[1] if len(values) > 1 else values[0]) + 1) if dof <= 6
        )


def _fixed_columns(rest: list[str], line: DataLine) -> tuple[tuple[int, ...], float]:
    """Columns and value of a line behind its node: names such as ENCASTRE, or first and last degree of freedom."""
    if rest and rest[0].upper() in _NAMED:
        return _NAMED[rest[0].upper()], 0.0
    if not rest or not rest[0].isdigit():
        raise InputError(f"{line.place}: *BOUNDARY needs degrees of freedom or a name such as ENCASTRE")
    first = int(rest[0])
    last = int(rest[1]) if len(rest) > 1 and rest[1].isdigit() else first
    value = reals(DataLine(line.place, rest[2]))[0] if len(rest) > 2 else 0.0
    return tuple(dof - 1 for dof in range(first, last + 1) if 1 <= dof <= 6), value


def _spring_dofs(line: DataLine) -> list[int]:
    """Degrees of freedom between which a spring acts."""
    given = [value for value in line.fields if value]
    for value in given:
        if value not in ("1", "2", "3", "4", "5", "6"):
            raise InputError(f"{line.place}: '{value}' is no degree of freedom of a spring; give 1 to 6")
    return [int(value) for value in given]
