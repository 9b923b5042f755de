"""The rule of a choice at any costs and prevalence, without choosing anew."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, Predictions, close, fit_for, inside
from refusals import refused

import costspace as cs
from costspace.sklearn.reacting_rules import ReactingRules

SET = [name for name in CHOICES if "uniform" not in name and "batch" not in name]
SHIFTED = st.sampled_from([0.01, 0.3, 0.5, 0.95])
TABLE = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])


def expected_loss_of(table: cs.ScoreTable, rule: cs.Rule, c: float, prevalence: float) -> float:
    point = rule.on(table)
    return float(cs.condition.loss_at(point.fpr, point.fnr, c=c, prevalence=prevalence))


@pytest.mark.parametrize("name", SET)
@settings(max_examples=16)
@given(st.data(), SHIFTED)
def test_rules_have_the_loss_of_their_choice_at_any_prevalence(
    name: str, data: st.DataObject, prevalence: float
) -> None:
    case = CHOICES[name]
    table = fit_for(case, data).table
    reacting = ReactingRules(case.choice, table)
    curve = cs.loss_curve(table.with_prevalence(prevalence), choice=case.choice)
    own = reacting.loss(prevalence)
    for c in data.draw(st.lists(st.sampled_from(inside(curve.breaks).tolist()), max_size=5)):
        rule = reacting.rules(c, prevalence).one
        close(expected_loss_of(table, rule, c, prevalence), curve(c), 1e-9)
        close(own(c), curve(c), 1e-12)


@pytest.mark.parametrize("name", ["score_driven_corrected", "score_driven", "score_fixed_low"])
@settings(max_examples=25)
@given(ANY, SHIFTED, st.data())
def test_formulas_flag_as_paths_do(
    name: str, sample: Predictions, prevalence: float, data: st.DataObject
) -> None:
    choice = CHOICES[name].choice
    path = ReactingRules(choice, sample.table)
    breaks = path.chosen(prevalence).breaks
    c = data.draw(st.sampled_from(inside(breaks).tolist()))
    # Paths have their thresholds in the gaps between scores that count.
    scores = sample.s if sample.w is None else sample.s[sample.w > 0]
    found = ReactingRules(choice).rules(c, prevalence).flagged(scores)
    np.testing.assert_array_equal(found, path.rules(c, prevalence).flagged(scores))


@pytest.mark.parametrize("constraints", [cs.Constraints(), cs.Constraints(capacity=0.3)])
@pytest.mark.parametrize("name", ["optimal", "rate_driven", "rate_fixed", "score_driven"])
def test_several_conditions_one_by_one(name: str, constraints: cs.Constraints) -> None:
    reacting = ReactingRules(CHOICES[name].choice, TABLE, constraints)
    rng = np.random.default_rng(3)
    c, p = rng.random(40), rng.choice([0.02, 0.4, 0.8], 40)
    for costs, prevalences in ((c, p), (c, np.full(40, 0.4)), (np.full(40, 0.3), p)):
        found = reacting.rules(costs, prevalences)
        each = [reacting.rules(float(a), float(b)) for a, b in zip(costs, prevalences, strict=True)]
        for field in ("threshold", "threshold_2", "mix"):
            np.testing.assert_array_equal(getattr(found, field), [getattr(r, field) for r in each])


def test_one_prevalence_for_several_costs() -> None:
    reacting = ReactingRules(cs.RateDriven(), TABLE)
    c = np.linspace(0, 1, 7)
    some, each = reacting.rules(c, 0.4), reacting.rules(c, np.full(7, 0.4))
    np.testing.assert_array_equal(some.threshold, each.threshold)
    np.testing.assert_array_equal(some.mix, each.mix)


def test_the_formula_of_score_driven_thresholds() -> None:
    by_formula = ReactingRules(cs.ScoreDriven(calibrated_to=0.2))
    c = np.array([0.1, 0.5, 0.9])
    # Nothing is moved, not even by rounding, where the prevalences are the same.
    np.testing.assert_array_equal(by_formula.rules(c, 0.2).threshold, c)
    p = np.array([0.2, 0.02, 0.6])
    odds = c / (1 - c) * (1 - p) / p * 0.2 / 0.8
    found = by_formula.rules(c, p)
    np.testing.assert_allclose(found.threshold, odds / (1 + odds), rtol=1e-14)
    assert by_formula.path(0.3) is None
    np.testing.assert_array_equal(ReactingRules(cs.ScoreDriven()).rules(c, p).threshold, c)
    assert by_formula.rules(0.0, 0.02).threshold == 0
    assert by_formula.rules(1.0, 0.02).threshold == 1


def test_fixed_thresholds() -> None:
    by_formula = ReactingRules(cs.ScoreFixed(0.7))
    assert by_formula.rules(0.1, 0.3).one == cs.Rule(0.7)
    assert by_formula.rules(np.zeros(3), np.full(3, 0.3)).threshold.tolist() == [0.7] * 3
    path = by_formula.path(0.1)
    assert path is not None
    assert path.rule_at(0.9) == cs.Rule(0.7)


@pytest.mark.parametrize("prevalence", [0.05, 0.4, 0.9])
@pytest.mark.parametrize(
    "constraints",
    [
        cs.Constraints(capacity=0.25),
        cs.Constraints(min_recall=0.5, max_fpr=0.5),
        cs.Constraints(min_precision=0.4),
    ],
)
@pytest.mark.parametrize("choice", [cs.Optimal(), cs.ScoreDriven(0.5), cs.RateDriven()])
def test_constraints_are_kept_at_each_prevalence(
    choice: Any, constraints: cs.Constraints, prevalence: float
) -> None:
    reacting = ReactingRules(choice, TABLE, constraints)
    assert not reacting.through_skew
    loss = reacting.loss(prevalence)
    for c in np.linspace(0, 1, 21):
        rule = reacting.rules(c, prevalence).one
        assert constraints.holds(rule.on(TABLE), prevalence)
        close(loss(c), expected_loss_of(TABLE, rule, c, prevalence), 1e-12)


def test_what_has_no_threshold() -> None:
    for choice in (cs.RateUniform(), cs.ScoreUniform()):
        reacting = ReactingRules(choice, TABLE)
        for asked in (reacting.path, reacting.loss, lambda p, r=reacting: r.rules(0.5, p)):
            with refused(cs.ConditionError, "has no threshold of its own at each condition"):
                asked(0.3)
    with refused(cs.InfeasibleError, "recall at least"):
        ReactingRules(cs.Optimal(), TABLE, cs.Constraints(capacity=0, min_recall=1)).path(0.3)


def test_pickled() -> None:
    reacting = ReactingRules(cs.Optimal(), TABLE)
    before = reacting.rules(0.3, 0.1)
    again = pickle.loads(pickle.dumps(reacting)).rules(0.3, 0.1)
    assert again.one == before.one


def test_at_the_same_prevalence_nothing_is_chosen_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []
    find = ReactingRules.chosen
    monkeypatch.setattr(ReactingRules, "chosen", lambda self, p: chosen.append(p) or find(self, p))
    for choice, expected in ((cs.RateDriven(), [0.2, 0.4, 0.2]), (cs.Optimal(), [0.5])):
        chosen.clear()
        reacting = ReactingRules(choice, TABLE)
        for p in (0.2, 0.2, 0.4, 0.4, 0.2):
            reacting.rules(0.3, p)
        reacting.rules(np.linspace(0, 1, 5), 0.2)
        assert chosen == expected
