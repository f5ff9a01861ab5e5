"""Flat typed tables that the compiled core reads.

Coordinates are padded to the body with most of them (Mm). Frames are the origins of all bodies, then the points
of elastic bodies that joints and loads use, then the ground. Local velocities and forces of a body are (v, ω, δ̇):
6 + m numbers in body components.
"""

from typing import NamedTuple

import numpy as np

from flexframe.maths.arrays import Array, IntArray

_NONE = np.zeros(0)


class BodyTables(NamedTuple):
    """Where the velocities of all bodies are; their integrals are those of the bodies themselves."""

    sizes: IntArray  # m: (bodies,)
    numbers: IntArray  # place of each local velocity in u, −1 where a planar body does not move: (bodies, 6 + Mm)
    lengths: Array  # of displacements, for the end of small deflections: (bodies,)


class FrameTables(NamedTuple):
    """Frames that joints, forces and drives act on."""

    bodies: IntArray  # (frames,), −1 for the ground
    elastic: IntArray  # 1 where the frame moves with the deformation, 2 where it turns with it too: (frames,)
    curved: IntArray  # 1 where its motion has a quadratic part: (frames,)
    by_sine: IntArray  # 1 where its rotation is as long as the sine of the turn: (frames,)
    places: Array  # x_P: (frames, 3)
    rows: Array  # N_P: (frames, 6, Mm)
    quadratic: Array  # G_P: (frames, 6, Mm, Mm)
    shortening: Array  # by fourth powers of slopes of the body: (frames, 6, Mg)


class RowTables(NamedTuple):
    """Constraints between frames as `multibody.constraints` has them, and the laws they follow."""

    types: IntArray  # (rows,)
    frames: IntArray  # first, second, carrier of x: (rows, 3)
    places: Array  # (rows, 2, 3)
    directions: Array  # (rows, 3, 3)
    radii: Array  # (rows,)
    laws: IntArray  # (rows,)
    holonomic: IntArray  # 1 where the row is a constraint on positions: (rows,)
    scales: Array  # makes metres and radians comparable: (rows,)
    leading: IntArray  # first of the coordinates that the law is one of, and how many: (rows, 2)
    locks: IntArray  # held values that close a lock and that it keeps; −1: the row always acts: (rows, 2)


class LawTables(NamedTuple):
    """Laws of time: numbers, tapes of formulas, tabulated laws with two derivatives, and polynomials."""

    kinds: IntArray  # NUMBER, TAPE, TABLE, PIECES, SIGNAL, GRID, FUNCTION, NESTED: (laws,)
    starts: IntArray  # of the tape, the table, the pieces, the grid or the parts; number of the function: (laws,)
    counts: IntArray  # operations or rows: (laws,)
    values: Array  # of numbers: (laws,)
    opcodes: IntArray
    operands: Array
    origins: Array  # first time, and spacing of tables or period of pieces (0: none): (laws, 2)
    table: Array  # value, first and second derivative: (points, 3)
    pieces: Array  # beginning, and coefficients of the powers 0 … 7 of the time since: (rows, 9)
    columns: IntArray  # of grids: (laws,)
    grids: Array  # points, and value and slopes at them, of all grids
    nested: IntArray  # of each nested law a law and those of its inputs
    functions: IntArray  # addresses of value and slopes, number of inputs: (functions, 3)
    stack_size: int  # numbers alive at most while a formula is evaluated


class ForceTables(NamedTuple):
    """Forces at places and forces along coordinates."""

    frames: IntArray  # of forces at places: (placed,)
    arms: Array  # from the frame to the place: (placed, 3)
    in_body: IntArray  # (placed,)
    laws: IntArray  # of force and moment: (placed, 6)
    before: Array  # their values before the start, NaN where they follow the state: (placed, 6)
    kinds: IntArray  # numbers of the laws in the core: (coordinates,)
    constants: Array  # (coordinates, 6)
    curve_starts: IntArray  # of tables and motors: (coordinates + 1,)
    curve: Array  # stretch or speed, force, slope: (points, 3)
    tape_starts: IntArray  # of the formulas of force and damping of each: (2 coordinates + 1,)
    opcodes: IntArray
    operands: Array
    grid_starts: IntArray  # of tables over stretch and rate: (coordinates + 1,)
    grid_columns: IntArray  # zero where there is none: (coordinates,)
    grids: Array
    stack_size: int  # numbers alive at most while a formula is evaluated
    actuators: IntArray  # law that the force follows instead, −1: none: (coordinates,)
    actuators_before: Array  # its value before the start: (coordinates,)
    bristles: IntArray  # state of friction with bristles, −1: none: (coordinates,)


class LoadTables(NamedTuple):
    """Loads of the bodies themselves, as `reduction.loads` has them, with p and p + τ by their derivatives."""

    bodies: IntArray  # (loads,)
    laws: IntArray  # of their factors: (loads,)
    before: Array  # the factors before the start, NaN where they follow the state: (loads,)
    in_space: IntArray  # 1 where they keep their direction in space: (loads,)
    used: IntArray  # 1 where p_ik or τ_ik is not zero: (loads, 3, 3)
    force: Array  # F: (loads, 3)
    moment: Array  # M: (loads, 3)
    positions: Array  # (loads, 3, 3)
    rows: Array  # of p: (loads, 3, 3, Mm)
    quadratic: Array  # of p: (loads, 3, 3, Mm, Mm)
    work_rows: Array  # of p + τ: (loads, 3, 3, Mm)
    work_quadratic: Array  # of p + τ: (loads, 3, 3, Mm, Mm)


