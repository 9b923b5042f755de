"""Where one model has less loss than another with confidence: `costspace compare --bands`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.cli.console import printable
from costspace.inference.bands.banding import difference_band
from costspace.scores.rows import ScoredRows

_CONDITIONS = {"cost": "cost proportion", "skew": "skew"}


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


def band_lines(found: Sequence[Mapping[str, Any]], level: float) -> Iterator[str]:
    """What the page says of them."""
    choice, axis = found[0]["choice"], found[0]["axis"]
    yield (
        f"Loss under {choice}, with {100 * level:g} % confidence for each pair in all conditions "
        "together:"
    )
    for pair in found:
        a, b = printable(pair["a"]), printable(pair["b"])
        ranges = [
            f"{better} beats {worse} for {_CONDITIONS[axis]} {_ranges(pair[key])}"
            for better, worse, key in ((a, b, "a_better"), (b, a, "b_better"))
            if pair[key]
        ]
        told = "; ".join(ranges) or f"neither of {a} and {b} is known to beat the other anywhere"
        yield f"  {told}."


def _ranges(ranges: Sequence[tuple[float, float]]) -> str:
    return " and ".join(f"between {low:.3g} and {high:.3g}" for low, high in ranges)
