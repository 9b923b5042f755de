"""Where scores come from: tables, counts, bins and densities, which must agree with the rows."""

from functools import partial
from typing import Any

import brute_force
import numpy as np
from public_names import PUBLIC

import costspace as cs
from fuzz.calls.making import BAD, choice, for_probabilities
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.clothes import dressed
from fuzz.oracle import CLOSE, TIGHT, differ, number
from fuzz.samples import UNIT, Rng, Sample, sample
from fuzz.spoils import SPOILS, spoiled

# One class may be missing, or have no weight, where a part of the data is counted.
OF_A_PART = tuple(
    each
    for each in SPOILS
    if not any(word in each for word in ("prevalence", "only", "class without", "pos_label unk"))
)


def _spoilt(rng: Rng, name: str, call: Any, spoils: tuple[str, ...]) -> Case:
    y, s, options, note = spoiled(rng, sample(rng, rows=(3, 9), prevalence=False), spoils)
    return Case(name, (y, s), options, REFUSE, call=call, note=note)


@makes("ScoreTable", "ScoreCounts", weight=0.8)
def of_rows(rng: Rng, name: str) -> Case:
    """A source of rows has their AUC and prevalence; two parts merged are the whole."""
    kind = PUBLIC[name]
    bins = name == "ScoreCounts" and rng.random() < 0.5
    made = partial(kind.from_predictions, **({"binning": cs.Binning.uniform()} if bins else {}))
    if rng.random() < BAD:
        whole = tuple(each for each in SPOILS if "prevalence" not in each)
        spoils = whole if name == "ScoreTable" else OF_A_PART
        return _spoilt(rng, name, made, spoils)
    one = sample(rng, UNIT, prevalence=False) if bins else sample(rng, prevalence=False)
    if rng.random() < 0.5:
        one, y, s, options = dressed(rng, one)

        return Case(name, (y, s), options, ANSWER, _whole(one), call=made)
    cut = int(rng.integers(1, len(one)))
    parts = one.rows(slice(None, cut)), one.rows(slice(cut, None))
    both = all(set(part.y[part.present]) == {0, 1} for part in parts)
    weighed = all(part.present.any() for part in parts)
    must = ANSWER if weighed and (both or name != "ScoreTable") else REFUSE

    def merged(*parts: Sample) -> Any:
        first, second = (
            made(p.y, p.s, sample_weight=p.w, pos_label=None if both else 1) for p in parts
        )
        return first + second

    return Case(name, parts, {}, must, _whole(one), call=merged)


def _whole(one: Sample) -> Any:
    def check(answer: Any) -> str | None:
        if isinstance(answer, cs.ScoreCounts) and answer.binning is not None:
            wrong = differ(answer.prevalence, one.pi1, TIGHT)
            found = cs.bounds(answer, metric=cs.auc)
            exact = one.ranked.auc()
            outside = not found.low - TIGHT <= exact <= found.high + TIGHT
            return wrong or (f"{exact} is not in {found}" if outside else None)
        table = answer.table() if isinstance(answer, cs.ScoreCounts) else answer
        return differ([table.auc, table.prevalence], [one.ranked.auc(), one.pi1], TIGHT)

    return check


BOUNDED = (
    *("auc", "auc_hull", "gini", "brier_score", "macro_brier_score", "mean_absolute_error"),
    *("miscalibration", "refinement_loss", "h_measure", "voros", "accuracy", "log_loss"),
    *("zero_one_loss", "boosting_loss", "cost_loss_utility", "expected_loss"),
)


