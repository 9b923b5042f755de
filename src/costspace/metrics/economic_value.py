"""Relative economic value: the savings of forecasts, from climatology (0) to perfect ones (1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, plain, read_only, underflow_to_zero
from costspace.checks import check_conditions, check_prevalence
from costspace.choices import ScoreDriven, ThresholdChoice
from costspace.choices.base import choice_for
from costspace.curve import LossCurve
from costspace.curve.loss import check_curve, common_breaks
from costspace.metrics.one_kind import coefficients_at, in_false_negatives, in_false_positives
from costspace.metrics.trivial import trivial_curve
from costspace.predictions import Labels, source_of
from costspace.samples.rows import NamedScores


@final
@dataclass(frozen=True, eq=False)
class EconomicValueCurve:
    """Relative economic value as a function of the cost-loss ratio: a loss curve in other units.

    Protecting costs C, whether or not the event comes, and an event without protection L. With
    the ratio C / L as cost proportion, V = 1 - Q / (2 min(c pi0, (1 - c) pi1)), Q the loss there.
    Call it for the value at one ratio or several.

    Attributes
    ----------
    loss : LossCurve
        On the cost axis, at the prevalence.
    prevalence : float in (0, 1)
        Share of positives that the curve is for: the climatological frequency of the event.

    Raises
    ------
    ConditionError
        If it is not a loss curve, or the prevalence not inside (0, 1).

    Notes
    -----
    Richardson (2000), Quarterly Journal of the Royal Meteorological Society 126: the saving
    (E_climate - E_forecast) / (E_climate - E_perfect), E the mean expense. A true positive costs C
    too, so a false positive costs C more than a true negative, a false negative L - C more than a
    true positive: their proportion C / (C + L - C) is C / L. In units of L, E_forecast is pi1 C / L
    + Q / 2, E_perfect its first term, and E_climate has the better trivial rule's loss for Q; the
    factor 2 cancels. Below the prevalence V is `DecisionCurve.net_reduction` over pi0, from there
    on `DecisionCurve.standardised`. Values are those of protecting at forecasts *above* the
    threshold, `left` those of protecting at it too. At 0 and 1 there is nothing to save: the value
    is -inf, or the limit if the rule has no loss there; of a curve that bends, that of its piece.

    Examples
    --------
    >>> import costspace as cs
    >>> loss = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.Optimal())
    >>> curve = EconomicValueCurve(loss, 0.5)
    >>> curve(0.25), curve.breaks
    (0.5, array([0. , 0. , 0.5, 1. , 1. ]))
    """

    loss: LossCurve
    prevalence: float

    def __post_init__(self) -> None:
        check_curve(self.loss)
        object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def breaks(self) -> FloatArray:
        """Cost-loss ratios, ascending from 0 to 1, between which the curve is smooth."""
        breaks = self.loss.breaks
        if self.prevalence in breaks:
            return breaks
        at = np.searchsorted(breaks, self.prevalence)
        return read_only(np.insert(breaks, at, self.prevalence))

    def __call__(self, ratio: ArrayLike) -> Floats:
        """Relative economic value at each ratio, right-continuous.

        Parameters
        ----------
        ratio : float or array in [0, 1]
            Cost-loss ratio, C / L.

        Returns
        -------
        float or array, at most 1
            Larger is better: 1 is perfect, 0 no better than always or never protecting, and
            below 0 worse.
        """
        return self._value_at(ratio, left=False)

    def left(self, ratio: ArrayLike) -> Floats:
        """Left limit of the value at each ratio: forecasts at the threshold protect too."""
        return self._value_at(ratio, left=True)

    def columns(self) -> dict[str, FloatArray]:
        """One row a piece: its ends, the value at its start and its limit at its end."""
        pieces = self.loss.piecewise()
        breaks = common_breaks([pieces, trivial_curve(prevalence=self.prevalence)])
        a, low, high = pieces.coefficients_on(breaks), breaks[:-1], breaks[1:]
        always = high <= self.prevalence
        return {
            "from": low,
            "to": high,
            "value_start": self._value(a, low, always),
            "value_end": self._value(a, high, always),
        }

    def _value_at(self, ratio: ArrayLike, *, left: bool) -> Floats:
        c = check_conditions("a cost-loss ratio", ratio)
        return plain(self._value(coefficients_at(self.loss, c, left=left), c, c < self.prevalence))

    def _value(self, coefficients: FloatArray, c: FloatArray, always: ArrayLike) -> FloatArray:
        """The value where the better of always and never protecting is `always`, or else never."""
        false_positives = in_false_positives(coefficients, c) / (1 - self.prevalence)
        return 1 - np.where(
            always, false_positives, in_false_negatives(coefficients, c) / self.prevalence
        )


@underflow_to_zero
def relative_economic_value(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    choice: ThresholdChoice = ScoreDriven(),
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> EconomicValueCurve:
    """Relative economic value of forecasts in the cost-loss decision, at every cost-loss ratio.

    The savings of these forecasts over those of perfect forecasts of the event (the positive
    class), against the better of always and never protecting.

    Parameters
    ----------
    y_true, y_score, prevalence, pos_label, sample_weight
        As in `auc`.
    choice : ThresholdChoice, default ScoreDriven()
        How the threshold follows the ratio. By default it is the ratio, for a user who trusts
        the scores as probabilities; `Optimal()` gives the potential value, the most that any
        threshold can.

    Returns
    -------
    EconomicValueCurve
        Exact at every ratio in [0, 1]: of protecting at scores above the threshold; its `left`
        of those at it too.

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `auc`.

    Notes
    -----
    Richardson (2000), Quarterly Journal of the Royal Meteorological Society 126. V(c) is
    1 - Q(c) / trivial_loss(c), with the cost-loss ratio as cost proportion c. `cost_loss_utility`
    is 1 minus the mean expense over all ratios.

    Examples
    --------
    >>> value = relative_economic_value([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> value([0.2, 0.4, 0.7]), round(value.left(0.4), 12)
    (array([ 0.5 , -0.25,  0.5 ]), 0.5)
    """
    source = source_of(
        y_true, y_score, prevalence=prevalence, pos_label=pos_label, sample_weight=sample_weight
    )
    return EconomicValueCurve(choice_for(source, choice).path(source).loss(), source.prevalence)
