"""Where money goes: the parts of a loss budget, step by step up to its total."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import Any, final

from matplotlib.axes import Axes

from costspace.decision.budget import REMEDIES, LossBudget, ValueOfKnowing
from costspace.decision.words import money_shown
from costspace.errors import ConditionError
from costspace.plots.axes import Display, Drawing, drawing_on
from costspace.plots.checks import by_name
from costspace.plots.style import BLACK, COLOURS, GREY, PALE

# Inches of a new figure, of a step in it, and of what else there is.
_WIDTH, _STEP, _REST = 9.0, 0.22, 1.1
# Steps between one budget and the next, and how high a bar is.
_BETWEEN, _BAR = 0.9, 0.8
# Room for numbers beside bars, as a share of the width.
_ROOM, _MORE_ROOM = 0.18, 0.45
# Letters of a line of the legend.
_WRAP = 32
# Money that rounding leaves of none.
_NOTHING = 1e-9
_MIS_SET = "mis-set threshold"


def _look(colour: str, face: str, hatch: str = "") -> Mapping[str, Any]:
    return MappingProxyType(
        {"facecolor": face, "edgecolor": colour, "hatch": hatch, "linewidth": 1.0}
    )


# A part looks the same in every picture.
_LOOKS = {
    "correct_decisions": _look(GREY, "white", "----"),
    "ranking": _look(COLOURS[0], PALE),
    "constraints": _look(COLOURS[3], "white", "...."),
    "committing": _look(COLOURS[4], "white", "\\\\\\\\\\"),
    "miscalibration": _look(COLOURS[1], "white", "/////"),
    _MIS_SET: _look(COLOURS[2], "white", "xxxx"),
}
_TOTAL = _look("0.3", "0.3")
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
    label: str
    look: Mapping[str, Any]


def plot_budget(
    budgets: LossBudget | Mapping[str, LossBudget],
    *,
    knowing: ValueOfKnowing | Mapping[str, ValueOfKnowing] | None = None,
    ax: Axes | None = None,
) -> Display:
    """Draw where the money of models goes, part by part.

    Each part is a bar that begins where the one above it ends; the last one ends at the total.
    The legend says what to do about each. A part that is 0 in every budget is left out.

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
        Its columns are "drawn", "from" and "to", in money per 1,000 cases: one row a bar.

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
        drawing.resize(_WIDTH, _STEP * rows + _REST)
        room = _MORE_ROOM if known else _ROOM
        _set_up(drawing, [step for each in steps.values() for step in each], rows, room)
        first, middles = 0.0, []
        for each in steps.values():
            _draw_steps(drawing, each, first)
            middles.append(first + (len(each) - 1) / 2)
            first += len(each) + _BETWEEN
        drawing.ax.set_yticks(middles, list(steps))
        return drawing.display(beside=True)


def _steps(
    name: str, budget: LossBudget, known: ValueOfKnowing | None, used: set[str]
) -> Iterator[_Step]:
    """The bars of one budget, those of the parts that are used."""
    end = 0.0
    for part, money in budget.parts.items():
        start, end = end, end + money
        if part not in used:
            continue
        said = part.replace("_", " ")
        label = "\n    ".join([said, *wrap(REMEDIES[part], _WRAP)])
        yield _Step(f"{name}, {said}", start, end, money_shown(money), label, _LOOKS[part])
    total = budget.total
    yield _Step(f"{name}, total", 0.0, total, money_shown(total), "total", _TOTAL)
    if known is None:
        return
    single = end - budget.parts[_MIS_SET]
    for what, said in _KNOWN.items():
        saved: float = getattr(known, what)
        text = f"{said}: saves {money_shown(saved)}"
        label = "saved by knowing,\n    from the best single threshold"
        yield _Step(f"{name}, {said}", single, single - saved, text, label, _SAVED)


def _set_up(drawing: Drawing, steps: list[_Step], rows: float, room: float) -> None:
    ends = [0.0, *(step.end for step in steps)]
    left, right = min(ends), max(ends)
    drawing.ax.set_xlim(left, right + room * (right - left or 1.0))
    drawing.ax.set_ylim(rows - _BETWEEN, -0.5 - _BETWEEN / 2)
    drawing.ax.set_xlabel("Expected cost per 1,000 cases")
    drawing.ax.tick_params(axis="y", length=0)
    drawing.ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)


def _draw_steps(drawing: Drawing, steps: list[_Step], first: float) -> None:
    """One budget, from a row downwards."""
    ax = drawing.ax
    for i, step in enumerate(steps):
        row = first + i
        (bar,) = ax.barh(
            row,
            step.end - step.start,
            _BAR,
            left=step.start,
            zorder=2,
            label=drawing.once(step.label),
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
