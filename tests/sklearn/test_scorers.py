"""Scorers: the library's numbers on hand-made splits, and scikit-learn's conventions."""

import copy
import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn
from refusals import refused
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import costspace as cs
from costspace.metrics.traits import UNKNOWN, traits_of
from costspace.sklearn import (
    cost_scorer,
    expected_loss_scorer,
    metric_scorer,
    money_scorer,
)
from costspace.sklearn.decision_costs import decision_cost

X, Y = make_classification(240, weights=[0.7], flip_y=0.1, class_sep=0.7, random_state=3)
WEIGHT = np.random.default_rng(1).integers(1, 5, len(Y)).astype(float)
FP_COST = np.random.default_rng(2).uniform(0.5, 3, len(Y))
FN_COST = np.random.default_rng(4).uniform(2, 30, len(Y))
FOLDS = StratifiedKFold(3)
KNOWN = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.02, 0.1))
RANGE = cs.Uniform(0.05, 0.4)


def of_loss(make, function, method, **parameters):
    return make(**parameters), lambda *data, **more: -function(*data, **parameters, **more), method


def of_metric(metric, method, sign=1):
    return metric_scorer(metric=metric), lambda *data, **more: sign * metric(*data, **more), method


BY_LOSS, BY_MONEY = (expected_loss_scorer, cs.expected_loss), (money_scorer, cs.expected_money)
# Each scorer, what it should say of labels and scores, and whose scores they are.
SCORERS = {
    "score-driven": of_loss(
        *BY_LOSS, "predict_proba", choice=cs.ScoreDriven(), costs=RANGE, prevalence=0.1
    ),
    "optimal": of_loss(
        *BY_LOSS, "decision_function", choice=cs.Optimal(), costs=cs.Beta(2, 5), axis="skew"
    ),
    "rate-driven": of_loss(*BY_LOSS, "decision_function", choice=cs.RateDriven()),
    "score-fixed": of_loss(*BY_LOSS, "predict_proba", choice=cs.ScoreFixed(0.2)),
    "h": of_metric(partial(cs.h_measure, costs=cs.Beta(2, 2), prevalence=0.2), "decision_function"),
    "h as R has it": of_metric(cs.h_measure, "decision_function"),
    "voros": of_metric(partial(cs.voros, low=0.1, high=0.3), "decision_function"),
    "money": of_loss(*BY_MONEY, "decision_function", conditions=KNOWN, choice=cs.Optimal()),
    "money by scores": of_loss(
        *BY_MONEY, "predict_proba", conditions=KNOWN, choice=cs.ScoreDriven(calibrated_to=0.3)
    ),
    "auc": of_metric(cs.auc, "decision_function"),
    "brier": of_metric(partial(cs.brier_score, prevalence=0.1), "predict_proba", -1),
}
# Every metric of labels and scores that needs no more.
SCORED = [
    metric
    for metric in (getattr(cs.metrics, name) for name in cs.metrics.__all__)
    if traits_of(metric) is not UNKNOWN and traits_of(metric).reads != "choice"
]
each_scorer = pytest.mark.parametrize("name", SCORERS)


def scores_by(model, method, rows=X):
    scores = getattr(model, method)(rows)
    return scores[:, 1] if scores.ndim == 2 else scores


def fitted(model=None, y=Y):
    return (model or LogisticRegression()).fit(X, y)


