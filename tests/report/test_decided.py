"""What a page stores of a decision."""

import numpy as np
import pytest
import scipy.stats

import costspace as cs
from costspace.decision.budget import REMEDIES
from costspace.report.decided import decision_dict

Y, S = [0, 0, 1, 1, 0, 1] * 3, [0.1, 0.6, 0.4, 0.9, 0.3, 0.7] * 3
BASE = {"fp_cost": 1, "fn_cost": 5, "prevalence": 0.2}


def decided(**known):
    return cs.decide(Y, {"a": S}, conditions=cs.Deployment(**{**BASE, **known}))


def test_it_is_the_decision_and_what_a_page_shows_besides():
    decision = decided(fn_cost=(5, 50))
    found = decision_dict(decision)
    single = decision.models["a"].single
    assert found == {
        **decision.to_dict(),
        "known": {"fp_cost": [1, 1], "fn_cost": [5, 50], "prevalence": [0.2, 0.2]},
        "single_points": {"a": [single.point.fpr[0], single.point.fnr[0]]},
        "short_table": decision.short_table.to_rows(),
        "remedies": dict(REMEDIES),
    }
    conditions = decision.conditions
    fpr, fnr = found["single_points"]["a"]
    money = conditions.negative_stake * fpr + conditions.positive_stake * fnr
    assert 1000 * money == pytest.approx(single.held_out)


@pytest.mark.parametrize(
    ("known", "ends"),
    [
        ({"prevalence": (0.1, 0.3)}, {"prevalence": [0.1, 0.3]}),
        ({"prevalence": cs.LogitUniform(0.1, 0.3)}, {"prevalence": [0.1, 0.3]}),
        ({"fp_cost": cs.LogUniform(1, 3)}, {"fp_cost": [1, 3]}),
        ({"fn_cost": cs.Drawn([7, 7])}, {"fn_cost": [7, 7]}),
    ],
)
def test_inputs_that_say_what_is_known(known, ends):
    same = {name: [value, value] for name, value in BASE.items()}
    assert decision_dict(decided(**known))["known"] == {**same, **ends}


@pytest.mark.parametrize(
    "known",
    [
        {"prevalence": cs.Uniform(0.1, 0.3)},
        {"fp_cost": cs.Drawn([1, 3])},
        {"fn_cost": scipy.stats.lognorm(1)},
        {"tp_cost": 0.5},
        {"tn_cost": (-1, 0)},
    ],
)
def test_no_inputs_say_it(known):
    assert decision_dict(decided(**known))["known"] is None


def test_no_inputs_say_what_varies_together_or_by_case():
    scenarios = cs.Scenarios(fp_cost=1, fn_cost=[5, 50], prevalence=0.2)
    by_case = cs.CaseCosts(fp_cost=np.ones(18), fn_cost=np.arange(2.0, 20.0))
    for decision in (
        cs.decide(Y, {"a": S}, conditions=scenarios),
        cs.decide(Y, {"a": S}, case_costs=by_case),
    ):
        assert decision_dict(decision)["known"] is None
