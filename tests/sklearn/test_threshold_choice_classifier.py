"""A classifier whose threshold follows the condition, against thresholds tried one by one."""

import warnings
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from classifying import Told, least_loss, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import CHOICES, Predictions, fit_for, inside
from refusals import refused
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import costspace as cs
from costspace import ConditionError, LabelError, ScoreError
from costspace.sklearn import ThresholdChoiceClassifier, cost_scorer

X, Y = rows()
LOGISTIC = LogisticRegression()
PREVALENCES = (0.02, 0.3, 0.5, 0.9)
CONDITIONS = (0.01, 0.2, 0.5, 0.77, 0.99)
SHUFFLED = StratifiedKFold(4, shuffle=True, random_state=0)
THRESHOLDS = [name for name in CHOICES if "uniform" not in name and "batch" not in name]


def loss_of(rule: cs.Rule, y: Any, scores: Any, c: float, p: float, weight: Any = None) -> float:
    """The loss of a rule at a condition, score by score."""
    flagged, weight = rule.flagged(scores), np.ones(len(y)) if weight is None else weight
    fpr = np.average(flagged[y == 0], weights=weight[y == 0])
    fnr = np.average(1 - flagged[y == 1], weights=weight[y == 1])
    return 2 * (c * (1 - p) * fpr + (1 - c) * p * fnr)


# --- What it decides ---------------------------------------------------------------------------


def test_by_default_it_is_the_classifier_and_holds_nothing_out() -> None:
    fitted = ThresholdChoiceClassifier(LOGISTIC).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(X), LOGISTIC.fit(X, Y).predict(X))
    assert fitted.score_table_ is None
    assert fitted.threshold_path_ is None
    assert fitted.threshold_at() == 0.5
    np.testing.assert_array_equal(fitted.predict_proba(X), LOGISTIC.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict_log_proba(X), LOGISTIC.predict_log_proba(X))
    np.testing.assert_array_equal(fitted.decision_function(X), LOGISTIC.decision_function(X))
    assert fitted.score(X, Y) == LOGISTIC.score(X, Y)


def test_where_nothing_is_held_out_nothing_is_split() -> None:
    # Fewer positives than folds.
    few = np.concatenate([np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)[:2]])
    fitted = ThresholdChoiceClassifier(LOGISTIC).fit(X[few], Y[few])
    assert fitted.prevalence_ == pytest.approx(2 / len(few))
    ThresholdChoiceClassifier(LOGISTIC, choice=cs.ScoreFixed(0.1)).fit(X[few], Y[few])


@pytest.mark.parametrize("prevalence", PREVALENCES)
@pytest.mark.parametrize("c", CONDITIONS)
def test_score_driven_thresholds_are_those_of_probabilities_at_the_prevalence(
    c: float, prevalence: float
) -> None:
    fitted = ThresholdChoiceClassifier(LOGISTIC).fit(X, Y)
    p = LOGISTIC.fit(X, Y).predict_proba(X)[:, 1]
    positive, negative = p * prevalence / Y.mean(), (1 - p) * (1 - prevalence) / (1 - Y.mean())
    corrected = positive / (positive + negative)
    found = fitted.predict(X, cost_proportion=c, prevalence=prevalence)
    np.testing.assert_array_equal(found, corrected > c)


@pytest.mark.parametrize("prevalence", PREVALENCES)
@pytest.mark.parametrize("estimator", [LOGISTIC, GaussianNB(), LinearSVC()], ids=str)
def test_optimal_thresholds_are_the_best_of_all(estimator: Any, prevalence: float) -> None:
    fitted = ThresholdChoiceClassifier(estimator, choice=cs.Optimal(), cv=SHUFFLED).fit(X, Y)
    method = "decision_function" if isinstance(estimator, LinearSVC) else "predict_proba"
    scores = cross_val_predict(estimator, X, Y, cv=SHUFFLED, method=method)
    scores = scores if scores.ndim == 1 else scores[:, 1]
    for c in CONDITIONS:
        rule = fitted.rule_at(c, prevalence=prevalence)
        found = loss_of(rule, Y, scores, c, prevalence)
        assert found == pytest.approx(least_loss(Y, scores, c, prevalence), abs=1e-15)
        last = getattr(fitted.estimator_, method)(X)
        last = last if last.ndim == 1 else last[:, 1]
        np.testing.assert_array_equal(
            fitted.predict(X, cost_proportion=c, prevalence=prevalence), rule.flagged(last)
        )


@pytest.mark.parametrize("name", THRESHOLDS)
@settings(max_examples=12)
@given(st.data(), st.sampled_from([None, *PREVALENCES]))
def test_any_choice_has_its_loss_at_any_condition(
    name: str, data: st.DataObject, prevalence: float | None
) -> None:
    case = CHOICES[name]
    sample: Predictions = fit_for(case, data)
    features = sample.s[:, None]
    told = Told().fit(features, sample.y)
    model = ThresholdChoiceClassifier(told, choice=case.choice, cv="prefit")
    fitted = model.fit(features, sample.y, **_weight(sample))
    p = fitted.prevalence_ if prevalence is None else prevalence
    choice = case.choice
    if choice == cs.ScoreDriven():
        choice = cs.ScoreDriven(calibrated_to=fitted.prevalence_)
    table = cs.ScoreTable.from_predictions(sample.y, sample.s, sample_weight=sample.w)
    curve = cs.loss_curve(table.with_prevalence(p), choice=choice)
    for c in data.draw(st.lists(st.sampled_from(inside(curve.breaks).tolist()), max_size=4)):
        rule = fitted.rule_at(c, prevalence=prevalence)
        found = loss_of(rule, sample.y, sample.s, c, p, sample.w)
        assert found == pytest.approx(float(curve(c)), abs=1e-9)
        if not rule.randomised:
            asked = {"cost_proportion": c, "prevalence": prevalence}
            np.testing.assert_array_equal(fitted.predict(features, **asked), rule.flagged(sample.s))


