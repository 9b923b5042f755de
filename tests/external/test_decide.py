"""Decisions on real models' scores, against trying every threshold at every condition."""

from typing import Any

import numpy as np
import pytest
from brute_force_decision import Sample, conditions_of, mean_money

import costspace as cs

FP, FN = [1.0, 1.7031], [2.0307, 9.0711, 40.113]
PREVALENCES = [0.0511, 0.2071, 0.4117]
CALIBRATED_TO = 0.3
CHOICES = {
    "score_fixed": cs.ScoreFixed(0.5),
    "score_driven": cs.ScoreDriven(CALIBRATED_TO),
    "optimal": cs.Optimal(),
}


@pytest.mark.parametrize("data", ["cancer", "digits", "wine"])
def test_decision_on_other_rows(scored: dict[tuple[str, str], Any], data: str) -> None:
    models = {model: of for (name, model), of in scored.items() if name == data}
    y = next(iter(models.values())).y
    first = np.random.default_rng(0).permutation(len(y)) < len(y) // 2
    known = cs.Deployment(cs.Drawn(FP), cs.Drawn(FN), cs.Drawn(PREVALENCES))
    decision = cs.decide(
        y[first],
        {name: of.s[first] for name, of in models.items()},
        conditions=known,
        validation=(y[~first], {name: of.s[~first] for name, of in models.items()}),
        calibrated_to=CALIBRATED_TO,
        known=["costs", "prevalence"],
        choices=CHOICES,
    )

    conditions = conditions_of(FP, FN, PREVALENCES)
    held_out = {
        (None, "flag_nobody"): mean_money(conditions, lambda _: (0, 1)),
        (None, "flag_everybody"): mean_money(conditions, lambda _: (1, 0)),
    }
    for name, of in models.items():
        train, test = Sample(of.y[first], of.s[first]), Sample(of.y[~first], of.s[~first])
        found = {
            fit.strategy.name: fit for fit in decision.fits if fit.strategy.model in (name, None)
        }
        for method in CHOICES:
            expected = mean_money(
                conditions,
                lambda one, train=train, method=method: train.point(
                    train.rule(method, one, CALIBRATED_TO)
                ),
            )
            in_sample = found[method].in_sample
            assert in_sample == pytest.approx(expected, rel=1e-11, abs=1e-9), method

        def threshold(one: Any) -> float:
            odds = one.skew / (1 - one.skew) * CALIBRATED_TO / (1 - CALIBRATED_TO)
            return odds / (1 + odds)

        carried = {
            "score_fixed": lambda _, test=test: test.rate_at(0.5),
            "score_driven": lambda one, test=test: test.rate_at(threshold(one)),
            "optimal": lambda one, train=train, test=test: train.carried(train.best_cut(one), test),
        }
        for method, point_at in carried.items():
            held_out[name, method] = mean_money(conditions, point_at)
            money = found[method].money
            assert money == pytest.approx(held_out[name, method], rel=1e-11, abs=1e-9), method

    # What costs least on the other rows is recommended.
    recommended = decision.recommendation
    chosen = min(held_out, key=lambda one: held_out[one])
    assert (recommended.model, recommended.choice) == chosen
    expected = held_out[chosen] + decision.evidence.margin
    assert recommended.money == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("limits", [{"capacity": 0.2}, {"min_precision": 0.6, "min_npv": 0.7}])
@pytest.mark.parametrize("data", ["cancer", "wine"])
def test_constrained_optimum(
    scored: dict[tuple[str, str], Any], data: str, limits: dict[str, float]
) -> None:
    conditions = conditions_of(FP, FN, PREVALENCES)
    known = cs.Deployment(cs.Drawn(FP), cs.Drawn(FN), cs.Drawn(PREVALENCES))
    of = scored[data, "logistic"]
    sample = Sample(of.y, of.s)
    decision = cs.decide(
        of.y,
        of.s,
        conditions=known,
        constraints=cs.Constraints(**limits),
        known=["costs", "prevalence"],
        choices={"optimal": cs.Optimal()},
        randomise=True,
    )
    rules = {
        one: sample.best_within((1 - one.p) * one.a, one.p * one.b, limits, [one.p])
        for one in conditions
    }
    expected = mean_money(conditions, lambda one: sample.point(rules[one]))
    found = next(fit.in_sample for fit in decision.fits if fit.strategy.name == "optimal")
    assert found == pytest.approx(expected, rel=1e-8)
