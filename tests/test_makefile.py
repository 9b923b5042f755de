"""`make help` says what can be made, and `make test` leaves out what is not smoke."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_help_has_every_target_in_order() -> None:
    (targets,) = re.findall(r"^\.PHONY: help (.*)$", MAKEFILE, re.MULTILINE)
    shown = MAKEFILE.partition("\n\n")[0]
    assert re.findall(r"^# make ([a-z-]+)  ", shown, re.MULTILINE) == targets.split()


def test_of_each_kind_that_takes_long_the_smoke_tests_are_made() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    *kinds, smoke = (line.partition(":")[0] for line in options["markers"])
    assert f'KINDS := -m "{smoke} or not ({" or ".join(kinds)})"\n' in MAKEFILE


def test_what_asks_for_a_browser_or_a_cluster_is_marked(request: pytest.FixtureRequest) -> None:
    fixtures = {"browser": {"browser"}, "cluster": {"spark", "stopped_spark", "workers"}}
    for item in request.session.items:
        for kind, names in fixtures.items():
            asked = names & {*getattr(item, "fixturenames", ())}
            assert not asked or item.get_closest_marker(kind), item.nodeid
