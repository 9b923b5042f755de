"""What has changed between two samples, and what to do about it, in three sentences."""

from collections.abc import Iterator, Mapping, Sequence

from costspace.cli.console import printable
from costspace.cli.lines import shortened
from costspace.decision.words import amount_shown, decimals_for, estimate_shown, listed
from costspace.watching.changes import Change, Drift
from costspace.estimates.quantities import LARGE, PREVALENCE

_NAME, _FEW = 24, 3


def answer_of(found: Mapping[str, Drift]) -> list[str]:
    """Which of prevalence, scores within a class and calibration have changed, in sentences."""
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
        f"{ends}): set thresholds anew."
    )


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
    yield f"Scores of {' and of '.join(parts)} changed: check cases, outcomes and model."


def _classes(rows: Sequence[str]) -> str:
    return "both classes" if len(rows) > 1 else f"the {rows[0]}"


def _of_calibration(found: Mapping[str, Drift]) -> Iterator[str]:
    names = _clear_in(found, LARGE)
    if names:
        yield f"Calibration{_of(found, names)} changed: calibrate anew."


def _of_others(found: Mapping[str, Drift], *, alone: bool) -> Iterator[str]:
    """What else has changed: of much, only that it is, and that only if it is `alone`."""
    others = dict.fromkeys(
        one.quantity
        for drift in found.values()
        for one in drift.changes
        if drift.is_clear(one) and one.quantity not in (PREVALENCE, LARGE)
    )
    parts = [f"{quantity}{_of(found, _clear_in(found, quantity))}" for quantity in others]
    if len(parts) > _FEW and alone:
        yield f"{len(parts)} metrics and losses changed."
    elif 0 < len(parts) <= _FEW:
        yield f"Changed too: {listed(parts)}."


def _clear_in(found: Mapping[str, Drift], quantity: str) -> list[str]:
    return [
        name
        for name, drift in found.items()
        if (one := change_of(drift, quantity)) is not None and drift.is_clear(one)
    ]


def _of(found: Mapping[str, Drift], names: Sequence[str]) -> str:
    """Which models something is said of, where there are several."""
    return f" ({_named(names)})" if len(found) > 1 else ""


def _named(names: Sequence[str]) -> str:
    if len(names) > _FEW:
        return f"{len(names)} models"
    return listed([shortened(printable(name), _NAME) for name in names])
