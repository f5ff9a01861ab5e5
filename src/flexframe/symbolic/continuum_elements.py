"""Plane triangle and rectangle, and the tetrahedron."""

from itertools import combinations, product
from typing import Any

from sympy import ImmutableMatrix, Integer, Rational, Symbol, symbols

from flexframe.symbolic.element_data import (
    Expression,
    MaterialPoint,
    Matrix,
    SymbolicElement,
    box_mean,
    newton_cotes,
    simplex_mean,
)

RHO, E, T = symbols("rho E t", positive=True)
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
