"""Every metric and every parameter-free choice, computed for one model or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.checks import check_axis, check_prevalence
from costspace.choices import ThresholdChoice
from costspace.choices.doubts import REVERSED, doubts_of, warn_of_doubts
from costspace.choices.naming import Choices, choices_by_name
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.deferral import deferred_calls
from costspace.errors import (
    ConditionError,
    ScoreError,
    SourceError,
    brief,
    without_data_warnings,
)
from costspace.evaluation.records import (
    ConditionSummary,
    Evaluation,
    ModelEvaluation,
    SourceSummary,
)
from costspace.metrics.bounded import Bounds, ModelBounds
from costspace.metrics.reported import by_kind, quantities
from costspace.predictions import Ready, check_alone, rows_of, source_of
from costspace.samples.rows import ScoredRows
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable, check_table
from costspace.summaries.counts import ScoreCounts, is_binned

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.estimates.evaluated import intervals_of
    from costspace.estimates.interval import check_level
    from costspace.estimates.model_samples import ModelSample
    from costspace.estimates.reversal import reversal_of

DEFAULT_LEVEL = 0.95
# The same weights in another order may have another sum.
_ROUNDING = 1e-9

Table: TypeAlias = ScoreSource | ScoreCounts


@underflow_to_zero
def evaluate(
    y_true: ArrayLike | Table | Mapping[str, Table],
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    choices: Choices | None = None,
    intervals: bool = False,
    level: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> Evaluation:
    """Evaluate models by every metric and by threshold choice methods.

    Parameters
    ----------
    y_true : array of shape (n,), or ScoredRows or a source alone, or a mapping of str to sources
        Labels of two classes, or by name the sources of models of the same rows: ScoreTable,
        ScoreCounts, AnalyticScores and the like. Of counts by bin every number has bounds, and is
        their midpoint.
    y_score : array of shape (n,), or mapping of str to such arrays
        Scores of one model or of several, higher meaning more positive. One model without a
        name is called "y_score".
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    axis : {"cost", "skew"}
        The axis that reports print; both are computed.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
    choices : list of ThresholdChoice, or mapping of str to such, optional
        The methods whose expected losses are computed; by default those that need nothing from
        the user.
    intervals : bool, default False
        Whether to give every number a confidence interval.
    level : float in (0, 1), optional
        Confidence level of the intervals; 0.95 by default.
    groups : array of shape (n,), optional
        The cluster of each row, for the intervals: clusters are independent, rows of one need not
        be.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.

    Returns
    -------
    Evaluation

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. Also if `level` or `groups` are given without
        intervals. A metric that has no meaning for the scores is None, with the reason among the
        notes.

    Notes
    -----
    Expected losses: Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4 and Table 4.
    A metric's source stands with its function.

    Examples
    --------
    >>> import costspace as cs
    >>> evaluation = cs.evaluate([0, 0, 1, 1], {"model": [0.1, 0.6, 0.4, 0.9]})
    >>> evaluation.models["model"].metrics["auc"]
    0.75
    """
    level = _level_of(intervals, level, groups)
    tables, rows = named_tables(
        y_true,
        y_score,
        prevalence=prevalence,
        groups=groups,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
    found = evaluate_tables(
        tables,
        costs=costs,
        axis=axis,
        prevalence=prevalence,
        choices=choices,
        level=level,
        rows=rows,
    )
    warn_of_doubts({name: model.notes for name, model in found.models.items()})
    return found


def named_tables(
    y_true: ArrayLike | Table | Mapping[str, Table],
    y_score: ArrayLike | Mapping[str, ArrayLike] | None,
    *,
    prevalence: float | None,
    groups: ArrayLike | None,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> tuple[Iterable[tuple[str, Table]], ScoredRows | None]:
    """The tables of the arguments of `evaluate`, by name, and the rows if they are rows."""
    labels: Any = y_true
    scores: Any = y_score
    named = labels if isinstance(labels, Mapping) else {"y_score": labels}
    alone = isinstance(labels, Mapping) and y_score is None
    if alone or any(isinstance(one, Ready) for one in named.values()):
        if groups is not None:
            raise SourceError("groups need rows: give y_true and y_score, not a score table.")
        check_alone(scores, pos_label, sample_weight)
        return _named(named, prevalence), None
    rows = rows_of(labels, scores, pos_label=pos_label, sample_weight=sample_weight, groups=groups)
    return tables_of(rows), rows


def _named(given: Mapping[str, Any], prevalence: float | None) -> list[tuple[str, Table]]:
    """Tables and their names, or `SourceError` unless they have equally many rows of each class.

    Nor may shares of positives differ, unless one is given for all.
    """
    tables = [(str(name), one if is_binned(one) else source_of(one)) for name, one in given.items()]
    sizes = {name: table.sizes for name, table in tables if table.sizes is not None}
    if len(set(sizes.values())) > 1:
        found = ", ".join(f"{name!r} has {a} and {b}" for name, (a, b) in sizes.items())
        raise SourceError(
            f"models must be of the same rows, and of negatives and positives {found}: evaluate "
            "each alone."
        )
    shares = {name: table.prevalence for name, table in tables}
    if prevalence is None and shares and not np.ptp(list(shares.values())) <= _ROUNDING:
        found = ", ".join(f"{name!r} has {share:.6g}" for name, share in shares.items())
        raise SourceError(
            f"models are compared at one prevalence, and {found}: give prevalence, or evaluate "
            "each alone."
        )
    return tables


def _level_of(intervals: object, level: float | None, groups: object) -> float | None:
    """The level of the intervals, None without intervals."""
    if not isinstance(intervals, bool | np.bool_):
        raise ConditionError(f"intervals must be True or False, got {brief(intervals)}.")
    if intervals:
        return DEFAULT_LEVEL if level is None else level
    for name, given in (("level", level), ("groups", groups)):
        if given is not None:
            raise ConditionError(f"{name} is for intervals: give intervals=True.")
    return None


def tables_of(rows: ScoredRows) -> Iterator[tuple[str, ScoreTable]]:
    """Each model's name and table, made one by one: only one is in memory at a time."""
    return ((name, ScoreTable.from_rows(rows, name)) for name in rows.scores)


