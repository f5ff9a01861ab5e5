"""Studios that listen on a port: in a thread, where bounds can be changed, or as a user starts them."""

import http.client
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.studio.conftest import PATIENCE, TOKEN

from flexframe.studio.app import Studio
from flexframe.studio.server import _listener, studio_server

HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def asked(port: int, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
    """Status and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, body, {**HEADERS, **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@contextmanager
def listening(studio: Studio) -> Iterator[int]:
    """The port of a studio in a thread of this process."""
    server = studio_server(studio)
    with _listener(0) as listener:
        port = int(listener.getsockname()[1])
        thread = threading.Thread(target=server.run, args=[[listener]])
        thread.start()
        try:
            assert asked(port, "GET", "/api/about")[0] == 200
            yield port
        finally:
            server.should_exit = True
            thread.join()


@dataclass
class Program:
    """`flexframe studio` as a process; everything that it printed so far."""

    process: subprocess.Popen[str]
    printed: list[str] = field(default_factory=list)

    def new_address(self) -> str:
        """The next address that it prints."""
        assert self.process.stdout is not None
        while True:
            self.printed.append(self.process.stdout.readline())
            assert self.printed[-1], self.printed
            found = re.search(r"http://127\.0\.0\.1:\d+/\?code=\S+", self.printed[-1])
            if found:
                return found[0]

    def press_enter(self) -> str:
        """The address that it prints when Enter is pressed in its terminal."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.new_address()


@contextmanager
def started(workspace: Path, *arguments: str, **variables: str) -> Iterator[Program]:
    """A studio as a user starts it."""
    command = [sys.executable, "-m", "flexframe", "studio", "--workspace", str(workspace), *arguments]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, text=True, env={**os.environ, **variables}, **pipes) as process:
        program = Program(process)
        try:
            yield program
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
            assert process.stdout is not None
            program.printed.append(process.stdout.read())


def eventually(found: Any) -> Any:
    """What a function gives as soon as it gives something."""
    until = monotonic() + PATIENCE
    while not (value := found()):
        assert monotonic() < until
        sleep(0.05)
    return value
