"""Where one model has less loss than another with confidence: `costspace compare --bands`."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from costspace.bands.banding import difference_band
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.cli.console import printable
from costspace.cli.lines import each_wrapped, fitting, shortened, wrapped
from costspace.decision.words import listed
from costspace.samples.rows import ScoredRows

_CONDITIONS = {"cost": "cost proportion", "skew": "skew"}
_MOST_LINES, _LINES_A_PAIR, _NAME = 7, 3, 24


def band_rows(
    rows: ScoredRows, choice: str, axis: str, *, level: float, prevalence: float | None
) -> list[dict[str, Any]]:
    """For each pair of models, the ranges of conditions in which either has less loss."""
    found = []
    for a, b in combinations(rows.scores, 2):
        band = difference_band(
            rows.positive,
            {a: rows.scores[a], b: rows.scores[b]},
            choice=PARAMETER_FREE[choice],
            axis=axis,
            level=level,
            prevalence=prevalence,
            sample_weight=rows.weight,
            groups=rows.groups,
        )
        better = {"a_better": band.where(-1), "b_better": band.where(1)}
        found.append({"a": a, "b": b, "choice": choice, "axis": axis, **better})
    return found


def band_lines(found: Sequence[Mapping[str, Any]], level: float) -> list[str]:
    """Where which model has less loss, in as many lines as a page has room for."""
    choice, axis = found[0]["choice"], found[0]["axis"]
    lines = wrapped(
        f"Less loss under {choice}, by {_CONDITIONS[axis]} (confidence band, {100 * level:g} % for "
        "all conditions of a pair together):"
    )
    told = [_in_room(pair) for pair in _clearest(found)]
    if len(lines) + len(each_wrapped(told)) > _MOST_LINES:
        told = [*fitting(told, _MOST_LINES - len(lines) - 1), "All pairs: --json."]
    return [*lines, *each_wrapped(told)]


def _clearest(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The pairs that are told apart, then the others."""
    return sorted(found, key=lambda pair: not (pair["a_better"] or pair["b_better"]))


def _in_room(pair: Mapping[str, Any]) -> str:
    """Where either of a pair has less loss, by as many ranges as its lines have room for."""
    text = ""
    for most in range(max(len(pair["a_better"]), len(pair["b_better"]), 1), 0, -1):
        text = _told(pair, most)
        if len(wrapped(text)) <= _LINES_A_PAIR:
            break
    return text


def _told(pair: Mapping[str, Any], most: int) -> str:
    a, b = (shortened(printable(pair[key]), _NAME) for key in ("a", "b"))
    ranges = [
        f"{better} has less than {worse} {_ranges(pair[key], most)}"
        for better, worse, key in ((a, b, "a_better"), (b, a, "b_better"))
        if pair[key]
    ]
    return f"{'; '.join(ranges) or f'{a} and {b} are nowhere told apart'}."


def _ranges(ranges: Sequence[tuple[float, float]], most: int) -> str:
    told = [f"{low:.3g} to {high:.3g}" for low, high in ranges[:most]]
    more = [f"{len(ranges) - most} more"] if len(ranges) > most else []
    return f"from {listed([*told, *more])}"
