"""Displays of scores: their arrays, their labels, where they come from, and what they refuse."""

import inspect
import subprocess
import sys
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pictures import written
from refusals import refused
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import costspace as cs
from costspace.sklearn import (
    CostSpaceDisplay,
    DualSpaceDisplay,
    GainDisplay,
    LossCurveDisplay,
    RocSpaceDisplay,
)

mpl.use("Agg")

X, Y = load_breast_cancer(return_X_y=True)
X_TRAIN, Y_TRAIN, X_TEST, Y_TEST = X[::2], Y[::2], X[1::2], Y[1::2]
BAYES = GaussianNB().fit(X_TRAIN, Y_TRAIN)
SVC = make_pipeline(StandardScaler(), LinearSVC(random_state=0)).fit(X_TRAIN, Y_TRAIN)
SCORES = BAYES.predict_proba(X_TEST)[:, 1]
WEIGHT = np.random.default_rng(0).uniform(0.5, 2, len(Y_TEST))
RESULTS = cross_validate(GaussianNB(), X, Y, cv=3, return_estimator=True, return_indices=True)
THREE = [cs.Optimal(), cs.ScoreDriven(), cs.RateDriven()]

OF_SCORES = [LossCurveDisplay, RocSpaceDisplay, CostSpaceDisplay, DualSpaceDisplay]
every = pytest.mark.parametrize("display", [*OF_SCORES, GainDisplay])
each = pytest.mark.parametrize("display", OF_SCORES)


def axes(found: Any) -> list[Any]:
    return list(np.ravel(np.asarray(found.ax_, dtype=object)))


def same(first: Any, second: Any) -> bool:
    a, b = first.columns(), second.columns()
    assert a.keys() == b.keys()
    return all(np.array_equal(a[key], b[key]) for key in a)


def test_importing_the_package_does_not_load_matplotlib() -> None:
    code = "import sys, costspace.sklearn; print('matplotlib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_without_matplotlib_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; from costspace.sklearn import *; "
        "CostSpaceDisplay.from_predictions([0, 1], [0.2, 0.7])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "plots need matplotlib: pip install 'costspace[plots]'." in run.stderr


@every
def test_drawn_on_one_new_figure_that_is_not_shown(
    display: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plt, "show", lambda: pytest.fail("shown"))
    found = display.from_estimator(BAYES, X_TEST, Y_TEST)
    assert plt.get_fignums() == [found.figure_.number]
    found.figure_.canvas.draw()
    assert repr(found).startswith(display.__name__)
    columns = found.columns()
    assert len({len(column) for column in columns.values()}) == 1


@every
def test_drawn_on_given_axes_again_and_again(display: Any) -> None:
    figure, pair = plt.subplots(1, 2)
    ax = pair if display is DualSpaceDisplay else pair[0]
    found = display.from_estimator(BAYES, X_TEST, Y_TEST, ax=ax)
    assert found.figure_ is figure
    assert axes(found) == list(np.ravel(ax))
    assert found.plot(despine=True) is found
    assert found.figure_ is not figure
    for one in axes(found):
        assert not one.spines["top"].get_visible()
        assert not one.spines["right"].get_visible()


@every
def test_what_is_no_axes(display: Any) -> None:
    word = "ax must be two matplotlib Axes" if display is DualSpaceDisplay else "ax must be matplot"
    for ax in (3, plt.figure(), plt.subplots(1, 3)[1]):
        with refused(cs.ConditionError, word):
            display.from_estimator(BAYES, X_TEST, Y_TEST, ax=ax)
    if display is DualSpaceDisplay:
        with refused(cs.ConditionError, "ax must be matplotlib Axes"):
            display.from_estimator(BAYES, X_TEST, Y_TEST, ax=(3, 4))
        with refused(cs.ConditionError, word):
            display.from_estimator(BAYES, X_TEST, Y_TEST, ax=plt.gca())


@each
def test_names_may_be_numbers(display: Any) -> None:
    found = display.from_estimator(BAYES, X_TEST, Y_TEST, choices={1: cs.Optimal()}, name=0)
    for one in axes(found):
        assert any(text.startswith("0, 1") for text in written(one))


