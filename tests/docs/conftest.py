"""The site of the docs, as the tests of it find it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After the other tests: by then 'make docs' beside them has built the site."""
    here = Path(__file__).parent
    own = [item for item in items if here in item.path.parents]
    others = [item for item in items if here not in item.path.parents]
    tests = sum(here.parent in item.path.parents for item in others)
    items[:] = [*others[:tests], *own, *others[tests:]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that 'make docs' builds, or one built here if that is older than its sources."""
    built = ROOT / "build" / "docs"
    folders = (ROOT / "docs", ROOT / "docs" / "_static", ROOT / "docs" / "_templates")
    sources = [*(ROOT / "docs").rglob("*.md"), *(f for d in folders for f in d.glob("*.*"))]
    # Every build writes the inventory.
    inventory = built / "objects.inv"
    newest = max(source.stat().st_mtime for source in sources)
    if inventory.exists() and inventory.stat().st_mtime >= newest:
        return built
    fresh = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
    subprocess.run([*command, str(ROOT / "docs"), str(fresh)], check=True)
    return fresh
