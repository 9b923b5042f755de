"""After the decision: what has changed since, in scores and in money, and what to do about it.

`drifting` has the verb, and `unlabelled` that of rows whose labels have not come. Two samples of
scores are compared in `two_samples`; what keeping a rule costs is found in `keeping`, by what
decides. Without labels all is found from counts in `mixture_cells`.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.watching.changes import Change, Drift
    from costspace.watching.drifting import drift
    from costspace.watching.labels_came import LabelledError, LabelsCame
    from costspace.watching.mixture_test import MixtureTest
    from costspace.watching.money_drift import MoneyDrift
    from costspace.watching.score_shifts import ScoreShift
    from costspace.watching.unlabelled import drift_unlabelled
    from costspace.watching.unlabelled_drift import AssumptionGap, UnlabelledDrift
    from costspace.watching.unlabelled_money import UnlabelledMoney
    from costspace.watching.unlabelled_prevalence import UnlabelledPrevalence

__all__ = [
    "AssumptionGap",
    "Change",
    "Drift",
    "LabelledError",
    "LabelsCame",
    "MixtureTest",
    "MoneyDrift",
    "ScoreShift",
    "UnlabelledDrift",
    "UnlabelledMoney",
    "UnlabelledPrevalence",
    "drift",
    "drift_unlabelled",
]
