"""The results of an evaluation, in one frozen record that every report reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.checks import AXES
from costspace.choices.doubts import doubts_among
from costspace.evaluation.reports import (
    OF_BOUNDS,
    TableRows,
    as_html,
    as_text,
    ends_shown,
    of_intervals,
    shown,
)
from costspace.metrics import METRICS
from costspace.metrics.bounded import Bounds, ModelBounds

if TYPE_CHECKING:
    from costspace.estimates.estimates import Estimate
    from costspace.estimates.evaluated import Intervals


@final
@dataclass(frozen=True)
class SourceSummary:
    """Where the predictions came from: a path (None in memory), and their numbers of rows.

    A population has no rows, and None of each.
    """

    path: str | None
    rows: int | None = None
    negatives: int | None = None
    positives: int | None = None


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
class ModelEvaluation(FrozenValue):
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
        Why a number is None, by the name of what is missing; by "scores" and "thresholds", what the
        scores look like and why probability thresholds do not suit them.
    off_scale : tuple of str
        The choices whose thresholds do not suit the scores: their losses say nothing of the model.
    intervals : Intervals or None
        Confidence intervals of the numbers, if requested.
    bounds : ModelBounds or None
        Certain bounds of the numbers, if scores are known only by bin; the numbers are then the
        midpoints.

    Examples
    --------
    >>> import costspace as cs
    >>> model = cs.evaluate([0, 0, 1, 1], {"margin": [-2.0, 0.4, -0.1, 1.7]}).models["margin"]
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
    off_scale: Sequence[str] = ()
    intervals: Intervals | None = None
    bounds: ModelBounds | None = None


@final
@dataclass(frozen=True)
class Evaluation(FrozenValue):
    """Every metric of one or several models, and their expected losses on both axes.

    Attributes
    ----------
    source : costspace.evaluation.records.SourceSummary
        Where the predictions came from, and their numbers of rows.
    condition : costspace.evaluation.records.ConditionSummary
        What was assumed about deployment.
    models : mapping of str to ModelEvaluation
        Each model's numbers, by its name.

    Examples
    --------
    >>> import costspace as cs
    >>> s = {"first": [0.1, 0.6, 0.4, 0.9], "second": [0.2, 0.3, 0.6, 0.7]}
    >>> evaluation = cs.evaluate([0, 0, 1, 1], s)
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

        Expected losses are named ``expected_loss_AXIS_CHOICE``. Next to a midpoint are its bounds,
        with the suffixes ``_low`` and ``_high``.
        """
        models = self.models.values()
        columns: dict[str, NDArray[Any]] = {"model": np.array(list(self.models))}
        for name in METRICS:
            columns[name] = np.array([m.metrics[name] for m in models], dtype=float)
        for axis in AXES:
            for choice in self._choices:
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
        """The numbers of reports: per section and quantity one for each model."""
        return self._sections_of(list(self.models.values()))

    def intervals(self) -> dict[str, dict[str, list[Estimate | None]]]:
        """The intervals of the numbers in `sections`, in the same order; empty if not requested."""
        found = [model.intervals for model in self.models.values()]
        return self._sections_of(found) if any(found) else {}

    def bounds(self) -> dict[str, dict[str, list[Bounds | None]]]:
        """The bounds of the numbers in `sections`, in the same order; empty if they are exact."""
        found = [model.bounds for model in self.models.values()]
        return self._sections_of(found) if any(found) else {}

    @property
    def _choices(self) -> list[str]:
        return list(next(iter(self.models.values())).expected_loss[AXES[0]])

    def _sections_of(
        self, found: Sequence[ModelEvaluation | Intervals | ModelBounds | None]
    ) -> dict[str, dict[str, list[Any]]]:
        """Per section and quantity the value of each model, None where it has none."""
        axis = self.condition.axis
        return {
            "metrics": {name: [one and one.metrics[name] for one in found] for name in METRICS},
            f"expected loss on the {axis} axis, {self.condition.costs}": {
                choice: [one and one.expected_loss[axis][choice] for one in found]
                for choice in self._choices
            },
        }

    def ends(self) -> dict[str, dict[str, list[str]]]:
        """The text below each number in tables: its interval or its bounds, if it has any."""
        found: Mapping[str, Mapping[str, Sequence[Any]]] = self.intervals() or self.bounds()
        return {
            section: {name: [ends_shown(one) for one in of] for name, of in quantities.items()}
            for section, quantities in found.items()
        }

    def gaps(self) -> list[str]:
        """Lines on why numbers in `sections` are missing, once for all that need the same."""
        prefix = f"expected_loss.{self.condition.axis}."
        shown = {*METRICS, *(f"{prefix}{choice}" for choice in self._choices)}
        lines = []
        for model, found in self.models.items():
            without: dict[str, list[str]] = {}
            for key in (key for key in found.notes if key in shown):
                needed = found.notes[key].partition(" needs ")[2]
                why = f"that needs {needed}" if needed else found.notes[key]
                without.setdefault(why, []).append(key.removeprefix(prefix))
            lines += [f"No {', '.join(names)} of {model}: {why}" for why, names in without.items()]
        return lines

    def doubts(self) -> list[str]:
        """Lines on scores that do not look like a model's probabilities."""
        return [
            doubt
            for name, model in self.models.items()
            for doubt in doubts_among(name, model.notes)
        ]

    def remarks(self) -> list[str]:
        """Lines on how to read the intervals, and on why a number has none."""
        models = self.models.values()
        if any(model.bounds for model in models):
            return [OF_BOUNDS]
        known = [model.intervals for model in models if model.intervals is not None]
        if not known:
            return []
        estimates = {name: found for by in self.intervals().values() for name, found in by.items()}
        return [*of_intervals(known[0], estimates), *self._few_rows(), *self._gaps(estimates)]

    def _few_rows(self) -> list[str]:
        """The models whose intervals lack coverage, and how much."""
        told: dict[str, list[str]] = {}
        for name, model in self.models.items():
            if model.intervals is not None and model.intervals.note is not None:
                told.setdefault(model.intervals.note, []).append(name)
        return [f"{', '.join(names)}: {note}" for note, names in told.items()]

    def _gaps(self, estimates: Mapping[str, Sequence[Estimate | None]]) -> list[str]:
        """Why numbers have no interval, once for each reason."""
        gaps: dict[str, list[str]] = {}
        prefix = f"expected_loss.{self.condition.axis}."
        for model in self.models.values():
            notes = {} if model.intervals is None else model.intervals.notes
            for key, why in notes.items():
                name = key.removeprefix(prefix)
                if name in estimates and key not in model.notes and name not in gaps.get(why, []):
                    gaps.setdefault(why, []).append(name)
        return [f"No interval of {', '.join(names)}: {why}" for why, names in gaps.items()]

    def summary(self) -> str:
        """One line on the data and the conditions."""
        source = self.source
        rows = f"{source.rows} rows ({source.negatives} negative, {source.positives} positive), "
        known = f"prevalence {self.condition.prevalence:.6g}"
        return known if source.rows is None else rows + known

    def __repr__(self) -> str:
        below = [*self.gaps(), *self.doubts(), *self.remarks()]
        return as_text(self.summary(), list(self.models), self._rows(), below)

    def _repr_html_(self) -> str:
        below = [*self.gaps(), *self.doubts(), *self.remarks()]
        return as_html(self.summary(), list(self.models), self._rows(), below)

    def _rows(self) -> TableRows:
        """The cells of each section's rows, with the texts below the numbers."""
        below = self.ends()
        return {
            section: {
                name: (list(map(shown, values)), below[section][name] if below else [])
                for name, values in quantities.items()
            }
            for section, quantities in self.sections().items()
        }


def _model_dict(model: ModelEvaluation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "metrics": dict(model.metrics),
        "expected_loss": {axis: dict(by) for axis, by in model.expected_loss.items()},
        "notes": dict(model.notes),
    }
    if model.intervals is not None:
        found["intervals"] = model.intervals.to_dict()
        found["notes"] |= {f"intervals.{k}": why for k, why in model.intervals.notes.items()}
        if model.intervals.note is not None:
            found["notes"]["intervals"] = model.intervals.note
    if model.bounds is not None:
        found["bounds"] = model.bounds.to_dict()
    return found