class Table:
    """A fitted classifier that scores each row by its only feature."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        raise NotImplementedError

    def __sklearn_is_fitted__(self):
        return True

    def __sklearn_tags__(self):
        return LogisticRegression().__sklearn_tags__()

    def decision_function(self, X):
        return X[:, 0]

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


@each_scorer
def test_scores_of_folds_are_the_librarys(name):
    scorer, metric, method = SCORERS[name]
    expected = []
    for train, test in FOLDS.split(X, Y):
        model = LogisticRegression().fit(X[train], Y[train])
        expected.append(metric(Y[test], scores_by(model, method, X[test])))
    found = cross_val_score(LogisticRegression(), X, Y, scoring=scorer, cv=FOLDS)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@each_scorer
def test_weights_count(name):
    scorer, metric, method = SCORERS[name]
    model = fitted()
    expected = metric(Y, scores_by(model, method), sample_weight=WEIGHT)
    assert scorer(model, X, Y, sample_weight=WEIGHT) == pytest.approx(expected, rel=1e-12)
    assert scorer(model, X, Y, sample_weight=WEIGHT) != scorer(model, X, Y)


@pytest.mark.parametrize("metric", SCORED, ids=lambda metric: metric.__name__)
def test_larger_is_better(metric):
    y = np.repeat([0, 1], 8)
    good, bad = (np.linspace(low, high, 16)[:, None] for low, high in ((0.1, 0.9), (0.9, 0.1)))
    if metric in (cs.refinement_loss, cs.calibration_loss):
        # Over the hull's bins, the order of scores that are all wrong is that of one bin.
        bad = np.full((16, 1), 0.9)
    scorer = metric_scorer(metric=metric)
    better, worse = scorer(Table(), good, y), scorer(Table(), bad, y)
    assert better > worse
    assert abs(better) == pytest.approx(abs(metric(y, good[:, 0])))


def test_scikit_learns_own_numbers():
    ours = [
        metric_scorer(metric=metric)
        for metric in (cs.auc, cs.brier_score, cs.log_loss, cs.accuracy)
    ]
    theirs = map(get_scorer, ("roc_auc", "neg_brier_score", "neg_log_loss", "accuracy"))
    for own, other in zip(ours, theirs, strict=True):
        for model in (fitted(), fitted(GaussianNB(var_smoothing=0.1))):
            assert own(model, X, Y) == pytest.approx(other(model, X, Y), rel=1e-12)


def test_a_search_takes_what_costs_least():
    grid = {"logisticregression__C": [1e-4, 1e-2, 1]}
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scorer = expected_loss_scorer(choice=cs.ScoreDriven(), costs=cs.Uniform(0, 0.2))
    search = GridSearchCV(model, grid, scoring=scorer, cv=FOLDS).fit(X, Y)
    losses = []
    for c in grid["logisticregression__C"]:
        model.set_params(logisticregression__C=c)
        losses.append(
            np.mean(
                [
                    cs.expected_loss(
                        Y[test],
                        model.fit(X[train], Y[train]).predict_proba(X[test])[:, 1],
                        choice=cs.ScoreDriven(),
                        costs=cs.Uniform(0, 0.2),
                    )
                    for train, test in FOLDS.split(X, Y)
                ]
            )
        )
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], -np.array(losses))
    assert search.best_index_ == np.argmin(losses)
    assert search.score(X, Y) == scorer(search.best_estimator_, X, Y)


def test_several_at_once_and_beside_scikit_learns():
    scorers = {name: scorer for name, (scorer, *_) in SCORERS.items()} | {
        "roc_auc": "roc_auc",
        "cost": cost_scorer(fp_cost=1, fn_cost=5),
    }
    scorers = {name: get_scorer(s) if isinstance(s, str) else s for name, s in scorers.items()}
    together = cross_validate(LogisticRegression(), X, Y, scoring=scorers, cv=FOLDS)
    for name, scorer in scorers.items():
        alone = cross_val_score(LogisticRegression(), X, Y, scoring=scorer, cv=FOLDS)
        np.testing.assert_array_equal(together[f"test_{name}"], alone)


@pytest.mark.parametrize("asked", [True, "its_weight", False])
def test_weights_are_routed(asked):
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        scorer = metric_scorer(metric=cs.h_measure).set_score_request(sample_weight=asked)
        other = metric_scorer(metric=cs.auc).set_score_request(sample_weight=True)
        passed = {asked if isinstance(asked, str) else "sample_weight": WEIGHT}
        for scoring in ({"h": scorer, "auc": other}, scorer)[: 2 if asked else 1]:
            found = cross_validate(model, X, Y, scoring=scoring, cv=FOLDS, params=passed)
            key = "test_score" if scoring is scorer else "test_h"
            for value, (train, test) in zip(found[key], FOLDS.split(X, Y), strict=True):
                scores = LogisticRegression().fit(X[train], Y[train]).decision_function(X[test])
                weight = WEIGHT[test] if asked else None
                assert value == pytest.approx(cs.h_measure(Y[test], scores, sample_weight=weight))


def test_weights_that_nobody_asked_for_are_an_error():
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        with pytest.raises(UnsetMetadataPassedError, match="MetricScorer"):
            cross_val_score(
                model,
                X,
                Y,
                scoring=metric_scorer(metric=cs.h_measure),
                params={"sample_weight": WEIGHT},
            )
    with pytest.raises(RuntimeError, match="set_score_request needs metadata routing: turn it on"):
        metric_scorer(metric=cs.h_measure).set_score_request(sample_weight=True)


def test_what_a_scorer_asks_for_is_not_changed_from_outside():
    scorer = metric_scorer(metric=cs.h_measure)
    scorer.get_metadata_routing().score.add_request(param="sample_weight", alias=True)
    assert scorer.get_metadata_routing().score.requests == {"sample_weight": None}


@pytest.mark.parametrize("several", [False, True])
def test_searches_with_weights_and_no_routing(several):
    scorer = metric_scorer(metric=cs.auc)
    scoring = {"auc": scorer, "h": metric_scorer(metric=cs.h_measure)} if several else scorer
    search = GridSearchCV(
        LogisticRegression(), {"C": [0.1, 1]}, scoring=scoring, cv=FOLDS, refit=False
    )
    search.fit(X, Y, sample_weight=WEIGHT)
    theirs = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring="roc_auc", cv=FOLDS)
    theirs.fit(X, Y, sample_weight=WEIGHT)
    np.testing.assert_allclose(
        search.cv_results_["mean_test_auc" if several else "mean_test_score"],
        theirs.cv_results_["mean_test_score"],
    )


@pytest.mark.parametrize("pos_label", ["yes", "no"])
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_positive_class(pos_label, method):
    named = np.where(Y == 1, "yes", "no")
    model = fitted(y=named)
    scorer = expected_loss_scorer(
        choice=cs.Optimal(), costs=RANGE, pos_label=pos_label, response_method=method
    )
    scores = scores_by(model, method)
    if pos_label == "no":
        scores = model.predict_proba(X)[:, 0] if method == "predict_proba" else -scores
    expected = cs.expected_loss(
        named, scores, choice=cs.Optimal(), costs=RANGE, pos_label=pos_label
    )
    assert -scorer(model, X, named) == pytest.approx(expected)
    cost = cost_scorer(fp_cost=1, fn_cost=7, pos_label=pos_label)(model, X, named)
    wrong = model.predict(X) != named
    per_row = np.where(named == pos_label, 7, 1)
    assert -cost == pytest.approx(np.mean(wrong * per_row))


def test_a_label_of_no_class_is_refused():
    with refused(cs.LabelError, "pos_label=2 is not a class"):
        metric_scorer(metric=cs.h_measure, pos_label=2)(fitted(), X, Y)
    with pytest.raises(ValueError, match="pos_label=2"):
        cost_scorer(fp_cost=1, fn_cost=1, pos_label=2)(fitted(), X, Y)


def copies(scorer):
    search = clone(GridSearchCV(LogisticRegression(), {}, scoring=scorer))
    return pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer), search.scoring


@pytest.mark.parametrize("scorer", [scorer for scorer, *_ in SCORERS.values()], ids=repr)
def test_copies_score_alike(scorer):
    for other in copies(scorer):
        assert repr(other) == repr(scorer)
        assert other(fitted(), X, Y) == scorer(fitted(), X, Y)


def test_copies_keep_what_is_asked_for():
    with sklearn.config_context(enable_metadata_routing=True):
        ours = metric_scorer(metric=cs.h_measure).set_score_request(sample_weight="w")
        for scorer in (ours, cost_scorer().set_score_request(fp_cost="w", fn_cost=True)):
            for other in copies(scorer):
                asked = other.get_metadata_routing().score.requests
                assert asked == scorer.get_metadata_routing().score.requests
                assert "w" in asked.values()


def test_repr_is_the_call():
    for scorer in (
        expected_loss_scorer(choice=cs.RateDriven(), costs=cs.Beta(2, 3), pos_label="yes"),
        metric_scorer(metric=cs.h_measure),
        metric_scorer(metric=partial(cs.voros, high=0.5), response_method="predict_proba"),
        money_scorer(conditions=cs.Deployment(1, 2, 0.1)),
    ):
        names = {name: getattr(cs, name) for name in cs.__all__} | {
            made.__name__: made
            for made in (expected_loss_scorer, metric_scorer, money_scorer, partial)
        }
        assert repr(eval(repr(scorer), names)) == repr(scorer)
    assert repr(metric_scorer(metric=cs.h_measure)) == "metric_scorer(metric=h_measure)"
    assert (
        repr(metric_scorer(metric=partial(cs.auc, prevalence=0.1)))
        == "metric_scorer(metric=partial(auc, prevalence=0.1))"
    )


@pytest.mark.parametrize(
    "scorer",
    [metric_scorer(metric=cs.h_measure), cost_scorer(fp_cost=1, fn_cost=2)],
    ids=["h", "cost"],
)
def test_folds_of_one_class(scorer):
    with refused(cs.LabelError, "is not among the labels: 0"):
        scorer(fitted(), X, np.zeros(len(Y), dtype=int))
    folds = [(np.arange(len(Y)), np.flatnonzero(Y == 0)), (np.arange(len(Y)), np.arange(len(Y)))]
    with pytest.warns(UserWarning, match=r"Scoring failed[\s\S]*LabelError"):
        found = cross_val_score(LogisticRegression(), X, Y, scoring=scorer, cv=folds)
    assert np.isnan(found).tolist() == [True, False]


SCORE_BASED = {
    "driven": cs.ScoreDriven(),
    "uniform": cs.ScoreUniform(),
    "fixed": cs.ScoreFixed(0.5),
    "fitted": cs.Fitted(cs.Optimal(), cs.ScoreTable.from_predictions([0, 1, 0, 1], [0, 1, 2, 3])),
}


@pytest.mark.parametrize("choice", SCORE_BASED)
def test_without_probabilities_score_based_choices_say_what_to_do(choice):
    svm = fitted(LinearSVC())
    for scorer in (
        expected_loss_scorer(choice=SCORE_BASED[choice]),
        money_scorer(conditions=KNOWN, choice=SCORE_BASED[choice]),
    ):
        with refused(cs.ScoreError, "LinearSVC does not have: wrap it in CalibratedClassifierCV"):
            scorer(svm, X, Y)
        assert np.isfinite(scorer(fitted(CalibratedClassifierCV(LinearSVC())), X, Y))


def test_without_probabilities_ranks_will_do():
    svm = fitted(LinearSVC())
    error = scipy_error()
    for choice in (cs.Optimal(), cs.RateDriven(), cs.NoisyCondition(cs.Optimal(), error)):
        expected = cs.expected_loss(Y, svm.decision_function(X), choice=choice)
        assert expected_loss_scorer(choice=choice)(svm, X, Y) == -expected
    with refused(cs.ScoreError, "needs predict_proba"):
        expected_loss_scorer(choice=cs.NoisyCondition(cs.ScoreDriven(), error))(svm, X, Y)


def scipy_error():
    from scipy.stats import norm

    return norm(0, 0.1)


def test_scores_on_request():
    svm = fitted(LinearSVC())
    at_zero = {"choice": cs.ScoreFixed(0), "response_method": "decision_function"}
    assert -expected_loss_scorer(**at_zero)(svm, X, Y) == pytest.approx(1 - svm.score(X, Y))
    with refused(cs.ScoreError, "the score-driven choice"):
        expected_loss_scorer(choice=cs.ScoreDriven(), response_method="decision_function")(
            svm, X, Y
        )
    with refused(cs.ScoreError, "needs predict_proba, which LinearSVC does not have"):
        metric_scorer(metric=cs.auc, response_method="predict_proba")(svm, X, Y)
    with refused(cs.ScoreError, "response_method must be 'auto'"):
        metric_scorer(metric=cs.h_measure, response_method="predict")


def test_probabilities_rank_where_there_are_no_decision_values():
    model = fitted(GaussianNB())
    assert metric_scorer(metric=cs.h_measure)(model, X, Y) == cs.h_measure(
        Y, model.predict_proba(X)[:, 1]
    )


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array"])
def test_sparse_rows(kind):
    rows = getattr(scipy.sparse, kind)(X)
    found = cross_val_score(
        LogisticRegression(), rows, Y, scoring=metric_scorer(metric=cs.h_measure), cv=FOLDS
    )
    dense = cross_val_score(
        LogisticRegression(), X, Y, scoring=metric_scorer(metric=cs.h_measure), cv=FOLDS
    )
    np.testing.assert_allclose(found, dense)


def test_data_frames_in_pipelines():
    frame, labels = pd.DataFrame(X).add_prefix("x"), pd.Series(Y == 1, index=range(1000, 1240))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    for scorer in (metric_scorer(metric=cs.h_measure), cost_scorer(fp_cost=1, fn_cost=3)):
        found = cross_val_score(model, frame, labels, scoring=scorer, cv=FOLDS)
        np.testing.assert_allclose(found, cross_val_score(model, X, Y, scoring=scorer, cv=FOLDS))


def test_three_classes_are_refused():
    three = np.arange(len(Y)) % 3
    model = fitted(y=three)
    with refused(cs.LabelError, "Only binary classification is supported: there are 3 classes"):
        metric_scorer(metric=cs.h_measure)(model, X, three)
    with refused(cs.LabelError, "Only binary classification is supported: there are 3 classes"):
        cost_scorer(fp_cost=1, fn_cost=1)(model, X, three)


def test_what_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError):
        metric_scorer(metric=cs.h_measure)(LogisticRegression(), X, Y)


@pytest.mark.parametrize(
    ("made", "error", "text"),
    [
        (lambda: expected_loss_scorer(choice="optimal"), cs.ConditionError, "choice must be"),
        (lambda: expected_loss_scorer(choice=cs.Optimal(), axis="x"), cs.ConditionError, "axis"),
        (lambda: expected_loss_scorer(choice=cs.Optimal(), costs=1), cs.ConditionError, "got 1"),
        (
            lambda: metric_scorer(metric=partial(cs.h_measure, prevalence=0)),
            cs.ConditionError,
            "prevalence must be in",
        ),
        (
            lambda: metric_scorer(metric=partial(cs.voros, low=0.5, high=0.5)),
            cs.ConditionError,
            "low must be below high",
        ),
        (
            lambda: money_scorer(conditions=0.5),
            cs.ConditionError,
            "conditions must be a Deployment",
        ),
        (
            lambda: metric_scorer(metric="auc"),
            cs.ConditionError,
            "metric must be a function of costspace",
        ),
        (lambda: metric_scorer(metric=["auc"]), cs.ConditionError, "metric must be a function of"),
        (
            lambda: metric_scorer(metric=cs.roc_surface),
            cs.ConditionError,
            "make_scorer of scikit-learn",
        ),
        (lambda: cost_scorer(fp_cost=[1, 2]), cs.ConditionError, "fp_cost must be a number"),
        (lambda: cost_scorer(fp_cost=1, fn_cost=0), cs.ConditionError, "fn_cost must be above"),
        (lambda: cost_scorer(prevalence=1), cs.ConditionError, "prevalence must be in (0, 1)"),
    ],
)
def test_wrong_parameters_are_told_before_a_search(made, error, text):
    with refused(error, text):
        made()


def test_parameters_that_a_metric_does_not_take():
    with pytest.raises(TypeError, match="threshold"):
        metric_scorer(metric=partial(cs.auc, threshold=0.5))


COSTS = {"fp_cost": 2.0, "fn_cost": 9.0, "tp_cost": -1.0, "tn_cost": 0.5}


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_cost_is_the_mean_over_the_rows(prevalence):
    model = fitted()
    cost = {(0, 1): 2.0, (1, 0): 9.0, (1, 1): -1.0, (0, 0): 0.5}
    each = np.array([cost[pair] for pair in zip(Y, model.predict(X), strict=True)])
    weight = WEIGHT
    if prevalence is not None:
        share = np.average(Y, weights=WEIGHT)
        weight = WEIGHT * np.where(Y, prevalence / share, (1 - prevalence) / (1 - share))
    scorer = cost_scorer(**COSTS, prevalence=prevalence)
    found = scorer(model, X, Y, sample_weight=WEIGHT)
    assert -found == pytest.approx(np.average(each, weights=weight))


def test_costs_that_nobody_knows():
    for given, missing in (({}, "fp_cost"), ({"fp_cost": 1}, "fn_cost")):
        with refused(cs.ConditionError, f"cost_scorer does not know {missing}: give it a number"):
            cost_scorer(**given)(fitted(), X, Y)


def test_costs_of_rows_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = cost_scorer(fp_cost=2).set_score_request(fn_cost=True)
        found = cross_val_score(
            LogisticRegression(), X, Y, scoring=scorer, cv=FOLDS, params={"fn_cost": FN_COST}
        )
    expected = []
    for train, test in FOLDS.split(X, Y):
        flagged = LogisticRegression().fit(X[train], Y[train]).predict(X[test])
        expected.append(np.mean(np.where(Y[test], FN_COST[test] * (1 - flagged), 2 * flagged)))
    np.testing.assert_allclose(-found, expected)


def test_thresholds_are_tuned_by_cost():
    scorer = cost_scorer(**COSTS)
    tuned = TunedThresholdClassifierCV(
        fitted(), scoring=scorer, cv="prefit", refit=False, thresholds=50, store_cv_results=True
    ).fit(X, Y)
    scores = tuned.estimator_.predict_proba(X)[:, 1]
    costs = [
        cs.expected_cost(Y, scores >= threshold, threshold=0.5, **COSTS)
        for threshold in tuned.cv_results_["thresholds"]
    ]
    np.testing.assert_allclose(tuned.cv_results_["scores"], -np.array(costs))
    assert tuned.best_score_ == pytest.approx(-min(costs))
    assert -scorer(tuned, X, Y) == pytest.approx(min(costs))


def test_thresholds_are_tuned_by_costs_of_rows():
    named = np.where(Y == 1, "bad", "good")
    costs = {"fp_cost": FP_COST, "fn_cost": FN_COST}
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = cost_scorer(pos_label="bad").set_score_request(fp_cost=True, fn_cost=True)
        tuned = TunedThresholdClassifierCV(
            fitted(y=named), scoring=scorer, cv="prefit", refit=False, store_cv_results=True
        ).fit(X, named, **costs)
    scores = tuned.estimator_.predict_proba(X)[:, 0]
    expected = [
        np.mean(np.where(Y == 1, FN_COST * (scores < t), FP_COST * (scores >= t)))
        for t in tuned.cv_results_["thresholds"]
    ]
    np.testing.assert_allclose(tuned.cv_results_["scores"], -np.array(expected))


def test_decisions_of_a_class_that_was_not_seen():
    with refused(cs.LabelError, "there are 3 classes"):
        decision_cost([0, 1, 1], [0, 1, 2], fp_cost=1, fn_cost=1)


SCORERS_BY_CALL = {
    "expected loss": partial(
        expected_loss_scorer, choice=cs.Optimal(), costs=cs.Uniform(0.05, 0.2)
    ),
    "H measure": partial(metric_scorer, metric=cs.h_measure),
    "VOROS": partial(metric_scorer, metric=cs.voros),
    "money": partial(money_scorer, conditions=cs.Deployment(1, 5, 0.1)),
    "AUC": partial(metric_scorer, metric=cs.auc),
    "costs": partial(cost_scorer, fp_cost=1, fn_cost=5),
}
WORDS = np.where(Y == 1, "ill", "healthy")


@pytest.mark.parametrize("name", SCORERS_BY_CALL)
def test_scorers_ask_which_word_is_positive(name):
    make = SCORERS_BY_CALL[name]
    model = LogisticRegression().fit(X, WORDS)
    with refused(cs.LabelError, "the classes are 'healthy' and 'ill': say which is the positive"):
        make()(model, X, WORDS)
    numbers = make()(LogisticRegression().fit(X, Y), X, Y)
    assert make(pos_label="ill")(model, X, WORDS) == pytest.approx(numbers)


def test_scorers_say_nothing_of_what_scores_look_like() -> None:
    tree, fixed = DecisionTreeClassifier(random_state=0), cs.ScoreFixed()
    margins = expected_loss_scorer(choice=fixed, response_method="decision_function")
    with warnings.catch_warnings():
        warnings.simplefilter("error", cs.DataWarning)
        found = cross_val_score(tree, X, Y, scoring=metric_scorer(metric=cs.auc), cv=FOLDS)
        cross_val_score(LinearSVC(), X, Y, scoring=margins, cv=FOLDS)
    assert np.all(found > 0.5)
