"""Options that commands have in common, and what their texts mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, final

from cyclopts import Group, Parameter

from costspace.cli.console import Step
from costspace.cli.numbers import (
    OptionalReal,
    OptionalWhole,
    Real,
    came,
    number_in,
    refuse_thousands,
)
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError, brief
from costspace.frames.columns import Columns

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.checks import check_number, check_prevalence, check_whole
    from costspace.costs import Beta, CostDistribution, Point, Uniform
    from costspace.decision.decision import Decision
    from costspace.decision.evidence.value_of_rows import Settling
    from costspace.deployment.parts import NumberOrBounds
    from costspace.estimates.interval import check_level
    from costspace.frames.files import SegmentedRows, read_segments
    from costspace.frames.paths import listed
    from costspace.frames.relation import columns_among
    from costspace.names import near_names

_OUTPUT = Parameter(name=["--output", "-o"])
Output: TypeAlias = Annotated[Path, _OUTPUT]
OptionalOutput: TypeAlias = Annotated[Path | None, _OUTPUT]
Axis: TypeAlias = Literal["cost", "skew"]
# What --costs takes by name, each with an example and with what is short for it.
_COSTS: Mapping[str, tuple[Callable[..., CostDistribution], str]] = {
    "uniform": (Uniform, "uniform(0,1) or 0:1"),
    "beta": (Beta, "beta(2,2)"),
    "point": (Point, "point(0.2) or 0.2"),
}


# Costs, and the confidence level, unless they are given.
EVERY_CONDITION = "uniform(0,1)"
DEFAULT_LEVEL = 0.95


@Parameter(name="*", group=Group("Columns", sort_key=1))
@final
@dataclass(frozen=True, kw_only=True)
class AskedColumns:
    """Which columns of a file hold what.

    Attributes
    ----------
    label
        Column of labels; a saved table needs none.
    score
        Column of a model's scores, where higher means more positive; repeat it for each model.
        --score=-NAME changes the sign of a column where higher means less positive; 1-NAME is for
        the chance of the negative class; 'model_*' and all-but:A,B name several columns.
        Default for a saved table: all its models.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    groups
        Column of the cluster of each row, such as a patient or a customer. Rows of a cluster may
        depend on each other: intervals, p-values and folds, where there are any, allow for it.
    """

    label: str | None = None
    score: list[str] | None = None
    weight: str | None = None
    positive: str | None = None
    groups: str | None = None

    def of_rows(self, file: Path, others: Sequence[str] = ()) -> Columns:
        """The columns of a file of rows, or `ConditionError` if it lacks one that it needs.

        What is in `others` holds something else, and no pattern of scores matches it.
        """
        if self.label is None:
            raise unlabelled(file)
        if not self.score:
            raise ConditionError("--score is missing: name a column of scores for each model.")
        own = Columns(
            label=self.label,
            scores=self.score,
            weight=self.weight,
            positive=self.positive,
            groups=self.groups,
        )
        return columns_among(file, own, others)

    def of_rows_only(self) -> dict[str, str | None]:
        """The options that only rows have, by name."""
        return {"--weight": self.weight, "--positive": self.positive, "--groups": self.groups}


def unlabelled(file: Path) -> ConditionError:
    """What is wrong with a file that is no saved table, and has no column of labels named."""
    return ConditionError(
        f"--label is missing: which column of {file} holds the labels? Only saved tables, which "
        "costspace tally makes, need none."
    )


# What says the same of a saved table as an option that needs rows.
_INSTEAD = MappingProxyType({"--batch": "give --batch-size"})


def refuse_of_rows(options: Mapping[str, object]) -> None:
    """`ConditionError` if a saved table is asked for what only rows have; None is not asked."""
    for option, value in options.items():
        if value is not None:
            instead = _INSTEAD.get(option, "leave it out")
            raise ConditionError(
                f"{option} needs rows, and a saved table keeps none: {instead}, or name the file "
                "of predictions and its --label."
            )


def read(
    file: Path,
    columns: Columns,
    step: Step,
    costs: Mapping[str, str | float] | None = None,
    by: Sequence[str] = (),
) -> SegmentedRows:
    """The rows of a file, in segments by some columns; `costs` as in `read_rows`."""
    reading = step(f"reading {file.name}", 1)
    return read_segments(file, columns, by=by, costs=costs, progress=reading)


@Parameter(name="*")
@final
@dataclass(frozen=True, kw_only=True)
class RowsOptions:
    """What to say of labelled rows that there are not yet.

    Attributes
    ----------
    settle
        Say how many labelled rows in all would tell a saving of this per 1,000 cases from none.
    more_rows
        Say what so many more labelled rows are worth at most.
    """

    settle: OptionalReal = None
    more_rows: OptionalWhole = None

    @property
    def asked(self) -> bool:
        """Whether anything is."""
        return self.settle is not None or self.more_rows is not None

    def check(self) -> None:
        """`ConditionError` if a number cannot be, before anything is read."""
        if self.settle is not None:
            check_number("--settle", self.settle, low=0, open_ends=True)
        if self.more_rows is not None:
            check_whole("--more-rows", self.more_rows, least=1)

    def of(self, decision: Decision) -> Settling | None:
        """What would settle a decision."""
        return decision.settling(saving=self.settle, more_rows=self.more_rows)


@Parameter(name="*")
@final
@dataclass(frozen=True, kw_only=True)
class Differences:
    """How differences are judged.

    Attributes
    ----------
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1) or 0:1,
        beta(2,2), point(0.2) or 0.2.
    level
        Confidence level of the intervals.
    correction
        How p-values are adjusted for the number of comparisons.
    """

    costs: str = EVERY_CONDITION
    level: Real = DEFAULT_LEVEL
    correction: Literal["holm", "bonferroni", "none"] = "holm"

    def terms(self) -> dict[str, Any]:
        """What they say, as Python takes it, or `ConditionError` unless it can be so."""
        return {
            "costs": parse_costs(self.costs),
            "level": check_level(self.level),
            "correction": None if self.correction == "none" else self.correction,
        }


def parse_costs(text: str) -> CostDistribution:
    """The distribution that ``uniform(0,1)`` or ``0:1``, ``beta(2,2)``, ``0.2`` or so names."""
    call = re.fullmatch(r"\s*(\w+)\s*\(([^()]*)\)\s*", text)
    numbers = [number_in(one) for one in (call[2].split(",") if call else text.split(":"))]
    given = [number for number in numbers if number is not None]
    if call is not None:
        kind, _ = _COSTS.get(call[1], (None, ""))
    else:
        kind = {1: Point, 2: Uniform}.get(len(given))
        if kind is Uniform and given[0] == given[1]:
            kind, given = Point, given[:1]
    try:
        if kind is not None and None not in numbers:
            return kind(*given)
    except ConditionError as error:
        raise ConditionError(f"--costs {text}: {_of_times(given) or error}") from None
    except TypeError:
        # As many numbers as that distribution does not have.
        pass
    raise ConditionError(
        f"--costs must be like {', '.join(example for _, example in _COSTS.values())}, got "
        f"{came(text, most=1)}."
    )


def _of_times(given: Sequence[float]) -> str:
    """What to do with numbers above 1, which are how many times a false negative costs."""
    if not given or min(given) <= 1:
        return ""
    proportions = ":".join(f"{1 / (1 + one):.3g}" for one in sorted(given, reverse=True))
    times = " to ".join(f"{one:g}" for one in given)
    return (
        "these are cost proportions, from 0 to 1. Where a false negative costs "
        f"{times} times a false positive, give {proportions}."
    )


def check_metrics(metrics: Collection[str], known: Collection[str]) -> None:
    """`ConditionError` with the near names for the first that is not known and is near any."""
    for name in metrics:
        near = [] if name in known else near_names(name, known)
        if near:
            raise ConditionError(
                f"there is no quantity {brief(name)}: did you mean {listed(near)}?"
            )


def parse_amount(option: str, text: str, example: str = "500:5000") -> NumberOrBounds:
    """The number, or the bounds LOW:HIGH, that an option was given."""
    match [number_in(one) for one in text.split(":")]:
        case [float(number)]:
            return number
        case [float(low), float(high)]:
            if low > high:
                raise ConditionError(
                    f"{option} must be LOW:HIGH with LOW not above HIGH, got {brief(text)}."
                )
            return low, high
    raise ConditionError(
        f"{option} must be a number or LOW:HIGH such as {example}, got {came(text, most=inf)}."
    )


def parse_cost(option: str, text: str) -> NumberOrBounds:
    """The number, or the bounds, of a cost that an option was given."""
    for part in text.split(":"):
        refuse_thousands(option, part)
    try:
        return parse_amount(option, text)
    except ConditionError as error:
        raise ConditionError(f"{error} A column of costs is {option}-column.") from None


def parse_prevalence(text: str | None) -> NumberOrBounds | None:
    """The prevalence, or its bounds, that an option was given, None if it was not."""
    if text is None:
        return None
    amount = parse_amount("--prevalence", text, "0.001:0.01")
    for bound in amount if isinstance(amount, tuple) else (amount,):
        check_prevalence(bound)
    return amount
