"""What a recommendation says of models that are not needed, or rank the wrong way round."""

import numpy as np
import pytest

import costspace as cs

# Flagging nobody costs 100 and 10,000, everybody 900: 500 in the mean for who takes the cheaper.
KNOWN = cs.Scenarios(fp_cost=1, fn_cost=[1, 100], prevalence=0.1)
NEEDLESS = (
    "The data do not show that it needs a model: flagging nobody, everybody or some at random, "
    "whichever is best at each condition, costs {}."
)


def made(n: int, shift: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, generator.normal(shift * y, 1.0)


def test_a_model_that_is_not_needed() -> None:
    y, s = made(600, -2.0)
    text = cs.decide(y, {"turned": s}, conditions=KNOWN).recommendation.text
    assert NEEDLESS.format("500") in text
    assert "ranks positives below negatives: is the right class positive?" in text
    assert f"turned (AUC {cs.auc(y, s):.4g}) ranks" in text


def test_a_model_that_may_not_be_needed() -> None:
    y, s = made(240, 2.0)
    recommendation = cs.decide(y, {"weak": s}, conditions=KNOWN).recommendation
    assert recommendation.interval is not None
    assert recommendation.interval.money < 500 < recommendation.interval.high
    assert NEEDLESS.format("500") in recommendation.text
    assert "is the right class positive" not in recommendation.text


def test_a_model_that_is_needed() -> None:
    y, s = made(600, 3.0)
    text = cs.decide(y, {"good": s}, conditions=KNOWN).recommendation.text
    assert "model:" not in text
    assert "ranks" not in text


def test_at_random_within_the_constraints() -> None:
    # At a capacity of a half the better is to flag half of all where misses are dear:
    # (450 + 5,000 + 100) / 2.
    y, s = made(600, -2.0)
    limits = cs.Constraints(capacity=0.5)
    text = cs.decide(y, {"m": s}, conditions=KNOWN, constraints=limits).recommendation.text
    assert NEEDLESS.format("2,775") in text


def test_nothing_at_random_has_the_precision() -> None:
    y, s = made(600, 3.0)
    limits = cs.Constraints(min_precision=0.3, min_recall=0.2)
    text = cs.decide(y, {"good": s}, conditions=KNOWN, constraints=limits).recommendation.text
    assert "good" in text
    assert "model:" not in text


@pytest.mark.parametrize("seed", range(3))
def test_rules_that_the_data_do_not_rule_out_are_named(seed: int) -> None:
    y, s = made(45, 0.8, seed)
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
    decision = cs.decide(y, {"a": s, "b": s**3}, conditions=known)
    evidence, text = decision.evidence, decision.recommendation.text
    assert evidence is not None
    unclear = [
        one.strategy
        for one in evidence.strategies
        if one.more is not None and not one.more.none and not evidence.settles(one.more)
    ]
    for strategy in unclear:
        if strategy.name == "flag_nobody":
            assert "flagging nobody" in text.partition("do not separate it from")[2]


def test_the_instruction_is_first_and_has_its_number() -> None:
    y, s = made(600, 2.0)
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
    decision = cs.decide(y, {"m": s}, conditions=known).recommendation
    assert decision.rule is not None
    assert decision.sentences[0] == f"Use m: {decision.rule}."
    assert decision.text == " ".join(decision.sentences)
    one = decision.interval
    assert one is not None
    assert decision.sentences[1].startswith(f"It costs {one.money:.0f} per 1,000 cases (95 %")
    assert "flagging nobody 800 and flagging everybody 800." in decision.sentences[1]


def test_a_threshold_that_follows_the_costs_has_both_ends() -> None:
    y, s = made(600, 2.0)
    probabilities = 1 / (1 + np.exp(2.7 - 2 * s))
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 50), prevalence=1 / 3)
    found = cs.decide(y, {"m": probabilities}, conditions=known, choices=[cs.ScoreDriven()])
    assert found.recommendation.sentences[0] == (
        "Use m (score-driven, raw): flag scores above 0.0196 to 0.333, lower where misses weigh "
        "more."
    )


def test_a_threshold_that_ends_at_everybody_has_one_in_the_middle() -> None:
    y, s = made(600, 1.0)
    known = cs.Deployment(fp_cost=1, fn_cost=(1, 100), prevalence=0.1)
    coarse = {"m": np.clip(s, -1, 2).round(1)}
    first, *_ = cs.decide(y, coarse, conditions=known).recommendation.sentences
    assert first.startswith("Use m (optimal): flag everybody where misses weigh most, flag scores")
    assert first.endswith(" in between, flag nobody where false alarms weigh most.")


def test_a_share_is_an_instruction() -> None:
    y, s = made(600, 3.0)
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 9), prevalence=0.3)
    found = cs.decide(y, {"m": s}, conditions=known, choices=[cs.RateFixed(0.25)])
    assert found.recommendation.sentences[0].startswith(
        "Use m (RateFixed(flagged=0.25)): flag scores above 2."
    )
    assert " weigh " not in found.recommendation.sentences[0]


def test_warnings_are_told_and_kept() -> None:
    y, s = made(45, -1.0)
    known = cs.Deployment(fp_cost=1, fn_cost=4, prevalence=0.2)
    decision = cs.decide(y, {"turned": s}, conditions=known)
    found = decision.recommendation
    assert [text for text in found.warnings if text.startswith("turned (AUC ")]
    assert decision.evidence is not None
    assert decision.evidence.note in found.warnings
    assert "Few rows decide, so that these intervals may be too narrow." in found.sentences
    assert decision.to_dict()["recommendation"]["warnings"] == list(found.warnings)
