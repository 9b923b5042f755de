"""What a report page stores: the evaluation, and the scores that every number follows from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from numpy.typing import ArrayLike

from costspace import __version__
from costspace.arrays import FrozenValue
from costspace.checks import check_costs, check_number, check_prevalence
from costspace.costs import CostDistribution, Uniform
from costspace.decision.asking import held_out_for
from costspace.decision.decision import Decision
from costspace.decision.held_out_counts import HeldOutCounts
from costspace.decision.held_out_rows import HeldOutRows
from costspace.decision.holdout import HeldOut
from costspace.deployment.parts import NumberOrBounds
from costspace.errors import ConditionError, SourceError, brief
from costspace.evaluation import Evaluation
from costspace.evaluation.computing import DEFAULT_LEVEL, evaluate_tables, named_tables
from costspace.report.choices import stored_choices
from costspace.report.decided import answer_dict, details_dict
from costspace.report.question import question_of, why_fixed
from costspace.report.stored import stored_model
from costspace.report.stored_rows import stored_rows
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable, check_table


@final
@dataclass(frozen=True, eq=False)
class ReportContents(FrozenValue):
    """Everything a report page shows or computes from, without a look.

    Attributes
    ----------
    evaluation : Evaluation
        The models' numbers, with intervals if there are any.
    models : mapping of str to mapping
        By name, what the page computes from: cuts, hull, histogram and what does not change.
    prevalence : float
        Share of positives in the data, as weighted, which the scores are taken to be calibrated to.
    initial : mapping of str to (low, high)
        The costs and the prevalence that the page opens with, equal ends for a value.
    weighted : bool
        Whether rows have weights.
    decision : Decision or None
        What to do under those conditions, if it was asked for.
    held_out : HeldOut or None
        The rows, and how they are divided, by which the page answers other questions; None if it
        is not to.
    columns_used : mapping of str to str or None
        The names of the columns of labels, weights and groups, if they came from a file.
    notes : sequence of str
        What a reader has to know of the numbers.
    assumptions : sequence of str
        What was assumed.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> found = contents(y, {"model": s}, fn_cost=(5, 50), intervals=False)
    >>> stored = found.to_dict()
    >>> stored["models"][0]["cuts"], stored["initial"]["fn_cost"]
    (4, [5.0, 50.0])
    """

    evaluation: Evaluation
    models: Mapping[str, Mapping[str, Any]]
    prevalence: float
    initial: Mapping[str, tuple[float, float]]
    weighted: bool
    decision: Decision | None = None
    held_out: HeldOut | None = None
    columns_used: Mapping[str, str | None] | None = None
    notes: Sequence[str] = ()
    assumptions: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        found = self.evaluation.to_dict()
        return {
            "version": __version__,
            "source": {**found["source"], "weighted": self.weighted},
            "condition": found["condition"],
            "prevalence": self.prevalence,
            "initial": {name: list(ends) for name, ends in self.initial.items()},
            **(self.columns_used or {}),
            "choices": stored_choices(self.prevalence),
            "models": [
                {"name": name, **self.models[name], **numbers}
                for name, numbers in found["models"].items()
            ],
            **self._asked(),
            "notes": list(self.notes),
            "assumptions": list(self.assumptions),
        }

    def _asked(self) -> dict[str, Any]:
        """The question that the page opens with, its answer, and what it answers others by."""
        decision, fixed = self.decision, why_fixed(self.held_out)
        question = None if decision is None else question_of(decision)
        if fixed is None and decision is not None and question is None:
            fixed = "What was asked of this decision goes beyond the inputs of a page."
        answered = None if decision is None else answer_dict(decision)
        if fixed is not None and answered is not None and decision is not None:
            answered |= details_dict(decision)
        return {
            "question": question,
            "decision": answered,
            "fixed": fixed,
            "level": DEFAULT_LEVEL if decision is None else decision.level,
            "rows": stored_rows(self.held_out)
            if fixed is None and isinstance(self.held_out, HeldOutRows | HeldOutCounts)
            else None,
        }

    def columns(self) -> dict[str, Any]:
        """One row a model: its numbers, as `Evaluation.columns` gives them."""
        return self.evaluation.columns()


def contents(
    y_true: ArrayLike | ScoreTable | Mapping[str, ScoreTable],
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    fp_cost: NumberOrBounds = 1.0,
    fn_cost: NumberOrBounds = 1.0,
    prevalence: NumberOrBounds | None = None,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    intervals: bool = True,
    level: float = DEFAULT_LEVEL,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    decision: Decision | None = None,
) -> ReportContents:
    """Gather what a report page stores: all that it needs, as an Evaluation alone does not.

    Parameters
    ----------
    y_true : array of shape (n,), or a ScoreTable alone, or a mapping of str to such
        Labels of two classes, or by name the tables of models of the same rows.
    y_score : array of shape (n,), or mapping of str to such arrays
        Scores of one model or of several, higher meaning more positive.
    fp_cost, fn_cost : float or (low, high)
        Costs that the page opens with, positive.
    prevalence : float or (low, high), optional
        Share of positives at deployment that the page opens with; the data's by default. The
        evaluation uses a number; of a range it uses the data's.
    costs, axis, level, groups, pos_label, sample_weight
        As in `evaluate`.
    intervals : bool, default True
        Whether to give every number a confidence interval.
    decision : Decision, optional
        What `decide` found, to be shown too.

    Returns
    -------
    ReportContents

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so.

    Notes
    -----
    Up to 20,000 distinct scores a model (60,000 among more than three) are stored as they are, and
    the page's numbers are those of the library to rounding. Of more, the corners of the ROC hull
    are kept, and scores so close that rates in between are off by at most the tolerance that is
    stored. Integrals of loss curves from knot to knot are the library's then, in single precision.

    Examples
    --------
    >>> contents([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], intervals=False).prevalence
    0.5
    """
    tables, rows = named_tables(
        y_true, y_score, groups=groups, pos_label=pos_label, sample_weight=sample_weight
    )
    return contents_of(
        ((name, _table(one)) for name, one in tables),
        known={"fp_cost": fp_cost, "fn_cost": fn_cost, "prevalence": prevalence},
        costs=costs,
        axis=axis,
        level=level if intervals else None,
        rows=rows,
        decision=decision,
    )


def contents_of(
    tables: Iterable[tuple[str, ScoreTable]],
    *,
    known: Mapping[str, NumberOrBounds | None],
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    level: float | None = None,
    rows: ScoredRows | None = None,
    path: str | None = None,
    decision: Decision | None = None,
    columns_used: Mapping[str, str | None] | None = None,
) -> ReportContents:
    """`contents` of named tables; `known` holds what the page opens with, None for the data's."""
    initial = {
        name: _ends(name, known[name])
        for name in ("fp_cost", "fn_cost", "prevalence")
        if known.get(name) is not None
    }
    named = list(tables)
    if not named:
        raise SourceError("there are no tables to report on.")
    own = named[0][1].prevalence
    low, high = initial.get("prevalence", (own, own))
    at = low if low == high and "prevalence" in initial else None
    evaluation = evaluate_tables(
        named, costs=costs, axis=axis, prevalence=at, level=level, rows=rows, path=path
    )
    models = {}
    for name, table in named:
        at_first = own if at is None else at
        models[name] = stored_model(table, at_first, len(named), evaluation.models[name])
    weighted = any(table.weighted for _, table in named)
    if decision is not None:
        held_out = decision.task.held_out
    elif rows is not None:
        held_out = held_out_for(rows)
    else:
        held_out = None
    return ReportContents(
        evaluation,
        models,
        own,
        {"fp_cost": (1.0, 1.0), "fn_cost": (1.0, 1.0), "prevalence": (own, own), **initial},
        weighted,
        decision,
        held_out,
        columns_used,
        _notes(evaluation, models),
        _assumptions(own, decision),
    )


def _table(given: object) -> ScoreTable:
    return check_table("a report", given, needs="labels and scores, or a ScoreTable")


def _ends(name: str, amount: Any) -> tuple[float, float]:
    """The bounds of an amount, equal for a value, or `ConditionError` unless it can be so."""
    low, high = amount if isinstance(amount, tuple | list) and len(amount) == 2 else (amount,) * 2
    ends = check_number(name, low), check_number(name, high)
    for end in ends:
        if name == "prevalence":
            check_prevalence(end)
        else:
            check_costs(name, end)
    if ends[0] > ends[1]:
        raise ConditionError(f"{name} must be (low, high), got {brief(amount)}.")
    return ends


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