@every
def test_estimators_and_predictions_are_one(display: Any) -> None:
    first = display.from_estimator(BAYES, X_TEST, Y_TEST, sample_weight=WEIGHT)
    second = display.from_predictions(Y_TEST, SCORES, sample_weight=WEIGHT)
    assert same(first, second)
    assert not same(first, display.from_predictions(Y_TEST, SCORES))


@every
def test_the_positive_class(display: Any) -> None:
    other = display.from_estimator(BAYES, X_TEST, Y_TEST, pos_label=0)
    scores = BAYES.predict_proba(X_TEST)[:, 0]
    assert same(other, display.from_predictions(Y_TEST == 0, scores))
    words = np.where(Y_TRAIN == 1, "yes", "no")
    told = GaussianNB().fit(X_TRAIN, words)
    answers = np.where(Y_TEST == 1, "yes", "no")
    assert same(
        display.from_estimator(told, X_TEST, answers, pos_label="yes"),
        display.from_estimator(BAYES, X_TEST, Y_TEST),
    )
    with refused(cs.LabelError, "the classes are 'no' and 'yes': say which is the positive one"):
        display.from_estimator(told, X_TEST, answers)
    with refused(cs.LabelError, "pos_label='maybe' is not a class"):
        display.from_estimator(told, X_TEST, answers, pos_label="maybe")


@every
def test_decision_values_will_do_where_thresholds_are_chosen(display: Any) -> None:
    found = display.from_estimator(SVC, X_TEST, Y_TEST)
    scores = SVC.decision_function(X_TEST)
    assert same(found, display.from_predictions(Y_TEST, scores))


@each
def test_choices_that_trust_scores_need_probabilities(display: Any) -> None:
    with refused(cs.ScoreError, "needs predict_proba, which Pipeline does not have"):
        display.from_estimator(SVC, X_TEST, Y_TEST, choices=[cs.Optimal(), cs.ScoreDriven()])
    with refused(cs.ScoreError, "response_method must be"):
        display.from_estimator(BAYES, X_TEST, Y_TEST, response_method="predict")
    forced = display.from_estimator(
        LogisticRegression(max_iter=5000).fit(X_TRAIN, Y_TRAIN),
        X_TEST,
        Y_TEST,
        response_method="decision_function",
    )
    assert forced.columns()
    assert len(plt.get_fignums()) == 1


@every
def test_wrong_estimators(display: Any) -> None:
    with pytest.raises(NotFittedError):
        display.from_estimator(GaussianNB(), X_TEST, Y_TEST)
    with refused(cs.ScoreError, "which LinearRegression does not have"):
        display.from_estimator(LinearRegression().fit(X_TRAIN, Y_TRAIN), X_TEST, Y_TEST)
    three = GaussianNB().fit(X_TRAIN, np.arange(len(Y_TRAIN)) % 3)
    with refused(cs.LabelError, "Only binary classification is supported"):
        display.from_estimator(three, X_TEST, Y_TEST)


@every
def test_cross_validation_results_must_tell_classifiers_and_rows(display: Any) -> None:
    without = cross_validate(GaussianNB(), X, Y, cv=3, return_estimator=True)
    with refused(cs.ConditionError, "return_indices=True"):
        display.from_cv_results(without, X, Y)
    for nothing in ({}, None):
        with refused(cs.ConditionError, "return_indices=True"):
            display.from_cv_results(nothing, X, Y)
    with refused(cs.ConditionError, "was cross-validated, but only 300 rows are given: give all"):
        display.from_cv_results(RESULTS, X[:300], Y[:300])


@pytest.mark.parametrize(
    "display", [LossCurveDisplay, RocSpaceDisplay, CostSpaceDisplay, GainDisplay]
)
def test_folds_are_thin_and_one_entry_of_the_legend(display: Any) -> None:
    found = display.from_cv_results(RESULTS, X, Y)
    folds = [a for name, a in found.display_.artists.items() if "fold " in name]
    assert len(folds) == 3
    assert {line.get_linewidth() for line in folds} == {0.7}
    assert {line.get_color() for line in folds} == {found.line_.get_color()}
    assert sum(text == "each of 3 folds" for text in written(found.ax_)) == 1
    assert not any(text.startswith("_") for text in written(found.ax_))


