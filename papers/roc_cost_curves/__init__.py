"""Hernandez-Orallo, Flach, Ferri (2011), Towards ROC curves in cost space, arXiv:1107.5930."""

from papers.document import Document, Figure
from papers.roc_cost_curves import drawing, numbers

DOCUMENT = Document(
    "roc_cost_curves",
    {
        "fig1": Figure(numbers.figure_1, drawing.figure_1),
        "fig2": Figure(numbers.figure_2, drawing.figure_2),
        "fig3": Figure(numbers.figure_3, drawing.figure_3),
        "fig4": Figure(numbers.figure_4, drawing.figure_4),
        "fig5": Figure(numbers.figure_5, drawing.figure_5),
        "fig6": Figure(numbers.figure_6, drawing.figure_6),
        "fig7": Figure(numbers.figure_7, drawing.figure_7),
    },
)
