"""The commands together, and how a run ends: its errors and its exit status."""

import errno
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import NoReturn, TextIO

from cyclopts import (
    App,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    RepeatArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from costspace import __version__
from costspace.cli.apply import apply
from costspace.cli.compare import compare
from costspace.cli.console import Terminal, one_line
from costspace.cli.decide import decide
from costspace.cli.drift import drift
from costspace.cli.evaluate import evaluate
from costspace.cli.merge import merge
from costspace.cli.report import report
from costspace.cli.tally import tally
from costspace.decision.words import listed as words_listed
from costspace.errors import CostspaceError, DataWarning
from costspace.frames.paths import listed

_BAD_INPUT = 2
_INTERRUPTED = 130
# What a shell adds to the number of the signal that ended a run.
_ENDED = 128

app = App(
    name="costspace",
    version=__version__,
    help="How good a classifier is where it will really be used, and what to do with it.",
    # An option that is left out needs no other that says so.
    default_parameter=Parameter(negative_bool=(), negative_iterable=()),
)
app.command(apply)
app.command(compare)
app.command(decide)
app.command(drift)
app.command(evaluate)
app.command(merge)
app.command(report)
app.command(tally)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and exit with status 2 and one line on bad input.

    What starts the command says that there is no memory left.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name or a dash that the terminal's encoding lacks must not end the run.
            stream.reconfigure(errors="replace")
    try:
        with _ended_by_signals(), warnings.catch_warnings():
            # What these say stands in each answer.
            warnings.simplefilter("ignore", DataWarning)
            app(
                arguments,
                console=Terminal(),
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen what it wanted: no failure, and no reason to go on.
        _put_aside(sys.stdout)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except (CostspaceError, CycloptsError, OSError) as error:
        _fail(_told(error))


def _put_aside(stream: TextIO) -> None:
    """Let what is left in a stream's buffer not be tried again on the way out."""
    # A stream that stands for none, as in a test, has no number.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a run that is told to end do so as by an error: no half-written file is left behind."""
    numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    theirs = {}
    ended: list[int] = []

    def end(number: int, _: object) -> None:
        ended.append(number)
        raise KeyboardInterrupt

    try:
        # Signals reach the main thread only; one that is ignored or handled stays so.
        if threading.current_thread() is threading.main_thread():
            for number in numbers:
                if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                    theirs[number] = signal.signal(number, end)
        yield
    except (KeyboardInterrupt, SystemExit):
        if ended:
            sys.exit(_ENDED + ended[0])
        raise
    finally:
        for number, handler in theirs.items():
            signal.signal(number, handler)


def _told(error: Exception) -> str:
    """What went wrong, and what to do about it; an error that says neither is raised again."""
    match error:
        case CostspaceError():
            return str(error)
        case CycloptsError(__cause__=CostspaceError() as cause):
            return str(cause)
        case CycloptsError():
            return _misread(error)
    if isinstance(error, OSError) and error.errno != errno.ENOMEM:
        _put_aside(sys.stdout)
        return f"{error.filename or 'standard output'}: {error.strerror or error}."
    raise error


def _misread(error: CycloptsError) -> str:
    """What is wrong with a command line, and what to do about it."""
    said = str(error)
    command = error.command_chain[-1] if error.command_chain else None
    match error:
        case MissingArgumentError(argument=argument, keyword=typed) if argument and command:
            lacks = "needs a value" if typed else "is missing"
            _, near, other = said.partition(" Did you mean")
            what = _options(command)[argument.name]
            return f"{typed or argument.name} {lacks}: {what}{near}{other}"
        case UnknownOptionError(token=token) if command:
            return _unknown(token.keyword or token.value, command, said)
        case RepeatArgumentError(token=token) if token.keyword:
            return f"{token.keyword} is given more than once, and takes one value: give it once."
        case UnusedCliTokensError(unused_tokens=[_, *_] as words):
            return (
                f"nothing takes {listed(words)}: repeat an option for each of its values, as in "
                "--score A --score B, and put a pattern of files in quotes."
            )
    return said


def _unknown(option: str, command: str, said: str) -> str:
    """What is wrong with an option that a command does not take, at least not there."""
    having = [name for name in _commands() if option in _options(name)]
    if command in having:
        return f"{option} comes after --, where nothing is an option: leave out the --."
    if having:
        return f"{command} has no {option}: it belongs to {words_listed(having)}."
    if "Did you mean" in said:
        return said
    return f"{said} costspace {command} --help lists those that there are."


def _commands() -> list[str]:
    return [name for name in app if not name.startswith("-")]


def _options(command: str) -> dict[str, str]:
    """What a command takes, by every name, and what each is."""
    arguments = app[command].assemble_argument_collection(
        default_parameter=app.default_parameter, parse_docstring=True
    )
    return {name: one.parameter.help or "" for one in arguments for name in one.names}


def _fail(message: str) -> NoReturn:
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"costspace: {one_line(message)}\n")
            sys.stderr.flush()
        except OSError:
            _put_aside(sys.stderr)
    sys.exit(_BAD_INPUT)
