"""What the paper on the VOROS states, computed."""

from collections.abc import Mapping

import numpy as np

import costspace as cs
from papers import samples
from papers.document import Columns
from papers.voros import tables
from papers.voros.models import FRAUDS, LABELS, TRANSACTIONS, credit, wisconsin_data


def figure_3() -> Mapping[str, float]:
    """The baselines' area over t."""
    t = np.linspace(0, 1, 1001)
    # The better of the two is the one that beats more.
    area = np.maximum(cs.metrics.lesser_area(0, 1, z=t), cs.metrics.lesser_area(1, 0, z=t))
    return {
        "minimum": area.min(),
        "minimum_at": t[np.argmin(area)],
        "left_end": area[0],
        "right_end": area[-1],
    }


def example_25() -> Mapping[str, float]:
    """The volume of the baselines."""
    baseline = samples.BASELINES.table()
    (split,) = baseline.by_skew.breaks
    volume = cs.voros(baseline)
    return {
        "volume": volume,
        "volume_decimal": volume,
        "auroc": cs.auc(baseline),
        "cost_bound": cs.condition.trivial_loss(0.4, prevalence=0.5),
        "split": split / (1 - split),
        "split_t": split,
    }


def table_1() -> Mapping[str, float]:
    """Three models of the Wisconsin data."""
    _, y = wisconsin_data()
    return {
        "positives": int(np.count_nonzero(y == 1)),
        "negatives": int(np.count_nonzero(y == 0)),
        **_medians(tables.table_1(), voros="voros", auroc="auroc"),
    }


def table_2() -> Mapping[str, float]:
    """Two of them on both ends of the range."""
    found = _medians(tables.table_2(), low="voros_0_0.25", high="voros_0.75_1")
    return {**found, "bound_baseline": min(found["low_baseline"], found["high_baseline"])}


def table_3() -> Mapping[str, float]:
    """Three models of the data in place of ultrasound images."""
    return _medians(tables.table_3(), voros="voros", auroc="auroc")


def table_4() -> Mapping[str, float]:
    """The same on the thirds of the range."""
    thirds = {"low": "voros_0_0.3333", "middle": "voros_0.3333_0.6667", "high": "voros_0.6667_1"}
    return _medians(tables.table_4(), **thirds)


def figure_6() -> Mapping[str, float]:
    """Where two models of credit fraud cost the same."""
    return {"equal_cost": float(np.median(tables.dividing_skews(credit())))}


def table_5() -> Mapping[str, float]:
    """Two models of credit fraud, and the range of its bounds."""
    classes = cs.ScoreTable.from_predictions(
        [0, 1], [0, 1], sample_weight=[TRANSACTIONS - FRAUDS, FRAUDS]
    )
    known = cs.skew_range(cost_ratio=tables.COST_RATIO, prevalence=tables.FRAUD_SHARE)
    return {
        "prevalence": classes.prevalence,
        "class_ratio_low": known.class_ratio[0],
        "class_ratio_high": known.class_ratio[1],
        "odds_low": known.low / (1 - known.low),
        "odds_high": known.high / (1 - known.high),
        "t_low": known.low,
        "t_high": known.high,
        "table_t_low": known.low,
        "table_t_high": known.high,
        **_medians(tables.table_5(), voros="voros_0.1665_0.2481", auroc="auroc"),
    }


def _medians(table: Columns, **measures: str) -> dict[str, float]:
    """The medians of each row of a table, by the names that they are stated under."""
    rows = [next(name for name, label in LABELS.items() if label == row) for row in table["model"]]
    return {
        f"{measure}_{row}": median
        for measure, head in measures.items()
        for row, median in zip(rows, table[f"{head}_median"], strict=True)
    }
