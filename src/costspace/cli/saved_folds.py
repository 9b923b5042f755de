"""Saved tables that can be decided on, as commands are asked about them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from costspace.cli.options import refuse_of_rows
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.strategy import Baseline
from costspace.errors import ConditionError, FileError
from costspace.frames.saved_folds import some_models
from costspace.frames.storage import chosen, load_if_saved


def models_in_folds(
    file: Path,
    score: Sequence[str] | None,
    baseline: Baseline | None,
    folds: int | None,
    rows: Mapping[str, object],
) -> HeldOutCounts | None:
    """Models of a table with folds, the rule in use among them; None if it is no saved table.

    What of `rows` is not None is asked for, and only rows have it.

    Raises
    ------
    FileError
        If the table has no folds, or not those models.
    ConditionError
        If something is asked for that is not in a table.
    """
    found = load_if_saved(file)
    if found is None:
        return None
    if not isinstance(found, HeldOutCounts):
        raise FileError(
            f"{file} is a saved table without folds, which tell how a rule does on rows that it "
            "was not chosen on: tally its predictions with --folds."
        )
    refuse_of_rows(rows)
    kept = found.source.folds
    if folds is not None and folds != kept:
        raise ConditionError(
            f"--folds {folds} is asked for, and {file} has {kept}: leave out --folds, or tally its "
            f"predictions with --folds {folds}."
        )
    models = dict.fromkeys(found.models)
    names = list(chosen(models, score or models, file))
    if isinstance(baseline, str) and baseline not in names:
        if baseline not in models:
            raise ConditionError(
                f"--baseline {baseline!r} is not a model of {file}, which keeps no other columns: "
                "give MODEL:THRESHOLD, or tally that column as a --score too."
            )
        names.append(baseline)
    return some_models(found, names)