def _weight(sample: Predictions) -> dict[str, Any]:
    return {} if sample.w is None else {"sample_weight": sample.w}


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_shares_flagged_are_those_of_where_it_is_used(prevalence: float) -> None:
    fitted = ThresholdChoiceClassifier(LOGISTIC, choice=cs.RateFixed(0.2)).fit(X, Y)
    driven = ThresholdChoiceClassifier(LOGISTIC, choice=cs.RateDriven()).fit(X, Y)
    for model, c, share in ((fitted, 0.3, 0.2), (driven, 0.3, 0.7), (driven, 0.9, 0.1)):
        point = model.rule_at(c, prevalence=prevalence).on(model.score_table_)
        flagged = prevalence * (1 - point.fnr) + (1 - prevalence) * point.fpr
        assert flagged == pytest.approx(share, abs=1e-12)


# --- Conditions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice", [None, cs.Optimal(), cs.ScoreFixed(0.3), cs.ScoreDriven(0.5)], ids=str
)
def test_conditions_of_each_row_are_row_by_row(choice: cs.ThresholdChoice | None) -> None:
    fitted = ThresholdChoiceClassifier(LOGISTIC, choice=choice).fit(X, Y)
    rng = np.random.default_rng(5)
    fp, fn = rng.lognormal(size=len(X)), rng.lognormal(1, 1, len(X))
    p = rng.choice(PREVALENCES, len(X))
    every = {
        "fp_cost": (fp, 1.0, fp),
        "fn_cost": (fn, fn, 4.0),
        "prevalence": (p, 0.1, p),
    }
    for costs in zip(*every.values(), strict=True):
        asked = dict(zip(every, costs, strict=True))
        found = fitted.predict(X, **asked)
        for i in range(len(X)):
            own = {k: v if np.ndim(v) == 0 else v[i] for k, v in asked.items()}
            assert found[i] == fitted.predict(X[i : i + 1], **own)[0]
            assert fitted.threshold_at(**asked)[i] == fitted.threshold_at(**own)
    only = fitted.predict(X, prevalence=p)
    for value in PREVALENCES:
        np.testing.assert_array_equal(
            only[p == value], fitted.predict(X[p == value], prevalence=value)
        )


@pytest.mark.parametrize("choice", [cs.RateDriven(), cs.RateFixed(0.3), cs.Optimal()], ids=str)
def test_rules_that_draw_are_row_by_row_too(choice: cs.ThresholdChoice) -> None:
    limits = cs.Constraints(capacity=0.25)
    fitted = ThresholdChoiceClassifier(LOGISTIC, choice=choice, constraints=limits).fit(X, Y)
    c = np.random.default_rng(0).random(12)
    p = np.resize(PREVALENCES, 12)
    found = fitted.threshold_at(c, prevalence=p)
    each = [fitted.threshold_at(a, prevalence=b) for a, b in zip(c, p, strict=True)]
    np.testing.assert_array_equal(found, each)


def test_the_usual_condition_is_where_none_is_given() -> None:
    usual = {"fp_cost": 1.0, "fn_cost": 9.0, "prevalence": 0.05}
    fitted = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), **usual).fit(X, Y)
    plain = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal()).fit(X, Y)
    for asked, expected in (
        ({}, usual),
        ({"prevalence": 0.4}, {**usual, "prevalence": 0.4}),
        ({"cost_proportion": 0.7}, {"cost_proportion": 0.7, "prevalence": 0.05}),
        ({"fp_cost": 2, "fn_cost": 1}, {"fp_cost": 2, "fn_cost": 1, "prevalence": 0.05}),
    ):
        np.testing.assert_array_equal(fitted.predict(X, **asked), plain.predict(X, **expected))
        assert fitted.rule_at(**asked) == plain.rule_at(**expected)
    path = fitted.threshold_path_
    assert path.rule_at(0.1).thresholds[0] == fitted.threshold_at()
    assert plain.threshold_path_.rule_at(0.1).thresholds[0] == plain.threshold_at(0.1)


def test_costlier_false_negatives_flag_more() -> None:
    for choice in (None, cs.Optimal(), cs.RateDriven()):
        fitted = ThresholdChoiceClassifier(LOGISTIC, choice=choice).fit(X, Y)
        found = fitted.threshold_at(fp_cost=1, fn_cost=[1, 5, 25, 125])
        assert np.all(np.diff(found) <= 0)
        assert not fitted.predict(X, cost_proportion=1).any()


# --- Constraints -------------------------------------------------------------------------------

LIMITS = [
    cs.Constraints(capacity=0.08),
    cs.Constraints(min_recall=0.62, max_fpr=0.55),
    cs.Constraints(min_precision=0.1, capacity=0.5),
]


@pytest.mark.parametrize("prevalence", [0.05, 0.3])
@pytest.mark.parametrize("choice", [None, cs.Optimal(), cs.RateDriven()], ids=str)
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_constraints_are_kept_on_rows_held_out(
    limits: cs.Constraints, choice: cs.ThresholdChoice | None, prevalence: float
) -> None:
    fitted = ThresholdChoiceClassifier(
        LOGISTIC, choice=choice, constraints=limits, prevalence=prevalence
    ).fit(X, Y)
    table = fitted.score_table_
    free = ThresholdChoiceClassifier(LOGISTIC, choice=choice).fit(X, Y)
    for c in CONDITIONS:
        assert limits.holds(fitted.rule_at(c).on(table), prevalence)
        assert limits.holds(fitted.rule_at(c, prevalence=0.2).on(table), 0.2)
        own = free.rule_at(c, prevalence=prevalence)
        if limits.holds(own.on(table), prevalence):
            point, other = fitted.rule_at(c).on(table), own.on(table)
            at = [
                cs.condition.loss_at(q.fpr, q.fnr, c=c, prevalence=prevalence)
                for q in (point, other)
            ]
            assert at[0] == pytest.approx(at[1], abs=1e-12)


