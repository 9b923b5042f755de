"""Every figure, table and example that is reproduced, in the order of the documents."""

from costspace.reproduce import (
    brier_curves,
    cost_curves_lecture,
    roc_cost_curves,
    threshold_choice,
    voros_paper,
)
from costspace.reproduce.figure import Figure

FIGURES: tuple[Figure, ...] = (
    *roc_cost_curves.FIGURES,
    *cost_curves_lecture.FIGURES,
    *threshold_choice.FIGURES,
    *brier_curves.FIGURES,
    *voros_paper.FIGURES,
)
