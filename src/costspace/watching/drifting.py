"""The verb: what has changed between two samples of a model's scores, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import ArrayLike

from costspace.arrays import underflow_to_zero
from costspace.costs import CostDistribution, Uniform
from costspace.costs.scipy_frozen import as_costs
from costspace.deferral import deferred_calls
from costspace.errors import check_kind, without_data_warnings
from costspace.estimates.interval import check_level
from costspace.estimates.multiplicity import check_correction
from costspace.estimates.quantities import QUANTITIES, statistic_of_quantity
from costspace.samples.rows import ScoredRows
from costspace.watching.changes import Drift
from costspace.watching.clusters import clusters_of
from costspace.watching.two_samples import Scores, compared

# What decides is loaded where money is asked for.
if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.decision.applying.saved import SavedDecision
    from costspace.decision.decision import Decision
    from costspace.deployment.amounts import Uncertain
    from costspace.deployment.conditions import JointConditions
    from costspace.deployment.review import Review
    from costspace.watching.comparing_segments import changes_by_segment
    from costspace.watching.keeping import money_drift
    from costspace.watching.segment_pairs import divided_by


@underflow_to_zero
def drift(
    before: Scores,
    after: Scores,
    *,
    quantities: str | Iterable[str] = QUANTITIES,
    costs: CostDistribution = Uniform(),
    level: float = 0.95,
    correction: str | None = "holm",
    prevalence: float | None = None,
    conditions: JointConditions | None = None,
    fp_cost: Uncertain = None,
    fn_cost: Uncertain = None,
    tp_cost: Uncertain = None,
    tn_cost: Uncertain = None,
    review: Review | None = None,
    decision: SavedDecision | Decision | None = None,
    groups: tuple[ArrayLike, ArrayLike] | None = None,
    segments: tuple[Any, Any] | None = None,
) -> Drift:
    """Compare a model's scores on one sample with those on another, such as a later month.

    Parameters
    ----------
    before, after : ScoreTable, ScoreCounts or ScoredRows
        Scores of one model on independent rows of both classes.
    quantities : str, or several
        What to compare: "prevalence", "calibration_in_the_large" (the mean score minus the
        prevalence), names of metrics such as "brier", and of expected losses such as
        "expected_loss.cost.optimal". All of them by default.
    costs : CostDistribution, default Uniform()
        Distribution of conditions that weights every expected loss.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        Adjustment of p-values for multiple comparisons; all changes and the shifts of both
        classes' scores are one family.
    prevalence : float in (0, 1), optional
        Share of positives at deployment for metrics, losses and money on both samples, so that they
        change only with the scores within the classes; each sample's own by default.
    conditions, fp_cost, fn_cost, tp_cost, tn_cost, review
        What decisions cost, as `decide` has it: then it is told what keeping the rule costs that
        `decide` takes on the sample before.
    decision : SavedDecision or Decision, optional
        The rule that is kept, instead. Its mean costs count if no others are given, its limits for
        other rules too, and its prevalence if that was given when it was decided.
    groups : pair of arrays, optional
        The cluster of each row of both samples (a customer), by any names: rows of a cluster may
        depend on each other, in both samples. Both are ScoredRows then.
    segments : pair of arrays, mappings of str to arrays, or data frames, optional
        The segment of each row of both samples, as `Decision.by` has it: then `segments` has what
        keeping the rule costs in each, or without costs what has changed there. Both are ScoredRows
        then.

    Returns
    -------
    Drift
        A quantity that has no meaning for the scores is left out, with the reason in the notes.
        If few rows decide, its note has the coverage of such intervals in simulations.

    Raises
    ------
    LabelError
        If a class is missing in a sample, or has one row or group.
    ConditionError, SourceError
        If a name, the level, the correction, the prevalence, what decisions cost or a sample is
        invalid; or if the rule that is kept is no rule by score, or scores are binned or weighted
        in tables, and money is asked for.
    InfeasibleError
        If nothing keeps to the limits of the decision.

    Notes
    -----
    Differences are `after` minus `before`. Their variance is the sum of both samples' variances,
    each from the influences of its rows as in `estimate`; optimism is subtracted, as in `compare`.
    Shares of classes vary as with independent rows, except on the skew axis and if the prevalence
    is given.

    Binned scores give only bounds on a quantity: its values at the best and the worst scores that
    the bins allow. An interval then extends from the lower end for the least difference to the
    upper end for the largest, with the larger of the standard errors at best and worst, and the
    p-value is the largest between them. Both are more conservative for wider bins.

    A change of the distribution of scores within a class is tested by the two-sample
    Kolmogorov-Smirnov statistic, with its asymptotic p-value, which is conservative for small
    samples and for tied scores; weighted rows count by their effective size.

    In clusters the variance of a difference is that of what each cluster adds to it in both
    samples together: Obuchowski (1997), Biometrics 53. Groups that rows have already are taken for
    others in each sample. The distance of scores has no part of what is common to both samples, so
    that its p-value is conservative where clusters stay alike.

    Money is that of `decide` on the sample after, with the kept rule as the rule in use: the best
    one is fitted on its other folds, each row judged by a rule that others chose. A table is dealt
    to folds at random, which is what folds of its rows are.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 0, 0, 1, 1]
    >>> before = cs.ScoreTable.from_predictions(y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    >>> after = cs.ScoreTable.from_predictions(y, [0.3, 0.2, 0.5, 0.4, 0.7, 0.6, 0.4, 0.8])
    >>> found = cs.drift(before, after, quantities=["prevalence", "auc"])
    >>> [(one.quantity, round(one.difference, 4), round(one.p, 3)) for one in found.changes]
    [('prevalence', 0.0, 1.0), ('auc', -0.2667, 0.377)]

    What keeping the rule costs:

    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> after = cs.ScoreTable.from_predictions(y, [one / 2 for one in s])
    >>> found = cs.drift(before, after, quantities="auc", fp_cost=1, fn_cost=2)
    >>> found.money.needed, round(found.money.saving.difference)
    (True, 375)
    """
    level = check_level(level)
    check_correction(correction)
    check_kind("quantities", quantities, str, Iterable)
    names = (quantities,) if isinstance(quantities, str) else tuple(quantities)
    costs = as_costs(costs)
    statistics = {name: statistic_of_quantity(name, costs) for name in names}
    divided = None if segments is None else divided_by(segments, before, after)
    clusters = clusters_of(before, after, groups)
    found = compared(
        before,
        after,
        statistics,
        costs=costs,
        level=level,
        correction=correction,
        prevalence=prevalence,
        clusters=clusters,
    )
    amounts = {"fp_cost": fp_cost, "fn_cost": fn_cost, "tp_cost": tp_cost, "tn_cost": tn_cost}
    known = {"conditions": conditions, "review": review, **amounts}
    known = {name: value for name, value in known.items() if value is not None}
    if not known and decision is None:
        if divided is None:
            return found
        with without_data_warnings():
            changes = changes_by_segment(
                cast(ScoredRows, before),
                cast(ScoredRows, after),
                statistics,
                divided,
                level=level,
                correction=correction,
                prevalence=prevalence,
                groups=groups,
            )
        return replace(found, segments=changes)
    if prevalence is not None:
        known["prevalence"] = prevalence
    pair = (before, after) if clusters is None else (clusters[0].rows, clusters[1].rows)
    if clusters is not None and divided is not None:
        divided = divided.counting(cast(ScoredRows, before), cast(ScoredRows, after))
    money, kept = money_drift(
        pair[0], pair[1], known, decision=decision, level=level, segments=divided
    )
    return replace(found, money=money, segments=kept)
