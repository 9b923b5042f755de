"""What `costspace decide` is asked besides columns: costs and prevalence, constraints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

from cyclopts import Group, Parameter

from costspace.cli.numbers import OptionalReal, OptionalWhole, came, number_in, refuse_thousands
from costspace.cli.options import parse_amount, parse_cost, parse_prevalence
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError, FileError, meant
from costspace.frames.columns import Columns

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.checks import check_number, check_prevalence
    from costspace.choices.places import Batch
    from costspace.decision.limits.constraints import Constraints
    from costspace.decision.money.row_conditions import conditions_of
    from costspace.decision.strategy import Baseline
    from costspace.deployment.deployment import Deployment
    from costspace.deployment.parts import NumberOrBounds
    from costspace.deployment.review import Review
    from costspace.samples.rows import ScoredRows

# A leading hyphen may begin a gain, -20:-5, and not only an option.
_Text = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
_Number = Annotated[OptionalReal, Parameter(allow_leading_hyphen=True)]
_COSTS = {
    "fp_cost": "a false positive",
    "fn_cost": "a false negative",
    "tp_cost": "a true positive",
    "tn_cost": "a true negative",
}
_NEEDED = ("fp_cost", "fn_cost")
_BASELINE = (
    "--baseline must be MODEL:THRESHOLD, such as logistic:0.5, or a column of decisions: 1 or yes "
    "for flagged and 0 or no for not, or in words of the labels, the positive one for flagged; "
    "with a review also MODEL:LOW:HIGH, or a column of pass, review and flag"
)

# A rule in use as people write it, such as score >= 60.
_COMPARISON = re.compile(r"(?P<model>[^<>=]+?)\s*(?P<sign>[<>]=?|==?)\s*(?P<number>[^<>=]+)")


@Parameter(name="*", group=Group("Costs and prevalence, a number or LOW:HIGH", sort_key=2))
@final
@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known about deployment.

    Attributes
    ----------
    fp_cost
        Cost of a false positive.
    fn_cost
        Cost of a false negative.
    tp_cost
        Cost of a true positive, negative for a gain. Default: 0.
    tn_cost
        Cost of a true negative, negative for a gain. Default: 0.
    fp_cost_column
        Column of the cost of a false positive in each case, or a formula such as 0.6*amount + fee.
    fn_cost_column
        Column of the cost of a false negative in each case.
    tp_cost_column
        Column of the cost of a true positive in each case.
    tn_cost_column
        Column of the cost of a true negative in each case.
    prevalence
        Share of positives at deployment. Default: the file's.
    review_cost
        Cost of having a person look at a case first. Default: nobody does.
    review_sensitivity
        Share of positives that the reviewer finds. Default: 1.
    review_specificity
        Share of negatives that the reviewer passes. Default: 1.
    known
        What is known when each case is decided: costs, prevalence, or costs,prevalence for both.
        Default: nothing, but for costs in columns.
    calibrated_to
        Share of positives that scores are calibrated to. Default: the file's.
    """

    fp_cost: _Text = None
    fn_cost: _Text = None
    tp_cost: _Text = None
    tn_cost: _Text = None
    fp_cost_column: str | None = None
    fn_cost_column: str | None = None
    tp_cost_column: str | None = None
    tn_cost_column: str | None = None
    prevalence: _Text = None
    review_cost: _Text = None
    review_sensitivity: _Text = None
    review_specificity: _Text = None
    known: Annotated[str, Parameter(show_default=False)] = ""
    calibrated_to: _Number = None

    @property
    def asked(self) -> bool:
        """Whether anything but the prevalence is given: money is asked for."""
        return replace(self, prevalence=None) != Known()

    def of_cases(self) -> dict[str, str]:
        """The costs as options that tell them for new cases; NUMBER stands for one of a range."""
        found = {}
        for name in _COSTS:
            amount, column = getattr(self, name), getattr(self, f"{name}_column")
            if amount is not None:
                ranges = isinstance(parse_amount(_option(name), amount), tuple)
                found[_option(name)] = "NUMBER" if ranges else amount
            if column is not None:
                found[f"{_option(name)}-column"] = column
        return found

    def given(self) -> Given:
        """What they say, or `ConditionError` unless it can be so."""
        texts = {name: getattr(self, name) for name in _COSTS}
        amounts = {
            name: parse_cost(_option(name), text)
            for name, text in texts.items()
            if text is not None
        }
        columns = {name: getattr(self, f"{name}_column") for name in _COSTS}
        columns = {name: column for name, column in columns.items() if column is not None}
        for name, decision in _COSTS.items():
            option = _option(name)
            if name in columns and name in amounts:
                raise ConditionError(f"{option} and {option}-column are both given: give one.")
            if name in _NEEDED and name not in {*columns, *amounts}:
                raise ConditionError(
                    f"the cost of {decision} is needed: give {option}, a number or LOW:HIGH such "
                    f"as 500:5000, or {option}-column, the column of what it costs in each case."
                )
        if self.calibrated_to is not None:
            check_prevalence(self.calibrated_to, "calibrated_to")
        return Given(amounts, columns, parse_prevalence(self.prevalence), self._review())

    def _review(self) -> Review | None:
        """What a review costs, or `ConditionError` unless its cost is given with its errors."""
        texts = {name: getattr(self, f"review_{name}") for name in ("sensitivity", "specificity")}
        rates = {
            name: parse_amount(f"--review-{name}", text)
            for name, text in texts.items()
            if text is not None
        }
        for name, rate in rates.items():
            for bound in rate if isinstance(rate, tuple) else (rate,):
                check_number(f"--review-{name}", bound, low=0, high=1)
        if self.review_cost is not None:
            for part in self.review_cost.split(":"):
                refuse_thousands("--review-cost", part)
            return Review(parse_amount("--review-cost", self.review_cost, "10:20"), **rates)
        for name in rates:
            raise ConditionError(f"--review-{name} is of a review: give --review-cost, too.")
        return None


