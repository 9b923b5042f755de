"""The verb: prevalence and money of rows without labels, beside labelled ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.deferral import deferred_calls
from costspace.errors import SourceError, WeightError
from costspace.estimates.interval import check_level
from costspace.estimates.sampling_design import check_weights_are
from costspace.predictions import sole_model, source_of
from costspace.samples.class_sample import ClassSample
from costspace.samples.rows import ScoredRows
from costspace.samples.validation import score_array
from costspace.samples.vectors import vector
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable, check_table
from costspace.single import doubles
from costspace.summaries.counts import ScoreCounts
from costspace.watching.mixture_cells import CountedSample, Counting
from costspace.watching.mixture_test import mixture_test
from costspace.watching.two_samples import Scores
from costspace.watching.unlabelled_cells import UnlabelledCells
from costspace.watching.unlabelled_drift import AssumptionGap, UnlabelledDrift
from costspace.watching.unlabelled_prevalence import CALIBRATION, LABEL_SHIFT

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.decision.applying.saved import SavedDecision
    from costspace.decision.decision import Decision
    from costspace.deployment.amounts import Uncertain
    from costspace.deployment.conditions import JointConditions
    from costspace.watching.unlabelled_money import check_costs_only, money_of

_NEEDS = "a ScoreTable, ScoreCounts or ScoredRows"
_OUTSIDE = "outside"
# A smaller share of new scores beyond all labelled ones is nothing to tell.
_FEW = 0.01


@underflow_to_zero
def drift_unlabelled(
    before: Scores,
    after: ArrayLike | Scores,
    *,
    level: float = 0.95,
    conditions: JointConditions | None = None,
    fp_cost: Uncertain = None,
    fn_cost: Uncertain = None,
    tp_cost: Uncertain = None,
    tn_cost: Uncertain = None,
    decision: SavedDecision | Decision | None = None,
    sample_weight: ArrayLike | None = None,
    weights: str = "sampling",
) -> UnlabelledDrift:
    """Estimate prevalence and money of new rows from their scores, before their labels come.

    Parameters
    ----------
    before : ScoreTable, ScoreCounts or ScoredRows
        Scores of one model on independent rows with labels: with all of them, since a row whose
        label is late is no negative.
    after : array of shape (n,), or ScoreTable, ScoreCounts or ScoredRows
        Scores of the same model on other independent rows. Labels that they have are not read.
    level : float in (0, 1)
        Confidence level of each interval.
    conditions, fp_cost, fn_cost, tp_cost, tn_cost
        What decisions cost, as `decide` has it, without a prevalence and without a review: then it
        is told what the rule costs now that `decide` takes on the labelled rows.
    decision : SavedDecision or Decision, optional
        The rule in use, instead. Its mean costs count if no others are given, and its limits bind
        other rules too.
    sample_weight : array of shape (n,), optional
        Non-negative, of an array of scores.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.

    Returns
    -------
    UnlabelledDrift

    Raises
    ------
    LabelError, ScoreError, WeightError
        For rows of one class, unusable scores, or weights that are none.
    ConditionError, SourceError
        If the level, what decisions cost or a sample is invalid; if rows are in groups, counts are
        binned, the table has a prevalence that is not that of its rows; or if the rule in use is no
        rule by score that passes or flags.

    Notes
    -----
    *Label shift*: scores within a class are as they were, and only the prevalence has changed. The
    prevalence of largest likelihood is that of Saerens, Latinne, Decaestecker (2002), Neural
    Computation 14, on at most 12 cells of scores with at least ten labelled rows of either class
    each: the noise of more would bias it. Its interval has every prevalence that a score test does
    not reject. The moment estimate is that of Lipton, Wang, Smola (2018), arXiv:1802.03916, of the
    mean rank. A generalised least-squares test says whether the new scores can be any mixture.

    *Calibration*: the probability at a score is as it was, and only how often each score comes has
    changed. The prevalence is the mean of the shares of positives in up to 200 cells of labelled
    rows, as arXiv:2505.05295 has it; scores need not be probabilities.

    All intervals have the errors of both samples. Neither assumption can be confirmed without
    labels: a change of the scores that is itself a mixture of the old ones looks like label shift,
    whatever it is, and nothing in scores speaks against calibration.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> random = np.random.default_rng(0)
    >>> y = (random.random(4000) < 0.3).astype(int)
    >>> before = cs.ScoreTable.from_predictions(y, y + random.normal(size=4000))
    >>> later = (random.random(2000) < 0.1).astype(int)
    >>> found = cs.watching.drift_unlabelled(before, later + random.normal(size=2000))
    >>> found.label_shift.low < 0.1 < found.label_shift.high, found.shift_refused
    (True, False)
    >>> found.calibration.low < 0.1
    False
    """
    level = check_level(level)
    table = labelled_table(before)
    new = CountedSample(_unlabelled(after, sample_weight, weights))
    amounts = {"fp_cost": fp_cost, "fn_cost": fn_cost, "tp_cost": tp_cost, "tn_cost": tn_cost}
    known = {"conditions": conditions, **amounts}
    known = {name: value for name, value in known.items() if value is not None}
    return found_without_labels(
        before, table, new, new.sample.rows, known=known, decision=decision, level=level
    )


def found_without_labels(
    before: Scores,
    table: ScoreTable,
    new: Counting,
    n_after: int,
    *,
    known: dict[str, Any],
    decision: SavedDecision | Decision | None,
    level: float,
) -> UnlabelledDrift:
    """`drift_unlabelled` on new rows that something counts."""
    if known:
        check_costs_only(known)
    cells = UnlabelledCells.of(table, new)
    money: tuple[Any, ...] = ()
    if known or decision is not None:
        money, cells = money_of(before, table, new, cells, known, decision=decision, level=level)
    gap, ends = cells.gap(level)
    shift, calibration = (cells.prevalence(name, level) for name in (LABEL_SHIFT, CALIBRATION))
    return UnlabelledDrift(
        before=table.prevalence,
        label_shift=shift,
        moments=cells.moments(level),
        calibration=calibration,
        gap=AssumptionGap(gap.value, gap.error, *ends),
        test=mixture_test(cells.shift.cells, shift.estimate),
        money=money,
        level=level,
        n_before=table.negatives.rows + table.positives.rows,
        n_after=n_after,
        notes=_notes(table, cells.outside),
        cells=cells,
    )


def labelled_table(before: Any) -> ScoreTable:
    """The table of the labelled rows, or `SourceError`."""
    if isinstance(before, ScoredRows) and before.groups is not None:
        raise SourceError("before has rows in groups, and rows must be independent here.")
    known = isinstance(before, (ScoredRows, ScoreCounts))
    source = source_of(before) if known else before
    return check_table("drift_unlabelled", source, needs=_NEEDS, own=True)


def _unlabelled(after: Any, sample_weight: Any, weights: str) -> ClassSample:
    """The scores of the new rows, in order."""
    counts = check_weights_are(weights) == "counts"
    if isinstance(after, (ScoreSource, ScoreCounts, ScoredRows)) and sample_weight is not None:
        raise SourceError("after has weights of its own: leave out sample_weight.")
    if isinstance(after, ScoreCounts):
        return _of_counts(after)
    if isinstance(after, ScoredRows):
        if after.groups is not None:
            raise SourceError("after has rows in groups, and rows must be independent here.")
        return ClassSample.sort(np.array(after.scores[sole_model(after)]), after.weight)
    if isinstance(after, ScoreSource):
        table = check_table("drift_unlabelled", after, needs=f"scores, or {_NEEDS}")
        return table.negatives + table.positives
    scores = doubles(score_array(after, "after"))
    if sample_weight is None:
        return ClassSample.sort(np.array(scores))
    own = vector(sample_weight, "sample_weight", WeightError).astype(float)
    if own.shape != scores.shape or not (own >= 0).all() or not 0 < own.sum() < np.inf:
        raise WeightError(
            "sample_weight must be one number of at least 0 for each score, not all zero."
        )
    found = ClassSample.sort(np.array(scores), own)
    return found.as_counts if counts else found


def _of_counts(after: ScoreCounts) -> ClassSample:
    """The scores of counts, whatever their class."""
    if after.binning is not None or after.lowest is not None:
        raise SourceError(
            "after has scores in bins or runs, and cells here have ends of their own: give counts "
            "of each score."
        )
    own = after.by_class
    mass, rows = (np.asarray(one, dtype=float).sum(axis=0) for one in (own.mass, own.rows))
    squares = mass if own.squares is None else own.squares.sum(axis=0)
    return ClassSample(after.low_ends, mass, int(rows.sum()), rows, squares)


def _notes(table: ScoreTable, outside: float) -> dict[str, str]:
    """What to know of new scores that are beyond all labelled ones, if many are."""
    if outside < _FEW:
        return {}
    low, high = table.score_range
    return {
        _OUTSIDE: f"{100 * outside:.2g} % of the new scores are beyond all labelled ones ({low:g} "
        f"to {high:g}), and are taken to be like those nearest to them."
    }
