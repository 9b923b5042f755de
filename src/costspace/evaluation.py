"""Everything `evaluate` computes, in one frozen record that every report reads."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from html import escape
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.choices import PARAMETER_FREE
from costspace.condition import AXES, check_axis, check_prevalence
from costspace.costs import CostDistribution, Uniform, as_costs
from costspace.errors import ConditionError, ScoreError, SourceError, brief
from costspace.inference.evaluated import Intervals, intervals_of
from costspace.inference.interval import Estimate, check_level
from costspace.metrics.bounded import Bounds, ModelBounds
from costspace.metrics.by_name import METRICS
from costspace.scores.base import ScoreSource
from costspace.scores.binned import BinnedScores
from costspace.scores.predictions import check_alone, on_axis, source_of
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

DEFAULT_LEVEL = 0.95


@final
@dataclass(frozen=True)
class SourceSummary:
    """Where the predictions came from: a path (None in memory) and how many rows they are."""

    path: str | None
    rows: int
    negatives: int
    positives: int


@final
@dataclass(frozen=True)
class ConditionSummary:
    """What was assumed about deployment.

    Attributes
    ----------
    axis : {"cost", "skew"}
        The axis that reports print.
    prevalence : float
        Share of positives used: the data's, as weighted, unless overridden.
    costs : str
        Distribution of conditions that weights every expected loss.
    """

    axis: str
    prevalence: float
    costs: str


@final
@dataclass(frozen=True)
class ModelEvaluation:
    """One model's numbers.

    Attributes
    ----------
    metrics : mapping of str to float or None
        By name; None where the metric has no meaning for the scores. Range and direction are
        those of the metric's function.
    expected_loss : mapping of str to mapping of str to float or None
        By axis and choice; smaller is better. In [0, 2] on the cost axis, [0, 1] on the skew
        axis.
    notes : mapping of str to str
        Why a number is None, by the name of what is missing.
    intervals : Intervals or None
        Confidence intervals of the numbers, if they were asked for.
    bounds : ModelBounds or None
        Between what the numbers are for certain, if scores are known by bin only; the numbers
        are then the midpoints.

    Examples
    --------
    >>> model = evaluate([0, 0, 1, 1], {"margin": [-2.0, 0.4, -0.1, 1.7]}).models["margin"]
    >>> model.metrics["auc"], model.metrics["brier"]
    (0.75, None)
    >>> model.expected_loss["skew"]["optimal"]
    0.125
    >>> model.notes["brier"].partition(":")[0]
    'the Brier score needs scores in [0, 1], got scores from -2 to 1.7'
    """

    metrics: Mapping[str, float | None]
    expected_loss: Mapping[str, Mapping[str, float | None]]
    notes: Mapping[str, str]
    intervals: Intervals | None = None
    bounds: ModelBounds | None = None


@final
@dataclass(frozen=True)
class Evaluation:
    """How good models are, by every metric and every parameter-free choice on both axes.

    Attributes
    ----------
    source : SourceSummary
        Where the predictions came from, and how many rows they are.
    condition : ConditionSummary
        What was assumed about deployment.
    models : mapping of str to ModelEvaluation
        Each model's numbers, by its name.

    Examples
    --------
    >>> s = {"first": [0.1, 0.6, 0.4, 0.9], "second": [0.2, 0.3, 0.6, 0.7]}
    >>> evaluation = evaluate([0, 0, 1, 1], s)
    >>> evaluation.summary()
    '4 rows (2 negative, 2 positive), prevalence 0.5'
    >>> {name: model.metrics["auc"] for name, model in evaluation.models.items()}
    {'first': 0.75, 'second': 1.0}
    >>> evaluation.columns()["expected_loss_cost_optimal"]
    array([0.125, 0.   ])
    """

    source: SourceSummary
    condition: ConditionSummary
    models: Mapping[str, ModelEvaluation]

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        return {
            "source": asdict(self.source),
            "condition": asdict(self.condition),
            "models": {name: _model_dict(model) for name, model in self.models.items()},
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a model, NaN where a number has no meaning.

        Expected losses are named ``expected_loss_AXIS_CHOICE``. Numbers that are midpoints have
        their bounds beside them, named as they are and then ``_low`` and ``_high``.
        """
        models = self.models.values()
        columns: dict[str, NDArray[Any]] = {"model": np.array(list(self.models))}
        for name in METRICS:
            columns[name] = np.array([m.metrics[name] for m in models], dtype=float)
        for axis in AXES:
            for choice in PARAMETER_FREE:
                losses = [m.expected_loss[axis][choice] for m in models]
                columns[f"expected_loss_{axis}_{choice}"] = np.array(losses, dtype=float)
        if any(m.bounds is not None for m in models):
            for name in list(columns)[1:]:
                found = [None if m.bounds is None else m.bounds.named()[name] for m in models]
                for end in ("low", "high"):
                    ends = [getattr(one, end, np.nan) for one in found]
                    columns[f"{name}_{end}"] = np.array(ends, dtype=float)
        return columns

    def sections(self) -> dict[str, dict[str, list[float | None]]]:
        """What a reader is shown: per section and quantity one number for each model."""
        axis, models = self.condition.axis, self.models.values()
        metrics = {name: [m.metrics[name] for m in models] for name in METRICS}
        losses = {c: [m.expected_loss[axis][c] for m in models] for c in PARAMETER_FREE}
        return {
            "metrics": metrics,
            f"expected loss on the {axis} axis, {self.condition.costs}": losses,
        }

    def intervals(self) -> dict[str, dict[str, list[Estimate | None]]]:
        """The intervals of what `sections` gives, in the same order; empty if none were asked."""
        found = [model.intervals for model in self.models.values()]
        known = [intervals for intervals in found if intervals is not None]
        if not known:
            return {}
        metrics, losses = self.sections()
        axis = self.condition.axis
        return {
            metrics: {name: [one.metrics[name] for one in known] for name in METRICS},
            losses: {c: [one.expected_loss[axis][c] for one in known] for c in PARAMETER_FREE},
        }

    def bounds(self) -> dict[str, dict[str, list[Bounds | None]]]:
        """The bounds of what `sections` gives, in the same order; empty if numbers are known."""
        found = [model.bounds for model in self.models.values()]
        if not any(found):
            return {}
        metrics, losses = self.sections()
        axis = self.condition.axis
        return {
            metrics: {name: [one and one.metrics[name] for one in found] for name in METRICS},
            losses: {
                c: [one and one.expected_loss[axis][c] for one in found] for c in PARAMETER_FREE
            },
        }

    def ends(self) -> dict[str, dict[str, list[str]]]:
        """What tables show below each number: its interval or its bounds, if there are any."""
        found: Mapping[str, Mapping[str, Sequence[Any]]] = self.intervals() or self.bounds()
        return {
            section: {name: [ends_shown(one) for one in of] for name, of in quantities.items()}
            for section, quantities in found.items()
        }

    def remarks(self) -> list[str]:
        """Lines that say how to read the intervals, and why there are none of a number."""
        if any(model.bounds for model in self.models.values()):
            return ["Below each number, the middle of them: bounds that it is between for certain."]
        known = [model.intervals for model in self.models.values() if model.intervals is not None]
        if not known:
            return []
        shown = {name: found for by in self.intervals().values() for name, found in by.items()}
        of = "groups of rows" if known[0].clustered else "rows"
        lines = [
            f"Below each number: its {100 * known[0].level:g} % interval, of independent {of}."
        ]
        estimates = {name: [one for one in found if one] for name, found in shown.items()}
        upper = [n for n, found in estimates.items() if any(map(_is_bound, found))]
        if upper:
            lines.append(f'"up to" is an upper bound: samples overestimate {", ".join(upper)}.')
        biased = [n for n, found in estimates.items() if any(round(one.bias, 6) for one in found)]
        if biased:
            lines.append(
                "Thresholds chosen on these very rows suit them too well: the intervals of "
                f"{', '.join(biased)} are of the number less that bias, and can leave it out."
            )
        return lines + self._gaps(shown)

    def _gaps(self, shown: Mapping[str, Sequence[Estimate | None]]) -> list[str]:
        """Why a number that there is has no interval, once for each reason."""
        gaps: dict[str, list[str]] = {}
        prefix = f"expected_loss.{self.condition.axis}."
        for model in self.models.values():
            notes = {} if model.intervals is None else model.intervals.notes
            for key, why in notes.items():
                name = key.removeprefix(prefix)
                if name in shown and key not in model.notes and name not in gaps.get(why, []):
                    gaps.setdefault(why, []).append(name)
        return [f"No interval of {', '.join(names)}: {why}" for why, names in gaps.items()]

    def summary(self) -> str:
        """One line on the data and the conditions."""
        source = self.source
        return (
            f"{source.rows} rows ({source.negatives} negative, {source.positives} positive), "
            f"prevalence {self.condition.prevalence:.6g}"
        )

    def __repr__(self) -> str:
        below = self.ends()
        width = max(24 if below else 18, *(len(name) + 2 for name in self.models))
        lines = [self.summary()]
        for section, quantities in self.sections().items():
            lines += ["", f"{section}"]
            lines.append(" " * 18 + "".join(f"{name:>{width}}" for name in self.models))
            for quantity, values in quantities.items():
                lines.append(f"{quantity:<18}" + "".join(f"{shown(v):>{width}}" for v in values))
                if below:
                    ends = below[section][quantity]
                    lines.append(" " * 18 + "".join(f"{one:>{width}}" for one in ends))
        remarks = self.remarks()
        return "\n".join([*lines, "", *remarks] if remarks else lines)

    def _cells(self, section: str, quantity: str, values: list[float | None]) -> list[str]:
        """A row's values, with their intervals or bounds if there are any."""
        below = self.ends()
        if not below:
            return [shown(value) for value in values]
        pairs = zip(values, below[section][quantity], strict=True)
        return [f"{shown(value)}<br>{ends}" for value, ends in pairs]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.models)
        body = "".join(
            f"<tr><th colspan='{len(self.models) + 1}'>{escape(section)}</th></tr>"
            + "".join(
                f"<tr><td>{quantity}</td>"
                + "".join(f"<td>{cell}</td>" for cell in self._cells(section, quantity, values))
                + "</tr>"
                for quantity, values in quantities.items()
            )
            for section, quantities in self.sections().items()
        )
        return (
            f"<table><caption>{escape(self.summary())}</caption>"
            f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
            + "".join(f"<p>{escape(line)}</p>" for line in self.remarks())
        )


