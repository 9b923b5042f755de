"""What titles say: the finding of a picture, computed from what is drawn."""

from collections.abc import Callable, Mapping, Sequence

# So many names are said one by one.
_SAID = 2


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
    said = together(names) if len(names) <= _SAID else many
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


def together(names: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
