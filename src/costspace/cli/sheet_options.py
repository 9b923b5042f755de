"""What `costspace report` is asked of a rule sheet."""

from dataclasses import dataclass
from typing import Annotated, final

from cyclopts import Group, Parameter

from costspace.errors import ConditionError


@Parameter(name="*", group=Group("Rule sheet", sort_key=4))
@final
@dataclass(frozen=True, kw_only=True)
class SheetOptions:
    """One page for those who check a rule.

    Attributes
    ----------
    sheet
        Write a rule sheet in place of the page: one page of A4 with the rule, its reasons and its
        limits, what it costs, and a fingerprint of the data.
    owner
        Who answers for the rule.
    purpose
        What the rule is for: the title of the sheet.
    period
        Column of dates or numbers: the sheet has its first and its last.
    """

    sheet: Annotated[bool, Parameter(negative="")] = False
    owner: str = ""
    purpose: str = ""
    period: str | None = None

    def check(self) -> None:
        """`ConditionError` if something is for a sheet, and there is none."""
        given = {"--owner": self.owner, "--purpose": self.purpose, "--period": self.period}
        for option, value in given.items():
            if value and not self.sheet:
                raise ConditionError(f"{option} is on a rule sheet: add --sheet.")
