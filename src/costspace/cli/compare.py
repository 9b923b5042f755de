"""`costspace compare`: models two at a time, with intervals and p-values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.bands import band_lines, band_rows
from costspace.cli.console import check_output, page, printable, progress, say, write_json
from costspace.cli.evaluate import parse_costs
from costspace.condition import check_prevalence
from costspace.errors import ConditionError
from costspace.frames.files import read_rows
from costspace.inference.differences import ModelComparison, ModelDifference
from costspace.inference.interval import check_level
from costspace.inference.named import statistic_named
from costspace.inference.paired import compare as compare_models
from costspace.metrics.by_name import LARGER_IS_BETTER

_METRICS = ("auc", "brier", "h_measure", "voros", "expected_loss.cost.optimal")


def compare(
    file: Path,
    /,
    *,
    label: str,
    score: Annotated[list[str], Parameter(negative="")],
    metric: Annotated[list[str] | None, Parameter(negative="")] = None,
    weight: str | None = None,
    positive: str | None = None,
    prevalence: float | None = None,
    costs: str = "uniform(0,1)",
    level: float = 0.95,
    groups: str | None = None,
    correction: Literal["holm", "bonferroni", "none"] = "holm",
    bands: Literal["score_fixed", "score_uniform", "score_driven", "optimal"] | None = None,
    axis: Literal["cost", "skew"] | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """Compare the models in a file of predictions, two at a time, on the same rows.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    label
        Column of labels.
    score
        Column of a model's scores, higher meaning more positive; once for each model, two or more.
    metric
        What to compare by, once for each: a metric of `evaluate`, or an expected loss such as
        expected_loss.cost.optimal; AUC, Brier score, H, VOROS and optimal expected loss unless
        given.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    prevalence
        Share of positives at deployment; the file's unless given.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1),
        beta(2,2), point(0.2).
    level
        Confidence level of the intervals.
    groups
        Column that says which cluster a row belongs to, such as a patient or a customer: rows of
        one may depend on each other, and the intervals and p-values allow for it.
    correction
        How p-values are adjusted for there being several.
    bands
        Say in which conditions one model has less loss than another under this threshold choice,
        by simultaneous confidence bands.
    axis
        What the conditions of the bands are: cost proportion, unless given, or skew.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    check_level(level)
    if prevalence is not None:
        check_prevalence(prevalence)
    if axis is not None and bands is None:
        raise ConditionError("--axis is for bands: add --bands.")
    metrics = _METRICS if metric is None else tuple(metric)
    for name in metrics:
        statistic_named(name, distribution)
    if len(score) < 2:
        raise ConditionError("there is one model to compare: give --score twice.")
    check_output(output, file)
    with progress() as step:
        rows = read_rows(
            file,
            label=label,
            scores=score,
            weight=weight,
            positive=positive,
            groups=groups,
            progress=step(f"reading {file.name}", 100),
        )
        comparison = compare_models(
            rows.positive,
            rows.scores,
            metrics,
            costs=distribution,
            level=level,
            correction=None if correction == "none" else correction,
            prevalence=prevalence,
            sample_weight=rows.weight,
            groups=rows.groups,
        )
        conditions = (
            []
            if bands is None
            else band_rows(rows, bands, axis or "cost", level=level, prevalence=prevalence)
        )
    if json:
        found: dict[str, Any] = {
            "source": {"path": str(file), "rows": comparison.n},
            "level": comparison.level,
            "correction": comparison.correction,
            "pairs": comparison.to_rows(),
            "notes": dict(comparison.notes),
        }
        if bands is not None:
            found["bands"] = conditions
        write_json(found, output)
    else:
        with page(output) as console:
            _print_comparison(comparison, file, console)
            if bands is not None:
                console.print()
                for line in band_lines(conditions, level):
                    say(console, line)


def _print_comparison(comparison: ModelComparison, path: Path, console: Console) -> None:
    say(console, f"{path}: {comparison.summary()}")
    console.print()
    table = Table(box=None, pad_edge=False)
    for heading in ("metric", "models"):
        table.add_column(heading, overflow="fold")
    adjusted = [f"p, {comparison.correction}"] if comparison.correction else []
    for heading in ("difference", f"{100 * comparison.level:g} % interval", "p", *adjusted):
        table.add_column(heading, justify="right")
    for pair in comparison.pairs:
        shown = (
            pair.metric,
            f"{printable(pair.a)} - {printable(pair.b)}",
            f"{pair.difference:.6f}",
            f"{pair.low:.5f} to {pair.high:.5f}",
            f"{pair.p:.3g}",
            *([f"{pair.p_adjusted:.3g}"] if adjusted else []),
        )
        style = "bold" if _is_clear(pair, comparison.level) else ""
        table.add_row(*(Text(cell, style) for cell in shown))
    console.print(table)
    console.print()
    for line in _remarks(comparison):
        say(console, line)
    for name, note in comparison.notes.items():
        say(console, f"No {name}: {note}")
    if console.is_terminal and any(_is_clear(pair, comparison.level) for pair in comparison.pairs):
        adjusted_p = "adjusted p" if adjusted else "p"
        say(console, f"Bold where the {adjusted_p} is below {1 - comparison.level:g}.", "dim")


def _is_clear(pair: ModelDifference, level: float) -> bool:
    return pair.p_adjusted < 1 - level


def _remarks(comparison: ModelComparison) -> Iterator[str]:
    """Lines that say how to read the table."""
    pairs = comparison.pairs
    metrics = list(dict.fromkeys(pair.metric for pair in pairs))
    larger = [name for name in metrics if name in LARGER_IS_BETTER]
    smaller = [name for name in metrics if name not in LARGER_IS_BETTER]
    better = [
        f"{kind} is better for {', '.join(names)}"
        for kind, names in (("larger", larger), ("smaller", smaller))
        if names
    ]
    yield f"A difference is the first model's number less the second's; {'; '.join(better)}."
    if comparison.correction and len(pairs) > 1:
        yield (
            f"p, {comparison.correction} allows for there being {len(pairs)} comparisons; each "
            "interval stands for itself."
        )
    biased = [
        name for name in metrics if any(_biased(pair) for pair in pairs if pair.metric == name)
    ]
    if biased:
        yield (
            "Thresholds chosen on these very rows suit some models better than others: interval "
            f"and p of {', '.join(biased)} are of the difference less that bias."
        )
    if any(pair.method == "unseen" for pair in pairs):
        yield (
            "Where the rows show no difference of two models, the interval says how large one can "
            "be that goes unseen."
        )


def _biased(pair: ModelDifference) -> bool:
    return round(pair.bias, 6) != 0
