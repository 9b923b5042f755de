"""What has changed between two samples, and what to do about it, in a few sentences."""

from collections.abc import Iterator, Mapping, Sequence

from costspace.cli.console import printable
from costspace.cli.lines import shortened
from costspace.decision.words import amount_shown, decimals_for, estimate_shown, listed
from costspace.estimates.quantities import LARGE, PREVALENCE
from costspace.watching.change import Change
from costspace.watching.changes import Drift

_NAME, _FEW = 24, 3
_RANKING = "auc"


def answer_of(found: Mapping[str, Drift]) -> list[str]:
    """What keeping the rule comes to, and what has changed, in sentences."""
    return [*_of_money(found), *_of_changes(found)]


def _of_money(found: Mapping[str, Drift]) -> Iterator[str]:
    """Of which models the rule should be set anew, if money is asked for."""
    money = {name: drift.money for name, drift in found.items() if drift.money is not None}
    if len(found) == 1:
        for one in money.values():
            yield from one.sentences()
        return
    kept = [name for name, one in money.items() if not one.needed]
    if kept:
        yield f"Keep the rule of {_named(kept)}."
    anew = [name for name, one in money.items() if one.needed]
    if anew:
        yield f"Set the rule of {_named(anew)} anew."


def _of_changes(found: Mapping[str, Drift]) -> list[str]:
    """Which of prevalence, scores within a class and calibration have changed."""
    prevalence = _prevalence(found)
    if not any(_is_changed(drift) for drift in found.values()):
        if prevalence is None:
            return [
                "No evidence of a change, of the scores within a class or of what was asked for."
            ]
        values = _values(prevalence)
        told = f"neither of prevalence ({values}) nor of the scores within a class"
        return [f"No evidence of a change, {told}."]
    said = [*_of_prevalence(found, prevalence), *_of_scores(found), *_of_calibration(found)]
    return [*said, *_of_others(found, alone=len(said) == 1)]


def change_of(drift: Drift, quantity: str) -> Change | None:
    """The change of a quantity, if it was asked for."""
    return next((one for one in drift.changes if one.quantity == quantity), None)


def _is_changed(drift: Drift) -> bool:
    return any(map(drift.is_clear, drift.changes)) or any(map(drift.is_clear, drift.shifts))


def _prevalence(found: Mapping[str, Drift]) -> Change | None:
    """The change of the prevalence, which all models share; where that is clear, if it is."""
    changes = [(drift, change_of(drift, PREVALENCE)) for drift in found.values()]
    clear = [one for drift, one in changes if one is not None and drift.is_clear(one)]
    return next(iter([*clear, *(one for _, one in changes)]), None)


def _values(one: Change) -> str:
    decimals = decimals_for((one.difference, one.low, one.high), one.high - one.low)
    return " to ".join(amount_shown(value, decimals) for value in (one.before, one.after))


def _of_prevalence(found: Mapping[str, Drift], one: Change | None) -> Iterator[str]:
    if one is None:
        return
    if not any(drift.is_clear(one) for drift in found.values()):
        yield f"Prevalence is not shown to have changed ({_values(one)})."
        return
    level = next(iter(found.values())).level
    moved = "fell" if one.difference < 0 else "rose"
    ends = estimate_shown(one.difference, one.low, one.high)[1]
    yield (
        f"Prevalence {moved} from {_values(one)} ({100 * level:g} % interval of the change "
        f"{ends}){_advice(found, 'set thresholds anew')}."
    )


def _advice(found: Mapping[str, Drift], text: str) -> str:
    """What to do about a change, unless money says what there is to do."""
    return "" if any(drift.money is not None for drift in found.values()) else f": {text}"


def _by_kind(found: Mapping[str, Drift], quantity: str) -> dict[str, list[str]]:
    """The models of which a quantity clearly became better, worse, or just changed."""
    kinds: dict[str, list[str]] = {}
    for name, drift in found.items():
        one = change_of(drift, quantity)
        if one is not None and (became := drift.became(one)) is not None:
            kinds.setdefault(became, []).append(name)
    return kinds


def _of_scores(found: Mapping[str, Drift]) -> Iterator[str]:
    """Of which models the scores of a class have moved."""
    moved: dict[tuple[str, ...], list[str]] = {}
    for name, drift in found.items():
        clear = tuple(one.rows for one in drift.shifts if drift.is_clear(one))
        if clear:
            moved.setdefault(clear, []).append(name)
    if not moved:
        yield "The scores within each class are not shown to have changed."
        return
    parts = [f"{_classes(rows)}{_of(found, names)}" for rows, names in moved.items()]
    ranks = [
        f", and rank {became}{_of(found, names)}"
        for became, names in _by_kind(found, _RANKING).items()
    ]
    advice = _advice(found, "check cases, outcomes and model")
    yield f"Scores of {' and of '.join(parts)} changed{''.join(ranks)}{advice}."


def _classes(rows: Sequence[str]) -> str:
    return "both classes" if len(rows) > 1 else f"the {rows[0]}"


def _of_calibration(found: Mapping[str, Drift]) -> Iterator[str]:
    for became, names in _by_kind(found, LARGE).items():
        how = "changed" if became == "changed" else f"got {became}"
        advice = "" if became == "better" else _advice(found, "calibrate anew")
        yield f"Calibration{_of(found, names)} {how}{advice}."


def _of_others(found: Mapping[str, Drift], *, alone: bool) -> Iterator[str]:
    """What else has changed: of much, only that it is, and that only if it is `alone`."""
    others = dict.fromkeys(
        one.quantity
        for drift in found.values()
        for one in drift.changes
        if drift.is_clear(one) and one.quantity not in (PREVALENCE, LARGE)
    )
    parts = [
        f"{quantity}{_of(found, names)} is {became}"
        for quantity in others
        for became, names in _by_kind(found, quantity).items()
    ]
    if len(parts) > _FEW and alone:
        yield f"{len(parts)} metrics and losses changed."
    elif 0 < len(parts) <= _FEW:
        yield f"{listed(parts)}."


def _of(found: Mapping[str, Drift], names: Sequence[str]) -> str:
    """Which models something is said of, where there are several."""
    return f" ({_named(names)})" if len(found) > 1 else ""


def _named(names: Sequence[str]) -> str:
    if len(names) > _FEW:
        return f"{len(names)} models"
    return listed([shortened(printable(name), _NAME) for name in names])
