"""Runs of the command line, as a user sees them, and what their JSON holds."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from rich.cells import cell_len

from costspace.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object, warns: bool = False) -> str:
    """What the command prints, given a run that ends well; if it `warns`, that is not looked at."""
    main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert warns or printed.err == ""
    return printed.out


def warned(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[str, str]:
    """What the command prints, given a run that ends well, and what it warns of meanwhile."""
    main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert printed.err.startswith("costspace: warning: ")
    assert printed.err.count("\n") == 1
    return printed.out, printed.err.removeprefix("costspace: warning: ").rstrip()


def in_a_line(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command prints, however it is wrapped."""
    return " ".join(run(capsys, *arguments).split())


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """What the command gives as JSON."""
    return json.loads(run(capsys, *arguments, "--json"))


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line on standard error of a run that ends with status 2."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    assert end.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("costspace: ")
    assert printed.err.count("\n") == 1
    return printed.err.removeprefix("costspace: ").rstrip()


def scored(models: Iterable[str]) -> list[str]:
    """The words that name the columns of models' scores."""
    return [word for model in models for word in ("--score", model)]


def lines_of(out: str) -> list[str]:
    """The lines of a page, which fit one screen of 25 lines and 80 columns."""
    lines = out.splitlines()
    assert len(lines) <= 25
    assert max(map(cell_len, lines)) <= 80
    assert " ..." not in out
    return lines


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The names and values in nested records, such as those of JSON."""
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list):
            yield from leaves(part, f"{name}.{key}")
        else:
            yield f"{name}.{key}", part
