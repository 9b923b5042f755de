"""What speaks against a recommendation: few rows, odd scores, a rule in use that is not allowed."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from costspace.choices.places import Places, checked_batches
from costspace.curve import OperatingPoints
from costspace.decision.evidence.money_evidence import MoneyEvidence
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.fitting.strategies import check_choices
from costspace.decision.money.at_stake import is_at_stake, ranks_by_stake
from costspace.decision.money.row_money import rates_of
from costspace.decision.rules.rule import Rule
from costspace.decision.sentences.terms import by_one_threshold, flagging, term_of_name
from costspace.decision.strategy import FLAG_NOBODY
from costspace.decision.task import Task
from costspace.decision.words import alone_shown, listed, thresholds_shown, units_shown
from costspace.deferral import deferred_calls
from costspace.deployment.actions import FLAG, REVIEW
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import BALANCED
from costspace.samples.rounding import furthest
from costspace.samples.rows import ScoredRows
from costspace.samples.scale import advised, percentages
from costspace.scores.table import ScoreTable

# Metrics are loaded for models that seem to rank the wrong way round.
if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.estimates.model_samples import ModelSample
    from costspace.estimates.reversal import is_reversed, reversal_told

# Fewer rows, or groups, of the rarer class tell little.
_FEW_UNITS = 25
# Amounts of which such a share of the cases, and one more, carries half are too skewed for
# intervals: so it is in 94 to 100 % of samples of 50 cases and more that are lognormal with sigma
# 2, and in 5 to 0 % with sigma 1.
_FEW_CARRY = 0.08
# If ties leave less than this part of a queue's share, it is said.
_MOST_OF_SHARE = 0.9
# A threshold is settled if parts of the rows flag no more or less than what is stated by this part.
_SETTLED = 0.2
# From this share on it matters whether rows at a threshold are flagged.
_MANY_TIED = 0.001
# From so many times the prevalence of the rows on, another is asked about.
_FAR = 10


def few_told(task: Task, evidence: MoneyEvidence) -> str:
    """That few rows, or groups, of the rarer class decide; nothing if they are enough.

    Nor if they are too few for an interval, which is told by itself.
    """
    if evidence.reason is not None or evidence.units >= _FEW_UNITS:
        return ""
    found = units_shown(evidence.units, groups=task.judged.rows.groups is not None)
    return f"The rarer class {found}: they cannot tell well what anything costs."


def made_share(task: Task) -> str:
    """That groups say nothing of how far the prevalence may be off that is estimated from them."""
    if task.share_varies == task.estimated:
        return ""
    return (
        "Every group has the same share of positives, so no interval says how far the prevalence "
        "may be off: give it, or its range."
    )


def carried_by_few(rows: ScoredRows) -> str:
    """That so few cases cost so much that intervals are too short; nothing if they do not."""
    if rows.costs is None:
        return ""
    told = []
    for side, net, name in (
        (rows.positive, rows.costs.net_fn_cost, "missing all positives"),
        (~rows.positive, rows.costs.net_fp_cost, "flagging all negatives"),
    ):
        amounts = np.broadcast_to(net, len(rows)) if rows.weight is None else net * rows.weight
        descending = np.sort(amounts[side])[::-1]
        half = int(np.searchsorted(np.cumsum(descending), descending.sum() / 2)) + 1
        if half <= _FEW_CARRY * len(descending) + 1:
            of = f"{half:,} of {len(descending):,} cases {'carries' if half == 1 else 'carry'}"
            told.append(f"{of} half of what {name} costs")
    if not told:
        return ""
    return f"{' and '.join(told)}: another sample may cost much more than the intervals say."


def never_worth(task: Task) -> str:
    """That rows are passed and left out since their costs make flagging them never worth it."""
    if not task.passed:
        return ""
    rows = "1 row is" if task.passed == 1 else f"{task.passed:,} rows are"
    return (
        f"{rows} passed and left out, whatever the score: a false negative costs no more than a "
        "true positive there."
    )


def doubted(task: Task) -> tuple[str, ...]:
    """What scores look like if not like a model's, model by model."""
    return tuple(
        f"{name}: {text}" for name, found in task.doubts.items() for text in found.values()
    )


