"""What `costspace report` is told of a rule for those who check it."""

from dataclasses import dataclass
from typing import Annotated, final

from cyclopts import Group, Parameter


@Parameter(name="*", group=Group("On paper", sort_key=4))
@final
@dataclass(frozen=True, kw_only=True)
class SheetOptions:
    """For those who check a rule.

    Attributes
    ----------
    sheet
        Write a rule sheet in place of the page: one page of A4 with the rule, its reasons and its
        limits, what it costs, and a fingerprint of the data.
    owner
        Who answers for the rule.
    purpose
        What the rule is for: the title.
    period
        Column of dates or numbers, whose first and last are told beside the data.
    """

    sheet: Annotated[bool, Parameter(negative="")] = False
    owner: str = ""
    purpose: str = ""
    period: str | None = None
