"""A report: sections of blocks, and one self-contained HTML page: no file beside it, no request to anywhere."""

import base64
import hashlib
import html
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexframe.presentation.blocks import Matrix, Plot, require
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


Json: TypeAlias = "str | float | int | bool | Mapping[str, Json] | Sequence[Json] | None"

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="flexframe">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This report draws itself with JavaScript; allow scripts for this file to read it.</noscript>
<div id="flexframe-root"></div>
<script type="application/json" id="flexframe-document">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def render_html(document: Document) -> str:
    """The page that shows `document`, with script, style and data inside it.

    The result is pure ASCII. Its content security policy admits exactly the bundled script and style,
    by their hashes, and no connection at all.
    """
    script, style, policy = _bundle()
    return _PAGE.format(
        policy=policy,
        title=html.escape(document.title).encode("ascii", "xmlcharrefreplace").decode("ascii"),
        style=style,
        data=document_json(document),
        script=script,
    )


def document_json(document: Document) -> str:
    """`document` as JSON text that is safe inside an HTML script element."""
    text = json.dumps(encode_document(document), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def encode_document(document: Document | Scene) -> Json:
    """`document`, or one scene, as JSON values: records as objects with their `kind`, arrays as base64."""
    return _encode(document)


def encode_array(values: NDArray[Any]) -> dict[str, Json]:
    """An array as base64 of little-endian float32 or int32, row by row.

    A complex array carries its imaginary part beside it, unless that is zero throughout.
    """
    if np.iscomplexobj(values):
        encoded = encode_array(values.real)
        return encoded | {"imaginary": encode_array(values.imag)["data"]} if values.imag.any() else encoded
    exact = values.dtype.kind in "iub"
    with np.errstate(over="ignore"):  # beyond the range of float32 the page shows a gap
        packed = np.ascontiguousarray(values, dtype="<i4" if exact else "<f4")
    return {
        "kind": "array",
        "type": "int32" if exact else "float32",
        "shape": list(packed.shape),
        "data": base64.b64encode(packed.tobytes()).decode("ascii"),
    }


def _encode(value: Any) -> Json:
    if isinstance(value, np.ndarray):
        return encode_array(value)
    if isinstance(value, Matrix):  # small, and read digit by digit: its numbers stay exact
        value = replace(value, values=[list(row) for row in value.values])
    if is_dataclass(value):
        encoded = {field.name: _encode(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__} | encoded
    if isinstance(value, list | tuple):
        return [_encode(item) for item in value]
    if isinstance(value, np.generic):
        return _encode(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if value is None or isinstance(value, str | float | int | bool):
        return value
    raise TypeError(f"a document cannot hold a {type(value).__name__}")


@cache
def _bundle() -> tuple[str, str, str]:
    """Script, style and the content security policy that admits only these."""
    assets = resources.files("flexframe.reports") / "assets"
    script = (assets / "viewer.js").read_text(encoding="ascii")
    style = (assets / "viewer.css").read_text(encoding="ascii")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data: blob:",
            "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    return script, style, policy


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
