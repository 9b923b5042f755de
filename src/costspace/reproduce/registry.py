"""Every figure, table and example that is reproduced, in the order of the documents."""

from costspace.reproduce.brier_curves import numbers as brier_curves
from costspace.reproduce.figure import Figure
from costspace.reproduce.lecture import numbers as lecture
from costspace.reproduce.roc_cost_curves import numbers as roc_cost_curves
from costspace.reproduce.threshold_choice import numbers as threshold_choice
from costspace.reproduce.voros import numbers as voros

FIGURES: tuple[Figure, ...] = (
    *roc_cost_curves.FIGURES,
    *lecture.FIGURES,
    *threshold_choice.FIGURES,
    *brier_curves.FIGURES,
    *voros.FIGURES,
)
