"""Special functions under SciPy's names: SciPy's own, and a few that load without it.

Loading SciPy's takes longer than all else that a first decision does. So the functions that a
decision calls are here, and SciPy's are loaded at the first call.
"""

from typing import TYPE_CHECKING

from costspace.deferral import deferred_calls
from costspace.special.log_odds import expit, logit
from costspace.special.normal import ndtr, ndtri
from costspace.special.student import stdtr, stdtrit

if TYPE_CHECKING or not deferred_calls(globals()):
    from scipy.special import (
        betainc,
        betaincc,
        betaincinv,
        betaln,
        erfc,
        gammaincc,
        kolmogorov,
        log_expit,
        log_ndtr,
        pdtr,
        xlog1py,
        xlogy,
    )

__all__ = [
    "betainc",
    "betaincc",
    "betaincinv",
    "betaln",
    "erfc",
    "expit",
    "gammaincc",
    "kolmogorov",
    "log_expit",
    "log_ndtr",
    "logit",
    "ndtr",
    "ndtri",
    "pdtr",
    "stdtr",
    "stdtrit",
    "xlog1py",
    "xlogy",
]
