"""What keeping a rule costs on later rows, beside the best that is fitted on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.evidence.plain_money import more_dict
from costspace.decision.record import money_dict
from costspace.decision.rules.rule import Rule
from costspace.decision.sentences.terms import named
from costspace.decision.words import sides_shown
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, repr=False)
class MoneyDrift(FrozenValue, Tabulated):
    """What keeping a rule costs on the later of two samples, beside the best rule there.

    Attributes
    ----------
    rule : Rule
        The rule that is kept.
    kept : StrategyMoney
        What it costs per 1,000 cases of the later sample.
    best : StrategyMoney
        What costs least there of all that is fitted on it, on rows that it was not fitted on, and
        of flagging nobody and everybody.
    saving : MoneyDifference
        What the kept rule costs more than that: what a new rule would save.
    broken : tuple of str
        The limits of the decision that the kept rule does not keep to on the later sample.
    level : float in (0, 1)
        Confidence level of the intervals.
    n : int
        Number of rows of the later sample.
    basis : str
        What rules are judged on there.
    assumptions : tuple of str
        What was assumed of costs and prevalence there.
    reason : str or None
        Why there are no intervals.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> table = cs.ScoreTable.from_predictions(y, s)
    >>> money = cs.drift(table, table, quantities="auc", fp_cost=1, fn_cost=2).money
    >>> money.needed, money.kept.money, money.best.money
    (False, 125.0, 125.0)
    """

    rule: Rule
    kept: StrategyMoney
    best: StrategyMoney
    saving: MoneyDifference
    broken: tuple[str, ...]
    level: float
    n: int
    basis: str
    assumptions: tuple[str, ...]
    reason: str | None = None

    @property
    def needed(self) -> bool:
        """Whether something is shown to need doing: a new rule saves, or a limit is not kept."""
        return bool(self.broken) or self.saving.low > 0

    @property
    def text(self) -> str:
        """What to do with the rule, and why."""
        return " ".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """The same, sentence by sentence."""
        doing = "Set the rule anew" if self.needed else "Keep the rule"
        now = self._shown(self.kept, f"{100 * self.level:g} % interval ")
        instead = named(self.best.strategy)
        if self.best.strategy.model is not None:
            instead = "the best fitted anew"
            if self.best.rule is not None:
                instead += f" ({self.best.rule})"
        yield (
            f"{doing} ({self.rule}): it costs {now} per 1,000 cases now, {instead} "
            f"{self._shown(self.best)}, {self.told}."
        )
        if self.broken:
            yield f"It does not keep to its limits any more: {', '.join(self.broken)}."

    @property
    def told(self) -> str:
        """What a new rule would save, in words."""
        if self.saving.none:
            return "the same"
        saved = self.saving
        amount, ends = sides_shown(saved.difference, saved.low, saved.high, "less", "more")
        return f"{amount} ({ends})" if ends else amount

    def _shown(self, one: StrategyMoney, of: str = "") -> str:
        """A cost with its interval."""
        amount, ends = one.shown
        if not ends:
            return f"{amount} (no interval)"
        return f"{amount} ({of if one.method != 'known' else ''}{ends})"

    def columns(self) -> dict[str, NDArray[Any]]:
        """Two rows: the kept rule, and the best."""
        both = {"kept": self.kept, "best": self.best}
        names = ("money", "standard_error", "low", "high", "method")
        values = {name: np.array([getattr(one, name) for one in both.values()]) for name in names}
        return {"rule": np.array(list(both)), **values}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "text": self.text,
            "needed": self.needed,
            "kept": {**money_dict(self.kept), "rule": self.rule.to_dict()},
            "best": money_dict(self.best),
            "saving": more_dict(self.saving, "saving_per_1000"),
            "broken": list(self.broken),
            "level": self.level,
            "rows": self.n,
            "basis": self.basis,
            "assumptions": list(self.assumptions),
            "reason": self.reason,
        }

    def __repr__(self) -> str:
        return self.text
