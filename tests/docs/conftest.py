"""The site of the docs, as the tests of it find it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After the other tests: by then 'make docs' beside them has built the site."""
    here = Path(__file__).parent
    # Paths are compared as texts, which is ten times as fast.
    in_tests, in_docs = f"{here.parent}{os.sep}", f"{here}{os.sep}"
    own = [item for item in items if str(item.path).startswith(in_docs)]
    others = [item for item in items if not str(item.path).startswith(in_docs)]
    tests = sum(str(item.path).startswith(in_tests) for item in others)
    items[:] = [*others[:tests], *own, *others[tests:]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that 'make docs' builds, or one built here if that is older than its sources."""
    built = ROOT / "build" / "docs"
    docs = ROOT / "docs"
    folders = (docs, docs / "_extensions", docs / "_static", docs / "_templates")
    sources = [*docs.rglob("*.md"), *(f for d in folders for f in d.glob("*.*"))]
    # Every build writes the inventory.
    inventory = built / "objects.inv"
    newest = max(source.stat().st_mtime for source in sources)
    if inventory.exists() and inventory.stat().st_mtime >= newest:
        return built
    fresh = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
    subprocess.run([*command, str(ROOT / "docs"), str(fresh)], check=True)
    return fresh
