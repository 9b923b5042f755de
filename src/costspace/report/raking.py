"""Many rows as a page holds them: counts of their scores, and some of the rows."""

from costspace.decision.held_out.counts import HeldOutCounts
from costspace.summaries.raked import RakedRows
from costspace.summaries.raking import raked

# Of three models; more share them. A page of 10^6 rows is to stay below 2 MB.
CELLS, _SHARING = 2_000, 3
# About so many rows of each class tell how models' scores go together.
_OF_EACH_CLASS = 5_000


def raked_rows(held_out: HeldOutCounts) -> RakedRows:
    """The counts of the rows in few cells, and some of the rows by those."""
    source = held_out.source
    cells = CELLS * _SHARING // max(len(source.models), _SHARING)
    return raked(source, cells=cells, of_each_class=_OF_EACH_CLASS)
