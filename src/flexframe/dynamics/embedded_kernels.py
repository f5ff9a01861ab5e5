"""The pair of Dormand & Prince (1980) of orders 5 and 4 in a compiled loop, on the coordinates of each step.

Within a step positions are (d, θ, dδ) from its start: r + R d, R exp θ̃, δ + dδ, so that

    ḋ = (exp θ̃) v,   θ̇ = T(θ)⁻¹ ω = ω + ½ θ × ω + c θ × (θ × ω) .

Accelerations solve the equations with multipliers; after a step the state is put on the constraints. Between the
ends of a step the interpolation of fourth order of the pair serves (Hairer, Nørsett & Wanner 1993, II.6).
"""

from math import isfinite
from typing import Any

import numpy as np

from flexframe.dynamics.compiling import entry, inner
from flexframe.dynamics.copying_kernels import copy1, copy_place
from flexframe.dynamics.equation_kernels import accelerations
from flexframe.dynamics.measure_kernels import deflection
from flexframe.dynamics.projection_kernels import CLOSED, project, set_velocities, speed
from flexframe.dynamics.sampling_kernels import keep_step, take_sample
from flexframe.dynamics.stopping import DONE, NO_INERTIA, NOT_FINITE, RUNNING, TOO_BENT, TOO_SMALL
from flexframe.dynamics.vector_kernels import cross, turn_quaternion, turn_ratios, turned

STEPS, REJECTED, EVALUATIONS = range(3)

NODES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
STAGES = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
ERRORS = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
DENSE = np.array(
    [
        -12715105075 / 11282082432,
        0,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
    ]
)


@inner
def _cotangent(x: float) -> float:
    """c = (1 − (φ/2) cot(φ/2))/φ² for x = φ²; steps turn by less than a radian or two."""
    if x < 0.25:
        return 1 / 12 + x * (1 / 720 + x * (1 / 30240 + x * (1 / 1209600 + x * (1 / 47900160))))
    a, _, _, _, s = turn_ratios(x)
    return (1.0 - 0.5 * s / a) / x


@inner
def _move(tables: Any, before: Any, step: Any, after: Any, work: Any) -> None:
    """Positions at (d, θ, dδ) from the start of the step; work.rotations are those of its start."""
    bodies = tables.bodies
    for b in range(len(bodies.sizes)):
        numbers = bodies.numbers[b]
        for i in range(6):
            work.load[i] = step[numbers[i]] if numbers[i] >= 0 else 0.0
        q = before.quaternions[b]
        # q d q*
        v, d = (q[1], q[2], q[3]), (work.load[0], work.load[1], work.load[2])
        lean = cross(v, d)
        lean = cross(v, (lean[0] + q[0] * d[0], lean[1] + q[0] * d[1], lean[2] + q[0] * d[2]))
        for i in range(3):
            after.positions[b, i] = before.positions[b, i] + d[i] + 2.0 * lean[i]
        turn_quaternion(q, (work.load[3], work.load[4], work.load[5]), after.quaternions[b])
        after.angles[b] = before.angles[b] + work.load[5]
        for r in range(bodies.sizes[b]):
            after.deformation[b, r] = before.deformation[b, r] + step[numbers[6 + r]]