def left_out(task: Task) -> tuple[str, ...]:
    """Which models lack choices, and why."""
    return check_choices(task) if task.asked else _no_probabilities(task)


def _no_probabilities(task: Task) -> tuple[str, ...]:
    """Which models lack a choice since their scores are outside [0, 1], how many and how far."""
    found = []
    for model in task.models:
        low, high = task.score_range(model)
        lacks = lacking(task, model)
        if lacks:
            sides = [
                side
                for table in task.tables_of(model)
                for side in (table.negatives, table.positives)
            ]
            rows = sum(side.counted for side in sides)
            outside = sum(
                side.tally_of_each[(side.values < 0) | (side.values > 1)].sum() for side in sides
            )
            found.append(
                f"{model} has no {listed([term_of_name(name) for name in lacks])} strategy: "
                f"{outside:,.0f} of {rows:,.0f} scores {'is' if outside == 1 else 'are'} outside "
                f"[0, 1], the furthest {furthest(low, high)}: {_what_they_are(task, model)}"
            )
    return tuple(found)


def lacking(task: Task, model: str) -> list[str]:
    """The choices that a model lacks since its scores are outside [0, 1]."""
    low, high = task.score_range(model)
    choices = task.choices.items() if low < 0 or high > 1 else ()
    return [name for name, choice in choices if choice.on_probabilities]


def _what_they_are(task: Task, model: str) -> str:
    """What scores outside [0, 1] look like, with advice; that of who follows it is none."""
    low, high = task.score_range(model)
    looks = is_at_stake if percentages(low, high) else ranks_by_stake
    if looks(task.rows, model):
        # Where limits bind all cases have one threshold, and what is at stake is what it needs.
        alone = "" if task.limits else " Give the score alone: thresholds go by each case's costs."
        return f"they look like a score times what a case costs.{alone}"
    return advised(low, high, "calibrate them.")


def turned_round(task: Task) -> str:
    """Which models rank positives below negatives, by more than chance."""
    tables = {name: scores.rows for name, scores in task.models.items()}
    # Metrics are loaded only where one seems to.
    found = {
        name: table.auc
        for name, table in tables.items()
        if table.auc < 0.5 and _is_reversed(task, name, table)
    }
    return reversal_told(found) if found else ""


def _is_reversed(task: Task, model: str, table: ScoreTable) -> bool:
    return is_reversed(ModelSample(table, task.rows.counting, model, task.weights))


def swapped(best: FittedStrategy) -> str:
    """Whether costs may be the wrong way round, if false positives cost so much that none pays."""
    if best.strategy != FLAG_NOBODY:
        return ""
    stakes, p = best.task.conditions, best.task.conditions.mean_prevalence
    if stakes.negative_stake / (1 - p) <= stakes.positive_stake / p:
        return ""
    return "A false positive costs more than a false negative here: is it meant so?"


def counted_twice(task: Task) -> str:
    """Whether what an error costs is given again as a gain of the right decision."""
    by_case, bounds_of = task.rows.costs, task.conditions.bounds_of
    if by_case is not None:
        negatives = _is_gain(by_case.fp_cost, by_case.tn_cost)
        positives = _is_gain(by_case.fn_cost, by_case.tp_cost)
    else:
        negatives = _is_gain(_ends(bounds_of("fp_cost")), _ends(bounds_of("tn_cost"))[::-1])
        positives = _is_gain(_ends(bounds_of("fn_cost")), _ends(bounds_of("tp_cost"))[::-1])
    if not (negatives or positives):
        return ""
    names = "fp_cost and tn_cost" if negatives else "fn_cost and tp_cost"
    return f"{names} are one amount, as a cost and as a gain: is it counted twice?"


def _ends(amount: Range) -> list[float]:
    return [amount.low, amount.high]


def _is_gain(wrong: ArrayLike, right: ArrayLike) -> bool:
    """Whether the cost of an error is minus that of the right decision."""
    right = np.asarray(right)
    return bool(np.any(right) and np.array_equal(np.asarray(wrong), -right))


