"""`costspace watch begin`: what is fixed before the first look at a rule."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from costspace.cli.console import check_output, page, say, told_written
from costspace.cli.drift_options import CostOptions
from costspace.cli.lines import each_wrapped
from costspace.cli.numbers import OptionalReal, OptionalWhole, Real
from costspace.cli.options import DEFAULT_LEVEL, Output
from costspace.deferral import deferred_calls
from costspace.errors import FileError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.decision.applying.saved import SavedDecision, load_decision
    from costspace.frames.storage import save
    from costspace.watching.beginning import begin_watch
    from costspace.watching.planning import plan_of


def watch_begin(
    decision: Path,
    /,
    *,
    output: Output,
    tolerance: OptionalReal = None,
    against: list[Path] | None = None,
    in_use: Annotated[bool, Parameter(negative="")] = False,
    most_cost: OptionalReal = None,
    costs: CostOptions = CostOptions(),
    level: Real = DEFAULT_LEVEL,
    looks: OptionalWhole = None,
    rows: OptionalWhole = None,
) -> None:
    """Begin to watch what the rule of a saved decision costs.

    Add the rows of each day with `costspace watch add`, and look as often as you like with
    `costspace watch show`.

    Example: costspace watch begin decision.json -o watch.parquet

    Parameters
    ----------
    decision
        What costspace decide --save has written. Its rule goes by the score, the same for all.
    output
        The watch to write, in Parquet; none that is there already.
    tolerance
        What the rule may cost per 1,000 cases. Default: the upper end of the interval of its cost
        in the decision.
    against
        Another saved decision, whose rule is compared on the same rows; repeat it for several.
    in_use
        Compare it with the rule in use that the decision names, too.
    most_cost
        Where each case has costs of its own: the most that one may cost, whatever is done with it.
    level
        1 less the chance that all rows so far call the rule worse at any look while it is not.
    looks
        How many looks are planned at most, one a day. Default: there is no end.
    rows
        How many rows each of them has: with --looks, it is told which increase they would show.
    """
    if output.exists():
        raise FileError(f"{output} is there already, and may have rows: write to another file.")
    check_output(output, decision, *(against or ()))
    saved = load_decision(decision)
    watch = begin_watch(
        saved,
        against=_by_name(against or ()),
        in_use=in_use,
        tolerance=tolerance,
        most_cost=most_cost,
        **costs.known(),
        level=level,
        looks=looks,
        rows=rows,
    )
    told = [*plan_of(watch.terms, saved), _next(output)]
    save(output, watch)
    told_written(output)
    with page(None) as console:
        say(console, *each_wrapped(told))


def _by_name(paths: Sequence[Path]) -> dict[str, SavedDecision]:
    """Other decisions by what their files are called."""
    found: dict[str, SavedDecision] = {}
    for path in paths:
        if path.stem in found:
            raise FileError(f"two files of --against are called {path.stem}: rename one.")
        found[path.stem] = load_decision(path)
    return found


def _next(output: Path) -> str:
    return f"To add a day: costspace watch add {output} FILE --label Y --day COLUMN"
