"""What to do, in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import final

from costspace.decision.evidence.money_evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitting.choosing import EQUAL, Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.rules.rule import Rule
from costspace.decision.sentences.cautions import (
    counted_twice,
    doubted,
    doubts_of_use,
    far_prevalence,
    short_of_share,
    swapped,
    turned_round,
    worse_than_none,
)
from costspace.decision.sentences.recommended import (
    cost,
    costs_no_less,
    impossible,
    in_use,
    instruction,
    luck,
    needless,
    next_best,
    no_model,
    not_shown,
    ranked,
    same,
    saving,
    unsettled,
    untold,
    why_nothing,
    without_model,
)
from costspace.decision.words import sides_shown

_LOOSEN = "Loosen a limit, or find a model that ranks better."


@final
@dataclass(frozen=True)
class Recommendation:
    """The recommended strategy, its rule and its cost.

    Attributes
    ----------
    instruction : str
        What to do, with its number, in a sentence.
    cost : str
        What that costs; "" if nothing is feasible.
    without_model : str
        What flagging nobody and flagging everybody cost, but for what is recommended.
    not_shown : str
        That no model is shown to save money; "" if one is. It is read before what to do with one.
    told : tuple of str
        How far the data can tell, if that is not far; that what is known at each decision changes
        nothing, if so.
    beside : tuple of str
        What it saves against the rule in use, or against what needs no model, and how it compares
        with the best of another model.
    choosing : str
        That cost and saving allow for luck in choosing; "" where `cost` says how much that is, or
        where few parts of the rows choose otherwise.
    remarks : tuple of str
        What it saves against what needs no model, beside a rule in use; how much may be luck.
    model : str or None
        None if the rule is trivial, or nothing is feasible.
    choice : str or None
        The name of the choice that sets its threshold; "flag_nobody" or "flag_everybody" if no
        model is worth using, None if nothing is feasible.
    money : float or None
        What that is expected to cost per 1,000 cases, on held-out rows.
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
    >>> cost = "It costs 50 per 1,000 cases."
    >>> Recommendation("Flag nobody.", cost, choice="flag_nobody", money=50.0).text
    'Flag nobody. It costs 50 per 1,000 cases.'
    """

    instruction: str
    cost: str = ""
    without_model: str = ""
    model: str | None = None
    choice: str | None = None
    money: float | None = None
    interval: StrategyMoney | None = None
    rule: Rule | None = None
    not_shown: str = ""
    told: Sequence[str] = ()
    beside: Sequence[str] = ()
    choosing: str = ""
    remarks: Sequence[str] = ()
    shown: bool = False
    warnings: Sequence[str] = ()

    @property
    def answer(self) -> tuple[str, ...]:
        """The sentences to read first: what to do, what it costs, and how sure that is."""
        what = self.instruction, self.cost, self.without_model
        told = (*what, self.not_shown) if self.model is None else (self.not_shown, *what)
        return _said(*told, *self.told, *self.beside, self.choosing)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences."""
        return (*self.answer, *self.remarks, *self.warnings)

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
    left_out: Sequence[str] = (),
) -> Recommendation:
    """What is chosen among fitted strategies, feasible or not, in words.

    Who is `left_out` without having been compared is said last.
    """
    task = fits[0].task
    doubts = (*doubted(task), *left_out)
    if choosing is None or evidence is None:
        never = impossible(task)
        nothing = f"Nothing keeps to the limits: {never or why_nothing(fits)}"
        loosen = "Loosen a limit." if never else _LOOSEN
        return Recommendation(loosen, told=(nothing,), warnings=_said(*doubts))
    best, use, own = choosing.best, choosing.strategy, evidence.of(choosing.strategy)
    turned = turned_round(task)
    # Without a model that helps, the answer rests on that.
    first = turned if use.model is None else ""
    plain = [fit for fit in choosing.fits if fit.strategy.model is None]
    used = [fit for fit in choosing.fits if fit.strategy == task.baseline]
    allowed = {fit.strategy.name for fit in plain}
    least = min(plain, key=ranked, default=None)
    saved = None if least is None else evidence.more(least.strategy)
    shown = use.model is not None and _saves(own, saved)
    helps = shown or not costs_no_less(choosing, least)
    saves, against = saving(least, saved, evidence) if shown else "", in_use(choosing, evidence)
    return Recommendation(
        f"Check the scores first: as they are, {best.rule}."
        if first
        else instruction(best, helps=helps),
        cost(choosing, own, evidence),
        without_model(choosing, own, trivial=trivial, allowed=allowed),
        use.model,
        use.name,
        choosing.money,
        own,
        best.rule,
        not_shown="" if shown or not allowed else not_shown(choosing, own, least),
        told=_said(
            first,
            untold(choosing, own, evidence, shown=shown),
            no_model(fits),
            *(doubtful for fit in used for doubtful in doubts_of_use(fit)),
            worse_than_none(task, least, evidence),
            far_prevalence(task),
            needless(best),
            swapped(best),
            counted_twice(task),
            short_of_share(best),
        ),
        beside=_said(
            against or saves,
            same(choosing),
            next_best(choosing, evidence),
        ),
        choosing=unsettled(choosing, own),
        remarks=_said(saves if against else "", luck(choosing)),
        shown=shown,
        warnings=_said("" if first else turned, *doubts),
    )


def _said(*sentences: str) -> tuple[str, ...]:
    return tuple(filter(None, sentences))


def by_auc(choosing: Choosing | None, evidence: MoneyEvidence | None) -> str | None:
    """What choosing by AUC would come to, if that is another model than recommended."""
    if choosing is None or evidence is None or choosing.strategy.model is None:
        return None
    chosen, models = choosing.strategy.model, choosing.task.models
    aucs = {name: scores.rows.auc for name, scores in models.items()}
    first = max(sorted(aucs), key=lambda name: aucs[name])
    rivals = [fit for fit in choosing.fits if fit.strategy.model == first]
    if first == chosen or aucs[first] == aucs[chosen] or not rivals:
        return None
    rival = Choosing(rivals).best
    if choosing.stands_for[rival.strategy] is choosing.best:
        return None
    known = evidence.more(rival.strategy)
    more = (rival.money or 0.0) - (choosing.best.money or 0.0)
    low, high = (nan, nan) if known is None else (known.low, known.high)
    amount, ends = sides_shown(more, low, high, "more", "less")
    interval = f" ({100 * evidence.level:g} % interval {ends})" if ends else ""
    return (
        f"AUC would choose {first} ({aucs[first]:.4f}) instead of {chosen} ({aucs[chosen]:.4f}): "
        f"that costs {amount}{interval} per 1,000 cases."
    )


def _saves(own: StrategyMoney | None, saved: MoneyDifference | None) -> bool:
    """Whether the data show that it costs less than what needs no model and is allowed."""
    if own is None or saved is None:
        return own is not None
    return saved.low > EQUAL * own.money
