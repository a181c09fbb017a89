"""A real browser for tests of web pages, which reaches nothing but this machine."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",  # the tests may run as root, and in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",  # what the browser asks of its own
)
_LOCAL = ("127.0.0.1", "localhost")
_INSIDE = ("data", "blob", "about")  # addresses that need no network


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures that start servers: once, whichever folder of tests asks first."""
    config.pluginmanager.import_plugin("tests.runner.servers")


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """This machine's own Chromium, without a window.

    It ends with the module: as long as Playwright lives, nothing else in the thread can run an event loop.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    with (
        playwright.sync_playwright() as driver,
        driver.chromium.launch(executable_path=program, args=list(_ARGUMENTS)) as started,
    ):
        yield started


@pytest.fixture
def foreign_requests() -> list[str]:
    """Addresses beyond this machine that ``browser_page`` asked for, and did not get."""
    return []


@pytest.fixture
def browser_page(browser: "Browser", foreign_requests: list[str]) -> Iterator["Page"]:
    """A page with nothing stored from pages before it."""

    def note(url: str) -> None:
        if _is_foreign(url):
            foreign_requests.append(url)

    def refuse(socket: "WebSocketRoute") -> None:
        note(socket.url)
        socket.close()

    # a service worker would make requests that can't be seen from here
    with browser.new_context(viewport={"width": 1600, "height": 1000}, service_workers="block") as context:
        context.on("request", lambda request: note(request.url))  # redirected ones are seen only here
        context.route(_is_foreign, lambda route: route.abort())
        context.route_web_socket(_is_foreign, refuse)
        yield context.new_page()


def _is_foreign(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in _INSIDE and parts.hostname not in _LOCAL