@inner
def _chart_rates(tables: Any, run: Any, step: Any, out: Any, work: Any) -> None:
    """ḋ, θ̇ and dδ/dt of the stage in `run.after`, whose rotations are in `work`."""
    bodies = tables.bodies
    for b in range(len(bodies.sizes)):
        numbers, u = bodies.numbers[b], run.after.velocities[b]
        q = run.before.quaternions[b]
        v = turned(work.rotations[b], (u[0], u[1], u[2]))
        # back into the axes of the start: q* v q
        axis = (-q[1], -q[2], -q[3])
        lean = cross(axis, v)
        lean = cross(axis, (lean[0] + q[0] * v[0], lean[1] + q[0] * v[1], lean[2] + q[0] * v[2]))
        t = (
            step[numbers[3]] if numbers[3] >= 0 else 0.0,
            step[numbers[4]] if numbers[4] >= 0 else 0.0,
            step[numbers[5]] if numbers[5] >= 0 else 0.0,
        )
        w = (u[3], u[4], u[5])
        once = cross(t, w)
        twice = cross(t, once)
        c = _cotangent(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
        for i in range(3):
            if numbers[i] >= 0:
                out[numbers[i]] = v[i] + 2.0 * lean[i]
            if numbers[3 + i] >= 0:
                out[numbers[3 + i]] = w[i] + 0.5 * once[i] + c * twice[i]
        for r in range(bodies.sizes[b]):
            out[numbers[6 + r]] = u[6 + r]


@inner
def _combine(k: Any, weights: Any, count: int, factor: float, out: Any) -> None:
    for i in range(k.shape[1]):
        total = 0.0
        for j in range(count):
            total += weights[j] * k[j, i]
        out[i] = factor * total


@inner
def _dense(start: Any, k: Any, ends: Any, step: float, part: float, out: Any) -> None:  # noqa: PLR0917
    """Values at the fraction `part` of a step; `ends` is the change over the step."""
    for i in range(k.shape[1]):
        late = 0.0
        for j in range(7):
            late += DENSE[j] * k[j, i]
        change = ends[i]
        bend = step * k[0, i] - change
        tail = change - step * k[6, i] - bend
        out[i] = start[i] + part * (change + (1.0 - part) * (bend + part * (tail + (1.0 - part) * step * late)))


@inner
def _keep_steps(tables: Any, run: Any, time: float, step: float, steps: Any, when: Any, work: Any) -> None:  # noqa: PLR0917
    """The end of an accepted step, as its last stage has it, and its middle."""
    k = run.kept[0]
    for i in range(3):
        run.middle_works[i] = run.works[i] + run.gained[i]
    keep_step(tables, run.after, run.u_next, run.ku[6], run.lam, run.middle_works, steps, k, work)
    when[k] = time + step
    _dense(work.nothing, run.kq, run.step, step, 0.5, run.middle_step)
    for i in range(tables.size):
        run.change[i] = run.u_next[i] - run.u[i]
    _dense(run.u, run.ku, run.change, step, 0.5, run.middle_u)
    _dense(run.works, run.kw, run.gained, step, 0.5, run.middle_works)
    _move(tables, run.before, run.middle_step, run.middle, work)
    set_velocities(tables, run.middle_u, run.middle)
    when[k + 1] = time + 0.5 * step
    accelerations(tables, run.middle, when[k + 1], run.middle_step, run.lam, work)
    keep_step(tables, run.middle, run.middle_u, run.middle_step, run.lam, run.middle_works, steps, k + 1, work)
    run.kept[0] = k + 2


@entry
def run_embedded(  # noqa: PLR0911, PLR0912, PLR0915, PLR0917
    tables: Any,
    run: Any,
    times: Any,
    taken: int,
    tolerance: float,
    limit: float,
    most: int,
    samples: Any,
    steps: Any,
    when: Any,
    work: Any,
) -> Any:
    """Steps with error control until all samples are taken, or `most` steps are done.

    `steps` and their times `when` have room for two states of each step, or none where these are not asked for.
    """
    n = tables.size
    spares = (run.spare, run.other, run.spare_u)
    if taken == 0 and run.fresh[0] == 0:  # a run that is continued: its first sample is where it was left
        if not take_sample(tables, run.between, run.dense_u, run.dense_works, times[0], spares, samples, 0, work):
            return NO_INERTIA, taken, times[0], -1
        taken = 1
    for _ in range(most):
        step, time = run.clock[1], run.clock[0]
        if taken == len(times):
            return DONE, taken, times[taken - 1], -1
        if step < 1e-13 * max(abs(time), 1e-9):
            return TOO_SMALL, taken, time, -1
        for stage in range(7):
            if stage == 0 and run.fresh[0] == 0:
                # the chart of the new step: only u̇ is known from the last one
                copy1(run.first, run.ku[0])
                for i in range(n):
                    run.kq[0, i] = run.u[i]
                copy1(run.power, run.kw[0])
                continue
            _combine(run.kq, STAGES[stage], stage, step, run.step)
            _combine(run.ku, STAGES[stage], stage, step, run.u_next)
            for i in range(n):
                run.u_next[i] += run.u[i]
            _move(tables, run.before, run.step, run.after, work)
            set_velocities(tables, run.u_next, run.after)
            if not accelerations(tables, run.after, time + NODES[stage] * step, run.ku[stage], run.lam, work):
                return NO_INERTIA, taken, time, -1
            run.counts[EVALUATIONS] += 1
            _chart_rates(tables, run, run.step, run.kq[stage], work)
            copy1(work.powers, run.kw[stage])
        # error of positions and velocities, in lengths of the system and radians
        run.top[0] = max(run.top[0], speed(tables, run.u_next))
        error = 0.0
        for i in range(n):
            off, slip = 0.0, 0.0
            for j in range(7):
                off += ERRORS[j] * run.kq[j, i]
                slip += ERRORS[j] * run.ku[j, i]
            error = max(error, abs(off) * step / tables.scales[i])
            error = max(error, abs(slip) * step / tables.scales[i] / max(1.0, run.top[0]))
            if not isfinite(off + slip):
                error = np.inf
        error /= tolerance
        factor = 5.0 if error < 1e-4 else (0.9 * error**-0.2 if isfinite(error) else 0.1)
        factor = min(5.0, max(0.1, factor))
        if not error <= 1.0:
            run.counts[REJECTED] += 1
            run.clock[1] = step * min(factor, 0.9)
            run.fresh[0] = 0
            copy1(run.ku[0], run.first)
            copy1(run.kw[0], run.power)
            continue
        run.counts[STEPS] += 1
        _combine(run.kw, STAGES[6], 6, step, run.gained)
        if len(when):
            _keep_steps(tables, run, time, step, steps, when, work)
        # samples inside the step
        while taken < len(times) and times[taken] <= time + step:
            part = (times[taken] - time) / step
            _dense(work.nothing, run.kq, run.step, step, part, run.dense_step)
            for i in range(n):
                run.change[i] = run.u_next[i] - run.u[i]
            _dense(run.u, run.ku, run.change, step, part, run.dense_u)
            _dense(run.works, run.kw, run.gained, step, part, run.dense_works)
            _move(tables, run.before, run.dense_step, run.between, work)
            set_velocities(tables, run.dense_u, run.between)
            bent, body = deflection(tables, run.between)
            if not bent <= limit:
                return (TOO_BENT if isfinite(bent) else NOT_FINITE), taken, times[taken], body
            if not take_sample(
                tables, run.between, run.dense_u, run.dense_works, times[taken], spares, samples, taken, work
            ):
                return NO_INERTIA, taken, times[taken], -1
            taken += 1
        if taken == len(times):
            # the step that holds the last sample is repeated by whoever goes on
            copy1(run.ku[0], run.first)
            copy1(run.kw[0], run.power)
            run.fresh[0] = 0
            return DONE, taken, times[taken - 1], -1
        bent, body = deflection(tables, run.after)
        if not bent <= limit:
            return (TOO_BENT if isfinite(bent) else NOT_FINITE), taken, time + step, body
        run.clock[0] = time + step
        run.clock[1] = step * factor
        copy1(run.ku[6], run.first)
        copy1(run.kw[6], run.power)
        run.fresh[0] = 0
        for i in range(3):
            run.works[i] += run.gained[i]
        copy1(run.u_next, run.u)
        copy_place(run.after, run.before)
        if not project(tables, run.before, time + step, run.u, run.spare, CLOSED, work):
            return NO_INERTIA, taken, time + step, -1
    return RUNNING, taken, run.clock[0], -1
