"""Which model is best by the number that fits what is known, in a sentence."""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from costspace.cli.console import printable
from costspace.cli.evaluation_table import Row, rows_of
from costspace.cli.fitting_metric import FEW, Subject, clause_of, subject_of, told_by, uses_of
from costspace.cli.lines import shortened
from costspace.decision.words import NONE
from costspace.evaluation import Evaluation

# How long a name is in a sentence.
_NAME = 30


class Answer(NamedTuple):
    """A text, and the numbers that it names."""

    text: str
    named: frozenset[str]


def answer_of(evaluation: Evaluation) -> str:
    """Which model is best, or the numbers of the only one."""
    return next(answers_of(evaluation)).text


def answers_of(evaluation: Evaluation) -> Iterator[Answer]:
    """The answer in full, and again with less each time; the last fits any page."""
    rows = {
        row.quantity: row
        for row in rows_of(evaluation)
        if all(cell.number != NONE for cell in row.cells)
    }
    condition = evaluation.condition
    lead, *others = uses_of(rows, condition.costs, condition.axis)
    clause = clause_of(lead, condition.costs, condition.axis)
    for first, rest in (
        (clause, {use.quantity: str(use) for use in others}),
        (clause, {use.quantity: use.quantity for use in others}),
        (clause, {}),
        (lead.quantity, {}),
    ):
        named = {lead.quantity: first, **rest}
        told = _told(evaluation, [(rows[name], text) for name, text in named.items()])
        yield Answer(told, frozenset(named))


def _told(evaluation: Evaluation, rows: Sequence[tuple[Row, str]]) -> str:
    """Who is best by each of some rows, which have a text each; or the numbers of the only one."""
    names = [printable(name) for name in evaluation.models]
    if len(names) == 1:
        return f"{shortened(names[0], _NAME)}: {'; '.join(itertools.starmap(_with_number, rows))}."
    exact = not evaluation.bounds()
    return told_by((_subject(names, row.best, exact=exact), text) for row, text in rows)


def _with_number(row: Row, text: str) -> str:
    """The text of a row, with its number behind its name."""
    return text.replace(row.quantity, f"{row.quantity} {row.cells[0].joined}", 1)


def _subject(names: Sequence[str], best: Sequence[int], *, exact: bool) -> Subject:
    """Who is best: of several one that is not known, unless their numbers are `exact`."""
    few = [shortened(names[i], _NAME, names) for i in best]
    if exact or len(best) == 1:
        return subject_of(few, all_are=len(best) == len(names))
    if len(best) <= FEW:
        one = " or ".join(few)
        return Subject(f"{one} is best", one)
    return Subject(f"One of {len(best)} models is best", f"one of {len(best)} models")