def ends_shown(found: Estimate | Bounds | None) -> str:
    """The ends of an interval as tables show them, an n-dash for none."""
    if found is None:
        return "–"
    if isinstance(found, Bounds):
        return f"{found.low:.6f} to {found.high:.6f}"
    return f"{'up' if _is_bound(found) else f'{found.low:.4f}'} to {found.high:.4f}"


def _is_bound(found: Estimate) -> bool:
    return found.method == "upper bound"


def _model_dict(model: ModelEvaluation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "metrics": dict(model.metrics),
        "expected_loss": {axis: dict(by) for axis, by in model.expected_loss.items()},
        "notes": dict(model.notes),
    }
    if model.intervals is not None:
        found["intervals"] = model.intervals.to_dict()
        found["notes"] |= {f"intervals.{k}": why for k, why in model.intervals.notes.items()}
    if model.bounds is not None:
        found["bounds"] = model.bounds.to_dict()
    return found


def shown(value: float | None) -> str:
    """A number as tables show it, an n-dash for none."""
    return "–" if value is None else f"{value:.6f}"


def evaluate(
    y_true: ArrayLike | ScoreSource | BinnedScores,
    y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    intervals: bool = False,
    level: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> Evaluation:
    """Evaluate models by every metric and every parameter-free threshold choice method.

    Parameters
    ----------
    y_true : array of shape (n,), or a ScoreTable or BinnedScores alone
        Labels of two classes. Of BinnedScores every number has bounds, and is their midpoint.
    y_score : array of shape (n,), or mapping of str to such arrays
        Scores of one model or of several, higher meaning more positive. One model without a
        name is called "y_score".
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    axis : {"cost", "skew"}
        The axis that reports print; both are computed.
    prevalence : float in (0, 1), optional
        Share of positives at deployment; the data's by default.
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
        If the input is not so, or `level` or `groups` are given without intervals. A metric that
        has no meaning for the scores is None, with the reason among the notes.

    Notes
    -----
    Expected losses: Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Equation 4 and Table 4.
    A metric's source stands with its function.

    Examples
    --------
    >>> evaluation = evaluate([0, 0, 1, 1], {"model": [0.1, 0.6, 0.4, 0.9]})
    >>> evaluation.models["model"].metrics["auc"]
    0.75
    """
    level = _level_of(intervals, level, groups)
    tables: Iterable[tuple[str, ScoreSource | BinnedScores]]
    scores: Any = y_score
    rows = None
    if isinstance(y_true, ScoreSource | BinnedScores) and groups is not None:
        raise SourceError("groups go with rows: give y_true and y_score, not a score table.")
    if isinstance(y_true, BinnedScores):
        check_alone(scores, pos_label, sample_weight)
        tables = [("y_score", y_true)]
    elif isinstance(y_true, ScoreSource):
        table = source_of(y_true, scores, pos_label=pos_label, sample_weight=sample_weight)
        tables = [("y_score", table)]
    else:
        if not isinstance(scores, Mapping):
            scores = {"y_score": scores}
        rows = ScoredRows.from_predictions(
            y_true, scores, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
        tables = tables_of(rows)
    return evaluate_tables(
        tables,
        costs=costs,
        axis=axis,
        prevalence=prevalence,
        level=level,
        rows=rows,
    )


def _level_of(intervals: object, level: float | None, groups: object) -> float | None:
    """The level of the intervals, None if none are asked for."""
    if not isinstance(intervals, bool | np.bool_):
        raise ConditionError(f"intervals must be True or False, got {brief(intervals)}.")
    if intervals:
        return DEFAULT_LEVEL if level is None else level
    for name, given in (("level", level), ("groups", groups)):
        if given is not None:
            raise ConditionError(f"{name} is for intervals: ask for them by intervals=True.")
    return None


def tables_of(rows: ScoredRows) -> Iterator[tuple[str, ScoreTable]]:
    """Each model's name and table, made when its turn comes: one is in memory at a time."""
    return ((name, ScoreTable.from_rows(rows, name)) for name in rows.scores)


def evaluate_tables(
    tables: Iterable[tuple[str, ScoreSource | BinnedScores]],
    *,
    costs: CostDistribution = Uniform(),
    axis: str = "cost",
    prevalence: float | None = None,
    level: float | None = None,
    rows: ScoredRows | None = None,
    path: str | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> Evaluation:
    """`evaluate` on the named tables of the same rows; `progress` is told how many are done.

    Of binned scores numbers are midpoints of bounds. With a level there are intervals; by
    cluster, if rows with groups are given.
    """
    # Before the first table is sorted, which can take long.
    check_axis(axis)
    costs = as_costs(costs)
    if prevalence is not None:
        check_prevalence(prevalence)
    if level is not None:
        check_level(level)
    models = {}
    source = condition = None
    for name, given in tables:
        best, worst = (
            (given.best, given.worst) if isinstance(given, BinnedScores) else (given, None)
        )
        table = source_of(best, prevalence=prevalence)
        if not isinstance(table, ScoreTable):
            raise SourceError(f"evaluate needs a ScoreTable, got {brief(table)}.")
        models[name] = _evaluate_table(table, costs)
        if worst is not None:
            if level is not None:
                raise SourceError(
                    "binned scores have bounds, which are certain, and no confidence intervals: "
                    "leave intervals out, or give a ScoreTable."
                )
            others = _evaluate_table(source_of(worst, prevalence=prevalence), costs)
            models[name] = _between(models[name], others)
        if level is not None:
            intervals = intervals_of(table, costs, level=level, rows=rows, model=name)
            models[name] = replace(models[name], intervals=intervals)
        progress(len(models))
        negatives, positives = table.negatives.rows, table.positives.rows
        source = SourceSummary(path, negatives + positives, negatives, positives)
        condition = ConditionSummary(axis, table.prevalence, str(costs))
    if source is None or condition is None:
        raise SourceError("there are no tables to evaluate.")
    return Evaluation(source, condition, models)


def _between(best: ModelEvaluation, worst: ModelEvaluation) -> ModelEvaluation:
    """The bounds of what is known of the best and of the worst, and their midpoints."""
    found = ModelBounds(
        _bounds_of(best.metrics, worst.metrics),
        {
            axis: _bounds_of(by, worst.expected_loss[axis])
            for axis, by in best.expected_loss.items()
        },
    )
    losses = {axis: _midpoints(by) for axis, by in found.expected_loss.items()}
    return ModelEvaluation(_midpoints(found.metrics), losses, best.notes, bounds=found)


def _bounds_of(
    best: Mapping[str, float | None], worst: Mapping[str, float | None]
) -> dict[str, Bounds | None]:
    pairs = {name: (value, worst[name]) for name, value in best.items()}
    return {
        name: None if a is None or b is None else Bounds.of(a, b) for name, (a, b) in pairs.items()
    }


def _midpoints(found: Mapping[str, Bounds | None]) -> dict[str, float | None]:
    return {name: None if one is None else one.midpoint for name, one in found.items()}


def _evaluate_table(table: ScoreSource, costs: CostDistribution) -> ModelEvaluation:
    notes: dict[str, str] = {}

    def number(name: str, compute: Callable[[], float]) -> float | None:
        try:
            return compute()
        except ScoreError as error:
            notes[name] = str(error)
            return None

    metrics = {name: number(name, partial(metric, table)) for name, metric in METRICS.items()}
    losses = {
        axis: {
            name: number(
                f"expected_loss.{axis}.{name}",
                partial(choice.expected_loss, on_axis(table, axis), costs),
            )
            for name, choice in PARAMETER_FREE.items()
        }
        for axis in AXES
    }
    return ModelEvaluation(metrics, losses, notes)
