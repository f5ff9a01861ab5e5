"""A process that computes cases for another one: `python -m flexframe.sweeps.worker`.

The first line that it reads is the source, every further line a task; it answers each with a line. It ends when
nobody can send any more, which is also when the process that started it has been killed.
"""

import json
import os
import signal
import sys
from contextlib import suppress

from flexframe.library_warnings import keep_from_terminal
from flexframe.sweeps.evaluation import CaseSource, Task, evaluate


def main() -> None:
    """Answer tasks until the input ends."""
    keep_from_terminal()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it decides when to stop
    # answers go where the output went; whatever a library prints goes to the error stream
    with suppress(BrokenPipeError), os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as answers:
        os.dup2(2, 1)
        lines = (line for line in sys.stdin if line.endswith("\n"))  # who is killed may leave a part of one
        for first in lines:
            source = CaseSource.from_json(first)
            for line in lines:
                index, values = json.loads(line)
                outcome = evaluate(source, Task(index, tuple(values)))
                print(json.dumps(outcome.as_json()), file=answers, flush=True)


if __name__ == "__main__":
    main()
