"""What the paper on the VOROS states, computed."""

from collections.abc import Mapping

import numpy as np

import costspace as cs
from costspace.reproduce import samples
from costspace.reproduce.figure import Figure
from costspace.reproduce.voros import drawing, tables
from costspace.reproduce.voros.stand_ins import (
    FRAUDS,
    TRANSACTIONS,
    Tables,
    credit,
    diabetes,
    wisconsin,
    wisconsin_data,
)
from costspace.reproduce.voros.tables import (
    COST_RATIO,
    CREDIT,
    ENDS,
    FRAUD_SHARE,
    THIRDS,
    WHOLE,
    Range,
    aurocs,
    baselines,
    dividing_skews,
    medians,
    volumes,
)


def _figure_3() -> Mapping[str, float]:
    t = np.linspace(0, 1, 1001)
    # The better of the two is the one that beats more.
    area = np.maximum(cs.lesser_area(t, fpr=0, fnr=1), cs.lesser_area(t, fpr=1, fnr=0))
    return {
        "minimum": area.min(),
        "minimum_at": t[np.argmin(area)],
        "left_end": area[0],
        "right_end": area[-1],
    }


def _example_25() -> Mapping[str, float]:
    baseline = samples.BASELINES.table()
    (split,) = baseline.by_skew.breaks
    volume = cs.voros(baseline)
    return {
        "volume": volume,
        "volume_decimal": volume,
        "auroc": cs.auc(baseline),
        "cost_bound": cs.trivial_loss(0.4, 0.5),
        "split": split / (1 - split),
        "split_t": split,
    }


def _table_1() -> Mapping[str, float]:
    _, y = wisconsin_data()
    return {
        "positives": int(np.count_nonzero(y == 1)),
        "negatives": int(np.count_nonzero(y == 0)),
        **_whole(wisconsin()),
    }


def _table_2() -> Mapping[str, float]:
    bounds = baselines(ENDS)
    tables = {name: wisconsin()[name] for name in ("logistic", "forest")}
    return {**_over(tables, ENDS), **bounds, "bound_baseline": min(bounds.values())}


def _table_4() -> Mapping[str, float]:
    return {**_over(diabetes(), THIRDS), **baselines(THIRDS)}


def _figure_6() -> Mapping[str, float]:
    return {"equal_cost": float(np.median(dividing_skews(credit())))}


def _table_5() -> Mapping[str, float]:
    classes = cs.ScoreTable.from_predictions(
        [0, 1], [0, 1], sample_weight=[TRANSACTIONS - FRAUDS, FRAUDS]
    )
    known = cs.skew_range(cost_ratio=COST_RATIO, prevalence=FRAUD_SHARE)
    odds = [z / (1 - z) for z in (known.low, known.high)]
    return {
        "prevalence": classes.prevalence,
        "class_ratio_low": known.class_ratio[0],
        "class_ratio_high": known.class_ratio[1],
        "odds_low": odds[0],
        "odds_high": odds[1],
        "t_low": known.low,
        "t_high": known.high,
        "table_t_low": known.low,
        "table_t_high": known.high,
        **_whole(credit(), CREDIT),
    }


def _whole(tables: Tables, skews: Range = WHOLE) -> dict[str, float]:
    """VOROS on one range, and AUROC."""
    return {
        **_over(tables, {"voros": skews}),
        **medians("auroc", aurocs(tables)),
        **baselines({"voros": skews}),
        "auroc_baseline": cs.auc(samples.BASELINES.table()),
    }


def _over(tables: Tables, ranges: Mapping[str, Range]) -> dict[str, float]:
    """VOROS of every model on each range, the median over the splits."""
    found: dict[str, float] = {}
    for name, skews in ranges.items():
        found |= medians(name, volumes(tables, skews))
    return found


FIGURES = (
    Figure("004-fig1", "Area of lesser classifiers of a point", draw=drawing.figure_1),
    Figure(
        "004-fig2",
        "Area of lesser classifiers of the better baseline",
        draw=drawing.figure_2,
    ),
    Figure(
        "004-fig3",
        "The baselines' area over t, and the volume that it bounds",
        _figure_3,
        drawing.figure_3,
    ),
    Figure("004-ex25", "Volume of the baselines", _example_25, table=tables.example_25),
    Figure(
        "004-table1",
        "VOROS and AUROC on the Wisconsin data",
        _table_1,
        table=tables.table_1,
    ),
    Figure("004-fig4", "ROC curves and volumes on the Wisconsin data", draw=drawing.figure_4),
    Figure(
        "004-table2",
        "VOROS on two ranges of cost on the Wisconsin data",
        _table_2,
        table=tables.table_2,
    ),
    Figure(
        "004-table3",
        "VOROS and AUROC on ultrasound images",
        lambda: _whole(diabetes()),
        table=tables.table_3,
    ),
    Figure("004-fig5", "ROC curves and volumes on ultrasound images", draw=drawing.figure_5),
    Figure(
        "004-table4",
        "VOROS on three ranges of cost on ultrasound images",
        _table_4,
        table=tables.table_4,
    ),
    Figure(
        "004-fig6",
        "Equal-cost points of two models of credit fraud",
        _figure_6,
        drawing.figure_6,
    ),
    Figure(
        "004-table5",
        "VOROS on the range of cost of credit fraud",
        _table_5,
        table=tables.table_5,
    ),
    Figure("004-fig7", "Volumes of two models of credit fraud", draw=drawing.figure_7),
)
