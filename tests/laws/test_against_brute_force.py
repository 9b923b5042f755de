"""Everything against the slow oracle, which works from the definitions alone."""

import numpy as np
import pytest
from brute_force import beta_density
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.metrics import METRICS, metrics_of
from laws.registry import AXES, CHOICES, COSTS, ORACLE_COSTS, SAMPLES, close, fit_for, inside

import costspace as cs


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", CHOICES)
@given(st.data())
@settings(max_examples=40)
def test_the_loss_at_every_condition(name, axis, data):
    case = CHOICES[name]
    sample = fit_for(case, data)
    curve = cs.loss_curve(sample.y, sample.s, choice=case.choice, axis=axis, **sample.options)
    oracle = sample.oracle
    c = inside(np.append(oracle.breakpoints(case.method, axis), curve.breaks))
    close(curve(c), oracle.loss(case.method, axis, c), case.tolerance)
    close(curve.left(c), oracle.loss(case.method, axis, c, side="left"), case.tolerance)


@pytest.mark.parametrize("axis", AXES)
@given(st.data())
@settings(max_examples=40)
@pytest.mark.parametrize("name", ["score_driven", "rate_driven", "rate_driven_stepped", "optimal"])
def test_curves_are_right_continuous_with_left_limits_at_their_jumps(name, axis, data):
    case = CHOICES[name]
    sample = fit_for(case, data)
    curve = cs.loss_curve(sample.y, sample.s, choice=case.choice, axis=axis, **sample.options)
    n = len(sample)
    c = np.concatenate([[0.0, 1.0], sample.printed, np.arange(1, n + 1) / (n + 1)])
    close(curve(c), sample.oracle.loss(case.method, axis, c))
    close(curve.left(c), sample.oracle.loss(case.method, axis, c, side="left"))


@pytest.mark.parametrize("costs", ORACLE_COSTS)
@pytest.mark.parametrize("name", CHOICES)
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=10)
def test_expected_losses_under_densities(name, costs, data, axis):
    case, (distribution, *density) = CHOICES[name], ORACLE_COSTS[costs]
    sample = fit_for(case, data)
    found = cs.expected_loss(
        sample.y, sample.s, choice=case.choice, costs=distribution, axis=axis, **sample.options
    )
    expected = sample.oracle.expected_loss(case.method, axis, *density)
    close(found, expected, case.tolerance)


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("name", ["score_uniform", "score_driven", "rate_driven", "optimal"])
@given(st.data(), st.sampled_from(AXES))
@settings(max_examples=10)
def test_expected_losses_under_every_distribution(name, costs, data, axis):
    case, distribution = CHOICES[name], COSTS[costs]
    sample = fit_for(case, data)
    oracle = sample.oracle
    found = cs.expected_loss(
        sample.y,
        sample.s,
        choice=case.choice,
        costs=distribution.costs,
        axis=axis,
        **sample.options,
    )
    breaks = oracle.breakpoints(case.method, axis)
    expected = distribution.mean(lambda c, _: oracle.loss(case.method, axis, c), breaks)
    close(found, expected, max(distribution.tolerance, case.tolerance))


@pytest.mark.parametrize("kind", SAMPLES)
@given(st.data())
@settings(max_examples=20)
def test_metrics(kind, data):
    sample = data.draw(SAMPLES[kind])
    close(sample.table.prevalence, sample.oracle.positive_share())
    defined = {name: case for name, case in METRICS.items() if case.oracle}
    for name, case in defined.items():
        close(metrics_of(sample.table, [name]), case.oracle(sample), case.tolerance)


@pytest.mark.parametrize("partition", ["hull", "roc"])
@pytest.mark.parametrize("kind", SAMPLES)
@given(st.data())
@settings(max_examples=20)
def test_partition_losses(kind, partition, data):
    sample = data.draw(SAMPLES[kind])
    for axis in AXES:
        table = sample.on(axis)
        losses = (sample.oracle.calibration_loss, sample.oracle.refinement_loss)
        close(cs.calibration_loss(table, partition=partition), losses[0](partition, axis))
        close(cs.refinement_loss(table, partition=partition), losses[1](partition, axis))


@pytest.mark.parametrize("kind", SAMPLES)
@given(st.data())
@settings(max_examples=10)
def test_h_measure(kind, data):
    sample = data.draw(SAMPLES[kind])
    table, oracle = sample.table, sample.oracle
    close(cs.h_measure(table, costs=cs.Beta(2, 2)), oracle.h_measure(beta_density(2, 2)))
    p = table.prevalence
    # The larger the shape the less of the loss is left to divide by.
    if p > 0.02:
        close(cs.h_measure(table), oracle.h_measure(beta_density(2, 1 + (1 - p) / p)), 1e-11)
    part = cs.Uniform(0.1, 0.6)
    close(cs.h_measure(table, costs=part), oracle.h_measure(np.ones_like, 0.1, 0.6))


@pytest.mark.parametrize("kind", SAMPLES)
@given(st.data(), st.integers(0, 9), st.integers(1, 10))
@settings(max_examples=10)
def test_voros_over_ranges(kind, data, start, steps):
    sample = data.draw(SAMPLES[kind]).by_rank
    low, high = start / 10, min(start + steps, 10) / 10
    table, oracle = sample.table, sample.oracle
    close(cs.voros(table, low=low, high=high), oracle.voros(low, high))
    hand = beta_density(2, 2)
    close(cs.voros(table, low=low, high=high, costs=cs.Beta(2, 2)), oracle.voros(low, high, hand))
