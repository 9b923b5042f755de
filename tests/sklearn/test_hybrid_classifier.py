"""Several classifiers in one, against the best of all of them and all thresholds."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from classifying import Told, least_loss, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from laws.registry import CHOICES, GRIDS, inside, predictions
from refusals import refused
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_html_repr

import costspace as cs
from costspace import ConditionError, WeightError
from costspace.sklearn import HybridClassifier, ThresholdChoiceClassifier

X, Y = rows()
MODELS = {
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
}
PAIRS = list(MODELS.items())
PREVALENCES = (0.02, 0.3, 0.9)
CONDITIONS = (0.01, 0.1, 0.3, 0.5, 0.77, 0.95)
SHUFFLED = StratifiedKFold(4, shuffle=True, random_state=0)


def second(column: int) -> FunctionTransformer:
    return FunctionTransformer(_column, kw_args={"column": column})


def _column(x: Any, column: int) -> Any:
    return x[:, [column]]


# --- What it decides ---------------------------------------------------------------------------


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_it_uses_the_best_classifier_at_the_best_of_all_thresholds(prevalence: float) -> None:
    fitted = HybridClassifier(PAIRS, choice=cs.Optimal(), cv=SHUFFLED).fit(X, Y)
    scores = {
        name: cross_val_predict(model, X, Y, cv=SHUFFLED, method="predict_proba")[:, 1]
        for name, model in PAIRS
    }
    for c in CONDITIONS:
        least = {name: least_loss(Y, s, c, prevalence) for name, s in scores.items()}
        used = fitted.model_at(c, prevalence=prevalence)
        rule = fitted.rule_at(c, prevalence=prevalence)
        flagged = rule.flagged(scores[used])
        fpr, fnr = flagged[Y == 0].mean(), 1 - flagged[Y == 1].mean()
        found = cs.condition.loss_at(fpr, fnr, c=c, prevalence=prevalence)
        assert found == pytest.approx(min(least.values()), abs=1e-15)
        own = clone(MODELS[used]).fit(X, Y).predict_proba(X)[:, 1]
        np.testing.assert_array_equal(
            fitted.predict(X, cost_proportion=c, prevalence=prevalence), rule.flagged(own)
        )


def test_another_classifier_from_one_condition_to_the_next() -> None:
    fitted = HybridClassifier(PAIRS, choice=cs.Optimal(), cv=SHUFFLED).fit(X, Y)
    assert len(set(fitted.hybrid_.models)) > 1
    c = inside(fitted.hybrid_.breaks)
    assert [fitted.model_at(at) for at in c] == fitted.hybrid_.models_at(c).tolist()


TWO = st.tuples(predictions(GRIDS, sizes=(6, 10)), st.lists(st.integers(0, 10), min_size=10))


@pytest.mark.parametrize(
    "name", ["optimal", "rate_driven", "score_driven", "score_driven_corrected", "score_fixed"]
)
@settings(max_examples=14)
@given(TWO, st.sampled_from([None, *PREVALENCES]), st.data())
def test_its_loss_is_the_least_of_all_under_any_choice(
    name: str, two: Any, prevalence: float | None, data: st.DataObject
) -> None:
    sample, other = two
    features = np.stack([sample.s, np.array(other[: len(sample)]) / 10], axis=1)
    models = [(f"m{i}", make_pipeline(second(i), Told()).fit(features, sample.y)) for i in (0, 1)]
    choice = CHOICES[name].choice
    fitted = HybridClassifier(models, choice=choice, cv="prefit").fit(features, sample.y)
    p = fitted.prevalence_ if prevalence is None else prevalence
    if choice == cs.ScoreDriven():
        choice = cs.ScoreDriven(calibrated_to=fitted.prevalence_)
    tables = [cs.ScoreTable.from_predictions(sample.y, features[:, i]) for i in (0, 1)]
    curves = [cs.loss_curve(t.with_prevalence(p), choice=choice) for t in tables]
    switching = cs.hybrid({"m0": curves[0], "m1": curves[1]})
    edges = np.concatenate([switching.breaks, *(curve.breaks for curve in curves)])
    for c in data.draw(st.lists(st.sampled_from(inside(edges).tolist()), max_size=4)):
        used = fitted.model_at(c, prevalence=prevalence)
        rule = fitted.rule_at(c, prevalence=prevalence)
        point = rule.on(tables[int(used[1])])
        found = cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=p)
        assert found == pytest.approx(min(float(curve(c)) for curve in curves), abs=1e-9)


def test_of_classifiers_that_are_as_good_the_first_is_used() -> None:
    same = [("b", GaussianNB()), ("a", GaussianNB())]
    fitted = HybridClassifier(same, choice=cs.Optimal()).fit(X, Y)
    assert set(fitted.hybrid_.models) == {"b"}


def test_of_one_classifier_it_is_that_with_its_thresholds() -> None:
    for choice in (None, cs.Optimal()):
        one = HybridClassifier([("m", GaussianNB())], choice=choice).fit(X, Y)
        other = ThresholdChoiceClassifier(GaussianNB(), choice=choice).fit(X, Y)
        for asked in ({}, {"fp_cost": 1, "fn_cost": 9}, {"prevalence": 0.05}):
            np.testing.assert_array_equal(one.predict(X, **asked), other.predict(X, **asked))
            assert one.rule_at(**asked) == other.rule_at(**asked)


@pytest.mark.parametrize("choice", [None, cs.Optimal(), cs.ScoreDriven(0.5)], ids=str)
def test_conditions_of_each_row_are_row_by_row(choice: cs.ThresholdChoice | None) -> None:
    fitted = HybridClassifier(PAIRS, choice=choice).fit(X, Y)
    rng = np.random.default_rng(5)
    asked = {
        "fp_cost": rng.lognormal(size=len(X)),
        "fn_cost": rng.lognormal(1, 2, len(X)),
        "prevalence": rng.choice(PREVALENCES, len(X)),
    }
    for names in (("fp_cost", "fn_cost"), ("prevalence",), tuple(asked)):
        given = {name: asked[name] for name in names}
        found = fitted.predict(X, **given)
        for i in range(len(X)):
            own = {name: values[i] for name, values in given.items()}
            assert found[i] == fitted.predict(X[i : i + 1], **own)[0]


def test_only_classifiers_in_use_score_the_rows() -> None:
    seen = []

    class Spying(Told):
        def predict_proba(self, X: Any) -> np.ndarray:
            seen.append((self, len(X)))
            return super().predict_proba(X)

    features = np.stack([np.linspace(0, 1, len(Y)), (Y + 0.5) / 2], axis=1)
    good, bad = (make_pipeline(second(i), Spying()).fit(features, Y) for i in (1, 0))
    fitted = HybridClassifier([("bad", bad), ("good", good)], choice=cs.Optimal(), cv="prefit")
    fitted.fit(features, Y)
    seen.clear()
    fitted.predict(features, cost_proportion=np.linspace(0.1, 0.9, len(Y)))
    assert seen == [(good[-1], len(Y))]


def test_the_usual_condition_and_its_classifier() -> None:
    usual = {"fp_cost": 1.0, "fn_cost": 40.0, "prevalence": 0.05}
    fitted = HybridClassifier(PAIRS, choice=cs.Optimal(), **usual).fit(X, Y)
    plain = HybridClassifier(PAIRS, choice=cs.Optimal()).fit(X, Y)
    np.testing.assert_array_equal(fitted.predict(X), plain.predict(X, **usual))
    assert fitted.model_at() == plain.model_at(**usual) == str(fitted.hybrid_.models_at(1 / 41))
    assert fitted.rule_at(prevalence=0.4) == plain.rule_at(fp_cost=1, fn_cost=40, prevalence=0.4)
    used = fitted.named_estimators_[fitted.model_at()]
    np.testing.assert_array_equal(fitted.predict_proba(X), used.predict_proba(X))
    assert hasattr(fitted, "decision_function") == hasattr(used, "decision_function")
    # Before it is fitted it has what all of them have.
    assert hasattr(HybridClassifier(PAIRS), "predict_proba")
    assert not hasattr(HybridClassifier(PAIRS), "decision_function")
    both = [("logistic", LogisticRegression()), ("svc", LinearSVC())]
    assert not hasattr(HybridClassifier(both), "predict_proba")
    assert hasattr(HybridClassifier(both), "decision_function")


# --- Constraints -------------------------------------------------------------------------------


@pytest.mark.parametrize("prevalence", [0.05, 0.3])
@pytest.mark.parametrize("choice", [None, cs.Optimal(), cs.RateDriven()], ids=str)
def test_constraints_are_kept_on_rows_held_out(
    choice: cs.ThresholdChoice | None, prevalence: float
) -> None:
    limits = cs.Constraints(capacity=0.08)
    fitted = HybridClassifier(PAIRS, choice=choice, constraints=limits, prevalence=prevalence)
    fitted.fit(X, Y)
    alone = {
        name: ThresholdChoiceClassifier(model, choice=choice, constraints=limits).fit(X, Y)
        for name, model in PAIRS
    }
    for c in CONDITIONS:
        for p in (prevalence, 0.2):
            rule = fitted.rule_at(c, prevalence=p)
            losses = {}
            for name, table in fitted.score_tables_.items():
                point = alone[name].rule_at(c, prevalence=p).on(table)
                losses[name] = cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=p)
            used = fitted.model_at(c, prevalence=p)
            point = rule.on(fitted.score_tables_[used])
            assert limits.holds(point, p)
            found = cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=p)
            assert found == pytest.approx(min(losses.values()), abs=1e-12)


def test_rules_that_draw_are_seeded() -> None:
    limits = cs.Constraints(capacity=0.07)
    model = HybridClassifier(
        PAIRS, choice=cs.Optimal(), constraints=limits, cv=SHUFFLED, random_state=0
    ).fit(X, Y)
    c = np.linspace(0.01, 0.9, len(X))
    assert model.rule_at(0.05).randomised
    for asked in ({}, {"cost_proportion": 0.05}, {"cost_proportion": c}):
        np.testing.assert_array_equal(model.predict(X, **asked), model.predict(X, **asked))
    tied = np.repeat(X[:1], 4000, axis=0)
    shares = {}
    for name, other in model.named_estimators_.items():
        score = other.predict_proba(X[:1])[:, 1]
        shares[name] = float(model.rule_at(0.05).flagged(score)[0])
    share = shares[model.model_at(0.05)]
    found = model.predict(tied, cost_proportion=0.05).mean()
    assert abs(found - share) <= 5 * np.sqrt(share * (1 - share) / 4000)


# --- Weights and routing -----------------------------------------------------------------------


@pytest.mark.parametrize("choice", [None, cs.Optimal()], ids=str)
def test_weights_are_as_rows_repeated(choice: cs.ThresholdChoice | None) -> None:
    counts = np.random.default_rng(0).integers(0, 4, len(Y))
    models = [(name, clone(model).fit(X, Y)) for name, model in PAIRS]
    many = np.repeat(np.arange(len(Y)), counts)
    one = HybridClassifier(models, choice=choice, cv="prefit").fit(X, Y, sample_weight=counts)
    other = HybridClassifier(models, choice=choice, cv="prefit").fit(X[many], Y[many])
    for c in CONDITIONS:
        assert one.model_at(c, prevalence=0.1) == other.model_at(c, prevalence=0.1)
        found, expected = (m.rule_at(c, prevalence=0.1).thresholds[0] for m in (one, other))
        assert found == pytest.approx(expected, rel=1e-12)


def test_weights_with_and_without_routing() -> None:
    weight = np.random.default_rng(1).random(len(Y))
    off = HybridClassifier(PAIRS, choice=cs.Optimal()).fit(X, Y, sample_weight=weight)
    with config_context(enable_metadata_routing=True):
        asking = [(n, clone(m).set_fit_request(sample_weight=True)) for n, m in PAIRS]
        on = HybridClassifier(asking, choice=cs.Optimal()).fit(X, Y, sample_weight=weight)
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            HybridClassifier(PAIRS).fit(X, Y, sample_weight=weight)
        # Some with weights, some without.
        some = [("knn", KNeighborsClassifier()), ("bayes", asking[2][1])]
        mixed = HybridClassifier(some).fit(X, Y, sample_weight=weight)
    assert on.hybrid_.models == off.hybrid_.models
    np.testing.assert_array_equal(on.hybrid_.breaks, off.hybrid_.breaks)
    expected = GaussianNB().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(mixed.named_estimators_["bayes"].theta_, expected.theta_)
    assert mixed.prevalence_ == off.prevalence_ == pytest.approx(np.average(Y, weights=weight))
    with refused(WeightError, "KNeighborsClassifier.fit takes no sample_weight: call"):
        HybridClassifier([("knn", KNeighborsClassifier())]).fit(X, Y, sample_weight=weight)


# --- Its life in scikit-learn ------------------------------------------------------------------


def test_parameters_by_name() -> None:
    model = HybridClassifier(PAIRS)
    params = model.get_params()
    assert params["logistic"] is MODELS["logistic"]
    assert params["logistic__C"] == 1
    assert params["cv"] is None
    assert "logistic" not in model.get_params(deep=False)
    other = clone(model).set_params(logistic__C=3, bayes=LinearSVC(), cv=3, bayes__C=7)
    assert [name for name, _ in other.estimators] == list(MODELS)
    found = other.get_params()
    assert (found["logistic__C"], found["bayes__C"], found["cv"]) == (3, 7, 3)
    assert MODELS["logistic"].C == 1
    assert other.set_params(estimators=[("m", GaussianNB())]).get_params()["m__var_smoothing"]
    with pytest.raises(ValueError, match="Invalid parameter 'nobody'"):
        model.set_params(nobody=3)
    for estimators in ([("a", 3)], 7, None, [LogisticRegression()]):
        assert HybridClassifier(estimators).get_params()["estimators"] == estimators


def test_shown() -> None:
    assert "logistic" in estimator_html_repr(HybridClassifier(PAIRS))
    assert "logistic" in repr(HybridClassifier(PAIRS))
    # What is wrong with it is told by fit, and not by a notebook that shows it.
    for wrong in ([], "ab", [("a", 3)], [*PAIRS, *PAIRS]):
        assert "HybridClassifier" in estimator_html_repr(HybridClassifier(wrong))


def test_searches() -> None:
    pairs = PAIRS[1:]
    grid = {"logistic__C": [1e-3, 1], "choice": [cs.ScoreDriven(), cs.Optimal()]}
    search = GridSearchCV(HybridClassifier(pairs, cv=3), grid, cv=3).fit(X, Y)
    best = search.best_estimator_.named_estimators_["logistic"].C
    assert best == search.best_params_["logistic__C"]
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_frames_and_lists() -> None:
    c = np.linspace(0.05, 0.95, len(X))
    pairs = [("logistic", LogisticRegression()), ("knn", KNeighborsClassifier())]
    model = HybridClassifier(pairs, choice=cs.Optimal())
    expected = clone(model).fit(X, Y).predict(X, cost_proportion=c)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    framed = clone(model).fit(frame, pd.Series(Y))
    assert framed.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(framed.predict(frame, cost_proportion=pd.Series(c)), expected)
    listed = clone(model).fit(X.tolist(), Y.tolist()).predict(X.tolist(), cost_proportion=list(c))
    np.testing.assert_array_equal(listed, expected)


def test_splits_of_all_kinds() -> None:
    single = HybridClassifier(PAIRS, cv=0.3, refit=False, random_state=1).fit(X, Y)
    table = next(iter(single.score_tables_.values()))
    assert table.prevalence == pytest.approx(8 / 27)
    again = clone(single).set_params(refit=True).fit(X, Y)
    assert again.hybrid_.models == single.hybrid_.models
    several = HybridClassifier(PAIRS, choice=cs.Optimal(), cv=SHUFFLED.split(X, Y)).fit(X, Y)
    with parallel_config(backend="threading"):
        same = HybridClassifier(PAIRS, choice=cs.Optimal(), cv=SHUFFLED, n_jobs=2).fit(X, Y)
    assert several.hybrid_.models == same.hybrid_.models
    np.testing.assert_array_equal(several.hybrid_.breaks, same.hybrid_.breaks)


# --- Wrong use ---------------------------------------------------------------------------------


NAMED = "estimators must be pairs of different names and classifiers, at least one, got"


@pytest.mark.parametrize(
    "estimators",
    [
        None,
        [],
        7,
        "ab",
        [LogisticRegression()],
        [("a", LogisticRegression()), ("a", GaussianNB())],
        [(1, LogisticRegression())],
        [("a", 3)],
        [("a", "drop")],
        {"a": LogisticRegression()},
    ],
)
def test_what_is_no_list_of_classifiers(estimators: Any) -> None:
    with refused(ConditionError, NAMED):
        HybridClassifier(estimators).fit(X, Y)


@pytest.mark.parametrize("name", ["cv", "estimators", "a__b", "splitter", "method_mapping", "self"])
def test_names_that_are_taken(name: str) -> None:
    with refused(ConditionError, f"{name!r} cannot name a classifier here: use another name."):
        HybridClassifier([(name, LogisticRegression())]).fit(X, Y)
