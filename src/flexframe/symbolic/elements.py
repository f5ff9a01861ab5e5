"""Symbolic elements: lines, triangle, rectangle and tetrahedron.

What a symbolic element is: shape matrix, domain, constitutive law, and its integrals, all exact.

Every field is a polynomial in reference coordinates (ξ = x/L, volume coordinates λ, …), so an integral over the
element is a sum of known means of monomials; nothing is approximated.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from sympy import ImmutableMatrix, Integer, Poly, Rational, Symbol, diag, expand, factorial, sqrt, symbols

Expression = Any
"""A SymPy expression; SymPy carries no type information."""

Matrix = Any
"""An immutable SymPy matrix."""


@dataclass(frozen=True)
class MaterialPoint:
    """One particle of the element: its share of the mass and its place in reference coordinates."""

    share: Expression
    place: tuple[Expression, ...]


@dataclass(frozen=True)
class SymbolicElement:
    """One finite element in its own frame, displacement u = N δ at every point of its volume."""

    name: str
    title: str
    dofs: tuple[str, ...]
    density: Symbol
    volume: Expression
    coordinates: tuple[Symbol, ...]  # reference coordinates
    mean: Callable[[tuple[int, ...]], Expression]  # exponents → mean of that monomial over the volume
    position: Matrix  # x in the element frame: (3, 1)
    shape: Matrix  # N: (3, p)
    slopes: tuple[Matrix, Matrix, Matrix]  # ∂N/∂x, ∂N/∂y, ∂N/∂z: (3, p) each
    strain: Matrix  # B: (strains, p)
    constitutive: Matrix  # D: (strains, strains)
    stress: Matrix  # initial stress σ⁰: (3, 3)
    stressed_rows: tuple[int, ...]  # displacement components whose gradients meet σ⁰
    particles: tuple[MaterialPoint, ...]  # a rule with positive weights, exact for all products of N and x
    parameters: tuple[Symbol, ...]
    prestress: tuple[Symbol, ...]
    groups: tuple[Symbol, ...] = ()  # section data by which a printed matrix is split
    definitions: tuple[tuple[Symbol, Expression], ...] = ()  # symbols that stand for longer expressions
    remarks: tuple[str, ...] = ()

    @property
    def mass(self) -> Expression:
        """ρ times the volume."""
        return self.density * self.volume

    def integral(self, field: Expression) -> Expression:
        """∫ field dV of a polynomial field."""
        terms = Poly(expand(field), *self.coordinates).terms()
        return expand(self.volume * sum(c * self.mean(powers) for powers, c in terms))

    def stiffness(self) -> Matrix:
        """k = ∫ Bᵀ D B dV."""
        return self._symmetric(self.strain.T * self.constitutive * self.strain)

    def geometric_stiffness(self) -> Matrix:
        """k_g = ∫ σ⁰_ij ∂N_k/∂x_i ∂N_k/∂x_j dV over the rows k that meet the initial stress."""
        rows = list(self.stressed_rows)
        slopes = [slope.extract(rows, list(range(slope.cols))) for slope in self.slopes]
        total = ImmutableMatrix.zeros(len(self.dofs), len(self.dofs))
        for i, j in product(range(3), repeat=2):
            if self.stress[i, j] != 0:
                total += self.stress[i, j] * slopes[i].T * slopes[j]
        return self._symmetric(total)

    def _symmetric(self, integrand: Matrix) -> Matrix:
        size = integrand.rows
        upper = {(r, t): self.integral(integrand[r, t]) for r in range(size) for t in range(r, size)}
        return ImmutableMatrix(size, size, lambda r, t: upper[min(r, t), max(r, t)])


def box_mean(powers: tuple[int, ...]) -> Rational:
    """Mean of a monomial over the unit interval, square or cube."""
    mean = Integer(1)
    for power in powers:
        mean /= power + 1
    return mean


def simplex_mean(powers: tuple[int, ...]) -> Rational:
    """Mean of λ₂^a λ₃^b … over a simplex of dimension d: d! a! b! … / (a + b + … + d)!."""
    dimension = len(powers)
    mean = factorial(dimension) / factorial(sum(powers) + dimension)
    for power in powers:
        mean *= factorial(power)
    return mean


def newton_cotes(points: int) -> tuple[tuple[Rational, Rational], ...]:
    """Places and weights on [0, 1] at equal distances, exact up to degree points − 1 (one more if odd)."""
    s = Symbol("s")
    places = [Rational(i, points - 1) for i in range(points)]
    rule = []
    for here in places:
        cardinal = Poly(1, s)
        for other in places:
            if other != here:
                cardinal *= Poly((s - other) / (here - other), s)
        weight = sum(c * box_mean(power) for power, c in cardinal.terms())
        rule.append((here, weight))
    return tuple(rule)


XI, Y, Z = symbols("xi y z", real=True)
RHO, E, G, A, L = symbols("rho E G A L", positive=True)
INERTIA, I_Y, I_Z, J_T = symbols("I I_y I_z J_t", positive=True)
P = symbols("P", real=True)

LINEAR = (1 - XI, XI)
HERMITE = (
    1 - 3 * XI**2 + 2 * XI**3,
    L * (XI - 2 * XI**2 + XI**3),
    3 * XI**2 - 2 * XI**3,
    L * (XI**3 - XI**2),
)


def bar(spatial: bool) -> SymbolicElement:
    """All displacement components linear, elastic along the axis only; the mass lies on the axis."""
    rows = 3 if spatial else 2
    shape = ImmutableMatrix(3, 2 * rows, lambda i, r: LINEAR[r // rows] if i == r % rows else Integer(0))
    return SymbolicElement(
        name="bar",
        title="bar with linear interpolation of all displacement components",
        dofs=tuple(f"{dof}{node}" for node in (1, 2) for dof in ("ux", "uy", "uz")[:rows]),
        density=RHO,
        volume=A * L,
        coordinates=(XI,),
        mean=lambda powers: Rational(1, powers[0] + 1),
        position=ImmutableMatrix([L * XI, 0, 0]),
        shape=shape,
        slopes=_slopes(shape),
        strain=shape[0, :].diff(XI) / L,
        constitutive=ImmutableMatrix([[E]]),
        stress=ImmutableMatrix(diag(P / A, 0, 0)),
        stressed_rows=tuple(range(rows)),
        particles=tuple(MaterialPoint(weight, (place,)) for place, weight in newton_cotes(3)),
        parameters=(RHO, E, A, L),
        prestress=(P,),
    )


def _slopes(shape: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """∂N/∂x, ∂N/∂y, ∂N/∂z with x = Lξ."""
    return shape.diff(XI) / L, shape.diff(Y), shape.diff(Z)


def _beam_slopes(shape: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """The same with ∂u_x/∂x on the axis only: N meets Green's strain of the axis, N (u'² + v'² + w'²)/2."""
    along, *across = _slopes(shape)
    return (along[0, :].subs({Y: 0, Z: 0}).col_join(along[1:, :]), *across)


def _planar_section(powers: tuple[int, ...]) -> Expression:
    """Mean of ξ^a y^b with ∫y dA = 0, ∫y² dA = I."""
    along, across = powers
    return Rational(1, along + 1) * _section_mean({0: Integer(1), 1: Integer(0), 2: INERTIA / A}, across)


def _spatial_section(powers: tuple[int, ...]) -> Expression:
    """Mean of ξ^a y^b z^c on principal axes of the section: ∫y² dA = I_z, ∫z² dA = I_y, ∫yz dA = 0."""
    along, y, z = powers
    means = {(0, 0): Integer(1), (2, 0): I_Z / A, (0, 2): I_Y / A}
    for odd in ((1, 0), (0, 1), (1, 1)):
        means[odd] = Integer(0)
    return Rational(1, along + 1) * _section_mean(means, (y, z))


def _section_mean(means: dict[Any, Expression], power: Any) -> Expression:
    assert power in means, f"section moment {power} is not a quantity of beam theory"
    return means[power]


def _section_particles(radii: tuple[Expression, ...]) -> tuple[MaterialPoint, ...]:
    """Seven places on the axis (the products reach ξ⁶) times corners at the radii of gyration."""
    share = Rational(1, 2 ** len(radii))
    return tuple(
        MaterialPoint(weight * share, (place, *(sign * r for sign, r in zip(signs, radii, strict=True))))
        for place, weight in newton_cotes(7)
        for signs in product((1, -1), repeat=len(radii))
    )


def planar_beam() -> SymbolicElement:
    """Dofs ux, uy, rz at each node; in the volume u_x = u − y v'."""
    shape = _beam_shape({"ux": 0, "uy": 1, "rz": 2})
    return SymbolicElement(
        name="planar_beam",
        title="Euler–Bernoulli beam in the plane, with rotary inertia",
        dofs=("ux1", "uy1", "rz1", "ux2", "uy2", "rz2"),
        density=RHO,
        volume=A * L,
        coordinates=(XI, Y),
        mean=_planar_section,
        position=ImmutableMatrix([L * XI, Y, 0]),
        shape=shape,
        slopes=_beam_slopes(shape),
        strain=shape[0, :].diff(XI) / L,
        constitutive=ImmutableMatrix([[E]]),
        stress=ImmutableMatrix(diag(P / A, 0, 0)),
        stressed_rows=(0, 1),
        particles=_section_particles((sqrt(INERTIA / A),)),
        parameters=(RHO, E, A, INERTIA, L),
        prestress=(P,),
        groups=(A, INERTIA),
        remarks=(
            "the geometric stiffness is that of Green's strain of the axis: both slopes of the displacement",
        ),
    )


