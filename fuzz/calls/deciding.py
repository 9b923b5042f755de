"""Decisions, by the money of the best threshold at each condition and by what must not matter."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import BAD, bad_predictions
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.clothes import dressed
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample

LIMITS = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")


def conditions(rng: Rng) -> tuple[Any, tuple[float, float, float]]:
    """A deployment, and its mean costs and prevalence where they are known exactly."""
    size = float(rng.choice([1.0, 1.0, 1e-49, 1e48]))
    fp, fn = (float(x) for x in rng.uniform(0.5, 20, 2))
    p = float(rng.choice([0.5, rng.uniform(0.01, 0.99), 1e-6]))
    return cs.Deployment(fp * size, fn * size, p), (fp * size, fn * size, p)


def uncertain(rng: Rng) -> Any:
    """A deployment of which only bounds are known."""
    low, high = sorted(rng.uniform(0.5, 50, 2))
    shares = tuple(sorted(rng.uniform(0.01, 0.9, 2)))
    p: Any = shares if rng.random() < 0.5 else float(shares[0])
    return cs.Deployment(1.0, (float(low), float(high)), p)


KNOWN = ((), "costs", "prevalence", ["costs", "prevalence"])

BAD_DECISIONS: tuple[dict[str, Any], ...] = (
    {"conditions": None},
    {"conditions": 0.5},
    {"conditions": "a"},
    {"constraints": {"capacity": 0.5}},
    {"constraints": 0.5},
    {"folds": 1},
    {"folds": 2.5},
    {"folds": "5"},
    {"level": 95},
    {"weights": "none"},
    {"calibrated_to": 0},
    {"calibrated_to": "a"},
    {"validation": 3},
    {"prevalence": 0.5},
    {"known": "price"},
    {"known": 3},
    {"baseline": ("nobody", 0.5)},
    {"baseline": ("y_score", "a")},
    {"baseline": "nobody"},
    {"baseline": [0, 1]},
    {"choices": []},
    {"choices": 3},
    {"choices": "optimal"},
    {"choices": ["optimal"]},
    {"choices": [cs.Optimal(), cs.Optimal()]},
    {"choices": [cs.RateUniform()]},
)


@makes("decide", weight=0.5)
def decide(rng: Rng, name: str) -> Case:
    """The trivial rules' money by hand, and that of the optimal choice by the oracle."""
    strict = rng.random() < 0.2
    known, (fp, fn, p) = conditions(rng)
    if rng.random() < BAD:
        if rng.random() < 0.6:
            # Two columns are two models.
            without = ("prevalence", "(n, 2)")
            return bad_predictions(rng, name, {"conditions": known}, without)
        one = sample(rng, UNIT, rows=(8, 14), prevalence=False)
        extra = BAD_DECISIONS[int(rng.integers(len(BAD_DECISIONS)))]
        return Case(name, (one.y, one.s), {"conditions": known, **extra}, REFUSE)
    kinds = {} if rng.random() < 0.2 else {"kinds": UNIT}
    one = sample(rng, rows=(8, 16), prevalence=False, **kinds)
    one, y, s, options = dressed(rng, one)
    if rng.random() < 0.4:
        options["conditions"] = uncertain(rng)
        options["known"] = KNOWN[int(rng.integers(len(KNOWN)))]
        if rng.random() < 0.2:
            options["baseline"] = ("y_score", float(rng.random()))
        if rng.random() < 0.5:
            limit = str(rng.choice(LIMITS))
            options["constraints"] = cs.Constraints(**{limit: float(rng.random())})
        return Case(name, (y, s), options, _must(one), _sound, strict=strict)
    options["conditions"] = known
    options["choices"] = [cs.Optimal()]
    scale = max(fp, fn)

    def right(answer: Any) -> str | None:
        wrong = _sound(answer)
        if wrong:
            return wrong
        expected = [1000 * p * (fn / scale), 1000 * (1 - p) * (fp / scale)]
        found = [answer.trivial[key] / scale for key in ("flag_nobody", "flag_everybody")]
        wrong = differ(found, expected, CLOSE)
        if wrong:
            return f"trivial: {wrong}"
        a, b = (1 - p) * (fp / scale), p * (fn / scale)
        best = 1000 * (a + b) * one.ranked.loss("optimal", "skew", a / (a + b))
        money = next(fit.in_sample for fit in answer.fits if fit.strategy.model is not None)
        wrong = differ(money / scale, best, CLOSE)
        return f"optimal: {wrong}" if wrong else None

    return Case(name, (y, s), options, _must(one), right, strict=strict)


ORDINARY = {name: UNIT[name] for name in ("continuous", "plain", "tenths", "halves")}


def _with_errors_raised(*args: Any, **options: Any) -> Any:
    with np.errstate(all="raise"):
        return cs.decide(*args, **options)