@makes("bounds", weight=0.8)
def bounded(rng: Rng, name: str) -> Case:
    """Bounds hold what the metric of the rows is, for certain: not off by one rounding."""
    metric = str(rng.choice(BOUNDED))
    one = sample(rng, UNIT, prevalence=False, rows=(2, 40))
    bins = int(rng.choice([1, 2, 3, 10, 1024]))
    binned = cs.ScoreCounts.from_predictions(
        one.y, one.s, sample_weight=one.w, binning=cs.Binning.uniform(bins=bins)
    )
    options: dict[str, Any] = {}
    if metric == "expected_loss":
        options = {"choice": choice(rng).choice}
    if rng.random() < 0.2:
        bad: list[tuple[Any, ...]] = [
            (binned, "auc"),
            (one.s, cs.auc),
            (binned, len),
            (None, cs.auc),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    function = PUBLIC[metric]
    exact = function(one.y, one.s, sample_weight=one.w, **options)

    def right(answer: Any) -> str | None:
        inside = answer.low <= exact <= answer.high or bool(np.isnan(exact))
        return None if inside else f"{exact!r} is not in {answer!r} of {metric}"

    return Case(name, (binned, partial(function, **options)), {}, ANSWER, right)


@makes("widest_bounds", "Binning", "Piece", weight=0.1)
def binnings(rng: Rng, name: str) -> Case:
    """Bins of any kind."""
    one = sample(rng, UNIT, prevalence=False)
    if name == "widest_bounds":
        binned = cs.ScoreCounts.from_predictions(
            one.y, one.s, sample_weight=one.w, binning=cs.Binning.uniform()
        )
        if rng.random() < 0.3:
            return Case(name, ([one.s, None, "a"][int(rng.integers(3))],), {}, REFUSE)
        return Case(name, (binned,))
    if name == "Piece":
        scale = str(rng.choice(["linear", "log", "sideways"]))
        low, high = 10.0 ** rng.integers(-320, 300), 10.0 ** rng.integers(-320, 308)
        return Case(name, (low, high, int(rng.integers(-1, 5)), scale), {}, EITHER)
    values: list[tuple[Any, ...]] = [
        ((),),
        ((cs.summaries.Piece(0, 1, 4), cs.summaries.Piece(0.5, 2, 4)),),
        ("pieces",),
        (None,),
        ((0, 1, 4),),
    ]
    return Case(name, values[int(rng.integers(len(values)))], {}, REFUSE)


@makes("ScoredRows", weight=0.2)
def rows(rng: Rng, name: str) -> Case:
    """Rows of several models."""
    one = sample(rng, prevalence=False)
    if rng.random() < 0.5:
        y, s, options, note = spoiled(rng, one if len(one) > 2 else sample(rng, rows=(3, 5)))
        options.pop("prevalence", None)
        if "prevalence" in note:
            s, note = s[:-1], "scores too few"
        return Case(
            name, (y, {"m": s}), options, REFUSE, call=cs.ScoredRows.from_predictions, note=note
        )
    one, y, s, options = dressed(rng, one)
    expected = np.average(one.y, weights=one.weights)
    return Case(
        name,
        (y, {"m": s, "n": one.s[::-1]}),
        options,
        call=cs.ScoredRows.from_predictions,
        right=lambda a: differ(a.prevalence, expected, TIGHT),
    )


@makes("CellSums", weight=0.1)
def counts(rng: Rng, name: str) -> Case:
    """Sums that no rows add up to."""
    n, unit = np.array([1, 2]), np.array([0.1, 0.2])
    bins = n, None, None, unit * n, unit**2 * n
    values: list[tuple[str, tuple[Any, ...]]] = [
        (ANSWER, (n,)),
        (ANSWER, (n, n * 0.5, n * 0.3)),
        (REFUSE, (-n,)),
        (REFUSE, (n, [0.5])),
        (REFUSE, (n, [np.nan, 1.0], [1.0, 1.0])),
        (REFUSE, ("a",)),
        (REFUSE, (None,)),
        (REFUSE, (n, [-1.0, 1.0], [1.0, 1.0])),
        (ANSWER, (*bins, unit, unit)),
        (REFUSE, (*bins, unit[:1], unit)),
        (REFUSE, (*bins, unit + 1, unit)),
        (REFUSE, bins),
    ]
    must, args = values[int(rng.integers(len(values)))]
    return Case(name, args, {}, must)


@makes("AnalyticScores", "ScoreDensity", weight=0.05)
def densities(rng: Rng, name: str) -> Case:
    """Score distributions given by densities."""
    a, b = float(rng.integers(1, 5)), float(rng.integers(1, 5))

    def falling(x: Any) -> Any:
        return (a + 1) * (1 - x) ** a

    def rising(x: Any) -> Any:
        return (b + 1) * x**b

    if name == "ScoreDensity":
        bad: list[tuple[Any, ...]] = [
            (lambda x: 3 + 0 * x,),
            (lambda x: 1 - 4 * x,),
            (rising, 1, 0),
            (None,),
            ("density",),
            (rising, np.nan, 1),
        ]
        if rng.random() < 0.5:
            return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
        return Case(name, (rising,), right=lambda d: differ(d.cdf(0.7), 0.7 ** (b + 1), CLOSE))
    if rng.random() < 0.4:
        wrong: list[tuple[Any, ...]] = [
            (falling, rising, 0),
            (falling, 3, 0.5),
            (None, rising, 0.5),
            (falling, rising, "a"),
            (lambda x: 2 + 0 * x, rising, 0.5),
        ]
        return Case(name, wrong[int(rng.integers(len(wrong)))], {}, REFUSE)
    p = float(rng.uniform(0.1, 0.9))
    c, share = brute_force.quadrature(np.zeros(0), 0.0, 1.0)
    brier = float(share @ ((1 - p) * falling(c) * c**2 + p * rising(c) * (1 - c) ** 2))
    return Case(
        name,
        (falling, rising, p),
        call=lambda *args: cs.brier_score(cs.AnalyticScores(*args)),
        right=number(lambda: brier),
    )


@makes("OperatingPath", "CostLines", "CostedScores", weight=0.1)
def other_values(rng: Rng, name: str) -> Case:
    """Values that other functions make, in use."""
    one = sample(rng, UNIT, prevalence=False)
    chosen = choice(rng)
    must = chosen.must(one) if chosen.must is for_probabilities else ANSWER
    c = float(rng.random())

    def along_a_path() -> float:
        table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
        point = chosen.choice.path(table).at(c)
        return float(cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=table.prevalence))

    def from_lines() -> float:
        table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
        lines = cs.cost_lines(table.by_skew.corners, axis="skew")
        return float(np.min(lines(c)))

    def of_costs() -> float:
        rows = cs.ScoredRows.from_predictions(
            one.y, {"m": one.s}, sample_weight=one.w, case_costs=cs.CaseCosts(1.0, 1.0)
        )
        return float(cs.decision.CostedScores.from_rows(rows, "m").costs.auc)

    if name == "OperatingPath":
        right = number(lambda: chosen.oracle(one).loss(chosen.method, "cost", c))
        return Case(name, (one, chosen.choice, c), {}, must, right, call=lambda *_: along_a_path())
    if name == "CostLines":
        right = number(lambda: one.ranked.loss("optimal", "skew", c))
        return Case(name, (one, c), {}, right=right, call=lambda *_: from_lines())
    right = number(one.ranked.auc)
    return Case(name, (one,), {}, right=right, call=lambda *_: of_costs())
