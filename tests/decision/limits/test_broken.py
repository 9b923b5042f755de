"""What rules reach of constraints on cases that they were not made on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, Predictions
from refusals import refused

import costspace as cs

LIMITS = cs.Constraints(capacity=0.4, min_precision=0.6, min_recall=0.5, min_npv=0.55, max_fpr=0.3)


@settings(max_examples=40)
@given(ANY, st.sampled_from([cs.Optimal(), cs.RateDriven()]), st.sampled_from([0.1, 0.5]))
def test_the_worst_along_a_path(
    sample: Predictions, choice: cs.ThresholdChoice, low: float
) -> None:
    table = sample.table
    path = cs.threshold_path(table, choice=choice)
    found = cs.decision.violations(path.on(table), constraints=LIMITS, prevalence=(low, 0.7))
    seen = []
    for c in np.linspace(0.001, 0.999, 301):
        point = path.rule_at(c).on(table)
        seen.extend(LIMITS.reached(point, p) for p in (low, 0.7))
    for name, limit, reached, shortfall in zip(*found.columns().values(), strict=True):
        values = [float(one.of(name)) for one in seen]
        most = name in ("capacity", "max_fpr")
        beyond = reached - limit if most else limit - reached
        assert shortfall == pytest.approx(max(beyond, 0), abs=1e-14)
        assert max(values) <= reached + 1e-12 if most else min(values) >= reached - 1e-12


@settings(max_examples=40)
@given(ANY, st.sampled_from([0.1, 0.5]))
def test_constrained_rules_break_nothing_on_their_sample(sample: Predictions, low: float) -> None:
    limits = cs.Constraints(capacity=0.3, min_precision=0.4, max_fpr=0.2)
    path = cs.decision.constrained_path(
        sample.table, choice=cs.Optimal(), constraints=limits, prevalence=(low, 0.7)
    )
    found = cs.decision.violations(path.on(sample.table), constraints=limits, prevalence=(low, 0.7))
    assert found.held
    assert found.shortfall.tolist() == [0, 0, 0]


def test_points_and_prevalences() -> None:
    points = cs.OperatingPoints([0.1, 0.4], [0.5, 0.2])
    limits = cs.Constraints(min_precision=0.5, max_fpr=0.25)
    found = cs.decision.violations(points, constraints=limits, prevalence=(0.2, 0.5))
    assert found.constraint == ("min_precision", "max_fpr")
    assert found.limit.tolist() == [0.5, 0.25]
    assert found.reached == pytest.approx([0.16 / 0.48, 0.4])
    assert found.shortfall == pytest.approx([0.5 - 0.16 / 0.48, 0.15])
    assert not found.held
    single = cs.decision.violations(
        cs.OperatingPoints(0.1, 0.5), constraints=limits, prevalence=0.5
    )
    assert single.held
    assert single.columns()["constraint"].tolist() == ["min_precision", "max_fpr"]


def test_pieces_of_no_length_do_not_count() -> None:
    # Everybody is flagged only as c tends to 0.
    table = cs.ScoreTable.from_predictions([0, 1], [0.2, 0.7])
    path = cs.threshold_path(table, choice=cs.Optimal())
    assert path.threshold[0] == -np.inf
    found = cs.decision.violations(
        path.on(table), constraints=cs.Constraints(capacity=0.5), prevalence=0.5
    )
    assert found.held


def test_without_constraints() -> None:
    found = cs.decision.violations(
        cs.OperatingPoints([1], [0]), constraints=cs.Constraints(), prevalence=0.5
    )
    assert found.held
    assert found.constraint == ()


def test_bad_prevalences() -> None:
    with refused(cs.ConditionError, "prevalence must be in [0, 1], got 3"):
        cs.decision.violations(cs.OperatingPoints(0, 0), constraints=LIMITS, prevalence=3)
