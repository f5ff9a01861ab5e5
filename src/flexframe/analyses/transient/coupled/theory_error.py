"""The error of the theory of small deflections in a computed motion, estimated from its next order.

The strain energy V₄ of fourth order (`reduction.next_order`) stiffens a body by about ρ = 2 max V₄ / max V₂. A
stiffer body deflects less by as much, and vibrates faster: over a time T by a phase of ⅜ρ ω T, as the oscillator
of Duffing does. Where ρ (1 + ⅜ω T) is not small the motion is computed once more with the forces of V₄, and the
difference of the two is the estimate. It holds all that the dynamics of the system make of the error.

A body with equations of third order has V₄; what it lacks is taken as V₆ = ∫ U θ⁴ in the same way, without another
motion.
"""

from dataclasses import replace

import numpy as np

from flexframe.analyses.transient.coupled.division import ElasticSystem
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.segments import run_segments
from flexframe.analyses.transient.coupled.starts import motion_start
from flexframe.analyses.transient.theory_error import TheoryError
from flexframe.elements.contract import is_beam
from flexframe.errors import AnalysisError
from flexframe.model.system import InitialDeformation
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.integrators.recording import some_samples
from flexframe.reduction.expansion import nodal_displacements
from flexframe.reduction.next_order import quartic_energy, sixth_order_energy
from flexframe.reduction.reduced_body import QuarticEnergy

SMALL = 2.5e-3
"""Bound of the error up to which it is stated as it is."""

_SOFTEST = 1e-14  # part of the largest stiffness of a coordinate below which it is none
_SMALLEST = 1e-3  # part of the largest amplitude, by energy, below which a combination of coordinates is left out
_MOST = 12  # combinations
_SAMPLES = 500  # at which two motions are compared
_ORDINARY = ("generalised_alpha", "dormand_prince", "dormand_prince_853", "radau")


def theory_error(
    run: Simulation,
    elastic: ElasticSystem,
    options: SimulationOptions,
    start: DynamicState,
    way: InitialDeformation,
) -> TheoryError:
    """The estimate for a motion that began at `start`, found in the way that is named."""
    parts = elastic.parts
    if not parts or len(run.times) < 2 or not np.isfinite(run.deformations).all():
        return TheoryError()
    system = run.system
    plain = {name: part for name, part in parts.items() if part.reduced.next_order is None}
    energies = {name: _quartic_energy(run, part) for name, part in plain.items()}
    bounds = {name: _error_factor(run, parts[name], energy) for name, energy in energies.items()}
    thirds = {name: _bound_of_third(run, part) for name, part in parts.items() if name not in plain}
    worst = max(bounds | thirds, key=(bounds | thirds).__getitem__)
    if max(bounds.values(), default=0.0) <= SMALL:
        return _describe(system, parts[worst], TheoryError((bounds | thirds)[worst], worst))
    refined = _refine(run, elastic, energies, options=options, start=start, way=way)
    if refined is None or refined.value < max(thirds.values(), default=0.0):
        return _describe(system, parts[worst], TheoryError((bounds | thirds)[worst], worst))
    return refined