class BeamTables(NamedTuple):
    """Geometrically exact beams between bodies, and loads along them."""

    bodies: IntArray  # that carry the ends: (beams, 2)
    places: Array  # of the sections at the ends in their bodies: (beams, 2, 3)
    quaternions: Array  # and their attitudes: (beams, 2, 4)
    lengths: Array  # (beams,)
    references: Array  # d₀: (beams, 6)
    flexibilities: Array  # F₀, (Γ, κ) by forces and moments: (beams, 6, 6)
    bending: Array  # C of twist and bends, of the section: (beams, 3, 3)
    damping: Array  # (beams, 6, 6)
    mass: Array  # for each length, about the axis: (beams, 6, 6)
    loaded: IntArray  # beam of each load: (loads,)
    laws: IntArray  # of their factors: (loads,)
    before: Array  # the factors before the start, NaN where they follow the state: (loads,)
    in_space: IntArray  # 1 where they keep their direction in space: (loads,)
    wrenches: Array  # force and moment for each length, in space or as the first section lies at rest: (loads, 6)
    arms: Array  # from the section to where the force acts, in axes of the section: (loads, 3)


class SignalTables(NamedTuple):
    """Signals as `multibody.signals` makes them; all numbers are those of tables."""

    kinds: IntArray  # (signals,)
    sources: IntArray  # coordinate, state, held value, law, force element, contact or reaction: (signals,)
    constants: Array  # of numbers and linear ones: (signals,)
    starts: IntArray  # of their inputs: (signals + 1,)
    inputs: IntArray  # earlier signals
    factors: Array  # of linear ones, one for each input
    derivatives: IntArray  # the signal that is the rate of each state: (states,)
    initial_states: Array  # (states,)
    initial_held: Array  # (held,)
    sample_starts: IntArray  # of groups that are sampled together: (groups + 1,)
    sampled_held: IntArray
    sampled_signals: IntArray
    events: IntArray  # signals whose passages through zero are looked for: (events,)
    event_directions: IntArray  # 1: growing, −1: falling, 0: both: (events,)
    reactions: IntArray  # first row, rows, 1 of a part of their wrench, 1 in the first frame: (reactions, 4)
    reaction_directions: Array  # of force and moment on the second body: (reactions, 6)
    jumps: IntArray  # kind, signal, first of two held values: (jumps, 3)


class ContactTables(NamedTuple):
    """Contacts between shapes on frames, as `model.contacts` has them."""

    pairs: IntArray  # numbers of the pairs of shapes in the core: (contacts,)
    laws: IntArray  # numbers of the laws of normal force: (contacts,)
    frictions: IntArray  # numbers of the models of friction: (contacts,)
    frames: IntArray  # (contacts, 2)
    places: Array  # (contacts, 2, 3)
    axes: Array  # (contacts, 2, 3, 3)
    sizes: Array  # radius and length: (contacts, 2, 2)
    constants: Array  # of normal force, friction and steps: (contacts, 13)
    closed: IntArray  # 1 where the curve is: (contacts,)
    curve_starts: IntArray  # (contacts + 1,)
    curves: Array  # parameter, point, second derivative: (points, 5)


class FieldTables(NamedTuple):
    """Accelerations of space on all mass that change with time."""

    accelerations: Array  # (fields, 3)
    laws: IntArray  # of their factors: (fields,)
    before: Array  # the factors before the start, NaN where they follow the state: (fields,)


class Tables(NamedTuple):
    """Everything the core reads beside the integrals of the bodies."""

    bodies: BodyTables
    frames: FrameTables
    rows: RowTables
    arguments: RowTables  # coordinates that rows and force elements follow
    coordinates: RowTables  # of the force elements
    measured: RowTables  # coordinates that signals read
    signals: SignalTables
    laws: LawTables
    forces: ForceTables
    beams: BeamTables
    contacts: ContactTables
    loads: LoadTables
    gravity: Array  # (3,)
    fields: FieldTables  # beside it
    size: int  # n
    scales: Array  # of the velocities u, as displacements: (n,)
    joined_damping: Array  # of deformations of different bodies on each other: (n, n), or none: (0, 0)
    slack: float  # regularisation of redundant rows, relative to A M⁻¹ Aᵀ


class Place(NamedTuple):
    """Positions and velocities that the equations are evaluated at."""

    positions: Array  # (bodies, 3)
    quaternions: Array  # (bodies, 4)
    deformation: Array  # (bodies, Mm)
    velocities: Array  # local: (bodies, 6 + Mm)
    angles: Array  # (bodies,)
    states: Array = _NONE  # of controllers: (states,); none are the initial ones
    held: Array = _NONE  # (held,)
    counted: Array = _NONE  # measured and leading coordinates, angles through all turns: (measured + leading,)
