"""Hernandez-Orallo, Flach, Ferri (2012), Threshold choice methods, JMLR 13, arXiv:1112.2640."""

from collections.abc import Callable, Mapping
from functools import partial

from papers.document import Document, Figure
from papers.threshold_choice import drawing, numbers, tables


def _model(figure: int, compute: Callable[[], Mapping[str, float]] = dict) -> Figure:
    """A figure of the appendix, which all are drawn alike."""
    return Figure(compute, partial(drawing.draw_model, figure))


DOCUMENT = Document(
    "threshold_choice",
    {
        "fig1": Figure(draw=drawing.figure_1),
        "table1": Figure(numbers.table_1, table=tables.table_1),
        "fig2": Figure(draw=drawing.figure_2),
        "table2": Figure(numbers.table_2, table=tables.table_2),
        "table3": Figure(numbers.table_3, table=tables.table_3),
        "fig3": Figure(draw=drawing.figure_3),
        "table4": Figure(table=tables.table_4),
        "table5": Figure(table=tables.table_5),
        "fig4": Figure(numbers.figure_4, table=tables.figure_4),
        "table6": Figure(numbers.table_6, table=tables.table_6),
        "fig5": _model(5, numbers.figure_5),
        "fig6": _model(6, partial(numbers.intervals, 6)),
        "fig7": _model(7, partial(numbers.intervals, 7)),
        "fig8": _model(8, numbers.figure_8),
        "fig9": _model(9, numbers.figure_9),
        "fig10": _model(10),
        "fig11": _model(11, partial(numbers.diagonal, 11)),
        "fig12": _model(12, partial(numbers.diagonal, 12)),
        "fig13": _model(13, partial(numbers.one_interval, 13, 1)),
        "fig14": _model(14, numbers.figure_14),
        "fig15": _model(15, partial(numbers.one_interval, 15, 2)),
    },
)
