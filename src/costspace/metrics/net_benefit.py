"""Decision curves: the net benefit of a rule at every threshold probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain, underflow_to_zero
from costspace.checks import check_conditions, check_prevalence
from costspace.choices import ScoreDriven, ThresholdChoice
from costspace.choices.base import choice_for
from costspace.curve import LossCurve, OperatingPath
from costspace.curve.loss import check_curve
from costspace.metrics.one_kind import coefficients_at, in_false_negatives, in_false_positives
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores


@final
@dataclass(frozen=True, eq=False)
class DecisionCurve:
    """Net benefit as a function of the threshold probability t: a loss curve in other units.

    With Q the loss at cost proportion t, NB(t) = pi1 TPR - pi0 FPR t / (1 - t), which is
    pi1 - Q(t) / (2 (1 - t)). Call it for the net benefit at one threshold or several.

    Attributes
    ----------
    loss : LossCurve
        On the cost axis, at the prevalence.
    prevalence : float in (0, 1)
        Share of positives that the curve is for, pi1.

    Raises
    ------
    ConditionError
        If it is not a loss curve, or the prevalence not inside (0, 1).

    Notes
    -----
    Vickers and Elkin (2006), Medical Decision Making 26. The factor 2 is that of Q, which at
    t = 1/2 is the error rate. Values are those of flagging scores *above* the threshold; `left`
    and ``left=True`` give those of flagging scores at it too, as most programs for decision
    curves do. At t = 1 no share of true positives makes up for a false one: the net benefit is
    -inf, or its limit if no negative is flagged, which for a constant rule is pi1 TPR. The limit
    of a curve that bends is that of its last piece.

    Examples
    --------
    >>> import costspace as cs
    >>> loss = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> curve = DecisionCurve(loss, 0.5)
    >>> curve(0.25), curve.treat_all(0.25), curve.treat_none(0.25)
    (0.416666666667, 0.333333333333, 0.0)
    """

    loss: LossCurve
    prevalence: float

    def __post_init__(self) -> None:
        check_curve(self.loss)
        object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def breaks(self) -> FloatArray:
        """Thresholds, ascending from 0 to 1, between which the curve is smooth."""
        return self.loss.breaks

    def __call__(self, t: ArrayLike) -> Floats:
        """Net benefit at each threshold, right-continuous.

        Parameters
        ----------
        t : float or array in [0, 1]
            Threshold probability.

        Returns
        -------
        float or array, at most pi1
            True positives per case, minus false positives at t / (1 - t) each; larger is better.
        """
        return self._net_benefit(t, left=False)

    def left(self, t: ArrayLike) -> Floats:
        """Left limit of the net benefit at each threshold: scores at it are flagged too."""
        return self._net_benefit(t, left=True)

    def standardised(self, t: ArrayLike, *, left: bool = False) -> Floats:
        """Net benefit divided by its maximum, pi1; at most 1, larger is better."""
        return self._net_benefit(t, left=left) / self.prevalence

    def net_reduction(self, t: ArrayLike, *, left: bool = False) -> Floats:
        """Net reduction in interventions against flagging everybody.

        It is (NB - NB_all) (1 - t) / t, which is pi0 - Q(t) / (2 t), and also the net benefit of
        the untreated, pi0 TNR - pi1 FNR (1 - t) / t.

        Parameters
        ----------
        t : float or array in [0, 1]
            Threshold probability.
        left : bool
            Whether to take the left limit.

        Returns
        -------
        float or array, at most pi0
            True negatives a case, minus false negatives at (1 - t) / t each; larger is better. At
            t = 0 it is -inf, or its limit if there is no false negative.

        Notes
        -----
        Vickers, Cronin, Elkin, Gonen (2008), BMC Medical Informatics and Decision Making 8;
        Rousson and Zumbrunn (2011), ibid. 11, for the net benefit of the untreated.
        """
        t = check_conditions("a threshold probability", t)
        counted = in_false_positives(coefficients_at(self.loss, t, left=left), t)
        return plain(1 - self.prevalence - counted)

    @property
    def treat_all(self) -> DecisionCurve:
        """The decision curve of flagging everybody, pi1 - pi0 t / (1 - t)."""
        return DecisionCurve(OperatingPath.constant(1, 0, self.prevalence).loss(), self.prevalence)

    @property
    def treat_none(self) -> DecisionCurve:
        """The decision curve of flagging nobody: 0."""
        return DecisionCurve(OperatingPath.constant(0, 1, self.prevalence).loss(), self.prevalence)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends, and both net benefits at its start and their limits."""
        pieces = self.loss.piecewise()
        low, high = pieces.breaks[:-1], pieces.breaks[1:]
        p, a = self.prevalence, pieces.coefficients
        return {
            "from": low,
            "to": high,
            "net_benefit_start": p - in_false_negatives(a, low),
            "net_benefit_end": p - in_false_negatives(a, high),
            "net_reduction_start": 1 - p - in_false_positives(a, low),
            "net_reduction_end": 1 - p - in_false_positives(a, high),
        }

    def _net_benefit(self, t: ArrayLike, *, left: bool) -> Floats:
        t = check_conditions("a threshold probability", t)
        counted = in_false_negatives(coefficients_at(self.loss, t, left=left), t)
        return plain(self.prevalence - counted)


@underflow_to_zero
def decision_curve(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice = ScoreDriven(),
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> DecisionCurve:
    """Decision curve: the net benefit of using the scores, at every threshold probability.

    At the threshold probability t, treating and not treating are equally good, so a false positive
    costs as much as t / (1 - t) true positives. t is the cost proportion, and net benefit the loss
    in other units, NB(t) = pi1 - Q(t) / (2 (1 - t)).

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    choice : ThresholdChoice, default ScoreDriven()
        How the threshold follows t. By default it is t, as in decision curve analysis; for a
        prevalence that the scores are not calibrated to, `ScoreDriven(calibrated_to=...)` corrects
        it. `Optimal()` gives the largest net benefit of any threshold.

    Returns
    -------
    DecisionCurve
        Exact at every t in [0, 1]: of flagging scores above t; its `left` of those at t too.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Vickers and Elkin (2006), Medical Decision Making 26: NB = TP / n - FP / n * t / (1 - t).

    Examples
    --------
    >>> curve = decision_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> curve(0.5), curve(0.4), round(curve.left(0.4), 12), round(curve.net_reduction(0.5), 12)
    (0.0, 0.0833333333333, 0.333333333333, 0.0)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return DecisionCurve(choice_for(source, choice).path(source).loss(), source.prevalence)
