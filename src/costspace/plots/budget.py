"""Where the expected cost comes from: the parts of a loss budget, up to its total."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from textwrap import wrap
from types import MappingProxyType
from typing import Any, final

from matplotlib.axes import Axes

from costspace.decision.budget import PARTS, REMEDIES, LossBudget, ValueOfKnowing
from costspace.decision.words import alone_shown
from costspace.errors import ConditionError
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.style import BLACK, GREY

# Inches of a new figure, of a step in it, and of what else there is.
_WIDTH, _STEP, _REST = 5.0, 0.2, 1.1
# Steps between one budget and the next, and how high a bar is.
_BETWEEN, _BAR = 1.3, 0.8
# Points that a letter of small text is wide, and more that are left free.
_LETTER, _ASIDE = 4.9, 12
# Costs of parts that are 0 but for rounding.
_NOTHING = 1e-9
_MIS_SET = "mis-set threshold"


def _look(colour: str) -> Mapping[str, Any]:
    return MappingProxyType({"facecolor": colour, "edgecolor": BLACK, "linewidth": 0.4})


# A part looks the same in every picture; its name stands at the left.
_LOOKS = {
    "correct_decisions": _look("0.9"),
    "ranking": _look("0.78"),
    "constraints": _look("0.7"),
    "committing": _look("0.66"),
    "miscalibration": _look("0.55"),
    _MIS_SET: _look("0.45"),
}
_TOTAL = _look("0.2")
_KNOWN = {"costs": "costs known", "prevalence": "prevalence known", "both": "both known"}
_SAVED = MappingProxyType(
    {"facecolor": "white", "edgecolor": BLACK, "linewidth": 0.8, "linestyle": (0, (2, 1.5))}
)


@final
@dataclass(frozen=True)
class _Step:
    """A bar from where the steps before it lead to where it leads itself."""

    name: str
    start: float
    end: float
    text: str
    part: str
    look: Mapping[str, Any]


def plot_budget(
    budgets: LossBudget | Mapping[str, LossBudget],
    *,
    knowing: ValueOfKnowing | Mapping[str, ValueOfKnowing] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw the parts of the expected cost of models, and what to do about each.

    Each part is a bar that begins where the one above it ends; the last one ends at the total.
    Below stands what to do about each. A part that is 0 in every budget is left out.

    Parameters
    ----------
    budgets : LossBudget, or mapping of name to LossBudget
        Such as ``decide(...).models[name].reacting`` and ``.committing``.
    knowing : ValueOfKnowing, or mapping of name to ValueOfKnowing, optional
        What it would save to know costs, prevalence or both, drawn as open bars back from the
        best single threshold: of a budget of committing to one, by its name.
    ax : matplotlib Axes, optional
        By default those of a new figure, which is higher the more there is to draw.

    Returns
    -------
    Display
        Its columns are "drawn", "from" and "to", the cost per 1,000 cases: one row a bar.

    Raises
    ------
    SourceError
        If something is not the result it should be.
    ConditionError
        If a value of knowing is not that of a budget of committing to one threshold.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Sections 4.2 and 6.2: parts of the loss.
    Gains go to the left.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> budget = cs.decision.LossBudget({"ranking": 20.0, "miscalibration": 5.0}, 25.0)
    >>> display = plot_budget({"model": budget})
    >>> display.columns()["to"]
    array([20., 25., 25.])
    >>> plt.close(display.figure)
    """
    named = by_name(budgets, (LossBudget,), "budget")
    known = {} if knowing is None else by_name(knowing, (ValueOfKnowing,), "budget")
    for name in known:
        if name not in named or _MIS_SET not in named[name].parts:
            raise ConditionError(
                f"knowing: there is no budget {name!r} of committing to one threshold."
            )
    parts = [each for budget in named.values() for each in budget.parts.items()]
    used = {part for part, money in parts if abs(money) > _NOTHING}
    steps = {name: list(_steps(name, named[name], known.get(name), used)) for name in named}
    with drawing_on(ax, ("from", "to")) as drawing:
        rows = sum(len(each) + _BETWEEN for each in steps.values())
        drawing.resize(_WIDTH, _STEP * (rows + len(used)) + _REST)
        _set_up(drawing, [step for each in steps.values() for step in each], rows)
        remedies = [f"{part}: {said}" for part, said in _remedies(used).items()]
        first, ticks = 0.0, []
        for name, each in steps.items():
            _draw_steps(drawing, name, each, first)
            ticks += [(first + row, step.part) for row, step in enumerate(each)]
            first += len(each) + _BETWEEN
        drawing.ax.set_yticks(*zip(*ticks, strict=True), fontsize="small")
        _write_below(drawing, remedies)
        return drawing.display("Where the expected cost comes from")


