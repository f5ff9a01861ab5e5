"""Bar and Euler–Bernoulli beams: the axis is x from node 1 (the origin) to node 2 at x = L."""

from itertools import product
from typing import Any

from sympy import ImmutableMatrix, Integer, Rational, diag, sqrt, symbols

from flexframe.symbolic.element_data import (
    Expression,
    MaterialPoint,
    Matrix,
    SymbolicElement,
    newton_cotes,
)

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
