"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from costspace.decision.cautions import beyond_limits, doubted, turned_round
from costspace.decision.choosing import EQUAL, Choosing
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.rule import Rule
from costspace.decision.sentences import (
    cost,
    in_use,
    instruction,
    luck,
    next_best,
    no_model,
    not_shown,
    ranked,
    saving,
    unsettled,
    untold,
    why_nothing,
)
from costspace.decision.words import money_shown

_LOOSEN = "Loosen one of them, or find a model that ranks better."


@final
@dataclass(frozen=True)
class Recommendation:
    """What to do.

    Attributes
    ----------
    sentences : tuple of str
        How far the data can tell, if that is not far; the instruction; what it costs, and how sure
        that is.
    model : str or None
        None if the rule is trivial, or nothing is feasible.
    choice : str or None
        The name of the choice that sets its threshold; "flag_nobody" or "flag_everybody" if no
        model is worth using, None if nothing is feasible.
    money : float or None
        What that is expected to cost per 1,000 cases, on rows held out.
    interval : StrategyMoney or None
        The same with its standard error and interval; None if there is none.
    rule : Rule or None
        The rule itself, if one serves all conditions: the condition is known, or no other is
        better.
    shown : bool
        Whether the data show that it saves money against what needs no model.
    warnings : tuple of str
        What speaks against it.

    Examples
    --------
    >>> Recommendation(("Flag nobody.",), None, "flag_nobody", 50.0, None, None).text
    'Flag nobody.'
    """

    sentences: Sequence[str]
    model: str | None
    choice: str | None
    money: float | None
    interval: StrategyMoney | None
    rule: Rule | None
    shown: bool = False
    warnings: Sequence[str] = ()

    @property
    def text(self) -> str:
        """All of it in a few sentences."""
        return " ".join(self.sentences)

    def __str__(self) -> str:
        return self.text


def recommend(
    fits: Sequence[FittedStrategy],
    choosing: Choosing | None,
    evidence: MoneyEvidence | None,
    *,
    trivial: Mapping[str, float],
) -> Recommendation:
    """What is chosen among fitted strategies, feasible or not, in words."""
    doubts = doubted(fits[0].task)
    if choosing is None or evidence is None:
        nothing = f"Nothing keeps to the constraints: {why_nothing(fits)}"
        sentences = nothing, _LOOSEN, *doubts
        return Recommendation(sentences, None, None, None, None, None, warnings=doubts)
    best, use, own = choosing.best, choosing.strategy, evidence.of(choosing.strategy)
    against = turned_round(choosing.task), *doubts
    plain = [fit for fit in choosing.fits if fit.strategy.model is None]
    allowed = {fit.strategy.name for fit in plain}
    least = min(plain, key=ranked, default=None)
    saved = None if least is None else evidence.more(least.strategy)
    shown = use.model is not None and _saves(own, saved)
    sentences = (
        untold(choosing, own, evidence, shown=shown),
        "" if shown or not allowed else not_shown(choosing, least),
        instruction(best),
        cost(choosing, own, evidence, trivial=trivial, allowed=allowed),
        saving(least, saved) if shown else "",
        no_model(fits),
        unsettled(choosing, own),
        in_use(choosing, evidence),
        *(beyond_limits(fit) for fit in choosing.fits if fit.strategy == choosing.task.baseline),
        next_best(choosing, evidence),
        luck(choosing),
        *against,
    )
    return Recommendation(
        *(tuple(filter(None, sentences)), use.model, use.name, choosing.money, own, best.rule),
        shown=shown,
        warnings=tuple(filter(None, against)),
    )


def by_auc(choosing: Choosing | None, evidence: MoneyEvidence | None) -> str | None:
    """What choosing by AUC would come to, if that is another model than recommended."""
    if choosing is None or evidence is None or choosing.strategy.model is None:
        return None
    chosen, models = choosing.strategy.model, choosing.task.models
    aucs = {name: scores.rows.auc for name, scores in models.items()}
    first = max(aucs, key=lambda name: aucs[name])
    rivals = [fit for fit in choosing.fits if fit.strategy.model == first]
    if first == chosen or aucs[first] == aucs[chosen] or not rivals:
        return None
    rival = Choosing(rivals).best
    known = evidence.more(rival.strategy)
    interval = "" if known is None else f" ({evidence.said(known)})"
    more = (rival.money or 0.0) - choosing.money
    return (
        f"By AUC, {first} ({aucs[first]:.4f}) would be chosen and not {chosen} "
        f"({aucs[chosen]:.4f}): that costs {money_shown(more)} more per 1,000 cases{interval}."
    )


def _saves(own: StrategyMoney | None, saved: MoneyDifference | None) -> bool:
    """Whether the data show that it costs less than what needs no model and is allowed."""
    if own is None or saved is None:
        return own is not None
    return saved.low > EQUAL * own.money
