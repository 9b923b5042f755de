"""After the decision: what has changed since, in scores and in money, and what to do about it.

`drifting` has the verb. Two samples of scores are compared in `two_samples`; what keeping a rule
costs is found in `keeping`, by what decides.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.watching.change import Change
    from costspace.watching.changes import Drift
    from costspace.watching.changes_by_segment import ChangesBySegment, SegmentChanges
    from costspace.watching.drifting import drift
    from costspace.watching.kept_by_segment import KeptBySegment, SegmentKept
    from costspace.watching.money_drift import MoneyDrift
    from costspace.watching.score_shifts import ScoreShift

__all__ = [
    "Change",
    "ChangesBySegment",
    "Drift",
    "KeptBySegment",
    "MoneyDrift",
    "ScoreShift",
    "SegmentChanges",
    "SegmentKept",
    "drift",
]
