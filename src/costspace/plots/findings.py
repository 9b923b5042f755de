"""What titles say: the finding of a picture, computed from what is drawn."""

from collections.abc import Callable, Mapping

import numpy as np

from costspace.costs import Uniform
from costspace.curve import PiecewiseQuadratic
from costspace.curve.lines import CostLines
from costspace.plots.scale import ConditionAxis
from costspace.plots.thinning import loss_range

# So many names are said one by one.
_SAID = 2
# Losses differ by no more than this by rounding.
_ROUNDING = 1e-12


def best_of(
    values: Mapping[str, float],
    written: Callable[[float], str],
    verbs: tuple[str, str],
    *,
    largest: bool = False,
) -> str:
    """Which of several is best, by how much, in one line.

    Those whose values are written alike are said together, since a reader cannot tell them apart.

    Parameters
    ----------
    values : mapping of name to float
        At least two.
    written : callable
        What stands after the colon: the value, in the digits that count.
    verbs : pair of str
        What the best one does, and what several do: ("costs least", "cost least").
    largest : bool, default False
        Whether larger is better.
    """
    best = written(max(values.values()) if largest else min(values.values()))
    names = [name for name, value in values.items() if written(value) == best]
    every = len(names) == len(values)
    many = f"All {len(names)}" if every else f"{len(names)} of {len(values)}"
    said = " and ".join(names) if len(names) <= _SAID else many
    return f"{said} {'are alike' if every else verbs[len(names) > 1]}: {best}"


def leading(widths: Mapping[str, float]) -> str:
    """Which of several is best on most of an axis, from the share on which each is."""
    if len(widths) == 1:
        ((name, width),) = widths.items()
        return f"{name} leads on {_percent(width)} of the axis"
    verbs = "leads longest", "lead longest"
    return best_of(widths, lambda share: f"{_percent(share)} of the axis", verbs, largest=True)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def mean_losses(curves: Mapping[str, PiecewiseQuadratic], over: ConditionAxis) -> dict[str, float]:
    """The mean loss of each curve over what is shown of it."""
    shown = Uniform(over.low, over.high)
    return {name: curve.expectation(shown) for name, curve in curves.items()}


def of_losses(
    curves: Mapping[str, PiecewiseQuadratic],
    over: ConditionAxis,
    better: list[tuple[float, float]] | None,
) -> str:
    """Which curve is lowest, or what the only one does."""
    loses, lose = ("costs", "cost") if "cost" in over.loss_label else ("loses", "lose")
    means = mean_losses(curves, over)
    if len(means) > 1:
        best = min(means, key=means.__getitem__)
        others = [one - curves[best] for name, one in curves.items() if name != best]
        if all(loss_range(one, over.low, over.high)[0] >= -_ROUNDING for one in others):
            return f"{best} {loses} least at every {over.said}"
        verbs = f"{loses} least on average", f"{lose} least on average"
        return best_of(means, "{:.3g}".format, verbs)
    ((name, mean),) = means.items()
    if better is not None:
        share = 100 * over.covered(*np.reshape(better, (-1, 2)).T)
        return f"{name} beats flagging everybody and nobody on {share:.0f} % of the axis"
    return f"{name} {loses} {mean:.3g} on average"


def of_lines(
    lines: CostLines | None, lowest: PiecewiseQuadratic | None, over: ConditionAxis
) -> str:
    """What cost lines show without curves."""
    if lines is None:
        return f"{over.loss_label} by {over.said}"
    count = f"{len(lines.left):,} cost lines"
    if lowest is None:
        return count
    return f"The lowest of {count}: {mean_losses({'': lowest}, over)['']:.3g} on average"
