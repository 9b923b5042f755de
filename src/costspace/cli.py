"""The command line: a thin layer of typed functions over the package."""

import json as json_format
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

from costspace import __version__
from costspace.condition import check_prevalence
from costspace.costs import Beta, CostDistribution, Point, Uniform
from costspace.errors import ConditionError, CostspaceError
from costspace.evaluation import (
    LARGER_IS_BETTER,
    Evaluation,
    evaluate_tables,
    shown,
    tables_of,
)
from costspace.frames.files import read_rows
from costspace.output import write_text

try:
    from cyclopts import App, CycloptsError, Parameter
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress
    from rich.table import Table
    from rich.text import Text
except ImportError:
    raise SystemExit(
        "costspace: the command line needs its libraries: pip install 'costspace[cli]'."
    ) from None

if TYPE_CHECKING:
    from costspace.reproduce.compare import Comparison

_COSTS = {"uniform": Uniform, "beta": Beta, "point": Point}
_BAD_INPUT = 2
_INTERRUPTED = 130

app = App(
    name="costspace",
    version=__version__,
    help="How good a classifier is where it will really be used, and what to do with it.",
)


@app.command
def evaluate(
    file: Path,
    /,
    *,
    label: str,
    score: Annotated[list[str], Parameter(negative="")],
    weight: str | None = None,
    positive: str | None = None,
    prevalence: float | None = None,
    costs: str = "uniform(0,1)",
    axis: Literal["cost", "skew"] = "cost",
    json: Annotated[bool, Parameter(negative="")] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """Evaluate the models in a file of predictions, by every metric and choice method.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    label
        Column of labels.
    score
        Column of a model's scores, higher meaning more positive; once for each model.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    prevalence
        Share of positives at deployment; the file's unless given.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1),
        beta(2,2), point(0.2).
    axis
        Axis of the expected losses printed; JSON has both.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    if prevalence is not None:
        check_prevalence(prevalence)
    with _progress() as step:
        rows = read_rows(
            file,
            label=label,
            scores=score,
            weight=weight,
            positive=positive,
            progress=step(f"reading {file.name}", 100),
        )
        evaluation = evaluate_tables(
            tables_of(rows),
            costs=distribution,
            axis=axis,
            prevalence=prevalence,
            path=str(file),
            progress=step("evaluating", len(score)),
        )
    if json:
        _write(json_format.dumps(evaluation.to_dict(), indent=2, allow_nan=False) + "\n", output)
    else:
        _write_table(evaluation, output)


@app.command
def reproduce(
    *ids: str,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> None:
    """Reproduce the figures and tables of the papers, and compare the numbers they state.

    Parameters
    ----------
    ids
        Figures such as 000-fig2, or whole documents such as 000; all, if none is named.
    output
        Folder for the pictures (ID.png), the tables (ID.csv) and the comparison
        (comparison.csv), made if need be.
    """
    # Plots need a library that evaluating does not.
    from costspace.reproduce.run import reproduce_figures

    with _progress() as step:
        comparison = reproduce_figures(ids, output, progress=step("reproducing", 100))
    _print_comparison(comparison)


def parse_costs(text: str) -> CostDistribution:
    """The distribution that ``uniform(0,1)``, ``beta(2,2)`` or ``point(0.2)`` names."""
    call = re.fullmatch(r"\s*(\w+)\s*\(([^()]*)\)\s*", text)
    wanted = f"--costs must be like uniform(0,1), beta(2,2) or point(0.2), got {text!r}."
    if call is None or call[1] not in _COSTS:
        raise ConditionError(wanted)
    try:
        numbers = [float(number) for number in call[2].split(",")]
        return _COSTS[call[1]](*numbers)
    except ConditionError:
        raise
    except (TypeError, ValueError):
        raise ConditionError(wanted) from None


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
        sys.stderr.write(f"costspace: {_printable(' '.join(message.split()))}\n")
    sys.exit(_BAD_INPUT)


@contextmanager
def _progress() -> Iterator[Callable[[str, float], Callable[[float], None]]]:
    """Bars on a terminal's standard error; each step gets one and says how far it is."""
    silent = sys.stderr is None or not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=silent) as bars:

        def step(name: str, total: float) -> Callable[[float], None]:
            task = bars.add_task(escape(_printable(name)), total=total)
            return lambda done: bars.update(task, completed=done)

        yield step


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)


def _write_table(evaluation: Evaluation, output: Path | None) -> None:
    if output is None:
        _print_table(evaluation, Console(highlight=False))
    else:
        text = StringIO()
        _print_table(evaluation, Console(file=text, highlight=False, width=10_000))
        write_text(output, "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))


def _print_table(evaluation: Evaluation, console: Console) -> None:
    def say(text: str, style: str = "") -> None:
        console.print(Text(_printable(text), style), soft_wrap=True)

    say(f"{evaluation.source.path}: {evaluation.summary()}")
    for section, quantities in evaluation.sections().items():
        table = Table(box=None, pad_edge=False)
        table.add_column()
        for name in evaluation.models:
            table.add_column(Text(_printable(name)), justify="right", overflow="fold")
        for quantity, values in quantities.items():
            table.add_row(quantity, *_row(quantity, values))
        console.print()
        say(section, "bold")
        console.print(table)
    console.print()
    for name, model in evaluation.models.items():
        if model.notes:
            say(f"{name}: {next(iter(model.notes.values()))}")
    if len(evaluation.models) > 1:
        say("The best of each row is bold.", "dim")


def _print_comparison(comparison: "Comparison") -> None:
    """The stated and the computed numbers; a file or a pipe gets one line each."""
    console = Console(highlight=False)
    if console.is_terminal:
        table = Table(*comparison.columns(), box=None, pad_edge=False)
        for row in comparison.rows:
            table.add_row(*map(escape, row.cells()))
        console.print(table)
    else:
        sys.stdout.write(f"{comparison.to_text()}\n")
    console.print(Text(comparison.summary()), soft_wrap=True)


def _row(quantity: str, values: list[float | None]) -> list[Text]:
    """A row's cells, the best of several in bold."""
    numbers = [value for value in values if value is not None]
    pick = max if quantity in LARGER_IS_BETTER else min
    best = pick(numbers) if len(values) > 1 and numbers else None
    return [Text(shown(v), "bold" if v is not None and v == best else "") for v in values]


def _printable(text: str) -> str:
    """Text from a file or the command line without characters that would steer the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


if __name__ == "__main__":
    main()
