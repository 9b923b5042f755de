"""Held-out rows that everything to be compared treats alike, counted together."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.fitting.fitted import FittedStrategy


def together(fits: Sequence[FittedStrategy]) -> list[FittedStrategy]:
    """The same on rows counted together, if they are many and there are few kinds of them.

    What is found of such rows is what is found of them one by one.
    """
    cuts: dict[str, FloatArray] = {}
    for fit in fits:
        own = fit.cuts
        if own is None:
            return _one_by_one(fits)
        if fit.strategy.model is not None:
            model = fit.strategy.whose_scores
            cuts[model] = np.union1d(cuts.get(model, own), own)
    judged = fits[0].task.held_out.counted(cuts)
    if judged is None:
        return _one_by_one(fits)
    return [fit.on(replace(fit.task, together=judged)) for fit in fits]


def _one_by_one(fits: Sequence[FittedStrategy]) -> list[FittedStrategy]:
    return [fit if fit.task.together is None else fit.on(fit.task.one_by_one) for fit in fits]
