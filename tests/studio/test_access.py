"""Ways into the studio: a code that works once, a cookie for one path, a token for scripts; nothing else.

The names of tests begin with the line of `docs/reference/studio-security.md` that they show.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from fastapi.testclient import TestClient
from tests.studio.conftest import HOST, PATIENCE, TOKEN
from tests.studio.live import asked, eventually, started
from typer.testing import CliRunner

from flexframe.cli import app
from flexframe.studio import bounds
from flexframe.studio.app import Studio, studio_app
from flexframe.studio.security import COOKIE, WELCOME, Access

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def browser(studio: Studio) -> Iterator[TestClient]:
    """A client without any secret, which keeps cookies as a browser does."""
    with TestClient(studio_app(studio), base_url=f"http://{HOST}", headers=BROWSER) as opened:
        yield opened


def _entered(browser: TestClient, studio: Studio) -> None:
    assert browser.get(f"/?code={studio.access.issue()}").status_code == 200


def test_u1_without_a_secret_there_is_nothing_to_see(browser: TestClient, studio: Studio) -> None:
    inside = studio.access.path
    paths = ("/", "/api/about", "/assets/studio.js", "/downloads/" + "x" * 43, "/nowhere", "/studio-x/")
    for path in (*paths, inside, f"{inside}/", f"{inside}/api/about", f"/?token={TOKEN}", f"/?code={TOKEN}"):
        answer = browser.get(path, follow_redirects=False)
        assert answer.status_code == 401
        assert "Press Enter in the terminal" in answer.text
        assert inside not in answer.text
        told = browser.get(path, headers={"Accept": "*/*"}).json()["detail"]
        assert "press Enter in the terminal" in told
    for cookie in ("", "wrong", TOKEN, inside, "é"):
        headers = {"Cookie": f"{COOKIE}={cookie}".encode()}
        assert browser.get(f"{inside}/api/about", headers=headers).status_code == 401  # type: ignore[arg-type]


def test_u3_a_code_opens_once(browser: TestClient, studio: Studio) -> None:
    code = studio.access.issue()
    answer = browser.get(f"/?code={code}", headers={"Sec-Purpose": "prefetch;prerender"})
    assert answer.status_code == 401
    assert browser.head(f"/?code={code}").status_code == 401  # neither has used it up
    assert browser.get(f"/?code={code}").status_code == 200
    assert browser.get(f"{studio.access.path}/api/about").status_code == 200
    again = browser.get(f"/?code={code}")
    assert again.status_code == 401
    assert "This address has been used already" in again.text
    assert browser.get(f"{studio.access.path}/api/about").status_code == 200  # who is in, stays in
    _entered(browser, studio)


def test_u3_a_code_becomes_too_old(browser: TestClient, studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "CODE_SECONDS", -1.0)
    assert browser.get(f"/?code={studio.access.issue()}").status_code == 401


def test_the_oldest_browser_is_out_when_there_are_too_many() -> None:
    access = Access()
    sessions = [access.redeem(access.issue()) or "" for _ in range(bounds.SESSIONS + 1)]
    assert [access.is_open_to(session) for session in sessions] == [False] + bounds.SESSIONS * [True]


def test_w5_u4_the_code_becomes_a_cookie_for_one_path(browser: TestClient, studio: Studio) -> None:
    code = studio.access.issue()
    answer = browser.get(f"/?code={code}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == studio.access.path + WELCOME
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    pair, *rules = answer.headers["set-cookie"].split("; ")
    assert sorted(rules) == ["HttpOnly", f"Path={studio.access.path}/", "SameSite=Strict"]
    session = pair.removeprefix(f"{COOKIE}=")
    assert code not in session and studio.access.token not in session
    # 12 random bytes, others for each studio: nobody makes a browser send the cookie elsewhere by chance
    paths = {Access().path for _ in range(100)}
    assert len(paths) == 100
    assert all(len(path.removeprefix("/studio-")) == 16 for path in paths)
    # outside its path the cookie counts for nothing
    stolen = {"Cookie": f"{COOKIE}={session}"}
    assert browser.get("/api/about", headers=stolen).status_code == 401
    assert browser.get(f"{studio.access.path}/api/about", headers=stolen).status_code == 200


def test_w5_the_first_page_leads_on_to_an_address_without_the_code(browser: TestClient, studio: Studio) -> None:
    first = browser.get(f"/?code={studio.access.issue()}")
    assert first.url.path == studio.access.path + WELCOME
    assert not first.url.query
    assert 'http-equiv="refresh" content="0; url=./"' in first.text
    page = browser.get(f"{studio.access.path}/")
    assert 'id="flexframe-root"' in page.text
    for asset in re.findall(r'(?:src|href)="(assets/[^"]+)"', page.text):
        assert browser.get(f"{studio.access.path}/{asset}").status_code == 200


def test_the_way_in_may_begin_at_a_file_and_nothing_else_may(browser: TestClient, studio: Studio) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    code, inside = studio.access.issue(), studio.access.path
    assert browser.get(f"/?code={code}", headers=elsewhere).status_code == 200  # and so has been its redirection
    assert browser.get(f"{inside}/", headers=elsewhere).status_code == 403
    assert browser.get(f"{inside}/api/about", headers=elsewhere).status_code == 403
    code = studio.access.issue()
    assert browser.get(f"/?code={code}", headers={"Origin": "http://evil.example"}).status_code == 403
    assert browser.get(f"/?code={code}", headers={"Host": "evil.example"}).status_code == 421
    assert browser.get(f"/?code={code}").status_code == 200


def test_w1_the_cookie_alone_does_not_let_other_pages_in(browser: TestClient, studio: Studio) -> None:
    _entered(browser, studio)
    check = f"{studio.access.path}/api/check"
    assert browser.post(check, json={"name": "a.yaml", "text": ""}).status_code == 200
    for headers in ({"Origin": "http://127.0.0.1:9"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}):
        assert browser.post(check, json={"name": "a.yaml", "text": ""}, headers=headers).status_code == 403


def _arguments() -> list[str]:
    """The command lines of all processes of this machine that can be read."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(entry.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue  # it has ended meanwhile
    return found


