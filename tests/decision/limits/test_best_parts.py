"""The hull of cuts that come and go one at a time is that of the cuts that are there."""

from itertools import pairwise

import numpy as np
import pytest

from costspace.curve import OperatingPoints
from costspace.decision.limits.best_parts import _Hull
from costspace.roc.hull import lowest_lines


@pytest.mark.parametrize("order", ["any", "to flagging fewer", "to flagging more"])
@pytest.mark.parametrize("seed", range(20))
def test_the_hull_after_each_change(order: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 30
    # Steps of 0 make cuts of one rate, as ties of costs and of classes do.
    fpr, fnr = (np.append(0, np.cumsum(rng.integers(0, 4, n))) for _ in range(2))
    points = OperatingPoints(1 - fpr / fpr[-1], fnr / fnr[-1])
    held, hull = np.zeros(n + 1, dtype=bool), _Hull(points, 0.0)
    each = {
        "any": rng.integers(0, n + 1, 4 * n),
        "to flagging fewer": np.tile(np.arange(n + 1), 2),
        "to flagging more": np.tile(np.arange(n + 1)[::-1], 2),
    }[order]
    for step, cut in enumerate(each.tolist(), start=1):
        held[cut] = not held[cut]
        hull.pass_to(float(step), {cut: bool(held[cut])})
        cuts = np.flatnonzero(held)
        best = cuts[lowest_lines(points.fnr[cuts], points.fpr[cuts])] if len(cuts) else cuts
        # Of cuts that cost the same either may stand for both.
        expected = sorted({(points.fpr[i], points.fnr[i]) for i in best})
        assert sorted((points.fpr[i], points.fnr[i]) for i in hull._corners) == expected
        edges = [-1, *hull._corners, n + 1]
        assert set(hull._since) == set(pairwise(edges))
    hull.finish(float(len(each) + 1))
    # What is passed from flagging everybody to nobody is there all the time.
    for time in np.arange(len(each)) + 0.5:
        now = sorted(edge for edge, since, until in hull.found if since < time < until)
        assert now[0][0] == -1
        assert now[-1][1] == n + 1
        assert all(a[1] == b[0] for a, b in pairwise(now))
