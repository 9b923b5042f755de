"""Comparing models by money where cases may be reviewed."""

from typing import Any

import numpy as np
import pytest
from command_line import as_json, run
from prediction_files import write_csv

import costspace as cs

RNG = np.random.default_rng(0)
Y = np.tile([0, 0, 1, 0, 1], 60)
GOOD = Y + RNG.normal(size=300)
LUCK = RNG.normal(size=300)
COSTS = ("--fp-cost", 20, "--fn-cost", 30)


def compared(scores: dict[str, Any], review: cs.Review | None) -> Any:
    return cs.compare_money(Y, scores, fp_cost=20, fn_cost=30, review=review)


def test_reviewing_everybody_needs_no_model() -> None:
    found = compared({"a": 0.5 * (LUCK > 0), "b": 0.5 * (LUCK[::-1] > 0)}, cs.Review(cost=2))
    costs = {one.strategy.name: one.money for one in found.trivial}
    assert costs["review_everybody"] == pytest.approx(2000)
    assert [*costs] == ["flag_nobody", "flag_everybody", "review_everybody"]
    told = "Reviewing everybody costs 2,000 per 1,000 cases, and no model costs less."
    assert told in [*found.remarks()]


def test_what_reviews_save_and_how_many_are_reviewed(tmp_path, capsys) -> None:
    scores = {"good": GOOD, "luck": LUCK}
    decision = cs.decide(Y, scores, fp_cost=20, fn_cost=30, review=cs.Review(cost=4))
    found = compared(scores, cs.Review(cost=4))
    (told,) = [one for one in found.remarks() if one.startswith("Reviews save")]
    assert told in decision.recommendation.text
    shares = [one["reviewed_share"] for one in found.to_dict()["strategies"]]
    own = [decision.outcomes(one.strategy).reviewed.value / 1000 for one in found.strategies]
    assert shares == own
    assert 0.1 < shares[0] <= 1
    path = write_csv(tmp_path / "u.csv", {"y": Y, **scores})
    asked = (path, "--label", "y", "--score", "good", "--score", "luck", *COSTS)
    page = run(capsys, "compare", *asked, "--review-cost", 4)
    assert "reviewed cost per 1,000" in " ".join(page.split())
    assert any("100 %" in row and "exact" in row for row in page.splitlines())
    assert told in " ".join(page.split())
    report = as_json(capsys, "compare", *asked, "--review-cost", 4)
    assert [one["reviewed_share"] for one in report["strategies"]] == pytest.approx(shares)
    assert "reviewed" not in run(capsys, "compare", *asked)
    assert "reviewed_share" not in compared(scores, None).to_dict()["strategies"][0]
