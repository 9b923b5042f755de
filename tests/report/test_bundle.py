"""The bundle of the page's scripts, as it is shipped."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from costspace.report.gathering import contents
from costspace.report.page import to_html
from translate.__main__ import PROGRAMS, written

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/costspace/report/static"
SOURCES = ROOT / "src_js"


def test_it_comes_with_the_licence_of_every_package_in_it() -> None:
    made = contents([0, 0, 1, 1], {"m": [0.1, 0.6, 0.4, 0.9]}, intervals=False)
    page = to_html(made)
    package = json.loads((SOURCES / "package.json").read_text())
    for name, version in package["dependencies"].items():
        assert f"{name} {version} (ISC)" in page
    assert "provided that the above copyright notice\nand this permission notice appear" in page


@pytest.mark.parametrize("name", ["page.js", "engine.js"])
def test_it_ends_no_script_before_its_end(name: str) -> None:
    text = (STATIC / name).read_text().lower()
    assert "</script" not in text
    assert "<!--" not in text


@pytest.mark.parametrize(
    ("bundle", "program"), list(zip(("engine.js", "page.js"), PROGRAMS, strict=True))
)
def test_what_it_runs_is_the_package_as_it_is(bundle: str, program: str) -> None:
    own = re.match(r"// Program (\w+)", written(program))
    assert own is not None
    assert own[1] in (STATIC / bundle).read_text()[:200], "run `make page`"


@pytest.mark.skipif(
    shutil.which("node") is None or not (SOURCES / "node_modules").exists(),
    reason="what is bundled can be compared only where `make page` has been run",
)
def test_it_is_that_of_the_sources(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "translate", str(SOURCES)], check=True)
    subprocess.run(["node", str(SOURCES / "build.js"), str(tmp_path)], check=True)
    for name in ("page.js", "engine.js"):
        assert (tmp_path / name).read_text() == (STATIC / name).read_text()


def test_a_page_of_many_rows_is_small() -> None:
    rng = np.random.default_rng(5)
    y = (rng.random(10_000) < 0.1).astype(int)
    scores = {f"model {i}": rng.normal((1 + 0.3 * i) * y, 1) for i in range(3)}
    made = contents(y, {name: 1 / (1 + np.exp(-s)) for name, s in scores.items()}, intervals=False)
    assert len(to_html(made).encode()) < 1_000_000