def unsettled(best: FittedStrategy) -> str:
    """That folds would flag other shares of the cases, and by which thresholds, if so."""
    # Validation rows are judged by the one rule of the others.
    parts = best.chosen_in_parts() if best.task.held_out.validation is None else []
    if not parts:
        return ""
    fpr, recall = rates_of(best.task.judged.rows, best.part_flagged(None))
    p = best.task.conditions.mean_prevalence
    share, shares = (1 - p) * fpr + p * recall, [flagged for flagged, _ in parts]
    ends = min(shares), max(shares)
    if max(abs(end - share) for end in ends) <= _SETTLED * share:
        return ""
    low, high = (f"{100 * end:.3g}" for end in ends)
    rules = [rule for _, rule in parts if rule is not None and by_one_threshold(rule)]
    chosen = "would"
    if best.rule is not None and len(rules) == len(parts):
        cuts = sorted(rule.cuts[0] for rule in rules)
        chosen = f"choose {' to '.join(thresholds_shown(cuts[0], cuts[-1], digits=3))}, and"
    return f"The threshold is not settled: folds {chosen} flag {low} to {high} % of the cases."


def short_of_share(best: FittedStrategy) -> str:
    """That ties keep a queue from flagging its share, if they do."""
    if best.rule is None or not best.rule.queued:
        return ""
    fpr, recall = rates_of(best.task.judged.rows, best.flagged)
    p, share = best.task.conditions.mean_prevalence, best.rule.cuts[-1]
    places = best.strategy.choice.places
    if places is not None and places.batches:
        share = places.mean_share
    reached = (1 - p) * fpr + p * recall
    if reached >= _MOST_OF_SHARE * share:
        return ""
    # Who has asked for draws needs no advice to; thresholds that draw fill no batch.
    no_use = best.task.randomise or (places is not None and places.batches)
    advice = "" if no_use else " To draw among them: --randomise."
    return (
        f"Only {alone_shown(100 * reached)} % are flagged: cases that tie at the edge of the queue "
        f"do not all fit.{advice}"
    )


def without_places(task: Task) -> str:
    """That batches are too small for anybody to be flagged, if some are."""
    limits = task.constraints
    # Of no capacity none is expected.
    if not limits.capacity or limits.batch is None:
        return ""
    places = Places(limits.capacity, checked_batches(limits.batch))
    few = [size for size in places.batches if places.of(size) == 0]
    if not few:
        return ""
    needed = f"a share of {limits.capacity:g} takes {np.ceil(1 / limits.capacity):,.0f} cases"
    return (
        f"{len(few):,} of {len(places.batches):,} batches have no place, since {needed}."
        if len(places.batches) > 1
        else f"Batches of {few[0]:,} have no place, since {needed}."
    )


def doubts_of_use(in_use: FittedStrategy) -> tuple[str, ...]:
    """What speaks against the rule in use; empty texts for what does not."""
    doubts = _beyond_limits, _flags_alike, _flags_wrong_class, _passes_at_threshold
    return tuple(doubt(in_use) for doubt in doubts)


def _beyond_limits(in_use: FittedStrategy) -> str:
    """That the rule in use is not allowed, if it does not keep to the limits."""
    broken = limits_broken(in_use)
    return (
        f"The rule in use is not allowed within the limits: {', '.join(broken)}." if broken else ""
    )


def _flags_alike(in_use: FittedStrategy) -> str:
    """That the rule in use does one thing with all held-out rows, if so: another may be meant."""
    flagged, reviewed = in_use.flagged, in_use.reviewed
    if np.ptp(flagged) or np.ptp(reviewed) or in_use.strategy.model is None:
        return ""
    does = {(0, 0): "flags nobody", (1, 0): "flags everybody", (0, 1): "reviews everybody"}
    told = does.get((flagged[0], reviewed[0]))
    return f"The rule in use {told}: is it meant so?" if told else ""


