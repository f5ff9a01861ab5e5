"""Every format that is read or written; adding one is one file and one name here."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from flexframe.errors import InputError
from flexframe.exchange.abaqus.files import ABAQUS
from flexframe.exchange.abaqus.matrices import MTX
from flexframe.exchange.ansys.archive import ANSYS
from flexframe.exchange.ansys.full import FULL
from flexframe.exchange.ansys.rst import RST
from flexframe.exchange.cad import IGES, STEP
from flexframe.exchange.calculix import FRD, MASS, STIFFNESS
from flexframe.exchange.contract import CONTENTS, Content, Format
from flexframe.exchange.matrices import MATRIX_MARKET, NUMPY, SCIPY
from flexframe.exchange.mesh_files import GMSH, MEDIT, NETGEN, SU2, VTK, VTU
from flexframe.exchange.nastran.bulk import NASTRAN
from flexframe.exchange.nastran.op2 import OP2
from flexframe.exchange.nastran.op4 import OP4
from flexframe.exchange.reduced import REDUCED
from flexframe.exchange.sid import SID
from flexframe.exchange.stl import STL
from flexframe.files import OpenFile

FORMATS: tuple[Format, ...] = (
    *(NASTRAN, OP2, OP4),
    *(ANSYS, FULL, RST),
    *(ABAQUS, MTX),
    *(FRD, STIFFNESS, MASS),
    *(GMSH, VTU, VTK, MEDIT, NETGEN, SU2),
    *(STEP, IGES, STL),
    *(REDUCED, SID),
    *(MATRIX_MARKET, SCIPY, NUMPY),
)

_HEAD = 20_000  # bytes by which formats are told apart


def format_of(file: OpenFile, wanted: Content | None = None) -> Format:
    """The format of an open file by its ending and its first bytes; InputError for foreign ones."""
    own = [form for form in FORMATS if form.read is not None and file.suffix in form.endings]
    if wanted is not None and own and not any(wanted in form.reads for form in own):
        raise InputError(
            f"{file.name}: {own[0].title} files hold no {CONTENTS[wanted]}; use one of "
            f"{_list_formats(_reading(wanted))}"
        )
    if not own:
        raise InputError(
            f"{file.name}: files ending in '{file.suffix}' are not read{_hint(file.suffix, _reading(wanted))}; "
            f"use one of {_list_formats(_reading(wanted))}"
        )
    head = file.head(_HEAD)
    if not head:
        raise InputError(f"{file.name}: is empty; export it again")
    for form in own:
        if form.knows is None or form.knows(head):
            return form
    others = [form for form in FORMATS if form not in own and form.knows is not None and form.knows(head)]
    seems = f", it looks like {others[0].title} ({', '.join(others[0].endings)})" if others else ""
    raise InputError(f"{file.name}: is not {_titles(own)}{seems}; export it again, or correct its ending")


def is_geometry(name: str) -> bool:
    """Whether a file of this name holds geometry that is meshed as it is read."""
    return any(form.is_geometry and Path(name).suffix.lower() in form.endings for form in FORMATS)


def format_to_write(path: Path, wanted: Content) -> Format:
    """The format of a new file by its ending; InputError where it cannot hold what is wanted."""
    fitting = [form for form in FORMATS if form.write is not None and wanted in form.writes]
    for form in fitting:
        if path.suffix.lower() in form.endings:
            return form
    what = "meshes" if wanted == "mesh" else CONTENTS[wanted]
    raise _not_written(path, what, fitting)


def writing_formats(path: Path) -> list[Format]:
    """Formats that are written to files with an ending; InputError where there is none."""
    writing = [form for form in FORMATS if form.write is not None]
    found = [form for form in writing if path.suffix.lower() in form.endings]
    if not found:
        raise _not_written(path, "parts", writing)
    return found


def _not_written(path: Path, what: str, others: list[Format]) -> InputError:
    ending = path.suffix.lower()
    known = [form for form in FORMATS if ending in form.endings]
    why = f" ({known[0].title})" if known else _hint(ending, others)
    return InputError(
        f"{path}: {what} are not written to '{ending}' files{why}; use one of {_list_formats(others)}"
    )


def _reading(wanted: Content | None) -> list[Format]:
    return [form for form in FORMATS if form.read is not None and (wanted is None or wanted in form.reads)]


def _list_formats(forms: Iterable[Format]) -> str:
    return ", ".join(dict.fromkeys(ending for form in forms for ending in form.endings))


def _hint(ending: str, forms: Iterable[Format]) -> str:
    known = [one for form in forms for one in form.endings]
    near = get_close_matches(ending, known, n=1, cutoff=0.7)
    return f" (did you mean '{near[0]}'?)" if near else ""


def _titles(forms: list[Format]) -> str:
    return " or ".join(dict.fromkeys(form.title for form in forms))
