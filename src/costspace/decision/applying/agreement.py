"""Whether a file says one thing: to people in its record, and to whoever applies its rules."""

from collections.abc import Mapping
from typing import Any

from costspace.checks import check_number
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.plain_rules import plain_rules
from costspace.decision.rules.rule import Rule
from costspace.errors import ConditionError, brief

_RECOMMENDATION, _BASELINE = "recommendation", "baseline"
_MISSING = object()
_ADVICE = "make them the same, or decide and save anew"


def applied(record: Mapping[str, Any], rules: DeployedRules) -> dict[str, Any]:
    """Plain values of the rules beside a record: whether it recommends them, and what they are."""
    own = record.get(_RECOMMENDATION)
    recommended = isinstance(own, Mapping) and _name(own) == _name(vars(rules))
    return {"recommended": recommended, **plain_rules(rules)}


def check_applied(
    record: Mapping[str, Any], values: Mapping[str, Any], rules: DeployedRules, *, newer: bool
) -> None:
    """`ConditionError` unless plain values are those of the rules, and the record says the same.

    Values of a `newer` version may have keys that this one does not know.
    """
    own, told = applied(record, rules), _told(record)
    if values.get("recommended") is (not own["recommended"]):
        names = [" and ".join(_name(one)) for one in (told.get(_RECOMMENDATION, {}), values)]
        raise ConditionError(
            f"the model and the choice of recommendation are {names[0]}, those of apply "
            f"{names[1]}: {_ADVICE}"
        )
    if different := _difference(values, own, "apply", newer=newer):
        place, given, read = different
        if given is _MISSING or read is _MISSING:
            what = "is missing" if given is _MISSING else f"is {brief(given)}, and has no meaning"
            raise ConditionError(f"{place} {what}")
        raise ConditionError(f"{place} is {brief(given)}, and would be read as {brief(read)}")
    stated = {_name(vars(rules)): ("apply.rule", own["rule"])}
    for where, one in told.items():
        other, rule = stated.setdefault(_name(one), (f"{where}.rule", one.get("rule")))
        if different := _difference(one.get("rule"), rule, ""):
            place, given, read = different
            raise ConditionError(
                f"{where}.rule{place} is {brief(given)}, and {other}{place} is {brief(read)}: "
                f"{_ADVICE}"
            )
    if recommended := told.get(_RECOMMENDATION):
        stated_rules = {name: rule for name, (_, rule) in stated.items()}
        _check_sentence(recommended, stated_rules, rules.names)
    _check_limits(record)
    scores, rule = rules.decided_on, rules.rule
    if scores is not None and scores.flagged is not None and not scores.has_cuts_of(rule):
        raise ConditionError(
            f"scores.flagged is of a rule whose cuts are among scores.quantiles, and the rule is "
            f"to {rule}: decide and save anew"
        )


def _told(record: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The strategies that a record tells the rule of, by where it does."""
    rows = record.get("strategies", [])
    if not isinstance(rows, list):
        raise ConditionError(f"strategies must be a list, got {brief(rows)}")
    found = {f"strategies[{i}]": row for i, row in enumerate(rows)}
    known = {name: record.get(name) for name in (_BASELINE, _RECOMMENDATION)}
    found |= {name: one for name, one in known.items() if one is not None}
    for place, one in found.items():
        if not isinstance(one, Mapping):
            raise ConditionError(f"{place} must be an object, got {brief(one)}")
    return found


def _check_sentence(
    recommended: Mapping[str, Any], rules: Mapping[Any, Any], names: Mapping[str, str]
) -> None:
    """`ConditionError` unless the sentences say the rule of the strategy that they state."""
    stated = recommended.get("stated")
    rule = rules.get(_name(stated)) if isinstance(stated, Mapping) else None
    said = f"{recommended.get('instruction')}"
    does = "" if rule is None else f"{Rule.from_dict(rule).called(names)}"
    if does.casefold() not in said.casefold():
        raise ConditionError(
            f"recommendation.instruction is {said!r}, and the rule is to {does}: {_ADVICE}"
        )
    if said not in f"{recommended.get('text')}":
        raise ConditionError(
            f"recommendation.text does not have recommendation.instruction, {said!r}: {_ADVICE}"
        )


def _check_limits(record: Mapping[str, Any]) -> None:
    limits = record.get("limits", {})
    if not isinstance(limits, Mapping):
        raise ConditionError(f"limits must be an object, got {brief(limits)}")
    for name in ("capacity", "review_capacity"):
        most = limits.get(name)
        if isinstance(most, bool):
            raise ConditionError(f"limits.{name} must be a number, got {most}")
        if most is not None:
            check_number(f"limits.{name}", most, low=0, high=1)


def _name(strategy: Mapping[str, Any]) -> tuple[str, str]:
    return repr(strategy.get("model")), repr(strategy.get("choice"))


def _difference(
    given: Any, read: Any, place: str, *, newer: bool = False
) -> tuple[str, Any, Any] | None:
    """The first place where values are not those that were read, with both; None if there is none.

    A truth value is no number.
    """
    if isinstance(given, Mapping) and isinstance(read, Mapping):
        names = read if newer else {**read, **given}
        both = (given, read)
        pairs = [(f".{name}", *(one.get(name, _MISSING) for one in both)) for name in names]
    elif isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        pairs = [(f"[{i}]", *pair) for i, pair in enumerate(zip(given, read, strict=True))]
    else:
        same = given == read and isinstance(given, bool) == isinstance(read, bool)
        return None if same else (place, given, read)
    found = (_difference(one, other, place + at, newer=newer) for at, one, other in pairs)
    return next(filter(None, found), None)
