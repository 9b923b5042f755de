"""After the decision: what has changed since, in scores and in money, and what to do about it.

`drifting` compares two samples of scores, in `two_samples`; what keeping a rule costs is found in
`keeping`, by what decides. A watch begins in `beginning`: its state is `watch`, and `look` says
what that means, by `sequences` that are valid at every look.
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
    from costspace.watching.look import Look
    from costspace.watching.money_drift import MoneyDrift
    from costspace.watching.score_shifts import ScoreShift
    from costspace.watching.sequences import MeanSequence, mean_sequence
    from costspace.watching.watch import Watch

__all__ = [
    "Change",
    "ChangesBySegment",
    "Drift",
    "KeptBySegment",
    "Look",
    "MeanSequence",
    "MoneyDrift",
    "ScoreShift",
    "SegmentChanges",
    "SegmentKept",
    "Watch",
    "begin_watch",
    "drift",
    "mean_sequence",
]
