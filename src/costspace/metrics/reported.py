"""The metrics in every evaluation, by their names in reports and JSON."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from costspace.metrics.calibration import miscalibration, refinement_loss
from costspace.metrics.normalised import h_measure
from costspace.metrics.probabilities import (
    brier_score,
    macro_brier_score,
    macro_mean_absolute_error,
    mean_absolute_error,
)
from costspace.metrics.ranking import auc, auc_hull
from costspace.metrics.traits import traits_of
from costspace.metrics.volume import voros

METRICS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "auc": auc,
        "auc_hull": auc_hull,
        "brier": brier_score,
        "macro_brier": macro_brier_score,
        "mae": mean_absolute_error,
        "macro_mae": macro_mean_absolute_error,
        "miscalibration": miscalibration,
        "refinement_loss": refinement_loss,
        "h_measure": h_measure,
        "voros": voros,
    }
)
LARGER_IS_BETTER = frozenset(
    name for name, metric in METRICS.items() if traits_of(metric).larger_is_better
)
