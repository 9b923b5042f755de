"""What is printed of rules by condition is what is applied, on every path to other rows."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from command_line import run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

import costspace as cs
from costspace.decision.applying.acting import acted
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.deploying import deployed_rules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.fitting.fitted_by_case import FittedByCase
from costspace.frames import apply_decision
from costspace.sklearn import ThresholdChoiceClassifier

CHOICES = {
    "score_driven": cs.ScoreDriven(),
    "smoothed": cs.Smoothed(),
    "optimal": cs.Optimal(),
}
COSTS = [1.0, 2.0, 3.0, 4.0, 9.0, 19.0, 24.0, 49.0]


def rows_of(seed: int, n: int = 200) -> tuple[Any, Any, Any, Any]:
    """Labels, scores of two decimals, many of them at their own threshold, and costs."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < rng.integers(n // 10, n // 2)
    s = np.round(np.clip(rng.beta(2, 3, n) + 0.2 * y, 0, 1), 2)
    fp, fn = rng.choice(COSTS[:3], n), rng.choice(COSTS, n)
    tied = rng.random(n) < 0.3
    return y, np.where(tied, np.round(fp / (fp + fn), 2), s), fp, fn


def exact(number: float) -> Fraction:
    """A number as it is printed."""
    return Fraction(Decimal(repr(float(number))))


def threshold_of(band: dict[str, Any], fp: float, fn: float) -> Fraction:
    """The threshold that a saved decision writes for a case of these costs."""
    cost = Fraction(fp) / (Fraction(fp) + Fraction(fn))
    if "formula" in band:
        own, p = band["formula"]["calibrated_to"], band["prevalence"]["low"]
        if own is None or own == p:
            return cost
        odds = cost / (1 - cost) * (1 - exact(p)) / exact(p) * exact(own) / (1 - exact(own))
        return odds / (1 + odds)
    c = float(cs.cost_proportion(fp_cost=fp, fn_cost=fn))
    i = min(np.searchsorted(band["breaks"], c, "right"), len(band["cuts"])) - 1
    cut = band["cuts"][i]
    return Fraction(10**9 if cut == "inf" else -1) if isinstance(cut, str) else exact(cut)


def by_hand(band: dict[str, Any], s: Any, fp: Any, fn: Any) -> Any:
    thresholds = (threshold_of(band, *costs) for costs in zip(fp, fn, strict=True))
    return np.array([exact(score) > at for score, at in zip(s, thresholds, strict=True)])


@given(
    st.integers(0, 999),
    st.sampled_from([None, 0.05, 0.1, 0.25, 0.5]),
    st.sampled_from(list(CHOICES)),
)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_known_costs(tmp_path: Path, seed: int, prevalence: float | None, name: str) -> None:
    y, s, fp, fn = rows_of(seed)
    p = float(y.mean()) if prevalence is None else prevalence
    conditions = cs.Deployment((1, 3), (1, 49), p)
    decision = cs.decide(
        y, {"m": s}, conditions=conditions, choices=[CHOICES[name]], known="costs", folds=2
    )
    if decision.rules.rule is not None:
        return
    path = tmp_path / "decision.json"
    decision.save(path)
    (band,) = json.loads(path.read_text())["apply"]["bands"]
    expected = by_hand(band, s, fp, fn)
    for each in (decision, cs.load_decision(path)):
        found = each.apply(s, fp_cost=fp, fn_cost=fn).action == "flag"
        np.testing.assert_array_equal(found, expected)
    frame = pl.DataFrame({"m": s, "fp": fp, "fn": fn})
    applied = apply_decision(decision, frame, fp_cost="fp", fn_cost="fn").frame
    np.testing.assert_array_equal(applied["action"].to_numpy() == "flag", expected)
    for one_fp, one_fn in ((1.0, 4.0), (2.0, 3.0), (1.0, 24.0)):
        rule = decision.rules.rules(
            cs.cost_proportion(fp_cost=one_fp, fn_cost=one_fn), conditions.mean_prevalence
        )
        costs = np.full(len(s), one_fp), np.full(len(s), one_fn)
        found = decision.apply(s, fp_cost=one_fp, fn_cost=one_fn).action == "flag"
        np.testing.assert_array_equal(found, by_hand(band, s, *costs))
        for cut in rule.one.cuts:
            assert str(rule.one) == f"flag scores above {cut!r}".removesuffix(".0")


