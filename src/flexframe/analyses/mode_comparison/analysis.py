"""Modes of several models of one thing, such as shells and solids, side by side."""

from collections.abc import Mapping

import numpy as np

from flexframe.analyses.judging import judge
from flexframe.analyses.mode_comparison.record import MatchedMode, ModeClass, ModeComparison
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.axisymmetric import harmonics_only
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.motion.frame import REST, FrameMotion
from flexframe.stages import begin_work, checking, only_checked


@judge
def mode_comparison(
    models: Mapping[str, Body | DiscreteBody],
    motion: FrameMotion = REST,
    *,
    terms: Terms | None = None,
    count: int = 10,
) -> ModeComparison:
    """Compute `count` modes of each model and pair them by motion, nodal diameters and direction of waves.

    Wheels: motion along the axis of rotation (z at rest) or across it. Other bodies: the axis that has most of the
    kinetic energy. Within a class the modes are paired in the order of their frequencies; a model too coarse for
    that order shows up with large differences.

    Parameters
    ----------
    models
        Two or more models of the same part, by name.
    motion
        Frozen motion of their frame; at rest if not given.
    terms
        Multipliers of the terms; all 1 if not given.
    count
        Number of modes of each model.

    Returns
    -------
    ModeComparison
        Pairs of modes with their frequencies [Hz] and relative differences.

    Examples
    --------
    >>> def blade(divisions):
    ...     return ff.Body.beam(
    ...         "blade",
    ...         length=1.2,
    ...         divisions=divisions,
    ...         section=ff.Rectangle(0.04, 0.01),
    ...         material=ff.STEEL,
    ...         supports=(ff.Clamp("start"),),
    ...     )
    >>> found = ff.mode_comparison({"coarse": blade(4), "fine": blade(16)}, count=2)
    >>> len(found.matched)
    2
    """
    if len(models) < 2:
        raise InputError(
            f"a comparison of {len(models)} model says nothing; name two bodies at least", field="bodies"
        )
    discrete = {name: ensure_discrete(body) for name, body in models.items()}
    for name, body in discrete.items():
        if body.body.axisymmetric:
            raise harmonics_only(name)
    terms = terms or Terms()
    if checking():
        for body in discrete.values():
            with only_checked():
                modes(body, motion, terms=terms, count=count)
    begin_work()
    found = {name: modes(body, motion, terms=terms, count=count) for name, body in discrete.items()}
    axis = int(np.argmax(np.abs(motion.angular_velocity))) if motion.speed else 2
    wheels = all(record.nodal_diameters is not None for record in found.values())
    classes = {name: _classes(record, axis, wheels) for name, record in found.items()}
    shapes = dict.fromkeys(shape for of_model in classes.values() for shape in of_model)
    matched = [mode for shape in shapes for mode in _pair(shape, found, classes)]
    matched.sort(key=lambda mode: min(f for f in mode.frequencies_hz if f is not None))
    first = next(iter(found.values()))
    return ModeComparison(
        models=found,
        matched=tuple(matched),
        unknowns=tuple(body.supports.size for body in discrete.values()),
        frame=first.frame,
        speed_rad_s=first.speed_rad_s,
        terms=terms,
        notices=tuple(f"{name}: {notice}" for name, record in found.items() for notice in record.notices),
    )


def _classes(record: Modes, axis: int, wheels: bool) -> list[ModeClass]:
    """The class of each mode."""
    shares = record.direction_shares
    assert shares is not None
    out = []
    for k, label in enumerate(record.labels):
        diameters = record.nodal_diameters[k] if wheels and record.nodal_diameters is not None else None
        whirl = record.whirl[k] if wheels and record.whirl is not None else ""
        if "rigid" in label:
            out.append(ModeClass("rigid", None, ""))
        elif wheels:
            out.append(ModeClass("across" if shares[k, axis] > 0.5 else "in plane", diameters, whirl))
        else:
            out.append(ModeClass("xyz"[int(np.argmax(shares[k]))], None, ""))
    return out


def _pair(
    shape: ModeClass, found: Mapping[str, Modes], classes: Mapping[str, list[ModeClass]]
) -> list[MatchedMode]:
    """The modes of one class of all models, the first with the first and so on."""
    numbers = {
        name: [k for k, other in enumerate(of_model) if other == shape] for name, of_model in classes.items()
    }
    out = []
    for order in range(max(len(own) for own in numbers.values())):
        chosen = tuple(own[order] if order < len(own) else None for own in numbers.values())
        frequencies = tuple(
            None if k is None else float(record.frequencies_hz[k])
            for k, record in zip(chosen, found.values(), strict=True)
        )
        out.append(MatchedMode(shape, order + 1, chosen, frequencies))
    return out
