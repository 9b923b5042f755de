"""Slow results are computed when asked for, and once."""

import json

import numpy as np
import pytest
from two_models import drawn

import costspace as cs
from costspace.decision import decision as record
from costspace.decision.evidence import by_condition

RANGE = cs.Deployment(1, (2, 20), (0.05, 0.4))
LIMITS = cs.Constraints(capacity=0.35)
SLOW = [
    (by_condition, "dominance"),
    (by_condition, "fit_by_condition"),
    (record, "outcomes_of"),
]


class AskedForError(Exception):
    """A slow result was computed."""


@pytest.fixture
def unasked(monkeypatch):
    """No slow result can be computed."""

    def refuse(*_, **__):
        raise AskedForError

    for module, name in SLOW:
        monkeypatch.setattr(module, name, refuse)


@pytest.mark.usefixtures("unasked")
def test_only_what_ranks_strategies_is_computed():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=RANGE)
    assert decision.recommendation.model in s
    assert len(decision.strategies) == 6
    assert decision.recommendation.money in decision.columns()["money"]
    repr(decision)
    decision._repr_html_()
    asked = [
        *(decision.losses, decision.dominance, decision.outcomes),
        lambda: decision.to_dict(details=True),
    ]
    for ask in asked:
        with pytest.raises(AskedForError):
            ask()


@pytest.mark.parametrize("limits", [cs.Constraints(), LIMITS])
def test_results_are_kept_once_computed(limits):
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=cs.Deployment(1, (2, 20), 0.2), constraints=limits)
    assert decision.losses() is decision.losses()
    first = decision.to_dict(details=True)
    assert json.dumps(decision.to_dict(details=True)) == json.dumps(first)
    plain = decision.to_dict()
    assert {name: first[name] for name in plain} == plain


def test_one_condition_needs_no_curves():
    y, s = drawn(1)
    decision = cs.decide(y, s, conditions=cs.Deployment(1, 5.03, 0.21))
    # Rules for the one condition, whatever the number of rows.
    for fit in decision.fits:
        for rules in getattr(fit, "rules", {}).values():
            assert len(rules.threshold) == 1
    curves = decision.losses()
    assert max(len(curve.breaks) for curve in curves.values()) > 20
    dominance = decision.dominance()
    at = decision.conditions.skew_range.low
    place = np.searchsorted(dominance.breaks, at, side="right") - 1
    assert set(dominance.best[place]) <= set(s)