@pytest.mark.parametrize("name", ["smoothed", "optimal"])
@pytest.mark.parametrize("seed", range(5))
def test_learnt_cuts_have_no_more_than_one_digit_more_than_the_scores(name: str, seed: int) -> None:
    y, s, _, _ = rows_of(seed)
    known = cs.Deployment(1, (1, 49), 0.2)
    decision = cs.decide(
        y, {"m": s}, conditions=known, choices=[CHOICES[name]], known="costs", folds=2
    )
    (fit,) = (fit for fit in decision.fits if fit.strategy.model)
    for rules in (fit.rules[0], *fit.parts[0]):
        cuts = rules.threshold
        for cut in cuts[np.isfinite(cuts)]:
            assert len(repr(float(cut))) <= len("0.123")


def applied_to(fit: FittedByCase, s: Any, fp: Any, fn: Any, p: float | None = None) -> Any:
    """Which rows the rules of a strategy flag."""
    given = {"fp_cost": fp, "fn_cost": fn, "tp_cost": None, "tn_cost": None, "prevalence": p}
    return acted(deployed_rules(fit), s, given, Asked()).action == "flag"


@pytest.mark.parametrize("known", ["costs", ["costs", "prevalence"]])
@pytest.mark.parametrize("seed", range(8))
def test_costs_of_each_case(tmp_path: Path, seed: int, known: Any) -> None:
    y, s, fp, fn = rows_of(seed)
    rows = cs.ScoredRows(y, {"m": s}, costs=cs.CaseCosts(fp, fn))
    decision = cs.decide(rows, choices=list(CHOICES.values()), known=known)
    fits = [fit for fit in decision.fits if isinstance(fit, FittedByCase)]
    assert len(fits) > 1
    for fit in fits:
        rules, applied = deployed_rules(fit), applied_to(fit, s, fp, fn)
        # What is counted, and costs money, is what is applied.
        np.testing.assert_array_equal(fit.part_flagged(None), applied)
        ((span, one),) = rules.bands.items()
        band = {"prevalence": vars(span), **one.to_dict()}
        np.testing.assert_array_equal(applied, by_hand(band, s, fp, fn))


def test_a_score_at_its_own_threshold_is_not_flagged_nor_paid_for() -> None:
    # One in five is positive, as scored; a case of score 0.2 at 1 : 4 is at its threshold.
    y = np.tile([True, False, False, False, False], 20)
    s = np.where(np.arange(100) % 3 == 0, 0.2, np.where(y, 0.9, 0.1))
    rows = cs.ScoredRows(y, {"m": s}, costs=cs.CaseCosts(1.0, np.where(y, 4.0, np.nan_to_num(4.0))))
    decision = cs.decide(rows, choices=[cs.ScoreDriven()], known="costs")
    (fit,) = (fit for fit in decision.fits if fit.strategy.model)
    assert fit.part_flagged(None)[s == 0.2].sum() == 0
    missed = np.sum(y & (s == 0.2)) * 4
    assert fit.in_sample == pytest.approx(1000 * missed / 100)


def test_a_score_at_its_own_threshold_is_not_flagged_at_any_of_several_prevalences() -> None:
    y, s, fp, fn = rows_of(5)
    rows = cs.ScoredRows(y, {"m": s}, costs=cs.CaseCosts(fp, fn))
    means, prevalences = rows.mean_costs, [0.1, 0.2, 0.4]
    conditions = cs.Deployment(means.fp_cost, means.fn_cost, cs.Drawn(prevalences))
    decision = cs.decide(
        rows,
        conditions=conditions,
        choices=[cs.ScoreDriven(0.2), cs.Smoothed(), cs.Optimal()],
        known=["costs", "prevalence"],
    )
    fits = [fit for fit in decision.fits if isinstance(fit, FittedByCase)]
    assert len(fits) > 1
    for fit in fits:
        shares = np.where(y[:, None], prevalences, 1 - np.array(prevalences))
        shares /= shares.sum(axis=1, keepdims=True)
        flagged = np.zeros(len(y))
        for p, share in zip(prevalences, shares.T, strict=True):
            flagged += share * applied_to(fit, s, fp, fn, p)
        np.testing.assert_allclose(fit.part_flagged(None), flagged, atol=1e-12)


