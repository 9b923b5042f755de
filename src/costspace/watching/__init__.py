"""After the decision: what has changed since, in scores and in money, and what to do about it.

`drifting` has the verb. Two samples of scores are compared in `two_samples`; what keeping a rule
costs is found in `keeping`, by what decides.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.watching.changes import Change, Drift
    from costspace.watching.drifting import drift
    from costspace.watching.money_drift import MoneyDrift
    from costspace.watching.score_shifts import ScoreShift

__all__ = ["Change", "Drift", "MoneyDrift", "ScoreShift", "drift"]
