"""What speaks against a rule in use that reviews."""

import numpy as np
import pytest

import costspace as cs

RNG = np.random.default_rng(3)
Y = (RNG.random(400) < 0.3).astype(int)
S = np.clip(np.round(0.3 + 0.3 * Y + 0.15 * RNG.normal(size=400), 1), 0, 1)
WITH = "is it meant so?"


def told(*cuts: float) -> str:
    known = {"fp_cost": 20, "fn_cost": 100, "review": cs.Review(cost=3)}
    return " ".join(cs.decide(Y, {"m": S}, baseline=("m", *cuts), **known).recommendation.told)


def tied(cut: float) -> str:
    return f"above {cut:g}, not at {cut:g} ({100 * np.mean(cut == S):.3g} % of the rows)"


def test_the_other_threshold_stays_as_it_is() -> None:
    both = told(0.3, 0.6)
    assert f"flags m {tied(0.6)}. To flag these, too, write m:0.3:0.55." in both
    assert f"reviews m {tied(0.3)}. To review these, too, write m:0.25:0.6." in both
    only = told(0.25, 0.6)
    assert "To flag these, too, write m:0.25:0.55." in only
    assert "To review these" not in only
    # Below it is the other threshold, before the next lower score.
    assert "To flag these, too, write m:0.58:0.59." in told(0.58, 0.6)
    assert "To flag these, too, write m:0.55." in told(0.6)


@pytest.mark.parametrize(
    ("cuts", "does"),
    [
        ((0.25, 2), ""),
        ((-9, 0.55), ""),
        ((-9, 9), "reviews everybody"),
        ((8, 9), "flags nobody"),
        ((-9, -8), "flags everybody"),
        ((9,), "flags nobody"),
    ],
)
def test_what_does_one_thing_with_all_is_asked_about(cuts: tuple[float, ...], does: str) -> None:
    said = told(*cuts)
    assert (f"The rule in use {does}: {WITH}" in said) if does else (WITH not in said)
