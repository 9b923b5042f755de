"""What a report page stores: the evaluation, the decision, and what other answers follow from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from costspace import __version__
from costspace.arrays import FrozenValue
from costspace.decision.decision import Decision
from costspace.decision.held_out.holdout import HeldOut
from costspace.evaluation import Evaluation
from costspace.evaluation.computing import DEFAULT_LEVEL
from costspace.metrics import METRICS
from costspace.metrics.traits import traits_of
from costspace.report.choices import stored_choices
from costspace.report.decided import answer_dict, details_dict, limits_kept
from costspace.report.question import question_of
from costspace.report.stored_rows import stored_rows


@final
@dataclass(frozen=True, eq=False, repr=False)
class ReportContents(FrozenValue):
    """The contents of a report page.

    Attributes
    ----------
    evaluation : Evaluation
        The models' numbers, with intervals if there are any.
    models : mapping of str to mapping
        By name, what charts are drawn from: cuts, hull, ROC curve and calibration.
    prevalence : float
        Share of positives in the data, as weighted, which the scores are taken to be calibrated to.
    prevalences : (low, high)
        The prevalence that the page opens with, equal ends for a value.
    estimated : bool
        Whether that is estimated from the rows.
    weighted : bool
        Whether rows have weights.
    decision : Decision or None
        What to do under those conditions, if it was asked for.
    held_out : object or None
        The rows, and how they are divided, by which the page answers other questions; None if
        there are none.
    fixed : str or None
        Why the page answers no other questions; None if it does.
    columns_used : mapping of str to str or None
        The names of the columns of labels, weights and groups, if they came from a file.
    notes : sequence of str
        What a reader has to know of the numbers.
    assumptions : sequence of str
        What was assumed.
    currency : str
        The sign of amounts that the page opens with.
    cases_a_year : float or None
        How many cases there are a year, for amounts a year; None if that is not known.

    Examples
    --------
    >>> import costspace as cs
    >>> from costspace.report import contents
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=0.2)
    >>> found = contents(y, {"model": s}, decision=cs.decide(y, {"model": s}, conditions=known))
    >>> stored = found.to_dict()
    >>> stored["models"][0]["cuts"], stored["question"]["fn_cost"]
    (4, [5.0, 50.0])
    """

    evaluation: Evaluation
    models: Mapping[str, Mapping[str, Any]]
    prevalence: float
    prevalences: tuple[float, float]
    estimated: bool
    weighted: bool
    decision: Decision | None = None
    held_out: HeldOut | None = None
    fixed: str | None = None
    columns_used: Mapping[str, str | None] | None = None
    notes: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    currency: str = ""
    cases_a_year: float | None = None

    def __repr__(self) -> str:
        return f"ReportContents({len(self.models)} models, {self.evaluation.source.rows} rows)"

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        found = self.evaluation.to_dict()
        return {
            "version": __version__,
            "source": {**_without_folders(found["source"]), "weighted": self.weighted},
            "condition": found["condition"],
            "prevalence": self.prevalence,
            "initial": {
                "prevalence": list(self.prevalences),
                "estimated": self.estimated,
                "currency": self.currency,
                "cases": self.cases_a_year,
            },
            **(self.columns_used or {}),
            "choices": stored_choices(self.prevalence),
            "metrics": [
                {"name": name, "label": one.words, "larger_is_better": one.larger_is_better}
                for name, one in zip(METRICS, map(traits_of, METRICS.values()), strict=True)
            ],
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
        decision = self.decision
        answered = None
        if decision is not None:
            answered = answer_dict(decision)
            answered["condition"] = _without_folders(answered["condition"])
            if decision.constraints:
                # What is printed has them, though nobody has opened the page for long.
                answered["limits_kept"] = limits_kept(decision)
            if self.fixed is not None:
                answered |= details_dict(decision)
        return {
            "question": None if decision is None else question_of(decision),
            "decision": answered,
            "fixed": self.fixed,
            "level": DEFAULT_LEVEL if decision is None else decision.level,
            "rows": None if self.fixed is not None else stored_rows(self.held_out),
        }

    def columns(self) -> dict[str, Any]:
        """One row a model: its numbers, as `Evaluation.columns` gives them."""
        return self.evaluation.columns()


def _without_folders(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the name of its file only: who gets a page need not know where that lay."""
    path = found.get("path")
    return {**found, "path": None if path is None else re.split(r"[\\/]", path)[-1]}
