"""Operating paths and their loss curves.

A path gives the (FPR, FNR) of a threshold choice method at every operating condition; a loss curve
is the loss along it. On a finite sample both are exact: breakpoints, and between them rates that
are linear in the condition, so losses of degree at most 2. Where rates bend, as for analytic score
models, they are functions, and integrals have a stated tolerance.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.curve.contingency import ContingencyTable, contingency_table
    from costspace.curve.crossing import (
        Envelope,
        SignIntervals,
        crossings,
        lower_envelope,
        sign_intervals,
    )
    from costspace.curve.lines import CostLines, cost_lines
    from costspace.curve.loss import LossCurve, PiecewiseQuadratic, weighted_sum
    from costspace.curve.path import OperatingPath
    from costspace.curve.points import OperatingPoints
    from costspace.curve.reviewed import with_review
    from costspace.curve.smooth import SmoothCurve, SmoothPath

__all__ = [
    "ContingencyTable",
    "CostLines",
    "Envelope",
    "LossCurve",
    "OperatingPath",
    "OperatingPoints",
    "PiecewiseQuadratic",
    "SignIntervals",
    "SmoothCurve",
    "SmoothPath",
    "contingency_table",
    "cost_lines",
    "crossings",
    "lower_envelope",
    "sign_intervals",
    "weighted_sum",
    "with_review",
]
