"""The error of the theory of small deflections in a computed motion, estimated from its next order.

The strain energy V₄ of fourth order (`reduction.next_order`) stiffens a body by about ρ = 2 max V₄ / max V₂. A
stiffer body deflects less by as much, and vibrates faster: over a time T by a phase of ⅜ρ ω T, as the oscillator
of Duffing does. Where ρ (1 + ⅜ω T) is not small the motion is computed once more with the forces of V₄, and the
difference of the two is the estimate. It holds all that the dynamics of the system make of the error.
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
from flexframe.multibody.division.system import whole_name
from flexframe.multibody.integrators.sampled import some_samples
from flexframe.reduction.expansion import nodal_displacements
from flexframe.reduction.next_order import QuarticEnergy, quartic_energy

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
    energies = {name: _quartic_energy(run, part) for name, part in parts.items()}
    bounds = {name: _bound(run, parts[name], energy) for name, energy in energies.items()}
    worst = max(bounds, key=bounds.__getitem__)
    if bounds[worst] <= SMALL:
        return _described(system, parts[worst], TheoryError(bounds[worst], worst))
    bodies = tuple(replace(body, quartic=energies.get(body.name)) for body in system.bodies)
    stiffened = replace(system, bodies=bodies)
    kept = slice(None, None, -(-len(run.times) // _SAMPLES))
    times = run.times[kept]
    if len(times) < 2:
        kept, times = slice(None), run.times
    plain = some_samples(run, kept)
    ordinary = _ordinary(options)
    try:
        if ordinary is not options:  # an integrator with equations of its own, which do not know of V₄
            plain = run_segments(system, start, times, ordinary)[0]
        other = run_segments(stiffened, _started(stiffened, start, way), times, ordinary)[0]
    except AnalysisError:
        return _described(system, parts[worst], TheoryError(bounds[worst], worst))
    count = slice(min(len(plain.times), len(other.times)))
    plain, other = some_samples(plain, count), some_samples(other, count)
    divided = [name for name in elastic.bodies if name not in parts and name not in elastic.exact]
    found = [_difference(part, plain, other) for name, part in parts.items() if name in elastic.bodies]
    found += [_whole_difference(elastic, name, plain, other) for name in divided]
    most = max(found, key=lambda error: error.value)
    return _described(system, parts[system.system.pieces_of(most.body)[0]], most)


def _described(system: DynamicSystem, part: ElasticPart, error: TheoryError) -> TheoryError:
    """The estimate with the name that the description has for the body, and what could divide it."""
    name = whole_name(system.system, part.name)
    beam = all(is_beam(batch.family) for batch in part.discrete.batches)
    return replace(error, body=name, parts=len(system.system.pieces_of(name)), is_beam=beam)


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


def _bound(run: Simulation, part: ElasticPart, energy: QuarticEnergy) -> float:
    """ρ (1 + ⅜ω T), ω² the mean square of rates over that of deformations."""
    system = run.system
    number = system.number(part.name)
    delta = run.deformations[:, system.elastic(number)]
    first = int(system.rigid_starts[number]) + (3 if system.planar else 6)
    rates = run.velocities[:, first : first + delta.shape[1]]
    mass, stiffness = part.reduced.elastic_mass, part.reduced.stiffness
    stored = 0.5 * float(np.einsum("tr,rs,ts->t", delta, stiffness, delta, optimize=True).max())
    if not stored > 0:
        return 0.0
    square = np.einsum("tr,rs,ts->", delta, mass, delta, optimize=True)
    fast = np.sqrt(np.einsum("tr,rs,ts->", rates, mass, rates, optimize=True) / square)
    ratio = 2 * float(np.abs(energy.value(delta)).max()) / stored
    return ratio * (1 + 0.375 * float(fast) * float(run.times[-1] - run.times[0]))


def _ordinary(options: SimulationOptions) -> SimulationOptions:
    """The same step or tolerance with an integrator of the ordinary equations."""
    if options.integrator in _ORDINARY:
        return options
    return replace(options, integrator=_ORDINARY[0] if options.equal_step is not None else _ORDINARY[1])


def _started(system: DynamicSystem, start: DynamicState, way: InitialDeformation) -> DynamicState:
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
