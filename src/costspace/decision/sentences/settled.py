"""In words: how many rows would settle a decision, and what they are worth."""

from math import inf, isnan

from costspace.decision.evidence.money_evidence import MoneyEvidence
from costspace.decision.evidence.settling import (
    POWER,
    nearest_rival,
    rows_that_tell,
    value_of_two,
)
from costspace.decision.evidence.value_of_rows import Settling
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.sentences.terms import named
from costspace.decision.words import alone_shown, roughly_shown

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
    wrong = roughly_shown(value_of_two(apart, error))
    needed_told = f"{rows_shown(needed)} labelled rows would tell"
    return f"{needed_told}; being wrong costs at most {wrong} on average."


def settling_told(found: Settling | None) -> tuple[str, ...]:
    """What would settle a decision, and what more rows are worth, in sentences."""
    if found is None:
        return ("All others are told apart: no more rows are needed.",)
    against = named(found.against)
    needed = f"No number of rows tells {against} apart: it costs the same."
    if found.needed < inf:
        needed = (
            f"{rows_shown(found.needed)} labelled rows in all would tell a saving of "
            f"{alone_shown(found.saving)} against {against} with a chance of {100 * POWER:g} %, "
            f"and there are {found.rows:,}."
        )
    wrong = f"A wrong choice costs at most {roughly_shown(found.wrong)} per 1,000 cases on average."
    if found.more_rows is None or found.worth is None:
        return needed, wrong
    more = (
        f"{found.more_rows:,} more labelled rows are worth at most {roughly_shown(found.worth)} "
        "per 1,000 cases, for choosing alone."
    )
    return needed, wrong, more


def rows_shown(needed: float) -> str:
    """A number of rows, with two digits."""
    return "More than a billion" if needed > _MOST else f"About {float(f'{needed:.2g}'):,.0f}"
