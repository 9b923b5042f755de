"""The results of a comparison of models: differences with intervals and p-values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.choices.doubts import DOUBTS, noted
from costspace.estimates.multiplicity import adjustment, distinct_tests
from costspace.notebook import LETTERS, PAIRS, first_of, html_table, in_short


class _Tested(Protocol):
    @property
    def p_adjusted(self) -> float: ...


class Compared:
    """What comparisons of models and of samples have in common."""

    level: float
    notes: Mapping[str, str]
    note: str | None

    def is_clear(self, one: _Tested) -> bool:
        """Whether there is evidence of a difference at the confidence level."""
        return one.p_adjusted < 1 - self.level

    def remarks(self) -> list[str]:
        """Lines on poor coverage, on missing quantities, and on what scores look like."""
        told = [] if self.note is None else [self.note]
        return [*told, *starmap(noted, self.notes.items())]

    def all_notes(self) -> dict[str, str]:
        """The notes, with that on intervals, ready for JSON."""
        return {**self.notes, **({} if self.note is None else {"intervals": self.note})}


def plain(one: Any) -> dict[str, Any]:
    """The attributes of a difference, ready for JSON."""
    return {
        "se" if name == "standard_error" else name: list(value) if name == "bounds" else value
        for name, value in vars(one).items()
    }


@final
@dataclass(frozen=True)
class ModelDifference:
    """How much a metric differs between two models.

    Attributes
    ----------
    a, b : str
        The models.
    metric : str
        The name of what is compared.
    difference : float
        The metric of `a` minus that of `b`.
    standard_error : float
        Non-negative; 0 if the rows show no variation of the difference.
    low, high : float
        Ends of its interval, not adjusted for other comparisons.
    p : float in [0, 1]
        Two-sided p-value of no difference.
    p_adjusted : float in [0, 1]
        The same, adjusted for all comparisons together.
    method : {"linear", "unseen"}
        How the interval was found; "unseen" where the rows show no variation.
    design : {"independent", "stratified"}
        What varies from sample to sample: independent rows, with their class shares, or rows of
        classes of fixed sizes.
    bias : float
        The part of the difference that is due to thresholds chosen on the same rows; interval and
        p-value are those of the difference without it.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> scores = {"a": [0.1, 0.3, 0.6, 0.4, 0.8, 0.9], "b": [0.3, 0.5, 0.9, 0.7, 0.2, 0.4]}
    >>> first = cs.compare(y, scores, metrics=["auc"]).pairs[0]
    >>> first.a, first.b, round(first.difference, 6)
    ('a', 'b', 0.555556)
    """

    a: str
    b: str
    metric: str
    difference: float
    standard_error: float
    low: float
    high: float
    p: float
    p_adjusted: float
    method: str
    design: str
    bias: float = 0.0

    @property
    def equal(self) -> bool:
        """Whether the rows show no difference at all: both scores are one to the metric."""
        return self.difference == self.standard_error == 0


def tests_of(pairs: Iterable[ModelDifference]) -> list[tuple[str, str, str] | None]:
    """Which test each pair is; None for models that are equal by the metric."""
    return distinct_tests((pair.metric, pair.a, pair.b, pair.equal) for pair in pairs)


@final
@dataclass(frozen=True, repr=False)
class ModelComparison(FrozenValue, Compared):
    """Differences of metrics between models, with intervals and p-values.

    Attributes
    ----------
    pairs : tuple of ModelDifference
        Metric by metric, each pair of models in the order they were given.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values were adjusted for the number of pairs and metrics, in which models that are
        equal count as one.
    n : int
        Number of rows, of all samples together.
    paired : bool
        Whether the models scored the same rows.
    notes : mapping of str to str
        Which models a metric is not compared for, and why, by its name; what the scores of a model
        look like, by "scores." and its name, and why probability thresholds do not suit them, by
        "thresholds." and its name.
    note : str or None
        How such intervals do in simulations if few rows decide, by the model in which the fewest
        do; None if coverage is near the level.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> scores = {"a": [0.1, 0.3, 0.6, 0.4, 0.8, 0.9], "b": [0.3, 0.5, 0.9, 0.7, 0.2, 0.4]}
    >>> comparison = cs.compare(y, scores, metrics=["auc"])
    >>> comparison.columns()["difference"].round(6)
    array([0.555556])
    """

    pairs: tuple[ModelDifference, ...]
    level: float
    correction: str | None
    n: int
    paired: bool
    notes: Mapping[str, str]
    note: str | None = None

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a pair and metric: every attribute of the differences by its name."""
        names = ModelDifference.__dataclass_fields__
        return {name: np.array([getattr(pair, name) for pair in self.pairs]) for name in names}

    def to_rows(self) -> list[dict[str, Any]]:
        """One plain dictionary a pair and metric, ready for JSON."""
        return [plain(pair) for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        return {
            "level": self.level,
            "correction": self.correction,
            "pairs": self.to_rows(),
            "notes": self.all_notes(),
        }

    def summary(self) -> str:
        """One line on what is shown."""
        rows = "the same rows" if self.paired else "independent samples"
        return (
            f"{100 * self.level:g} % intervals on {rows}, n {self.n}, {adjustment(self.correction)}"
        )

    def remarks(self) -> list[str]:
        """Lines on models that lack a metric, on poor coverage, and on what scores look like."""
        gaps, doubts = [], []
        for name, why in self.notes.items():
            if name.partition(".")[0] in DOUBTS:
                doubts.append(noted(name, why))
            else:
                gaps.append(f"No {name} of {why}")
        return [*gaps, *([] if self.note is None else [self.note]), *doubts]

    def __repr__(self) -> str:
        pairs, told = first_of(self.pairs, PAIRS, "pairs")
        names = list(map(_named, pairs))
        width = max(len(name) for name in names)
        lines = [self.summary(), f"{'':{width}}  difference         se        low       high  p"]
        lines += [
            f"{name:<{width}}  {pair.difference:10.6f} {pair.standard_error:10.6f} "
            f"{pair.low:10.6f} {pair.high:10.6f}  {pair.p_adjusted:.3g}"
            for name, pair in zip(names, pairs, strict=True)
        ]
        return "\n".join([*lines, *told, *(in_short(note, LETTERS) for note in self.remarks())])

    def _repr_html_(self) -> str:
        pairs, told = first_of(self.pairs, PAIRS, "pairs")
        rows = [
            [
                _named(pair),
                *(f"{x:.6f}" for x in (pair.difference, pair.standard_error)),
                f"{pair.low:.6f} to {pair.high:.6f}",
                f"{pair.p_adjusted:.3g}",
            ]
            for pair in pairs
        ]
        head = ["", "difference", "standard error", "interval", "p"]
        return html_table(head, rows, caption=self.summary(), notes=[*told, *self.remarks()])


def _named(pair: ModelDifference) -> str:
    return f"{pair.metric}: {in_short(pair.a)} - {in_short(pair.b)}"
