"""What holds of both classifiers, of whatever they are made: fitting, routing, wrong use."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from classifying import rows
from refusals import refused
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import costspace as cs
from costspace import ConditionError, InfeasibleError, LabelError, ScoreError, WeightError
from costspace.sklearn import HybridClassifier, ThresholdChoiceClassifier

X, Y = rows()
LOGISTIC = LogisticRegression()
CONDITIONS = (0.01, 0.2, 0.5, 0.77, 0.99)
WORDS = np.array(["healthy", "ill"])[Y]
ASKED = "the classes are 'healthy' and 'ill': say which is the positive one with pos_label."
Made = Callable[..., Any]


def hybrid(estimator: Any, **more: Any) -> HybridClassifier:
    """Of one classifier."""
    return HybridClassifier([("own", estimator)], **more)


each = pytest.mark.parametrize("made", [ThresholdChoiceClassifier, hybrid])


# --- Weights, groups, routing ------------------------------------------------------------------


@each
def test_a_classifier_that_takes_no_weights(made: Made) -> None:
    with refused(WeightError, "KNeighborsClassifier.fit takes no sample_weight: call"):
        made(KNeighborsClassifier()).fit(X, Y, sample_weight=np.ones(len(Y)))


@each
def test_groups_go_to_the_splitter(made: Made) -> None:
    groups = np.arange(len(Y)) // 9
    model = made(LOGISTIC, choice=cs.Optimal(), cv=GroupKFold(5))
    with refused(ConditionError, "fit passes 'groups' on only with metadata routing: call"):
        model.fit(X, Y, groups=groups)
    with config_context(enable_metadata_routing=True):
        fitted = model.fit(X, Y, groups=groups)
        with pytest.raises(TypeError, match="groups"):
            made(LOGISTIC).fit(X, Y, groups=groups)
    cv = list(GroupKFold(5).split(X, Y, groups))
    scores = cross_val_predict(LOGISTIC, X, Y, cv=cv, method="predict_proba")[:, 1]
    tables = getattr(fitted, "score_tables_", None) or {"own": fitted.score_table_}
    assert cs.brier_score(tables["own"]) == pytest.approx(cs.brier_score(Y, scores), rel=1e-14)


@each
def test_costs_of_each_row_reach_it_through_a_pipeline(made: Made) -> None:
    fn = np.random.default_rng(2).lognormal(1, 1, len(X))
    scaled = StandardScaler().fit_transform(X)
    plain = made(LOGISTIC).fit(scaled, Y)
    expected = plain.predict(scaled, fp_cost=1, fn_cost=fn)
    off = make_pipeline(StandardScaler(), made(LOGISTIC)).fit(X, Y)
    np.testing.assert_array_equal(off.predict(X, fp_cost=1, fn_cost=fn), expected)
    assert not np.array_equal(off.predict(X), expected)
    with config_context(enable_metadata_routing=True):
        decides = made(LOGISTIC)
        decides.set_predict_request(fp_cost=True, fn_cost=True, prevalence="base_rate")
        on = make_pipeline(StandardScaler(), decides).fit(X, Y)
        np.testing.assert_array_equal(on.predict(X, fp_cost=1, fn_cost=fn), expected)
        found = on.predict(X, fp_cost=1, fn_cost=fn, base_rate=0.05)
        shifted = plain.predict(scaled, fp_cost=1, fn_cost=fn, prevalence=0.05)
        np.testing.assert_array_equal(found, shifted)
        with pytest.raises(UnsetMetadataPassedError, match="cost_proportion"):
            on.predict(X, cost_proportion=0.2)


# --- Their life in scikit-learn ----------------------------------------------------------------

PAIRS = [("logistic", LOGISTIC), ("bayes", GaussianNB())]
EVERY = [
    ThresholdChoiceClassifier(LOGISTIC, prevalence=0.2),
    ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal(), cv=3, fp_cost=1, fn_cost=9),
    ThresholdChoiceClassifier(LinearSVC(), choice=cs.RateDriven(), random_state=0),
    ThresholdChoiceClassifier(
        LOGISTIC, choice=cs.Optimal(), constraints=cs.Constraints(capacity=0.1), random_state=0
    ),
    *(
        HybridClassifier(PAIRS, choice=choice, cv=3, random_state=0)
        for choice in (None, cs.Optimal(), cs.RateDriven())
    ),
]


@pytest.mark.parametrize("model", EVERY, ids=range(len(EVERY)))
def test_clones_and_pickles(model: Any, tmp_path: Path) -> None:
    fitted = clone(model).fit(X, Y)
    copy = clone(fitted)
    assert repr(copy) == repr(model)
    with pytest.raises(NotFittedError):
        copy.predict(X)
    # After a prediction, too, when it remembers more.
    fitted.predict(X)
    joblib.dump(fitted, tmp_path / "model")
    for again in (
        pickle.loads(pickle.dumps(fitted)),
        joblib.load(tmp_path / "model"),
        copy.fit(X, Y),
    ):
        for c in (*CONDITIONS, np.linspace(0, 1, len(X))):
            found = again.predict(X, cost_proportion=c)
            np.testing.assert_array_equal(found, fitted.predict(X, cost_proportion=c))
        for c in CONDITIONS:
            assert again.rule_at(c, prevalence=0.1) == fitted.rule_at(c, prevalence=0.1)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize(
    "model",
    [
        ThresholdChoiceClassifier(LOGISTIC, choice=cs.Optimal()),
        HybridClassifier([PAIRS[0], ("knn", KNeighborsClassifier())], choice=cs.Optimal()),
    ],
)
def test_sparse_rows(model: Any, kind: Any) -> None:
    c = np.linspace(0.05, 0.95, len(X))
    found = clone(model).fit(kind(X), Y).predict(kind(X), cost_proportion=c)
    np.testing.assert_array_equal(found, clone(model).fit(X, Y).predict(X, cost_proportion=c))


@each
@pytest.mark.parametrize("choice", [None, cs.Optimal()], ids=str)
def test_classifiers_fitted_on_other_classes(made: Made, choice: cs.ThresholdChoice | None) -> None:
    names = LogisticRegression().fit(X, np.array(["n", "y"])[Y])
    said = "LogisticRegression was fitted on the classes ['n', 'y'], and y has [0, 1]"
    with refused(LabelError, said):
        made(names, choice=choice, cv="prefit").fit(X, Y)
    three = LogisticRegression().fit(X, np.where(np.arange(90) < 9, 2, Y))
    with refused(LabelError, "was fitted on the classes [0, 1, 2], and y has [0, 1]"):
        made(FrozenEstimator(three), choice=choice).fit(X, Y)


# --- The positive class ------------------------------------------------------------------------


@each
@pytest.mark.parametrize(
    "given",
    [
        *({"choice": cs.Optimal()}, {"constraints": cs.Constraints(capacity=0.3)}),
        *({"cost_proportion": 0.1}, {"fp_cost": 1, "fn_cost": 9}, {"prevalence": 0.1}),
    ],
)
def test_words_and_costs_need_a_positive_class(made: Made, given: Any) -> None:
    with refused(LabelError, ASKED):
        made(LOGISTIC, **given).fit(X, WORDS)
    named = made(LOGISTIC, pos_label="ill", random_state=0, **given).fit(X, WORDS)
    numbers = made(LOGISTIC, random_state=0, **given).fit(X, Y)
    np.testing.assert_array_equal(named.predict(X) == "ill", numbers.predict(X) == 1)


@each
def test_labels_in_words_need_no_positive_class_without_a_condition(made: Made) -> None:
    fitted = made(LOGISTIC).fit(X, WORDS)
    plain = LOGISTIC.fit(X, WORDS).predict(X)
    np.testing.assert_array_equal(fitted.predict(X), plain)
    for positive in ("healthy", "ill"):
        named = made(LOGISTIC, pos_label=positive).fit(X, WORDS)
        np.testing.assert_array_equal(named.predict(X), plain)
    asked: list[dict[str, Any]] = [
        *({"fp_cost": 1, "fn_cost": 9}, {"cost_proportion": 0.1}, {"prevalence": 0.1}),
        {"cost_proportion": np.full(len(X), 0.5)},
    ]
    for condition in asked:
        with refused(LabelError, ASKED):
            fitted.predict(X, **condition)
    with refused(LabelError, ASKED):
        fitted.rule_at(fp_cost=1, fn_cost=9)


@each
@pytest.mark.parametrize(
    ("y", "positive"),
    [
        (np.array(["spam", "zebra"])[1 - Y], "spam"),
        (Y == 0, False),
    ],
    ids=["words", "truth values"],
)
@pytest.mark.parametrize(
    ("estimator", "choice"),
    [
        *((LOGISTIC, choice) for choice in (None, cs.Optimal(), cs.RateDriven())),
        *((LinearSVC(), choice) for choice in (cs.Optimal(), cs.RateDriven())),
    ],
    ids=str,
)
def test_the_first_class_as_the_positive_one(
    made: Made, y: np.ndarray, positive: Any, estimator: Any, choice: cs.ThresholdChoice | None
) -> None:
    fitted = made(estimator, choice=choice, pos_label=positive, random_state=0).fit(X, y)
    assert fitted.positive_ == positive
    assert fitted.prevalence_ == Y.mean()
    # The same rows, with the classes in the other order.
    other = made(estimator, choice=choice, random_state=0).fit(X, Y)
    for c in CONDITIONS:
        found = fitted.predict(X, cost_proportion=c)
        assert found.dtype == y.dtype
        np.testing.assert_array_equal(found == positive, other.predict(X, cost_proportion=c))
        rule, expected = (model.rule_at(c, prevalence=0.1) for model in (fitted, other))
        assert rule.thresholds[0] == pytest.approx(expected.thresholds[0], rel=1e-6)


# --- Wrong use ---------------------------------------------------------------------------------


@each
def test_before_it_is_fitted(made: Made) -> None:
    model = made(LOGISTIC)
    asked = [model.rule_at, lambda: model.predict(X)]
    asked += [getattr(model, name) for name in ("threshold_at", "model_at") if hasattr(model, name)]
    for ask in asked:
        with pytest.raises(NotFittedError, match=f"This {type(model).__name__} instance is not"):
            ask()
    # A fit that fails is none.
    for y in (Y, ["a"] * 90):
        with pytest.raises(ValueError, match="class"):
            model.set_params(pos_label=7).fit(X, y)
        with pytest.raises(NotFittedError):
            model.predict(X)


@each
def test_constraints_that_nothing_keeps_to(made: Made) -> None:
    limits = cs.Constraints(capacity=0, min_recall=0.9)
    with refused(InfeasibleError, "recall at least 90 %"):
        made(LOGISTIC, constraints=limits).fit(X, Y)


@each
@pytest.mark.parametrize("choice", [cs.RateUniform(), cs.ScoreUniform()], ids=str)
def test_choices_without_a_threshold(made: Made, choice: cs.ThresholdChoice) -> None:
    with refused(ConditionError, "has no threshold of its own at each condition"):
        made(LOGISTIC, choice=choice).fit(X, Y)


@each
@pytest.mark.parametrize(
    ("parameters", "error", "text"),
    [
        ({"choice": "optimal"}, ConditionError, "choice must be a threshold choice method such"),
        ({"constraints": 0.3}, ConditionError, "constraints must be Constraints, got 0.3."),
        (
            {"constraints": cs.Constraints(capacity=0.3, review_capacity=0.01)},
            ConditionError,
            "these rules flag or pass: decide with review=Review(...), and give the result as",
        ),
        ({"cost_proportion": 2}, ConditionError, "cost_proportion must be in [0, 1], got 2."),
        ({"fn_cost": 1}, ConditionError, "fn_cost is given without fp_cost"),
        ({"fp_cost": 0, "fn_cost": 1}, ConditionError, "fp_cost must be positive and finite"),
        ({"prevalence": [0.1, 0.2]}, ConditionError, "prevalence must be one number here"),
        ({"response_method": "predict"}, ScoreError, "response_method must be 'auto', "),
        ({"response_method": "decision_function"}, ScoreError, "needs predict_proba, got resp"),
        ({"pos_label": 7}, LabelError, "pos_label=7 is not a class: they are [0, 1]"),
        ({"cv": "fitted"}, ConditionError, "cv must be a number, a splitter or 'prefit'"),
        ({"cv": 1.5}, ConditionError, "cv as a share to hold out must be in (0, 1)"),
        (
            {"refit": False, "choice": cs.Optimal()},
            ConditionError,
            "refit=False needs a single split, got 5",
        ),
    ],
)
def test_wrong_parameters(made: Made, parameters: dict[str, Any], error: Any, text: str) -> None:
    with refused(error, text):
        made(LOGISTIC).set_params(**parameters).fit(X, Y)


@each
@pytest.mark.parametrize(
    "estimator", [LinearRegression(), LinearSVC()], ids=lambda own: type(own).__name__
)
def test_a_classifier_that_gives_no_probabilities(made: Made, estimator: Any) -> None:
    said = f"needs predict_proba, which {type(estimator).__name__} does not have"
    with refused(ScoreError, said):
        made(estimator).fit(X, Y)


@each
@pytest.mark.parametrize(
    ("y", "text"),
    [
        (np.resize([0, 1, 2], 90), "The type of the target is multiclass."),
        (np.zeros(90), "there are 1 classes"),
        (np.linspace(0, 1, 90), "The type of the target is continuous."),
    ],
)
def test_labels_that_are_not_of_two_classes(made: Made, y: np.ndarray, text: str) -> None:
    with refused(LabelError, text):
        made(LOGISTIC).fit(X, y)


@each
@pytest.mark.parametrize(
    ("weight", "error", "text"),
    [
        ([1, 2], WeightError, "sample_weight has 2 values for 90 labels"),
        (-np.ones(90), WeightError, "sample_weight must be non-negative and finite"),
        (np.full(90, np.nan), WeightError, "sample_weight must be non-negative and finite"),
        (Y, LabelError, "sample_weight: every negative row has weight zero"),
    ],
)
def test_wrong_weights(made: Made, weight: Any, error: Any, text: str) -> None:
    with refused(error, text):
        made(LOGISTIC).fit(X, Y, sample_weight=weight)


@each
@pytest.mark.parametrize("choice", [None, cs.Optimal()], ids=str)
@pytest.mark.parametrize(
    ("asked", "text"),
    [
        # What else there can be wrong is in test_condition.py.
        ({"fp_cost": 1, "fn_cost": np.ones(91)}, "fn_cost must be one number, or one for each of"),
        ({"prevalence": np.where(Y, np.nan, 0.5)}, "prevalence must be in [0, 1]"),
        ({"cost_proportion": 0.3, "fn_cost": 1}, "cost_proportion and fn_cost are both given"),
    ],
)
def test_wrong_conditions(
    made: Made, choice: cs.ThresholdChoice | None, asked: dict[str, Any], text: str
) -> None:
    fitted = made(LOGISTIC, choice=choice).fit(X, Y)
    with refused(ConditionError, text):
        fitted.predict(X, **asked)


@each
def test_one_condition_only(made: Made) -> None:
    fitted = made(LOGISTIC).fit(X, Y)
    for name in ("rule_at", "model_at"):
        if hasattr(fitted, name):
            text = "cost_proportion must be one number here, got shape (2,)."
            with refused(ConditionError, text):
                getattr(fitted, name)([0.1, 0.2])


@each
def test_its_members_can_be_listed(made: Made) -> None:
    """As editors complete them: scikit-learn asks for each."""
    assert {"predict", "score"} <= {*dir(made(LOGISTIC))} & {*dir(made(LOGISTIC).fit(X, Y))}