def spatial_beam() -> SymbolicElement:
    """Six dofs at each node; in the volume u_x = u − y v' − z w', u_y = v − z θ, u_z = w + y θ."""
    shape = _beam_shape({"ux": 0, "uy": 1, "uz": 2, "rx": 3, "ry": 4, "rz": 5})
    twist = ImmutableMatrix(1, 12, lambda _, r: {3: -1 / L, 9: 1 / L}.get(r, Integer(0)))
    return SymbolicElement(
        name="spatial_beam",
        title="Euler–Bernoulli beam in space, with rotary inertia and Saint-Venant torsion",
        dofs=tuple(f"{dof}{node}" for node in (1, 2) for dof in ("ux", "uy", "uz", "rx", "ry", "rz")),
        density=RHO,
        volume=A * L,
        coordinates=(XI, Y, Z),
        mean=_spatial_section,
        position=ImmutableMatrix([L * XI, Y, Z]),
        shape=shape,
        slopes=_beam_slopes(shape),
        strain=(shape[0, :].diff(XI) / L).col_join(twist),
        # the torsional energy ½ ∫ G J_t θ'² dx, spread over the volume
        constitutive=ImmutableMatrix(diag(E, G * J_T / A)),
        stress=ImmutableMatrix(diag(P / A, 0, 0)),
        stressed_rows=(0, 1, 2),
        particles=_section_particles((sqrt(I_Z / A), sqrt(I_Y / A))),
        parameters=(RHO, E, G, A, I_Y, I_Z, J_T, L),
        prestress=(P,),
        groups=(A, I_Y, I_Z, J_T),
        remarks=(
            "the geometric stiffness takes the slopes of the transverse displacements in the volume and the "
            "stretch of the axis (Green's strain), so it contains the torsional term P(I_y + I_z)/A",
        ),
    )


