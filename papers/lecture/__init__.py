"""I2ML, Evaluation: cost curves (lecture), after Drummond and Holte (2006), Machine Learning 65."""

from papers.document import Document, Figure
from papers.lecture import drawing, numbers

DOCUMENT = Document(
    "lecture",
    {
        "lines": Figure(numbers.lines, drawing.lines),
        "envelope": Figure(draw=drawing.envelope),
        "costs": Figure(draw=drawing.costs),
        "trivial": Figure(draw=drawing.trivial),
        "compare": Figure(numbers.compare, drawing.compare),
    },
)