@underflow_to_zero
def evaluate_tables(
    tables: Iterable[tuple[str, Table]],
    *,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    choices: Choices | None = None,
    level: float | None = None,
    rows: ScoredRows | None = None,
    path: str | None = None,
) -> Evaluation:
    """`evaluate` on the named tables of the same rows.

    For binned scores numbers are midpoints of bounds. With a level there are intervals, clustered
    if rows with groups are given.
    """
    # Before the first table is sorted, which can take long.
    check_axis(axis)
    costs = as_costs(costs)
    if prevalence is not None:
        check_prevalence(prevalence)
    if level is not None:
        level = check_level(level)
    by = PARAMETER_FREE if choices is None else choices_by_name(choices, PARAMETER_FREE)
    asked = quantities(by, costs)
    models = {}
    source, condition = SourceSummary(path), None
    for name, given in tables:
        ends = given.tables if isinstance(given, ScoreCounts) else (given,)
        if level is not None and len(ends) > 1:
            raise SourceError(
                "binned scores have certain bounds instead of confidence intervals: leave "
                "intervals out, or give a ScoreTable."
            )
        sources = [source_of(end, prevalence=prevalence) for end in ends]
        table = sources[0]
        if level is None:
            found = _evaluate_table(sources, asked)
        else:
            table = placed = _placed(check_table("an interval", table))
            found = _evaluate_table([placed], asked)
            intervals = intervals_of(placed, costs, by, level=level, rows=rows, model=name)
            found = replace(found, intervals=intervals)
        if table.sizes is not None:
            sample = check_table("an evaluation of rows", table)
            found = _with_doubts(found, sample, by, rows, name)
            negatives, positives = sample.negatives.rows, sample.positives.rows
            source = SourceSummary(path, negatives + positives, negatives, positives)
        models[name] = found
        condition = ConditionSummary(axis, table.prevalence, str(costs))
    if condition is None:
        raise SourceError("there are no tables to evaluate.")
    return Evaluation(source, condition, models)


def _with_doubts(
    found: ModelEvaluation,
    table: ScoreTable,
    choices: Mapping[str, ThresholdChoice],
    rows: ScoredRows | None,
    name: str,
) -> ModelEvaluation:
    notes = {**found.notes, **doubts_of(table, choices.values())}
    if table.auc < 0.5:
        sample = ModelSample(table, None if rows is None else rows.counting, name)
        notes |= {REVERSED: told} if (told := reversal_of(name, sample)) else {}
    off_scale = tuple(what for what, choice in choices.items() if choice.misfit(table))
    return replace(found, notes=notes, off_scale=off_scale)


def _placed(table: ScoreTable) -> ScoreTable:
    """The table, with a look-up that its AUC and the standard errors share."""
    return table if table.negatives.weighted else table.with_placements()


def _evaluate_table(
    ends: Sequence[ScoreSource], asked: Mapping[str, Callable[..., float]]
) -> ModelEvaluation:
    """The numbers of a table, or of bins at the best and the worst: their bounds and midpoints."""
    notes = dict[str, str]()

    def number(name: str, table: ScoreSource) -> float | None:
        try:
            return asked[name](table)
        except (ScoreError, SourceError) as error:
            notes.setdefault(name, str(error))
            return None

    # Those on choices that do not suit the scores are among the notes.
    with without_data_warnings():
        best, *others = ({name: number(name, table) for name in asked} for table in ends)
    if not others:
        return ModelEvaluation(*by_kind(best), notes)
    found = {name: _between(asked[name], best[name], others[0][name]) for name in asked}
    middles = {name: one and one.midpoint for name, one in found.items()}
    return ModelEvaluation(*by_kind(middles), notes, bounds=ModelBounds(*by_kind(found)))


def _between(metric: Callable[..., float], *values: float | None) -> Bounds | None:
    known = [value for value in values if value is not None]
    return Bounds.around(metric, *known) if len(known) == len(values) else None
