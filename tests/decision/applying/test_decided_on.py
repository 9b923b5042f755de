"""Scores that a decision is applied to, beside those that it was made on."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.arrays import FloatArray
from costspace.decision import SavedDecision
from costspace.decision.applying.decided_on import DecidedOn

RNG = np.random.default_rng(5)


def drawn(
    rows: int, prevalence: float, rng: np.random.Generator, apart: float = 2.0
) -> tuple[Any, FloatArray]:
    """Labels, and probabilities of some model."""
    y = (rng.random(rows) < prevalence).astype(int)
    return y, 1 / (1 + np.exp(2 - apart * y - rng.normal(size=rows)))


Y, S = drawn(2000, 0.25, RNG)
_, LIKE = drawn(2000, 0.25, RNG)


@cache
def decided(**more: Any) -> SavedDecision:
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=more.pop("prevalence", 0.25))
    limits = cs.Constraints(capacity=more.pop("capacity", None))
    found = cs.decide(Y, {"m": S}, conditions=known, constraints=limits, folds=2)
    own = [one.strategy for one in found.strategies if one.strategy.name == more.get("name")]
    return found.saved(*own)


def own_of(kept: SavedDecision) -> DecidedOn:
    assert kept.rules.decided_on is not None
    return kept.rules.decided_on


def log_odds(scores: FloatArray) -> FloatArray:
    inside = np.clip(scores, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(inside / (1 - inside)))


OTHERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "reversed": lambda s: 1 - s,
    "negated": lambda s: -s,
    "log-odds": log_odds,
    "percentages": lambda s: 100 * s,
    "shifted": lambda s: s + 0.2,
    "scaled": lambda s: 0.5 * s,
}


def test_quantiles_are_those_at_deployment_and_shares_those_of_each_class() -> None:
    own = own_of(decided(prevalence=(0.05, 0.15)))
    mean = decided(prevalence=(0.05, 0.15)).record["condition"]["prevalence"]["mean"]
    np.testing.assert_allclose(own.negatives_above, [np.mean(S[Y == 0] > x) for x in own.scores])
    np.testing.assert_allclose(own.positives_above, [np.mean(S[Y == 1] > x) for x in own.scores])
    (cut,) = decided(prevalence=(0.05, 0.15)).rules.rule.cuts
    levels = (1 - mean) * own.negatives_above + mean * own.positives_above
    wanted = 1 - np.array([0.02, *np.arange(1, 10) / 10, 0.98])
    np.testing.assert_allclose(levels[own.scores != cut], wanted, atol=2e-3)
    assert own.rows == (np.sum(Y == 0), np.sum(Y == 1))
    assert (own.prevalence.low, own.prevalence.high) == (0.05, 0.15)
    assert own.independent == 1


def test_the_share_flagged_has_an_interval_over_the_prevalence() -> None:
    kept = decided(prevalence=(0.05, 0.15))
    (cut,), own = kept.rules.rule.cuts, own_of(kept)
    fpr, tpr = np.mean(S[Y == 0] > cut), np.mean(S[Y == 1] > cut)
    share, low, high = own.flagged
    assert share == pytest.approx(kept.record["recommendation"]["flagged_share"])
    for end, p, sign in ((low, 0.05, -1), (high, 0.15, 1)):
        variance = (1 - p) ** 2 * fpr * (1 - fpr) / np.sum(Y == 0)
        variance += p**2 * tpr * (1 - tpr) / np.sum(Y == 1)
        at = (1 - p) * fpr + p * tpr + sign * 1.96 * np.sqrt(variance)
        assert end == pytest.approx(at, rel=0.02)


def test_rows_of_groups_count_as_far_as_they_are_independent() -> None:
    rows = {"groups": np.repeat(np.arange(200), 10), "folds": 2}
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.25)
    own = own_of(cs.decide(Y, {"m": S}, conditions=known, **rows).saved())
    assert 0.05 < own.independent < 0.3
    assert sum(own.rows) == pytest.approx(2000 * own.independent)


def test_validation_rows_are_what_others_are_compared_with() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.25)
    told = {"conditions": known, "validation": (Y, {"m": S / 2})}
    kept = cs.decide(Y, {"m": S}, **told).saved()
    assert kept.apply(LIKE / 2).doubt == ""
    assert kept.apply(LIKE).doubt != ""


@pytest.mark.parametrize("name", OTHERS)
def test_other_scores_are_warned_of_with_both_shares(name: str) -> None:
    kept, other = decided(), OTHERS[name](LIKE)
    with pytest.warns(cs.DataWarning, match="% of the (rows|scores) are") as given:
        found = kept.apply(other)
    assert str(given[0].message) == f"{kept.rules.what}: {found.doubt}"
    share, usual = own_of(kept).flagged[0], 100 * found.counts.get("flag", 0) / len(LIKE)
    if "flagged" in found.doubt:
        assert found.doubt.startswith(f"{usual:.3g} % of the rows are flagged, where the")
        assert f"decision flags {100 * share:.1f} % (" in found.doubt
    assert found.doubt.endswith("and is the prevalence 0.25? If so, decide anew.")
    with pytest.warns(cs.DataWarning):
        assert (
            cs.decide(*(Y, {"m": S}), conditions=cs.Deployment(1, 3, 0.25), folds=2)
            .apply(other)
            .doubt
        )


def test_scores_that_are_flagged_as_often_are_compared_by_their_quantiles() -> None:
    kept = decided()
    (cut,) = kept.rules.rule.cuts
    squeezed = cut + (LIKE - cut) * np.where(cut < LIKE, 0.2, 1)
    found = kept.apply(squeezed)
    (at,) = [x for x in own_of(kept).scores if f"are above {x:.4g}, where" in found.doubt]
    assert at > cut
    assert found.doubt.startswith(f"{100 * np.mean(squeezed > at):.3g} % of the scores are above")


def test_a_queue_is_compared_by_its_scores_alone() -> None:
    kept = decided(capacity=0.1, name="queue")
    assert kept.rules.rule.by == "share"
    assert own_of(kept).flagged is None
    assert kept.apply(LIKE).doubt == ""
    assert all("of the scores are above" in kept.apply(to(LIKE)).doubt for to in OTHERS.values())


def test_rules_by_condition_and_draws_are_compared() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 10), prevalence=0.25)
    kept = cs.decide(Y, {"m": S}, conditions=known, known="costs", folds=2).saved()
    here = {"fp_cost": 1, "fn_cost": np.linspace(2, 10, len(LIKE))}
    assert kept.apply(LIKE, **here).doubt == ""
    assert "of the scores are above" in kept.apply(LIKE / 3, **here).doubt
    coarse, limits = np.round(S, 1), cs.Constraints(max_fpr=0.05)
    more = {"constraints": limits, "randomise": True, "choices": [cs.Optimal()]}
    draws = cs.decide(Y, {"m": coarse}, conditions=cs.Deployment(1, 3, 0.25), **more).saved()
    assert draws.rules.rule.randomised
    flagged = draws.rules.rule.flagged(coarse)
    expected = 0.75 * flagged[Y == 0].mean() + 0.25 * flagged[Y == 1].mean()
    assert own_of(draws).flagged[0] == pytest.approx(expected)
    assert draws.apply(np.round(LIKE, 1), seed=1).doubt == ""
    assert draws.apply(np.round(LIKE, 1) + 0.3, seed=1).doubt != ""


def test_rules_that_read_no_scores_compare_none() -> None:
    found = cs.decide(Y, {"m": RNG.random(len(Y))}, conditions=cs.Deployment(1, 3, 0.25))
    assert found.strategy.model is None
    assert found.saved().rules.decided_on is None
    assert found.apply({"m": -S}).doubt == ""


def test_infinite_scores_and_a_single_one() -> None:
    scores = np.where(S > 0.9, np.inf, np.where(S < 0.05, -np.inf, S))
    kept = cs.decide(Y, {"m": scores}, conditions=cs.Deployment(1, 3, 0.25)).saved()
    assert np.isfinite(own_of(kept).scores).all()
    assert kept.apply(scores).doubt == ""
    assert kept.apply(np.full(50, np.inf)).doubt != ""
    assert kept.apply([np.inf]).doubt == ""


def test_a_prevalence_inside_the_range_is_no_other_and_one_outside_is() -> None:
    kept = decided(prevalence=(0.05, 0.6))
    rng = np.random.default_rng(2)
    for p in (0.05, 0.3, 0.6):
        assert kept.apply(drawn(5000, p, rng)[1]).doubt == "", p
    assert (
        "is the prevalence from 0.05 to 0.6? If so," in kept.apply(drawn(5000, 0.95, rng)[1]).doubt
    )


def test_small_batches_are_not_warned_of_by_chance() -> None:
    rng, kept = np.random.default_rng(3), decided()
    told = Counter(
        (rows, bool(kept.apply(drawn(rows, 0.25, rng)[1]).doubt))
        for rows in (1, 2, 5, 20, 100)
        for _ in range(200)
    )
    assert all(told[rows, True] <= 4 for rows in (1, 2, 5, 20, 100))
    assert all(kept.apply(LIKE[:1] + 50).doubt == "" for _ in range(3))
    assert kept.apply(1 - LIKE[:20]).doubt != ""


SCORES = ("apply", "scores")


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        ((), 1, "scores must be an object, got 1"),
        (("quantiles",), 0.5, "quantiles must ascend"),
        (("quantiles", 0), 5.0, "quantiles must ascend"),
        (("quantiles", 0), "a", "quantiles must be a number"),
        (("quantiles", 0), True, "quantiles must ascend"),
        (("negatives_above", 0), 1.5, "negatives_above must be in [0, 1]"),
        (("negatives_above",), [0.5], "quantiles must ascend, with a share of each class"),
        (("positives_above", -1), 1.0, "the shares above quantiles must not ascend"),
        (("rows",), [100], "rows must be two numbers above 0, got [100]"),
        (("rows", 0), 0, "rows must be two numbers above 0"),
        (("independent",), 0, "independent must be above 0"),
        (("independent",), 2, "independent must be in [0, 1], got 2"),
        (("prevalence",), 0.2, "prevalence must have 'low' and 'high'"),
        (("flagged", "low"), 0.9, "the share flagged must be from low to high"),
        (("flagged",), {"share": 0.2}, "flagged must have share, low, high"),
        (("label",), "y", "label must have column and positive"),
        (("label",), {"column": 1, "positive": None}, "label must have column and positive"),
        (("more",), 1, "apply.scores.more is 1, and has no meaning"),
    ],
)
def test_every_value_of_the_scores_in_a_file_is_checked(
    tmp_path: Any, place: tuple[Any, ...], value: Any, text: str
) -> None:
    path = tmp_path / "decision.json"
    decided().beside("y", None).save(path)
    assert own_of(cs.load_decision(path)).label == "y"
    values = inside = json.loads(path.read_text())
    *steps, last = (*SCORES, *place)
    for step in steps:
        inside = inside[step]
    inside[last] = value
    path.write_text(json.dumps(values))
    with refused(cs.FileError, text):
        cs.load_decision(path)


def test_a_rule_whose_cut_is_not_compared_has_no_share(tmp_path: Any) -> None:
    path = tmp_path / "decision.json"
    decided().save(path)
    values = json.loads(path.read_text())
    own = values["apply"]["scores"]
    place = own["quantiles"].index(values["apply"]["rule"]["cuts"][0])
    for name in ("quantiles", "negatives_above", "positives_above"):
        del own[name][place]
    path.write_text(json.dumps(values))
    with refused(cs.FileError, "scores.flagged is of a rule whose cuts are among scores.quantiles"):
        cs.load_decision(path)


def samples() -> Iterator[tuple[Any, FloatArray]]:
    """Labels and probabilities of public data, and drawn ones, again and again."""
    from sklearn.datasets import load_breast_cancer, load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    measured, benign = load_breast_cancer(return_X_y=True)
    images, digits = load_digits(return_X_y=True)
    logistic, bayes = LogisticRegression(C=0.01), GaussianNB(var_smoothing=0.3)
    asked = [(make_pipeline(StandardScaler(), logistic), measured, benign == 0)]
    asked += [(bayes, images, digits == digit) for digit in range(4)]
    kept = []
    for model, features, y in asked:
        chances = cross_val_predict(model, features, y, cv=3, method="predict_proba")[:, 1]
        kept.append((y.astype(int), np.clip(chances, 0, 1)))
    rng = np.random.default_rng(7)
    while True:
        yield from kept
        for rows, p in ((1000, 0.3), (2000, 0.2), (4000, 0.05), (6000, 0.02), (1200, 0.1)):
            yield drawn(rows, p, rng, apart=1 + rng.random())


@pytest.mark.simulation
@pytest.mark.filterwarnings("ignore::costspace.errors.DataWarning")
def test_of_100_decisions_right_scores_are_not_warned_of_and_reversed_ones_all_are() -> None:
    rng, told = np.random.default_rng(8), Counter[str]()
    for i, (y, s) in zip(range(100), samples(), strict=False):
        order = rng.permutation(len(y))
        old, new = np.array_split(order, 2)
        p = float(y.mean())
        known = (p, None, (0.6 * p, 1.5 * p))[i % 3]
        queued = {"constraints": cs.Constraints(capacity=round(1.2 * p, 2))} if i % 4 == 3 else {}
        follows = {"known": "costs"} if i % 4 == 1 and known is not None else {}
        costs = cs.Deployment(1, (2, 10), known)
        found = cs.decide(y[old], {"m": s[old]}, conditions=costs, folds=2, **queued, **follows)
        name = "queue" if queued else "smoothed"
        (own,) = (one.strategy for one in found.strategies if one.strategy.name == name)
        kept = found.saved(own)
        seen = {"fp_cost": 1, "fn_cost": 5} if kept.rules.follows_costs else {}
        seen |= {"prevalence": p} if kept.rules.follows_prevalence else {}
        for of, to in {"right": lambda s: s, **OTHERS}.items():
            told[of] += bool(kept.apply(to(s[new]), **seen).doubt)
            told[f"few {of}"] += bool(kept.apply(to(s[new][:20]), **seen).doubt)
    assert told["right"] <= 5, told
    assert told["few right"] <= 5, told
    assert told["reversed"] == told["negated"] == 100, told
    # Where all scores are near 0 or 1, half of them are much the same at another prevalence.
    assert min(told[of] for of in OTHERS) >= 90, told
