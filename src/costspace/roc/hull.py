"""ROC geometry on arrays.

Points are given as (x, y) = (negatives, positives) at or below a threshold, in units of weight,
in order of ascending threshold: from (0, 0), where everybody is flagged, to (N0, N1), where
nobody is. So x = N0 (1 - FPR) and y = N1 FNR; the area under these points is N0 N1 (1 - AUC),
and the ROC convex hull is their *lower* convex hull. That hull is also pool-adjacent-violators
(its slopes are the PAV scores) and the lower envelope of the cost lines (its corners are the
lines that touch it).
"""

import numpy as np

from costspace.arrays import FloatArray, IndexArray

# If a pass removes less than this share of the points, PAV finishes in one linear sweep.
_WORTHWHILE = 0.1
# For up to so many points, a sweep in Python is faster than loading SciPy's.
_POINTS = 1 << 19
# Relative error of rates that are quotients of counts.
_ROUNDING = 1e-15


def area_below(x: FloatArray, y: FloatArray) -> float:
    """Area under the polygonal line through (x, y), by the trapezoid rule; x ascending."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]))) / 2


def lower_hull(
    x: FloatArray, y: FloatArray, *, rounding: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Strict lower convex hull of a chain that ascends in both coordinates.

    The chain is from (0, 0) to (N0, N1), and every turn of what is left of it is strictly to the
    left. A point that lies on or above the segment between its neighbours in the chain is not a
    corner of the hull, so all such points can be dropped at once, repeatedly. Each pass is exact
    for counts (their products stay below 2^53) and removes most of the remaining points of a noisy
    chain; pool-adjacent-violators bounds the work when it does not.

    A turn within `rounding`, the error of the coordinates relative to N0 and N1, counts as none, so
    that collinear neighbours merge; without it neighbours are distinct.

    Notes
    -----
    Fawcett and Niculescu-Mizil (2007), Machine Learning 68: PAV and the ROC hull are equivalent.
    """
    if rounding:
        moved = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))
        x, y = np.compress(moved, x), np.compress(moved, y)
    x, y, removed = _drop_reflex(x, y)
    while removed > _WORTHWHILE * len(x):
        x, y, removed = _drop_reflex(x, y)
    if removed:
        x, y = _pool_adjacent_violators(x, y)
    while removed:
        x, y, removed = _drop_reflex(x, y)
    return _merge_collinear(x, y, rounding) if rounding else (x, y)


def lowest_lines(left: FloatArray, right: FloatArray) -> IndexArray:
    """Which of the lines (1 - u) left + u right on [0, 1] form their lower envelope.

    Those that are lowest somewhere, in order of ascending u: `left` ascends strictly and `right`
    descends. If lines are equal, the first.
    """
    order = np.lexsort((right, left))
    least = np.minimum.accumulate(right[order])
    # From right to left, the order of `lower_hull`; drop lines not below those before them.
    order = order[np.append(True, least[1:] < least[:-1])][::-1]
    if len(order) == 1:
        return order
    x, y = left[order[0]] - left[order], right[order] - right[order[0]]
    corners, _ = lower_hull(x, y, rounding=_ROUNDING)
    # If rounding makes lines equal at the left, keep the first.
    return order[np.unique(np.searchsorted(x, corners))][::-1]


