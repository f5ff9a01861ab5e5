"""Standard input data (SID) of flexible bodies read; what their objects are stands in `sid.py`.

Read backwards, J, Ct, Cr, Me and Oe give every invariant that the motion needs: of Y and H only the sum
Z_ab = sym(Y_ab) + sym(H_ab) = T_ab − ½ δ_ab tr T with T_ab = K_ab + k_g^ab counts in the kinetic energy to second
order. H is taken as small as it can be, −δ_ab (Me − tr Z)/3. Gr, Ge and the constant part of Oe follow from the
others and are compared with them. Their columns come coordinate by coordinate in some files and axis by axis in
others, as FEMBS writes them; both are understood.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from flexframe.assembly.inertia import CYCLIC
from flexframe.errors import InputError
from flexframe.exchange.contract import Part, Settings
from flexframe.exchange.reduced import KINDS
from flexframe.exchange.sid_text import SidNode, SidText, Taylor, parse_sid
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.reduction.basis import ReductionBasis
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint
from flexframe.reduction.strategies import Coordinate

SQUARES = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))  # columns of Oe: products of angular velocities
MOMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # rows of J
NAMES = "flexframe, nodes: "  # in the first line, before a list of them
_DIGITS = 1e-6  # relative: what files of twelve digits may differ by where objects say the same twice


def read_sid(file: OpenFile, settings: Settings) -> Part:
    """The reduced body of a file, and what of the file it does not take over."""
    text = parse_sid(file.name, file.stream.read().decode("utf-8", errors="replace"))
    if not text.size or len(text.coordinates) != text.size or set(text.coordinates) - set(range(1, text.size + 1)):
        raise InputError(
            f"{file.name}: refmod names {len(text.coordinates)} of {text.size or 0} coordinates; export it again"
        )
    if text.mass is None or text.mass <= 0:
        raise InputError(f"{file.name}: refmod has no positive mass; export it again")
    reader = _Reader(text, settings.units)
    body = reader.body()
    return Part(reduced=body, notices=tuple(reader.notices))


class _Reader:
    """A body of the objects of a text; `notices` collects what does not fit."""

    def __init__(self, text: SidText, units: Units) -> None:
        assert text.size is not None
        self.text, self.units, self.size = text, units, text.size
        self.notices: list[str] = []

    def body(self) -> ReducedBody:
        text, units, m = self.text, self.units, self.size
        assert text.mass is not None
        moment, energy = units.mass * units.length, units.force * units.length
        first, inertia = self._object("mdCM", 3, 1), self._object("J", 6, 1)
        Ct, Cr, Oe = self._object("Ct", m, 3), self._object("Cr", m, 3), self._object("Oe", m, 6)
        J, mass = _tensors(inertia.constant[None, :, 0])[0], self._matrix("Me")
        if not _is_positive(mass) or np.linalg.eigvalsh(J)[0] < -_DIGITS * np.abs(J).max():
            raise InputError(f"{text.file}: Me or J is not positive, as an inertia is; export it again")
        self._note_inertia(text.mass, first.constant[:, 0], J)
        X = self._position_coupling(inertia, Cr, Oe)
        Y, H = self._products(mass, Cr, Oe)
        if first.slopes is not None:
            self._compare("mdCM", first.slopes[:, :, 0], Ct.constant, "Ct is taken")
        stiffness, damping = self._stiffness(), self._matrix("De", needed=False)
        points = tuple(self._point(name, node) for name, node in self._named_nodes())
        self._note_rest()
        return ReducedBody(
            name=text.name or Path(text.file).stem,
            mass=text.mass * units.mass,
            first_moment=first.constant[:, 0] * moment,
            second_moment=(np.trace(J) / 2 * np.eye(3) - J) * units.inertia,
            origin_coupling=Ct.constant.T * moment,
            position_coupling=X * units.inertia,
            shape_products=Y * units.inertia,
            stiffness=stiffness * energy,
            damping=damping * energy * units.time,
            origin_quadratic=self._quadratic("Ct", Ct.slopes, "kra->ark") * moment,
            position_quadratic=H * units.inertia,
            interfaces=points,
            sensors=(),
            basis=ReductionBasis(np.zeros((0, m)), self._coordinates(), "standard input data", "of the file"),
        )

    def _object(self, name: str, rows: int, columns: int) -> Taylor:
        found = self.text.taylor(self.text.objects, name, (rows, columns))
        if found is None:
            raise InputError(f"{self.text.file}: the object {name} is missing; export the body with it")
        return found

    # ------------------------------------------------------------------ inertia

    def _position_coupling(self, inertia: Taylor, Cr: Taylor, Oe: Taylor) -> Array:
        """X_km of J, whose slope is 2 tr X 1 − X − Xᵀ, and of Cr, which has the rest: (3, 3, m)."""
        slopes = centrifugal = -2 * _of_squares(Oe.constant).transpose(2, 0, 1)
        if inertia.slopes is not None:
            slopes = _tensors(inertia.slopes[:, :, 0])
            self._compare("Oe", centrifugal, slopes, "J is taken")
        X = np.einsum("kii,ab->abk", slopes, np.eye(3)) / 4 - slopes.transpose(1, 2, 0) / 2
        for a, b, c in CYCLIC:
            X[b, c] += Cr.constant[:, a] / 2
            X[c, b] -= Cr.constant[:, a] / 2
        wanted = turning(X)
        found = min(self._columns("Gr", 3), key=lambda one: np.abs(one - wanted).max())
        self._compare("Gr", found, wanted, "J and Cr are taken")
        return X

    def _products(self, mass: Array, Cr: Taylor, Oe: Taylor) -> tuple[Array, Array]:
        """Y of Me, Cr and Oe, and H: (3, 3, m, m) each."""
        unit, Ge = np.eye(3), [one.transpose(2, 1, 0) for one in self._columns("Ge", self.size)]
        euler = np.zeros_like(Ge[0]) if Cr.slopes is None else Cr.slopes.transpose(2, 1, 0)
        coriolis = _skew_part(euler)  # C_a, beside H_bc − H_cb, which are symmetric: (3, m, m)
        if not coriolis.any():
            coriolis = _skew_part(min(Ge, key=lambda one: np.abs(one - _skew_part(one)).max())) / 2
        found = min(Ge, key=lambda one: np.abs(one - 2 * coriolis).max())
        self._compare("Ge", found, 2 * coriolis, "the skew part of Cr is taken, as Coriolis forces do no work")
        if Oe.slopes is None:
            Z = np.einsum("ab,rt->abrt", unit, mass) / 3
            self.notices.append(
                "Oe has no first order: what the deformation adds to centrifugal forces is taken as that of a "
                "mass that moves alike along all axes"
            )
        else:
            T = self._quadratic("Oe", _of_squares(Oe.slopes), "abkr->abrk")
            Z = T - np.einsum("ab,kkrt->abrt", unit, T) / 2
        rest = np.einsum("ab,rt->abrt", unit, mass - np.einsum("kkrt->rt", Z)) / 3
        Y, H = Z + rest, -rest
        for a, b, c in CYCLIC:
            Y[c, b] += coriolis[a] / 2
            Y[b, c] -= coriolis[a] / 2
            H[b, c] += (euler[a] + euler[a].T) / 4
            H[c, b] -= (euler[a] + euler[a].T) / 4
        return Y, H

    def _columns(self, name: str, rows: int) -> tuple[Array, Array]:
        """Gr or Ge of each coordinate, read axis by axis and coordinate by coordinate: (m, rows, 3) each."""
        found, m = self._object(name, rows, 3 * self.size).constant, self.size
        return found.reshape(rows, 3, m).transpose(2, 0, 1), found.reshape(rows, m, 3).transpose(1, 0, 2)

    # ------------------------------------------------------------------ the rest

    def _matrix(self, name: str, *, needed: bool = True) -> Array:
        """A symmetric matrix of the coordinates: (m, m)."""
        if not needed and name.lower() not in self.text.objects:
            return np.zeros((self.size, self.size))
        found = self._object(name, self.size, self.size).constant
        if np.abs(found - found.T).max() > _DIGITS * np.abs(found).max():
            raise InputError(f"{self.text.file}: {name} is not symmetric; export it again")
        return np.asarray((found + found.T) / 2)

    def _note_inertia(self, mass: float, first: Array, J: Array) -> None:
        """A notice where a moment of inertia about the centre of mass is negative."""
        lowest = np.linalg.eigvalsh(J + skew(first) @ skew(first) / mass)[0]
        if lowest < -_DIGITS * np.abs(J).max():
            self.notices.append(
                "J is not that of a body with this mass and mdCM: about the centre of mass a moment of inertia is "
                f"negative ({lowest * self.units.inertia:.3g} kg m²); turn the body about no axis that it lacks"
            )

    def _stiffness(self) -> Array:
        """Ke and what stress at rest adds to it: (m, m)."""
        stiffness, stress = self._matrix("Ke"), self.text.taylor(self.text.objects, "ksigma", (self.size, 1))
        if stress is None:
            return stiffness
        if stress.constant.any():
            raise InputError(
                f"{self.text.file}: the body has stress at rest (ksigma), and flexframe has no place for its "
                "forces; export the body that is free of stress"
            )
        return np.asarray(stiffness + self._quadratic("ksigma", stress.slopes, "krx->xrk").sum(axis=0))

    def _quadratic(self, name: str, slopes: Array | None, order: str) -> Array:
        """Slopes in the order in which the last two axes are coordinates: second derivatives, hence symmetric."""
        if slopes is None:
            return np.zeros((3, self.size, self.size))
        ordered = np.einsum(order, slopes)
        even = (ordered + ordered.swapaxes(-1, -2)) / 2
        self._compare(f"the first order of {name}", ordered, even, "its symmetric part is taken", "symmetric")
        return np.asarray(even)

    def _point(self, name: str, node: SidNode) -> ReducedPoint:
        text, m, length = self.text, self.size, self.units.length
        origin, phi = text.taylor(node.objects, "origin", (3, 1)), text.taylor(node.objects, "phi", (3, m))
        psi, axes = text.taylor(node.objects, "psi", (3, m)), text.taylor(node.objects, "AP", (3, 3))
        if origin is None or phi is None:
            text.refuse(node.line, f"node {node.name} lacks origin or phi; export it again")
        if origin.slopes is not None:
            self._compare(f"origin of node {name}", origin.slopes[:, :, 0].T, phi.constant, "phi is taken")
        if axes is not None and np.abs(axes.constant - np.eye(3)).max() > _DIGITS:
            self.notices.append(
                f"node {name} has axes of its own (AP), which are left out: it has those of the body"
            )
        turned = Taylor(np.zeros((3, m))) if psi is None else psi
        return ReducedPoint(
            name,
            origin.constant[:, 0] * length,
            np.vstack([phi.constant * length, turned.constant]),
            np.concatenate(
                [
                    self._quadratic(f"phi of node {name}", phi.slopes, "kar->ark") * length,
                    self._quadratic(f"psi of node {name}", turned.slopes, "kar->ark"),
                ]
            ),
            np.array([True] * 3 + [psi is not None] * 3),
        )

    def _named_nodes(self) -> Iterator[tuple[str, SidNode]]:
        """Nodes by their names, which files of flexframe have in the comment."""
        nodes = self.text.nodes
        names = [node.name for node in nodes]
        _, found, listed = self.text.comment.partition(NAMES)
        if found:
            try:
                given = [str(name) for name in json.loads(listed)]
            except (ValueError, TypeError):
                given = []
            if len(set(given)) != len(nodes):
                self.text.refuse(1, "the names of the nodes do not fit the nodes; export it again")
            names = given
        yield from zip(names, nodes, strict=True)

    def _coordinates(self) -> tuple[Coordinate, ...]:
        return tuple(_coordinate(self.text.coordinates[k]) for k in range(1, self.size + 1))

    def _compare(
        self, name: str, found: Array, wanted: Array, remedy: str, fit: str = "what the other objects say"
    ) -> None:
        """A notice where an object is not as it has to be."""
        scale = max(np.abs(found).max(initial=0.0), np.abs(wanted).max(initial=0.0))
        differs = float(np.abs(found - wanted).max(initial=0.0) / scale) if scale else 0.0
        if differs > _DIGITS:
            self.notices.append(f"{name} is not {fit}, by {differs:.2g} of its largest entry; {remedy}")

    def _note_rest(self) -> None:
        text = self.text
        if text.higher:
            self.notices.append(f"terms of second and higher order of {', '.join(text.higher)} are left out")
        slopes = [
            name
            for name, columns in (("Me", self.size), ("Ge", 3 * self.size), ("Ke", self.size), ("De", self.size))
            if (found := text.taylor(text.objects, name, (self.size, columns))) is not None
            and found.slopes is not None
            and found.slopes.any()
        ]
        if slopes:
            self.notices.append(
                f"{', '.join(slopes)} are taken as they are at rest; their first order is left out"
            )
        others = [name for name in text.objects if name not in _KNOWN]
        if others:
            self.notices.append(f"objects that are no standard input data are left out: {', '.join(others)}")
        if any("sigma" in node.objects for node in text.nodes):
            self.notices.append("stress at nodes (sigma) is left out; take it from the mesh of the body")


_KNOWN = {"mdcm", "j", "ct", "cr", "me", "gr", "ge", "oe", "ksigma", "ke", "de"}
_MODE = re.compile(r"(.*?)\s*:\s*([-+.\deE]+)\s*Hz", re.IGNORECASE)


def _coordinate(text: str) -> Coordinate:
    """What a coordinate is, from its name in the file."""
    mode = _MODE.fullmatch(text)
    if mode is not None:
        try:
            return Coordinate("mode", mode[1], float(mode[2]))
        except ValueError:
            return Coordinate("mode", text)
    kind, _, label = text.partition(": ")
    return Coordinate(KINDS[kind], label) if kind in KINDS else Coordinate("mode", text)


def _is_positive(mass: Array) -> bool:
    """Whether a mass matrix is positive, each coordinate in units in which its own mass is one."""
    own = np.diag(mass)
    return bool((own > 0).all() and np.linalg.eigvalsh(mass / np.sqrt(np.outer(own, own)))[0] > 0)


def _tensors(columns: Array) -> Array:
    """Symmetric tensors (n, 3, 3) of their six entries (n, 6)."""
    out = np.zeros((len(columns), 3, 3))
    for k, (a, b) in enumerate(MOMENTS):
        out[:, a, b] = out[:, b, a] = columns[:, k]
    return out


def _of_squares(columns: Array) -> Array:
    """T_ab of the columns of Oe (…, 6), which hold T_ab + T_ba of products ω_aω_b: (3, 3, …)."""
    out = np.zeros((3, 3, *columns.shape[:-1]))
    for k, (a, b) in enumerate(SQUARES):
        out[a, b] = out[b, a] = columns[..., k] / (1 if a == b else 2)
    return out


def turning(X: Array) -> Array:
    """Gr of each coordinate, 2(tr X 1 − Xᵀ): (m, 3, 3)."""
    return np.asarray(2 * (np.einsum("kkr->r", X)[:, None, None] * np.eye(3) - X.transpose(2, 1, 0)))


def _skew_part(matrices: Array) -> Array:
    return np.asarray((matrices - matrices.swapaxes(-1, -2)) / 2)
