"""Where each case's own costs set its threshold."""

from io import StringIO
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import costspace as cs
from costspace.cli.decision_details import print_details

RNG = np.random.default_rng(11)
N = 400
Y = (RNG.random(N) < 0.3).astype(int)
S = np.clip(0.3 + 0.25 * Y + 0.2 * RNG.normal(size=N), 0.01, 0.99)
AMOUNT = RNG.lognormal(3, 1, N)
COSTS = cs.CaseCosts(fp_cost=15 + 0.2 * AMOUNT, fn_cost=15 + AMOUNT, tp_cost=4)
ADVICE = "It ranks by score, whatever a case costs: a column of score times cost"


def by_hand(score: np.ndarray) -> float:
    """What 1,000 cases cost, each flagged where its expected cost is less so."""
    flagged = score > COSTS.net_fp_cost / (COSTS.net_fp_cost + COSTS.net_fn_cost)
    return 1000 * float(np.mean(COSTS.of_flags(flagged, Y == 1)))


def test_costs_on_the_rows_that_thresholds_were_chosen_on() -> None:
    worse = np.clip(S**2, 0, 1)
    decision = cs.decide(Y, {"m": S, "worse": worse}, case_costs=COSTS)
    for name, score in (("m", S), ("worse", worse)):
        own = next(fit for fit in decision.fits if str(fit.strategy) == f"{name}, score_driven")
        # No fold chooses otherwise.
        assert [own.money, own.in_sample] == pytest.approx([by_hand(score)] * 2, rel=1e-12)


THRESHOLDS = COSTS.net_fp_cost / (COSTS.net_fp_cost + COSTS.net_fn_cost)
STAKES = {
    "score times cost": S * COSTS.fn_cost,
    "score times amount": S * AMOUNT,
    "score times net cost": S * COSTS.net_fn_cost,
    "expected gain": S * COSTS.net_fn_cost - (1 - S) * COSTS.net_fp_cost,
    "score times amount, at most 1": S * AMOUNT / AMOUNT.max(),
    "score less the threshold of its case": S - THRESHOLDS,
    "score over the threshold of its case": S / THRESHOLDS,
}
OTHERS = {
    "score": S,
    "half the score": S / 2,
    "log-odds": np.log(S / (1 - S)),
    "percentages": 100 * S,
    "thousands": 1000 * S,
    "points": 300 + 500 * S,
}


@pytest.mark.parametrize("name", [*STAKES, *OTHERS])
def test_advice_to_rank_by_what_is_at_stake(name: str) -> None:
    given: dict[str, Any] = {"case_costs": COSTS, "choices": [cs.RateFixed(0.3)]}
    found = cs.decide(Y, {"m": {**STAKES, **OTHERS}[name]}, **given).recommendation
    assert found.model == "m"
    assert (ADVICE in found.text) == (name in OTHERS)


@pytest.mark.parametrize("name", STAKES)
def test_whoever_ranks_by_what_is_at_stake_is_not_advised_to_do_so_or_to_calibrate(
    name: str,
) -> None:
    limits = cs.Constraints(capacity=0.2)
    for scores in ({"m": STAKES[name]}, {"m": STAKES[name], "s": S}):
        for more in ({}, {"constraints": limits}):
            found = cs.decide(Y, scores, case_costs=COSTS, **more)
            assert "a column of score times cost" not in found.recommendation.text
            assert "alibrate" not in found.recommendation.text
            if len(scores) == 1:
                printed = StringIO()
                print_details(found, Console(file=printed, width=200))
                assert "alibrate" not in printed.getvalue().replace("scores are calibrated to", "")


@pytest.mark.parametrize(
    ("score", "amount", "told"),
    [
        (S * AMOUNT * 80 / np.max(S * AMOUNT), AMOUNT * 80 / np.max(S * AMOUNT), "times what"),
        (100 * S, 100 + AMOUNT, "may be percentages"),
    ],
)
def test_scores_up_to_100_are_at_stake_or_percentages(
    score: np.ndarray, amount: np.ndarray, told: str
) -> None:
    costs = cs.CaseCosts(fp_cost=np.mean(amount) / 10, fn_cost=amount)
    found = cs.decide(Y, {"m": score}, case_costs=costs).recommendation
    assert [one for one in ("times what", "may be percentages") if one in found.text] == [told]


def test_thresholds_that_go_by_the_costs_of_each_case_are_advised_to_take_the_score_alone() -> None:
    advice = "Give the score alone: thresholds go by each case's costs."
    given: dict[str, Any] = {"case_costs": COSTS}
    stake = cs.decide(Y, {"m": S * AMOUNT}, **given)
    assert advice in stake.recommendation.text
    alone = cs.decide(Y, {"m": S}, **given)
    assert advice not in alone.recommendation.text
    assert alone.recommendation.money < stake.recommendation.money
    # One threshold for all cases needs what is at stake.
    given["constraints"] = cs.Constraints(capacity=0.2)
    assert advice not in cs.decide(Y, {"m": S * AMOUNT}, **given).recommendation.text
