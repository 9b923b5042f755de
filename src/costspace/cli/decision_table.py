"""The table of a decision: what could be done, what that costs, and whether that is clear."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable
from costspace.cli.lines import WIDTH, shortened
from costspace.cli.tables import NONE, interval_heading
from costspace.decision.decision import Decision
from costspace.decision.evidence import MoneyDifference, MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.fitted_decisions import FittedDecisions
from costspace.decision.fitted_queue import FittedQueue
from costspace.decision.sentences import for_luck, ranked
from costspace.decision.terms import rule_in_short, term
from costspace.decision.words import alone_shown, estimate_shown, known_beside

# A column of names keeps at least this much.
_SHORTEST_COLUMN = 8
# How much of the name of a choice is shown, which may be a user's own, at least.
CHOICE_LENGTH = 24


def apart(decision: Decision) -> list[FittedStrategy]:
    """The recommended strategy, then others by cost, but for those that do what one before does."""
    found: dict[object, FittedStrategy] = {}
    feasible = [fit for fit in decision.fits if fit.money is not None]
    own, evidence = decision.recommendation, decision.evidence
    for fit in sorted(feasible, key=ranked):
        more = None if evidence is None else evidence.more(fit.strategy)
        if (more is None or not more.none) and not _needs_no_scores(decision, fit):
            model, rule = fit.strategy.model, fit.rule
            same = fit.strategy if rule is None else (model, str(rule), ranked(fit))
            found.setdefault(same, fit)
    return sorted(
        found.values(),
        key=lambda fit: (fit.strategy.model, fit.strategy.name) != (own.model, own.choice),
    )


def _needs_no_scores(decision: Decision, fit: FittedStrategy) -> bool:
    """Whether a model's rule flags all or nobody, which has a line of its own."""
    kept = fit.strategy in (decision.strategy, decision.task.baseline)
    trivial = fit.strategy.model is not None and fit.rule is not None and fit.rule.trivial
    return trivial and not kept


def most_telling(
    decision: Decision, fits: Sequence[FittedStrategy], number: int
) -> list[FittedStrategy]:
    """So many of some strategies, in their order.

    Among them are the first, the rule in use, the cheapest of another model, the better of what
    needs no model, the cheapest of the model whose threshold is in use, the smallest change, and
    then the cheapest of each model.
    """
    use, in_use = fits[0].strategy.model, decision.task.baseline
    used = [fit for fit in fits if fit.strategy == in_use]
    others = [fit for fit in fits if fit.strategy.model is not None and fit not in used]
    rival = [fit for fit in others if fit.strategy.model != use][:1]
    plain = [fit for fit in fits if fit.strategy.model is None][:1]
    moved = [fit for fit in others if in_use is not None and fit.strategy.model == in_use.model][:1]
    of_models = {fit.strategy.model: fit for fit in reversed(others)}
    each = [fit for fit in others if fit in of_models.values()]
    kept = list(dict.fromkeys([fits[0], *used, *rival, *plain, *moved, *each, *fits]))[:number]
    return [fit for fit in fits if fit in kept]


def height(decision: Decision, fits: Sequence[FittedStrategy]) -> int:
    """How many lines the table takes."""
    return 1 + len(fits) + _has_luck(decision)


def _has_luck(decision: Decision) -> bool:
    """Whether the first cost includes luck in choosing, so that it has a row without that."""
    choosing = decision.choosing
    return choosing is not None and bool(for_luck(choosing, decision.recommendation.interval))


def decision_table(decision: Decision, fits: Sequence[FittedStrategy]) -> Table:
    """Strategies in rows, whose names of models are as long as there is room for.

    A cost that includes luck in choosing has a second row, without that.
    """
    lines = list(_lines(decision, fits))
    columns = _columns(decision, lines)
    models = [
        NONE if line.fit.strategy.model is None else printable(line.fit.strategy.model)
        for line in lines
    ]
    needed = min(max(map(cell_len, models)), _SHORTEST_COLUMN)
    for dropped in ("threshold", "clear", "extra", interval_heading(decision.level)):
        if _room_for_models(columns) < needed:
            columns.pop(dropped, None)
    room = max(_room_for_models(columns), _SHORTEST_COLUMN)
    table = Table(box=None, pad_edge=False)
    table.add_column("model", no_wrap=True)
    for name in columns:
        number = name not in ("method", "threshold")
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    for model, *cells in zip(models, *columns.values(), strict=True):
        table.add_row(*map(Text, (shortened(model, room), *cells)))
    return table


class _Shown(NamedTuple):
    """A row of the table: a strategy, how it is called, and what it costs."""

    fit: FittedStrategy
    method: str
    one: StrategyMoney


def _lines(decision: Decision, fits: Sequence[FittedStrategy]) -> Iterator[_Shown]:
    known = {one.strategy: one for one in decision.strategies}
    for fit in fits:
        method = shortened(printable(term(fit.strategy)), CHOICE_LENGTH)
        yield _Shown(fit, method, known[fit.strategy])
        own = None if decision.evidence is None else decision.evidence.without_luck
        if own is not None and fit.strategy == decision.strategy and _has_luck(decision):
            yield _Shown(fit, "without luck", own)


def _room_for_models(columns: Mapping[str, Sequence[str]]) -> int:
    """How wide the models' names may be beside other columns."""
    return WIDTH - sum(2 + max(map(cell_len, (name, *cells))) for name, cells in columns.items())


def _columns(decision: Decision, lines: Sequence[_Shown]) -> dict[str, list[str]]:
    """The cells of the table by column, without the models."""
    evidence = decision.evidence
    columns = {
        "method": [line.method for line in lines],
        "threshold": [_threshold(line.fit) for line in lines],
    }
    if evidence is None or evidence.reason is not None:
        return {**columns, "cost": [alone_shown(line.one.money) for line in lines]}
    # What is known exactly has the digits of an interval beside it.
    beside = next((line.one for line in lines if line.one.method != "known"), None)
    columns |= {"cost": [], interval_heading(evidence.level): [], "extra": [], "clear": []}
    for one in (line.one for line in lines):
        more = one.more
        cost, ends = estimate_shown(one.money, one.low, one.high)
        if one.method == "known":
            cost = _beside(one.money, beside)
            ends = "exact"
        cells = (cost, ends, NONE if more is None else _difference(more), _clearly(more, evidence))
        for column, cell in zip(list(columns.values())[2:], cells, strict=True):
            column.append(cell)
    return columns


def _beside(money: float, one: StrategyMoney | None) -> str:
    return alone_shown(money) if one is None else known_beside(money, one.low, one.high)


def _difference(more: MoneyDifference) -> str:
    return estimate_shown(more.difference, more.low, more.high)[0]


def _clearly(more: MoneyDifference | None, evidence: MoneyEvidence) -> str:
    """Whether the data tell one from the recommended; nothing is said of the same model."""
    if more is None or evidence.same_model(more):
        return NONE
    return "yes" if evidence.settles(more) else "no"


def _threshold(fit: FittedStrategy) -> str:
    if fit.strategy.model is None or isinstance(fit, FittedDecisions):
        return NONE
    if isinstance(fit, FittedQueue) and not fit.flagged.any():
        # Ties go beyond its share.
        return "flags none"
    return "varies" if fit.rule is None else rule_in_short(fit.rule)
