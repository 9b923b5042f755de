"""SciPy's functions, loaded at the first call: loading them takes longer than loading NumPy."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred_calls

if TYPE_CHECKING or not deferred_calls(globals()):
    from scipy.special import (
        betainc,
        betaincc,
        betaincinv,
        betaln,
        erfc,
        expit,
        kolmogorov,
        log_expit,
        log_ndtr,
        logit,
        ndtr,
        ndtri,
        pdtr,
        stdtr,
        stdtrit,
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
