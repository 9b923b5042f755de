"""`costspace apply`: what a saved decision does with the rows of a file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, final

from cyclopts import Group, Parameter
from rich.console import Console
from rich.text import Text

from costspace.cli.answer import GateOptions, give
from costspace.cli.console import check_output, printable, progress, say, told_written
from costspace.cli.decide_options import parse_actions
from costspace.cli.lines import each_wrapped, shortened, tell_on_stderr, wrapped
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalCost, OptionalReal, OptionalWhole
from costspace.cli.options import OptionalOutput
from costspace.cli.tables import table_of
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.conditions_seen import correct_costs_shown
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision, load_decision
from costspace.decision.words import alone_shown
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError
from costspace.frames.flagging import AppliedFiles, apply_to_files, form_of
from costspace.frames.paths import first_bytes
from costspace.special import betainc

_NAME = 40
_DONE = {FLAG: "flagged", PASS: "passed", REVIEW: "reviewed"}
# That so many are flagged is no longer taken for chance.
_BY_CHANCE = 0.05
_Cost = Annotated[OptionalCost, Parameter(allow_leading_hyphen=True)]


@Parameter(name="*", group=Group("Costs and prevalence, where the rule follows them", sort_key=2))
@final
@dataclass(frozen=True, kw_only=True)
class SeenOptions:
    """What is known when the rule is applied.

    Attributes
    ----------
    fp_cost
        Cost of a false positive.
    fn_cost
        Cost of a false negative.
    tp_cost
        Cost of a true positive, negative for a gain. Default: that of the decision.
    tn_cost
        Cost of a true negative, negative for a gain. Default: that of the decision.
    fp_cost_column
        Column of the cost of a false positive in each case.
    fn_cost_column
        Column of the cost of a false negative in each case.
    tp_cost_column
        Column of the cost of a true positive in each case.
    tn_cost_column
        Column of the cost of a true negative in each case.
    prevalence
        Share of positives.
    prevalence_column
        Column of the share of positives where each case comes from.
    """

    fp_cost: _Cost = None
    fn_cost: _Cost = None
    tp_cost: _Cost = None
    tn_cost: _Cost = None
    fp_cost_column: str | None = None
    fn_cost_column: str | None = None
    tp_cost_column: str | None = None
    tn_cost_column: str | None = None
    prevalence: Annotated[OptionalReal, Parameter(allow_leading_hyphen=True)] = None
    prevalence_column: str | None = None

    def amounts(self) -> dict[str, float | str | None]:
        """Each as a number or the name of a column, or `ConditionError` if it is given twice."""
        found: dict[str, float | str | None] = {}
        for name in (*COSTS, "prevalence"):
            number, column = getattr(self, name), getattr(self, f"{name}_column")
            if number is not None and column is not None:
                option = f"--{name.replace('_', '-')}"
                raise ConditionError(f"{option} and {option}-column are both given: give one.")
            found[name] = number if column is None else column
        return found


def apply(
    decision: Path,
    file: Path | None = None,
    /,
    *,
    sql: Literal["standard", "duckdb", "spark"] | None = None,
    score: str | None = None,
    seen: SeenOptions = SeenOptions(),
    column: str = "action",
    seed: OptionalWhole = None,
    batch: str | None = None,
    missing: Literal["refuse", "pass", "review", "flag"] = "refuse",
    actions: str | None = None,
    strict: Annotated[bool, Parameter(negative="")] = False,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
    machine: Memory = Memory(),
) -> int:
    """Apply a saved decision: write a file again, with an action for each row.

    Example: costspace apply decision.json NEW_CASES.csv -o actions.csv

    Parameters
    ----------
    decision
        What costspace decide --save has written.
    file
        New rows: CSV with a header, or Parquet; a glob, or a folder of files. Where the rule works
        down a queue, all files are one queue.
    sql
        Print the rule as an expression of SQL, in this dialect, instead of applying it to a file:
        put it into the query that scores. Columns are named as for a file; rows that lack a value,
        or that the decision is not for, have NULL there, unless --missing says otherwise.
    score
        Column of the model's scores. Default: the name of the model.
    column
        Name of the column of actions that is added.
    seed
        A whole number, for a rule that draws at random: the same number draws the same again.
    batch
        Column of the batch of each row, for a rule that works down a queue: each batch is a queue
        of its own.
    missing
        What to do with rows that lack a score or another value that the rule reads. In a queue rows
        that are flagged so take the first places, and others take none.
    actions
        What to write for passing, reviewing and flagging, as approve,review,decline; of a rule
        that reviews nothing the first and the last, or two words. Default: the decision's words.
    strict
        Refuse scores that are not distributed like those that the decision was made on, instead of
        warning of them, so that no file is written.
    json
        Print the counts as JSON.
    output
        The file to write, CSV or Parquet by how its name ends. Without it, rows are only counted.
    """
    machine.limit()
    gate.check()
    kept, amounts = load_decision(decision), seen.amounts()
    asked = Asked(missing=missing, actions=parse_actions(actions))
    kept = replace(kept, rules=kept.rules.called(asked))
    if sql is not None:
        given = {"FILE": file, "-o": output, "--batch": batch, "--seed": seed}
        asked_too = {"--fail-if": gate.asked, "--strict": strict, "--column": column != "action"}
        _check_alone({name for name, one in given.items() if one is not None}, asked_too)
        return _sql(kept, sql, amounts, asked, score, json=json)
    if file is None:
        raise ConditionError(
            "no FILE to apply it to: give one, or --sql DIALECT for an expression of SQL."
        )
    if output is not None:
        form_of(output)
    # Before a long file is read, it should be known that it is there.
    first_bytes(file)
    check_output(output, decision, file)
    with progress() as step:
        applied = apply_to_files(
            kept,
            file,
            output,
            score=score,
            amounts=amounts,
            column=column,
            seed=seed,
            batch=batch,
            missing=missing,
            strict=strict,
            progress=step(f"reading {file.name}", 1),
        )
    if output is not None:
        told_written(output)
    if applied.doubt:
        tell_on_stderr(f"warning: {applied.doubt}")
    by_column = any(isinstance(one, str) for one in amounts.values())

    def shown(console: Console) -> None:
        text = kept.text if by_column else kept.text_at(amounts)
        if kept.model is not None:
            text = text.replace(kept.model, shortened(kept.model, _NAME))
        _print(text, applied, console)
        said = (
            *_own_costs(kept.rules, amounts),
            *_set_aside(applied, missing),
            *_said(kept, applied, batch),
        )
        notes = each_wrapped(said)
        if output is None:
            notes.append("No file is written: -o FILE writes the rows with their actions.")
        if notes:
            say(console, "", *notes)

    plain = partial(_report, kept.rules, applied, file, output, batch)
    return give(plain, shown, gate, json=json, output=None)


def _check_alone(given: set[str], asked: Mapping[str, bool]) -> None:
    """`ConditionError` if there is more than an expression of SQL can take."""
    more = sorted(given | {name for name, is_asked in asked.items() if is_asked})
    if more:
        raise ConditionError(
            f"--sql prints an expression and reads no rows: leave out {', '.join(more)}."
        )


def _sql(
    kept: SavedDecision,
    dialect: str,
    amounts: Mapping[str, Any],
    asked: Asked,
    score: str | None,
    *,
    json: bool,
) -> int:
    """Print the rule in SQL."""
    missing = None if asked.refuses else asked.missing
    found = kept.to_sql(dialect, score=score, missing=missing, actions=asked.actions, **amounts)
    plain = {"sql": found, "dialect": dialect, "model": kept.model}
    # As it is: no line is wrapped, and nothing in it is a style.
    show = partial(Console.out, highlight=False)
    return give(lambda: plain, lambda to: show(to, found), GateOptions(), json=json, output=None)


def _print(text: str, applied: AppliedFiles, console: Console) -> None:
    """Print what was done with how many rows."""
    say(console, *wrapped(f"{text}."), style="bold")
    console.print()
    table = table_of(["action"], ["rows", "share"])
    rows = sum(applied.counts.values())
    for name, count in applied.counts.items():
        share = f"{alone_shown(100 * count / rows)} %"
        table.add_row(Text(shortened(printable(name), _NAME)), f"{count:,}", share)
    console.print(table)


def _own_costs(rules: DeployedRules, amounts: Mapping[str, object]) -> Iterator[str]:
    """What correct decisions cost as the decision says, where it says more than nothing."""
    own = rules.correct_costs.items() if rules.follows_costs else ()
    taken = {name: cost for name, cost in own if amounts[name] is None and cost}
    if taken:
        yield f"With {correct_costs_shown(taken)} of the decision."


def _set_aside(applied: AppliedFiles, missing: str) -> Iterator[str]:
    """How many rows no rule has decided."""
    if applied.missing:
        rows = "1 row is" if applied.missing == 1 else f"{applied.missing:,} rows are"
        yield f"{rows} {_DONE[missing]} without a value that the rule reads."
    if applied.not_worth:
        rows = "1 row is" if applied.not_worth == 1 else f"{applied.not_worth:,} rows are"
        yield (
            f"{rows} passed, whatever the score: a false negative costs no more than a true "
            "positive there."
        )


def _said(kept: SavedDecision, applied: AppliedFiles, batch: str | None) -> Iterator[str]:
    """What there is to say of more flags or reviews than allowed, and of a queue."""
    counts = applied.counts
    for action, most in {FLAG: kept.capacity, REVIEW: kept.review_capacity}.items():
        found = counts.get(kept.rules.names.get(action, action), 0)
        if most is not None and _is_beyond(found, sum(counts.values()), most):
            yield (
                f"More are {_DONE[action]} than the {alone_shown(100 * most)} % that the decision "
                "allows: have scores or the prevalence changed since (costspace drift)?"
            )
    if applied.note:
        yield f"{applied.note[0].upper()}{applied.note[1:]}."
    if applied.tied is not None and batch is None and kept.in_batches:
        yield (
            "All rows were taken as one queue, and the decision was made for one in each batch: "
            "--batch names the column of batches."
        )
    if applied.tied is not None and (batch is not None or not applied.note):
        edge = "the edge of the queue"
        if batch is not None:
            yield f"Each {printable(batch)} is a queue of its own."
            edge = "the edge of their queue"
        yield (
            f"{applied.tied:,} rows tie at {edge} and are not flagged."
            if applied.tied
            else f"No rows tie at {edge}."
        )


def _is_beyond(found: int, cases: int, most: float) -> bool:
    """Whether more are found than a share, and more than chance makes of that."""
    return found > most * cases and float(betainc(found, cases - found + 1, most)) < _BY_CHANCE


def _report(
    rules: DeployedRules, applied: AppliedFiles, file: Path, output: Path | None, batch: str | None
) -> dict[str, Any]:
    rows = sum(applied.counts.values())
    # What the rule did to nobody is a number, too.
    words = (rules.names.get(one, one) for one in rules.actions)
    counts = {**dict.fromkeys(words, 0), **applied.counts}
    return {
        "path": str(file),
        "output": None if output is None else str(output),
        "model": rules.model,
        "choice": rules.choice,
        "rows": rows,
        "actions": counts,
        "shares": {name: count / rows for name, count in counts.items()} if rows else {},
        "batch": batch,
        "tied": applied.tied,
        "note": applied.note,
        "doubt": applied.doubt,
        "missing": applied.missing,
        "not_worth": applied.not_worth,
    }
