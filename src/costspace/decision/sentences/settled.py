"""In words: how many rows would settle a decision, and what they are worth."""

from math import isnan

from costspace.decision.evidence.money_evidence import MoneyEvidence
from costspace.decision.evidence.settling import nearest_rival, rows_that_tell, value_of_two
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.words import alone_shown

_MOST = 1e9


def settled(choosing: Choosing, evidence: MoneyEvidence) -> str:
    """How many rows would tell the nearest rival apart, and what a wrong choice costs; "" if clear.

    Between the two, that is.
    """
    rival = nearest_rival(choosing, evidence)
    if rival is None or rival.more is None or isnan(rival.more.standard_error):
        return ""
    apart, error = abs(rival.more.difference), rival.more.standard_error
    needed = rows_that_tell(rival, choosing, evidence, apart)
    if needed <= evidence.n or error <= 0:
        return ""
    wrong = alone_shown(float(f"{value_of_two(apart, error):.2g}"))
    return f"{rows_shown(needed)} labelled rows would tell; being wrong costs at most {wrong}."


def rows_shown(needed: float) -> str:
    """A number of rows, with two digits."""
    return "More than a billion" if needed > _MOST else f"About {float(f'{needed:.2g}'):,.0f}"
