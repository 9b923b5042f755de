"""The widest bounds of all that is reported."""

from functools import partial

import numpy as np

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

Y, S = [0, 1, 0, 1, 0, 1], [0.1, 0.12, 0.2, 0.22, 0.55, 0.7]
BINNED = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))


def test_the_widest_is_of_all_that_is_reported():
    widths = [cs.bounds(BINNED, metric=metric).width for metric in METRICS.values()]
    for axis in ("cost", "skew"):
        for choice in PARAMETER_FREE.values():
            options = {"choice": choice, "axis": axis, "costs": cs.Point(0.2)}
            widths.append(cs.bounds(BINNED, metric=partial(cs.expected_loss, **options)).width)
    assert cs.evaluation.widest_bounds(BINNED, costs=cs.Point(0.2)) == max(widths)
    margins = cs.ScoreCounts.from_predictions(Y, np.array(S) - 0.5, binning=cs.Binning.uniform())
    assert 0 < cs.evaluation.widest_bounds(margins) < 1
