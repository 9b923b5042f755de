"""`make help` says what can be made."""

import re
from pathlib import Path

MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")


def test_help_has_every_target_in_order() -> None:
    (targets,) = re.findall(r"^\.PHONY: help (.*)$", MAKEFILE, re.MULTILINE)
    shown = MAKEFILE.partition("\n\n")[0]
    assert re.findall(r"^# make ([a-z-]+)  ", shown, re.MULTILINE) == targets.split()
