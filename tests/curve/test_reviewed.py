"""Loss curves where cases may be reviewed: by definition, under densities, and on average."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside
from refusals import refused
from scipy.integrate import quad
from scipy.stats import beta

import costspace as cs
from costspace import ConditionError
from costspace.curve import PiecewiseQuadratic, SmoothCurve, with_review
from costspace.curve.reviewed import along

# The ten rows of the documentation.
Y, S = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]


def under(curve: cs.LossCurve, density, extra: tuple[float, ...] = ()) -> float:
    """The mean of a curve under a density, piece by piece between its breaks and some others."""
    at = np.unique([*curve.breaks, *extra])
    return sum(
        quad(lambda x: curve(x) * density(x), low, high, epsabs=1e-15, epsrel=1e-13)[0]
        for low, high in pairwise(at)
    )


@pytest.mark.parametrize(
    ("choice", "expected"),
    [(cs.ScoreDriven(), 0.116), (cs.RateDriven(), 217 / 1500), (cs.Optimal(), 11 / 135)],
)
def test_worked_figures(choice: cs.ThresholdChoice, expected: float) -> None:
    curve = cs.loss_curve(Y, S, choice=choice)
    found = with_review(curve, relative_cost=0.5)
    assert found.expectation(cs.Uniform()) == pytest.approx(expected, abs=1e-13)
    degree = SmoothCurve if choice == cs.RateDriven() else PiecewiseQuadratic
    assert isinstance(found, degree)


def test_the_worked_figure_over_all_costs_of_a_review() -> None:
    curve = with_review(cs.loss_curve(Y, S, choice=cs.ScoreDriven()))
    assert curve.expectation(cs.Uniform()) == pytest.approx(0.1052635704, abs=5e-11)


@pytest.mark.parametrize("method", CHOICES)
@given(st.data(), st.floats(0.01, 1))
def test_it_is_the_definition_for_every_choice(method: str, data, kappa: float) -> None:
    case = CHOICES[method]
    curve = cs.loss_curve(fit_for(case, data).table, choice=case.choice)
    found = with_review(curve, relative_cost=kappa)
    c = inside(found.breaks)
    for at, q in ((found, curve), (found.left, curve.left)):
        close(at(c), (1 - c) * q(kappa * c) + c * q(1 - kappa * (1 - c)), 1e-11)


@given(ANY)
def test_at_the_cost_from_which_on_it_is_not_worth_it_the_curve_is_the_old_one(
    sample: Predictions,
) -> None:
    curve = cs.loss_curve(sample.table, choice=cs.Optimal())
    found = with_review(curve, relative_cost=1.0)
    at = np.append(curve.breaks, inside(curve.breaks))
    close(found(at), curve(at), 1e-14)
    close(found.left(at), curve.left(at), 1e-14)


@pytest.mark.parametrize("kappa", [0.1, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()])
def test_its_mean_is_that_of_the_curve_under_a_density(choice, kappa: float) -> None:
    curve = cs.loss_curve(Y, S, choice=choice)

    def density(x: float) -> float:
        return (max(1 - x / kappa, 0) + max(1 - (1 - x) / kappa, 0)) / kappa

    found = with_review(curve, relative_cost=kappa).expectation(cs.Uniform())
    assert found == pytest.approx(under(curve, density, (kappa, 1 - kappa)), abs=1e-12)


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()])
def test_over_all_costs_of_a_review_the_density_is_a_logarithm(choice) -> None:
    curve = cs.loss_curve(Y, S, choice=choice)
    mean = with_review(curve)
    expected = under(curve, lambda x: -np.log(x) - np.log1p(-x) - 1)
    assert mean.expectation(cs.Uniform()) == pytest.approx(expected, abs=2e-12)
    # At equal costs each condition is equally likely: the Brier score and its like once more.
    assert mean(0.5) == pytest.approx(curve.expectation(cs.Uniform()), abs=1e-14)
    for c in (0.0, 0.03, 0.35, 0.6, 1.0):
        known = quad(
            lambda k, c=c: (1 - c) * curve(k * c) + c * curve(1 - k * (1 - c)),
            *(0, 1),
            limit=2000,
            epsabs=1e-6,
        )[0]
        assert mean(c) == pytest.approx(known, abs=1e-5)
    assert (mean.left(0.0), mean.left(1.0)) == (curve.left(0.0), curve.left(1.0))


def test_of_densities() -> None:
    curve = cs.loss_curve(cs.AnalyticScores(beta(2, 4), beta(4, 2), 0.4), choice=cs.ScoreDriven())
    c, kappa = np.linspace(0, 1, 101), 0.6
    expected = (1 - c) * curve(kappa * c) + c * curve(1 - kappa * (1 - c))
    close(with_review(curve, relative_cost=kappa)(c), expected, 1e-11)
    mean = curve.expectation(cs.Uniform())
    assert with_review(curve)(0.5) == pytest.approx(mean, abs=1e-11)


@given(ANY, st.sampled_from([(0.0, 1.0), (1.0, 0.0), (0.2, 0.7), (0.9, 0.1), (0.35, 0.35)]))
def test_along_a_line_it_is_the_curve(sample: Predictions, ends: tuple[float, float]) -> None:
    curve = cs.loss_curve(sample.table, choice=cs.Optimal())
    found = along(curve, *ends)
    t = inside(found.breaks)
    close(found(t), curve(ends[0] + t * (ends[1] - ends[0])), 1e-12)
    assert found(1.0) == pytest.approx(curve(ends[1]), abs=1e-14)


@pytest.mark.parametrize("bad", [0, -0.1, 1.2, "half", None])
def test_refusals(bad: object) -> None:
    curve = cs.loss_curve(Y, S, choice=cs.Optimal())
    if bad is None:
        with refused(ConditionError, "curve must be a loss curve"):
            with_review(bad)  # type: ignore[arg-type]
    else:
        with refused(ConditionError, "relative_cost must be"):
            with_review(curve, relative_cost=bad)  # type: ignore[arg-type]
