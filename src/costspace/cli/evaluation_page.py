"""An evaluation on one screen: which model is best, the numbers, and what they rest on."""

from collections.abc import Collection, Iterator

from rich.console import Console

from costspace.choices.doubts import DOUBTS, REVERSED
from costspace.cli.console import printable, say
from costspace.cli.evaluation_answer import answer_of, answers_of
from costspace.cli.evaluation_table import goes_beside, print_all, print_table, shown_of
from costspace.cli.lines import LINES, each_wrapped, fitting, paragraph, shortened, wrapped
from costspace.decision.words import listed
from costspace.evaluation import Evaluation
from costspace.metrics import LARGER_IS_BETTER

_MOST_ANSWER, _MOST_NOTES, _MOST_READING = 3, 4, 5
_NAME, _PATH = 30, 40
_LEFT_OUT = "More warnings: --details."
_MORE = "More: --details. Full precision: --json."
_TESTED = " Is it chance? costspace compare."
# Between the answer, the table and the lines below it.
_EMPTY = 2


def print_evaluation(
    evaluation: Evaluation, console: Console, *, notes: list[str], tested: bool
) -> None:
    """Print which model is best, as many numbers as fit, and what they rest on.

    Of a saved table no difference can be `tested`.
    """
    said = {
        "headed": goes_beside(evaluation),
        "tested": tested,
        "bold": console.is_terminal and len(evaluation.models) > 1,
    }
    # What the table shows depends on its room, and its room on the longest that the foot may be.
    most = foot_lines(evaluation, notes, LARGER_IS_BETTER, **said)
    room = LINES - len(most) - _EMPTY
    answer = _answer_lines(evaluation, room)
    shown = {row.quantity for row in shown_of(evaluation, room - len(answer))}
    say(console, *answer, style="bold")
    console.print()
    print_table(evaluation, console, room - len(answer))
    console.print()
    say(console, *foot_lines(evaluation, notes, shown, **said), style="dim")


def print_evaluation_details(evaluation: Evaluation, console: Console, notes: list[str]) -> None:
    """Print which model is best, all numbers, and all there is to say of them."""
    say(console, *wrapped(answer_of(evaluation)), style="bold")
    print_all(evaluation, console)
    console.print()
    assumed = " ".join(_assumed(evaluation, LARGER_IS_BETTER, headed=True))
    texts = [*evaluation.gaps(), *evaluation.doubts(), *notes, assumed, *evaluation.remarks()]
    say(console, *each_wrapped(texts))


def _answer_lines(evaluation: Evaluation, room: int) -> list[str]:
    """The most of the answer that has its lines, and names nothing that the table leaves out."""
    lines: list[str] = []
    for answer in answers_of(evaluation):
        lines = wrapped(answer.text)
        shown = {row.quantity for row in shown_of(evaluation, room - len(lines))}
        if len(lines) <= _MOST_ANSWER and answer.named <= shown:
            break
    return lines


def foot_lines(
    evaluation: Evaluation,
    notes: list[str],
    shown: Collection[str],
    *,
    headed: bool,
    tested: bool,
    bold: bool = False,
) -> list[str]:
    """What is doubtful, what was assumed, how to read the table, and where more is.

    Of what is `shown` it names what is better if larger. A `headed` table says itself what losses
    it has; the best numbers are `bold`.
    """
    all_doubts = [*_doubts(evaluation), *notes]
    doubts = fitting(all_doubts, _MOST_NOTES)
    if len(doubts) < len(all_doubts):
        doubts.append(_LEFT_OUT)
    said = [*_assumed(evaluation, shown, headed=headed), *_ends(evaluation)]
    reading = paragraph([*said, *(["Bold is best."] if bold else [])], _MOST_READING)
    several = len(evaluation.models) > 1
    last = f"{_MORE}{_TESTED if tested and several else ''}"
    return [*each_wrapped(doubts), *reading, *wrapped(last)]


def _doubts(evaluation: Evaluation) -> Iterator[str]:
    """What scores look like, and what there is no number of, once for all models alike."""
    found: dict[str, list[str]] = {}
    for name, model in evaluation.models.items():
        notes = dict(model.notes)
        if turned := notes.pop(REVERSED, ""):
            yield turned
        gaps = [why for what, why in notes.items() if what not in DOUBTS]
        doubts = [why for what, why in notes.items() if what in DOUBTS]
        # What to do about scores that are no probabilities is told once.
        gap = [f"{why.partition(':')[0]}." if doubts else why for why in gaps[:1]]
        for text in (*doubts, *gap):
            found.setdefault(text, []).append(shortened(printable(name), _NAME))
    for text, names in found.items():
        more = [f"{len(names) - 2} more"] if len(names) > 3 else []
        yield f"{listed([*names[:2], *more] if more else names)}: {text}"


def _assumed(evaluation: Evaluation, shown: Collection[str], *, headed: bool) -> Iterator[str]:
    """What was assumed, and which numbers are good."""
    source = evaluation.source
    path = "" if source.path is None else f"{shortened(printable(source.path), _PATH)}: "
    yield (
        f"{path}{source.rows:,} rows ({source.negatives:,} negative, {source.positives:,} "
        f"positive), prevalence {evaluation.condition.prevalence:.3g}."
    )
    larger = listed(sorted(LARGER_IS_BETTER.intersection(shown)))
    yield f"Larger is better for {larger}, else smaller."
    if not headed:
        condition = evaluation.condition
        yield f"Loss: expected, on the {condition.axis} axis, {condition.costs}."


def _ends(evaluation: Evaluation) -> Iterator[str]:
    """What intervals and bounds say."""
    if evaluation.bounds():
        yield "Scores are binned: the exact number is within the bounds, for certain."
    known = {name: model.intervals for name, model in evaluation.models.items() if model.intervals}
    if not known:
        return
    few = [shortened(printable(name), _NAME) for name, one in known.items() if one.note]
    if few:
        of_models = listed(few) if len(few) <= 3 else f"{len(few)} models"
        yield f"Intervals of {of_models} may be too narrow: few rows overlap."
    first = next(iter(known.values()))
    of = "groups of rows" if first.clustered else "rows"
    yield f"With {100 * first.level:g} % intervals, of independent {of}."
    estimates = [one for by in evaluation.intervals().values() for of in by.values() for one in of]
    if any(round(one.bias, 6) for one in estimates if one):
        yield "Thresholds chosen on the rows: intervals are corrected for optimism."