def _remedies(used: set[str]) -> dict[str, str]:
    """What to do about the parts that are drawn."""
    return {PARTS[part]: remedy for part, remedy in REMEDIES.items() if part in used}


def _write_below(drawing: Drawing, lines: list[str]) -> None:
    letters = int(72 * drawing.ax.figure.bbox.width / drawing.ax.figure.dpi / _LETTER)
    wrapped = [wrap(line, letters, subsequent_indent="    ") for line in lines]
    drawing.ax.annotate(
        "\n".join(chain.from_iterable(wrapped)),
        (0, 0),
        xycoords=("figure fraction", "axes fraction"),
        xytext=(6, -34),
        textcoords="offset points",
        fontsize="small",
        color=GREY,
        verticalalignment="top",
    )


def _steps(
    name: str, budget: LossBudget, known: ValueOfKnowing | None, used: set[str]
) -> Iterator[_Step]:
    """The bars of one budget, those of the parts that are used."""
    end = 0.0
    for part, money in budget.parts.items():
        start, end = end, end + money
        if part not in used:
            continue
        said = PARTS[part]
        yield _Step(f"{name}, {said}", start, end, alone_shown(money), said, _LOOKS[part])
    total = budget.total
    yield _Step(f"{name}, total", 0.0, total, alone_shown(total), "total", _TOTAL)
    if known is None:
        return
    single = end - budget.parts[_MIS_SET]
    for what, said in _KNOWN.items():
        saved: float = getattr(known, what)
        text = f"saves {alone_shown(saved)}"
        yield _Step(f"{name}, {said}", single, single - saved, text, said, _SAVED)


def _set_up(drawing: Drawing, steps: list[_Step], rows: float) -> None:
    left = min(0.0, *(step.end for step in steps))
    # The widest scale at which each bar and what stands beside it are within the axes.
    width = drawing.points - _LETTER * max(len(step.part) for step in steps) / 2
    scales = [
        (max(step.start, step.end) - left)
        / max(width - _LETTER * len(step.text) - _ASIDE, width / 4)
        for step in steps
    ]
    drawing.ax.set_xlim(left, left + (max(scales) * width or 1.0))
    drawing.ax.set_ylim(rows - _BETWEEN, -0.4 - _BETWEEN)
    drawing.ax.set_xlabel("Expected cost per 1,000 cases")
    drawing.ax.tick_params(axis="y", length=0)
    drawing.ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)


def _draw_steps(drawing: Drawing, name: str, steps: list[_Step], first: float) -> None:
    """One budget, from a row downwards, below its name."""
    ax = drawing.ax
    ax.text(
        0.01,
        first - 0.85,
        name,
        transform=ax.get_yaxis_transform(),
        verticalalignment="center",
        fontweight="bold",
        fontsize="small",
    )
    for i, step in enumerate(steps):
        row = first + i
        (bar,) = ax.barh(
            row,
            step.end - step.start,
            _BAR,
            left=step.start,
            zorder=2,
            **step.look,
        )
        drawing.add(step.name, bar, [step.start], [step.end])
        ax.annotate(
            step.text.replace("-", "\N{MINUS SIGN}"),
            (max(step.start, step.end), row),
            xytext=(4, 0),
            textcoords="offset points",
            verticalalignment="center",
            fontsize="small",
            fontweight="bold" if step.look is _TOTAL else "normal",
        )
        if i and step.look is not _TOTAL:
            # From where the bar above ends to where this one begins.
            ax.vlines(step.start, row - 1, row, color=GREY, linewidth=0.6, zorder=1)