def test_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    y, s, fp, fn = rows_of(3)
    file, saved, out = (tmp_path / name for name in ("rows.csv", "decision.json", "out.csv"))
    pl.DataFrame({"y": y.astype(int), "m": s, "fp": fp, "fn": fn}).write_csv(file)
    costs = ("--fp-cost-column", "fp", "--fn-cost-column", "fn")
    run(capsys, "decide", file, "--label", "y", "--score", "m", *costs, "--save", saved)
    run(capsys, "apply", saved, file, *costs, "-o", out)
    (band,) = json.loads(saved.read_text())["apply"]["bands"]
    found = pl.read_csv(out)["action"].to_numpy() == "flag"
    np.testing.assert_array_equal(found, by_hand(band, s, fp, fn))


class Column(ClassifierMixin, BaseEstimator):
    """A classifier whose probability of the positive class is its only feature."""

    def fit(self, X: Any, y: Any) -> "Column":
        self.classes_, self.n_features_in_ = np.array([0, 1]), 1
        return self

    def predict_proba(self, X: Any) -> Any:
        return np.column_stack([1 - X[:, 0], X[:, 0]])

    def predict(self, X: Any) -> Any:
        return (X[:, 0] > 0.5).astype(int)


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("constraints", [None, cs.Constraints(capacity=0.6)])
@pytest.mark.parametrize("seed", range(3))
def test_a_classifier(name: str, constraints: Any, seed: int) -> None:
    y, s, fp, fn = rows_of(seed)
    X = s[:, None]
    estimator = Column().fit(X, y)
    classifier = ThresholdChoiceClassifier(
        estimator, choice=CHOICES[name], constraints=constraints, cv="prefit"
    ).fit(X, y.astype(int))
    for prevalence in (None, 0.1):
        rules = [
            classifier.rule_at(fp_cost=a, fn_cost=b, prevalence=prevalence)
            for a, b in zip(fp, fn, strict=True)
        ]
        if any(rule.randomised for rule in rules):
            continue
        # Scores are from 0 to 1.
        ends = {"flag": -1, "pass": 1}
        cuts = [rule.cuts[0] if rule.cuts else ends[rule.actions[0]] for rule in rules]
        expected = np.array([exact(a) > exact(b) for a, b in zip(s, cuts, strict=True)])
        found = classifier.predict(X, fp_cost=fp, fn_cost=fn, prevalence=prevalence)
        np.testing.assert_array_equal(found == 1, expected)
        if name != "score_driven":
            inner = [cut for cut in cuts if 0 < cut < 1]
            assert all(len(repr(float(cut))) <= len("0.123") for cut in inner)


@pytest.mark.parametrize("own", [0.05, 0.3])
@pytest.mark.parametrize("p", [0.02, 0.25])
def test_corrected_thresholds_that_are_a_score_do_not_flag_it(own: float, p: float) -> None:
    s = np.arange(1, 100) / 100
    corrected = [Fraction(percent, 100 - percent) for percent in range(1, 100)]
    odds = [one * (1 - exact(own)) / exact(own) * exact(p) / (1 - exact(p)) for one in corrected]
    fp = np.array([float(one.numerator) for one in odds])
    fn = np.array([float(one.denominator) for one in odds])
    decision = cs.decide(
        np.arange(99) % 4 == 3,
        {"m": s},
        conditions=cs.Deployment((fp.min(), fp.max()), (fn.min(), fn.max()), p),
        choices=[cs.ScoreDriven(own)],
        known="costs",
    )
    (fit,) = (fit for fit in decision.fits if fit.strategy.model)
    saved = SavedDecision({}, deployed_rules(fit))
    above, flagged = np.nextafter(s, 1), np.repeat("flag", 99)
    for scores, action in ((s, np.repeat("pass", 99)), (above * (1 + 1e-12), flagged)):
        found = saved.apply(scores, fp_cost=fp, fn_cost=fn).action
        np.testing.assert_array_equal(found, action)
        frame = pl.DataFrame({"m": scores, "fp": fp, "fn": fn})
        applied = apply_decision(saved, frame, fp_cost="fp", fn_cost="fn").frame
        np.testing.assert_array_equal(applied["action"].to_numpy(), action)
