"""The response of a rotor to its unbalance over the speed: orbits, forces of bearings, amplification factors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import displacement_rows
from flexframe.analyses.frequency_response.amplification import Passage, passages
from flexframe.analyses.frequency_response.analysis import (
    MODES,
    TOLERANCE,
    Method,
    check_abscissa,
    excited_body,
    nodal_shapes,
    peak_samples,
    residual_notices,
    solve_samples,
    turning_loads,
)
from flexframe.analyses.frequency_response.balance import (
    BalancedRotor,
    BalanceTolerance,
    JournalVibration,
    RotorBalance,
    balanced_rotors,
    rotor_balance,
    vibrations,
)
from flexframe.analyses.frequency_response.record import FrequencyResponse, ResponseCurve, operating_samples
from flexframe.analyses.harmonics import require_own_axis
from flexframe.analyses.judging import judge
from flexframe.assembly.section_rotors import SectionBody, drawn_mesh
from flexframe.equations.coefficients import FREQUENCY, SPEED, Terms
from flexframe.equations.parts import STIFFNESS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.bearings import Bearing
from flexframe.sensors.contract import Sensor
from flexframe.spectra.rotation.bearings import Attachment, attachments, drawn_springs, require_known
from flexframe.spectra.rotation.ellipses import Ellipses
from flexframe.spectra.rotation.harmonic_loads import (
    Bow,
    SynchronousLoad,
    Unbalance,
    across,
    bow_vector,
    unbalance_vector,
)
from flexframe.spectra.rotation.harmonic_solution import DirectSolution, HarmonicProblem, ProjectedSolution, Sample
from flexframe.spectra.rotation.inertial_equations import inertial_equations
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model, turning_shaft
from flexframe.spectra.rotation.spinning_equations import spinning_equations


@judge
def unbalance_response(
    body: Rotor,
    speeds: ArrayLike,
    unbalance: Sequence[SynchronousLoad],
    sensors: Mapping[str, Sensor],
    *,
    axis: ArrayLike | None = None,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    operating_speeds: tuple[float, float] | None = None,
    balance: BalanceTolerance | None = None,
    method: Method = "auto",
    modes: int = MODES,
    tolerance: float = TOLERANCE,
) -> FrequencyResponse:
    """Orbits that an unbalance makes over speeds [rad/s], forces of bearings, and critical speeds that show.

    The force is at rest in the turning frame of its shaft and synchronous in space. A sensor shows the
    displacement across the axis as one complex number: the radius of the circular orbit, K(Ω) û = Ω² Σ m e, and
    its angle from e₁ (see `Unbalance`). In bearings that differ in two directions the orbits of a round shaft are
    ellipses; a sensor then shows two complex amplitudes in space, along e₁ and along e₂. Peaks of the curves have
    amplification factors, and margins against the operating speeds after API 617 (see `Passage`). In a train the
    speeds are those of the train, and all unbalances are on shafts of one speed. A bow acts at all speeds alike,
    K(Ω) û = K r with its shape r; a sensor shows the whole displacement, at the lowest speeds the bow itself.

    Parameters
    ----------
    body
        A rotor, described or discretised.
    speeds
        Speeds of rotation [rad/s].
    unbalance
        Masses times eccentricity [kg m] on nodes, and bows of the shaft.
    sensors
        Nodes to watch, by name.
    axis
        Axis of rotation in body components.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Bearings beside those of the body.
    operating_speeds
        Lowest and highest speed at which the machine works [rad/s].
    balance
        A balance quality grade that the unbalances are judged by at the highest operating speed, after
        ISO 21940-11; the vibration of the journals at the operating speeds then has its zone of ISO 7919-3.
    method, modes
        "direct", "modal" with this many modes, or "auto".
    tolerance
        Largest relative error of the modal method.

    Returns
    -------
    FrequencyResponse
        Complex amplitudes of the orbits [m] over the speeds, forces of bearings [N], critical speeds.

    Examples
    --------
    >>> shaft = ff.Body.beam(
    ...     "shaft",
    ...     length=0.6,
    ...     divisions=4,
    ...     section=ff.Circle(0.01),
    ...     material=ff.STEEL,
    ...     space="spatial",
    ...     supports=(ff.Fix("start", ("ux", "uy", "uz", "rx")), ff.Fix("end", ("uy", "uz", "rx"))),
    ... )
    >>> found = ff.unbalance_response(
    ...     shaft,
    ...     [10.0, 100.0],
    ...     [ff.rotors.Unbalance((0.3, 0, 0), 1e-4)],
    ...     {"middle": ff.sensors.DofSensor((0.3, 0, 0))},
    ...     axis=(1, 0, 0),
    ... )
    >>> abs(found.curves["middle"].amplitude).shape
    (2,)
    """
    model = rotor_model(body, bearings, axis)
    given = check_abscissa(speeds, "speeds")
    _require_order(operating_speeds)
    if balance is not None and operating_speeds is None:
        raise InputError("the balance is that at a speed of service; give the operating speeds", field="balance")
    model.discrete.require_freedom()
    is_section = isinstance(model.discrete, SectionBody)
    if is_section:
        require_own_axis(model.discrete.body, model.axis, "axis")
    known = require_known(model.bearings, given)
    rows = np.array(list(displacement_rows("an unbalance response", model.discrete, sensors).values()))
    if not unbalance:
        raise InputError("neither an unbalance nor a bow is given; give at least one", field="loads")
    round_orbits = model.one_speed and all(bearing.isotropic for bearing in model.bearings)
    whirl = (_circles if round_orbits else _ellipses)(model, terms, given, unbalance)
    rotors = [] if balance is None else balanced_rotors(model, balance)
    solution = solve_samples(whirl.problem, method, modes, tolerance)
    answers = [solution.displacements(k) for k in range(len(given))]
    seen = whirl.amplitudes(rows, answers)  # (speeds, sensors, e₁ and e₂)
    orbits = {name: Ellipses(seen[:, k, 0], seen[:, k, 1]) for k, name in enumerate(sensors)}
    columns = _columns(tuple(sensors), elliptic=whirl.elliptic)
    curves = {name: ResponseCurve("m", seen[:, k, side]) for name, k, side in columns}
    values = np.stack([curve.values for curve in curves.values()], axis=1)
    found: list[Passage] = []
    for number, (name, place, side) in enumerate(columns):

        def amplitude(speed: float, place: int = place, side: int = side) -> float:
            answer = solution.answer(whirl.sample(speed))
            return float(np.abs(whirl.amplitudes(rows[[place]], [answer])[0, 0, side]))

        sizes = np.abs(values[:, number])
        found += passages(name, amplitude, given, sizes, operating_speeds, damped=whirl.damped)
    snapshots = np.union1d(peak_samples(values), operating_samples(given, operating_speeds)).astype(np.int64)
    what = " and ".join(sorted({"bow" if isinstance(load, Bow) else "unbalance" for load in unbalance}))
    return FrequencyResponse(
        body=model.discrete.body.name,
        mesh=drawn_mesh(model.discrete),
        model=None if is_section else excited_body(model.discrete.body, ()),
        bearings=drawn_springs(model.discrete, model.bearings, model.axis),
        turning=()
        if is_section
        else turning_loads([load for load in unbalance if isinstance(load, Unbalance)], model.axis),
        over="speed",
        abscissa=given,
        excitation=f"{what}, synchronous in space; bearings differ in two directions"
        if whirl.elliptic
        else f"{what}, at rest in the turning frame and synchronous in space",
        curves=curves,
        snapshots=snapshots,
        shapes=nodal_shapes(model.discrete, solution, snapshots),
        frame="inertial" if whirl.elliptic else "rotating",
        speed_rad_s=None,
        terms=whirl.problem.equations.terms,
        method=solution.method,
        error=solution.error,
        notices=(
            *residual_notices(solution, tolerance),
            *known,
            *_balance_notices(rotors, unbalance, found, operating_speeds),
        ),
        orbits=orbits,
        bearing_forces=_bearing_forces(whirl, given, answers),
        passages=tuple(found),
        operating_speeds=operating_speeds,
        balance=tuple(_balances(whirl, rotors, unbalance, balance, operating_speeds)),
        vibrations=tuple(_service_vibrations(whirl, rotors, solution, given, operating_speeds)),
    )


@dataclass(frozen=True, eq=False)
class _Whirl:
    """Synchronous motion of a rotor: what is solved, and how its answers are seen in space."""

    model: RotorModel
    problem: HarmonicProblem
    sample: Callable[[float], Sample]  # what is solved at a speed of the rotor [rad/s]
    elliptic: bool
    damped: bool
    ratio: float = 1.0  # of the speed of the unbalanced shaft to that of the rotor

    def amplitudes(self, rows: Array, answers: Sequence[ComplexArray]) -> ComplexArray:
        """Amplitudes along e₁ and e₂ of space of displacements rows·δ in body axes: (answers, places, 2)."""
        expand = self.model.discrete.supports.expand
        moved = np.array([rows @ expand(answer) for answer in answers], dtype=complex)
        return self.in_space(np.asarray(moved @ np.array(across(self.model.axis)).T, dtype=complex))

    def in_space(self, pairs: ComplexArray) -> ComplexArray:
        """Amplitudes in space of pairs along e₁ and e₂: (..., 2).

        At rest in the turning frame, r = a₁ + ia₂ is a circle x̂ = r, ŷ = −ir.
        """
        if self.elliptic:
            return pairs
        radius = pairs[..., 0].real + 1j * pairs[..., 1].real
        return np.stack([radius, -1j * radius], axis=-1)


def _forces(model: RotorModel, loads: Sequence[SynchronousLoad]) -> tuple[Array, Array]:
    """Of unbalances at unit speed and of bows, as far as there are any: (p, k), and powers of the speed: (k,)."""
    unbalances = [load for load in loads if isinstance(load, Unbalance)]
    bows = [load for load in loads if isinstance(load, Bow)]
    columns, powers = [], []
    if unbalances:
        columns.append(unbalance_vector(model.discrete, unbalances, model.axis))
        powers.append(2)
    if bows:
        if len(model.members) > 1:
            raise InputError(
                "a bow is that of one shaft, and the rotor is a train of several; name the body of the shaft",
                field="loads",
            )
        (member,) = model.members
        columns.append(np.zeros(model.discrete.dofs.count))
        columns[-1][member.numbers] = bow_vector(member.discrete, bows, model.axis)
        powers.append(0)
    return np.column_stack(columns), np.array(powers)


def _circles(model: RotorModel, terms: Terms | None, speeds: Array, loads: Sequence[SynchronousLoad]) -> _Whirl:
    """K(Ω)û = Ω²f + b in the turning frame, where bearings are alike in all directions."""
    discrete = model.discrete
    equations = spinning_equations(model, terms=terms).merge({FREQUENCY: (1j, SPEED)})
    forces, powers = _forces(model, loads)

    def sample(speed: float) -> Sample:
        return Sample(0.0, speed, tuple(speed**powers))

    problem = HarmonicProblem(
        replace(equations, parts=equations.of_order(STIFFNESS)),
        discrete.supports.reduce_vector(forces),
        [sample(float(speed)) for speed in speeds],
        equations.constant_stiffness,
        equations.constant_mass,
    )
    return _Whirl(model, problem, sample, elliptic=False, damped=not equations.conservative)


def _ellipses(model: RotorModel, terms: Terms | None, speeds: Array, loads: Sequence[SynchronousLoad]) -> _Whirl:
    """P(iω, Ω)ŵ = ω²(f₁ ∓ if₂) + b₁ ∓ ib₂ in axes of space, ω = |r|Ω: Re(ŵe^{iωt}).

    f of unbalances, b of bows; f₂ and b₂ are a quarter of a turn ahead. The upper sign holds for a shaft that
    turns as the rotor does, r > 0.
    """
    discrete, ratio = model.discrete, _ratio(model, [load for load in loads if isinstance(load, Unbalance)])
    equations = inertial_equations(model, terms=terms).merge({FREQUENCY: (1j * abs(ratio), SPEED)})
    forces, powers = _forces(model, loads)
    ahead, _ = _forces(model, [replace(each, angle=each.angle + np.pi / 2) for each in loads])

    def sample(speed: float) -> Sample:
        own, turn = abs(ratio) * speed, -1j * np.sign(ratio)
        return Sample(1j * own, speed, (*own**powers, *(turn * own**powers)))

    problem = HarmonicProblem(
        equations,
        discrete.supports.reduce_vector(np.hstack([forces, ahead])),
        [sample(float(speed)) for speed in speeds],
        equations.constant_stiffness,
        equations.constant_mass,
    )
    return _Whirl(model, problem, sample, elliptic=True, damped=not equations.conservative, ratio=ratio)


def _ratio(model: RotorModel, unbalance: Sequence[Unbalance]) -> float:
    """Speed of the unbalanced shafts over that of the rotor: one for all, since each excites at its own speed."""
    ratios = [turning_shaft(model, each, number) for number, each in enumerate(unbalance)]
    if len(set(ratios)) > 1:
        raise InputError(
            "unbalances are on shafts of different speeds, each of which excites at its own; give them in two "
            "analyses, or a run-up, which takes all of them",
            field="loads",
        )
    return ratios[0] if ratios else 1.0


def _columns(sensors: Sequence[str], *, elliptic: bool) -> list[tuple[str, int, int]]:
    """Names of the curves, and the number of the sensor and the direction of each."""
    if not elliptic:
        return [(name, k, 0) for k, name in enumerate(sensors)]
    return [(f"{name} along e{side + 1}", k, side) for k, name in enumerate(sensors) for side in (0, 1)]


def _bearing_motions(whirl: _Whirl, answers: Sequence[ComplexArray]) -> Iterator[tuple[Attachment, ComplexArray]]:
    """Of each bearing the motion q̂ that it sees in space, the sum over its nodes: (answers, 4)."""
    full = np.array([whirl.model.discrete.supports.expand(answer) for answer in answers])
    for attached in attachments(whirl.model.discrete, whirl.model.bearings, whirl.model.axis):
        moved = np.array([np.asarray(full @ basis) for basis in attached.bases]).sum(axis=0)
        yield attached, whirl.in_space(moved.reshape(len(answers), 2, 2)).reshape(len(answers), 4)


def _bearing_forces(whirl: _Whirl, speeds: Array, answers: Sequence[ComplexArray]) -> dict[str, Ellipses]:
    """(K + iωC − ω²M)q̂ that each bearing passes on to what holds it, by its name.

    A pedestal passes on (K + iωC)q̂ to the ground; its mass is its own.
    """
    model, out = whirl.model, {}
    for attached, pairs in _bearing_motions(whirl, answers):
        stands = model.is_pedestal(attached.bearing)
        forces = np.zeros((len(speeds), 2), dtype=complex)
        for k, speed in enumerate(speeds):
            frequency = abs(whirl.ratio) * float(speed)
            found = attached.bearing.at(float(speed), frequency)
            if stands:
                found = replace(found, mass=np.zeros((4, 4)))
            forces[k] = (found.dynamic_stiffness(1j * frequency) @ pairs[k])[:2]
        out[attached.name] = Ellipses(forces[:, 0], forces[:, 1], "N")
    return out


def _balances(
    whirl: _Whirl,
    rotors: Sequence[BalancedRotor],
    loads: Sequence[SynchronousLoad],
    balance: BalanceTolerance | None,
    operating: tuple[float, float] | None,
) -> Iterator[RotorBalance]:
    """Tolerances and residual unbalances of each rotor at the highest operating speed."""
    if balance is not None and operating is not None:
        given = [load for load in loads if isinstance(load, Unbalance)]
        yield from (rotor_balance(whirl.model, rotor, given, balance.grade, operating[1]) for rotor in rotors)


def _service_vibrations(
    whirl: _Whirl,
    rotors: Sequence[BalancedRotor],
    solution: DirectSolution | ProjectedSolution,
    speeds: Array,
    operating: tuple[float, float] | None,
) -> Iterator[JournalVibration]:
    """Of the journals at the samples between the operating speeds and at these, as far as the speeds reach."""
    if not rotors or operating is None:
        return
    low, high = max(operating[0], speeds.min()), min(operating[1], speeds.max())
    if low > high:
        return
    service = np.unique([low, *speeds[(speeds > low) & (speeds < high)], high])
    answers = [solution.answer(whirl.sample(float(speed))) for speed in service]
    moved = [Ellipses(pairs[:, 0], pairs[:, 1]).major for _, pairs in _bearing_motions(whirl, answers)]
    yield from vibrations(rotors, whirl.ratio, service, moved)


def _require_order(operating: tuple[float, float] | None) -> None:
    if operating is not None and not (len(operating) == 2 and 0 < operating[0] <= operating[1] < np.inf):
        raise InputError(
            f"the operating speeds are {operating}; give the lowest and the highest one in rad/s",
            field="operating_speeds",
        )


def _balance_notices(
    rotors: Sequence[BalancedRotor],
    loads: Sequence[SynchronousLoad],
    found: Sequence[Passage],
    operating: tuple[float, float] | None,
) -> Iterator[str]:
    """What the verdict on the balance leaves out."""
    if not rotors or operating is None:
        return
    if any(isinstance(load, Bow) for load in loads):
        yield "a bow is no unbalance of ISO 21940-11: its planes have that of the unbalances alone"
    if any(passage.speed_rad_s <= operating[1] for passage in found):
        yield (
            "the shaft passes a critical speed on its way to the highest operating speed; ISO 21940-11 is for "
            "rotors that behave as rigid, and ISO 21940-12 has more to ask of one that bends there"
        )