def test_the_curve_of_folds_is_their_mean() -> None:
    found = LossCurveDisplay.from_cv_results(RESULTS, X, Y, choices=THREE)
    c = np.linspace(0.05, 0.95, 19)
    for choice, label in zip(THREE, ("optimal", "score-driven", "rate-driven"), strict=True):
        each_fold = []
        for estimator, test in zip(RESULTS["estimator"], RESULTS["indices"]["test"], strict=True):
            scores = estimator.predict_proba(X[test])[:, 1]
            each_fold.append(cs.loss_curve(Y[test], scores, choice=choice)(c))
        assert_allclose(found.curves[label](c), np.mean(each_fold, axis=0), atol=1e-12)
        assert_allclose([curve(c) for curve in found.fold_curves[label]], each_fold)


def test_spaces_of_folds_pool_their_rows() -> None:
    scores = np.empty(len(Y))
    for estimator, test in zip(RESULTS["estimator"], RESULTS["indices"]["test"], strict=True):
        scores[test] = estimator.predict_proba(X[test])[:, 1]
    roc = RocSpaceDisplay.from_cv_results(RESULTS, X, Y)
    assert_allclose(roc.auc, cs.auc(Y, scores))
    cost = CostSpaceDisplay.from_cv_results(RESULTS, X, Y)
    assert same(cost, CostSpaceDisplay.from_predictions(Y, scores))


def test_loss_curves() -> None:
    found = LossCurveDisplay.from_estimator(
        BAYES, X_TEST, Y_TEST, choices=THREE, costs=cs.Uniform(0, 0.5), prevalence=0.3
    )
    assert list(found.curves) == ["optimal", "score-driven", "rate-driven"]
    expected = []
    for choice, (label, curve), line in zip(THREE, found.curves.items(), found.line_, strict=True):
        own = cs.loss_curve(Y_TEST, SCORES, choice=choice, prevalence=0.3)
        assert_array_equal(curve.piecewise().breaks, own.piecewise().breaks)
        loss = own.expectation(cs.Uniform(0, 0.5))
        assert found.expected_losses_[label] == loss
        expected.append(f"GaussianNB, {label} (expected loss {loss:.3g})")
        x, y = (np.asarray(part) for part in line.get_data())
        lifted = np.isnan(x)
        x, y = x[~lifted], y[~lifted]
        assert np.minimum(abs(own(x) - y), abs(own.piecewise().left(x) - y)).max() < 1e-9
    assert written(found.ax_) == expected
    columns = found.columns()
    assert set(columns["choice"]) == set(found.curves)
    assert set(columns["fold"]) == {0}


def test_one_curve_is_one_line() -> None:
    found = LossCurveDisplay.from_predictions(Y_TEST, SCORES, name="mine")
    assert isinstance(found.line_, mpl.lines.Line2D)
    assert written(found.ax_)[0].startswith("mine, optimal (expected loss 0.0")
    found = LossCurveDisplay.from_predictions(Y_TEST, SCORES, choices={"best": cs.Optimal()})
    assert written(found.ax_)[0].startswith("best (")
    found.plot(name="yours")
    assert written(found.ax_)[0].startswith("yours, best (")


def test_classifiers_on_the_same_axes_look_different() -> None:
    first = LossCurveDisplay.from_estimator(BAYES, X_TEST, Y_TEST)
    second = LossCurveDisplay.from_estimator(SVC, X_TEST, Y_TEST, ax=first.ax_)
    assert first.line_.get_color() != second.line_.get_color()
    assert len(written(second.ax_)) == 2


