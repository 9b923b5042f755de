"""After the decision: what has changed since, in scores and in money, and what to do about it.

`drifting` compares two samples of scores, in `two_samples`; what keeping a rule costs is found in
`keeping`, by what decides. A watch begins in `beginning`: its state is `watch`, and `look` says
what that means, by `sequences` that are valid at every look. Rows whose labels have not come are
the matter of `unlabelled`: all is found from counts in `mixture_cells`.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.watching.beginning import begin_watch
    from costspace.watching.change import Change
    from costspace.watching.changes import Drift
    from costspace.watching.changes_by_segment import ChangesBySegment, SegmentChanges
    from costspace.watching.drifting import drift
    from costspace.watching.kept_by_segment import KeptBySegment, SegmentKept
    from costspace.watching.labels_came import LabelledError, LabelsCame
    from costspace.watching.look import Look
    from costspace.watching.mixture_test import MixtureTest
    from costspace.watching.money_drift import MoneyDrift
    from costspace.watching.score_shifts import ScoreShift
    from costspace.watching.sequences import MeanSequence, mean_sequence
    from costspace.watching.unlabelled import drift_unlabelled
    from costspace.watching.unlabelled_drift import AssumptionGap, UnlabelledDrift
    from costspace.watching.unlabelled_money import UnlabelledMoney
    from costspace.watching.unlabelled_prevalence import UnlabelledPrevalence
    from costspace.watching.watch import Watch

__all__ = [
    "AssumptionGap",
    "Change",
    "ChangesBySegment",
    "Drift",
    "KeptBySegment",
    "LabelledError",
    "LabelsCame",
    "Look",
    "MeanSequence",
    "MixtureTest",
    "MoneyDrift",
    "ScoreShift",
    "SegmentChanges",
    "SegmentKept",
    "UnlabelledDrift",
    "UnlabelledMoney",
    "UnlabelledPrevalence",
    "Watch",
    "begin_watch",
    "drift",
    "drift_unlabelled",
    "mean_sequence",
]
