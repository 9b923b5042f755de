"""Transformations of scores, learnt on one table and applied to any."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.transform.concavity import Concavities, concavities, repair_concavity
    from costspace.transform.maps import (
        ScoreMap,
        calibrate,
        convexify,
        evenly_spaced,
        mid_rates,
        pav,
    )

__all__ = [
    "Concavities",
    "ScoreMap",
    "calibrate",
    "concavities",
    "convexify",
    "evenly_spaced",
    "mid_rates",
    "pav",
    "repair_concavity",
]