def test_the_trivial_rules_lines_and_envelope() -> None:
    found = LossCurveDisplay.from_predictions(
        Y_TEST,
        SCORES,
        choices=cs.ScoreDriven(),
        plot_lines=True,
        plot_envelope=True,
        plot_chance_level=True,
        chance_level_kw={"color": "red"},
    )
    artists = found.display_.artists
    assert list(artists) == [
        *("cost lines", "score-driven", "lower envelope", "flag everybody", "flag nobody")
    ]
    assert artists["flag nobody"].get_color() == artists["flag everybody"].get_color() == "red"
    share = Y_TEST.mean()
    assert_allclose(artists["flag nobody"].get_ydata(), [2 * share, 0], atol=1e-12)
    c = np.linspace(0, 1, 11)
    best = cs.loss_curve(Y_TEST, SCORES, choice=cs.Optimal())
    assert_allclose(found.envelope(c), best(c), atol=1e-12)
    assert_allclose(found.lines(c).min(axis=0), best(c), atol=1e-12)


def test_bands_are_there_for_choices_that_have_one() -> None:
    found = LossCurveDisplay.from_predictions(
        Y_TEST, SCORES, choices=THREE, level=0.9, sample_weight=WEIGHT
    )
    assert list(found.bands_) == ["optimal", "score-driven"]
    own = cs.loss_band(Y_TEST, SCORES, choice=cs.ScoreDriven(), level=0.9, sample_weight=WEIGHT)
    assert found.bands_["score-driven"].high(0.3) == own.high(0.3)
    assert "simultaneous 90 % band" in written(found.ax_)
    assert found.plot(level=0.8).bands_["optimal"].level == 0.8
    assert found.plot().bands_ == {}
    with refused(cs.ConditionError, "level"):
        LossCurveDisplay.from_predictions(Y_TEST, SCORES, level=2)
    with refused(cs.ConditionError, "bands need a single sample"):
        LossCurveDisplay.from_cv_results(RESULTS, X, Y, level=0.9)


def test_curve_kwargs_for_all_or_for_each() -> None:
    found = LossCurveDisplay.from_predictions(Y_TEST, SCORES, choices=THREE, curve_kwargs={"lw": 4})
    assert [line.get_linewidth() for line in found.line_] == [4, 4, 4]
    found.plot(curve_kwargs=[{"c": "red"}, {}, {"label": "mine"}])
    assert found.line_[0].get_color() == "red"
    assert written(found.ax_)[2] == "mine"
    with refused(cs.ConditionError, "a list of one for each of 3 curves, got 1"):
        found.plot(curve_kwargs=[{}])


def test_choices_are_choices() -> None:
    with refused(cs.ConditionError, "choices must be threshold choice methods"):
        LossCurveDisplay.from_predictions(Y_TEST, SCORES, choices=["optimal"])
    with refused(cs.ConditionError, "methods such as Optimal(), got 'optimal'."):
        LossCurveDisplay.from_predictions(Y_TEST, SCORES, choices="optimal")
    # A generator would be used up before anything is drawn.
    for wrong in (cs.Optimal, (choice for choice in THREE)):
        with refused(cs.ConditionError, "choices must be threshold choice methods"):
            LossCurveDisplay.from_estimator(BAYES, X_TEST, Y_TEST, choices=wrong)
    with refused(cs.ConditionError, "two choices have the name optimal"):
        LossCurveDisplay.from_predictions(Y_TEST, SCORES, choices=[cs.Optimal(), cs.Optimal()])
    with refused(cs.ConditionError, "y_score is missing"):
        LossCurveDisplay.from_predictions(Y_TEST)