@final
@dataclass(frozen=True)
class Given:
    """Costs and prevalence as they were given.

    Attributes
    ----------
    amounts : mapping of str to float or (low, high)
        The costs that are amounts.
    columns : mapping of str to str
        The costs that are columns.
    prevalence : float, (low, high) or None
        None if it is to be estimated from the rows.
    review : Review or None
    """

    amounts: Mapping[str, NumberOrBounds]
    columns: Mapping[str, str]
    prevalence: NumberOrBounds | None
    review: Review | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            # Costs that do not go together do so at no prevalence.
            self._deployment()
        for name, amount in self.amounts.items():
            if self.columns and isinstance(amount, tuple):
                raise ConditionError(
                    f"{_option(name)} must be one number where another cost is a column, got "
                    f"{amount[0]:g}:{amount[1]:g}: decide at each end."
                )

    @property
    def by_case(self) -> dict[str, str | float] | None:
        """Where each case's costs are read from; None without columns of costs."""
        if not self.columns:
            return None
        numbers = {name: x for name, x in self.amounts.items() if not isinstance(x, tuple)}
        return {**numbers, **self.columns}

    def conditions(self, rows: ScoredRows) -> Deployment:
        """What is known about deployment, with what rows say of it."""
        if self.columns:
            return conditions_of(rows, self.prevalence, self.review)
        return self._deployment()

    def _deployment(self) -> Deployment:
        costs: dict[str, Any] = dict(self.amounts)
        return Deployment(**costs, prevalence=self.prevalence, review=self.review)


