"""The one rule: a costspace error or a right number, nothing else."""

import contextlib
import io
import os
import signal
import socket
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from costspace import errors
from fuzz.case import ANSWER, REFUSE, Case
from fuzz.commands import BrokenRuleError
from fuzz.sound import flaw

LONGEST_MESSAGE = 300
REFUSED, ANSWERED, COMPARED = "refused", "answered", "compared"
# NumPy's own handling of its errors, and one that a user may set. What is too small for a float
# becomes 0 in either: that is rounding.
_ERRORS = {
    False: {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"},
    True: {"divide": "raise", "over": "raise", "under": "ignore", "invalid": "raise"},
}
# The one category of warnings that the package may show.
ALLOWED = getattr(errors, "DataWarning", ())
# The folder for temporary files that `guarded` has made, None outside it.
_own: str | None = None


class HangError(BaseException):
    """A call that takes too long."""


class NetworkError(OSError):
    """An attempt to reach the network."""


@dataclass(frozen=True)
class Finding:
    """What breaks the rule: its kind, by which findings are told apart, and what was seen."""

    kind: str
    seen: str


@dataclass(frozen=True)
class Verdict:
    """What a call came to."""

    outcome: str
    finding: Finding | None = None


def judge(case: Case, seconds: float = 60.0) -> Verdict:
    """Make a call and judge its result by the rule, inside `guarded`."""
    if _own is None:
        raise RuntimeError("cases are judged in guarded(), in whose folder nothing may be left")
    before = [(array, array.tobytes()) for array in _arrays((case.args, case.options))]
    outcome, seen = ANSWERED, None
    answer, printed, told = None, io.StringIO(), []
    try:
        with _watched(seconds, printed, told), np.errstate(**_ERRORS[case.strict]):
            answer = case.run()
    except errors.CostspaceError as error:
        outcome, seen = REFUSED, _of_refusal(case, error)
    except Exception as error:  # noqa: BLE001
        seen = _of_exception(error)
    except HangError as error:
        seen = Finding(f"hang in {_place(error)}", f"no end after {seconds:g} s")
    seen = seen or _of_surroundings(case.name, printed.getvalue(), told, before)
    if seen is None and outcome is ANSWERED:
        outcome, seen = _of_answer(case, answer)
    return Verdict(outcome, seen)


def _of_answer(case: Case, answer: Any) -> tuple[str, Finding | None]:
    if case.must == REFUSE:
        return ANSWERED, Finding(
            f"{case.name}: answers bad input ({case.note})", f"answered {_shown(answer)}"
        )
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            wrong = case.right(answer)
            ill = None if wrong else flaw(answer)
    except Exception as error:  # noqa: BLE001
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.name}"
        return ANSWERED, Finding(
            f"{type(error).__name__} of the answer in {where}",
            "".join(traceback.format_exception(error, limit=-6)),
        )
    outcome = COMPARED if case.compared else ANSWERED
    if ill:
        return outcome, Finding(f"value: {ill}", f"the answer of {case.name}")
    return outcome, None if wrong is None else Finding(f"{case.name}: wrong number", wrong)


def _shown(answer: Any) -> str:
    """The repr of an answer, which may itself fail."""
    try:
        return repr(answer)[:500]
    except Exception as error:  # noqa: BLE001
        return f"what cannot be shown: {error!r}"


def _of_refusal(case: Case, error: Exception) -> Finding | None:
    message = str(error)
    flaws = wording(message)
    if flaws:
        return Finding(f"words in {_place(error)}", f"{flaws}: {message!r}")
    if not isinstance(error, ValueError) or type(error).__name__ not in vars(errors):
        return Finding(f"{type(error).__name__} is not public", message)
    if case.must == ANSWER:
        return Finding(f"{case.name}: refuses good input in {_place(error)}", repr(error))
    return None


def wording(message: str) -> str:
    """What is wrong with the words of an error."""
    flaws = []
    if "\n" in message:
        flaws.append("more than one line")
    if len(message) >= LONGEST_MESSAGE:
        flaws.append(f"{len(message)} characters")
    if not message.endswith((".", "?")):
        flaws.append("no full stop")
    return ", ".join(flaws)


