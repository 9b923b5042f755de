"""What a command loads: no more than it needs, and what each does is said without loading it."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from command_line import run

from costspace.cli import commands

DATA = Path(__file__).parents[2] / "examples" / "breast_cancer.csv"
EVALUATE = ["evaluate", DATA, "--label", "y_true", "--score", "logistic"]
RUN = """
import sys
from costspace_command import main
try:
    main()
finally:
    sys.stderr.write(" ".join(sys.modules))
"""


def loaded_by(*arguments: object) -> set[str]:
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout
    return set(ended.stderr.split())


def test_the_version_needs_no_library() -> None:
    assert not loaded_by("--version") & {"cyclopts", "rich", "numpy", "costspace.cli.commands"}


@pytest.mark.parametrize("arguments", [[], ["--help"], ["decide", "--help"]])
def test_help_does_not_load_what_commands_run(arguments: list[str]) -> None:
    loaded = loaded_by(*arguments)
    assert not loaded & {"numpy", "scipy", "duckdb", "costspace.decision.deciding"}


@pytest.mark.parametrize("more", [[], ["--json"], ["--bins", "50", "--axis", "skew"]])
def test_evaluating_a_small_file_loads_neither_pandas_nor_scipy(more: list[str]) -> None:
    assert not loaded_by(*EVALUATE, *more) & {"pandas", "scipy", "matplotlib", "sklearn"}


def function_of(name: str) -> Callable[..., object]:
    place = name.replace(" ", "_")
    function: Callable[..., object] = getattr(import_module(f"costspace.cli.{place}"), place)
    return function


@pytest.mark.parametrize("name", commands._COMMANDS)
def test_what_a_command_does_is_how_its_docstring_begins(name: str) -> None:
    function = function_of(name)
    assert inspect.getdoc(function).split("\n\n")[0] == commands._COMMANDS[name]


@pytest.mark.parametrize("name", commands._COMMANDS)
def test_the_example_in_the_help_of_a_command_can_be_typed(name: str) -> None:
    function = function_of(name)
    lines = (inspect.getdoc(function) or "").splitlines()
    [example] = [line for line in lines if line.startswith("Example: ")]
    _, program, *words = example.split()
    assert program == "costspace"
    assert commands.command_of(words).func is function


def test_help_begins_with_what_a_decision_needs(capsys: pytest.CaptureFixture[str]) -> None:
    groups = re.findall(r"╭─ (\w+)", run(capsys, "decide", "--help"))
    assert groups == ["Arguments", "Columns", "Costs", "Limits", "Gate", "Options"]
