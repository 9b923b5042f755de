"""The analytic models of the appendix: what the captions say of them, and their losses."""

import numpy as np
import pytest
from scipy.integrate import quad

import costspace as cs
from costspace.pointwise import calibration_of, refinement_of
from papers.threshold_choice.appendix_models import MODELS, polygon, uniform


@pytest.mark.parametrize(
    ("figure", "loss"),
    [
        *((5, 1 / 6), (6, 1 / 6), (7, 1 / 6), (8, 0.1025618882), (9, 0.2268317228)),
        *((11, 0.25), (12, 0.25), (13, 0.2445871881), (15, 1 / 22)),
    ],
)
def test_losses_of_convex_models(figure: int, loss: float) -> None:
    model = MODELS[figure]
    assert model.is_convex
    assert cs.expected_loss(model, choice=cs.Optimal()) == pytest.approx(loss, abs=1e-9)
    assert refinement_of(model) == pytest.approx(loss, abs=1e-9)


def test_optimal_loss_is_not_the_refinement_loss_of_a_model_that_is_not_convex() -> None:
    model = MODELS[10]
    assert not model.is_convex
    assert cs.expected_loss(model, choice=cs.Optimal()) > 0.01 + refinement_of(model)


@pytest.mark.parametrize("figure", [8, 9, 13, 14])
def test_losses_by_quadrature_of_the_least_over_all_thresholds(figure: int) -> None:
    model = MODELS[figure]
    points = model.by_score.at(np.linspace(0, 1, 20_001))
    c = (np.arange(400) + 0.5) / 400
    least = [np.min(cs.condition.loss_at(points.fpr, points.fnr, c=x, prevalence=0.5)) for x in c]
    assert cs.expected_loss(model, choice=cs.Optimal()) == pytest.approx(np.mean(least), abs=2e-6)


def test_figures_5_to_7_rank_alike() -> None:
    """c(T) is T, a parabola and a curve, and the ROC curve the same."""
    t = np.linspace(0.05, 0.95, 7)
    for figure, power in ((5, 1), (6, 2), (7, 3)):
        model = MODELS[figure]
        np.testing.assert_allclose(model.optimal_condition(t), t**power, atol=1e-12)
        points, original = model.by_score.at(t), MODELS[5].by_score.at(t**power)
        np.testing.assert_allclose(points.fpr, original.fpr, atol=1e-10)
        np.testing.assert_allclose(points.fnr, original.fnr, atol=1e-10)


def test_only_figure_5_is_calibrated() -> None:
    losses = {n: calibration_of(MODELS[n]) for n in (5, 6, 7)}
    assert losses[5] == pytest.approx(0, abs=1e-12)
    assert losses[7] > losses[6] > 0.01


def test_figure_14_has_the_conditions_of_its_caption() -> None:
    t = np.array([0, 1 / 3, 0.5, 3 / 4, 1])
    np.testing.assert_allclose(
        MODELS[14].optimal_condition(t), [0.3, 0.51, 0.51, 0.51, 1], atol=1e-12
    )


def test_figure_14_cannot_have_the_shapes_of_figure_9() -> None:
    """With f1 constant from 1/3 on, its start fixes its height, and both conditions with it."""
    f0 = 8 / 7
    start = f0 * 0.3 / 0.7
    height = (1 - start / 6) * 6 / 5
    assert quad(
        lambda t: np.interp(t, [0, 1 / 3, 1], [start, height, height]), 0, 1, points=[1 / 3]
    )[0] == pytest.approx(1)
    assert height / (f0 + height) < 0.495


def test_polygons() -> None:
    density = polygon([0, 3 / 4, 1], [3, 3, 0])
    np.testing.assert_allclose(density.pdf(np.array([0.2, 0.75, 0.875])), [8 / 7, 8 / 7, 4 / 7])
    assert quad(lambda t: float(density.pdf(np.array([t]))[0]), 0, 1, points=[0.75])[
        0
    ] == pytest.approx(1)
    np.testing.assert_allclose(uniform(0.25, 0.75).cdf(np.array([0, 0.5, 1])), [0, 0.5, 1])
