"""A plot written to a file, whole or not at all."""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure, SubFigure

from costspace.errors import FileError
from costspace.output import whole_file

FORMS = ("png", "svg", "pdf")


def save_figure(figure: Figure | SubFigure, path: Path) -> None:
    """Write a figure in the form that the file's name ends in, and close it.

    `FileError` if that is none of PNG, SVG and PDF, or the file cannot be written.
    """
    form = path.suffix.lstrip(".").casefold()
    if form not in FORMS:
        raise FileError(f"{path} has no known ending: let it end in {', '.join(FORMS)}.")
    whole = figure.get_figure(root=True)
    with whole_file(path) as part:
        whole.savefig(part, format=form)
    plt.close(whole)
