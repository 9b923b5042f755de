"""Curves over thresholds, where peers have a grid: Murphy, Brier and decision curves, value."""

from typing import Any

import numpy as np

import costspace as cs
from benchmarks.peers.comparison import HUNDREDTHS, XARRAYS, Quantity

# The range that briertools draws in; it takes 1000 thresholds.
DRAWN = np.linspace(0.01, 0.99, 1000)


def _murphy(*rows: Any) -> np.ndarray:
    return cs.metrics.murphy_curve(*rows)(HUNDREDTHS)


def _murphy_scores(forecast: Any, outcome: Any) -> np.ndarray:
    from scores.probability import murphy_score

    found = murphy_score(forecast, outcome, HUNDREDTHS, functional="expectile", alpha=0.5)
    return found["total"].to_numpy()


def _doubled_murphy(*rows: Any) -> np.ndarray:
    """Without the half, and flagging scores at the threshold."""
    return 2 * cs.metrics.murphy_curve(*rows).left(HUNDREDTHS)


def _murphy_model_diagnostics(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    from model_diagnostics.scoring import ElementaryScore

    return np.array([ElementaryScore(t)(y, s) for t in HUNDREDTHS])


def _brier_curve(*rows: Any) -> np.ndarray:
    """Half the loss curve, which is the mean cost of a case, flagging at the threshold."""
    return cs.loss_curve(*rows, choice=cs.ScoreDriven()).left(DRAWN) / 2


def _brier_curve_briertools(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    from briertools.scorers import BrierScorer

    return drawn_by_briertools(BrierScorer(), y, s)


def _net_benefit(*rows: Any) -> np.ndarray:
    return cs.decision_curve(*rows).left(HUNDREDTHS)


def _net_benefit_dcurves(frame: Any) -> np.ndarray:
    from dcurves import dca

    found = dca(frame, "y", ["s"], thresholds=HUNDREDTHS)
    return found.net_benefit[found.model == "s"].to_numpy()


def _drawn_net_benefit(*rows: Any) -> np.ndarray:
    return cs.decision_curve(*rows).left(DRAWN)


def _net_benefit_briertools(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    from briertools.scorers import DCAScorer

    return drawn_by_briertools(DCAScorer(), y, s)


def _value(*rows: Any) -> np.ndarray:
    return cs.relative_economic_value(*rows).left(HUNDREDTHS)


def _value_scores(forecast: Any, outcome: Any) -> np.ndarray:
    from scores.plotdata import relative_economic_value

    found = relative_economic_value(
        forecast,
        outcome,
        cost_loss_ratios=HUNDREDTHS,
        probability_thresholds=HUNDREDTHS,
        generate_equilibrium_point_rev=True,
    )
    return found["equilibrium_point"].to_numpy()


def drawn_by_briertools(
    scorer: Any, y: np.ndarray, s: np.ndarray, between: tuple[float, float] = (DRAWN[0], DRAWN[-1])
) -> np.ndarray:
    """The heights of the curve that it draws, which is the only way it gives one."""
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    scorer.plot_curve(axes, y, s, threshold_range=between)
    return np.asarray(axes.lines[0].get_ydata())


COMPARISONS = (
    Quantity("Murphy curve at 99 thresholds", "murphy_curve", _murphy).by(
        "scores", "murphy_score", _murphy_scores, XARRAYS
    ),
    Quantity("Murphy curve at 99 thresholds", "murphy_curve", _doubled_murphy).by(
        "model-diagnostics", "ElementaryScore", _murphy_model_diagnostics
    ),
    Quantity("Brier curve at 1000 thresholds", "loss_curve", _brier_curve).by(
        "briertools", "BrierScorer.plot_curve", _brier_curve_briertools
    ),
    Quantity("Net benefit at 99 thresholds", "decision_curve", _net_benefit).by(
        "dcurves", "dca", _net_benefit_dcurves, lambda given: (given.frame,)
    ),
    Quantity("Net benefit at 1000 thresholds", "decision_curve", _drawn_net_benefit).by(
        "briertools", "DCAScorer.plot_curve", _net_benefit_briertools
    ),
    Quantity("Relative economic value at 99 ratios", "relative_economic_value", _value).by(
        "scores", "relative_economic_value", _value_scores, XARRAYS
    ),
)
