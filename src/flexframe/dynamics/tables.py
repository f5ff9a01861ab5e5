"""Flat typed tables and work arrays of the compiled dynamics.

Tables of bodies are padded to the body with most coordinates (Mm), fields (N) and products (K). Frames are the
origins of all bodies, then the points of elastic bodies that joints and loads use, then the ground. Local
velocities and forces of a body are (v, ω, δ̇): 6 + m numbers in body components.
"""

from typing import NamedTuple

from flexframe.maths.arrays import Array, IntArray


class BodyTables(NamedTuple):
    """Integrals of all bodies."""

    sizes: IntArray  # m: (bodies,)
    fields: IntArray  # n = m + k: (bodies,)
    mass: Array  # (bodies,)
    first_moment: Array  # S: (bodies, 3)
    second_moment: Array  # J: (bodies, 3, 3)
    origin_coupling: Array  # M_O: (bodies, 3, N)
    position_coupling: Array  # X: (bodies, 3, 3, N)
    shape_products: Array  # Y: (bodies, 3, 3, N, N)
    coriolis: Array  # C_a = Y_cb − Y_bc: (bodies, 3, N, N)
    elastic_mass: Array  # Y_kk: (bodies, N, N)
    products: Array  # Z: (bodies, K, Mm, Mm)
    stiffness: Array  # (bodies, Mm, Mm)
    damping: Array  # (bodies, Mm, Mm)
    quartic_signs: (
        Array  # of the strain energy of fourth order ½ Σ s (δᵀRδ)², none in this theory: (bodies, terms)
    )
    quartic_forms: Array  # R: (bodies, terms, Mm, Mm)
    numbers: IntArray  # place of each local velocity in u, −1 where a planar body does not move: (bodies, 6 + Mm)
    lengths: Array  # of displacements, for the end of small deflections: (bodies,)


class FrameTables(NamedTuple):
    """Frames that joints, forces and drives act on."""

    bodies: IntArray  # (frames,), −1 for the ground
    elastic: IntArray  # 1 where the frame moves with the deformation, 2 where it turns with it too: (frames,)
    curved: IntArray  # 1 where its motion has a quadratic part: (frames,)
    places: Array  # x_P: (frames, 3)
    rows: Array  # N_P: (frames, 6, Mm)
    quadratic: Array  # G_P: (frames, 6, Mm, Mm)


class RowTables(NamedTuple):
    """Constraints between frames, as `mechanisms.tables.ConstraintTable` has them, and the laws they follow."""

    types: IntArray  # (rows,)
    frames: IntArray  # first, second, carrier of x: (rows, 3)
    places: Array  # (rows, 2, 3)
    directions: Array  # (rows, 3, 3)
    radii: Array  # (rows,)
    laws: IntArray  # (rows,)
    holonomic: IntArray  # 1 where the row is a constraint on positions: (rows,)
    scales: Array  # makes metres and radians comparable: (rows,)


class LawTables(NamedTuple):
    """Laws of time: numbers, tapes of formulas, and tabulated laws with two derivatives."""

    kinds: IntArray  # NUMBER, TAPE, TABLE: (laws,)
    starts: IntArray  # of the tape or the table: (laws,)
    counts: IntArray  # operations or rows: (laws,)
    values: Array  # of numbers: (laws,)
    opcodes: IntArray
    operands: Array
    origins: Array  # first time and spacing of tables: (laws, 2)
    table: Array  # value, first and second derivative: (points, 3)


class ForceTables(NamedTuple):
    """Forces at places and forces along coordinates."""

    frames: IntArray  # of forces at places: (placed,)
    arms: Array  # from the frame to the place: (placed, 3)
    in_body: IntArray  # (placed,)
    laws: IntArray  # of force and moment: (placed, 6)
    before: Array  # their values before the start: (placed, 6)
    kinds: IntArray  # SPRING, TORSION, FRICTION, MOTOR: (coordinates,)
    constants: Array  # (coordinates, 3)
    curve_starts: IntArray  # of motors: (coordinates + 1,)
    curve: Array  # speed, torque: (points, 2)


