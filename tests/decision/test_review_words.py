"""A rule in use in the words of its actions."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from command_line import as_json
from prediction_files import write_csv
from refusals import refused

import costspace as cs

RNG = np.random.default_rng(5)
Y = (RNG.random(200) < 0.25).astype(int)
S = np.round(1 / (1 + np.exp(-(1.8 * Y + RNG.normal(size=200) - 1.5))), 2)
PLACE = (S > 0.2).astype(int) + (S > 0.6)
PLAIN = np.array(["pass", "review", "flag"])[PLACE]
NAMES = ("approve", "check", "decline")
ASKED: dict[str, Any] = {"fp_cost": 20, "fn_cost": 100, "review": cs.Review(cost=4)}


def money(baseline: Any, actions: Any = None) -> float:
    found = cs.decide(Y, {"m": S}, baseline=baseline, actions=actions, **ASKED)
    (own,) = (one.money for one in found.fits if one.strategy.name == "baseline")
    return own


def test_plain_words_and_those_of_the_decision() -> None:
    by_hand = money(PLACE / 2)
    assert money(PLAIN, NAMES) == money(np.array(NAMES)[PLACE], NAMES) == by_hand
    # Names that are other actions' words would be read one way or the other.
    for names in (("flag", "review", "pass"), ("approve", "flag", "decline")):
        with refused(cs.ConditionError, "which is another of them"):
            money(PLAIN, names)
    mixed = np.where(PLAIN == "flag", "decline", PLAIN)
    with refused(cs.ConditionError, "baseline must be decisions, approve, check, decline or 0"):
        money(mixed, NAMES)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_plain_words_in_a_file(ending: str, tmp_path: Any, capsys: Any) -> None:
    for words in (PLAIN, np.array(NAMES)[PLACE]):
        path, columns = tmp_path / f"rows.{ending}", {"y": Y, "m": S, "used": words}
        if ending == "csv":
            write_csv(path, columns)
        else:
            pd.DataFrame(columns).to_parquet(path)
        asked = ("--label", "y", "--score", "m", "--fp-cost", 20, "--fn-cost", 100)
        review = ("--review-cost", 4, "--baseline", "used", "--actions", ",".join(NAMES))
        found = as_json(capsys, "decide", path, *asked, *review)
        assert found["baseline"]["cost_per_1000"] == pytest.approx(money(PLACE / 2))