def _drop_reflex(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Drop every inner point on or above the segment between its two neighbours."""
    # Without np.diff, whose overhead would be a third of a short chain's pass.
    dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
    keep = np.ones(len(x), dtype=bool)
    np.greater(dx[:-1] * dy[1:], dx[1:] * dy[:-1], out=keep[1:-1])
    kept = keep.nonzero()[0]
    return x.take(kept), y.take(kept), len(x) - len(kept)


def _merge_collinear(
    x: FloatArray, y: FloatArray, rounding: float
) -> tuple[FloatArray, FloatArray]:
    """Drop corners within rounding; of neighbouring ones only every other at a time.

    Many turns within rounding can add up to a real corner, which would be lost if they were dropped
    together.
    """
    while True:
        dx, dy = np.diff(x), np.diff(y)
        turn = dx[:-1] * dy[1:] - dx[1:] * dy[:-1]
        unsure = y[-1] * (dx[:-1] + dx[1:]) + x[-1] * (dy[:-1] + dy[1:])
        sure = np.concatenate([[True], turn > rounding * unsure, [True]])
        if sure.all():
            return x, y
        index = np.arange(len(x))
        since_sure = index - np.maximum.accumulate(np.where(sure, index, 0))
        keep = since_sure % 2 == 0
        x, y = np.compress(keep, x), np.compress(keep, y)


def isotonic(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, IndexArray]:
    """Isotonic regression: the ascending values, and where blocks of equal ones begin or end.

    Weights are positive.
    """
    # Repeatedly merge each run of values that do not ascend.
    sums, ends = values * weights, np.arange(len(values) + 1)
    while not (ascends := values[1:] > values[:-1]).all():
        pooled = len(ascends) - np.count_nonzero(ascends)
        if pooled < _WORTHWHILE * len(values):
            finish = _isotonic_by_scipy if len(values) > _POINTS else _isotonic_where_needed
            values, ends = finish(values, weights, ends)
            break
        first = np.append(0, ascends.nonzero()[0] + 1)
        sums, weights = np.add.reduceat(sums, first), np.add.reduceat(weights, first)
        values, ends = sums / weights, np.append(ends[first], ends[-1])
    return np.repeat(values, np.diff(ends)), ends


def _isotonic_where_needed(
    values: FloatArray, weights: FloatArray, ends: IndexArray
) -> tuple[FloatArray, IndexArray]:
    """Isotonic regression of blocks with given ends, few out of order: a value per block left.

    Two that do not ascend are merged, and the result with its neighbours as far as needed.
    """
    sums, parts, count = (values * weights).tolist(), weights.tolist(), len(values)
    # The start of the block that ends at each position.
    first_of, last_of, end = list(range(count)), dict[int, int](), -1
    for place in np.flatnonzero(values[1:] <= values[:-1]).tolist():
        if place < end:
            continue
        first, end, total, weight = place + 1, place + 1, sums[place + 1], parts[place + 1]
        while True:
            if first and sums[before := first_of[first - 1]] * weight >= total * parts[before]:
                last_of.pop(before, None)
                first, total, weight = before, total + sums[before], weight + parts[before]
            elif end + 1 < count and sums[end + 1] * weight <= total * parts[end + 1]:
                end += 1
                total, weight = total + sums[end], weight + parts[end]
            else:
                break
        sums[first], parts[first], first_of[end], last_of[first] = total, weight, first, end
    begins = np.ones(count, dtype=bool)
    for first, last in last_of.items():
        begins[first + 1 : last + 1] = False
    starts = np.flatnonzero(begins)
    means = np.asarray(sums)[starts] / np.asarray(parts)[starts]
    return means, np.append(ends[starts], ends[-1])


def _isotonic_by_scipy(
    values: FloatArray, weights: FloatArray, ends: IndexArray
) -> tuple[FloatArray, IndexArray]:
    """Isotonic regression of blocks with given ends, in one sweep: a value per block left.

    Loading scipy.optimize takes longer than loading everything else that a decision needs.
    """
    from scipy.optimize import isotonic_regression

    found = isotonic_regression(values, weights=weights)
    return found.x[found.blocks[:-1]], ends[found.blocks]


def _pool_adjacent_violators(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Keep the ends of the blocks from isotonic regression of the steps."""
    # As a share of both steps the slope is finite on vertical segments. Both axes are scaled to
    # 1: with rare positives, shares would otherwise be equal up to rounding.
    dx, dy = np.diff(x) / x[-1], np.diff(y) / y[-1]
    weight = dx + dy
    _, corners = isotonic(dy / weight, weight)
    return x[corners], y[corners]
