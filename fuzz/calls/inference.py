"""Intervals, comparisons and drift: estimates by definition, and what must hold of the rest."""

from typing import Any

import numpy as np

import costspace as cs
from fuzz.calls.making import BAD, bad_predictions, for_probabilities
from fuzz.calls.registry import makes
from fuzz.case import EITHER, REFUSE, Case
from fuzz.clothes import dressed
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample

ESTIMATED = {
    "auc": lambda o: o.auc(),
    "brier": lambda o: o.brier(),
    "mae": lambda o: o.mae(),
    "voros": lambda o: o.voros(),
    "refinement_loss": lambda o: o.refinement_loss(),
    "expected_loss.cost.optimal": lambda o: o.expected_loss("optimal", "cost"),
    "expected_loss.skew.rate_driven": lambda o: o.expected_loss("rate_driven", "skew"),
}


def _rows(rng: Rng, least: int = 8) -> Sample:
    return sample(rng, UNIT, rows=(least, 16), prevalence=bool(rng.random() < 0.3))


def _extras(rng: Rng, n: int) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["level"] = float(rng.choice([0.5, 0.9, 0.99]))
    if rng.random() < 0.2:
        options["groups"] = rng.integers(0, n, n)
    if rng.random() < 0.2:
        options["weights"] = "counts"
    return options


BAD_EXTRAS: tuple[dict[str, Any], ...] = (
    {"level": 0},
    {"level": 1},
    {"level": 95},
    {"level": "a"},
    {"level": np.nan},
    {"groups": [1]},
    {"weights": "some"},
    {"design": "random"},
)


def _inside(low: float, value: float, high: float) -> str | None:
    if np.isnan(low) or np.isnan(high):
        return f"an interval of NaN: [{low}, {high}]"
    return None if low <= high else f"[{low}, {high}] around {value}"


@makes("estimate", weight=0.6)
def estimate(rng: Rng, name: str) -> Case:
    """An estimate is the metric, and has an interval."""
    metric = str(rng.choice(list(ESTIMATED)))
    if rng.random() < BAD:
        if rng.random() < 0.5:
            return bad_predictions(rng, name, {"metric": metric})
        one = sample(rng, UNIT, rows=(6, 12), prevalence=False)
        if rng.random() < 0.4:
            wrong = [None, "aucc", 3, len, cs.savings_score][int(rng.integers(5))]
            return Case(name, (one.y, one.s), {"metric": wrong}, REFUSE)
        extra = BAD_EXTRAS[int(rng.integers(len(BAD_EXTRAS)))]
        return Case(name, (one.y, one.s), {"metric": metric, **extra}, REFUSE)
    one, y, s, options = dressed(rng, _rows(rng))
    options |= _extras(rng, len(one))
    by_rank = metric in ("auc", "voros", "refinement_loss") or "expected" in metric
    known = one.ranked if by_rank else one.oracle

    def right(answer: Any) -> str | None:
        wrong = differ(answer.estimate, ESTIMATED[metric](known), CLOSE)
        return wrong or _inside(answer.low, answer.estimate, answer.high)

    # A class may have a single row that counts.
    return Case(name, (y, s), {"metric": metric, **options}, EITHER, right)


@makes("compare", weight=0.3)
def compare(rng: Rng, name: str) -> Case:
    """Differences of two models on the same rows."""
    one = _rows(rng)
    other = rng.random(len(one)).round(2)
    metrics = tuple(rng.choice(["auc", "brier", "voros", "h_measure"], 2, replace=False).tolist())
    if rng.random() < BAD:
        bad: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
            ((one.y, {"a": one.s}), {}),
            ((one.y, one.s), {}),
            ((one.y, {"a": one.s, "b": other[:-1]}), {}),
            ((one.y, {"a": one.s, "b": other}, ("aucc",)), {}),
            ((one.y, {"a": one.s, "b": other}), {"correction": "holms"}),
            ((one.y, {"a": one.s, "b": other}), {"costs": "uniform"}),
            *(((one.y, {"a": one.s, "b": other}), extra) for extra in BAD_EXTRAS),
        ]
        args, options = bad[int(rng.integers(len(bad)))]
        return Case(name, args, options, REFUSE)
    one, y, s, options = dressed(rng, one)
    options |= _extras(rng, len(one))
    second = Sample(one.y, other, one.w, one.prevalence, "plain")

    def right(answer: Any) -> str | None:
        for pair in answer.pairs:
            if pair.metric in ("auc", "brier"):
                a, b = (getattr(each, pair.metric)() for each in (one.oracle, second.oracle))
                # Twin scores of no spread at all have the AUC of their order.
                if pair.metric == "auc":
                    a, b = one.ranked.auc(), second.ranked.auc()
                wrong = differ(pair.difference, a - b, CLOSE)
                if wrong:
                    return f"{pair.metric}: {wrong}"
            if not 0 <= pair.p <= pair.p_adjusted <= 1:
                return f"p {pair.p}, adjusted {pair.p_adjusted}"
        return None

    return Case(name, (y, {"a": s, "b": other}, metrics), options, EITHER, right)


