"""An answer as JSON or as a page, held against conditions, which give the exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, final

from cyclopts import Group, Parameter
from rich.console import Console

from costspace.cli.console import page, write_json
from costspace.cli.lines import tell_on_stderr
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.gate.checking import Gate, judged, parsed

_UNDECIDED = "undecided"
_STATUS = {"pass": 0, "fail": 3, _UNDECIDED: 4}


@Parameter(name="*", group=Group("Gate", sort_key=4))
@final
@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """Conditions under which a run fails.

    Attributes
    ----------
    fail_if
        Exit with status 3 if 'KEY OP NUMBER' holds, such as 'savings.new.baseline < 0', and with 4
        if the interval of the number leaves that undecided: KEY is a number of --json by its name,
        OP one of <, <=, >, >=. Repeat it for several: the worst counts.
    undecided
        What to take an undecided condition for, if there must be two answers.
    """

    fail_if: list[str] | None = None
    undecided: Literal["pass", "fail"] | None = None

    @property
    def asked(self) -> bool:
        """Whether there is any."""
        return bool(self.fail_if)

    def check(self) -> None:
        """`ConditionError` if a condition cannot be read, before anything else is."""
        if self.undecided is not None and not self.asked:
            raise ConditionError("--undecided is for conditions: add --fail-if.")
        parsed(self.fail_if or ())

    def judged(self, plain: Mapping[str, Any]) -> Gate | None:
        """What the conditions say of an answer's JSON, if there are any."""
        return judged(plain, parsed(self.fail_if)) if self.fail_if else None

    def status(self, found: Gate | None) -> int:
        """The exit status, after each verdict is told on standard error."""
        if found is None:
            return 0
        for line in found.lines:
            tell_on_stderr(line)
        taken = found.verdict == _UNDECIDED and self.undecided
        return _STATUS[taken or found.verdict]


def give(
    plain: Callable[[], dict[str, Any]],
    shown: Callable[[Console], None],
    gate: GateOptions,
    *,
    json: bool,
    output: Path | None,
) -> int:
    """Write an answer, and give the exit status.

    Parameters
    ----------
    plain : callable
        Gives it as plain values, which are only asked for where they are needed.
    shown : callable
        Prints it.
    gate : GateOptions
    json, output
        Options of commands.

    Raises
    ------
    ConditionError
        If a condition is of nothing that is there; nothing is written then.
    """
    answer = plain() if json or gate.asked else {}
    found = gate.judged(answer)
    try:
        if json:
            write_json(answer if found is None else {**answer, **found.to_dict()}, output)
        else:
            with page(output) as console:
                shown(console)
    except BrokenPipeError:
        # What the conditions say stands, whatever the reader wants to see.
        if found is None:
            raise
    return gate.status(found)
