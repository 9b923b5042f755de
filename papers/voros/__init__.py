"""Ratigan and Cowen (2024), The VOROS: lifting ROC curves to 3D."""

from papers.document import Document, Figure
from papers.voros import drawing, numbers, tables

DOCUMENT = Document(
    "voros",
    {
        "fig1": Figure(draw=drawing.figure_1),
        "fig2": Figure(draw=drawing.figure_2),
        "fig3": Figure(numbers.figure_3, drawing.figure_3),
        "ex25": Figure(numbers.example_25, table=tables.example_25),
        "table1": Figure(numbers.table_1, table=tables.table_1),
        "fig4": Figure(draw=drawing.figure_4),
        "table2": Figure(numbers.table_2, table=tables.table_2),
        "table3": Figure(numbers.table_3, table=tables.table_3),
        "fig5": Figure(draw=drawing.figure_5),
        "table4": Figure(numbers.table_4, table=tables.table_4),
        "fig6": Figure(numbers.figure_6, drawing.figure_6),
        "table5": Figure(numbers.table_5, table=tables.table_5),
        "fig7": Figure(draw=drawing.figure_7),
    },
)
