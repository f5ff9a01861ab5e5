"""Commands of flexframe in processes that have everything imported already, to be killed at any moment.

As a program (`python -m tests.sweeps.forking`) it waits for requests, a line of JSON each: `{"start": [arguments],
"file_size": bytes or null}` starts a command and answers with its number, `{"wait": number}` answers with its exit
code. It has a single thread, so that a copy of it is sound, whatever the tests themselves have running.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Forker:
    """The program, as a test sees it."""

    process: "subprocess.Popen[str]"

    def start(self, *arguments: str, file_size: int | None = None) -> int:
        """Start `flexframe ARGUMENTS`; no file that it writes can grow beyond `file_size`, as on a full disk."""
        return self._asked({"start": arguments, "file_size": file_size})

    def wait(self, number: int) -> int:
        """The exit code of a command that ends; negative when a signal ended it."""
        return self._asked({"wait": number})

    def run(self, *arguments: str, file_size: int | None = None) -> int:
        """Start and wait."""
        return self.wait(self.start(*arguments, file_size=file_size))

    def kill(self, number: int) -> None:
        os.kill(number, signal.SIGKILL)
        assert self.wait(number) in (-signal.SIGKILL, 0)  # it may just have finished

    def _asked(self, request: object) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())


@contextmanager
def forker() -> Iterator[Forker]:
    command = [sys.executable, "-m", "tests.sweeps.forking"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        yield Forker(process)


def main() -> None:
    import flexframe.commands.sweep
    import flexframe.sweeps.evaluation  # noqa: F401

    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        else:
            answer = os.fork()
            if not answer:
                _become(request["start"], request["file_size"])
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _become(arguments: list[str], file_size: int | None) -> None:
    code = 70
    try:
        if file_size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an error, not a signal
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        from flexframe.cli import main as command

        sys.argv = ["flexframe", *arguments]
        command()
        code = 0
    except SystemExit as leaving:
        code = 0 if leaving.code is None else int(leaving.code)
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