def _beam_shape(place: dict[str, int]) -> Matrix:
    """N of u = u₀ − y v' − z w', v − zθ, w + yθ with Hermite v, w (θ_z = v', θ_y = −w') and linear u₀, θ."""
    per_node = len(place)
    entries: dict[tuple[int, int], Expression] = {}
    for node in (0, 1):
        column = {dof: number + per_node * node for dof, number in place.items()}
        linear, deflection, rotation = LINEAR[node], HERMITE[2 * node], HERMITE[2 * node + 1]
        entries[0, column["ux"]] = linear
        for dof, function in (("uy", deflection), ("rz", rotation)):
            entries[1, column[dof]] = function
            entries[0, column[dof]] = -Y * function.diff(XI) / L
        if "uz" in place:
            for dof, function in (("uz", deflection), ("ry", -rotation)):
                entries[2, column[dof]] = function
                entries[0, column[dof]] = -Z * function.diff(XI) / L
            entries[1, column["rx"]] = -Z * linear
            entries[2, column["rx"]] = Y * linear
    return ImmutableMatrix(3, 2 * per_node, lambda i, r: entries.get((i, r), Integer(0)))


T = symbols("t", positive=True)
NU = symbols("nu", real=True)
D11, D12, D33 = symbols("D_11 D_12 D_33", positive=True)
SIGMA_X, SIGMA_Y, SIGMA_Z = symbols("sigma_x sigma_y sigma_z", real=True)
TAU_XY, TAU_YZ, TAU_XZ = symbols("tau_xy tau_yz tau_xz", real=True)

PLANE_LAW = ImmutableMatrix([[D11, D12, 0], [D12, D11, 0], [0, 0, D33]])
PLANE_STRESS_STATE = ImmutableMatrix([[SIGMA_X, TAU_XY, 0], [TAU_XY, SIGMA_Y, 0], [0, 0, 0]])


