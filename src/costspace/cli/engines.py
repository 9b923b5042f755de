"""The options that say what counts the rows of a file that is decided on."""

from dataclasses import dataclass
from typing import Annotated, final

from cyclopts import Parameter

from costspace.errors import ConditionError
from costspace.frames.columns import Columns
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

    def check(self, columns: Columns, *, by_case: bool, validate: bool = False) -> None:
        """`ConditionError` if what is asked needs rows in memory, and an engine is to count them.

        Parameters
        ----------
        columns : Columns
        by_case : bool
            Whether each case has costs of its own.
        validate : bool
            Whether strategies are judged on other rows.
        """
        if self.engine is None:
            if self.number is not None:
                raise ConditionError("--id is for rows that an engine counts: add --engine.")
            return
        needs = {
            "--weight": columns.weight is not None,
            "--groups": columns.groups is not None,
            "--validate": validate,
            "a column of costs": by_case,
        }
        for what, given in needs.items():
            if given:
                raise ConditionError(f"{what} needs rows in memory: leave out --engine.")
