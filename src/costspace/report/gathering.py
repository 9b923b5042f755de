"""What a report page stores: the evaluation, and the scores that every number follows from."""

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from costspace.checks import check_number, check_prevalence
from costspace.costs import CostDistribution, Uniform
from costspace.decision.asking import held_out_for
from costspace.decision.decision import Decision
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.deployment.parts import NumberOrBounds
from costspace.errors import ConditionError, LabelError, SourceError, brief, check_kind
from costspace.evaluation import Evaluation
from costspace.evaluation.computing import (
    DEFAULT_LEVEL,
    evaluate_tables,
    named_tables,
    tables_of,
)
from costspace.report.question import why_fixed
from costspace.report.record import ReportContents
from costspace.report.stored import stored_model
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable, check_table

# Characters of a currency, which stands beside every amount.
_LONGEST = 12


def contents(
    y_true: ArrayLike | ScoreTable | Mapping[str, ScoreTable],
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    prevalence: NumberOrBounds | None = None,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    intervals: bool = True,
    level: float = DEFAULT_LEVEL,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    decision: Decision | None = None,
    currency: str = "",
    cases_a_year: float | None = None,
) -> ReportContents:
    """Compute the contents of a report page.

    Parameters
    ----------
    y_true : array of shape (n,), or a ScoreTable alone, or a mapping of str to such
        Labels of two classes, or by name the tables of models of the same rows.
    y_score : array of shape (n,), or mapping of str to such arrays
        Scores of one model or of several, higher meaning more positive.
    prevalence : float or (low, high), optional
        Share of positives at deployment that the page opens with; that of the decision by default,
        or the data's. The evaluation uses a number; of a range it uses the data's.
    costs, axis, level, groups, pos_label, sample_weight
        As in `evaluate`.
    intervals : bool, default True
        Whether to give every number a confidence interval.
    decision : Decision, optional
        What `decide` found on these rows: the page opens with it. Without it the page asks what
        mistakes cost.
    currency : str, optional
        The sign of amounts, up to 12 characters.
    cases_a_year : float, optional
        How many cases there are a year: the page says what that comes to.

    Returns
    -------
    ReportContents

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.

    Notes
    -----
    From 100,000 rows of weight 1 on, scores are counted in runs of neighbours: see `hold_out`.
    Charts draw up to 3,000 distinct scores a model (9,000 among more than three) as they are. Of
    more, the corners of the ROC hull are kept, and scores so close that rates in between are off by
    at most the tolerance that is stored.

    Examples
    --------
    >>> contents([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], intervals=False).prevalence
    0.5
    """
    tables, rows = named_tables(
        y_true,
        y_score,
        prevalence=None if isinstance(prevalence, tuple | list) else prevalence,
        groups=groups,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
    return contents_of(
        ((name, _table(one)) for name, one in tables),
        prevalence=prevalence,
        costs=costs,
        axis=axis,
        level=level if intervals else None,
        rows=rows,
        decision=decision,
        currency=currency,
        cases_a_year=cases_a_year,
    )


def contents_of(
    tables: Iterable[tuple[str, ScoreTable]] | None,
    *,
    prevalence: NumberOrBounds | None = None,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    level: float | None = None,
    rows: ScoredRows | HeldOut | None = None,
    path: str | None = None,
    decision: Decision | None = None,
    columns_used: Mapping[str, str | None] | None = None,
    currency: str = "",
    cases_a_year: float | None = None,
) -> ReportContents:
    """`contents` of named tables, or of rows in folds, which are told by counts if they are many.

    The rows are those of the decision, if there is one.
    """
    check_business(currency, cases_a_year)
    held_out, fixed = _held_out(rows, decision)
    named = list(_tables_of(held_out, rows, tables))
    decided = None if decision is None else decision.task.decided_before
    if decided is not None:
        named = [(name, table) for name, table in named if name != decided.model]
    if not named:
        raise SourceError("there are no tables to report on.")
    own = named[0][1].prevalence
    low, high = _prevalences(prevalence, decision, own)
    at = low if low == high and any(table.prevalence != low for _, table in named) else None
    evaluation = evaluate_tables(
        named,
        costs=costs,
        axis=axis,
        prevalence=at,
        level=level,
        rows=held_out.rows if isinstance(held_out, HeldOutRows) else None,
        path=path,
    )
    models = {
        name: stored_model(table, len(named), evaluation.models[name]) for name, table in named
    }
    weighted = any(table.weighted for _, table in named)
    return ReportContents(
        evaluation,
        models,
        own,
        (low, high),
        prevalence is None and (decision is None or decision.task.estimated),
        weighted,
        decision,
        held_out,
        fixed,
        columns_used,
        [*_of_counts(held_out), *_notes(evaluation, models)],
        _assumptions(own, decision),
        currency,
        cases_a_year,
    )


def check_business(currency: str, cases_a_year: float | None) -> None:
    """`ConditionError` unless a currency is short text, and cases a year a number above 0."""
    check_kind("currency", currency, str)
    if len(currency) > _LONGEST or not currency.isprintable():
        raise ConditionError(
            f"currency must be text of up to {_LONGEST} characters, such as EUR, got "
            f"{brief(currency)}."
        )
    if cases_a_year is not None:
        check_number("cases_a_year", cases_a_year, low=0, open_ends=True)


def _held_out(
    rows: ScoredRows | HeldOut | None, decision: Decision | None
) -> tuple[HeldOut | None, str | None]:
    """The rows in folds, those of a decision if there is one, and why the page answers no more."""
    if decision is not None:
        return decision.task.held_out, why_fixed(decision)
    if rows is None:
        return None, "This page was made of saved tables, which have no rows to judge rules on."
    if isinstance(rows, HeldOut):
        return rows, None
    try:
        return held_out_for(rows), None
    except LabelError as error:
        return None, str(error)


def _tables_of(
    held_out: HeldOut | None,
    rows: ScoredRows | HeldOut | None,
    tables: Iterable[tuple[str, ScoreTable]] | None,
) -> Iterable[tuple[str, ScoreTable]]:
    """The tables that a page shows: of many rows those of their counts, which take no sorting."""
    if isinstance(held_out, HeldOutCounts):
        return ((name, held_out.whole(name).rows) for name in held_out.models)
    if tables is not None:
        return tables
    if held_out is not None:
        return tables_of(held_out.rows)
    if isinstance(rows, ScoredRows):
        return tables_of(rows)
    raise SourceError("there are no tables to report on.")


def _of_counts(held_out: HeldOut | None) -> list[str]:
    """What is to be said of charts and metrics of many rows."""
    if not isinstance(held_out, HeldOutCounts):
        return []
    runs = max(len(held_out.whole(name).rows.by_score.breaks) for name in held_out.models)
    return [f"Charts and metrics are of at most {runs:,} runs of neighbouring scores a model."]


def _table(given: object) -> ScoreTable:
    return check_table("a report", given, needs="labels and scores, or a ScoreTable")


def _prevalences(
    given: NumberOrBounds | None, decision: Decision | None, own: float
) -> tuple[float, float]:
    """The bounds of the prevalence, equal for a value; `ConditionError` unless it can be so."""
    if given is None:
        span = None if decision is None else decision.conditions.prevalence_range
        return (own, own) if span is None else (span.low, span.high)
    ends = given if isinstance(given, tuple | list) and len(given) == 2 else (given,) * 2
    low, high = (check_prevalence(end) for end in ends)
    if low > high:
        raise ConditionError(f"prevalence must be (low, high), got {brief(given)}.")
    return low, high


def _notes(evaluation: Evaluation, models: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a reader has to know of the numbers."""
    notes = evaluation.remarks()
    for name, model in models.items():
        if not model["complete"]:
            notes.append(
                f"{name}: this page keeps {model['cuts']:,} of {model['distinct']:,} distinct "
                f"scores; rates between them are off by at most {model['tolerance']:.1e}."
            )
    return notes


def _assumptions(prevalence: float, decision: Decision | None) -> tuple[str, ...]:
    if decision is not None:
        return tuple(decision.assumptions)
    return (
        f"scores are calibrated to a prevalence of {prevalence:.4g}, that of the data",
        "costs between two bounds are log-uniform, a prevalence is uniform in log-odds",
        "costs and prevalence vary independently",
        "correct decisions cost nothing",
    )
