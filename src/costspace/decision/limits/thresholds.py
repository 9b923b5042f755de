"""The thresholds that a choice sets on a sample."""

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import ThresholdChoice
from costspace.choices.base import choice_for
from costspace.choices.flagging import ConstantFlagging, SlidingFlagging, SwitchedFlagging
from costspace.curve import OperatingPoints
from costspace.decision.limits.stretches import Chain
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.errors import ConditionError, SourceError, brief, check_kind
from costspace.scores.table import ScoreTable


def threshold_path(source: ScoreTable, *, choice: ThresholdChoice) -> ThresholdPath:
    """The threshold that a method sets on a sample at each operating condition.

    Parameters
    ----------
    source : ScoreTable
        The sample. Conditions are cost proportions at its prevalence; with balanced classes,
        ``source.with_prevalence(0.5)``, they are skews.
    choice : ThresholdChoice
        One that has a threshold at each condition, or draws one of two.

    Returns
    -------
    ThresholdPath
        On the sample itself it has the loss curve of the choice.

    Raises
    ------
    ConditionError
        If the choice is none, or draws its threshold from more than two, as `ScoreUniform` does.
    ScoreError
        If the choice needs scores in [0, 1] and they are not.
    SourceError
        If the sample is no table.

    Warns
    -----
    DataWarning
        If the choice is for probabilities and the scores do not look like any.

    Notes
    -----
    Thresholds stand in the middle of the gaps between distinct scores, but for that of
    `ScoreFixed`; a block of tied scores that the choice splits at random, as the rate-driven one
    does, is between two of them.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> threshold_path(table, choice=cs.RateFixed(0.4)).rule_at(0.5)
    Rule(flag scores above 0.75, and those above 0.5 with probability 0.6)
    """
    check_kind("source", source, ScoreTable, error=SourceError)
    return thresholds_of(choice_for(source, choice), source)


def thresholds_of(choice: ThresholdChoice, on: ScoreTable) -> ThresholdPath:
    """`threshold_path` for what has looked already whether the scores go with the choice."""
    if not choice.sees:
        fixed = choice.threshold_at(0.5, on.prevalence)
        if fixed is not None:
            return ThresholdPath.constant(Rule(float(fixed)))
    found = None
    if choice.drawn(on, np.zeros(0)) is None:
        found = _threshold_path(choice.flagging(on, on.by_score.breaks), on)
    if found is None:
        raise ConditionError(
            f"{brief(choice)} has no threshold of its own at each condition: ask for its operating "
            "path, or use another choice."
        )
    return found


def rule_of(choice: ThresholdChoice, on: ScoreTable, condition: float) -> Rule:
    """The rule of `thresholds_of` at one condition, without those at the others."""
    if choice.drawn(on, np.zeros(0)) is None:
        flagging = choice.flagging(on, on.by_score.breaks)
        if isinstance(flagging, SwitchedFlagging):
            passed = int(np.count_nonzero(flagging.until <= condition))
            ends = {0: -np.inf, len(flagging.until): np.inf}
            return Rule(float(ends[passed] if passed in ends else on.cut_points[passed - 1]))
    return thresholds_of(choice, on).rules_at(condition).one


def drawn_thresholds_of(choice: ThresholdChoice, on: ScoreTable) -> ThresholdPath | None:
    """The thresholds that a choice draws from, by the number drawn; None if it draws none."""
    flagging = choice.drawn(on, on.by_score.breaks)
    return None if flagging is None else _threshold_path(flagging, on)


def _threshold_path(flagging: object, on: ScoreTable) -> ThresholdPath | None:
    thresholds = Chain.of_cuts(on).thresholds
    if isinstance(flagging, SwitchedFlagging | SlidingFlagging):
        path = flagging.path(OperatingPoints(thresholds, thresholds), prevalence=0.5)
        first, second = path.start.fpr, path.end.fpr
        mix_end = (first == second).astype(float)
        return ThresholdPath(path.breaks, first, second, np.ones(len(first)), mix_end)
    rule = _constant(flagging, thresholds)
    return None if rule is None else ThresholdPath.constant(rule)


def _constant(flagging: object, thresholds: FloatArray) -> Rule | None:
    """The rule that flags each block of scores with a given probability, if one does."""
    if not isinstance(flagging, ConstantFlagging):
        return None
    share = flagging.share
    drawn = np.unique(share[(share > 0) & (share < 1)])
    first = float(thresholds[np.count_nonzero(share <= 0)])
    if len(drawn) == 0:
        return Rule(first)
    second = float(thresholds[np.count_nonzero(share < 1)])
    if len(drawn) > 1:
        return None
    return Rule(first, otherwise=Rule(second), chance=float(drawn[0]))
