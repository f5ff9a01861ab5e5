"""Documents and the page made of them: encoding, escaping, and that the page asks for nothing outside itself."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pytest

from flexframe.errors import InputError
from flexframe.presentation.blocks import (
    Axis,
    Code,
    Column,
    Cursor,
    KeyValue,
    KeyValues,
    Matrix,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
    Text,
)
from flexframe.presentation.scenes import (
    ForceArrow,
    History,
    Mode,
    Modes,
    Part,
    PartMotion,
    Row,
    ScalarField,
    Scene,
    StaticShape,
    Trace,
)
from flexframe.reports.document import Document, Section, document_json, encode_array, render_html

HOSTILE = "</script><script>alert('1')</script><!-- <img src=x onerror=alert(2)> & \"quotes\" ]]> \u2028 ω²"


class PageReader(HTMLParser):
    """Reads a page as a browser would: elements with their attributes, and the text of each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag):
        if tag == self._open:
            self._open = ""

    def handle_data(self, data):
        if self._open in ("script", "style", "title"):
            self.texts.append((self._open, data))

    def text(self, tag: str) -> list[str]:
        return [data for name, data in self.texts if name == tag]

    def document(self) -> dict:
        return json.loads(self.text("script")[0])


def decode(encoded: dict) -> np.ndarray:
    """The page's own reading of an array, written independently of the encoder."""
    kind = {"float32": "<f4", "int32": "<i4"}[encoded["type"]]
    values = np.frombuffer(base64.b64decode(encoded["data"]), dtype=kind).reshape(encoded["shape"])
    if "imaginary" in encoded:
        imaginary = np.frombuffer(base64.b64decode(encoded["imaginary"]), dtype="<f4")
        return values + 1j * imaginary.reshape(encoded["shape"])
    return values


def triangle(name: str = "plate") -> Part:
    return Part(name, np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), triangles=np.array([[0, 1, 2]]))


def modes_scene(scene_id: str = "modes") -> Scene:
    shape = np.array([[0, 0, 1], [0, 0, 1j], [0, 0, -1]])
    return Scene(scene_id, (triangle(),), Modes((Mode("1", (shape,), "10 Hz"), Mode("2", (shape.real,), "20 Hz"))))


def sample_document(text: str = "plain") -> Document:
    """One block of every kind, with `text` wherever a document takes text."""
    times = np.linspace(0.0, 1.0, 5)
    path = np.stack([times, times, 0 * times], axis=1)
    rotation = np.tile([1.0, 0, 0, 0], (5, 1))
    history = Scene(
        "history",
        (triangle(text),),
        History(
            times,
            (PartMotion(path, rotation, np.zeros((5, 3, 3))),),
            arrows=(ForceArrow(text, path, path, unit=text),),
            traces=(Trace(text, path),),
        ),
        title=text,
        fields=(ScalarField(text, (np.zeros((5, 3)),), text),),
        displacement_unit="m",
        caption=text,
    )
    static = Scene("static", (triangle(),), StaticShape((np.zeros((3, 3)),)))
    plot = Plot(
        Axis(text, text),
        Axis(text, text, log=True),
        (Series(text, times, times + 1, links=PointLinks("modes", modes=np.array([0, 1, -1, 0, 1]))),),
        title=text,
        cursor=Cursor("history", times, times),
        caption=text,
    )
    blocks = (
        Text(text),
        Notice("warning", text),
        KeyValues((KeyValue(text, 1.5, text, text),)),
        Table((Column(text, text), Column("number")), ((text, 2.0), (text, float("nan"))), caption=text),
        Matrix(text, ((1.0, text), (0.0, 2.0)), (text, text), (text, text), unit=text),
        Code(text, "yaml", text),
        Row((plot, modes_scene())),
        history,
        static,
    )
    return Document(text, (Section(text, blocks),), text, text, ((text, text),))


