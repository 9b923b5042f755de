"""Command lines, run within this process, or now and then in one of their own."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Sequence

from costspace.errors import CostspaceError

BAD_INPUT = 2
# What every line that the command line itself writes to standard error begins with.
OWN = "costspace: "


class BrokenRuleError(Exception):
    """A run that ended in a way that no run may."""

    def __init__(self, kind: str, seen: str) -> None:
        super().__init__(f"{kind}: {seen}")
        self.kind = kind


def run(*arguments: object) -> str:
    """What a command prints; a `CostspaceError` of its one line if it refuses."""
    from costspace.cli import main

    out, err, status = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    return told(status, out.getvalue(), err.getvalue())


def run_apart(*arguments: object) -> str:
    """The same in a process of its own, which also shows what libraries write by themselves."""
    ran = subprocess.run(
        [sys.executable, "-m", "costspace.cli", *(str(argument) for argument in arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    return told(ran.returncode, ran.stdout, ran.stderr)


def told(status: int, out: str, err: str) -> str:
    """What a run that ended so has printed, or an error of its one line."""
    if status == 0:
        if not all(line.startswith(OWN) for line in err.splitlines()):
            raise BrokenRuleError("status 0 with words on stderr", err[:500])
        return out
    if status != BAD_INPUT:
        raise BrokenRuleError(f"status {status}", err[-1500:])
    if out:
        raise BrokenRuleError("status 2 with something on stdout", out[:300])
    if err.count("\n") != 1 or not err.startswith(OWN):
        raise BrokenRuleError("status 2 without one line on stderr", err[-1500:])
    message = err.removeprefix(OWN).rstrip("\n")
    if "Traceback" in message:
        raise BrokenRuleError("a traceback", message)
    raise CostspaceError(message)


def shown(arguments: Sequence[object]) -> str:
    """The command line as a shell takes it."""
    import shlex

    return shlex.join(["costspace", *map(str, arguments)])
