"""In which order blocks are connected: each after those that it reads, and none in an algebraic loop."""

from collections.abc import Iterator, Sequence

from flexframe.errors import InputError, at_part
from flexframe.model.controllers.contract import Controller, Outputs, Sampling, SignalBuilder

_WHOLE = 1e-9  # relative, of a number of periods


class Connections:
    """Blocks that are connected when the first formula reads them.

    Blocks ask the builder for their inputs, and the builder asks here for the outputs of blocks, so that every
    block follows those that it reads. One that is asked for its outputs before it could give them is in an
    algebraic loop.
    """

    def __init__(self, controllers: Sequence[Controller], builder: SignalBuilder) -> None:
        self._controllers = {each.name: each for each in controllers}
        self._builder = builder
        self._found: dict[str, Outputs] = {}
        self._open: list[str] = []  # blocks that wait for others before they give their outputs
        self._unfinished: dict[str, Iterator[Outputs]] = {}
        self._at_work: list[str] = []  # blocks that describe themselves, each asked by the one before

    @property
    def at_work(self) -> str:
        """The block that describes itself, which what it makes belongs to; '' where none does."""
        return self._at_work[-1] if self._at_work else ""

    def __contains__(self, name: object) -> bool:
        return name in self._controllers

    def outputs(self, name: str) -> Outputs:
        """The outputs of a block."""
        if name not in self._found:
            self._connect(name)
        if not self._open:
            self._finish(name)
        return self._found[name]

    def all_outputs(self) -> dict[str, Outputs]:
        """Those of all blocks, also of those that nothing reads."""
        return {name: self.outputs(name) for name in self._controllers}

    def _connect(self, name: str) -> None:
        if name in self._open:
            loop = [*self._open[self._open.index(name) :], name]
            raise InputError(
                f"controllers need their own output at the same instant: {' reads '.join(loop)}; put a block with "
                "a state or a period into the loop",
                part=("controllers", name),
            )
        self._open.append(name)
        self._at_work.append(name)
        with at_part("controllers", name):
            steps = self._controllers[name].connect(self._builder)
            self._found[name] = next(steps)
        self._at_work.pop()
        self._open.remove(name)
        self._unfinished[name] = steps
        # what stands after the outputs may read blocks that wait for these outputs
        while self._unfinished and not self._open:
            self._finish(next(reversed(self._unfinished)))

    def _finish(self, name: str) -> None:
        """Let a block read what it did not need for its outputs, unless it does so already."""
        self._at_work.append(name)
        with at_part("controllers", name):
            for _ in self._unfinished.pop(name, ()):
                raise AssertionError("a block yields its outputs once")
        self._at_work.pop()


def reads_fresh(reader: Sampling | None, source: Sampling) -> bool:
    """Whether all instants of a sampled reader are instants of what it reads."""
    if reader is None:
        return False
    parts = (reader[0] / source[0], (reader[1] - source[1]) / source[0])
    return parts[1] > -_WHOLE and all(abs(part - round(part)) <= _WHOLE * max(1.0, abs(part)) for part in parts)