def test_real_arrays_return_to_single_precision():
    values = np.random.default_rng(3).normal(scale=1e5, size=(40, 3))
    returned = decode(encode_array(values))
    # Rounding to nearest single precision: half a unit in the 24th bit, 2⁻²⁴ = 6.0e-8 relative.
    assert np.max(np.abs(returned - values) / np.abs(values)) <= 2.0**-24


def test_arrays_of_any_layout_are_read_row_by_row():
    values = np.arange(12.0).reshape(3, 4).T[:, ::-1]
    encoded = encode_array(values)
    # Small whole numbers are exact in single precision.
    np.testing.assert_array_equal(decode(encoded), values)
    assert len(base64.b64decode(encoded["data"])) == 12 * 4


def test_integer_arrays_return_exactly():
    values = np.array([[0, 1, 2], [2, 3, 2**31 - 1]])
    returned = decode(encode_array(values))
    assert returned.dtype == np.dtype("<i4")
    np.testing.assert_array_equal(returned, values)


def test_complex_arrays_carry_their_imaginary_part_only_if_there_is_one():
    values = np.array([[1 + 2j, 3.5], [0, -0.25j]])
    np.testing.assert_array_equal(decode(encode_array(values)), values)  # all are exact binary fractions
    assert "imaginary" not in encode_array(values.real.astype(complex))


def test_values_beyond_single_precision_become_infinite_without_a_warning():
    assert np.isposinf(decode(encode_array(np.array([1e300])))[0])


def test_every_block_arrives_in_the_page_as_it_was_described():
    document = PageReader(render_html(sample_document("plain"))).document()
    blocks = document["sections"][0]["blocks"]
    assert [block["kind"] for block in blocks] == [
        "Text", "Notice", "KeyValues", "Table", "Matrix", "Code", "Row", "Scene", "Scene",
    ]  # fmt: skip
    plot, scene = blocks[6]["blocks"]
    np.testing.assert_array_equal(decode(plot["series"][0]["links"]["modes"]), [0, 1, -1, 0, 1])
    # 1 + k/4 is exact in single precision.
    np.testing.assert_array_equal(decode(plot["series"][0]["y"]), [1, 1.25, 1.5, 1.75, 2])
    first, second = scene["content"]["modes"]
    np.testing.assert_array_equal(decode(first["displacement"][0])[:, 2], [1, 1j, -1])
    assert "imaginary" not in second["displacement"][0]
    assert blocks[7]["content"]["kind"] == "History"


def test_matrix_numbers_keep_double_precision():
    matrix = Matrix("k", np.array([[np.pi, 1e300], [-1 / 3, 0.0]]))
    document = Document("t", (Section("s", (matrix,)),))
    values = json.loads(document_json(document))["sections"][0]["blocks"][0]["values"]
    assert values == [[np.pi, 1e300], [-1 / 3, 0.0]]  # JSON writes doubles so that they read back exactly


def test_numbers_that_json_does_not_know_become_gaps_or_signs():
    table = Table(
        (Column("a"),), ((float("nan"),), (float("inf"),), (-np.inf,), (np.float64(2.5),), (np.int64(7),))
    )
    encoded = json.loads(document_json(Document("t", (Section("s", (table,)),))))
    assert encoded["sections"][0]["blocks"][0]["rows"] == [[None], ["∞"], ["−∞"], [2.5], [7]]


def test_hostile_text_stays_text():
    page = PageReader(render_html(sample_document(HOSTILE)))
    tags = [tag for tag, _ in page.elements]
    # Data and program are the only scripts; nothing of the text became an element.
    assert (tags.count("script"), tags.count("style"), tags.count("img")) == (2, 1, 0)
    document = page.document()
    assert document["title"] == HOSTILE
    blocks = document["sections"][0]["blocks"]
    assert blocks[0]["text"] == blocks[5]["text"] == blocks[4]["values"][0][1] == HOSTILE
    assert "".join(page.text("title")) == HOSTILE


def test_page_is_ascii_whatever_the_text():
    page = render_html(sample_document("ωφ \U0001f600 \ud800"))  # even half a surrogate pair
    assert page.isascii()
    assert PageReader(page).document()["title"] == "ωφ \U0001f600 \ud800"


