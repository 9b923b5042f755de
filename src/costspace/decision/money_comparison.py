"""What a comparison of models by money finds: what each saves against another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.evidence import MoneyDifference, StrategyMoney
from costspace.decision.record import money_dict, plain_number
from costspace.decision.strategy import BASELINE
from costspace.decision.terms import flagging
from costspace.decision.words import (
    alone_shown,
    estimate_shown,
    p_shown,
    sides_shown,
    thresholds_shown,
)
from costspace.deployment.conditions import BALANCED
from costspace.inference.multiplicity import adjustment
from costspace.notebook import Tabulated

_USE = "the rule in use"


@final
@dataclass(frozen=True)
class MoneySaving(Tabulated):
    """What a model saves against another or the rule in use, on the same rows.

    Attributes
    ----------
    model : str
        The model that may save money.
    against : str
        The other model, or "baseline" for the rule in use.
    saving : float
        Per 1,000 cases; negative if it costs more.
    standard_error : float
        Not negative; 0 if both make the same decisions on all rows; NaN without an interval.
    low, high : float
        Ends of its interval, of this pair alone; NaN if there is none.
    p : float
        Two-sided p-value of there being no difference, in [0, 1]; NaN without an interval, and
        between two thresholds of one model, which rows that choose them say little of.
    p_adjusted : float
        The same, adjusted for all pairs.
    method : {"linear", "unseen", "none"}
        How the interval was found; "unseen" where both make the same decisions on all rows.

    Examples
    --------
    >>> MoneySaving("new", "old", 19.2, 8.5, 2.5, 35.9, 0.025, 0.025, "linear").saving
    19.2
    """

    model: str
    against: str
    saving: float
    standard_error: float
    low: float
    high: float
    p: float
    p_adjusted: float
    method: str

    @classmethod
    def of(cls, model: str, against: str, more: MoneyDifference) -> Self:
        """What a model saves against what costs so much more."""
        rest = {name: value for name, value in vars(more).items() if name != "difference"}
        return cls(model, against, more.difference, **rest)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        return {name: np.array([value]) for name, value in vars(self).items()}


@final
@dataclass(frozen=True, repr=False)
class MoneyComparison(FrozenValue, Tabulated):
    """What models save, in pairs or against the rule in use.

    Attributes
    ----------
    pairs : tuple of MoneySaving
        Each two models in the order they were given, or each model and the rule in use.
    strategies : tuple of StrategyMoney
        What is deployed of each model, and what that costs; the rule in use last.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values were adjusted for the number of pairs.
    n : int
        Number of rows, but for those of weight 0.
    basis : str
        What the models were compared on: "5 cross-fitted folds", "validation rows".
    trivial : mapping of str to float
        What flagging nobody and flagging everybody cost per 1,000 cases, if constraints allow it.
    assumptions : tuple of str
        What was assumed of costs and prevalence.
    reason : str or None
        Why there are no intervals.
    warnings : tuple of str
        What the scores look like, if not like a model's, and whether few rows decide.
    notes : mapping of str to str
        Why a model is not compared, by its name.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> rng = np.random.default_rng(0)
    >>> y = np.tile([0, 0, 0, 1], 100)
    >>> scores = {"new": 1.5 * y + rng.normal(size=400), "old": 0.5 * y + rng.normal(size=400)}
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> found = cs.compare_money(y, scores, conditions=known)
    >>> [(pair.model, pair.against, found.is_shown(pair)) for pair in found.pairs]
    [('new', 'old', True)]
    """

    pairs: Sequence[MoneySaving]
    strategies: Sequence[StrategyMoney]
    level: float
    correction: str | None
    n: int
    basis: str
    trivial: Mapping[str, float]
    assumptions: Sequence[str]
    reason: str | None
    warnings: Sequence[str]
    notes: Mapping[str, str]

    def is_shown(self, pair: MoneySaving) -> bool:
        """Whether the data show that one of a pair saves money against the other."""
        if np.isnan(pair.p_adjusted):
            return pair.low > 0 or pair.high < 0
        return pair.p_adjusted < 1 - self.level

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is saved: the one pair, or those shown to differ, with what they share said once."""
        return sentences_of(self)

    @property
    def text(self) -> str:
        """All of that."""
        return " ".join(self.sentences)

    def remarks(self) -> Iterator[str]:
        """What else is to be known, line by line."""
        if self.reason is not None:
            yield f"There is no interval: {self.reason}"
        least = min(self.trivial, key=lambda name: self.trivial[name], default="")
        if least and all(self.trivial[least] <= one.money for one in self.strategies):
            cost = alone_shown(self.trivial[least])
            without = flagging(least).capitalize()
            yield f"{without} costs {cost} per 1,000 cases, and no model costs less."
        yield from self.warnings
        for name, why in self.notes.items():
            yield f"{name} is not compared: {why}"

    def summary(self) -> str:
        """One line on how it was found."""
        several = f", {adjustment(self.correction)}" if len(self.pairs) > 1 else ""
        one_model = any(np.isnan(pair.p) and pair.method != "none" for pair in self.pairs)
        without_p = "; no p between two thresholds of one model" if one_model else ""
        intervals = f"{100 * self.level:g} % intervals on {self.basis}"
        return f"{intervals}, n {self.n}{several}{without_p}"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a pair: every attribute of the savings by its name."""
        names = MoneySaving.__dataclass_fields__
        return {name: np.array([getattr(pair, name) for pair in self.pairs]) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "text": self.text,
            "level": self.level,
            "correction": self.correction,
            "rows": self.n,
            "basis": self.basis,
            "assumptions": list(self.assumptions),
            "pairs": [
                {
                    "model": pair.model,
                    "against": pair.against,
                    "saving_per_1000": pair.saving,
                    "se": plain_number(pair.standard_error),
                    "low": plain_number(pair.low),
                    "high": plain_number(pair.high),
                    "p": plain_number(pair.p),
                    "p_adjusted": plain_number(pair.p_adjusted),
                    "interval": None if pair.method == "none" else pair.method,
                    "shown": self.is_shown(pair),
                }
                for pair in self.pairs
            ],
            "strategies": [money_dict(one) for one in self.strategies],
            "trivial": dict(self.trivial),
            "reason": self.reason,
            "warnings": list(self.warnings),
            "notes": dict(self.notes),
        }

    def __repr__(self) -> str:
        names = [f"{pair.model}, against {pair.against}" for pair in self.pairs]
        width = max(map(len, names))
        lines = [
            f"{self.text} {self.summary()}",
            f"{'':{width}}      saving        low       high  p",
        ]
        lines += [
            f"{name:<{width}}  {pair.saving:10.5g} {pair.low:10.5g} {pair.high:10.5g}  "
            f"{pair.p_adjusted:.3g}"
            for name, pair in zip(names, self.pairs, strict=True)
        ]
        return "\n".join([*lines, *self.remarks()])


def sentences_of(
    found: MoneyComparison, most: int | None = None, named: Callable[[str], str] = str
) -> tuple[str, ...]:
    """The sentences of a comparison, of so many pairs that are shown to differ, and of all if None.

    Models are called as `named` has them.
    """
    use = _in_use(found, named)
    if len(found.pairs) == 1 and not found.is_shown(found.pairs[0]):
        return (_not_shown(found.pairs[0], use, named),)
    shown = [pair for pair in found.pairs if found.is_shown(pair)]
    if not shown:
        return (f"No model is shown to save money against {use or 'another'}.",)
    # What saves money against the rule in use is told before what costs more.
    shown.sort(key=lambda pair: (bool(use) and pair.saving < 0, -abs(pair.saving)))
    told = []
    for pairs in _sides(shown[:most], against_use=bool(use)):
        told.append(_together(pairs, use, named))
        # Its threshold is told once.
        use = use and _USE
    left = len(shown) - len(shown[:most])
    if left:
        what = "model" if use else "pair"
        more = f"One more {what} is" if left == 1 else f"{left} more {what}s are"
        told.append(f"{more} shown to differ.")
    return tuple(told)


def _in_use(found: MoneyComparison, named: Callable[[str], str]) -> str:
    """The rule in use in a sentence, empty if there is none."""
    last = found.strategies[-1]
    if last.strategy.name != BASELINE:
        return ""
    if last.rule is None:
        # Decisions that were made have no threshold.
        return _USE
    at = np.asarray(last.strategy.choice.threshold_at(BALANCED, BALANCED))
    (threshold,) = thresholds_shown(at.item())
    return f"{_USE}, {named(str(last.strategy.model))} above {threshold}"


def _not_shown(pair: MoneySaving, use: str, named: Callable[[str], str]) -> str:
    """A pair in a sentence that says that the data do not tell."""
    model, against = named(pair.model), use or named(pair.against)
    if pair.standard_error == pair.saving == 0:
        return f"{model} does the same as {against} on all rows."
    amount, ends = sides_shown(pair.saving, pair.low, pair.high, "less", "more")
    told = f"{model} is not shown to save money against {against}"
    if not use:
        told = f"{told}, nor {against} against {model}"
    within = f" ({ends}{_p(pair)})" if ends else ""
    return f"{told}: {model} costs {amount} per 1,000 cases{within}."


def _sides(pairs: Sequence[MoneySaving], *, against_use: bool) -> Iterator[list[MoneySaving]]:
    """Pairs that a sentence tells together: one side is the same, the better one if both are."""
    left = list(pairs)
    if not against_use:
        left = [_turned(pair) if pair.saving < 0 else pair for pair in left]
    while left:
        first = left[0]
        if against_use:
            same = [pair for pair in left if (pair.saving < 0) == (first.saving < 0)]
        else:
            same = [pair for pair in left if pair.model == first.model]
            if len(same) == 1:
                same = [pair for pair in left if pair.against == first.against]
        yield same
        left = [pair for pair in left if pair not in same]


def _turned(pair: MoneySaving) -> MoneySaving:
    """What the other model saves."""
    low, high = -pair.high, -pair.low
    return replace(
        pair, model=pair.against, against=pair.model, saving=-pair.saving, low=low, high=high
    )


def _together(pairs: Sequence[MoneySaving], use: str, named: Callable[[str], str]) -> str:
    """Pairs that share a side in a sentence that names it once."""
    models = [named(pair.model) for pair in pairs]
    others = [use or named(pair.against) for pair in pairs]
    amounts, ends = zip(*map(_estimated, pairs), strict=True)
    rest = zip(models[1:], amounts[1:], ends[1:], strict=True)
    items = [f"{model} {amount} {within}" for model, amount, within in rest]
    if pairs[0].saving < 0:
        told = f"{models[0]} costs {amounts[0]} more per 1,000 cases than {others[0]} {ends[0]}"
    elif items and pairs[0].against == pairs[1].against:
        told = f"Against {others[0]}, {models[0]} saves {amounts[0]} per 1,000 cases {ends[0]}"
    else:
        told = f"{models[0]} saves {amounts[0]} per 1,000 cases against {others[0]} {ends[0]}"
        rest = zip(amounts[1:], others[1:], ends[1:], strict=True)
        items = [f"{amount} against {other} {within}" for amount, other, within in rest]
    return f"{', '.join([told, *items])}."


def _estimated(pair: MoneySaving) -> tuple[str, str]:
    """How much a pair differs, and what stands behind that in a sentence."""
    better = _turned(pair) if pair.saving < 0 else pair
    amount, ends = estimate_shown(better.saving, better.low, better.high)
    return amount, f"({ends}{_p(pair)})"


def _p(pair: MoneySaving) -> str:
    return "" if np.isnan(pair.p_adjusted) else f"; p {p_shown(pair.p_adjusted)}"