def unmade(error: Exception) -> Finding:
    """A case that could not be made: what it is made with does not answer as it should."""
    found = _of_exception(error)
    return Finding(f"a case cannot be made: {found.kind}", found.seen)


def _of_exception(error: Exception) -> Finding:
    if isinstance(error, BrokenRuleError):
        return Finding(error.kind, str(error))
    return Finding(
        f"{type(error).__name__} in {_place(error)}",
        "".join(traceback.format_exception(error, limit=-8)),
    )


def _of_surroundings(
    name: str,
    printed: str,
    told: list[warnings.WarningMessage],
    before: list[tuple[np.ndarray, bytes]],
) -> Finding | None:
    for one in told:
        if ALLOWED and issubclass(one.category, ALLOWED):
            flaws = wording(str(one.message))
            if flaws:
                return Finding(f"{name}: words of a warning", f"{flaws}: {one.message}")
            continue
        at = f"{Path(one.filename).name}:{one.lineno}"
        return Finding(f"{one.category.__name__} at {at}", str(one.message))
    if printed:
        return Finding(f"{name}: prints", repr(printed[:300]))
    if any(array.tobytes() != was for array, was in before):
        return Finding(f"{name}: changes its input", "an array that was given has changed")
    left = sorted(os.listdir(_own))  # noqa: PTH208
    if left:
        # Only ever what stands in the folder that `guarded` has made.
        for one in left:
            clear(Path(_own, one))
        return Finding(f"{name}: leaves temporary files", repr(left))
    return None


def clear(path: Path) -> None:
    """Remove a file, or a folder and what is in it."""
    if path.is_dir() and not path.is_symlink():
        for inner in path.iterdir():
            clear(inner)
        path.rmdir()
    else:
        path.unlink()


def _place(error: BaseException) -> str:
    """Where in the package an error came from: the innermost of its frames there."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [one for one in frames if "/costspace/" in one.filename.replace(os.sep, "/")]
    last = (inside or frames)[-1]
    path = last.filename.replace(os.sep, "/").rpartition("/costspace/")[2]
    return f"{path}:{last.name}"


def _arrays(value: Any) -> Iterator[np.ndarray]:
    """The arrays of numbers among what is given."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "O":
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _arrays(one)
    elif isinstance(value, (list, tuple)):
        for one in value[:20]:
            yield from _arrays(one)


@contextlib.contextmanager
def _watched(
    seconds: float, printed: io.StringIO, told: list[warnings.WarningMessage]
) -> Iterator[None]:
    """Nothing is printed, and all that warns is kept; a call that hangs is ended."""
    alarms = hasattr(signal, "setitimer")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            if alarms:
                signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                yield
            finally:
                if alarms:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                told.extend(caught)


def _hung(number: int, frame: Any) -> None:
    raise HangError


def _refuse_network(*args: Any, **options: Any) -> None:
    raise NetworkError(f"a network attempt: {args[1:]!r}")


@contextlib.contextmanager
def guarded() -> Iterator[Path]:
    """A process in which cases are judged: no network, a folder for temporary files, alarms."""
    global _own  # noqa: PLW0603  (as the temporary folder is the process's)
    kept = socket.socket.connect, socket.getaddrinfo, tempfile.tempdir, os.environ.get("TMPDIR")
    alarm = signal.signal(signal.SIGALRM, _hung) if hasattr(signal, "SIGALRM") else None
    hook, sys.unraisablehook = sys.unraisablehook, _unraisable
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        _own = tempfile.tempdir = os.environ["TMPDIR"] = folder
        socket.socket.connect, socket.getaddrinfo = _refuse_network, _refuse_network
        try:
            yield Path(folder)
        finally:
            _own = None
            socket.socket.connect, socket.getaddrinfo, tempfile.tempdir, place = kept
            if place is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = place
            if alarm is not None:
                signal.signal(signal.SIGALRM, alarm)
            sys.unraisablehook = hook


def _unraisable(one: Any) -> None:
    """What ends in a finaliser is seen as a warning of the call that it ends in."""
    warnings.warn(f"unraisable: {one.exc_value!r} in {one.object!r}", RuntimeWarning, stacklevel=1)
