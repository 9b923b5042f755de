"""A figure or table of a paper, as something that costspace computes and draws."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, final

from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

# Those of a table, by their heads.
Columns: TypeAlias = Mapping[str, NDArray[Any]]


@final
@dataclass(frozen=True)
class Figure:
    """A figure, table or example of a paper.

    Attributes
    ----------
    id : str
        Document and figure, as in "000-fig2".
    title : str
        What it shows.
    compute : callable
        Takes nothing and gives the figure's numbers by name, computed from its data.
    draw : callable or None
        Takes nothing and gives a new matplotlib figure with the paper's content.
    table : callable or None
        Takes nothing and gives the columns of the paper's table.

    Examples
    --------
    >>> Figure("000-fig2", "Seven scores", lambda: {"auc": 0.5}).values()
    {'000-fig2/auc': 0.5}
    """

    id: str
    title: str
    compute: Callable[[], Mapping[str, float]] = dict
    draw: Callable[[], "Picture"] | None = None
    table: Callable[[], Columns] | None = None

    @property
    def document(self) -> str:
        """The document that it is in, as in "000"."""
        return self.id.partition("-")[0]

    def values(self) -> dict[str, float]:
        """The computed numbers, by the ids under which papers state them."""
        return {f"{self.id}/{name}": float(value) for name, value in self.compute().items()}