@makes("decide", weight=0.1)
def decide_strictly(rng: Rng, name: str) -> Case:
    """A decision of ordinary numbers, with NumPy's errors set to raise, underflows too."""
    one = sample(rng, ORDINARY, rows=(8, 16), weighted=False, prevalence=False)
    known = uncertain(rng) if rng.random() < 0.7 else cs.Deployment(1.0, 9.0, 0.2)
    options = {"conditions": known}
    return Case(name, (one.y, one.s), options, _must(one), _sound, call=_with_errors_raised)


BAD_SEGMENTS: tuple[Any, ...] = (None, [1], "a", {}, {"a": 3}, 0.5, {"a": [[1]]})


@makes("decide", weight=0.2)
def by_segment(rng: Rng, name: str) -> Case:
    """What a rule costs by segment adds up to what it costs."""
    one = sample(rng, UNIT, rows=(12, 40), weighted=False, prevalence=False)
    segments: Any = rng.choice(["a", "b", "c"], one.y.size)
    if rng.random() < 0.5:
        segments = {"site": segments, "day": rng.integers(0, 2, one.y.size)}
    bad = rng.random() < BAD
    if bad:
        segments = BAD_SEGMENTS[int(rng.integers(len(BAD_SEGMENTS)))]
    known = uncertain(rng) if rng.random() < 0.5 else cs.Deployment(1.0, 5.0)

    def divided(*args: Any, **options: Any) -> Any:
        return cs.decide(*args, **options).by(segments)

    def right(answer: Any) -> str | None:
        parts = sum(row.contribution for row in answer.segments)
        wrong = differ([parts, sum(row.share for row in answer.segments)], [answer.cost, 1], CLOSE)
        return f"segments add up otherwise: {wrong}" if wrong else _sound(answer)

    must = REFUSE if bad else _must(one)
    return Case(name, (one.y, one.s), {"conditions": known}, must, right, call=divided)


BAD_COMPARISONS = tuple(
    bad for bad in BAD_DECISIONS if not {"constraints", "validation", "level"} & bad.keys()
)


@makes("compare_money", weight=0.2)
def compare_money(rng: Rng, name: str) -> Case:
    """What one of two models saves: the other way round it is as much less."""
    one = sample(rng, UNIT, rows=(12, 20), weighted=False, prevalence=False)
    scores = {"one": one.s, "other": rng.permutation(one.s)}
    options: dict[str, Any] = {"conditions": uncertain(rng)}
    if rng.random() < BAD:
        extra = BAD_COMPARISONS[int(rng.integers(len(BAD_COMPARISONS)))]
        return Case(name, (one.y, scores), {**options, **extra}, REFUSE)

    def right(answer: Any) -> str | None:
        turned = cs.compare_money(one.y, dict(reversed(scores.items())), **options)
        saved, lost = answer.pairs["one", "other"], turned.pairs["other", "one"]
        wrong = differ([-saved.difference], [lost.difference], CLOSE)
        return f"the other way round: {wrong}" if wrong else None

    return Case(name, (one.y, scores), options, _must(one), right)


CONDITIONS = ("a > 1", "a.b <= -2.5", "rows.x.y < 1e300", "rows.x < 3", "a.c.value >= 0")
BAD_CONDITIONS = ("", "a", "a > b", "> 1", "a > nan", "a = 1", "a > 1 2", "A > 1", "rows.z > 1")


@makes("check", weight=0.2)
def check(rng: Rng, name: str) -> Case:
    """Conditions on plain values: what passes has its interval beyond the number."""
    low, high = np.sort(rng.normal(size=2)) * 10.0 ** rng.integers(-3, 4)
    ends = {"value": low, "low": low, "high": high} | ({} if rng.random() < 0.8 else {"low": None})
    plain = {"a": {**ends, "b": int(rng.integers(-5, 5)), "c": ends}}
    plain["rows"] = [{"name": "x", "side": "y", **ends}]
    bad = rng.random() < BAD
    asked = str(rng.choice(BAD_CONDITIONS if bad else CONDITIONS))

    def right(answer: Any) -> str | None:
        (found,) = answer.verdicts
        number = float(asked.rsplit(maxsplit=1)[-1])
        if found.low is None or found.low <= number <= found.high:
            return None
        holds = (found.low > number) == (">" in asked)
        return None if found.verdict == ("fail" if holds else "pass") else f"{found}"

    return Case(name, (plain, asked), {}, REFUSE if bad else ANSWER, right)


def _must(one: Sample) -> str:
    """Folds need two rows of each class that count."""
    least = min(np.sum((one.y == label) & one.present) for label in (0, 1))
    return ANSWER if least >= 2 and one.finite else EITHER