def test_rules_that_draw_are_seeded_and_draw_as_often_as_they_say() -> None:
    scores = np.repeat([0.2, 0.8], 2000)[:, None]
    y = np.concatenate([np.resize([0, 0, 0, 1], 2000), np.resize([0, 1], 2000)])
    limits = cs.Constraints(capacity=0.2)
    told = Told().fit(scores, y)

    def flagged(seed: Any) -> np.ndarray:
        model = ThresholdChoiceClassifier(
            told, choice=cs.Optimal(), constraints=limits, cv="prefit", random_state=seed
        )
        return model.fit(scores, y).predict(scores, fp_cost=1, fn_cost=10)

    first = flagged(0)
    np.testing.assert_array_equal(first, flagged(0))
    assert not np.array_equal(first, flagged(1))
    assert not first[:2000].any()
    # A mean of 800 with a standard deviation of 22.
    assert abs(first.sum() - 800) < 100
    generator = np.random.RandomState(0)
    np.testing.assert_array_equal(first, flagged(generator))
    assert not np.array_equal(first, flagged(generator))


# --- Classifiers that it is given --------------------------------------------------------------


def test_a_classifier_without_probabilities() -> None:
    said = "ScoreDriven(calibrated_to=None) needs predict_proba, which LinearSVC does not have"
    with refused(ScoreError, said):
        ThresholdChoiceClassifier(LinearSVC()).fit(X, Y)
    with refused(ScoreError, "wrap it in CalibratedClassifierCV, or use a rank-based or optimal"):
        ThresholdChoiceClassifier(LinearSVC()).fit(X, Y)
    assert not hasattr(ThresholdChoiceClassifier(LinearSVC()), "predict_proba")
    assert hasattr(ThresholdChoiceClassifier(LinearSVC()), "decision_function")
    assert not hasattr(ThresholdChoiceClassifier(GaussianNB()), "decision_function")
    for choice in (cs.Optimal(), cs.RateDriven()):
        ThresholdChoiceClassifier(LinearSVC(), choice=choice).fit(X, Y).predict(X)
    margin = {"choice": cs.ScoreFixed(0), "response_method": "decision_function"}
    fixed = ThresholdChoiceClassifier(LinearSVC(), **margin).fit(X, Y)
    np.testing.assert_array_equal(fixed.predict(X), LinearSVC().fit(X, Y).predict(X))
    ThresholdChoiceClassifier(CalibratedClassifierCV(LinearSVC(), cv=3)).fit(X, Y).predict(X)


