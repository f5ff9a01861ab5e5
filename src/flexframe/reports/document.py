"""A report: sections of blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

from flexframe.presentation.blocks import Plot, require
from flexframe.presentation.scenes import Block, Modes, Row, Scene


@dataclass(frozen=True)
class Section:
    """A titled group of blocks, listed in the side navigation."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole report; `meta` are label and value pairs for its header."""

    title: str
    sections: tuple[Section, ...]
    case_name: str = ""
    version: str = ""
    meta: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        blocks = [block for section in self.sections for block in _flatten(section.blocks)]
        scenes: dict[str, Scene] = {}
        for block in blocks:
            if isinstance(block, Scene):
                require(block.id not in scenes, f"two scenes are called {block.id!r}; give each its own id")
                scenes[block.id] = block
        for block in blocks:
            if isinstance(block, Plot):
                _check_links(block, scenes)


def _flatten(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Row):
            yield from _flatten(block.blocks)
        else:
            yield block


def _check_links(plot: Plot, scenes: dict[str, Scene]) -> None:
    """Every scene and mode that a plot points to exists."""
    links = [series.links for series in plot.series if series.links is not None]
    targets = [link.scene for link in links] + ([plot.cursor.scene] if plot.cursor else [])
    for target in targets:
        require(target in scenes, f"plot {plot.title!r} points to scene {target!r}; add that scene")
    for link in links:
        content = scenes[link.scene].content
        if link.modes is not None and len(link.modes):
            require(isinstance(content, Modes), f"scene {link.scene!r} has no modes to link to; link times")
            assert isinstance(content, Modes)
            require(
                int(link.modes.max()) < len(content.modes),
                f"plot {plot.title!r} links to mode {link.modes.max()} of scene {link.scene!r}; "
                f"it has {len(content.modes)}, counted from 0",
            )