def _sound(answer: Any) -> str | None:
    """What holds of every decision: sorted rows that cover, and figures that are figures."""
    import json

    details = {"details": True} if isinstance(answer, cs.Decision) else {}
    json.dumps(answer.to_dict(**details), allow_nan=False)
    str(answer)
    return None


@makes("Rule", "violations", weight=0.15)
def rules(rng: Rng, name: str) -> Case:
    """Rules and how far they are beyond limits."""
    if name == "Rule":
        t = float(rng.choice([0.5, -np.inf, np.inf, rng.normal()]))
        bad: list[tuple[Any, ...]] = [
            *((np.nan,), ("a",), (None,), ((0.5, 0.2),)),
            *((0.5, ("pass",)), (0.5, 3), (0.5, ("pass", None))),
            *(([[0.5]],), (0.5, "ab"), (0.5, [["pass", "flag"]])),
        ]
        if rng.random() < 0.4:
            return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
        if rng.random() < 0.2:
            odd: list[Any] = [[0.5, np.nan], [None], ["x"], 0.5, None, [[0.2, 0.8]], [0.2j], []]
            act = cs.Rule(t).applied if rng.random() < 0.5 else cs.Rule(0.5, by="share").flagged
            return Case(name, (odd[int(rng.integers(len(odd)))],), must=REFUSE, call=act)
        one = sample(rng, UNIT, prevalence=False)
        table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
        flagged = one.s > t
        rates = [
            float(np.average(each[one.y == label], weights=one.weights[one.y == label]))
            for each, label in ((flagged, 0), (~flagged, 1))
        ]

        def on(threshold: float) -> list[float]:
            point = cs.Rule(threshold).on(table)
            return [float(np.ravel(point.fpr)[0]), float(np.ravel(point.fnr)[0])]

        return Case(name, (t,), call=on, right=lambda found: differ(found, rates, CLOSE))
    fpr, fnr, p = (float(x) for x in rng.uniform(0.01, 0.99, 3))
    limit = str(rng.choice(LIMITS))
    bound = float(rng.random())
    points = cs.OperatingPoints(fpr, fnr)
    if rng.random() < 0.3:
        wrong: list[tuple[Any, ...]] = [
            (points, cs.Constraints(**{limit: bound}), 2),
            (points, cs.Constraints(**{limit: bound}), "a"),
            (points, {"capacity": 0.5}, 0.5),
            (0.5, cs.Constraints(**{limit: bound}), 0.5),
            (points, None, 0.5),
        ]
        return Case(name, wrong[int(rng.integers(len(wrong)))], {}, REFUSE)
    tp, fp, fn, tn = p * (1 - fnr), (1 - p) * fpr, p * fnr, (1 - p) * (1 - fpr)
    reached = {
        "capacity": tp + fp,
        "min_precision": tp / (tp + fp),
        "min_recall": 1 - fnr,
        "min_npv": tn / (tn + fn),
        "max_fpr": fpr,
    }[limit]
    return Case(
        name,
        (points, cs.Constraints(**{limit: bound}), p),
        right=lambda found: differ(found.reached, [reached], CLOSE),
    )


@makes("constrained_path", "constrained_operating_path", weight=0.15)
def constrained(rng: Rng, name: str) -> Case:
    """Rules within limits keep to them."""
    one = sample(rng, UNIT, prevalence=False)
    table = cs.ScoreTable.from_predictions(one.y, one.s, sample_weight=one.w)
    limits = cs.Constraints(**{str(rng.choice(LIMITS)): float(rng.random())})
    p = float(rng.uniform(0.05, 0.95))
    choice = [cs.Optimal(), cs.ScoreDriven(), cs.ScoreFixed(0.4)][int(rng.integers(3))]
    if rng.random() < 0.3:
        wrong: list[tuple[Any, ...]] = [
            (table, "optimal", limits, p),
            (one.s, choice, limits, p),
            (table, choice, None, p),
            (table, choice, limits, 2),
            (table, choice, limits, "a"),
        ]
        return Case(name, wrong[int(rng.integers(len(wrong)))], {}, REFUSE)

    def right(answer: Any) -> str | None:
        path = answer.on(table) if name == "constrained_path" else answer
        found = cs.decision.violations(path, constraints=limits, prevalence=p)
        return None if found.held else f"{limits}: reached {found.reached}"

    options = {"randomise": bool(rng.random() < 0.7)}
    return Case(name, (table, choice, limits, p), options, EITHER, right)


