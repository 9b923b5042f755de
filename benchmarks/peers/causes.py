"""Every disagreement on rows few enough to be worked out by hand, and the rule that makes it.

Each is run: the packages must differ, and costspace under the other's rule must give its number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import numpy as np
from scipy.special import expit

import costspace as cs
from benchmarks.peers.comparison import Value
from benchmarks.peers.curves import drawn_by_briertools

_LABELS = (0, 1, 0, 1)
_TIED = (0.1, 0.2, 0.2, 0.6)


@dataclass(frozen=True)
class Cause:
    """A number that differs, and why.

    Attributes
    ----------
    peer, quantity, rule : str
        The rule is the peer's.
    y, s : sequences
        The rows.
    theirs, ours, by_their_rule : functions of labels and scores to a float
        The last is costspace, or arithmetic, under the peer's rule.
    digits : float
        Relative tolerance of the last.
    score_type : type
        Of the scores.
    """

    peer: str
    quantity: str
    rule: str
    theirs: Callable[..., Value]
    ours: Callable[..., Value]
    by_their_rule: Callable[..., Value]
    s: Sequence[float] = _TIED
    y: Sequence[int] = _LABELS
    digits: float = 1e-12
    score_type: type = float

    def row(self) -> dict[str, str]:
        """The three numbers, once they have shown what they must."""
        y, s = np.array(self.y), np.array(self.s, dtype=self.score_type)
        theirs, ours, explained = (
            float(of(y, s)) for of in (self.theirs, self.ours, self.by_their_rule)
        )
        if isclose(theirs, ours, rel_tol=self.digits):
            raise AssertionError(f"{self.peer} agrees on {self.quantity}: {theirs!r}")
        if not isclose(theirs, explained, rel_tol=self.digits):
            raise AssertionError(f"{self.peer} on {self.quantity}: {theirs!r}, not {explained!r}")
        return {
            "peer": self.peer,
            "quantity": self.quantity,
            "rule": self.rule,
            "y": " ".join(map(str, self.y)),
            "s": " ".join(map(str, self.s)),
            "theirs": repr(theirs),
            "ours": repr(ours),
            "by_their_rule": repr(explained),
        }


def _dcurves(y: np.ndarray, s: np.ndarray, t: float) -> float:
    import pandas as pd
    from dcurves import dca

    found = dca(pd.DataFrame({"y": y, "s": s}), "y", ["s"], thresholds=[t])
    return found.net_benefit[found.model == "s"].item()


def _drawn_net_benefit(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import DCAScorer

    return drawn_by_briertools(DCAScorer(), y, s, (0.2, 0.3))[0]


def _net_benefit_score(y: np.ndarray, s: np.ndarray) -> float:
    from briertools.scorers import DCAScorer

    return DCAScorer().score(y, s, threshold_range=(0.3, 0.5))


def _elementary(y: np.ndarray, s: np.ndarray) -> float:
    from model_diagnostics.scoring import ElementaryScore

    return ElementaryScore(0.2)(y, s)


def _value(y: np.ndarray, s: np.ndarray) -> float:
    import xarray as xr
    from scores.plotdata import relative_economic_value

    found = relative_economic_value(
        *(xr.DataArray(part, dims="case") for part in (s, y)),
        cost_loss_ratios=[0.2],
        probability_thresholds=[0.2],
        generate_equilibrium_point_rev=True,
    )
    return found["equilibrium_point"].item()


def _curve_area(y: np.ndarray, s: np.ndarray) -> float:
    import xarray as xr
    from scores.probability import roc_curve_data

    forecast, outcome = (xr.DataArray(part, dims="case") for part in (s, y))
    return roc_curve_data(forecast, outcome, thresholds=[0.5]).AUC.item()


def _auroc(y: np.ndarray, s: np.ndarray, **options: Any) -> float:
    import torch
    from torchmetrics.functional.classification import binary_auroc

    return binary_auroc(torch.from_numpy(s), torch.from_numpy(y), **options).item()


def _single_precision_auc(y: np.ndarray, s: np.ndarray) -> float:
    """Rates as float32, and the trapezoids of those."""
    points = cs.ScoreTable.from_predictions(y, s).distinct_points.after_flagging_all()
    fpr, tpr = (part[::-1].astype(np.float32) for part in (points.fpr, 1 - points.fnr))
    return np.trapezoid(tpr, fpr)


def _calibration_error(y: np.ndarray, s: np.ndarray) -> float:
    import torch
    from torchmetrics.functional.classification import binary_calibration_error

    tensors = torch.from_numpy(s), torch.from_numpy(y)
    return binary_calibration_error(*tensors, n_bins=2, norm="l2").item() ** 2


def _log_loss(y: np.ndarray, s: np.ndarray) -> float:
    from sklearn.metrics import log_loss

    return log_loss(y, s)


def _isotonic(y: np.ndarray, s: np.ndarray) -> float:
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression().fit(s, y).predict(s)[2]


def _soft_cost(y: np.ndarray, s: np.ndarray) -> float:
    from empulse.metrics import expected_cost_loss

    return expected_cost_loss(y, s, fp_cost=1.0, fn_cost=4.0)


def _mean_net_benefit(y: np.ndarray, s: np.ndarray) -> float:
    """No score lies between the thresholds and there are no false positives, so it is constant."""
    return cs.decision_curve(y, s)(0.4)


CAUSES = (
    Cause(
        "dcurves",
        "net benefit at threshold 0.2",
        "Flags scores at the threshold, as `curve.left`.",
        theirs=lambda y, s: _dcurves(y, s, 0.2),
        ours=lambda y, s: cs.decision_curve(y, s)(0.2),
        by_their_rule=lambda y, s: cs.decision_curve(y, s).left(0.2),
    ),
    Cause(
        "dcurves",
        "net benefit at threshold 0, flagging scores at the threshold",
        "At threshold 0 it does not flag scores of 0, against its own rule.",
        theirs=lambda y, s: _dcurves(y, s, 0.0),
        ours=lambda y, s: cs.decision_curve(y, s).left(0.0),
        by_their_rule=lambda y, s: cs.decision_curve(y, s)(0.0),
        s=(0.0, 0.0, 0.2, 0.6),
    ),
    Cause(
        "briertools",
        "net benefit at threshold 0.2",
        "Flags scores at the threshold, in its Brier curves too.",
        theirs=_drawn_net_benefit,
        ours=lambda y, s: cs.decision_curve(y, s)(0.2),
        by_their_rule=lambda y, s: cs.decision_curve(y, s).left(0.2),
    ),
    Cause(
        "briertools",
        "`DCAScorer.score` over thresholds 0.3 to 0.5, drawn as “Net Benefit”",
        "It is the range's part of the Brier score: smaller is better.",
        theirs=_net_benefit_score,
        ours=_mean_net_benefit,
        by_their_rule=lambda y, s: 0.2 * cs.partial_brier_score(y, s, low=0.3, high=0.5),
    ),
    Cause(
        "model-diagnostics",
        "elementary score at 0.2",
        "Flags scores at the threshold, and has no half in front.",
        theirs=_elementary,
        ours=lambda y, s: cs.metrics.murphy_curve(y, s)(0.2),
        by_their_rule=lambda y, s: 2 * cs.metrics.murphy_curve(y, s).left(0.2),
    ),
    Cause(
        "scores",
        "relative economic value at ratio 0.2",
        "Flags scores at the threshold; its Murphy scores do not.",
        theirs=_value,
        ours=lambda y, s: cs.relative_economic_value(y, s)(0.2),
        by_their_rule=lambda y, s: cs.relative_economic_value(y, s).left(0.2),
    ),
    Cause(
        "scores",
        "AUC of `roc_curve_data(thresholds=[0.5])`",
        "Scores between two thresholds of the grid count as tied.",
        theirs=_curve_area,
        ours=cs.auc,
        by_their_rule=lambda y, s: cs.auc(y, s >= 0.5),
    ),
    Cause(
        "torchmetrics",
        "AUC",
        "Rates are of single precision, whatever the scores are; "
        "`torch.set_default_dtype(torch.float64)` helps.",
        theirs=_auroc,
        ours=cs.auc,
        by_their_rule=_single_precision_auc,
        s=(0.1, 0.3, 0.2, 0.4),
        y=(0, 1, 0, 0),
    ),
    Cause(
        "torchmetrics",
        "AUC with `thresholds=200`",
        "Scores between two of the thresholds count as tied.",
        theirs=lambda y, s: _auroc(y, s, thresholds=200),
        ours=cs.auc,
        by_their_rule=lambda y, s: cs.auc(y, np.floor(199 * s)),
        s=(0.1, 0.2001, 0.2002, 0.6),
    ),
    Cause(
        "torchmetrics",
        "AUC of scores outside [0, 1]",
        "Takes them for log-odds, of which large ones become equal: from 37, in single "
        "precision from 17.",
        theirs=_auroc,
        ours=cs.auc,
        by_their_rule=lambda y, s: cs.auc(y, expit(s)),
        s=(-1.0, 40.0, 38.0, 50.0),
    ),
    Cause(
        "torchmetrics",
        "calibration loss in 2 bins",
        "A bin holds its lower edge, here it holds its upper one.",
        theirs=_calibration_error,
        ours=lambda y, s: cs.calibration_loss(y, s, partition=[0.5]),
        by_their_rule=lambda y, s: cs.calibration_loss(y, s, partition=[np.nextafter(0.5, 0)]),
        s=(0.1, 0.5, 0.5, 0.7),
    ),
    Cause(
        "torchmetrics",
        "calibration loss in 2 bins, a score of 1",
        "Scores of exactly 1 are a bin of their own.",
        theirs=_calibration_error,
        ours=lambda y, s: cs.calibration_loss(y, s, partition=[0.5]),
        by_their_rule=lambda y, s: cs.calibration_loss(y, s, partition=[0.5, np.nextafter(1, 0)]),
        s=(0.1, 0.6, 0.8, 1.0),
    ),
    Cause(
        "scikit-learn",
        "log loss, a negative with a score of 1",
        "Takes a score of 1 for 1 − 2.2e-16. Here the loss is infinite.",
        theirs=_log_loss,
        ours=cs.log_loss,
        by_their_rule=lambda y, s: cs.log_loss(y, np.minimum(s, 1 - np.finfo(float).eps)),
        s=(0.1, 1.0, 0.8, 0.9),
        y=(0, 0, 1, 1),
    ),
    Cause(
        "scikit-learn",
        "isotonic calibration of the third of four float32 scores",
        "Scores closer than 1e-6 (1e-15 in double precision) count as tied, and between scores "
        "it interpolates.",
        theirs=_isotonic,
        ours=lambda y, s: cs.pav(cs.ScoreTable.from_predictions(y, s))(s)[2],
        by_their_rule=lambda _, s: 1 / 3 + 2 / 3 * (s[2] - s[0]) / (s[3] - s[0]),
        s=(0.5, 0.5000002, 0.5000004, 0.6),
        y=(0, 0, 1, 1),
        digits=1e-6,
        score_type=np.float32,
    ),
    Cause(
        "empulse",
        "`expected_cost_loss`, a false positive costing 1 and a false negative 4",
        "Flags each case with its score for a probability. Its `cost_loss` agrees with "
        "`expected_cost`.",
        theirs=_soft_cost,
        ours=lambda y, s: cs.expected_cost(y, s, fp_cost=1.0, fn_cost=4.0),
        by_their_rule=lambda y, s: np.mean(np.where(y == 1, 4 * (1 - s), s)),
        s=(0.1, 0.4, 0.3, 0.9),
    ),
)
