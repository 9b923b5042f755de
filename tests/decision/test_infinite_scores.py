"""Scores of -inf and inf are like any other: what is said of money is what rules do."""

import numpy as np
import pytest

import costspace as cs

Y = np.tile([0, 1], 50)
FINITE = np.random.default_rng(0).random(100)
MISSED = cs.Deployment(1, 1000, 0.5)
SAMPLES = {
    "positives at -inf": np.where((Y == 1) & (FINITE < 0.35), -np.inf, FINITE),
    "negatives at -inf": np.where(Y == 0, -np.inf, FINITE),
    "some of both at -inf": np.where(FINITE < 0.3, -np.inf, FINITE + 0.3 * Y),
    "positives at inf": np.where(Y == 1, np.inf, FINITE),
    "nothing between": np.where(Y == 1, np.inf, -np.inf),
    "turned round": np.where(Y == 0, np.inf, -np.inf),
}
pytestmark = pytest.mark.filterwarnings("ignore::costspace.errors.DataWarning")


def money_of(flagged, known):
    fpr, fnr = flagged[Y == 0].mean(), 1 - flagged[Y == 1].mean()
    return 1000 * (known.negative_stake * fpr + known.positive_stake * fnr)


def test_flag_everybody_flags_them():
    s = SAMPLES["positives at -inf"]
    decision = cs.decide(Y, {"m": s}, conditions=MISSED)
    assert decision.recommendation.money == pytest.approx(500)
    assert decision.recommendation.rule == cs.Rule(-np.inf)
    assert decision.outcomes().true_positives.value == 500
    assert decision.recommendation.rule.flagged(s).tolist() == [1] * 100


@pytest.mark.parametrize("case", SAMPLES)
@pytest.mark.parametrize("known", [MISSED, cs.Deployment(1, 3.07, 0.21)], ids=str)
@pytest.mark.parametrize("limits", [cs.Constraints(), cs.Constraints(capacity=0.3)], ids=str)
def test_money_is_what_the_rules_do_row_by_row(case, known, limits):
    s = SAMPLES[case]
    decision = cs.decide(
        *(Y, {"m": s}),
        conditions=known,
        constraints=limits,
        choices=[cs.Optimal(), cs.Smoothed(), cs.RateDriven(), cs.ScoreFixed()],
        randomise=True,
    )
    for fit in decision.fits:
        if fit.strategy.model is None or fit.money is None:
            continue
        flagged = np.zeros(100)
        for part, rules in zip(decision.task.judged.parts, fit.parts[0], strict=True):
            flagged[part] += rules.rules_at(0.5).one.flagged(s[part]) / 10
        assert fit.money == pytest.approx(money_of(flagged, known), rel=1e-11, abs=1e-9), str(
            fit.strategy
        )
        np.testing.assert_allclose(fit.flagged, flagged, atol=1e-12)
        own = money_of(fit.rule.flagged(s), known)
        if fit.strategy.name != "rate_driven":
            assert fit.in_sample == pytest.approx(own, rel=1e-11, abs=1e-9), str(fit.strategy)


@pytest.mark.parametrize("case", ["negatives at -inf", "nothing between"])
def test_a_threshold_tells_them_from_finite_scores(case):
    s = SAMPLES[case]
    decision = cs.decide(Y, {"m": s}, conditions=MISSED, choices=[cs.Optimal()])
    assert decision.recommendation.money == 0
    assert decision.recommendation.rule.flagged(s).tolist() == Y.tolist()
    range_of = cs.Deployment(1, (2, 20), (0.05, 0.4))
    over = cs.decide(Y, {"m": s}, conditions=range_of, choices=[cs.Optimal()])
    assert over.recommendation.money == 0


def test_they_carry_over_to_other_rows():
    train, test = SAMPLES["negatives at -inf"], np.where(FINITE < 0.5, -np.inf, FINITE)
    decision = cs.decide(
        *(Y, {"m": train}),
        conditions=MISSED,
        validation=(Y, {"m": test}),
        choices=[cs.Optimal()],
    )
    own = next(one for one in decision.strategies if one.strategy.name == "optimal")
    assert own.money == pytest.approx(money_of(np.isfinite(test).astype(float), MISSED), rel=1e-12)
