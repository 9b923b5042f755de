"""Scores that rank the wrong way round, by more than chance."""

from collections.abc import Mapping

from costspace.errors import ConditionError, LabelError
from costspace.estimates.estimating import estimate_on
from costspace.estimates.model_samples import ModelSample
from costspace.metrics.ranking import auc_statistic
from costspace.samples.turned import turned_from


def is_reversed(sample: ModelSample) -> bool:
    """Whether positives rank below negatives: the 95 % interval of the AUC is below 1/2.

    It is not where there is none: for a class of one row or in one group, which may rank last by
    chance, and for counts that are no whole numbers.
    """
    if sample.table.auc >= 0.5:
        return False
    try:
        return estimate_on(auc_statistic(), sample).high < 0.5
    except (ConditionError, LabelError):
        return False


def reversal_told(aucs: Mapping[str, float]) -> str:
    """The sentence on models that are so, by their AUCs; empty of none."""
    if not aucs:
        return ""
    found = ", ".join(f"{name} (AUC {auc:.4g})" for name, auc in aucs.items())
    # What is turned already is to be turned back.
    turned = all(turned_from(name) is not None for name in aucs)
    how = "--score=NAME" if turned else "--score=-NAME, or 1-NAME of probabilities"
    return (
        f"{found} {'ranks' if len(aucs) == 1 else 'rank'} positives below negatives: is the right "
        f"class positive? If higher scores mean fewer positives, change their sign ({how})."
    )


def reversal_of(name: str, sample: ModelSample) -> str:
    """The same on one model, empty unless it is so."""
    return reversal_told({name: sample.table.auc} if is_reversed(sample) else {})