class LoadTables(NamedTuple):
    """Loads of the bodies themselves, as `reduction.loads` has them, with p and p + τ by their derivatives."""

    bodies: IntArray  # (loads,)
    laws: IntArray  # of their factors: (loads,)
    before: Array  # the factors before the start: (loads,)
    in_space: IntArray  # 1 where they keep their direction in space: (loads,)
    used: IntArray  # 1 where p_ik or τ_ik is not zero: (loads, 3, 3)
    force: Array  # F: (loads, 3)
    moment: Array  # M: (loads, 3)
    positions: Array  # (loads, 3, 3)
    rows: Array  # of p: (loads, 3, 3, Mm)
    quadratic: Array  # of p: (loads, 3, 3, Mm, Mm)
    work_rows: Array  # of p + τ: (loads, 3, 3, Mm)
    work_quadratic: Array  # of p + τ: (loads, 3, 3, Mm, Mm)


class Tables(NamedTuple):
    """Everything the compiled functions read."""

    bodies: BodyTables
    frames: FrameTables
    rows: RowTables
    coordinates: RowTables  # of the force elements
    laws: LawTables
    forces: ForceTables
    loads: LoadTables
    gravity: Array  # (3,)
    size: int  # n
    scales: Array  # of the velocities u, as displacements: (n,)
    joined_damping: Array  # of deformations of different bodies on each other: (n, n), or none: (0, 0)
    slack: Array  # regularisation of redundant rows, relative to G M⁻¹ Gᵀ: (1,)


class Place(NamedTuple):
    """Positions and velocities that the equations are evaluated at."""

    positions: Array  # (bodies, 3)
    quaternions: Array  # (bodies, 4)
    deformation: Array  # (bodies, Mm)
    velocities: Array  # local: (bodies, 6 + Mm)
    angles: Array  # (bodies,)


class Work(NamedTuple):
    """Arrays that the compiled functions write."""

    rotations: Array  # of the bodies: (bodies, 3, 3)
    r: Array  # frames: (1, frames, 3)
    R: Array  # (1, frames, 3, 3)
    v: Array  # (1, frames, 3)
    w: Array  # (1, frames, 3)
    drift: Array  # accelerations of frames without u̇: (frames, 6)
    jacobians: Array  # velocities of a frame by local velocities: (frames, 6, 6 + Mm)
    bent: Array  # δᵀG of one row: (Mm,)
    drifting: IntArray  # 1 where drifts are wanted: (1,)
    point: Array  # of one frame in its body, with two derivatives: (3, 6)
    wrenches: Array  # (frames, 6)
    s: Array  # (1, rows)
    J: Array  # (1, rows, frames, 6)
    rate: Array
    bias: Array
    cs: Array  # the same of the coordinates of forces
    cJ: Array
    crate: Array
    cbias: Array
    target: Array  # f, ḟ, f̈: (rows, 3)
    stack: Array  # of formulas: (depth, 3)
    eta: Array  # η, η̇, η̈: (3, N)
    slopes: Array  # Z(δ): (K, Mm)
    moved: Array  # Y η: (3, 3, N)
    field_force: Array  # (N,)
    local: Array  # acceleration and force of one body: (2, 6 + Mm)
    block: Array  # mass matrix of one body: (6 + Mm, 6 + Mm)
    lean: Array  # (N, Mm)
    load: Array  # force and moment of a load: (6,)
    nothing: Array  # zeros: (n + rows,)
    powers: Array  # of drives, loads, dissipation: (3,)
    springs: Array  # energy stored in springs: (1,)
    matrix: Array  # of the equations with multipliers: (n + rows, n + rows)
    factors: Array  # the same, factorised
    pivots: IntArray  # (n + rows,)
    right: Array  # (n + rows,)
    solution: Array  # (n + rows,)
    residual: Array  # (n + rows,)