def test_page_loads_nothing_from_outside():
    page = PageReader(render_html(sample_document()))
    loading = {"src", "href", "srcset", "data", "action", "poster", "background", "style"}
    assert [
        (tag, set(attributes) & loading) for tag, attributes in page.elements if set(attributes) & loading
    ] == []
    assert not {tag for tag, _ in page.elements} & {"link", "iframe", "object", "embed", "base", "img"}
    style = page.text("style")[0]
    assert re.search(r"url\(|@import|https?:", style) is None


def test_policy_admits_exactly_the_bundled_script_and_style():
    page = PageReader(render_html(sample_document()))
    policies = [a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    rules = dict(rule.split(" ", 1) for rule in policies[0].split("; "))
    for name, text in (("script-src", page.text("script")[1]), ("style-src", page.text("style")[0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert rules["default-src"] == rules["connect-src"] == rules["form-action"] == rules["base-uri"] == "'none'"
    assert "unsafe" not in policies[0]


def test_small_report_is_small():
    document = sample_document()
    page = render_html(document)
    # The bundle may have 900 kB; this document adds less than 10 kB of data to it.
    assert len(page) < 910_000
    assert len(document_json(document)) < 10_000


def test_array_data_grow_by_a_third_over_their_bytes():
    nodes = np.zeros((30_000, 3))
    part = Part("cloud", nodes)
    document = Document("t", (Section("s", (Scene("x", (part,), StaticShape((None,))),)),))
    # Four bytes a number, and base64 writes three bytes as four characters; 1 kB for all the rest.
    assert len(document_json(document)) < nodes.size * 4 * 4 / 3 + 1000


def test_licences_of_bundled_code_travel_with_it():
    assets = resources.files("flexframe.reports") / "assets"
    licences = (assets / "THIRD_PARTY_LICENSES.txt").read_text(encoding="utf-8")
    script = (assets / "viewer.js").read_text(encoding="ascii")
    for text in (licences, script):
        assert "three.js authors" in text
        assert "Permission is hereby granted, free of charge" in text


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: replace(triangle(), triangles=np.array([[0, 1, 3]])), "outside 0…2"),
        (lambda: replace(triangle(), nodes=np.zeros((3, 2))), r"give shape \(3, 3\)"),
        (lambda: replace(triangle(), colour="mauve"), "give #rrggbb or one of blue"),
        (lambda: Series("a", np.zeros(3), np.zeros(4)), r"give shape \(3,\)"),
        (lambda: Table((Column("a"),), ((1.0, 2.0),)), "has 2 cells; give 1"),
        (lambda: Matrix("k", ((1.0,), (1.0, 2.0))), "make it rectangular"),
        (lambda: Scene("x", (triangle(),), Modes((Mode("1", ()),))), "has 0 entries; give 1"),
        (lambda: Scene("x", (triangle(),), StaticShape((np.zeros((4, 3)),))), r"give shape \(3, 3\)"),
        (lambda: replace(modes_scene(), fields=(ScalarField("f", (np.zeros((3, 3)),)),)), r"give shape \(2, 3\)"),
        (lambda: Document("t", (Section("s", (modes_scene(), modes_scene())),)), "two scenes are called 'modes'"),
    ],
)
def test_descriptions_that_cannot_be_drawn_are_refused_with_the_way_out(build, message):
    with pytest.raises(InputError, match=message):
        build()


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (PointLinks("elsewhere", modes=np.array([0])), "points to scene 'elsewhere'; add that scene"),
        (PointLinks("modes", modes=np.array([2])), "links to mode 2 of scene 'modes'; it has 2"),
    ],
)
def test_plots_point_only_to_what_exists(links, message):
    plot = Plot(Axis("x"), Axis("y"), (Series("a", np.zeros(1), np.zeros(1), links=links),), title="campbell")
    with pytest.raises(InputError, match=message):
        Document("t", (Section("s", (plot, modes_scene())),))
