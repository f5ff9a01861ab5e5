"""The process of one run: read the case, compute, write results, and tell how far it is.

Started as `python -m flexframe.studio.worker FOLDER`; it holds the lock of the run until it ends.
"""

import os
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from time import time

from flexframe.errors import FlexframeError
from flexframe.library_warnings import keep_from_terminal
from flexframe.results.folders import folder_lock
from flexframe.studio.runs import DOCUMENT, INPUT, LOCK, RESULTS, State, read_state, write_state
from flexframe.studio.workspace import Workspace

PERIOD = 0.25
"""Seconds between words about the same analysis."""


def work(folder: Path) -> int:
    """Do the run in this folder; the exit code is that of the command line."""
    with folder_lock(folder / LOCK):
        write_state(folder, State("running", started=time(), since=time(), pid=os.getpid()))
        try:
            remark = _compute(folder)
        except FlexframeError as error:
            _fail(folder, error)
            return error.exit_code
        except MemoryError:
            _fail(folder, FlexframeError("there is not enough memory for this; use a coarser mesh or fewer modes"))
            return FlexframeError.exit_code
        except Exception as error:
            traceback.print_exc()  # into the log of the run
            first = str(error).splitlines()[0] if str(error) else "no message"
            _fail(folder, FlexframeError(f"internal error: {type(error).__name__}: {first}; please report it"))
            return FlexframeError.exit_code
        state = replace(read_state(folder), status="done", current="", message=remark, ended=time(), pid=None)
        write_state(folder, state)
    return 0


def _compute(folder: Path) -> str:
    """Run the case and write what it gives; what the reader must know about the run as a whole is returned."""
    from flexframe.cases.case import parse_case
    from flexframe.cases.run import run_case
    from flexframe.reports.build import case_document
    from flexframe.reports.document import document_json, render_html
    from flexframe.results.checkpoint import checkpoint_beside
    from flexframe.results.storage import result_folder

    given = Workspace.at(folder / INPUT)
    text = given.read_case(next(given.folder.glob("*.yaml")).name)
    case = parse_case(text.text, file=text.name, folder=given.folder, confined=True)
    names = tuple(case.analyses)
    told = 0.0

    def progress(done: float, total: int, name: str) -> None:
        nonlocal told
        state, now, whole = read_state(folder), time(), int(done)
        if name == state.current and now - told < PERIOD:
            return
        told = now
        since = state.since if name == state.current else now
        reached = replace(state, done=whole, total=total, current=name, part=done - whole, since=since)
        write_state(folder, replace(reached, finished=names[:whole]))

    with result_folder(folder / RESULTS) as results:
        # a long motion goes on where an interruption left it
        kept = {name: checkpoint_beside(results.path, name, resume=True) for name in names}
        result = run_case(case, progress, kept.__getitem__)
        document = case_document(result)
        (folder / DOCUMENT).write_text(document_json(document), encoding="ascii")
        summary = results.write(
            summary=result.summary(), records=result.records, case_text=case.text, report=render_html(document)
        )
    for checkpoint in kept.values():
        checkpoint.clear()
    early = {name: found for name, found in summary["analyses"].items() if found.get("stopped")}
    return "\n".join(
        f"{name} ends at t = {found['end_s']:.6g} s: {found['stopped']}" for name, found in early.items()
    )


def _fail(folder: Path, error: FlexframeError) -> None:
    from flexframe.studio.messages import report_problems

    problems = report_problems(error)
    state = replace(
        read_state(folder),
        status="failed",
        message=str(error),
        problems=tuple(problems),
        ended=time(),
        pid=None,
    )
    write_state(folder, state)


if __name__ == "__main__":
    keep_from_terminal()
    sys.exit(work(Path(sys.argv[1])))