def test_roc_space() -> None:
    found = RocSpaceDisplay.from_estimator(
        BAYES,
        X_TEST,
        Y_TEST,
        choices=cs.ScoreDriven(),
        conditions=[0.2, 0.5],
        plot_chance_level=True,
    )
    assert_allclose(found.auc, roc_auc_score(Y_TEST, SCORES))
    assert written(found.ax_) == [
        "chance level",
        *(name for name in found.display_.artists if name.startswith("c = ")),
        f"GaussianNB, ROC curve (AUC {found.auc:.3g})",
        "GaussianNB, convex hull",
        "GaussianNB, score-driven",
        "at 0.2",
        "at 0.5",
    ]
    columns = found.columns()
    points = set(zip(columns["fpr"], columns["tpr"], strict=True))
    assert set(zip(*found.line_.get_data(), strict=True)) <= points
    path = cs.ScoreDriven().path(cs.ScoreTable.from_predictions(Y_TEST, SCORES))
    assert_array_equal(found.paths["score-driven"].breaks, path.breaks)
    best = cs.loss_curve(Y_TEST, SCORES, choice=cs.Optimal())
    for c, (name, line) in zip((0.2, 0.5), found.isometrics([0.2, 0.5]).items(), strict=True):
        assert name == f"c = {c:g}, loss {best(c):.3g}"
        losses = cs.condition.loss_at(line.fpr, 1 - line.tpr, c=c, prevalence=Y_TEST.mean())
        assert_allclose(losses, best(c))
    plain = found.plot(plot_hull=False, plot_isometrics=False)
    assert list(plain.display_.artists) == ["GaussianNB, ROC curve", "GaussianNB, score-driven"]


def test_roc_space_over_skew_and_at_another_prevalence() -> None:
    skew = RocSpaceDisplay.from_predictions(Y_TEST, SCORES, conditions=[0.3], axis="skew")
    cost = RocSpaceDisplay.from_predictions(Y_TEST, SCORES, prevalence=0.5)
    ((name, line),) = skew.isometrics(0.3).items()
    assert name in skew.display_.artists
    assert name.startswith("z = 0.3, loss")
    assert_allclose(line.tpr, next(iter(cost.isometrics(0.3).values())).tpr)


@pytest.mark.parametrize("axis", ["cost", "skew", "pc"])
def test_cost_space(axis: str) -> None:
    found = CostSpaceDisplay.from_predictions(
        Y_TEST, SCORES, axis=axis, choices=cs.RateDriven(), name="b", plot_operating_range=True
    )
    x = np.linspace(0.01, 0.99, 33)
    turned = 1 - x if axis == "pc" else x
    assert_allclose(found.lines(x).min(axis=0), found.envelope(turned), atol=1e-12)
    drawn_x, drawn_y = found.line_.get_data()
    assert_allclose(found.lines(drawn_x).min(axis=0), drawn_y, atol=1e-9)
    said = [label.partition(" (up to")[0] for label in written(found.ax_)]
    assert said == [
        *("cost lines", "b, lower envelope", "b, rate-driven", "flag everybody", "flag nobody"),
        "operating range",
    ]
    assert "cost lines" not in found.plot(plot_lines=False).display_.artists
    with refused(cs.ConditionError, "axis must be 'cost', 'skew' or 'pc'"):
        CostSpaceDisplay.from_predictions(Y_TEST, SCORES, axis="prevalence")


def test_gains() -> None:
    found = GainDisplay.from_estimator(BAYES, X_TEST, Y_TEST, prevalence=0.2, level=0.9)
    own = cs.metrics.gain_curve(Y_TEST, SCORES, prevalence=0.2)
    assert found.curve.area == own.area
    assert written(found.ax_) == [
        *(f"GaussianNB (area {own.area:.3g})", "at random", "perfect"),
        "simultaneous 90 % band",
    ]
    x, y = found.line_.get_data()
    assert_allclose(own(np.clip(x, 0, 1)), y, atol=1e-9)
    assert_array_equal(found.columns()["lift"], own.columns()["lift"])
    band = cs.bands.gain_band(Y_TEST, SCORES, prevalence=0.2, level=0.9)
    edge = found.display_.artists["GaussianNB, band"].get_xy()
    ends = np.stack([one(np.clip(edge[:, 0], 0, 1)) for one in (band.low, band.high)])
    assert np.abs(ends - edge[:, 1]).min(axis=0).max() < 1e-9
    lift = found.plot(kind="lift", chance_level_kw={"color": "red"})
    assert lift.display_.artists["at random"].get_color() == "red"
    assert "perfect" not in lift.display_.artists
    assert list(found.plot(plot_chance_level=False).display_.artists) == ["GaussianNB"]
    with refused(cs.ConditionError, "kind must be 'gain' or 'lift'"):
        found.plot(kind="roc")
    with refused(cs.ConditionError, "y_score is missing"):
        GainDisplay.from_predictions(Y_TEST)
    with refused(cs.ConditionError, "bands need a single sample, and folds share rows"):
        GainDisplay.from_cv_results(RESULTS, X, Y, level=0.9)


