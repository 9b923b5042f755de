"""The commands together, and how a run ends: its errors and its exit status."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

from cyclopts import App, CycloptsError

from costspace import __version__
from costspace.cli.compare import compare
from costspace.cli.console import printable
from costspace.cli.decide import decide
from costspace.cli.evaluate import evaluate
from costspace.cli.reproduce import reproduce
from costspace.errors import CostspaceError

_BAD_INPUT = 2
_INTERRUPTED = 130

app = App(
    name="costspace",
    version=__version__,
    help="How good a classifier is where it will really be used, and what to do with it.",
)
app.command(compare)
app.command(decide)
app.command(evaluate)
app.command(reproduce)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and exit with status 2 and one line on bad input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name or a dash that the terminal's encoding lacks must not end the run.
            stream.reconfigure(errors="replace")
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
    except (CostspaceError, CycloptsError) as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader has gone, and with it the reason to go on. What is left in the buffer must
        # not be tried again on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(f"{error.filename or 'standard output'}: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _fail(message: str) -> NoReturn:
    if sys.stderr is not None:
        sys.stderr.write(f"costspace: {printable(' '.join(message.split()))}\n")
    sys.exit(_BAD_INPUT)