@Parameter(name="*", group=Group("Limits, shares from 0 to 1", sort_key=3))
@final
@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """What every rule has to keep.

    Attributes
    ----------
    capacity
        Largest share of cases flagged; with a batch size it may be a number of cases.
    review_capacity
        Largest share of cases reviewed; with a batch size it may be a number of cases.
    batch
        Column of the batch of each row, such as its day: a capacity is of each batch, and a queue
        is cut in each.
    batch_size
        How many cases a capacity is of, in place of a column of batches.
    min_precision
        Least share of positives among the flagged.
    min_recall
        Least share of flagged among the positives.
    min_npv
        Least share of negatives among those not flagged.
    max_fpr
        Largest share of flagged among the negatives.
    """

    capacity: _Number = None
    review_capacity: _Number = None
    batch: str | None = None
    batch_size: OptionalWhole = None
    min_precision: _Number = None
    min_recall: _Number = None
    min_npv: _Number = None
    max_fpr: _Number = None

    def constraints(self, sizes: Batch = None) -> Constraints:
        """The constraints, or `ConditionError` unless they can be so.

        Parameters
        ----------
        sizes : sequence of int, optional
            Those of the batches that the column has, once it is read.
        """
        batch = self.batch_size if sizes is None else sizes
        places = {"capacity": self.capacity, "review_capacity": self.review_capacity}
        for option, given in {"--batch": self.batch, "--batch-size": self.batch_size}.items():
            if given is not None and not any(most is not None for most in places.values()):
                raise ConditionError(
                    f"{option} is what a capacity is of: give --capacity or --review-capacity, too."
                )
        if self.batch is not None and self.batch_size is not None:
            raise ConditionError("--batch and --batch-size are both given: give one.")
        for name, most in places.items():
            if self.batch is not None and sizes is None and most is not None:
                # A number of cases is judged when batches are known.
                places[name] = min(most, 1.0)
            elif most == 1 and batch is not None:
                raise ConditionError(
                    f"{_option(name)} 1 of each batch may be one case or all of them: for one give "
                    "a share, such as 0.05 of 20; for all leave it out."
                )
        return Constraints(
            places["capacity"],
            self.min_precision,
            self.min_recall,
            self.min_npv,
            self.max_fpr,
            places["review_capacity"],
            batch=batch,
        )

    def read_constraints(self, file: Path) -> Constraints:
        """The same with the sizes of the batches of a file, if they are in a column."""
        if self.batch is None:
            return self.constraints()
        # Only a column of batches needs what reads it.
        from costspace.frames.files import batch_sizes

        self.constraints()
        return self.constraints(batch_sizes(file, self.batch))


def parse_baseline(text: str | None) -> Baseline | None:
    """The rule in use: MODEL:THRESHOLD, MODEL:LOW:HIGH, or a column of decisions.

    `ConditionError` if the threshold is a number for people, such as a percentage, and none here.
    """
    model, _, threshold = ("", "", "") if text is None else text.rpartition(":")
    if not model:
        return text
    number = number_in(threshold)
    if number is None and meant(threshold):
        raise ConditionError(f"{_BASELINE}, got a threshold of {came(threshold)}.")
    if number is None:
        return text
    own, _, low = model.rpartition(":")
    reviewed = number_in(low) if own else None
    return (model, number) if reviewed is None else (own, reviewed, number)


def parse_actions(text: str | None) -> list[str] | None:
    """What actions are called, with commas between the words."""
    return None if text is None else [word.strip() for word in text.split(",")]


@contextmanager
def told_of_model(baseline: str | None) -> Iterator[None]:
    """Say of a rule in use that is no column, or not one of numbers, what it may be."""
    try:
        yield
    except FileError as error:
        if baseline is None or error.column != baseline:
            raise
        told = f"{error} {_BASELINE}" if error.fault is None else f"{error.fault}: {_BASELINE}"
        raise FileError(f"{told}.{_as_threshold(baseline)}") from None


def _as_threshold(baseline: str) -> str:
    """How to write a rule in use that came as a comparison; nothing if it did not."""
    found = _COMPARISON.fullmatch(baseline)
    if found is None or number_in(found["number"]) is None:
        return ""
    model, sign, number = found["model"], found["sign"], found["number"]
    if "<" in sign:
        changed = number[1:] if number.startswith("-") else f"-{number}"
        equal = f" For {number} or less, write a number just above it." if "=" in sign else ""
        words = shlex.join([f"--score=-{model}", f"--baseline=-{model}:{changed}"])
        return f" Where lower scores are flagged, change signs: {words}.{equal}"
    equal = f" For {number} or more, write a number just below it." if "=" in sign else ""
    return f" {model}:{number} flags scores above {number}.{equal}"


def read_besides(
    columns: Columns, baseline: Baseline | None, actions: Sequence[str] | None
) -> Columns:
    """The columns to read: those of decisions, too, which may be called as `actions` are."""
    if not isinstance(baseline, str):
        return columns
    more = [] if baseline in columns.scores else [baseline]
    words = tuple(actions or ())
    return replace(columns, scores=[*columns.scores, *more], decisions=baseline, actions=words)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
