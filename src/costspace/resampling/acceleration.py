"""The acceleration of BCa intervals: how fast standard errors change with the statistic."""

from collections.abc import Mapping

import numpy as np

from costspace.arrays import FloatArray
from costspace.estimates.row_errors import row_influences, unit_errors
from costspace.influences.influence import Influence
from costspace.resampling.resamples import Resampling
from costspace.resampling.table_metrics import (
    TableMetric,
    influence_in,
    spreads,
    values_of,
)
from costspace.scores.table import ScoreTable


def accelerations(
    metrics: Mapping[str, TableMetric], resampling: Resampling, seed: int
) -> FloatArray:
    """The acceleration of each metric, from the influences of its rows or else by the jackknife.

    Notes
    -----
    Efron (1987), JASA 82, Equation 6.6: a sixth of the skewness of the rows' influences, or of the
    jackknife's influences where there are no others. The seed is that of the jackknife's parts.
    """
    table = resampling.sample
    found, others = np.zeros(len(metrics)), {}
    for i, (name, metric) in enumerate(metrics.items()):
        influence = influence_in(metric, table)
        if influence is None:
            others[name] = i, metric
        else:
            found[i] = _of_influence(influence, table, resampling)
    if others:
        places = [i for i, _ in others.values()]
        left_out = {name: metric for name, (_, metric) in others.items()}
        found[places] = _by_jackknife(left_out, resampling, seed)
    return found


def _of_influence(influence: Influence, table: ScoreTable, resampling: Resampling) -> float:
    rows, design = resampling.rows, resampling.design
    influences = row_influences(influence, rows, table, resampling.model, design=design)
    if resampling.counted:
        return acceleration_of(influences, rows.weight)
    return acceleration_of(unit_errors(influences, rows))


def _by_jackknife(
    metrics: Mapping[str, TableMetric], resampling: Resampling, seed: int
) -> FloatArray:
    strata: dict[int, list[FloatArray]] = {}
    for stratum, table in resampling.leaving_out(np.random.default_rng([seed, 1])):
        strata.setdefault(stratum, []).append(values_of(metrics, table, "a part of the sample"))
    influences = [
        (len(left) - 1) / len(left) * np.where(spreads(left), np.mean(left, axis=0) - left, 0.0)
        for left in map(np.array, strata.values())
    ]
    return np.array([acceleration_of(column) for column in np.concatenate(influences).T])


def acceleration_of(influences: FloatArray, counts: FloatArray | None = None) -> float:
    """Acceleration of a statistic from the influence of each part of the sample on it.

    0 if all are 0. Each part occurs as often as `counts` says.
    """
    largest = np.max(np.abs(influences))
    if largest == 0:
        return 0.0
    scaled = influences / largest
    squares = scaled * scaled
    cubes = scaled * squares
    if counts is not None:
        squares, cubes = squares * counts, cubes * counts
    return float(np.sum(cubes) / (6 * np.sum(squares) ** 1.5))