@makes("drift", weight=0.15)
def drift(rng: Rng, name: str) -> Case:
    """What changes from one sample to another."""
    first, second = (sample(rng, UNIT, rows=(8, 16), prevalence=False) for _ in range(2))
    tables: list[Any] = [
        cs.ScoreTable.from_predictions(o.y, o.s, sample_weight=o.w) for o in (first, second)
    ]
    quantities = ("prevalence", "auc", "brier")
    if rng.random() < BAD:
        bad: list[tuple[Any, ...]] = [
            (tables[0], None),
            (first.s, second.s),
            (*tables, ("aucc",)),
            (*tables, 3),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)

    def right(answer: Any) -> str | None:
        for change in answer.changes:
            a, b = (
                {"prevalence": o.pi1, "auc": o.ranked.auc(), "brier": o.oracle.brier()}[
                    change.quantity
                ]
                for o in (first, second)
            )
            wrong = differ([change.before, change.after, change.difference], [a, b, b - a], CLOSE)
            if wrong:
                return f"{change.quantity}: {wrong}"
        return _kept_wrongly(answer.money, second) or _divided_wrongly(answer)

    counted = first.w is None and second.w is None
    options: dict[str, Any] = {"fp_cost": 1.0, "fn_cost": 5.0} if counted else {}
    if rng.random() < 0.5:
        tables = [
            cs.ScoredRows.from_predictions(o.y, {"m": o.s}, sample_weight=o.w)
            for o in (first, second)
        ]
        options["segments"] = tuple(rng.integers(0, 2, len(o.y)) for o in (first, second))
    return Case(name, (*tables, quantities), options, EITHER, right)


def _divided_wrongly(answer: Any) -> str | None:
    """What is wrong with the parts of segments in what keeping a rule costs."""
    if answer.money is None or answer.segments is None:
        return None
    parts = [one.contribution for one in answer.segments.segments]
    return differ(sum(parts), answer.money.kept.money, CLOSE)


@makes("drift_unlabelled", weight=0.15)
def drift_unlabelled(rng: Rng, name: str) -> Case:
    """The prevalence of scores that are the labelled ones, and in between of others."""
    # Weighted rows have no money.
    kinds = {"rows": (8, 40), "prevalence": False}
    first = sample(rng, UNIT, weighted=bool(rng.random() < 0.4), **kinds)
    second = sample(rng, UNIT, **kinds)
    table = cs.ScoreTable.from_predictions(first.y, first.s, sample_weight=first.w)
    if rng.random() < BAD:
        bad: list[tuple[Any, ...]] = [(table, None), (table, []), (first.s, second.s), (table, "a")]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    same = bool(rng.random() < 0.5)
    after = first if same else second

    def right(answer: Any) -> str | None:
        for one in answer.prevalences:
            if not 0 <= one.low <= one.estimate <= one.high <= 1:
                return f"{one.method}: {one.estimate} in {one.low} to {one.high}"
            if same:
                wrong = differ(one.estimate, first.pi1, CLOSE)
                if wrong:
                    return f"{one.method}: {wrong}"
        if not 0 <= answer.test.p <= 1:
            return f"p {answer.test.p}"
        return None

    costs = {"fp_cost": 1.0, "fn_cost": 5.0} if first.w is None else {}
    options = costs if after.w is None else {**costs, "sample_weight": after.w}
    return Case(name, (table, after.s), options, EITHER, right)


@makes("LabelsCame", weight=0.1)
def labels_came(rng: Rng, name: str) -> Case:
    """How far estimates are off, when the labels of the same scores come."""
    first, second = (sample(rng, UNIT, rows=(20, 60), prevalence=False) for _ in range(2))
    tables = [cs.ScoreTable.from_predictions(o.y, o.s, sample_weight=o.w) for o in (first, second)]

    def found() -> Any:
        return cs.watching.drift_unlabelled(*tables).labelled(tables[1])

    def right(answer: Any) -> str | None:
        return differ([one.labelled for one in answer.errors], [second.pi1] * 2, CLOSE)

    return Case(name, (first, second), {}, EITHER, right, call=lambda *_: found())


