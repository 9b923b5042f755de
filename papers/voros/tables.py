"""Tables of Ratigan and Cowen (2024), The VOROS: models over many splits beside the baselines.

The paper has one split of each data set. A row here has the median over the splits, the least and
the greatest value, and the number of splits in which that row is ahead of all others.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import costspace as cs
from papers import samples
from papers.document import Columns
from papers.voros.models import LABELS, Tables, credit, diabetes, wisconsin

Range: TypeAlias = tuple[float, float]
# What a model reaches in each split.
_Values: TypeAlias = Mapping[str, NDArray[np.float64]]

WHOLE: Range = (0, 1)
# The credit example: the range that Table 5 is computed on, and the bounds that it should follow
# from.
CREDIT: Range = (999 / 5999, 99 / 399)
FRAUD_SHARE = (0.001, 0.01)
COST_RATIO = (1 / 5000, 1 / 500)


def volumes(tables: Tables, skews: Range = WHOLE) -> _Values:
    """VOROS of each model on a range of skew, split by split."""
    low, high = skews
    return {
        name: np.array([cs.voros(table, low=low, high=high) for table in scored])
        for name, scored in tables.items()
    }


def typical(tables: Tables, skews: Range = WHOLE) -> int:
    """The split in which the models' volumes are closest to their medians."""
    found = np.stack(list(volumes(tables, skews).values()))
    return int(np.argmin(np.abs(found - np.median(found, axis=1, keepdims=True)).sum(axis=0)))


def dividing_skews(tables: Tables) -> NDArray[np.float64]:
    """In each split, the skew below which the first of two models is the better one.

    That is where the longest range begins in which one of them is always the better.
    """
    found = []
    for a, b in zip(*tables.values(), strict=True):
        skew = cs.metrics.equal_cost_points(a, b).skew
        found.append(skew[np.argmax(np.diff(skew))])
    return np.array(found)


def table_1() -> Columns:
    """Three models of the Wisconsin data."""
    return {**_columns(wisconsin(), WHOLE), **_auroc(wisconsin())}


def table_2() -> Columns:
    """Two of them on both ends of the range."""
    tables = {name: wisconsin()[name] for name in ("logistic", "forest")}
    return _columns(tables, (0, 0.25), (0.75, 1))


def table_3() -> Columns:
    """Three models of the data in place of ultrasound images."""
    return {**_columns(diabetes(), WHOLE), **_auroc(diabetes())}


def table_4() -> Columns:
    """The same on the thirds of the range."""
    return _columns(diabetes(), (0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1))


def table_5() -> Columns:
    """Two models of credit fraud, on the paper's range and on the one that its bounds give."""
    known = cs.skew_range(cost_ratio=COST_RATIO, prevalence=FRAUD_SHARE)
    return {**_columns(credit(), CREDIT, (known.low, known.high)), **_auroc(credit())}


def example_25() -> Columns:
    """The volume of the baselines, piece by piece."""
    split = float(samples.BASELINES.table().by_skew.breaks[0])
    return {
        "better_baseline": np.array(["flag everybody", "flag nobody", "the better one"]),
        "t_low": np.array([0, split, 0]),
        "t_high": np.array([split, 1, 1]),
        "integral": np.array(
            [
                split * cs.metrics.voros_of_point(1, 0, low=0, high=split),
                (1 - split) * cs.metrics.voros_of_point(0, 1, low=split, high=1),
                cs.metrics.voros_baseline(),
            ]
        ),
    }


def _columns(tables: Tables, *ranges: Range) -> Columns:
    """A row a model and one for the baselines; for each range of skew, the volumes on it."""
    columns: dict[str, NDArray[Any]] = {
        "model": np.array([*(LABELS[name] for name in tables), LABELS["baseline"]]),
        "splits": np.array([*(len(scored) for scored in tables.values()), 0]),
    }
    for low, high in ranges:
        head = "voros" if (low, high) == WHOLE else f"voros_{low:.4g}_{high:.4g}"
        values = volumes(tables, (low, high))
        columns |= _distribution(head, values, cs.metrics.voros_baseline(low=low, high=high))
    return columns


def _auroc(tables: Tables) -> Columns:
    values = {
        name: np.array([cs.auc(table) for table in scored]) for name, scored in tables.items()
    }
    return _distribution("auroc", values, cs.auc(samples.BASELINES.table()))


def _distribution(head: str, values: _Values, baseline: float) -> dict[str, NDArray[Any]]:
    """Median, range, and how often each row, the baselines' last, is ahead of all others."""
    models = np.stack(list(values.values()))
    rows = np.vstack([models, np.full(models.shape[1], baseline)])
    second, first = np.sort(rows, axis=0)[-2:]
    return {
        f"{head}_median": np.median(rows, axis=1),
        f"{head}_low": rows.min(axis=1),
        f"{head}_high": rows.max(axis=1),
        f"{head}_ahead": np.count_nonzero((rows == first) & (first > second), axis=1),
    }