@makes("hold_out", "HeldOutScores", weight=0.1)
def others(rng: Rng, name: str) -> Case:
    """Folds that keep every row once."""
    one = sample(rng, UNIT, rows=(8, 16), prevalence=False)
    rows = cs.ScoredRows.from_predictions(one.y, {"m": one.s}, sample_weight=one.w)
    if name == "hold_out":
        folds = [2, 5, 2, 5, 1, 0, "a", 2.5, None, -3][int(rng.integers(10))]
        must = EITHER if folds in (2, 5) else REFUSE
        return Case(
            name,
            (rows,),
            {"folds": folds},
            must,
            lambda found: None if len(found.folds[0]) == len(one) else "rows without a fold",
        )

    def held() -> float:
        scores = cs.hold_out(rows, validation=rows).of("m")
        path = scores.path(cs.ScoreDriven(), rows.prevalence)
        return float(path.loss()(0.3))

    return Case(
        name,
        (one,),
        {},
        EITHER,
        lambda found: differ(found, one.oracle.loss("score_driven", "cost", 0.3), CLOSE),
        call=lambda *_: held(),
    )


@makes("HeldOutCounts", weight=0.02)
def many_rows(rng: Rng, name: str) -> Case:
    """Rows counted between thresholds, of each class and fold by hand."""
    y, s = rng.random(100_000) < 0.3, np.round(rng.random(100_000), int(rng.integers(1, 9)))
    cuts = np.unique(rng.random(3))

    def counted() -> Any:
        held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"m": s}))
        assert isinstance(held_out, cs.decision.HeldOutCounts)
        found = held_out.counted({"m": cuts})
        return held_out.source.fold, found

    def right(answer: Any) -> str | None:
        fold, found = answer
        for k, part in enumerate(found.parts):
            some = found.rows.take(part)
            for positive in (False, True):
                here = (fold == k) & (y == positive)
                expected = np.bincount(np.searchsorted(cuts, s[here]), minlength=4)
                own = some.positive == positive
                place = np.searchsorted(cuts, some.scores["m"][own])
                got = np.bincount(place, some.weight[own], minlength=4)
                if not np.array_equal(expected, got):
                    return f"fold {k}, {positive}: {got} where there are {expected}"
        return None

    return Case(name, (len(y),), {}, right=right, call=lambda *_: counted())


@makes("Outcomes", weight=0.1)
def asked_for(rng: Rng, name: str) -> Case:
    """What is found when asked for; of the threshold 0.5, whatever the rows, counts by hand."""
    one = sample(rng, UNIT, rows=(8, 16), prevalence=False)
    p = float(rng.uniform(0.01, 0.99))
    known = cs.Deployment(1.0, float(rng.uniform(0.5, 20)), p)

    def decided() -> Any:
        own = [cs.ScoreFixed(), cs.Smoothed()]
        return cs.decide(one.y, one.s, conditions=known, sample_weight=one.w, choices=own)

    def outcomes() -> Any:
        found = decided()
        fixed = next(each for each in found.strategies if each.strategy.name == "score_fixed")
        return found.outcomes(fixed.strategy)

    flagged = one.s > 0.5
    fpr, recall = (
        float(np.average(flagged[one.y == label], weights=one.weights[one.y == label]))
        for label in (0, 1)
    )

    def right(answer: Any) -> str | None:
        found = [
            each.value
            for each in (answer.true_positives, answer.false_negatives, answer.false_positives)
        ]
        return differ(
            found, [1000 * p * recall, 1000 * p * (1 - recall), 1000 * (1 - p) * fpr], CLOSE
        )

    return Case(name, (one,), {}, EITHER, right, call=lambda *_: outcomes())


@makes("Settling", weight=0.1)
def settling(rng: Rng, name: str) -> Case:
    """What would settle two models: twice the saving takes a half to a quarter of the rows."""
    one = sample(rng, UNIT, rows=(12, 24), weighted=False, prevalence=False)
    scores = {"one": one.s, "other": rng.permutation(one.s)}
    asked = {"saving": float(rng.choice([1e-9, 1.0, 50.0, 1e9])), "more_rows": 10}
    bad = rng.random() < BAD
    if bad:
        asked |= [{"saving": 0.0}, {"saving": np.nan}, {"more_rows": 0}][int(rng.integers(3))]

    def found(**asked: Any) -> Any:
        return cs.decide(one.y, scores, conditions=cs.Deployment(1.0, 4.0, 0.3)).settling(**asked)

    def right(answer: Any) -> str | None:
        if answer is None:
            return None
        twice = found(saving=2 * asked["saving"])
        if not 0 <= answer.worth <= answer.wrong * 1.001:
            return f"{answer.worth} of {answer.wrong}"
        # The part of the error that rows show falls as their number, the rest as its square.
        if not 2 * (1 - CLOSE) * twice.needed <= answer.needed <= 4 * (1 + CLOSE) * twice.needed:
            return f"{answer.needed} rows, of twice the saving {twice.needed}"
        return None

    must = REFUSE if bad and _must(one) == ANSWER else EITHER
    return Case(name, (one,), asked, must, right, call=lambda *_, **asked: found(**asked))
