"""Reproduce the papers: compute, draw and compare, into a folder."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from costspace.errors import ConditionError, FileError
from costspace.output import write_bytes, write_csv
from costspace.reproduce.compare import Comparison, ComparisonRow, compare_figures
from costspace.reproduce.figure import Figure
from costspace.reproduce.registry import FIGURES

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

_DOTS_PER_INCH = 150


def reproduce_figures(
    ids: Sequence[str],
    directory: Path,
    *,
    progress: Callable[[float], None] = lambda _: None,
) -> Comparison:
    """Draw figures and write tables into a folder, and compare what the papers state.

    The folder, made if need be, gets ``ID.png`` for a figure, ``ID.csv`` for a table, and
    ``comparison.csv`` with every stated value.

    Parameters
    ----------
    ids : sequence of str
        Figures such as "000-fig2", or whole documents such as "000"; all, if empty.
    directory : Path
        Where to write.
    progress : callable
        Told the share of figures done, from 0 to 100.

    Returns
    -------
    Comparison

    Raises
    ------
    ConditionError
        If there is no such figure or document.
    FileError
        If a file cannot be written.
    """
    chosen = choose_figures(ids)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make {directory}: {error.strerror}.") from None
    rows: list[ComparisonRow] = []
    for done, figure in enumerate(chosen):
        progress(100 * done / len(chosen))
        if figure.draw is not None:
            write_bytes(directory / f"{figure.id}.png", _png(figure.draw()))
        if figure.table is not None:
            write_csv(directory / f"{figure.id}.csv", figure.table())
        rows += compare_figures([figure]).rows
    progress(100)
    comparison = Comparison(tuple(rows))
    write_csv(directory / "comparison.csv", comparison.columns())
    return comparison


def choose_figures(ids: Sequence[str]) -> list[Figure]:
    """The figures that ids of figures and of documents name, in the order of the documents."""
    known = {name for figure in FIGURES for name in (figure.id, figure.document)}
    for name in ids:
        if name not in known:
            near = get_close_matches(name, sorted(known), n=3, cutoff=0.4)
            hint = f" (near: {', '.join(near)})" if near else ""
            raise ConditionError(
                f"there is no figure {name!r}{hint}: ask for one such as 000-fig2, or for a whole "
                "document such as 000."
            )
    wanted = set(ids)
    return [f for f in FIGURES if not wanted or wanted & {f.id, f.document}]


def _png(picture: "Picture") -> bytes:
    content = BytesIO()
    picture.savefig(content, format="png", dpi=_DOTS_PER_INCH)
    return content.getvalue()
