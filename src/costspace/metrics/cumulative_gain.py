"""Cumulative gain and lift: the positives found by the share of cases that is flagged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain, underflow_to_zero
from costspace.checks import check_conditions
from costspace.errors import ConditionError, SourceError, brief
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores
from costspace.scores.base import ScoreSource

# Even steps between the points in `columns` of a curve that bends.
_STEPS = 1024


@final
@dataclass(frozen=True, eq=False, repr=False)
class GainCurve:
    """The share of all positives that is found, by the share of cases that is flagged.

    The highest scores are flagged first. Call it for the cumulative gain at one share or several.
    Make one with `gain_curve`.

    Attributes
    ----------
    source : ScoreSource
        The scores, at the prevalence that the curve is for.

    Raises
    ------
    SourceError
        If it is none.

    Notes
    -----
    With TPR and FPR at one threshold the share flagged is R = pi0 FPR + pi1 TPR, the gain
    G(R) = TPR, and the lift G / R: precision over prevalence. The ROC curve has the same heights.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.metrics.gain_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> curve([0.25, 0.5, 0.75]), curve.lift(0.25)
    (array([0.5, 0.5, 1. ]), 2.0)
    """

    source: ScoreSource

    def __post_init__(self) -> None:
        if not isinstance(self.source, ScoreSource):
            raise SourceError(f"a gain curve needs a ScoreSource, got {brief(self.source)}.")

    def __repr__(self) -> str:
        return f"GainCurve(area {self.area:.6g}, prevalence {self.prevalence:.6g})"

    @property
    def prevalence(self) -> float:
        """Share of positives that the curve is for, in (0, 1)."""
        return self.source.prevalence

    @property
    def area(self) -> float:
        """Area under the curve, pi1 / 2 + pi0 AUC; larger is better, 1/2 is random ranking.

        Under uniform costs the rate-driven choice loses 1/3 + pi1 (1 - 2 area), the rate-uniform
        one 1/2 + pi1 (1 - 2 area).
        """
        p = self.prevalence
        return p / 2 + (1 - p) * self.source.auc

    def __call__(self, flagged: ArrayLike) -> Floats:
        """Cumulative gain where a share of the cases is flagged; a straight line within ties.

        Parameters
        ----------
        flagged : float or array in [0, 1]
            Share of cases flagged.

        Returns
        -------
        float or array in [0, 1]
            The share of all positives that is among them; larger is better.
        """
        shares = check_conditions("a share flagged", flagged)
        return plain(1 - np.asarray(self.source.by_flagged.at(shares).fnr))

    def lift(self, flagged: ArrayLike) -> Floats:
        """How many times as many positives are found as by flagging the same share at random.

        Parameters
        ----------
        flagged : float or array in (0, 1]
            Share of cases flagged.

        Returns
        -------
        float or array, at most 1 / prevalence
            The gain over the share flagged; larger is better, 1 is random ranking.

        Raises
        ------
        ConditionError
            If nothing is flagged.
        """
        shares = check_conditions("a share flagged", flagged)
        if not np.all(shares > 0):
            raise ConditionError("a lift is a share of what is flagged: ask above 0, got 0.")
        return plain(np.asarray(self(shares)) / shares)

    def perfect(self, flagged: ArrayLike) -> Floats:
        """The gain of a perfect ranking, min(1, flagged / prevalence)."""
        return plain(np.minimum(check_conditions("a share flagged", flagged) / self.prevalence, 1))

    def columns(self) -> dict[str, FloatArray]:
        """One row a corner, from nothing to everything flagged; between corners lines are straight.

        The lift where nothing is flagged is that of the first line. A curve that bends is given at
        1,025 even shares, and at its kinks.
        """
        by = self.source.by_flagged
        if by.between == "smooth":
            inner = by.kinks[(by.kinks > 0) & (by.kinks < 1)]
            flagged = np.union1d(np.linspace(0, 1, _STEPS + 1), inner)
        else:
            flagged = np.unique(by.breaks)
        gain = np.asarray(self(flagged))
        lift = gain[1:] / flagged[1:]
        return {"flagged": flagged, "gain": gain, "lift": np.append(lift[0], lift)}


@underflow_to_zero
def gain_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> GainCurve:
    """Cumulative gains and lift: the positives found by the share of cases that is flagged.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`. At another prevalence than the rows' the share flagged is
        pi0 FPR + pi1 TPR.

    Returns
    -------
    GainCurve
        Exact at every share: an exact transform of the ROC curve.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Also called the cumulative accuracy profile, and hit enrichment curve. Flagging the share 1 - c
    at cost proportion c is the rate-driven choice, whose expected loss under uniform costs,
    pi0 pi1 (1 - 2 AUC) + 1/3 (Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Theorem 10;
    (2013), Machine Learning 93), is 1/3 + pi1 (1 - 2 A) in the area A under this curve, since
    A = pi1 / 2 + pi0 AUC. `gain_band` is its confidence band.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> curve = gain_curve(y, s)
    >>> curve.area, round(1 / 3 + 0.5 * (1 - 2 * curve.area), 12)
    (0.625, 0.208333333333)
    >>> round(cs.expected_loss(y, s, choice=cs.RateDriven()), 12)
    0.208333333333
    """
    return GainCurve(
        source_of(
            y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
        )
    )
