"""What a comparison of models by money finds: what each saves against another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.comparing.saving import MoneySaving
from costspace.decision.comparing.saving_sentences import sentences_of
from costspace.decision.evidence.money_evidence import StrategyMoney
from costspace.decision.record import money_dict, plain_number
from costspace.decision.sentences.recommended import margin_told
from costspace.decision.sentences.terms import flagging
from costspace.decision.strategy import BASELINE
from costspace.decision.words import listed
from costspace.inference.multiplicity import adjustment
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, repr=False)
class MoneyComparison(FrozenValue, Tabulated):
    """What models save, in pairs or against the rule in use.

    Attributes
    ----------
    pairs : tuple of MoneySaving
        Each two models in the order they were given, or each model and the rule in use.
    strategies : tuple of StrategyMoney
        What is deployed of each model, and what that costs, as in `decide`; the rule in use last.
    margin : float
        What the cost of every model includes for the luck of the best of several strategies, per
        1,000 cases; the rule in use has none.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values were adjusted for the number of pairs.
    n : int
        Number of rows, but for those of weight 0.
    basis : str
        What the models were compared on: "5 cross-validation folds", "validation rows".
    trivial : tuple of StrategyMoney
        What flagging nobody and flagging everybody cost per 1,000 cases, if constraints allow it.
    stated : StrategyMoney
        What `decide` states: amounts that are known have the digits of its interval, as there.
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
    margin: float
    level: float
    correction: str | None
    n: int
    basis: str
    trivial: Sequence[StrategyMoney]
    stated: StrategyMoney
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
    def in_use(self) -> StrategyMoney | None:
        """The rule in use, if models are compared with that."""
        last = self.strategies[-1]
        return last if last.strategy.name == BASELINE else None

    @property
    def shown(self) -> list[MoneySaving]:
        """The pairs that the data show to differ."""
        return [pair for pair in self.distinct if self.is_shown(pair)]

    @property
    def distinct(self) -> list[MoneySaving]:
        """The pairs of models that do not do the same on all rows, each such pair once."""
        sides = sides_of(self.pairs, self.strategies)
        both = zip(self.pairs, sides, strict=True)
        return [pair for pair, own in both if own == (pair.model, pair.against)]

    @property
    def alike(self) -> list[list[str]]:
        """The models that do the same on all rows, in groups of two or more."""
        first, groups = _first_of(self.strategies), dict[str, list[str]]()
        for name, one in first.items():
            groups.setdefault(one, []).append(name)
        return [group for group in groups.values() if len(group) > 1]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is saved: the one pair, or those shown to differ, with what they share said once."""
        return self.sentences_of()

    def sentences_of(
        self, most: int | None = None, named: Callable[[str], str] = str
    ) -> tuple[str, ...]:
        """The same of at most so many pairs, with models called as `named` has them."""
        pairs = self.distinct
        told = sentences_of(pairs, self.shown, self.in_use, most, named) if pairs else ()
        same = "are equally good: they do the same on all rows"
        return *told, *(f"{listed([*map(named, group)])} {same}." for group in self.alike)

    @property
    def text(self) -> str:
        """All of that."""
        return " ".join(self.sentences)

    def remarks(self) -> Iterator[str]:
        """What else is to be known, line by line."""
        if self.reason is not None:
            yield f"There is no interval: {self.reason}"
        least = min(self.trivial, key=lambda one: one.money, default=None)
        if least is not None and all(least.money <= one.money for one in self.strategies):
            cost = least.shown_beside(self.stated)[0]
            without = flagging(least.strategy.name).capitalize()
            yield f"{without} costs {cost} per 1,000 cases, and no model costs less."
        yield from self.warnings
        for name, why in self.notes.items():
            yield f"{name} is not compared: {why}"

    @property
    def margin_told(self) -> str:
        """That costs include the margin; "" where digits do not show it."""
        return margin_told(self.margin, self.stated)

    def summary(self) -> str:
        """One line on how it was found."""
        several = f", {adjustment(self.correction)}" if len(self.distinct) > 1 else ""
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
            "margin": self.margin,
            "trivial": [money_dict(one) for one in self.trivial],
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
        return "\n".join([*lines, *self.remarks(), *filter(None, [self.margin_told])])


def sides_of(
    pairs: Sequence[MoneySaving], strategies: Sequence[StrategyMoney]
) -> list[tuple[str, str]]:
    """The two sides of each pair: of models that do the same on all rows the first by name."""
    first = _first_of(strategies)
    return [
        (first.get(pair.model, pair.model), first.get(pair.against, pair.against)) for pair in pairs
    ]


def _first_of(strategies: Sequence[StrategyMoney]) -> dict[str, str]:
    """By model, the one that it does the same as on all rows, or itself."""
    return {
        one.strategy.whose_scores: (one.same_as or one.strategy).whose_scores
        for one in strategies
        if one.strategy.name != BASELINE
    }
