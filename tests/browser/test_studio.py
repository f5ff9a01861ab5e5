"""The studio in a real browser: gallery, editor, parameters, runs."""

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import PATIENCE, eventually, other_picture, screenshot, watched_page

import flexframe as ff
from flexframe.cases.examples import example_paths

pytestmark = pytest.mark.browser
pytest.importorskip("fastapi", reason="fastapi is in the studio extra")

BEAM = """title: Cantilever
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports: [{clamp: start}]
analyses:
  shapes: {kind: modes, count: 3}
"""
SWING = (
    BEAM.replace("    supports", "    loads: [{force: [0, 5], on: end}]\n    supports").partition("analyses:")[0]
    + """analyses:
  swing: {kind: transient, duration: 0.05, steps: 200, sensors: {tip: {on: end, dof: uy}}}
"""
)
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
SLOW = (
    BEAM.replace("divisions: 8", "divisions: 40")
    + "  speeds: {kind: campbell, speeds: {end: 900, count: 10000}}\n"
)
QUOTED = "'" + HOSTILE.replace("'", "''") + "'"
SCRIPTS = BEAM.replace("Cantilever", f"{QUOTED}\ndescription: {QUOTED}")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A studio as a user starts it."""
    from tests.studio.live import started

    workspace = tmp_path_factory.mktemp("beams")
    for name, text in {
        "beam": BEAM,
        "broken": BEAM,
        "slow": SLOW,
        "again": BEAM,
        "scripts": SCRIPTS,
        "swing": SWING,
    }.items():
        (workspace / f"{name}.yaml").write_text(text, encoding="utf-8")
    with started(workspace, "--no-open") as running:
        running.new_address()
        yield running


@pytest.fixture
def page(browser: Any, program: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    opened = watched_page(context)
    opened.goto(program.press_enter())
    opened.wait_for_selector("html[data-flexframe=ready]")
    yield opened
    assert opened.problems == []
    origin = opened.url.partition("/studio-")[0]
    assert [url for url in opened.requests if not url.startswith((origin, "data:", "blob:"))] == []
    context.close()


@pytest.fixture
def address(page: Any) -> str:
    """Where the page lies, without a code."""
    return str(page.url.partition("#")[0])


def _opened(page: Any, address: str, view: str) -> None:
    page.goto(f"{address}#/{view}")
    page.reload()
    page.wait_for_selector("html[data-flexframe=ready]")


def _opened_case(page: Any, address: str, name: str) -> None:
    _opened(page, address, f"case/{name}.yaml")
    page.wait_for_selector(".problem-bar[data-state=valid]")


def _run_to_its_end(page: Any) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".progress-strip[data-status=done]")
    page.wait_for_selector(".result-body table")


def _first_frequency(page: Any) -> float:
    row = page.locator(".result-body table tbody tr").first.inner_text()
    return float(row.split()[1])


def test_the_gallery_has_a_picture_of_every_example(page: Any, address: str) -> None:
    _opened(page, address, "gallery")
    cards = page.locator(".card")
    assert cards.count() == len(example_paths())
    for i in range(cards.count()):
        cards.nth(i).scroll_into_view_if_needed()
        cards.nth(i).locator("canvas.thumbnail").wait_for()
    drawn = """() => [...document.querySelectorAll("canvas.thumbnail")].map((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value, i) => i % 4 === 3 && value > 0);
    })"""
    eventually(page, lambda: page.evaluate(drawn), lambda found: found == [True] * len(example_paths()))
    page.evaluate("scrollTo(0, 0)")
    screenshot(page, "studio-gallery")
    page.evaluate("window.flexframe.toggleTheme()")
    page.wait_for_timeout(600)
    screenshot(page, "studio-gallery-dark")


def test_a_changed_parameter_gives_another_result(page: Any, address: str) -> None:
    _opened_case(page, address, "beam")
    screenshot(page, "studio-case")
    _run_to_its_end(page)
    before = _first_frequency(page)
    page.get_by_role("tab", name="Parameters").click()
    length = page.get_by_label("bodies.beam.mesh.line.length, number")
    length.fill("2")
    length.press("Enter")
    assert page.locator(".save-state").inner_text() == "not saved"
    page.get_by_role("button", name="Run", exact=True).click()
    after = eventually(page, lambda: _first_frequency(page), lambda found: found != before)
    screenshot(page, "studio-parameters")
    # bending frequencies go with 1/L²; shear and rotary inertia of a beam 100 times as long as high: 1e-3
    assert after / before == pytest.approx(0.25, rel=1e-3)
    page.get_by_role("tab", name="Text").click()
    assert "length: 2 m" in page.locator(".cm-content").inner_text()
    page.keyboard.press("Control+s")
    page.wait_for_selector(".save-state:not(.unsaved)")
    with page.expect_download() as download:
        page.get_by_role("button", name="The report as one HTML file").click()
    assert download.value.suggested_filename == "beam-report.html"
    page.evaluate("window.flexframe.toggleTheme()")
    page.wait_for_timeout(500)
    screenshot(page, "studio-results-dark")


def test_a_broken_case_shows_its_error_at_the_line(page: Any, address: str) -> None:
    _opened_case(page, address, "broken")
    page.locator(".cm-line", has_text="count: 3").click()
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("-3}")
    page.wait_for_selector(".problem-bar[data-state=invalid]")
    problem = page.locator(".problem-bar .problem").inner_text()
    assert "line 9" in problem
    assert "analyses.shapes.count" in problem
    assert page.locator(".cm-lint-marker-error").count() == 1
    screenshot(page, "studio-error")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".problem-bar[data-state=valid]")
    assert page.locator(".cm-lint-marker-error").count() == 0
    page.on("dialog", lambda dialog: dialog.accept())


def test_the_editor_completes_from_the_schema(page: Any, address: str) -> None:
    _opened_case(page, address, "again")
    page.locator(".cm-line", has_text="count: 3").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("more: {k")
    page.wait_for_selector(".cm-tooltip-autocomplete li")
    assert page.locator(".cm-tooltip-autocomplete li").first.inner_text().startswith("kind")
    page.wait_for_timeout(150)  # the list takes no key before that
    page.keyboard.press("Enter")
    page.wait_for_selector(".cm-tooltip-autocomplete li:has-text('campbell')")
    kinds = page.locator(".cm-tooltip-autocomplete li").all_inner_texts()
    assert {"modes", "statics", "campbell", "crosscheck"} <= set(kinds)
    screenshot(page, "studio-completion")
    page.keyboard.type("campbell, spe")
    page.wait_for_selector(".cm-tooltip-autocomplete li:has-text('speeds')")
    page.keyboard.press("Escape")
    for _ in range(4):
        page.keyboard.press("Control+z")


def test_a_run_can_be_cancelled_and_outlives_the_page(page: Any, address: str, program: Any, browser: Any) -> None:
    _opened_case(page, address, "slow")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".progress-strip[data-status=running]")
    screenshot(page, "studio-running")
    # another browser finds it at work
    other = browser.new_context().new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(program.press_enter())
    other.wait_for_selector(".run-item[data-status=running]")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector(".progress-strip[data-status=cancelled]")
    other.wait_for_selector(".run-item[data-status=cancelled]")
    other.context.close()


def test_a_finished_run_over_the_whole_width_moves(page: Any, address: str) -> None:
    _opened_case(page, address, "again")
    _run_to_its_end(page)
    page.get_by_role("button", name="Results over the whole width").click()
    page.wait_for_selector(".page:not(.page-narrow) canvas")
    scene = page.locator(".page:not(.page-narrow) canvas").first
    scene.scroll_into_view_if_needed()
    before = None
    for phase in (0.0, 1.5, 0.0):  # the second and the third must change it
        page.evaluate(f"window.flexframe.setPhase('modes-shapes', {phase})")
        before = other_picture(scene, before)
    screenshot(page, "studio-run")


def test_curves_of_another_run_are_laid_over_those_of_this_one(page: Any, address: str) -> None:
    """A rod of half the height beside the first: the same plots, its curves dashed."""
    _opened_case(page, address, "swing")
    _run_to_its_end(page)
    page.get_by_role("tab", name="Parameters").click()
    height = page.get_by_label("bodies.beam.section.rectangle.height, number")
    height.fill("5")
    height.press("Enter")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".progress-strip:not([data-status=done])")
    page.wait_for_selector(".progress-strip[data-status=done]")
    choice = page.get_by_label("Lay another run over this one")
    choice.focus()
    eventually(page, lambda: choice.locator("option").count(), lambda count: count >= 2)
    assert page.locator(".result-body path.dashed").count() == 0
    first = choice.locator("option", has_text="swing").first
    choice.select_option(value=first.get_attribute("value"))
    page.wait_for_selector(".result-body path.dashed")
    assert "Dashed:" in page.locator(".result-body .notice-info").inner_text()
    screenshot(page, "studio-two-runs")


def test_a_new_case_is_a_file_that_runs(page: Any, address: str) -> None:
    _opened(page, address, "gallery")
    page.get_by_role("button", name="New case").click()
    page.get_by_label("Name", exact=True).fill("../bad")
    assert page.locator(".dialog .primary").is_disabled()
    page.get_by_label("Name", exact=True).fill("mine")
    screenshot(page, "studio-new")
    page.locator(".dialog .primary").click()
    page.wait_for_selector(".problem-bar[data-state=valid]")
    assert page.locator(".case-title h1").inner_text() == "mine.yaml"
    assert page.locator(".save-state").inner_text() == "saved"
    assert "mine" in page.locator("nav[aria-label=Cases]").inner_text().split()


DROPPED = """([name, content]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"]) {
        const how = { dataTransfer: carried, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent(kind, how));
    }
}"""


def test_a_dropped_part_is_seen_and_its_sets_are_named(page: Any, address: str, tmp_path: Path) -> None:
    """A tube of Nastran in millimetres: units are found, a face is picked and named, and the case runs."""
    tube = ff.Body.solid("tube", ff.mesh.tube(0.05, 0.1, 0.3, (2, 12, 3)), material=ff.STEEL)
    ff.exchange.write_part(tube, tmp_path / "tube.bdf", units="mm, N, s, tonne")
    _opened(page, address, "gallery")
    page.evaluate(DROPPED, ["tube.bdf", b64encode((tmp_path / "tube.bdf").read_bytes()).decode()])
    page.wait_for_selector(".part-facts li")
    units = page.get_by_label("Units of the files")
    eventually(page, units.input_value, lambda found: found == "mm, N, s, tonne")
    page.wait_for_selector(".part-facts li:has-text('mass 55.4798 kg')")  # π (R² − r²) h ρ, inscribed by cells
    canvas = page.locator(".model-view canvas")
    before = other_picture(canvas, None)
    page.get_by_role("button", name="Face 2").click()  # the largest after the outer cylinder
    other_picture(canvas, before)
    assert "radius 0.05 m" in page.locator(".part-row[data-chosen]").inner_text()
    page.get_by_label("Name for Face 2").fill("bore")
    page.get_by_label("Name for top").fill("lid")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": 0.62 * box["height"]})  # the outer cylinder is in front
    picked = page.locator(".part-row[data-chosen]")
    eventually(page, picked.inner_text, lambda found: "radius 0.1 m" in found)
    page.keyboard.type("outside")
    screenshot(page, "studio-part")
    page.get_by_role("button", name="Make a case").click()
    page.wait_for_selector(".problem-bar[data-state=valid]")
    text = page.locator(".cm-content").inner_text()
    assert page.locator(".case-title h1").inner_text() == "tube.yaml"
    assert all(name in text for name in ("'bore': {cylinder:", "'outside': {cylinder:", "'lid': {set: 'top'}"))
    assert "tube.bdf" in page.locator("nav[aria-label=Parts]").inner_text()
    _run_to_its_end(page)
    screenshot(page, "studio-part-case")


def test_a_file_that_is_no_part_says_why(page: Any, address: str) -> None:
    _opened(page, address, "gallery")
    page.evaluate(DROPPED, ["wrong.bdf", b64encode(b"hello").decode()])
    page.wait_for_selector(".part-facts .problem")
    assert "wrong.bdf" in page.locator(".part-facts").inner_text()
    assert page.get_by_role("button", name="Make a case").is_disabled()


def test_w5_the_address_has_no_secret_and_works_once(browser: Any, program: Any) -> None:
    context = browser.new_context()
    page = watched_page(context)
    address = program.press_enter()
    page.goto(address)
    page.wait_for_selector("html[data-flexframe=ready]")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/studio-[\w-]{16}/(#.*)?", page.url)
    assert page.evaluate("document.cookie + JSON.stringify([localStorage, sessionStorage])").count("studio") == 0
    assert page.evaluate("document.referrer") == ""
    page.reload()
    page.wait_for_selector("html[data-flexframe=ready]")  # the browser is in as long as the studio runs
    code = address.partition("code=")[2]
    assert [url for url in page.requests if code in url] == [address]
    inside = page.url
    page.go_back()
    assert code not in page.url
    # the next who opens the printed address, or the path without the cookie, hears what to do
    for used in (address, inside):
        stranger = browser.new_context().new_page()
        answer = stranger.goto(used)
        assert answer.status == 401
        assert "Press Enter in the terminal" in stranger.inner_text("body")
        screenshot(stranger, "studio-used-address")
        stranger.context.close()
    context.close()


def test_u2_the_file_that_the_browser_is_given_leads_in(browser: Any, program: Any, tmp_path: Path) -> None:
    """A strict cookie is not sent along redirections that begin at a file; the first page leads on by itself."""
    from flexframe.studio.server import _LEAD

    lead = tmp_path / "open.html"
    lead.write_text(_LEAD.format(address=program.press_enter()), encoding="ascii")
    page = watched_page(browser.new_context())
    page.goto(lead.as_uri(), wait_until="commit")
    page.wait_for_selector("html[data-flexframe=ready]")
    assert page.problems == []
    page.context.close()


def test_c4_scripts_in_texts_are_shown_as_texts(page: Any, address: str) -> None:
    _opened_case(page, address, "scripts")
    _run_to_its_end(page)
    page.get_by_role("button", name="Results over the whole width").click()
    eventually(page, lambda: page.locator(".view-head h1").inner_text(), lambda title: title == HOSTILE)
    screenshot(page, "studio-scripts")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.title") != "owned"