def _given(port: int, code: str) -> tuple[str, str]:
    """Path and session that a browser gets for a code."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", f"/?code={code}")
    answer = connection.getresponse()
    connection.close()
    location, cookie = answer.headers["location"], answer.headers["set-cookie"]
    return location.removesuffix(WELCOME), cookie.partition(";")[0].partition("=")[2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_u2_u6_no_secret_in_the_list_of_processes_nor_in_what_is_printed(tmp_path: Path) -> None:
    """The browser is a script that notes its arguments."""
    (tmp_path / "work").mkdir()
    told, fake = tmp_path / "arguments.txt", tmp_path / "browser.sh"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{told}.new" && mv "{told}.new" "{told}"\n')
    fake.chmod(0o755)
    variables = {"BROWSER": f"{fake} %s", "FLEXFRAME_STUDIO_TOKEN": TOKEN + "-of-a-script"}
    with started(tmp_path / "work", **variables) as program:
        printed = program.new_address()
        port = int(urlsplit(printed).port or 0)
        bearer = {"Authorization": f"Bearer {variables['FLEXFRAME_STUDIO_TOKEN']}"}
        (given,) = eventually(lambda: told.exists() and told.read_text().split())
        lead = Path(url2pathname(urlsplit(given).path))
        assert stat.S_IMODE(lead.stat().st_mode) == 0o600
        (code,) = re.findall(r'url=http://127\.0\.0\.1:\d+/\?code=([^"]+)"', lead.read_text())
        assert code not in printed  # each works once
        again = program.press_enter()
        codes = [code, *(address.partition("code=")[2] for address in (printed, again))]
        assert len(set(codes)) == 3
        secrets = [*codes, variables["FLEXFRAME_STUDIO_TOKEN"]]
        inside = ""
        for one in codes:
            inside, session = _given(port, one)
            secrets += [inside, session]
        assert asked(port, "GET", "/api/about", **bearer)[0] == 200
        draft = '{"name": "a.yaml", "text": "title: ["}'
        assert asked(port, "POST", "/api/check", draft, **bearer)[0] == 200  # the process of cases is at work
        assert asked(port, "GET", f"{inside}/api/runs/x", "{", **bearer)[0] == 422
        assert asked(port, "GET", "/?code=" + codes[0], Authorization="")[0] == 401
        children = [
            int(child)
            for task in Path(f"/proc/{program.process.pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
        lines = _arguments()
        assert any("flexframe.studio.case_process" in line for line in lines)
        assert not [line for line in lines for secret in secrets if secret in line]
        assert len(children) >= 2
        for child in children:  # nor is it handed on
            variables_of_child = (Path("/proc") / str(child) / "environ").read_bytes()
            assert variables["FLEXFRAME_STUDIO_TOKEN"].encode() not in variables_of_child
    output = "".join(program.printed)
    found = [secret for secret in secrets if secret in output]
    assert sorted(found) == sorted(codes[1:])  # what was printed to be opened, and is used up
    assert not lead.exists()


@pytest.mark.parametrize("token", ["", "short", "with a blank in it " * 3, "ü" * 40])
def test_a_token_that_can_be_guessed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("FLEXFRAME_STUDIO_TOKEN", token)
    result = CliRunner().invoke(app, ["studio", "--no-open", "--workspace", str(tmp_path)])
    assert result.exit_code == 2
    assert "20 or more letters and digits" in result.output
    assert not token or token not in result.output
    assert "FLEXFRAME_STUDIO_TOKEN" not in os.environ
