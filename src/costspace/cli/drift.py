"""`costspace drift`: what has changed between two saved tables, with the evidence."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from costspace.checks import check_prevalence
from costspace.cli.answer import GateOptions, give
from costspace.cli.console import check_output, progress
from costspace.cli.drift_page import print_drift, print_drift_details
from costspace.cli.numbers import OptionalReal
from costspace.cli.options import Differences, OptionalOutput, check_metrics
from costspace.errors import CostspaceError, FileError
from costspace.watching.changes import Drift
from costspace.estimates.quantities import QUANTITIES
from costspace.watching.drifting import drift as drift_of
from costspace.frames.folders import place_of
from costspace.frames.paths import listed
from costspace.frames.storage import chosen, counted_of, load
from costspace.summaries.counts import ScoreCounts


def drift(
    before: Path,
    after: Path,
    /,
    *,
    score: list[str] | None = None,
    metric: list[str] | None = None,
    prevalence: OptionalReal = None,
    differences: Differences = Differences(),
    details: bool = False,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
) -> int:
    """Say what has changed between two saved tables of the same models, and what to do.

    Example: costspace drift january.parquet february.parquet

    Parameters
    ----------
    before
        A saved table, as `tally` and `merge` make them.
    after
        A later one, of other rows.
    score
        A model in both tables; repeat it for several. Default: all.
    metric
        What to compare; repeat it for several: prevalence, calibration_in_the_large (mean score
        minus prevalence), a metric of `evaluate`, or an expected loss such as
        expected_loss.cost.optimal. Default: all.
    prevalence
        Share of positives at deployment, for metrics and losses. Default: that of the rows.
    details
        Print everything that is compared of each model.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before large files are read.
    gate.check()
    terms = {**differences.terms(), "prevalence": prevalence}
    if prevalence is not None:
        check_prevalence(prevalence)
    check_metrics(metric or (), QUANTITIES)
    if place_of(before) == place_of(after):
        raise FileError(f"{after} is named twice: its rows would be compared with themselves.")
    check_output(output, before, after)
    with progress() as step:
        done = step("comparing", 1)
        pairs = _pairs(before, after, score)
        found = {}
        for i, (name, (one, other)) in enumerate(pairs.items(), 1):
            try:
                found[name] = drift_of(one, other, quantities=metric or QUANTITIES, **terms)
            except CostspaceError as error:
                raise type(error)(f"{name}: {error}") from None
            done(i / len(pairs))

    def shown(console: Console) -> None:
        if details:
            print_drift_details(before, after, found, console)
        else:
            print_drift(found, console)

    plain = partial(_plain, before, after, found)
    return give(plain, shown, gate, json=json, output=output)


def _pairs(
    before: Path, after: Path, score: list[str] | None
) -> dict[str, tuple[ScoreCounts, ScoreCounts]]:
    """The models asked for, in both files."""
    first, second = (counted_of(load(path), path) for path in (before, after))
    if score is None:
        if first.keys() != second.keys():
            raise FileError(
                f"{before} has models {listed(first)}, and {after} {listed(second)}: say which to "
                "compare with --score."
            )
        score = list(first)
    olds, news = chosen(first, score, before), chosen(second, score, after)
    return {name: (olds[name], news[name]) for name in olds}


def _plain(before: Path, after: Path, found: Mapping[str, Drift]) -> dict[str, Any]:
    drifts = list(found.values())
    return {
        "source": {
            "before": {"path": str(before), "rows": drifts[0].n_before},
            "after": {"path": str(after), "rows": drifts[0].n_after},
        },
        "level": drifts[0].level,
        "correction": drifts[0].correction,
        "models": {name: drifted.to_dict() for name, drifted in found.items()},
    }
