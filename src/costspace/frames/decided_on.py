"""How the scores of a frame are distributed beside those that a decision was made on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.applying.decided_on import DecidedOn, ScoresFound
from costspace.frames.dataframes import nw
from costspace.single import singles

# The label of a row as text, and whether it is the positive one: 1, or 0.
LABEL, TRUTH = "label", "truth"


def counting(own: DecidedOn, score: nw.Expr, *, single: bool, labelled: bool) -> list[nw.Expr]:
    """What is to be counted of rows, in the pass that checks them.

    Scores may be numbers of `single` precision; rows may be `labelled`.
    """
    cuts = singles(own.scores) if single else own.scores
    # Engines add floats in a fraction of the time of whole numbers of 64 bits; all are exact.
    above = [(score > cut).cast(nw.Float64()) for cut in cuts.tolist()]
    found = [one.sum().alias(f"above{i}") for i, one in enumerate(above)]
    if not labelled:
        return found
    truth = nw.when(~score.is_null()).then(nw.col(TRUTH))
    found += [(one * nw.col(TRUTH)).sum().alias(f"above{i}_true") for i, one in enumerate(above)]
    other = nw.when(nw.col(TRUTH) == 0).then(nw.col(LABEL))
    return [
        *found,
        truth.sum().alias("true"),
        (nw.col(LABEL).is_null() & ~score.is_null()).cast(nw.Int64()).sum().alias("unlabelled"),
        *(other.min().alias("first_other"), other.max().alias("last_other")),
    ]


def counted_scores(own: DecidedOn, rows: int, found: Mapping[str, Any]) -> ScoresFound:
    """What was counted of some rows; their classes, if all have a label of two."""
    places = range(len(own.scores))

    def above(of: str = "") -> FloatArray:
        return np.array([found[f"above{i}{of}"] or 0 for i in places], dtype=float)

    if found.get("unlabelled", 1) or found["first_other"] != found["last_other"]:
        return ScoresFound(rows, above())
    positives, positives_above = int(found["true"]), above("_true")
    classes = (rows - positives, positives)
    return ScoresFound(rows, above(), classes, (above() - positives_above, positives_above))
