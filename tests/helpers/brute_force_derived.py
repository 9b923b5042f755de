"""The oracle's methods when thresholds come from another sample or from an inexact condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from brute_force import Sample, quadrature
from brute_force_methods import Array, AtThreshold, Axis, Named, ScoreUniform, Side, method_of

# Quantiles of an error between which its density is smooth enough for Gauss's rule.
LEVELS = np.concatenate([10.0 ** np.arange(-18, -1), np.arange(1, 40) / 40])


def flagged_as_fitted(
    train: Sample, test: Sample, method: Named, axis: Axis, c: Array, side: Side = "right"
) -> Array:
    """Probability that each row of `test` is flagged by thresholds chosen on `train`.

    A threshold that separates two neighbouring scores of `train` is in the middle between them,
    so a row of `test` fares as the score of `train` between whose middles it lies. Methods
    that look at scores only need the class shares of `train`.
    """
    if isinstance(method_of(method), AtThreshold | ScoreUniform):
        shares = replace(test, prevalence=train.positive_share(axis))
        return shares.flagged(method, "cost", c, side)
    known = np.unique(train.scores)
    # The middle of neighbouring floats may round to the upper one, which it should let pass.
    middles = np.minimum((known[:-1] + known[1:]) / 2, np.nextafter(known[1:], -np.inf))
    block = (test.scores[:, None] > middles).sum(axis=1)
    stands_for = [int(np.flatnonzero(train.scores == known[b])[0]) for b in block]
    return train.flagged(method, axis, c, side)[:, stands_for]


def loss_as_fitted(
    train: Sample, test: Sample, method: Named, axis: Axis, c: Array, side: Side = "right"
) -> Array:
    """Loss on `test` at each condition with thresholds chosen on `train`."""
    if test.prevalence is not None:
        train = replace(train, prevalence=test.prevalence)
    flagged = flagged_as_fitted(train, test, method, axis, c, side)
    return test.loss_of_flagged(flagged, c, axis)


def loss_under_error(sample: Sample, method: Named, axis: Axis, c: float, error: Any) -> float:
    """Loss at c when the method takes c + error, clipped to [0, 1], for the condition.

    `error` is a frozen scipy distribution; its density is integrated over the assumed condition.
    """
    knots = c + np.concatenate([error.ppf(LEVELS), error.isf(LEVELS), error.support()])
    breaks = np.concatenate([sample.breakpoints(method, axis), knots])
    assumed, share = quadrature(breaks, 0.0, 1.0)
    share = share * error.pdf(assumed - c)
    # At the ends the assumed condition has an atom.
    assumed = np.concatenate([[0.0], assumed, [1.0]])
    share = np.concatenate([[error.cdf(-c)], share, [error.sf(1 - c)]])
    flagged = share @ sample.flagged(method, axis, assumed, "right")
    return float(sample.loss_of_flagged(flagged[None, :], np.array([c]), axis)[0])
