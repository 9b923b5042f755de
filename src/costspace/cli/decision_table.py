"""The table of a decision: what could be done, what that costs, and whether that is clear."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable
from costspace.cli.lines import WIDTH, counting, several_in, shortened
from costspace.cli.tables import NONE, interval_heading
from costspace.decision.decision import Decision
from costspace.decision.evidence.money_evidence import MoneyDifference, MoneyEvidence
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.fitted_decisions import FittedDecisions
from costspace.decision.sentences.terms import names_of, places_in_short, rule_in_short
from costspace.decision.words import VARIES, alone_shown, estimate_shown

# The threshold of models that share a line and have scores on scales of their own.
BY_MODEL = "by model"
# A column of names keeps at least this much.
_SHORTEST_COLUMN = 8
# How much of the name of a choice is shown, which may be a user's own, at least.
CHOICE_LENGTH = 25


def apart(decision: Decision, choosing: Choosing) -> list[Priced]:
    """The recommended strategy, then others by cost: one of those that do the same on all rows."""
    return [one for one in choosing.in_order if not _needs_no_scores(decision, one)]


def _needs_no_scores(decision: Decision, one: Priced) -> bool:
    """Whether a model's rule flags all or nobody, which has a line of its own."""
    rule, kept = one.fit.rule, one.strategy in (decision.strategy, decision.task.baseline)
    trivial = one.strategy.model is not None and rule is not None and rule.trivial
    return trivial and not kept


def most_telling(decision: Decision, fits: Sequence[Priced], number: int) -> list[Priced]:
    """So many of some strategies, in their order.

    Among them are the first, the rule in use, the cheapest of another model, the better of what
    needs no model, the cheapest with a review or without one, the cheapest of the model whose
    threshold is in use, the smallest change, and then the cheapest of each model.
    """
    in_use = decision.task.baseline
    own = set[str | None]() if decision.choosing is None else {*decision.choosing.own_models}
    used = [fit for fit in fits if in_use in decision.alike(fit.strategy)]
    others = [fit for fit in fits if fit.strategy.model is not None and fit not in used]
    # Of those that share its line, too: the answer names it.
    rival = [
        fit for fit in others if any(one.model not in own for one in decision.alike(fit.strategy))
    ][:1]
    plain = [fit for fit in fits if fit.strategy.model is None][:1]
    reviewing = [fit for fit in others if fit.strategy.reviews != fits[0].strategy.reviews][:1]
    moved = [fit for fit in others if in_use is not None and fit.strategy.model == in_use.model][:1]
    of_models = {fit.strategy.model: fit for fit in reversed(others)}
    each = [fit for fit in others if fit in of_models.values()]
    first = [fits[0], *used, *rival, *plain, *reviewing, *moved, *each]
    kept = list(dict.fromkeys([*first, *fits]))[:number]
    return [fit for fit in fits if fit in kept]


def decision_table(decision: Decision, fits: Sequence[Priced]) -> Table:
    """Strategies in rows, whose names are as long as there is room for.

    Of those that share a line, and whose names would leave no room for other columns, the first
    is named, and the others are counted.
    """
    names = [names_of(decision.alike(fit.strategy)) for fit in fits]
    among = [printable(model) for model in decision.task.models]
    said = counting if counted(decision, fits) else several_in

    def cell(names: Sequence[str], most: int) -> str:
        return said(list(map(printable, names)) or [NONE], most, among)

    columns = _columns(decision, fits, [cell(choices, CHOICE_LENGTH) for _, choices in names])
    longest = max(cell_len(cell(models, WIDTH)) for models, _ in names)
    for dropped in ("threshold", "clear", "extra", interval_heading(decision.level)):
        if _room_for_models(columns) < min(longest, _SHORTEST_COLUMN):
            columns.pop(dropped, None)
    room = max(_room_for_models(columns), _SHORTEST_COLUMN)
    table = Table(box=None, pad_edge=False)
    table.add_column("model", no_wrap=True)
    for name in columns:
        number = name not in ("method", "threshold")
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    for (models, _), *cells in zip(names, *columns.values(), strict=True):
        table.add_row(*map(Text, (cell(models, room), *cells)))
    return table


def counted(decision: Decision, fits: Sequence[Priced]) -> bool:
    """Whether of strategies that share a line only the first is named in their table."""
    names = [names_of(decision.alike(fit.strategy)) for fit in fits]
    if all(len(own) <= 1 for both in names for own in both):
        return False
    columns = _columns(decision, fits, [_listing(choices, CHOICE_LENGTH) for _, choices in names])
    return _room_for_models(columns) < max(cell_len(_listing(own, WIDTH)) for own, _ in names)


def _listing(names: Sequence[str], most: int) -> str:
    """Names in a cell of so many columns."""
    return shortened(printable(", ".join(names)) or NONE, most)


def _room_for_models(columns: Mapping[str, Sequence[str]]) -> int:
    """How wide the models' names may be beside other columns."""
    return WIDTH - sum(2 + max(map(cell_len, (name, *cells))) for name, cells in columns.items())


def _columns(
    decision: Decision, fits: Sequence[Priced], choices: Sequence[str]
) -> dict[str, list[str]]:
    """The cells of the table by column, without the models."""
    evidence = decision.evidence
    columns = {
        "method": list(choices),
        "threshold": [_threshold(decision, one.fit) for one in fits],
    }
    if evidence is None or evidence.reason is not None:
        return {**columns, "cost": [alone_shown(one.money) for one in fits]}
    columns |= {"cost": [], interval_heading(evidence.level): [], "extra": [], "clear": []}
    for fit in fits:
        # In the digits of its interval.
        more = evidence.more(fit.strategy)
        extra = NONE
        if more is not None:
            extra, _ = estimate_shown(more.difference, more.low, more.high)
        cells = *cost_shown(decision, fit), extra, _clearly(more, evidence)
        for column, cell in zip(list(columns.values())[2:], cells, strict=True):
            column.append(cell)
    return columns


def cost_shown(decision: Decision, fit: Priced) -> tuple[str, str]:
    """What a strategy costs, and its interval, empty if there is none."""
    evidence = decision.evidence
    one = None if evidence is None else evidence.of(fit.strategy)
    if evidence is None or one is None:
        return alone_shown(fit.money), ""
    return one.shown


def _clearly(more: MoneyDifference | None, evidence: MoneyEvidence) -> str:
    """Whether the data tell one from the recommended; nothing is said of the same model."""
    if more is None or evidence.same_model(more):
        return NONE
    return "yes" if evidence.settles(more) else "no"


def _threshold(decision: Decision, fit: FittedStrategy) -> str:
    """The threshold of a line, if that is the same on the scores of all models that share it."""
    if fit.strategy.model is None:
        return NONE
    alike, models = decision.alike(fit.strategy), (None, fit.strategy.model)
    others = [one for one in decision.fits if one.strategy in alike]
    own = {_threshold_of(one) for one in others if one.strategy.model not in models}
    return _threshold_of(fit) if own <= {_threshold_of(fit)} else BY_MODEL


def _threshold_of(fit: FittedStrategy) -> str:
    if isinstance(fit, FittedDecisions):
        return NONE
    rule = fit.rule
    if fit.strategy.places is not None:
        return places_in_short(fit.strategy.places)
    if rule is None:
        return VARIES
    return rule_in_short(rule, fit.strategy.choice.places, fit.task.names)
