"""The options that say what counts the rows of a file that is decided on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, final

from cyclopts import Parameter

from costspace.errors import ConditionError
from costspace.frames.engine_names import Engine


@Parameter(name="*")
@final
@dataclass(frozen=True, kw_only=True)
class CountedBy:
    """What counts the rows.

    Attributes
    ----------
    engine
        Engine that counts the rows, also of a file that fits in memory. dask and spark read
        Parquet; spark joins the running session, or starts a local one.
    number
        Column of a unique whole number in each row, which sets the row's fold. Default: the order
        of rows sets it, which spark does not keep.
    """

    engine: Engine | None = None
    number: Annotated[str | None, Parameter(name="--id")] = None

    def check(self, needs: Mapping[str, object]) -> None:
        """`ConditionError` if an engine is to count rows that something needs in memory.

        What is needed goes by name; None is not asked for.
        """
        if self.engine is None:
            if self.number is not None:
                raise ConditionError("--id is for rows that an engine counts: add --engine.")
            return
        for what, given in needs.items():
            if given is not None:
                raise ConditionError(f"{what} needs rows in memory: leave out --engine.")