def _plane_moduli(plane_state: str) -> tuple[tuple[Symbol, Expression], ...]:
    """D of plane stress or plane strain, engineering shear."""
    if plane_state == "stress":
        factor = E / (1 - NU**2)
        normal, coupled = factor, factor * NU
    else:
        factor = E / ((1 + NU) * (1 - 2 * NU))
        normal, coupled = factor * (1 - NU), factor * NU
    return ((D11, normal), (D12, coupled), (D33, E / (2 * (1 + NU))))


def _interpolate(functions: tuple[Expression, ...], components: int) -> Matrix:
    """N of u = Σ φ_a u_a: (3, components · nodes)."""
    return ImmutableMatrix(
        3,
        components * len(functions),
        lambda i, r: functions[r // components] if i == r % components else Integer(0),
    )


def _strain(slopes: Matrix, rows: int) -> Matrix:
    """B in Voigt order (11, 22, 12) or (11, 22, 33, 12, 23, 13) from ∂φ_a/∂x_i: (nodes, 3)."""
    components = 2 if rows == 3 else 3
    shears = ((0, 1),) if rows == 3 else ((0, 1), (1, 2), (0, 2))

    def entry(row: int, column: int) -> Expression:
        node, k = divmod(column, components)
        if row < components:
            return slopes[node, k] if k == row else Integer(0)
        i, j = shears[row - components]
        return slopes[node, j] if k == i else slopes[node, i] if k == j else Integer(0)

    return ImmutableMatrix(rows, components * slopes.rows, entry)


def _field_slopes(slopes: Matrix, components: int) -> tuple[Matrix, Matrix, Matrix]:
    """∂N/∂x, ∂N/∂y, ∂N/∂z from ∂φ_a/∂x_i: (nodes, 3)."""
    first, second, third = (_interpolate(tuple(slopes[:, i]), components) for i in range(3))
    return first, second, third


def _plane(plane_state: str, **data: Any) -> SymbolicElement:
    """What triangle and rectangle share: law, initial stress, thickness."""
    functions, components = data.pop("functions"), 2
    nodes = range(1, len(functions) + 1)
    jacobian = ImmutableMatrix(functions).jacobian(ImmutableMatrix(data["coordinates"]))
    slopes = jacobian * data.pop("gradient")
    return SymbolicElement(
        dofs=tuple(f"{dof}{node}" for node in nodes for dof in ("ux", "uy")),
        density=RHO,
        shape=_interpolate(functions, components),
        slopes=_field_slopes(slopes, components),
        strain=_strain(slopes, 3),
        constitutive=PLANE_LAW,
        stress=PLANE_STRESS_STATE,
        stressed_rows=(0, 1),
        parameters=(RHO, E, NU, T, *data.pop("dimensions")),
        prestress=(SIGMA_X, SIGMA_Y, TAU_XY),
        definitions=_plane_moduli(plane_state),
        **data,
    )


def triangle(plane_state: str) -> SymbolicElement:
    """Constant-strain triangle with nodes (0, 0), (x2, 0), (x3, y3)."""
    second, third = symbols("lambda_2 lambda_3", real=True)
    x2, y3 = symbols("x_2 y_3", positive=True)
    x3 = symbols("x_3", real=True)
    half = Rational(1, 2)
    return _plane(
        plane_state,
        name="triangle",
        title=f"constant-strain triangle, plane {plane_state}",
        functions=(1 - second - third, second, third),
        dimensions=(x2, x3, y3),
        volume=T * x2 * y3 / 2,
        coordinates=(second, third),
        mean=simplex_mean,
        gradient=ImmutableMatrix([[1 / x2, -x3 / (x2 * y3), 0], [0, 1 / y3, 0]]),
        position=ImmutableMatrix([x2 * second + x3 * third, y3 * third, 0]),
        particles=tuple(
            MaterialPoint(Rational(1, 3), place)
            for place in ((half, Integer(0)), (half, half), (Integer(0), half))
        ),
        remarks=("node 1 is the origin of the element frame and node 2 lies on its x axis",),
    )


def rectangle(plane_state: str) -> SymbolicElement:
    """Bilinear rectangle a × b with nodes (0, 0), (a, 0), (a, b), (0, b)."""
    xi, eta = symbols("xi eta", real=True)
    a, b = symbols("a b", positive=True)
    rule = newton_cotes(3)
    return _plane(
        plane_state,
        name="rectangle",
        title=f"bilinear rectangle, plane {plane_state}",
        functions=((1 - xi) * (1 - eta), xi * (1 - eta), xi * eta, (1 - xi) * eta),
        dimensions=(a, b),
        volume=T * a * b,
        coordinates=(xi, eta),
        mean=box_mean,
        gradient=ImmutableMatrix([[1 / a, 0, 0], [0, 1 / b, 0]]),
        position=ImmutableMatrix([a * xi, b * eta, 0]),
        particles=tuple(MaterialPoint(u * v, (s, r)) for (s, u), (r, v) in product(rule, rule)),
        remarks=("node 1 is the origin of the element frame, ξ = x/a, η = y/b",),
    )


def tetrahedron() -> SymbolicElement:
    """Four nodes anywhere; ∂λ_a/∂(x, y, z) = (b_a, c_a, d_a)/6V, V > 0 for a right-handed numbering."""
    lambdas = symbols("lambda_2 lambda_3 lambda_4", real=True)
    volume = symbols("V", positive=True)
    lame, shear = symbols("Lambda mu", positive=True)
    nodes = tuple(symbols(f"x_{a} y_{a} z_{a}", real=True) for a in (1, 2, 3, 4))
    slopes = ImmutableMatrix(4, 3, lambda a, i: Symbol(f"{'bcd'[i]}_{a + 1}", real=True) / (6 * volume))
    functions = (1 - sum(lambdas), *lambdas)
    normal = lame + 2 * shear
    law = ImmutableMatrix(
        6, 6, lambda i, j: (normal if i == j else lame) if max(i, j) < 3 else shear if i == j else Integer(0)
    )
    corners = [tuple(Integer(int(a == node)) for a in range(1, 4)) for node in range(4)]
    faces = [tuple(Rational(int(a in face), 3) for a in range(1, 4)) for face in combinations(range(4), 3)]
    return SymbolicElement(
        name="tetrahedron",
        title="constant-strain tetrahedron",
        dofs=tuple(f"{dof}{node}" for node in (1, 2, 3, 4) for dof in ("ux", "uy", "uz")),
        density=RHO,
        volume=volume,
        coordinates=lambdas,
        mean=simplex_mean,
        position=ImmutableMatrix(
            [sum(f * node[i] for f, node in zip(functions, nodes, strict=True)) for i in range(3)]
        ),
        shape=_interpolate(functions, 3),
        slopes=_field_slopes(slopes, 3),
        strain=_strain(slopes, 6),
        constitutive=law,
        stress=ImmutableMatrix([[SIGMA_X, TAU_XY, TAU_XZ], [TAU_XY, SIGMA_Y, TAU_YZ], [TAU_XZ, TAU_YZ, SIGMA_Z]]),
        stressed_rows=(0, 1, 2),
        # degree three with positive weights: corners 1/40, centroids of the faces 9/40
        particles=tuple(
            MaterialPoint(Rational(weight, 40), place)
            for weight, places in ((1, corners), (9, faces))
            for place in places
        ),
        parameters=(RHO, E, NU, *(coordinate for node in nodes for coordinate in node)),
        prestress=(SIGMA_X, SIGMA_Y, SIGMA_Z, TAU_XY, TAU_YZ, TAU_XZ),
        definitions=(
            (lame, E * NU / ((1 + NU) * (1 - 2 * NU))),
            (shear, E / (2 * (1 + NU))),
            *_volume_and_slopes(volume, nodes),
        ),
        remarks=("nodes are numbered so that 1, 2, 3 turn counter-clockwise seen from node 4",),
    )


def _volume_and_slopes(volume: Symbol, nodes: tuple[Any, ...]) -> tuple[tuple[Symbol, Expression], ...]:
    """V and b_a, c_a, d_a = 6V ∂λ_a/∂(x, y, z) from the node coordinates (cofactors of [1 x y z])."""
    table = ImmutableMatrix([[1, *node] for node in nodes])
    cofactors = [
        (Symbol(f"{'bcd'[i]}_{a + 1}", real=True), table.cofactor(a, i + 1).expand())
        for a in range(4)
        for i in range(3)
    ]
    edges = ImmutableMatrix([[node[i] - nodes[0][i] for i in range(3)] for node in nodes[1:]])
    return ((volume, edges.det(method="berkowitz").expand() / 6), *cofactors)