def _refine(
    run: Simulation,
    elastic: ElasticSystem,
    energies: dict[str, QuarticEnergy],
    *,
    options: SimulationOptions,
    start: DynamicState,
    way: InitialDeformation,
) -> TheoryError | None:
    """The difference of the motion and that with the forces of V₄, None where that does not come to an end."""
    system, parts = run.system, elastic.parts
    bodies = tuple(replace(body, quartic=energies.get(body.name, body.quartic)) for body in system.bodies)
    frames = system.tables.frames
    # turns of sections follow from slopes by their sine, as V₄ has them
    tables = system.tables._replace(frames=frames._replace(by_sine=(frames.elastic > 0).astype(np.int64)))
    stiffened = replace(system, bodies=bodies, tables=tables)
    kept = slice(None, None, -(-len(run.times) // _SAMPLES))
    times = run.times[kept]
    if len(times) < 2:
        kept, times = slice(None), run.times
    before = some_samples(run, kept)
    ordinary = _ordinary(options)
    try:
        if ordinary is not options:  # an integrator with equations of its own, which do not know of V₄
            before = run_segments(system, start, times, ordinary)[0]
        other = run_segments(stiffened, _start(stiffened, start, way), times, ordinary)[0]
    except AnalysisError:
        return None
    count = slice(min(len(before.times), len(other.times)))
    before, after = some_samples(before, count), some_samples(other, count)
    divided = [name for name in elastic.bodies if name not in parts and name not in elastic.exact]
    found = [_difference(part, before, after) for name, part in parts.items() if name in elastic.bodies]
    found += [_whole_difference(elastic, name, before, after) for name in divided]
    most = max(found, key=lambda error: error.value)
    return _describe(system, parts[system.system.pieces_of(most.body)[0]], most)


def _describe(system: DynamicSystem, part: ElasticPart, error: TheoryError) -> TheoryError:
    """The estimate with the name that the description has for the body, and what could divide it."""
    name = whole_name(system.system, part.name)
    beam = all(is_beam(batch.family) for batch in part.discrete.batches)
    order = 2 if part.reduced.next_order is None else 3
    return replace(error, body=name, parts=len(system.system.pieces_of(name)), is_beam=beam, order=order)


def _quartic_energy(run: Simulation, part: ElasticPart) -> QuarticEnergy:
    """V₄ of the few combinations of coordinates that hold the strain energy of the motion.

    A form of fourth degree in all coordinates of a body with many interfaces would be large for nothing.
    """
    delta = run.deformations[:, run.system.elastic(run.system.number(part.name))]
    kappa, directions = np.linalg.eigh(part.reduced.stiffness)
    held = kappa > _SOFTEST * kappa.max(initial=0.0)
    roots, directions = np.sqrt(kappa[held]), directions[:, held]
    _, sizes, shapes = np.linalg.svd((delta @ directions) * roots, full_matrices=False)
    shapes = shapes[sizes > _SMALLEST * sizes.max(initial=0.0)][:_MOST]
    found = quartic_energy(part.discrete, part.reduced.basis.vectors @ (directions / roots @ shapes.T))
    amounts = shapes * roots @ directions.T  # of the combinations in δ: (k, m)
    return replace(found, forms=np.einsum("ar,jab,bt->jrt", amounts, found.forms, amounts, optimize=True))


def _error_factor(run: Simulation, part: ElasticPart, energy: QuarticEnergy) -> float:
    """ρ (1 + ⅜ω T), ω² the mean square of rates over that of deformations."""
    system = run.system
    number = system.number(part.name)
    delta = run.deformations[:, system.elastic(number)]
    stored, turned = _stored_and_turned(run, part)
    return 2 * float(np.abs(energy.value(delta)).max()) / stored * (1 + 0.375 * turned) if stored > 0 else 0.0


def _bound_of_third(run: Simulation, part: ElasticPart) -> float:
    """3 max V₆ / max V₂ (1 + 5/16 ω T) of a body that has V₄: the force of an oscillator has a fifth power."""
    delta = run.deformations[:, run.system.elastic(run.system.number(part.name))]
    some = delta[:: -(-len(delta) // _SAMPLES)]
    stored, turned = _stored_and_turned(run, part)
    left_out = float(sixth_order_energy(part.discrete, part.reduced.basis.vectors, some).max())
    return 3 * left_out / stored * (1 + 0.3125 * turned) if stored > 0 else 0.0


def _stored_and_turned(run: Simulation, part: ElasticPart) -> tuple[float, float]:
    """max V₂ [J], and ω T [rad]."""
    system = run.system
    number = system.number(part.name)
    delta = run.deformations[:, system.elastic(number)]
    first = int(system.rigid_starts[number]) + (3 if system.planar else 6)
    rates = run.velocities[:, first : first + delta.shape[1]]
    mass, stiffness = part.reduced.elastic_mass, part.reduced.stiffness
    stored = 0.5 * float(np.einsum("tr,rs,ts->t", delta, stiffness, delta, optimize=True).max())
    square = float(np.einsum("tr,rs,ts->", delta, mass, delta, optimize=True))
    if not (stored > 0 and square > 0):
        return 0.0, 0.0
    fast = float(np.sqrt(np.einsum("tr,rs,ts->", rates, mass, rates, optimize=True) / square))
    return stored, fast * float(run.times[-1] - run.times[0])


def _ordinary(options: SimulationOptions) -> SimulationOptions:
    """The same step or tolerance with an integrator of the ordinary equations."""
    if options.integrator in _ORDINARY:
        return options
    return replace(options, integrator=_ORDINARY[0] if options.equal_step is not None else _ORDINARY[1])


def _start(system: DynamicSystem, start: DynamicState, way: InitialDeformation) -> DynamicState:
    """The start in the same way, in equilibrium with the forces of V₄, too."""
    try:
        return motion_start(system, way)[0]
    except AnalysisError:
        return start


def _difference(part: ElasticPart, plain: Simulation, other: Simulation) -> TheoryError:
    """The largest difference of nodal displacements, of the instant at which it is largest on average."""
    system = plain.system
    own = system.elastic(system.number(part.name))
    before, after = (run.deformations[:, own] for run in (plain, other))
    change, mass = after - before, part.reduced.elastic_mass
    at, most = (int(np.einsum("tr,rs,ts->t", d, mass, d).argmax()) for d in (change, before))
    moved = nodal_displacements(part.discrete, part.reduced.basis, np.stack([change[at], before[most]]))
    largest = np.linalg.norm(moved[:, : part.nodes, :3], axis=2).max(axis=1)
    return _relative(part.name, largest[0], largest[1], plain.times[at])


def _whole_difference(elastic: ElasticSystem, name: str, plain: Simulation, other: Simulation) -> TheoryError:
    """The same of a divided body, whose displacements are those of all its parts in one frame."""
    every = np.arange(len(plain.times))
    before, after = (
        elastic.shapes(Observed.of(run, elastic.parts), every)[name][..., :3] for run in (plain, other)
    )
    change, moved = (np.linalg.norm(field, axis=2).max(axis=1) for field in (after - before, before))
    at = int(change.argmax())
    return _relative(name, change[at], moved.max(), plain.times[at])


def _relative(body: str, change: float, largest: float, time: float) -> TheoryError:
    return TheoryError(float(change / largest) if largest > 0 else 0.0, body, float(time), is_bound=False)