def _flags_wrong_class(in_use: FittedStrategy) -> str:
    """That a column of decisions flags negatives more often than positives, beyond chance."""
    task = in_use.task
    if in_use.strategy != task.decided_before:
        return ""
    column = in_use.strategy.whose_scores
    table = task.held_out.whole(column).rows
    if table.auc >= 0.5 or not _is_reversed(task, column, table):
        return ""
    return "The rule in use flags negatives more often than positives: is 1 in its column a flag?"


def _passes_at_threshold(in_use: FittedStrategy) -> str:
    """That many rows score just what the rule in use has to be above, if so."""
    model, steps = in_use.strategy.whose_scores, in_use.strategy.steps
    if model not in in_use.task.models:
        return ""
    table, p = in_use.task.models[model].rows, in_use.task.models[model].rows.prevalence
    cuts = [np.asarray(one.choice.threshold_at(BALANCED, BALANCED)).item() for one in steps]
    told, below = [], -np.inf
    for i, (cut, act) in enumerate(zip(cuts, (REVIEW, FLAG)[-len(cuts) :], strict=True)):
        above, from_it = (Rule(at).on(table) for at in (cut, np.nextafter(cut, -np.inf)))
        share = (1 - p) * (from_it.fpr - above.fpr) + p * (above.fnr - from_it.fnr)
        if share >= _MANY_TIED:
            moved = [*cuts[:i], _between(table, cut, below), *cuts[i + 1 :]]
            at, *written = thresholds_shown(cut, *moved)
            told.append(
                f"The rule in use {act}s {model} above {at}, not at {at} "
                f"({alone_shown(100 * float(share))} % of the rows). To {act} these, too, write "
                f"{':'.join([model, *written])}."
            )
        below = cut
    return " ".join(told)


def _between(table: ScoreTable, threshold: float, least: float) -> float:
    """A threshold below one score, and above the next lower one and another threshold."""
    scores = table.by_score.breaks
    lower = max(least, scores[scores < threshold].max(initial=-np.inf))
    return (float(lower) + threshold) / 2 if np.isfinite(lower) else threshold - 1


def worse_than_none(task: Task, least: FittedStrategy | None, evidence: MoneyEvidence) -> str:
    """That the rule in use costs more than what needs no model, if the data show it."""
    in_use = None if task.baseline is None else evidence.of(task.baseline)
    plain = None if least is None else evidence.of(least.strategy)
    # What the rows tell of both would have to be paired.
    if in_use is None or least is None or plain is None or plain.method != "known":
        return ""
    if not in_use.low > plain.money:
        return ""
    return f"The rule in use costs more than {flagging(least.strategy.name)}."


def far_prevalence(task: Task) -> str:
    """Whether a prevalence is meant that is many times that of the rows."""
    own = next(iter(task.models.values())).rows.prevalence
    times = task.conditions.mean_prevalence / own
    if times < _FAR:
        return ""
    return f"The prevalence is {times:.0f} times that of the rows, {own:.3g}: is it meant so?"


def limits_broken(in_use: FittedStrategy) -> list[str]:
    """The limits that the rule in use does not keep to on the held-out rows, in words."""
    task = in_use.task
    if not task.constraints:
        return []
    rows, broken = task.judged.rows, []
    for name in task.constraints:
        limit, kind = task.constraints.as_flagged(name)
        fpr, recall = rates_of(rows, in_use.flagged if kind == name else in_use.reviewed)
        at = OperatingPoints(np.asarray(fpr), np.asarray(1 - recall))
        excess = {end: float(limit.bounds(at)[kind].excess(end)) for end in task.whole.ends}
        worst = max(excess, key=lambda end: excess[end])
        if not limit.holds(at, worst).all():
            reached = {end: float(limit.reached(at, end).of(kind)) for end in excess}
            where = f" at prevalence {worst:g}" if len({*reached.values()}) > 1 else ""
            percent, most = 100 * reached[worst], f"{100 * task.constraints.limits[name]:.12g}"
            # In digits that tell it from the limit.
            written = (f"{percent:.{digits}g}" for digits in range(3, 12))
            shown = next((one for one in written if float(one) != float(most)), f"{percent:.12g}")
            broken.append(f"{task.constraints.sentence(name)}, not {shown} %{where}")
    return broken
