"""Property tests draw the same examples everywhere; no test is skipped in silence."""

import os

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--no-skips`: where everything is installed, a skipped test is a failure."""
    parser.addoption("--no-skips", action="store_true", help="fail if any test is skipped")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run with skipped tests has not passed where none may be skipped."""
    if session.config.getoption("--no-skips") and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the very end, beside the counts, that something was not tested."""
    count = _skipped(terminalreporter.config)
    if count:
        forbidden = terminalreporter.config.getoption("--no-skips")
        words = "which is an error here" if forbidden else "so that what they test is not known to work"
        terminalreporter.write_sep("!", f"{count} skipped (reasons above), {words}", red=True, bold=True)


def _skipped(config: pytest.Config) -> int:
    """How many tests or files were skipped, on all workers."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", ())) if reporter is not None else 0
