"""What all tests have: one profile of property tests, one browser, and no figure left open."""

import gc
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

import costspace

# Nothing that is loaded goes before the tests: see below.
gc.disable()

# What starts them in the background may have interrupts ignored, and so in all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine and run, so more of them would find nothing new: `make fuzz`
# draws others. A slow machine is not a failure.
settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    max_examples=50,
)
settings.load_profile("fixed")

# Examples are made of constants in the modules that are loaded, too: load all of them, in
# any order of the tests, except those whose libraries are not there.
SOURCES = Path(costspace.__file__).parents[1]
for path in sorted((SOURCES / "costspace").rglob("[!_]*.py")):
    # The command line exits if it lacks its libraries.
    with suppress(ImportError, SystemExit):
        import_module(".".join(path.relative_to(SOURCES).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Leave what all tests keep out of collections, which are a twelfth of the time otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def pytest_unconfigure() -> None:
    """Let all go at the end: some libraries complain of what nobody collects."""
    gc.unfreeze()


# What takes long to get ready for all of them: a browser and what pages should answer, Java, the
# models of the papers' figures, the site.
_TOGETHER = ("tests/report/", "tests/frames/.*spark", "tests/papers/", "tests/docs/")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest of these comes first: one process would be the last to end otherwise.

    What asks for a browser or a cluster is marked so here, before any is deselected.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(_TOGETHER[0]))
    for item in items:
        for kind in _kinds(item):
            item.add_marker(kind)


def _kinds(item: pytest.Item) -> Iterator[str]:
    """Of what a test needs, by its fixtures and the engine that is its parameter."""
    fixtures = {*getattr(item, "fixturenames", ())}
    if "browser" in fixtures:
        yield "browser"
    case = getattr(item, "callspec", None)
    engines = () if case is None else (one for one in case.params.values() if isinstance(one, str))
    if fixtures & {"spark", "workers"} or {"spark", "dask"} & {*engines}:
        yield "cluster"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """A process more than cores, five at most: some wait for a browser or Java; each takes 1 GB."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = (os.cpu_count() or 1) if affinity is None else len(affinity(0))
    return min(cores, 4) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of a file go to one process, but tests that share more go to one from all files."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = (what for what in _TOGETHER if re.match(what, nodeid))
            return next(shared, super()._split_scope(nodeid))

    return Together(config, log)


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """No figure that a failure or an example of the docs has left open."""
    _close_figures()
    yield
    _close_figures()


def _close_figures() -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Debian's Chromium."""
    # Not there where the tests run with the oldest scikit-learn.
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or "/usr/bin/chromium"
    # A container's user may be root, for whom Chromium has no sandbox.
    options = {"executable_path": chromium, "args": ["--no-sandbox"]}
    with sync_playwright() as driver, driver.chromium.launch(**options) as browser:
        yield browser
