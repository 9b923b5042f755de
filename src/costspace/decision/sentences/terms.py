"""What strategies are called, in sentences and tables for people."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.choices.places import Places, sizes_in_words
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import (
    BASELINE,
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    QUEUE,
    REVIEW_EVERYBODY,
    REVIEW_QUEUE,
    UNREVIEWED,
    Strategy,
)
from costspace.decision.words import shares_shown, thresholds_shown
from costspace.deployment.actions import FLAG, PASS, REVIEW

_RAW = "_uncorrected"
_IN_USE = "rule in use"
_ALL_OF = MappingProxyType({PASS: "flags none", FLAG: "flags all"})
_FLAGGING = MappingProxyType(
    {
        FLAG_NOBODY.name: "flagging nobody",
        FLAG_EVERYBODY.name: "flagging everybody",
        REVIEW_EVERYBODY.name: "reviewing everybody",
    }
)


def term(strategy: Strategy) -> str:
    """What the choice of a strategy is called; a user's own by its `name`."""
    if strategy.name == BASELINE:
        return _IN_USE
    if strategy.model is None or strategy.name == QUEUE:
        return strategy.name.replace("_", " ")
    own, name = strategy.choice, strategy.name
    return own.name if name == str(own) else term_of_name(name)


def term_of_name(name: str) -> str:
    """The same by its name alone; "raw" is short for not corrected for the prevalence."""
    if name.endswith(UNREVIEWED):
        return f"{term_of_name(name.removesuffix(UNREVIEWED))}, no review"
    if name.endswith(REVIEW_QUEUE):
        return f"{term_of_name(name.removesuffix(REVIEW_QUEUE))}, queue"
    known = name.removesuffix(_RAW)
    if known in PARAMETER_FREE:
        return known.replace("_", "-") + (", raw" if name.endswith(_RAW) else "")
    return name


def joined(strategies: Sequence[Strategy]) -> tuple[str, str]:
    """The models and the choices of strategies that do the same, in cells of a table."""
    models, choices = names_of(strategies)
    return ", ".join(models), ", ".join(choices)


def names_of(strategies: Sequence[Strategy]) -> tuple[list[str], list[str]]:
    """The models and the choices of strategies that do the same; no model if none is needed."""
    models = [] if strategies[0].model is None else [one.model for one in strategies]
    found = [model for model in dict.fromkeys(models) if model is not None]
    choices = strategies[:1] if not found else strategies
    used = [one for one in strategies if one.name == BASELINE]
    return found, list(dict.fromkeys(term(one) for one in (*choices, *used)))


def meaning(strategy: Strategy) -> str:
    """What the term says, where that needs to be told."""
    if strategy.model is None or strategy.name == BASELINE:
        return ""
    if strategy.name == QUEUE:
        places = strategy.choice.places
        sizes = sizes_in_words(places.batches) if places is not None else ""
        batch = f"each batch of {sizes}" if sizes else "a batch"
        return f"{QUEUE} flags the top share of {batch}"
    if strategy.places is not None:
        return f"{REVIEW_QUEUE.strip('_')} fills the places for reviews of each batch"
    return f"{term(strategy)} {strategy.choice.meaning}" if strategy.choice.meaning else ""


def named(strategy: Strategy) -> str:
    """A strategy in a sentence."""
    if strategy.model is None:
        return _FLAGGING[strategy.name]
    return f"{strategy.model} ({term(strategy)})"


def flagging(name: str) -> str:
    """A rule that needs no model, in a sentence."""
    return _FLAGGING[name]


def rule_in_short(
    rule: Rule, places: Places | None = None, names: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A rule in a cell of a table: its cuts, or how many of each batch have `places`.

    Where it reviews in place of flagging, or of passing, that is said, by the `names` of actions.
    """
    called, cuts = rule.called(names).actions, _cuts_in_short(rule, places)
    if rule.trivial:
        return _ALL_OF.get(called[0], f"{called[0]}s all")
    reviews = names.get(REVIEW, REVIEW)
    if {*rule.actions} == {PASS, REVIEW}:
        return f"{reviews} {'above ' if rule.by == 'score' else ''}{cuts}"
    return f"{cuts}, else {reviews}" if {*rule.actions} == {REVIEW, FLAG} else cuts


def _cuts_in_short(rule: Rule, places: Places | None) -> str:
    drawn = [rule, *([rule.otherwise] if rule.randomised and rule.otherwise else [])]
    cuts = sorted({cut for one in drawn for cut in one.cuts})
    if rule.by == "share":
        in_each = "" if places is None else places.in_each
        return f"top {in_each or ', '.join(shares_shown(*cuts))}"
    if rule.randomised:
        return " or ".join(thresholds_shown(*cuts))
    return ", ".join(thresholds_shown(*cuts))


def places_told(places: Places) -> str:
    """How many of each batch have a place."""
    size = places.batches[0]
    if len({*places.batches}) == 1:
        return f"the {places.of(size):,} of each {size:,}"
    return f"the {shares_shown(places.share)[0]} of each batch"


def places_in_short(places: Places) -> str:
    """The same in a cell of a table."""
    return places_told(places).removeprefix("the ").replace("of each", "of")


def of_column(model: str, rule: Rule | None) -> str:
    """What a rule says of the column whose sign was changed, as the name of a model says."""
    if rule is None or not model.startswith("-") or not by_one_threshold(rule):
        return ""
    return f" ({model[1:]} below {thresholds_shown(0 - rule.cuts[0])[0]})"


def by_one_threshold(rule: Rule) -> bool:
    """Whether a rule flags scores above a threshold."""
    return rule.by == "score" and len(rule.cuts) == 1 and not rule.randomised