def _kept_wrongly(money: Any, after: Sample) -> str | None:
    """What is wrong with the cost of a rule by a threshold that is kept, on rows that count 1."""
    if money is None or len(money.rule.cuts) != 1:
        return None
    flagged = np.asarray(after.s) > money.rule.cuts[0]
    costs = np.where(np.asarray(after.y) == 1, 5.0 * ~flagged, 1.0 * flagged)
    return differ(money.kept.money, 1000 * costs.mean(), CLOSE)


@makes("bootstrap", weight=0.05)
def bootstrap(rng: Rng, name: str) -> Case:
    """Replicates of metrics."""
    one, y, s, options = dressed(rng, _rows(rng))
    options |= {"replicates": 100, "method": str(rng.choice(["bca", "percentile"]))}
    if rng.random() < BAD:
        bad: list[dict[str, Any]] = [
            {"replicates": 0},
            {"replicates": 1.5},
            {"method": "magic"},
            {"seed": -1},
            *BAD_EXTRAS,
        ]
        extra = bad[int(rng.integers(len(bad)))]
        return Case(name, (y, s, {"auc": cs.auc}), {**options, **extra}, REFUSE)
    return Case(
        name,
        (y, s, {"auc": cs.auc}),
        options,
        EITHER,
        lambda answer: differ(answer.estimate, [one.ranked.auc()], CLOSE),
    )


@makes(
    *("calibration_test", "threshold_interval", "loss_band", "gain_band", "difference_band"),
    weight=0.1,
)
def others(rng: Rng, name: str) -> Case:
    """Tests and bands: the curve that a band is around is the loss curve."""
    options: dict[str, Any] = {}
    if name == "threshold_interval":
        options["condition"] = float(rng.uniform(0.05, 0.95))
    if name == "gain_band":
        options["replicates"] = 100
    if name in ("loss_band", "difference_band"):
        options |= {"choice": cs.ScoreDriven(), "replicates": 100}
    without = ("prevalence",) if name == "calibration_test" else ()
    if rng.random() < BAD:
        case = bad_predictions(rng, name, options, without)
        if name == "difference_band":
            case.args = (case.args[0], {"a": case.args[1], "b": case.args[1]})
        return case
    one, y, s, given = dressed(rng, sample(rng, UNIT, rows=(8, 16), prevalence=not without))
    options |= given
    if name == "difference_band":
        other = rng.random(len(one))
        return Case(name, (y, {"a": s, "b": other}), options, EITHER)
    if name == "loss_band":
        c = rng.random(5)

        def around(answer: Any) -> str | None:
            return differ(answer.curve(c), one.oracle.loss("score_driven", "cost", c), CLOSE)

        return Case(name, (y, s), options, EITHER, around)
    if name == "gain_band":
        flagged = rng.random(5)

        def inside(answer: Any) -> str | None:
            ends = answer.low(flagged), answer.curve(flagged), answer.high(flagged)
            return next(filter(None, (_inside(*each) for each in zip(*ends, strict=True))), None)

        return Case(name, (y, s), options, EITHER, inside)
    if name == "calibration_test":
        return Case(
            name, (y, s), options, EITHER, lambda a: None if 0 <= a.p <= 1 else f"p is {a.p}"
        )
    return Case(name, (y, s), options, EITHER, lambda a: _inside(a.low, a.threshold, a.high))


@makes("evaluate", weight=0.4)
def evaluate(rng: Rng, name: str) -> Case:
    """An evaluation: its numbers one by one."""
    if rng.random() < BAD:
        if rng.random() < 0.7:
            # Several columns are several models.
            return bad_predictions(rng, name, {}, without=("shape (n, 2)",))
        one = sample(rng, UNIT, prevalence=False)
        bad: list[dict[str, Any]] = [
            {"costs": "uniform"},
            {"axis": "x"},
            {"level": 0.95},
            {"groups": one.y},
            {"intervals": True, "level": 95},
        ]
        return Case(name, (one.y, one.s), bad[int(rng.integers(len(bad)))], REFUSE)
    one, y, s, options = dressed(rng, sample(rng))
    if rng.random() < 0.2:
        options["intervals"] = True
    must = EITHER if "intervals" in options else "answer"

    def right(answer: Any) -> str | None:
        model = answer.models["y_score"]
        found = {key: model.metrics[key] for key in ("auc", "voros", "refinement_loss")}
        expected = {"auc": one.ranked.auc(), "voros": one.ranked.voros()}
        expected["refinement_loss"] = one.ranked.refinement_loss()
        if for_probabilities(one) == REFUSE:
            if model.metrics["brier"] is not None:
                return "a Brier score of scores outside [0, 1]"
        else:
            found["brier"], expected["brier"] = model.metrics["brier"], one.oracle.brier()
        for key, value in expected.items():
            wrong = differ(found[key], value, CLOSE)
            if wrong:
                return f"{key}: {wrong}"
        return None

    return Case(name, (y, s), options, must, right)
