"""A decision as a report page stores it."""

from collections.abc import Callable, Mapping
from math import inf
from types import MappingProxyType
from typing import Any

from costspace.decision.decision import Decision
from costspace.decision.evidence.staying import staying
from costspace.decision.record import kept_dict, worth_dict
from costspace.decision.sentences.reviewed import place_worth, review_told
from costspace.decision.strategy import BASELINE, Strategy
from costspace.report.choices import label_of, term_of


def answer_dict(decision: Decision) -> dict[str, Any]:
    """What a page shows of a decision first.

    This is `Decision.answer`, with the sentences of the recommendation, what strategies are called
    in plain words and by the field's terms, and where the recommended rule works, if one serves all
    conditions.
    """
    found, to = decision.recommendation, decision.calibrated_to
    used = [fit.strategy for fit in decision.fits]
    return {
        **decision.answer(),
        "point": _point(decision),
        "labels": {one.name: label_of(one, to) for one in used},
        "terms": {one.name: term_of(one, to) for one in used},
        "not_shown": found.not_shown,
        "heading": found.heading,
        "saving": found.saving,
        "told": list(found.told),
        "beside": list(found.beside),
        "sure": {"clear": decision.certainty.clear, "text": decision.certainty.text},
        "settling": found.settling,
        "choosing": found.choosing,
        "reviews": _reviews(decision),
    }


def details_dict(decision: Decision) -> dict[str, Any]:
    """What a page shows of a decision when it is asked why.

    This is how limits are kept, what other batches of a queue save, what knowing more would save,
    and how far costs may move.
    """
    return {name: found(decision) for name, found in _DETAILS.items()}


def detail(decision: Decision, place: int) -> dict[str, Any] | None:
    """One of these details, by its name, and None after the last: a page asks for one at a time."""
    if place == len(_DETAILS):
        return None
    name = list(_DETAILS)[place]
    return {name: _DETAILS[name](decision)}


def limits_kept(decision: Decision) -> list[dict[str, Any]]:
    """How the rule that is stated keeps to each limit."""
    return [kept_dict(one) for one in decision.limits_kept()]


def staying_dict(decision: Decision) -> dict[str, Any] | None:
    """Between which costs of a false negative the recommended model loses least.

    None where that depends on more, as on a review, or on limits that follow the prevalence.
    """
    use, losses = decision.strategy, decision.losses()
    if use is None or losses is None or use.reviews or use.name == BASELINE:
        return None
    found = staying(decision.task, losses, use)
    return {
        "mean": found.mean,
        "least": found.least,
        "most": None if found.most == inf else found.most,
        "best": _named(found.best),
        "below": _named(found.below),
        "above": _named(found.above),
    }


def _named(one: Strategy | None) -> dict[str, str | None] | None:
    return None if one is None else {"model": one.model, "choice": one.name}


_DETAILS: Mapping[str, Callable[[Decision], Any]] = MappingProxyType(
    {
        "limits_kept": limits_kept,
        "places_worth": lambda decision: worth_dict(decision.places_worth),
        "knowing_more": lambda decision: decision.knowing_more,
        "staying": staying_dict,
    }
)


def _reviews(decision: Decision) -> list[str]:
    """What reviews save and what one more is worth, if cases may be reviewed."""
    choosing, stated = decision.choosing, decision.recommendation.stated
    if choosing is None or decision.evidence is None or stated is None:
        return []
    own = next(fit for fit in decision.fits if fit.strategy == stated)
    told = review_told(choosing, decision.evidence), place_worth(own)
    return [one for one in told if one]


def _point(decision: Decision) -> dict[str, float] | None:
    """Where the rule that serves all conditions, if one flags or passes, works on held-out rows."""
    use = decision.strategy
    if decision.recommendation.rule is None or (use is not None and use.reviews):
        return None
    fpr, fnr = decision.outcomes().rates
    return {"fpr": fpr, "fnr": fnr}
