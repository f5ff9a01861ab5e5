"""Parts written to files of other programs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.errors import InputError
from flexframe.exchange.bodies import part_body
from flexframe.exchange.body_parts import body_part
from flexframe.exchange.contract import CONTENTS, Content, Format, Part
from flexframe.exchange.formats import writing_formats
from flexframe.exchange.units import SI, parse_units
from flexframe.model.body import Body
from flexframe.reduction.reduced_body import ReducedBody


def write_part(
    part: Part | Body | DiscreteBody | ReducedBody, path: str | Path, *, units: str | None = None
) -> tuple[str, ...]:
    """Write a part or a body; the ending says the format, an earlier file is replaced when the new one is whole.

    Parameters
    ----------
    part
        What to write: a part, or a body, described, discretised or reduced.
    path
        The file; its ending says the format.
    units
        What the file is to be in, such as "mm, N, s, tonne"; SI without it.

    Returns
    -------
    tuple of str
        What has no place in the format and was left out, in sentences.

    Examples
    --------
    >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    >>> ff.exchange.write_part(block, "block.cdb", units="mm, N, s, tonne")
    ()
    """
    place = Path(path)
    made = part if isinstance(part, Part) else body_part(part)
    form, made = _fitting(place, made)
    assert form.write is not None
    unfinished = place.with_name(f".{place.stem}.part{place.suffix}")
    write: Callable[..., tuple[str, ...]] = form.write
    try:
        notices = write(made, unfinished, SI if units is None else parse_units(units))
        unfinished.replace(place)
    except InputError as error:
        told = str(error).replace(str(unfinished), str(place)).replace(unfinished.name, place.name)
        raise InputError(told) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{place}: cannot be written ({reason}); choose another place") from error
    finally:
        unfinished.unlink(missing_ok=True)
    own = () if isinstance(part, Part) else made.notices
    return tuple(dict.fromkeys((*own, *_left_out(form, made), *notices)))


def _left_out(form: Format, part: Part) -> tuple[str, ...]:
    """What a format has no place for; a reduced body has all in it."""
    if part.reduced is not None and "reduced" in form.writes:
        return ()
    lost = tuple(content for content in part.contents if content not in form.writes)
    layered = "properties" in form.writes and any(r.prop is not None and r.prop.layer_count for r in part.regions)
    return (
        *((f"{form.title} files do not hold {_words(lost)}, which were left out",) if lost else ()),
        *((_SMEARED,) if layered else ()),
    )


_SMEARED = (
    "layers of shells are not written: one material of their mean moduli in the plane stands for them, which "
    "bends otherwise, and the middle of the layers at the nodes"
)


def _fitting(path: Path, part: Part) -> tuple[Format, Part]:
    """The format of a new file, and the part with matrices where the format holds nothing else of it."""
    forms = writing_formats(path)
    for form in forms:
        if any(_is_there(content, part, form) for content in form.writes if content != "sets"):
            return form, part
    form = forms[0]
    if "matrices" in form.writes and part.regions and part.mesh is not None:
        made = body_part(discretise(replace(part_body("part", part, use="mesh"), supports=())))
        notices = (*part.notices, "the matrices are those of flexframe's own elements, before supports")
        return form, replace(made, notices=notices)
    if "matrices" in form.writes and part.reduced is not None:
        return form, replace(body_part(part.reduced), notices=part.notices)
    has = _words(part.contents)
    has = has.replace(CONTENTS["mesh"], "nodes without cells") if _has_no_cells(part) else has
    remedy = "; reduce a body first (ff.reduction.reduce_body)" if "reduced" in form.writes else ""
    raise InputError(f"{path}: {form.title} files hold {_words(form.writes)}; the part has {has}{remedy}")


def _is_there(content: Content, part: Part, form: Format) -> bool:
    """Whether a part has a content that a file can hold."""
    return content in part.contents and not (content == "mesh" and form.needs_cells and _has_no_cells(part))


def _has_no_cells(part: Part) -> bool:
    return part.mesh is not None and part.mesh.dimension == 0


def _words(contents: tuple[Content, ...]) -> str:
    return ", ".join(CONTENTS[content] for content in contents) or "nothing"
