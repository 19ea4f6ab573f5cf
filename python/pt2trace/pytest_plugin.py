"""The pytest plugin. It does nothing unless it is asked:

@pytest.mark.pt2trace(max_graph_breaks=0, max_recompiles=1)    the test fails when it compiles worse than that
def test_model(pt2trace): ...                                  the fixture is a capture (pt2trace.capture) of the test
pytest --pt2trace                                              findings of all tests at the end, and a report
"""

from typing import Any, Dict, Generator, Iterator

import pytest

from ._capture import Capture, capture
from .pytest_words import LIMITS, broken_limits

def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pt2trace")
    group.addoption("--pt2trace", action="store_true", help="report on what torch.compile did in all tests")
    group.addoption("--pt2trace-output", metavar="DIR", default="pt2trace_out", help="where that report goes (pt2trace_out)")


def pytest_configure(config: pytest.Config) -> None:
    arguments = ", ".join(f"{name}=N" for name in LIMITS)
    config.addinivalue_line("markers", f"pt2trace({arguments}): fail when torch.compile does more than that in the test. "
                                       "torch._dynamo.reset() comes before it")
    if config.getoption("--pt2trace"):
        config.pluginmanager.register(Session(config.getoption("--pt2trace-output")), "pt2trace-session")


# --- limits -----------------------------------------------------------------------------------------------------------

def _check(found: Capture, limits: Dict[str, int]) -> None:
    report = found.result
    texts = broken_limits(report, limits)
    if texts:
        findings = [str(finding) for finding in report.findings if finding.severity != "info"]
        pytest.fail("\n\n".join(["pt2trace: " + text for text in texts] + findings), pytrace=False)


def _limits_of(marker: pytest.Mark) -> Dict[str, int]:
    unknown = set(marker.kwargs) - set(LIMITS)
    if unknown or marker.args:
        raise pytest.UsageError(f"@pytest.mark.pt2trace takes {', '.join(LIMITS)}, not {', '.join(map(repr, [*marker.args, *sorted(unknown)]))}")
    return dict(marker.kwargs)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    marker = item.get_closest_marker("pt2trace")
    if marker is None:
        yield
        return
    limits = _limits_of(marker)
    import torch

    torch._dynamo.reset()
    with capture() as found:
        outcome = yield
    if outcome.excinfo is None:
        try:
            _check(found, limits)
        except pytest.fail.Exception as failure:
            outcome.force_exception(failure)


# --- the fixture, and the whole session -------------------------------------------------------------------------------

@pytest.fixture
def pt2trace() -> Iterator[Capture]:
    """A capture of the test, of which findings, graph_breaks, recompiles, ... can be asked while it runs."""
    with capture() as found:
        yield found


class Session:
    """One capture of all tests."""

    def __init__(self, output: str):
        self.output = output
        self.capture = capture()
        self.error = ""

    def pytest_sessionstart(self) -> None:
        try:
            self.capture.__enter__()
        except ImportError as error:
            self.error = str(error)

    def pytest_sessionfinish(self) -> None:
        if not self.error:
            self.capture.__exit__(None, None, None)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("pt2trace")
        if self.error:
            terminalreporter.write_line(self.error)
            return
        terminalreporter.write(self.capture.summary())
        if self.capture.compiles:
            terminalreporter.write_line(f"Report    {self.capture.report(self.output)}")
