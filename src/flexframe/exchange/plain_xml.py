"""XML as plain data: elements with attributes and the numbers of their lines, nothing that expands.

A document type declaration is refused, and with it every entity beside the five of XML: nothing grows, no other
file is opened. Size and depth are bounded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from flexframe.errors import InputError
from flexframe.files import OpenFile

MAX_BYTES = 100_000_000
_DEEPEST = 200
_MOST = 1_000_000  # elements


@dataclass(eq=False)
class Element:
    """A tag with its attributes, what stands in it, and its line; names without their namespaces."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list["Element"]:
        """The children of a tag."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "Element | None":
        """The first child of a tag."""
        return next(iter(self.all(tag)), None)

    def walk(self) -> Iterator["Element"]:
        """This one and all below it."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.children)


class _Builder:
    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse_types
        self.parser.EntityDeclHandler = self._refuse_types

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        line = self.parser.CurrentLineNumber
        if len(self.open) >= _DEEPEST or self.count > _MOST:
            raise InputError(f"{self.name}:{line}: has too many elements in each other or in all; simplify it")
        made = Element(tag.rpartition(":")[2], attributes, line)
        if ":" in tag:
            made.attributes = {**attributes, "xmlns": tag.partition(":")[0]}
        if self.open:
            self.open[-1].children.append(made)
        else:
            self.root = made
        self.open.append(made)

    def _end(self, _tag: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].text += text

    def _refuse_types(self, *_given: object) -> None:
        raise InputError(
            f"{self.name}:{self.parser.CurrentLineNumber}: declares document types or entities, which are not "
            "read; remove the declaration"
        )


def read_xml(file: OpenFile) -> Element:
    """The root of an XML file; what is wrong is reported with its line."""
    data = file.stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{file.short} is larger than {MAX_BYTES // 10**6} MB; simplify it")
    builder = _Builder(file.short)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        words = expat.errors.messages.get(error.code, str(error.code))
        raise InputError(f"{file.short}:{error.lineno}: is no whole XML ({words}); correct it there") from None
    assert builder.root is not None, "XML without a root is refused by its parser"
    return builder.root
