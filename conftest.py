"""Run the blocks of the README and the docs as tests: Python, commands, and what these print.

A page's blocks run from its top in a folder of its own, which has the repository's `examples` and
`papers` in it. A `sh` block must end as it says, which is well unless a comment names another exit
status; a `text` block is what the commands before it print, with sentences beyond 100 characters
wrapped and `...` for what is left out. A comment `<!--- skip: next -->` leaves a block out, such as
one that installs something.
"""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from doctest import Example as Expected
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sybil import Example, Sybil
from sybil.evaluators.doctest import NUMBER, OutputChecker
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).parent
WIDTH = 100


def enter(namespace: dict[str, Any]) -> None:
    """Work in a folder of the page's own."""
    folder = TemporaryDirectory()
    namespace["_left"] = folder, Path.cwd()
    os.chdir(folder.name)
    for name in ("examples", "papers"):
        Path(name).symlink_to(ROOT / name)


def leave(namespace: dict[str, Any]) -> None:
    """Go back, and remove that folder."""
    folder, before = namespace["_left"]
    os.chdir(before)
    folder.cleanup()


def run(example: Example) -> str | None:
    """Run a block of commands, and keep what they print."""
    commands = example.parsed.replace("\\\n", " ").strip()
    lines = commands.splitlines()
    if all(line.startswith("costspace ") for line in lines):
        with redirect_stdout(StringIO()) as caught, redirect_stderr(caught):
            status = max(map(costspace, lines))
        printed = caught.getvalue()
    else:
        status, printed = shell(commands, Path(sys.executable).parent)
    example.namespace["_printed"] = printed
    stated = re.search(r"# exit status (\d+)", commands)
    if status == (int(stated.group(1)) if stated else 0):
        return None
    return f"exit status {status}\n{printed}"


def shell(commands: str, programs: Path) -> tuple[int, str]:
    """The exit status of commands, with the programs of a folder, and what they print."""
    ended = subprocess.run(  # noqa: S603  (the docs are ours)
        ["/bin/bash", "-euc", commands],
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout


def costspace(line: str) -> int:
    """The exit status of one command, run here because starting Python takes longer."""
    from costspace.cli import main

    try:
        main(shlex.split(line, comments=True)[1:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def compare(example: Example) -> str | None:
    """Compare a block with what the last commands printed."""
    got = "".join(wrapped(line) for line in example.namespace["_printed"].splitlines())
    checker, flags = OutputChecker(), ELLIPSIS | NUMBER
    if checker.check_output(example.parsed, got, flags):
        return None
    return checker.output_difference(Expected("", example.parsed), got, flags)


def wrapped(line: str) -> str:
    """Wrap a line as pages show it; rows of tables stay as they are."""
    if "  " in line.strip():
        return f"{line}\n"
    return "\n".join(textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]) + "\n"


pytest_collect_file = Sybil(
    parsers=[
        # The flags are those of the docstrings (pyproject.toml).
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE | NUMBER),
        CodeBlockParser(language="sh", evaluator=run),
        CodeBlockParser(language="text", evaluator=compare),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    setup=enter,
    teardown=leave,
).pytest()

collect_ignore = ["docs/conf.py", "docs/_extensions"]  # what builds the docs has no examples
