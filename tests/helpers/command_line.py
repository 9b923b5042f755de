"""Runs of the command line, as a user sees them, and what their JSON holds."""

from collections.abc import Iterator
from typing import Any

import pytest

from costspace.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command prints, given a run that ends well."""
    main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


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


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The names and values in nested records, such as those of JSON."""
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list):
            yield from leaves(part, f"{name}.{key}")
        else:
            yield f"{name}.{key}", part