def test_both_spaces() -> None:
    found = DualSpaceDisplay.from_estimator(
        BAYES, X_TEST, Y_TEST, choices=cs.ScoreDriven(), conditions=[0.2], plot_chance_level=True
    )
    left, right = found.ax_
    assert (left.get_xlabel(), right.get_ylabel()) == ("False positive rate", "Expected loss")
    assert "chance level" in written(left)
    assert any(said.startswith("flag nobody") for said in written(right))
    assert any(list(line.get_xdata()) == [0.2, 0.2] for line in right.get_lines())
    roc, cost = found.roc_space.columns(), found.cost_space.columns()
    # A point on the left is a line on the right.
    share = Y_TEST.mean()
    assert_allclose(cost["right"], 2 * (1 - share) * roc["fpr"], atol=1e-12)
    assert_allclose(cost["left"], 2 * share * (1 - roc["tpr"]), atol=1e-12)
    # What is one choice on both sides has one colour.
    names = [
        space.display_.artists["GaussianNB, score-driven"].get_color()
        for space in (found.roc_space, found.cost_space)
    ]
    assert names[0] == names[1]
    with refused(cs.ConditionError, "ax must be two matplotlib Axes"):
        found.plot([left])
    assert len(plt.get_fignums()) == 1


def test_a_choice_has_one_colour_in_both_spaces_of_folds_too() -> None:
    choices = [cs.ScoreDriven(), cs.RateDriven()]
    found = DualSpaceDisplay.from_cv_results(RESULTS, X, Y, choices=choices)
    spaces = [space.display_.artists for space in (found.roc_space, found.cost_space)]
    colours = [
        [space[f"GaussianNB, {name}"].get_color() for name in ("score-driven", "rate-driven")]
        for space in spaces
    ]
    assert colours[0] == colours[1]
    assert len({*colours[0], found.roc_space.line_.get_color()}) == 3


def test_a_figure_is_closed_if_a_plot_fails() -> None:
    for display in (*OF_SCORES, GainDisplay):
        with pytest.raises(AttributeError, match="nonsense"):
            display.from_predictions(Y_TEST, SCORES, curve_kwargs={"nonsense": 1})
    assert plt.get_fignums() == []


@every
@pytest.mark.parametrize(
    "method", ["from_estimator", "from_predictions", "from_cv_results", "plot"]
)
def test_docstrings(display: Any, method: str) -> None:
    function = getattr(display, method)
    text = inspect.getdoc(function)
    assert text
    for section in ("Parameters", "Returns", *(("Raises",) if method != "plot" else ())):
        assert f"\n{section}\n{'-' * len(section)}\n" in text
    for parameter in inspect.signature(function).parameters:
        if parameter != "self":
            assert parameter in text, parameter


@each
def test_class_docstrings_have_examples_and_attributes(display: Any) -> None:
    text = inspect.getdoc(display)
    assert text
    for section in ("Parameters", "Attributes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text


@each
def test_a_full_grown_tree_is_told_of_its_depth(display: Any) -> None:
    tree = DecisionTreeClassifier(random_state=0).fit(X_TRAIN, Y_TRAIN)
    with pytest.warns(cs.DataWarning, match="limit its depth") as told:
        display.from_estimator(tree, X_TEST, Y_TEST)
    assert not any("predict_proba" in str(one.message) for one in told)
    with pytest.warns(cs.DataWarning, match="they look like predicted classes"):
        display.from_predictions(Y_TEST, tree.predict(X_TEST))


def test_a_band_repeats_nothing_that_the_curve_said() -> None:
    with pytest.warns(cs.DataWarning, match="may be percentages") as told:
        LossCurveDisplay.from_predictions(
            Y_TEST, 100 * SCORES, choices=[cs.ScoreFixed()], level=0.95
        )
    assert len(told) == 1
