"""How a run goes and ends: what it loads, its errors and its exit status."""

import errno
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn, TextIO

from costspace import __version__
from costspace.cli.processor import sort_without_avx512
from costspace.deferral import deferred_calls
from costspace.errors import CostspaceError, DataWarning

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.cli.commands import command_of
    from costspace.cli.lines import tell_on_stderr

_BAD_INPUT = 2
_INTERRUPTED = 130
# What a shell adds to the number of the signal that ended a run.
_ENDED = 128


def main(
    arguments: Sequence[str] | None = None, *, loaded: Callable[[], object] = lambda: None
) -> None:
    """Run the command line, and exit with status 2 and one line on bad input.

    Conditions that are not passed end with the status that the command gives.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the command's name; those that Python was started with unless given.
    loaded : callable, optional
        Called once, when what the command needs is loaded. What starts the command says that there
        is no memory left, before that and after it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name or a dash that the terminal's encoding lacks must not end the run.
            stream.reconfigure(errors="replace")
    sort_without_avx512(os.environ)
    # Arrow's own pool reserves a gibibyte of addresses, and would take most of a limit.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    status: object = None
    try:
        command = _command(sys.argv[1:] if arguments is None else arguments)
        loaded()
        with _ended_by_signals(), warnings.catch_warnings():
            # What these say stands in each answer.
            warnings.simplefilter("ignore", DataWarning)
            status = command()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen what it wanted: no failure, and no reason to go on.
        _put_aside(sys.stdout)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except (CostspaceError, OSError) as error:
        _fail(_told(error))
    if isinstance(status, int) and status:
        sys.exit(status)


def _command(arguments: Sequence[str]) -> Callable[[], object]:
    """What the words of a command line ask for, with all that it needs loaded."""
    if list(arguments) == ["--version"]:
        # Nothing else has to be loaded for that.
        return _tell_version
    try:
        return command_of(arguments)
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in {"cyclopts", "rich"}:
            raise
        raise SystemExit(
            "costspace: the command line needs its libraries: pip install 'costspace[cli]'."
        ) from None


def _tell_version() -> None:
    sys.stdout.write(f"{__version__}\n")


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


def _told(error: CostspaceError | OSError) -> str:
    """What went wrong, and what to do about it; an error that says neither is raised again."""
    if isinstance(error, CostspaceError):
        return str(error)
    if error.errno == errno.ENOMEM:
        raise error
    _put_aside(sys.stdout)
    return f"{error.filename or 'standard output'}: {error.strerror or error}."


def _fail(message: str) -> NoReturn:
    try:
        tell_on_stderr(message)
    except OSError:
        _put_aside(sys.stderr)
    sys.exit(_BAD_INPUT)
