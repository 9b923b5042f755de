"""What a comparison of models by money finds: what each saves against another."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf
from typing import Any, TypeAlias, cast, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.checks import check_number
from costspace.decision.comparing.saving_sentences import sentences_of
from costspace.decision.decision import Decision
from costspace.decision.evidence.money_evidence import (
    MoneyDifference,
    MoneyEvidence,
    StrategyMoney,
)
from costspace.decision.evidence.plain_money import more_dict, plain_number
from costspace.decision.evidence.settling import rows_to_settle
from costspace.decision.record import money_dict
from costspace.decision.sentences.cautions import (
    carried_by_few,
    doubted,
    doubts_of_use,
    few_told,
    left_out,
    made_share,
    never_worth,
    turned_round,
)
from costspace.decision.sentences.recommended import margin_told
from costspace.decision.sentences.reviewed import review_told
from costspace.decision.sentences.settled import rows_shown
from costspace.decision.sentences.terms import flagging
from costspace.decision.strategy import BASELINE, REVIEW_EVERYBODY, TRIVIAL
from costspace.decision.words import listed
from costspace.deployment.conditions import CASES
from costspace.estimates.multiplicity import adjustment
from costspace.notebook import LETTERS, PAIRS, Tabulated, first_of, in_short

# Letters of a name where two are told on a line.
_NAME = 16
# A model, and the other or "baseline", the rule in use.
Sides: TypeAlias = tuple[str, str]


@final
@dataclass(frozen=True, repr=False)
class MoneyComparison(FrozenValue, Tabulated):
    """What models save, in pairs or against the rule in use.

    Attributes
    ----------
    decision : Decision
        Among the strategies of all models, with their evidence.
    pairs : mapping of (str, str) to MoneyDifference
        What the second costs more than the first, which is what the first saves: by each two models
        in the order they were given, or each model and "baseline", the rule in use.
    strategies : tuple of StrategyMoney
        What is deployed of each model, and what that costs, as in `decide`; the rule in use last.
    correction : {"holm", "bonferroni"} or None
        How p-values were adjusted for the number of pairs.
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
    >>> saved = found.pairs["new", "old"]
    >>> round(saved.difference), found.is_shown(saved)
    (279, True)
    """

    decision: Decision
    pairs: Mapping[Sides, MoneyDifference]
    strategies: Sequence[StrategyMoney]
    correction: str | None
    notes: Mapping[str, str]

    @property
    def evidence(self) -> MoneyEvidence:
        """What every strategy costs on held-out rows, the best of each model among them."""
        return cast(MoneyEvidence, self.decision.evidence)

    @property
    def margin(self) -> float:
        """What the cost of every model includes for the luck of the best of several strategies."""
        return self.evidence.margin

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What was assumed of costs and prevalence."""
        return (*self.decision.task.assumptions, *self.decision.task.coarse)

    @property
    def trivial(self) -> list[StrategyMoney]:
        """What flagging nobody and everybody, or reviewing them, costs, if constraints allow it."""
        plain = (*TRIVIAL, REVIEW_EVERYBODY)
        return [one for one in self.evidence.strategies if one.strategy in plain]

    def reviewed_share(self, one: StrategyMoney) -> float | None:
        """The share of the cases that one of the strategies reviews; None where none may be."""
        reviewed = self.decision.outcomes(one.strategy).reviewed
        return None if reviewed is None else reviewed.value / CASES

    @property
    def stated(self) -> StrategyMoney:
        """What `decide` states: known amounts have the digits of its interval, as there."""
        stated = self.decision.recommendation.stated
        return next(one for one in self.evidence.strategies if one.strategy == stated)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What the scores look like, if not like a model's, and whether few rows decide."""
        # Rows are counted together there, if they are.
        task = self.decision.fits[0].task
        in_use = [fit for fit in self.decision.fits if fit.strategy == task.baseline]
        own = (text for fit in in_use for text in doubts_of_use(fit))
        rows = (
            made_share(task),
            never_worth(task),
            carried_by_few(task.judged.rows),
            turned_round(task),
        )
        said = (few_told(task, self.evidence), *rows, *own, *doubted(task))
        return tuple(filter(None, (*said, *left_out(task))))

    def is_shown(self, more: MoneyDifference) -> bool:
        """Whether the data show that one of a pair saves money against the other."""
        return self.evidence.tells(more)

    def rows_to_settle(self, *, saving: float | None = None) -> dict[Sides, float]:
        """How many labelled rows in all would tell a saving from none, by pair.

        With a chance of 80 %, and all pairs allowed for; infinite where a pair is equal.

        Parameters
        ----------
        saving : float > 0, optional
            Per 1,000 cases; by default what each pair is seen to differ by.
        """
        if saving is not None:
            check_number("saving", saving, low=0, open_ends=True)
        tests = 1 if self.correction is None else len(self.distinct)
        return {
            pair: rows_to_settle(
                more,
                abs(more.difference) if saving is None else saving,
                self.evidence.n,
                level=self.evidence.level,
                tests=tests,
            )
            for pair, more in self.pairs.items()
        }

    @property
    def in_use(self) -> StrategyMoney | None:
        """The rule in use, if models are compared with that."""
        last = self.strategies[-1]
        return last if last.strategy.name == BASELINE else None

    @property
    def shown(self) -> dict[Sides, MoneyDifference]:
        """The pairs that the data show to differ."""
        return {pair: more for pair, more in self.distinct.items() if self.is_shown(more)}

    @property
    def distinct(self) -> dict[Sides, MoneyDifference]:
        """The pairs of models that do not do the same on all rows, each such pair once."""
        both = zip(self.pairs.items(), sides_of(self.pairs, self.strategies), strict=True)
        return {pair: more for (pair, more), own in both if own == pair}

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
        if self.evidence.reason is not None:
            yield f"There is no interval: {self.evidence.reason}"
        least = min(self.trivial, key=lambda one: one.money, default=None)
        if least is not None and all(least.money <= one.money for one in self.strategies):
            cost = least.shown[0]
            without = flagging(least.strategy.name).capitalize()
            yield f"{without} costs {cost} per 1,000 cases, and no model costs less."
        yield from filter(None, [self._settled()])
        if self.decision.choosing is not None:
            yield from filter(None, [review_told(self.decision.choosing, self.evidence)])
        yield from self.warnings
        for name, why in self.notes.items():
            yield f"{name} is not compared: {why}"

    def _settled(self) -> str:
        """How many rows would tell apart the pair that takes fewest; "" if all are told."""
        needed = self.rows_to_settle()
        rest = [pair for pair in self.distinct if pair not in self.shown and needed[pair] < inf]
        if not rest:
            return ""
        model, other = pair = min(rest, key=needed.__getitem__)
        told = f"{rows_shown(needed[pair])} labelled rows would tell"
        if len(self.distinct) == 1:
            return f"{told}."
        against = "the rule in use" if other == BASELINE else in_short(other, _NAME)
        return f"{told} {in_short(model, _NAME)} from {against}."

    @property
    def margin_told(self) -> str:
        """That costs include the margin; "" where digits do not show it."""
        return margin_told(self.margin, self.stated)

    def summary(self) -> str:
        """One line on how it was found."""
        several = f", {adjustment(self.correction)}" if len(self.distinct) > 1 else ""
        one_model = any(np.isnan(one.p) and one.method != "none" for one in self.pairs.values())
        without_p = "; no p between two thresholds of one model" if one_model else ""
        intervals = f"{100 * self.evidence.level:g} % intervals on {self.decision.basis}"
        return f"{intervals}, n {self.evidence.n}{several}{without_p}"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a pair: whose they are, and every attribute of the differences by its name."""
        models, against = zip(*self.pairs, strict=True)
        rows = [asdict(more) for more in self.pairs.values()]
        found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        return {"model": np.array(models), "against": np.array(against), **found}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        needed = self.rows_to_settle()
        return {
            "text": self.text,
            "level": self.evidence.level,
            "correction": self.correction,
            "rows": self.evidence.n,
            "basis": self.decision.basis,
            "assumptions": list(self.assumptions),
            "savings": [
                {
                    "model": model,
                    "against": against,
                    **more_dict(more, "saving_per_1000"),
                    "shown": self.is_shown(more),
                    "rows_to_settle": plain_number(needed[model, against]),
                }
                for (model, against), more in self.pairs.items()
            ],
            "strategies": [self._strategy_dict(one) for one in self.strategies],
            "margin": self.margin,
            "trivial": [money_dict(one) for one in self.trivial],
            "reason": self.evidence.reason,
            "warnings": list(self.warnings),
            "notes": dict(self.notes),
        }

    def _strategy_dict(self, one: StrategyMoney) -> dict[str, Any]:
        share = self.reviewed_share(one)
        return money_dict(one) | ({} if share is None else {"reviewed_share": share})

    def __repr__(self) -> str:
        pairs, told = first_of(list(self.pairs.items()), PAIRS, "pairs")
        names = [f"{in_short(model)}, against {in_short(against)}" for (model, against), _ in pairs]
        width = max(map(len, names))
        lines = [
            f"{in_short(self.text, 2 * LETTERS)} {self.summary()}",
            f"{'':{width}}      saving        low       high  p",
        ]
        lines += [
            f"{name:<{width}}  {more.difference:10.5g} {more.low:10.5g} {more.high:10.5g}  "
            f"{more.p_adjusted:.3g}"
            for name, (_, more) in zip(names, pairs, strict=True)
        ]
        notes = [in_short(note, LETTERS) for note in self.remarks()]
        return "\n".join([*lines, *told, *notes, *filter(None, [self.margin_told])])


def sides_of(pairs: Iterable[Sides], strategies: Sequence[StrategyMoney]) -> list[Sides]:
    """The two sides of each pair: of models that do the same on all rows the first by name."""
    first = _first_of(strategies)
    return [(first.get(model, model), first.get(against, against)) for model, against in pairs]


def _first_of(strategies: Sequence[StrategyMoney]) -> dict[str, str]:
    """By model, the one that it does the same as on all rows, or itself."""
    return {
        one.strategy.whose_scores: (one.same_as or one.strategy).whose_scores
        for one in strategies
        if one.strategy.name != BASELINE
    }