class InSinglePrecision(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are its only feature, in 32 bits."""

    def fit(self, X: Any, y: Any) -> "InSinglePrecision":
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        positive = np.asarray(X)[:, 0].astype(np.float32)
        return np.stack([1 - positive, positive], axis=1)


def test_probabilities_in_single_precision_are_the_decimals_that_they_print_as() -> None:
    scores = np.tile([0.1, 0.2, 0.3, 0.7], 10)
    y = np.arange(40) % 3 == 0
    chosen = ThresholdChoiceClassifier(InSinglePrecision(), choice=cs.ScoreDriven())
    fitted = chosen.fit(scores[:, None], y)
    for fp_cost, fn_cost, threshold in ((1, 4, 0.2), (1, 9, 0.1), (7, 3, 0.7)):
        known = {"fp_cost": fp_cost, "fn_cost": fn_cost}
        assert fitted.threshold_at(**known) == threshold
        found = fitted.predict(scores[:, None], **known)
        np.testing.assert_array_equal(found, scores > threshold)


def test_what_scores_are() -> None:
    asked = {"choice": cs.Optimal(), "response_method": "decision_function"}
    fitted = ThresholdChoiceClassifier(LOGISTIC, **asked).fit(X, Y)
    scores = cross_val_predict(LOGISTIC, X, Y, method="decision_function")
    assert cs.auc(fitted.score_table_) == cs.auc(Y, scores)
    np.testing.assert_array_equal(
        fitted.predict(X), fitted.estimator_.decision_function(X) > fitted.threshold_at()
    )
    with refused(ScoreError, "needs decision_function, which GaussianNB does not have"):
        ThresholdChoiceClassifier(GaussianNB(), **asked).fit(X, Y)
    said = "ScoreDriven(calibrated_to=None) needs predict_proba, got response_method='decision_"
    with refused(ScoreError, said):
        ThresholdChoiceClassifier(LOGISTIC, response_method="decision_function").fit(X, Y)


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1, 1], [2.0, 3.0]])
@pytest.mark.parametrize("dtype", [None, object])
def test_labels_of_any_kind(labels: list[Any], dtype: Any) -> None:
    y = np.array(labels, dtype=dtype)[Y]
    plain = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal()).fit(X, Y)
    for pos_label in (None, labels[1]):
        fitted = clone(plain).set_params(pos_label=pos_label)
        if dtype is object and not isinstance(labels[0], str):
            with pytest.raises(ValueError, match="Unknown label type"):
                fitted.fit(X, y)
            continue
        if pos_label is None and labels not in ([False, True], [-1, 1]):
            with refused(LabelError, f"{labels[0]!r} and {labels[1]!r}: say which is the positive"):
                fitted.fit(X, y)
            continue
        fitted.fit(X, y)
        assert fitted.positive_ == labels[1]
        found = fitted.predict(X, cost_proportion=0.2)
        assert found.dtype == y.dtype
        np.testing.assert_array_equal(found == labels[1], plain.predict(X, cost_proportion=0.2))


def test_truth_values_named_by_numbers() -> None:
    fitted = ThresholdChoiceClassifier(LOGISTIC, pos_label=0).fit(X, Y == 1)
    assert fitted.positive_ == np.False_
    assert fitted.predict(X).dtype == bool


# --- Weights, groups, routing ------------------------------------------------------------------


@pytest.mark.parametrize("choice", [None, cs.Optimal(), cs.RateDriven()], ids=str)
def test_weights_are_as_rows_repeated(choice: cs.ThresholdChoice | None) -> None:
    counts = np.random.default_rng(0).integers(0, 4, len(Y))
    prefit = LogisticRegression().fit(X, Y)
    model = ThresholdChoiceClassifier(prefit, choice=choice, cv="prefit")
    weighted = clone(model).set_params(estimator=prefit).fit(X, Y, sample_weight=counts)
    repeated = clone(model).set_params(estimator=prefit)
    repeated.fit(np.repeat(X, counts, axis=0), np.repeat(Y, counts))
    assert weighted.prevalence_ == pytest.approx(repeated.prevalence_, rel=1e-15)
    for c in CONDITIONS:
        one, other = (m.rule_at(c, prevalence=0.1) for m in (weighted, repeated))
        assert one.thresholds[0] == pytest.approx(other.thresholds[0], rel=1e-12)
        assert one.chance == pytest.approx(other.chance, abs=1e-9)


def test_weights_go_to_the_classifier_and_to_the_thresholds() -> None:
    weight = np.random.default_rng(1).random(len(Y))
    model = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=SHUFFLED)
    off = clone(model).fit(X, Y, sample_weight=weight)
    expected = LogisticRegression().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(off.estimator_.coef_, expected.coef_)
    scores = np.empty(len(Y))
    for train, test in SHUFFLED.split(X, Y):
        part = LogisticRegression().fit(X[train], Y[train], sample_weight=weight[train])
        scores[test] = part.predict_proba(X[test])[:, 1]
    for c in CONDITIONS:
        found = loss_of(off.rule_at(c, prevalence=0.2), Y, scores, c, 0.2, weight)
        assert found == pytest.approx(least_loss(Y, scores, c, 0.2, weight), abs=1e-15)
    with config_context(enable_metadata_routing=True):
        asked = clone(model).set_params(
            estimator=LogisticRegression().set_fit_request(sample_weight=True)
        )
        on = asked.fit(X, Y, sample_weight=weight)
        np.testing.assert_array_equal(on.estimator_.coef_, expected.coef_)
        assert on.threshold_at(CONDITIONS).tolist() == off.threshold_at(CONDITIONS).tolist()
        # Weights that count for thresholds alone.
        left = LogisticRegression().set_fit_request(sample_weight=False)
        alone = clone(model).set_params(estimator=left).fit(X, Y, sample_weight=weight)
        np.testing.assert_array_equal(alone.estimator_.coef_, LogisticRegression().fit(X, Y).coef_)
        assert alone.prevalence_ == on.prevalence_
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            clone(model).fit(X, Y, sample_weight=weight)


def test_no_weights_are_weights_of_none() -> None:
    for on in (False, True):
        with config_context(enable_metadata_routing=on):
            model = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal())
            found = clone(model).fit(X, Y, sample_weight=None)
            assert found.threshold_at(0.3) == model.fit(X, Y).threshold_at(0.3)


def test_weights_of_a_fitted_classifier_are_for_thresholds_alone() -> None:
    fitted = KNeighborsClassifier().fit(X, Y)
    model = ThresholdChoiceClassifier(fitted, choice=cs.Optimal(), cv="prefit")
    weight = np.where(Y == 1, 3.0, 1.0)
    assert model.fit(X, Y, sample_weight=weight).prevalence_ == np.average(Y, weights=weight)


def test_weights_of_a_frozen_classifier_are_for_thresholds_alone() -> None:
    fitted = LogisticRegression().fit(X, Y)
    weight = np.where(Y == 1, 3.0, 1.0)
    frozen = ThresholdChoiceClassifier(FrozenEstimator(fitted), choice=cs.Optimal())
    prefit = ThresholdChoiceClassifier(fitted, choice=cs.Optimal(), cv="prefit")
    found, same = (model.fit(X, Y, sample_weight=weight) for model in (frozen, prefit))
    assert found.prevalence_ == np.average(Y, weights=weight)
    np.testing.assert_array_equal(found.threshold_at(CONDITIONS), same.threshold_at(CONDITIONS))


# --- Its life in scikit-learn ------------------------------------------------------------------


def test_frames_with_names_and_a_pipeline_inside() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    scaled = make_pipeline(StandardScaler().set_output(transform="pandas"), LogisticRegression())
    fitted = ThresholdChoiceClassifier(scaled, choice=cs.Optimal()).fit(frame, pd.Series(Y))
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c"]
    assert fitted.n_features_in_ == 3
    assert fitted.estimator_[-1].feature_names_in_.tolist() == ["a", "b", "c"]
    bare = ThresholdChoiceClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), choice=cs.Optimal()
    ).fit(X, Y)
    for asked in ({}, {"fp_cost": 1, "fn_cost": pd.Series(np.linspace(1, 30, len(X)))}):
        np.testing.assert_array_equal(fitted.predict(frame, **asked), bare.predict(X, **asked))
    # Names do not outlive the rows that had them.
    assert not hasattr(fitted.set_params(estimator=LOGISTIC).fit(X, Y), "feature_names_in_")


def test_searches_over_the_classifier_and_the_choice() -> None:
    grid = {"estimator__C": [0.01, 1], "choice": [cs.ScoreDriven(), cs.Optimal()]}
    search = GridSearchCV(ThresholdChoiceClassifier(LOGISTIC, cv=3), grid, cv=3).fit(X, Y)
    assert len(search.cv_results_["params"]) == 4
    by_hand = [
        cross_val_score(
            ThresholdChoiceClassifier(
                LogisticRegression(C=p["estimator__C"]), choice=p["choice"], cv=3
            ),
            X,
            Y,
            cv=3,
        ).mean()
        for p in search.cv_results_["params"]
    ]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], by_hand, rtol=1e-12)
    assert search.best_params_["estimator__C"] == search.best_estimator_.estimator.C


def test_it_nests_in_other_meta_estimators_and_they_in_it() -> None:
    inner = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal())
    calibrated = CalibratedClassifierCV(inner, cv=3).fit(X, Y)
    expected = CalibratedClassifierCV(LOGISTIC, cv=3).fit(X, Y)
    np.testing.assert_array_equal(calibrated.predict_proba(X), expected.predict_proba(X))
    outer = ThresholdChoiceClassifier(inner, choice=cs.Optimal(), cv=3).fit(X, Y)
    bare = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=3).fit(X, Y)
    assert outer.threshold_at(0.2) == bare.threshold_at(0.2)


def test_fitted_classifiers() -> None:
    half, other = np.arange(0, 90, 2), np.arange(1, 90, 2)
    fitted = LogisticRegression().fit(X[half], Y[half])
    scores = fitted.predict_proba(X[other])[:, 1]
    prefit = ThresholdChoiceClassifier(fitted, choice=cs.Optimal(), cv="prefit")
    prefit.fit(X[other], Y[other])
    assert prefit.estimator_ is fitted
    frozen = ThresholdChoiceClassifier(FrozenEstimator(fitted), choice=cs.Optimal())
    frozen.fit(X[other], Y[other])
    for model in (prefit, frozen):
        for c in CONDITIONS:
            found = loss_of(model.rule_at(c, prevalence=0.1), Y[other], scores, c, 0.1)
            assert found == pytest.approx(least_loss(Y[other], scores, c, 0.1), abs=1e-15)
    default = ThresholdChoiceClassifier(fitted, cv="prefit").fit(X[other], Y[other])
    np.testing.assert_array_equal(default.predict(X), fitted.predict(X))
    with pytest.raises(NotFittedError):
        ThresholdChoiceClassifier(LogisticRegression(), cv="prefit").fit(X, Y)


def test_a_single_split_without_a_refit() -> None:
    model = ThresholdChoiceClassifier(
        LOGISTIC, choice=cs.Optimal(), cv=0.3, refit=False, random_state=3
    ).fit(X, Y)
    split = StratifiedShuffleSplit(1, test_size=0.3, random_state=3)
    train, test = next(split.split(X, Y))
    part = LogisticRegression().fit(X[train], Y[train])
    np.testing.assert_array_equal(model.estimator_.coef_, part.coef_)
    scores = part.predict_proba(X[test])[:, 1]
    assert cs.brier_score(model.score_table_) == cs.brier_score(Y[test], scores)
    again = clone(model).set_params(refit=True).fit(X, Y)
    np.testing.assert_array_equal(again.estimator_.coef_, LogisticRegression().fit(X, Y).coef_)
    assert again.threshold_at(0.2) == model.threshold_at(0.2)
    listed = clone(model).set_params(cv=[(train, test)]).fit(X, Y)
    assert listed.threshold_at(0.2) == model.threshold_at(0.2)
    # Nothing but the split depends on the held-out rows.
    default = clone(model).set_params(choice=None).fit(X, Y)
    np.testing.assert_array_equal(default.estimator_.coef_, part.coef_)
    with refused(ConditionError, "refit=False needs a single split, got 5"):
        clone(model).set_params(cv=5).fit(X, Y)


def test_folds_side_by_side() -> None:
    model = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=3)
    with joblib.parallel_config(backend="threading"):
        found = clone(model).set_params(n_jobs=2).fit(X, Y)
    assert (
        found.threshold_at(CONDITIONS).tolist() == model.fit(X, Y).threshold_at(CONDITIONS).tolist()
    )


# --- Wrong use ---------------------------------------------------------------------------------


def test_what_is_no_classifier() -> None:
    with refused(ScoreError, "needs predict_proba, which NoneType does not have"):
        ThresholdChoiceClassifier(None).fit(X, Y)


def test_splits_that_are_used_up() -> None:
    model = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=SHUFFLED.split(X, Y))
    model.fit(X, Y)
    with refused(ConditionError, "cv has no splits: give at least one, and a list instead"):
        model.fit(X, Y)


@pytest.mark.parametrize("y", [np.zeros(90), np.resize(["n"] * 89 + ["y"], 90)])
def test_a_second_fit_that_fails(y: np.ndarray) -> None:
    model = ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=KFold(3)).fit(X, Y)
    with pytest.raises(LabelError, match="class"):
        model.fit(X, y)
    for asked in (model.threshold_at, lambda: model.predict(X)):
        with pytest.raises(NotFittedError):
            asked()


def test_scores_held_out_that_do_not_go_with_the_choice() -> None:
    x = np.random.default_rng(0).normal(size=(90, 2))
    labels = (x[:, 0] + 0.5 * x[:, 1] > 0).astype(int)
    with pytest.warns(cs.DataWarning, match="every score is"):
        ThresholdChoiceClassifier(DummyClassifier(), choice=cs.Optimal(), cv=0.3).fit(x, labels)
    model = ThresholdChoiceClassifier(
        LinearSVC(), choice=cs.ScoreFixed(), response_method="decision_function"
    )
    with pytest.warns(cs.DataWarning, match="look like decision values, log-odds or points"):
        model.fit(x, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.DataWarning)
        ThresholdChoiceClassifier(LinearSVC(), choice=cs.Optimal()).fit(x, labels)
        ThresholdChoiceClassifier(LogisticRegression(), choice=cs.ScoreFixed()).fit(x, labels)


def test_a_full_grown_tree_is_told_of_its_depth() -> None:
    x = np.random.default_rng(0).normal(size=(90, 2))
    noise = np.random.default_rng(1).normal(size=90)
    for labels in ((x[:, 0] + noise > 0).astype(int), (x[:, 0] > 0).astype(int)):
        tree = DecisionTreeClassifier(random_state=0)
        model = ThresholdChoiceClassifier(tree, choice=cs.Optimal(), cv=0.3, random_state=0)
        with pytest.warns(cs.DataWarning, match="limit its depth, or calibrate it") as told:
            model.fit(x, labels)
        assert [one.filename for one in told] == [__file__]
        assert "predict_proba" not in str(told[0].message)


def test_predicted_classes_are_what_a_cost_scorer_is_asked_about() -> None:
    x = np.random.default_rng(0).normal(size=(90, 1))
    labels = (x[:, 0] + np.random.default_rng(1).normal(size=90) > 0).astype(int)
    model = LogisticRegression().fit(x, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.DataWarning)
        assert cost_scorer(fp_cost=1, fn_cost=5)(model, x, labels) < 0


# --- A decision ----------------------------------------------------------------------------------


def decided(**given: Any) -> cs.Decision:
    scores = cross_val_predict(GaussianNB(), X, Y, cv=5, method="predict_proba")[:, 1]
    return cs.decide(Y, {"bayes": scores}, **given)


def test_a_decision_sets_the_rule() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
    decision = decided(conditions=known)
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    assert classifier.score_table_ is None
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    rule = decision.recommendation.rule
    assert rule is not None
    np.testing.assert_array_equal(classifier.predict(X), rule.flagged(scores))
    assert classifier.rule_at(fp_cost=1, fn_cost=5) == rule


RANGE = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=(0.2, 0.4))
SAVED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a rule": ({"conditions": cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)}, {}),
    "by costs and prevalence": (
        {"conditions": RANGE, "known": "costs,prevalence"},
        {"fp_cost": 1.5, "fn_cost": np.linspace(5, 9, len(Y)), "prevalence": 0.25},
    ),
    "by a formula": (
        {"conditions": RANGE, "known": "costs,prevalence", "choices": [cs.ScoreDriven(0.3)]},
        {"fp_cost": 1.5, "fn_cost": 8.0, "prevalence": np.linspace(0.2, 0.4, len(Y))},
    ),
    "a review": (
        {
            "conditions": cs.Deployment(
                fp_cost=(1, 2), fn_cost=(4, 12), prevalence=(0.2, 0.4), review=cs.Review(cost=0.4)
            ),
            "known": "costs,prevalence",
        },
        {"fp_cost": 1.5, "fn_cost": 8.0, "prevalence": 0.25},
    ),
}


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_decision_sets_the_rules_of_the_decision(name: str, tmp_path: Any) -> None:
    asked, seen = SAVED[name]
    decision = decided(**asked)
    decision.save(tmp_path / "decision.json")
    kept = cs.load_decision(tmp_path / "decision.json")
    own, saved = (
        ThresholdChoiceClassifier(GaussianNB(), decision=one).fit(X, Y) for one in (decision, kept)
    )
    assert own.predict(X, **seen).tolist() == saved.predict(X, **seen).tolist()
    assert own.actions(X, **seen).tolist() == saved.actions(X, **seen).tolist()
    assert clone(saved).fit(X, Y).actions(X, **seen).tolist() == saved.actions(X, **seen).tolist()


def test_a_saved_decision_is_on_the_scale_of_its_scores(tmp_path: Any) -> None:
    scores = cross_val_predict(LinearSVC(), X, Y, method="decision_function")
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
    decision = cs.decide(Y, {"margin": scores}, conditions=known, choices=[cs.Optimal()])
    decision.save(tmp_path / "decision.json")
    kept = cs.load_decision(tmp_path / "decision.json")
    classifier = ThresholdChoiceClassifier(LogisticRegression(), decision=kept).fit(X, Y)
    (cut,) = classifier.rule_at().cuts
    flagged = classifier.estimator_.decision_function(X) > cut
    np.testing.assert_array_equal(classifier.predict(X) == 1, flagged)
    with refused(ScoreError, "needs decision_function, which GaussianNB does not have"):
        ThresholdChoiceClassifier(GaussianNB(), decision=kept).fit(X, Y)
    with refused(ConditionError, "a decision has its own choice: leave choice out"):
        ThresholdChoiceClassifier(LOGISTIC, decision=kept, choice=cs.Optimal()).fit(X, Y)


@pytest.mark.parametrize("kind", ["decision", "saved"])
def test_a_classifier_with_a_decision_is_kept_by_joblib(kind: str, tmp_path: Any) -> None:
    decision = decided(conditions=RANGE, known="costs,prevalence")
    own = decision if kind == "decision" else decision.saved()
    classifier = make_pipeline(
        StandardScaler(), ThresholdChoiceClassifier(GaussianNB(), decision=own)
    ).fit(X, Y)
    joblib.dump(classifier, tmp_path / "classifier.joblib")
    again = joblib.load(tmp_path / "classifier.joblib")
    seen = {"fp_cost": 1, "fn_cost": 6, "prevalence": 0.3}
    scaled = classifier[0].transform(X)
    assert (
        again[1].predict(scaled, **seen).tolist() == classifier[1].predict(scaled, **seen).tolist()
    )
    assert again[1].rule_at(**seen) == classifier[1].rule_at(**seen)


def test_predict_says_that_it_takes_costs_to_be_equal() -> None:
    classifier = ThresholdChoiceClassifier(GaussianNB()).fit(X, Y)
    said = "takes both mistakes to cost the same, to flag scores above 0.5: give fp_cost"
    with pytest.warns(cs.DataWarning, match=said):
        classifier.predict(X)
    with pytest.warns(cs.DataWarning, match="takes both mistakes to cost the same: give fp_cost"):
        classifier.predict(X, prevalence=np.full(len(Y), 0.3))
    fixed = ThresholdChoiceClassifier(GaussianNB(), choice=cs.ScoreFixed(0.3)).fit(X, Y)
    usual = ThresholdChoiceClassifier(GaussianNB(), cost_proportion=0.5).fit(X, Y)
    kept = decided(conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)).saved()
    by_decision = ThresholdChoiceClassifier(GaussianNB(), decision=kept).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classifier.predict(X, fp_cost=1, fn_cost=1)
        for told in (fixed, usual, by_decision):
            told.predict(X)


def test_a_queue_is_a_cut_on_the_score_where_cases_come_one_by_one() -> None:
    p, capacity = 0.3, 0.15
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=p)
    limits = cs.Constraints(capacity=capacity)
    choices = {"queue": cs.RateFixed(capacity)}
    decision = decided(conditions=known, constraints=limits, choices=choices)
    assert decision.recommendation.rule == cs.Rule(capacity, ("flag", "pass"), by="share")
    scores = cross_val_predict(GaussianNB(), X, Y, cv=5, method="predict_proba")[:, 1]

    def share_above(cut: float) -> float:
        flagged = scores > cut
        return float((1 - p) * flagged[Y == 0].mean() + p * flagged[Y == 1].mean())

    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    rule = classifier.rule_at(fp_cost=1, fn_cost=5)
    lower = np.unique(scores)[np.unique(scores) < rule.cuts[0]][-2]
    assert rule.by == "score"
    assert share_above(rule.cuts[0]) <= capacity < share_above(lower)
    again = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    np.testing.assert_array_equal(classifier.predict(X) == 1, again > rule.cuts[0])
    one_by_one = [int(classifier.predict(X[i : i + 1])[0]) for i in range(10)]
    assert one_by_one == classifier.predict(X[:10]).tolist()


def test_a_decision_that_follows_the_condition() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(1, 10), prevalence=(0.05, 0.5))
    decision = decided(
        conditions=known,
        choices=[cs.ScoreDriven(calibrated_to=0.6)],
        known=["costs", "prevalence"],
    )
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    assert decision.recommendation.rule is None
    for fn_cost, prevalence in ((2, 0.1), (8, 0.3)):
        skew = cs.skew_from_cost(1 / (1 + fn_cost), prevalence=prevalence)
        found = classifier.rule_at(fp_cost=1, fn_cost=fn_cost, prevalence=prevalence)
        assert found == cs.Rule(float(cs.cost_from_skew(skew, prevalence=0.6)))


def test_a_decision_that_follows_the_prevalence_alone_goes_by_the_mean_costs() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(1, 5), prevalence=(0.05, 0.5))
    decision = decided(
        conditions=known, choices=[cs.ScoreDriven(calibrated_to=0.6)], known="prevalence"
    )
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    for prevalence in (0.1, 0.3):
        flagged = decision.apply(scores, prevalence=prevalence).action == "flag"
        for costs in ({}, {"fp_cost": 1, "fn_cost": 2}):
            found = classifier.predict(X, prevalence=prevalence, **costs)
            np.testing.assert_array_equal(found == 1, flagged)


@pytest.mark.parametrize("prevalence", [(0.05, 0.5), 0.21])
def test_a_decision_for_one_prevalence_needs_none(prevalence: Any) -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(1, 5), prevalence=prevalence)
    decision = decided(conditions=known, choices=[cs.ScoreDriven(calibrated_to=0.6)], known="costs")
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    costs = {"fp_cost": 1, "fn_cost": np.linspace(1.1, 4.9, len(X))}
    flagged = decision.apply(scores, **costs).action == "flag"
    np.testing.assert_array_equal(classifier.predict(X, **costs) == 1, flagged)
    if prevalence == 0.21:
        with refused(cs.ConditionError, "the prevalence is 0.3 in row 1, and the decision is"):
            classifier.predict(X, prevalence=0.3, **costs)
    else:
        # It is averaged, and does not count.
        found = classifier.predict(X, prevalence=0.3, **costs)
        np.testing.assert_array_equal(found == 1, flagged)


@pytest.mark.parametrize("prevalence", [(0.05, 0.5), 0.21])
def test_a_decision_by_the_costs_of_each_case_needs_no_prevalence(prevalence: Any) -> None:
    costs = {"fp_cost": 1.0, "fn_cost": np.linspace(1.1, 4.9, len(X))}
    decision = decided(
        case_costs=cs.CaseCosts(**costs),
        prevalence=prevalence,
        choices=[cs.ScoreDriven(calibrated_to=0.6)],
    )
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    flagged = decision.apply(scores, **costs).action == "flag"
    np.testing.assert_array_equal(classifier.predict(X, **costs) == 1, flagged)


def test_a_decision_of_several_bands_of_prevalence() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.05, 0.5))
    limits = cs.Constraints(capacity=0.3)
    decision = decided(
        conditions=known,
        constraints=limits,
        choices=[cs.Optimal()],
        known=["costs", "prevalence"],
    )
    assert decision.recommendation.rule is None
    assert len(decision.rules.bands) > 1
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    flagged = []
    for prevalence in (0.06, 0.2, 0.49):
        at = {"fp_cost": 1, "fn_cost": 6, "prevalence": prevalence}
        band = next(
            rules
            for span, rules in decision.rules.bands.items()
            if span.low <= prevalence <= span.high
        )
        rules = band.rules_at(np.array(cs.skew_from_cost(1 / 7, prevalence=prevalence)))
        expected = rules.one.flagged(scores) == 1
        np.testing.assert_array_equal(classifier.predict(X, **at) == 1, expected)
        flagged.append(int(expected.sum()))
    assert len(set(flagged)) > 1


def test_a_decision_is_for_its_conditions() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 20), prevalence=(0.1, 0.3))
    decision = decided(
        conditions=known,
        choices=[cs.ScoreDriven(calibrated_to=0.6)],
        known=["costs", "prevalence"],
    )
    assert decision.recommendation.rule is None
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    for fn_cost, prevalence, text in (
        (
            1000,
            0.2,
            "a false negative costs more than the decision is for: the skew",
        ),
        (
            0.01,
            0.2,
            "a false positive costs more than the decision is for: the skew",
        ),
        (5, 0.01, "the prevalence is 0.01, and the decision is for 0.1 to 0.3"),
        (5, 0.9, "the prevalence is 0.9, and the decision is for 0.1 to 0.3"),
    ):
        with refused(cs.ConditionError, text):
            classifier.predict(X, fp_cost=1, fn_cost=fn_cost, prevalence=prevalence)


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_a_decision_is_on_the_scale_of_its_scores(method: str) -> None:
    model = LogisticRegression()
    scores = cross_val_predict(model, X, Y, cv=5, method=method)
    scores = scores[:, 1] if scores.ndim == 2 else scores
    known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
    decision = cs.decide(Y, scores, conditions=known, choices=[cs.Optimal()])
    classifier = ThresholdChoiceClassifier(model, decision=decision).fit(X, Y)
    again = getattr(model.fit(X, Y), method)(X)
    again = again[:, 1] if again.ndim == 2 else again
    expected = decision.apply(again).action == "flag"
    assert 0 < expected.sum() < len(Y)
    np.testing.assert_array_equal(classifier.predict(X) == 1, expected)
    if method == "decision_function":
        with refused(cs.ScoreError, "needs decision_function, which GaussianNB does not have"):
            ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)


def test_a_decision_tells_the_classes_apart() -> None:
    decision = decided(conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3))
    labels = np.where(Y == 1, "a", "b")
    with refused(cs.LabelError, "pos_label"):
        ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, labels)
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision, pos_label="a")
    numbers = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y).predict(X)
    np.testing.assert_array_equal(classifier.fit(X, labels).predict(X) == "a", numbers == 1)


def test_what_goes_with_no_decision() -> None:
    decision = decided(conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3))
    with refused(cs.ConditionError, "a decision has its own constraints: leave constraints out."):
        limits = cs.Constraints(capacity=0.3)
        ThresholdChoiceClassifier(GaussianNB(), decision=decision, constraints=limits).fit(X, Y)
    with refused(cs.ConditionError, "a decision has its own choice: leave choice out."):
        ThresholdChoiceClassifier(GaussianNB(), decision=decision, choice=cs.Optimal()).fit(X, Y)
    with refused(cs.ConditionError, "decision"):
        ThresholdChoiceClassifier(GaussianNB(), decision="best").fit(X, Y)


def test_a_decision_for_a_queue_has_a_score_cut_since_rows_may_come_one_by_one() -> None:
    decision = decided(
        conditions=cs.Deployment(fp_cost=1, fn_cost=(20, 60), prevalence=(0.05, 0.1)),
        constraints=cs.Constraints(capacity=0.1),
        choices=[cs.RateFixed(0.1)],
    )
    assert decision.recommendation.rule == cs.Rule(0.1, by="share")
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    # The lowest score above which there is at most the share, the classes as in deployment.
    p, own = decision.conditions.mean_prevalence, decision.task.rows.scores["bayes"]
    share = np.where(Y == 1, p / np.sum(Y == 1), (1 - p) / np.sum(Y == 0))
    cut = min(s for s in own if share[own > s].sum() <= 0.1)
    # In as few digits as separate the same scores.
    written = classifier.threshold_at()
    np.testing.assert_array_equal(own > written, own > cut)
    assert f"{written:.6g}" == f"{cut:.6g}" == str(written)
    assert classifier.rule_at(fp_cost=1, fn_cost=30) == cs.Rule(written)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    found = classifier.predict(X) == 1
    np.testing.assert_array_equal(found, scores > written)
    one_by_one = np.concatenate([classifier.predict(X[i : i + 1]) for i in range(40)])
    np.testing.assert_array_equal(one_by_one == 1, found[:40])
    # These rows have more positives than deployment: of them the queue flags fewer.
    assert found.sum() > (decision.apply(scores).action == "flag").sum()


REVIEW = cs.Review(cost=0.3, sensitivity=0.9)


def test_a_decision_with_a_review_has_three_actions_and_labels_of_two() -> None:
    decision = decided(fp_cost=1, fn_cost=5, prevalence=0.3, review=REVIEW)
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    rule = decision.recommendation.rule
    assert rule.actions == ("pass", "review", "flag")
    found = classifier.actions(X)
    assert found.tolist() == decision.apply(scores).action.tolist()
    assert set(found) == {"pass", "review", "flag"}
    np.testing.assert_array_equal(classifier.predict(X), found == "flag")
    assert classifier.rule_at() == rule
    assert classifier.threshold_at() == rule.cuts[1]
    named = decided(
        fp_cost=1, fn_cost=5, prevalence=0.3, review=REVIEW, actions=("approve", "look", "decline")
    )
    again = ThresholdChoiceClassifier(GaussianNB(), decision=named).fit(X, Y)
    assert set(again.actions(X)) == {"approve", "look", "decline"}
    np.testing.assert_array_equal(again.predict(X), found == "flag")


def test_a_decision_that_reviews_by_the_costs_needs_them() -> None:
    asked = {"fp_cost": (1, 2), "fn_cost": (4, 12), "prevalence": 0.3, "known": "costs"}
    decision = decided(**asked, review=REVIEW, choices=[cs.Optimal()])
    classifier = ThresholdChoiceClassifier(GaussianNB(), decision=decision).fit(X, Y)
    scores = GaussianNB().fit(X, Y).predict_proba(X)[:, 1]
    for costs in (
        {"fp_cost": 1.5, "fn_cost": 6.0},
        {"fp_cost": np.linspace(1, 2, len(X)), "fn_cost": np.linspace(12, 4, len(X))},
    ):
        wanted = decision.apply(scores, **costs).action
        assert len(set(wanted)) == 3
        assert classifier.actions(X, **costs).tolist() == wanted.tolist()
        np.testing.assert_array_equal(classifier.predict(X, **costs), wanted == "flag")
    rule = classifier.rule_at(fp_cost=1.5, fn_cost=6)
    assert rule.actions == ("pass", "review", "flag")
    assert (
        rule.applied(scores).tolist()
        == decision.apply(scores, fp_cost=1.5, fn_cost=6).action.tolist()
    )
    with refused(ConditionError, "a review has one of its own: give fp_cost and fn_cost"):
        classifier.predict(X, cost_proportion=0.2)


def test_without_a_review_two_actions_are_the_labels() -> None:
    classifier = ThresholdChoiceClassifier(GaussianNB(), pos_label=1).fit(X, Y)
    found = classifier.actions(X, fp_cost=1, fn_cost=5)
    labels = classifier.predict(X, fp_cost=1, fn_cost=5)
    assert found.tolist() == np.where(labels == 1, "flag", "pass").tolist()
