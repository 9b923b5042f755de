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
    carried_by_few,
    counted_twice,
    doubted,
    doubts_of_use,
    far_prevalence,
    made_share,
    never_worth,
    short_of_share,
    swapped,
    turned_round,
    unsettled,
    without_places,
    worse_than_none,
)
from costspace.decision.sentences.recommended import (
    cost,
    impossible,
    in_use,
    instruction,
    luck,
    margin_told,
    needless,
    next_best,
    no_model,
    not_shown,
    same,
    saving,
    stated_of,
    untold,
    why_nothing,
    without_model,
)
from costspace.decision.sentences.reviewed import place_worth, review_told, share_reviewed
from costspace.decision.sentences.settled import settled
from costspace.decision.strategy import Strategy
from costspace.decision.words import sides_shown

_LOOSEN = "Loosen a limit, or find a model that ranks better."


@final
@dataclass(frozen=True)
class Recommendation:
    """The recommended strategy, its rule and its cost.

    Attributes
    ----------
    instruction : str
        What to do, with its number, in a sentence. Where no model is shown to save money it is what
        to do with the best one.
    cost : str
        What that costs; "" if nothing is feasible.
    without_model : str
        What flagging nobody and flagging everybody cost, but for what is stated.
    heading : str
        What to do, of what is recommended: also where `instruction` is of the best model.
    saving : str
        What that saves against the rule in use, or against what needs no model; that none is shown
        to save money; else what it costs. "" if nothing is feasible.
    not_shown : str
        That no model is shown to save money; "" if one is. It is read first.
    told : tuple of str
        How far the data can tell, if that is not far; that what is known at each decision changes
        nothing, if so.
    beside : tuple of str
        What it saves against the rule in use, or against what needs no model, and how it compares
        with the best of another model.
    settling : str
        How many labelled rows would tell the nearest rival apart, and what a wrong choice costs.
    choosing : str
        That costs include a margin, since the best of several is partly lucky; "" where their
        digits do not show it.
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
    stated : Strategy or None
        What `instruction` and `cost` are of: the recommended, but for the best model where a rule
        without one is recommended.
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
    stated: Strategy | None = None
    heading: str = ""
    saving: str = ""
    not_shown: str = ""
    told: Sequence[str] = ()
    beside: Sequence[str] = ()
    settling: str = ""
    choosing: str = ""
    remarks: Sequence[str] = ()
    shown: bool = False
    warnings: Sequence[str] = ()

    @property
    def answer(self) -> tuple[str, ...]:
        """The sentences to read first: what to do, what it costs, and how sure that is."""
        what = self.not_shown, self.instruction, self.cost, self.without_model
        return _said(*what, *self.told, *self.beside, self.settling, self.choosing)

    @property
    def why(self) -> tuple[str, ...]:
        """What stands behind `heading` and `saving`, but for `warnings`."""
        first = self.heading, self.saving
        return tuple(one for one in (*self.answer, *self.remarks) if one not in first)

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
        return Recommendation(loosen, heading=loosen, told=(nothing,), warnings=_said(*doubts))
    best, use, own = choosing.best, choosing.strategy, evidence.of(choosing.strategy)
    turned = turned_round(task)
    # Without a model that helps, the answer rests on that.
    first = turned if use.model is None else ""
    plain = [fit for fit in choosing.candidates if fit.strategy.model is None]
    used = [fit for fit in choosing.fits if fit.strategy == task.baseline]
    least = choosing.cheapest(plain) if plain else None
    saved = None if least is None else evidence.more(least.strategy)
    shown = use.model is not None and _saves(own, saved)
    stated = stated_of(choosing, turned=turned)
    said = evidence.of(stated.strategy)
    saves = saving(least, saved, evidence) if shown else ""
    against = in_use(choosing, evidence, stated=stated is best)
    allowed = {fit.strategy.name for fit in plain}
    told = (
        f"Check the scores first: as they are, {best.rule and best.rule.called(task.names)}."
        if first
        else instruction(stated, shown=shown or least is None)
    )
    priced = cost(choosing.priced(stated), said, evidence)
    unseen = "" if shown or least is None else not_shown(least)
    return Recommendation(
        told,
        priced,
        without_model(stated.strategy, evidence, trivial=trivial, allowed=allowed),
        use.model,
        use.name,
        choosing.priced(best).money,
        own,
        best.rule,
        stated.strategy,
        heading=told if stated is best else instruction(best, shown=True),
        saving=unseen or against or saves or priced,
        not_shown=unseen,
        told=_said(
            first,
            untold(choosing, evidence),
            unsettled(stated),
            no_model(fits),
            *(doubtful for fit in used for doubtful in doubts_of_use(fit)),
            worse_than_none(task, least, evidence),
            far_prevalence(task),
            made_share(task),
            needless(stated),
            swapped(best),
            counted_twice(task),
            short_of_share(stated),
            without_places(task),
            never_worth(task),
        ),
        beside=_said(
            against,
            review_told(choosing, evidence),
            place_worth(stated),
            "" if against else saves,
            same(choosing),
            next_best(choosing, evidence),
        ),
        settling=settled(choosing, evidence),
        choosing=margin_told(
            choosing.margin, said, others=choosing.priced(stated).margin < choosing.margin
        ),
        remarks=_said(
            share_reviewed(stated),
            saves if against else "",
            luck(evidence, choosing.priced(best).money),
        ),
        shown=shown,
        warnings=_said("" if first else turned, carried_by_few(task.judged.rows), *doubts),
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
    rival = choosing.cheapest(rivals)
    if choosing.stands_for[rival.strategy] is choosing.best:
        return None
    known = evidence.more(rival.strategy)
    more = choosing.priced(rival).money - choosing.priced(choosing.best).money
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
