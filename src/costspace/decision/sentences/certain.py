"""How sure an answer is, in words, with the rows that it is found on."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from costspace.decision.evidence.money_evidence import MoneyDifference, MoneyEvidence
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.strategy import Strategy
from costspace.decision.words import listed

# How large a saving is, is not clear where it may be less than this share of what it seems.
_FAINT = 0.25
# So many rivals are named.
_FEW = 2


class Certainty(NamedTuple):
    """Whether it is clear what to do and that it saves money, and how sure that is, in words."""

    clear: bool
    text: str


def certainty(
    choosing: Choosing | None,
    evidence: MoneyEvidence | None,
    excluded: Strategy | None,
    *,
    unseen: bool,
) -> Certainty:
    """How sure an answer is; `excluded` is the rule in use where it breaks a limit.

    A saving is `unseen` where no model is shown to save money against what needs none.
    """
    if choosing is None or evidence is None:
        return Certainty(clear=False, text="Nothing keeps to the limits")
    if evidence.reason is not None:
        return Certainty(clear=False, text="The data do not tell how sure that is")
    at = f"at {100 * evidence.level:g} %, from {evidence.n:,} rows{_in_groups(choosing)}"
    unclear = _unclear(choosing, evidence, excluded, unseen=unseen)
    if unclear is None:
        what = "Clear" if choosing.strategy.model else "Nothing else costs less: clear"
        return Certainty(clear=True, text=f"{what} {at}")
    what, alike = unclear
    return Certainty(clear=False, text=f"{what} {at}{alike}")


def _in_groups(choosing: Choosing) -> str:
    groups = choosing.task.judged.rows.groups
    return "" if groups is None else f" in {len(np.unique(groups)):,} groups"


def _unclear(
    choosing: Choosing,
    evidence: MoneyEvidence,
    excluded: Strategy | None,
    *,
    unseen: bool,
) -> tuple[str, str] | None:
    """What is not clear, in words before and after what that is found on; None if all is."""
    in_use = _against_in_use(choosing, evidence)
    settled = is_clear(evidence, excluded)
    if unseen and not (settled and choosing.strategy.model is None):
        return "No clear saving", ""
    if in_use is not None and in_use.high < 0 and excluded is None:
        return "The rule in use costs less: clear", ""
    if not settled:
        rivals = list(dict.fromkeys(_rivals(choosing, evidence)))
        named = listed(rivals) if len(rivals) <= _FEW else f"{len(rivals)} other models"
        return "No clear winner", f": {named} may do as well" if rivals else ""
    saved = in_use or _against_none(choosing, evidence)
    if saved is None or saved.none or 0 < saved.low >= _FAINT * saved.difference:
        return None
    if saved.low > 0:
        return "There is a saving, but how much is not clear", ""
    return "The best model, but no clear saving on the rule in use", ""


def is_clear(evidence: MoneyEvidence, excluded: Strategy | None) -> bool:
    """Whether the data show that all others that are allowed cost more, or do the same.

    Another threshold of the recommended model, of which there is no p, is not shown to cost less.
    """
    rivals = [
        one.more
        for one in evidence.strategies
        if one.more is not None and one.same_as is None and one.strategy != excluded
    ]
    return bool(rivals) and all(
        more.none
        or (
            not more.high < 0
            if evidence.same_model(more)
            else evidence.settles(more) and more.difference > 0
        )
        for more in rivals
    )


def _against_in_use(choosing: Choosing, evidence: MoneyEvidence) -> MoneyDifference | None:
    """What the rule in use costs more than what is recommended, if that is another."""
    use = choosing.task.baseline
    return None if use is None or use == choosing.strategy else evidence.more(use)


def _against_none(choosing: Choosing, evidence: MoneyEvidence) -> MoneyDifference | None:
    """The same of the cheapest that needs no model and is allowed."""
    plain = [fit for fit in choosing.candidates if fit.strategy.model is None]
    return evidence.more(choosing.cheapest(plain).strategy) if plain else None


def _rivals(choosing: Choosing, evidence: MoneyEvidence) -> Iterator[str]:
    """Other models that the data do not tell from the recommended, the cheapest first.

    One of many comparisons may look clear by chance, but is no rival to name.
    """
    own = None, *choosing.own_models
    for fit in sorted(choosing.fits, key=lambda one: choosing.priced(one).ranked):
        model, more = fit.strategy.model, evidence.more(fit.strategy)
        if model in own or more is None or more.none or fit.same_for_all:
            continue
        near = more.low <= 0 <= more.high and not evidence.settles(more)
        use = choosing.task.baseline
        if near and fit.strategy != use:
            other = use is not None and use.model == model
            yield f"{model} at another threshold than in use" if other else str(model)
