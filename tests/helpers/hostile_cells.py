"""Columns that are no labels, scores or weights, or look as if they were none.

Each is written to Parquet, and made a dataframe of every engine.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
AUC = 0.75
BEYOND = 2**53
_INF, _NAN = float("inf"), float("nan")
_DAY = dt.date(2024, 5, 1)
_TIME = dt.datetime(2024, 5, 1, 12)  # noqa: DTZ001 - files have times without a zone too


@dataclass(frozen=True)
class Columns:
    """Columns, and what is to be said of them."""

    columns: Mapping[str, Any]
    says: str | float  # words in what is said of the file, or the AUC that comes out
    of_frame: str | float | None = None  # the same of a dataframe; None: the same as of the file
    score: str = "s"
    weight: str | None = None

    def table(self) -> pa.Table:
        return pa.table({name: _array(values) for name, values in self.columns.items()})


def _array(values: Any) -> Any:
    return values if isinstance(values, pa.Array) else pa.array(values, from_pandas=False)


def _labels(values: Any, says: str | float, of_frame: str | float | None = None) -> Columns:
    scores = S if len(values) == len(S) else np.linspace(0, 1, len(values))
    return Columns({"y": values, "s": scores}, says, of_frame)


def _scores(values: Any, says: str | float, of_frame: str | float | None = None) -> Columns:
    return Columns({"y": Y, "s": values}, says, of_frame)


def _weights(values: Any, says: str | float, of_frame: str | float | None = None) -> Columns:
    return Columns({"y": Y, "s": S, "w": values}, says, of_frame, weight="w")


def _named(name: str) -> Columns:
    """A column of scores of any name."""
    return Columns({"y": Y, name: S}, AUC, score=name)


_SAY_WHICH = "say which is the positive class"
_NO_NUMBERS = ", not numbers"
_MUST_BE = "scores must be numbers"
_TWO = "two classes are needed"

CELLS: dict[str, Columns] = {
    "labels of three classes": _labels([0, 1, 2, 1], "It has 3 different labels", _SAY_WHICH),
    "labels with a null": _labels([0, None, 1, 1], "column 'y' has no label", "1 missing labels"),
    "labels with NaN": _labels([0, _NAN, 1, 1], "column 'y' has no label", "1 missing labels"),
    "labels between": _labels([0, 0.5, 1, 1], "It has 3 different labels", _SAY_WHICH),
    "labels of a half and one": _labels([0.5, 0.5, 1, 1], _SAY_WHICH),
    "labels with an empty text": _labels(["0", "", "1", "1"], "has no label", _SAY_WHICH),
    "labels all null": _labels(pa.array([None] * 4, pa.int64()), "no label", "4 missing labels"),
    "labels of the null type": _labels(pa.nulls(4), "column 'y' has no label", "column 'y' has"),
    "labels of one class": Columns({"y": [1] * 4, "s": S}, "only one class"),
    "labels of 1,500 classes": _labels(list(range(1500)), "does not look like labels", _SAY_WHICH),
    "labels of words": _labels(["no", "no", "yes", "yes"], _SAY_WHICH),
    "labels of dates": _labels([_DAY, _DAY, dt.date.max, dt.date.max], _SAY_WHICH, "labels must"),
    "labels of lists": _labels([[0], [0], [1], [1]], _SAY_WHICH, "labels must be numbers"),
    "labels of bytes": _labels([b"0", b"0", b"1", b"1"], AUC, "labels must be numbers"),
    "labels of a dictionary": _labels(pa.array(list("0011")).dictionary_encode(), AUC),
    "labels of decimals": _labels(pa.array(Y, pa.decimal128(5, 2)), AUC),
    "labels of 0 and the largest integer": _labels(
        pa.array([0, 0, 2**64 - 1, 2**64 - 1], pa.uint64()), _SAY_WHICH
    ),
    "labels with infinity": _labels([0, 0, _INF, _INF], _SAY_WHICH),
    "labels of truth values": _labels([False, False, True, True], AUC),
    "no rows": Columns(
        {"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}, "has no rows"
    ),
    "scores of infinity": _scores([-_INF, 0.6, 0.4, _INF], AUC),
    "scores with NaN": _scores([0.1, _NAN, 0.4, 0.9], "column 's' has 'nan'", "1 missing scores"),
    "scores with a null": _scores([0.1, None, 0.4, 0.9], "column 's' is empty", "1 missing scores"),
    "scores all null": _scores(
        pa.array([None] * 4, pa.float64()), "column 's' is empty", "4 missing scores"
    ),
    "scores of the null type": _scores(pa.nulls(4), _NO_NUMBERS, "column 's' has"),
    "scores with a word": _scores(["0.1", "high", "0.4", "0.9"], "column 's' has 'high'", _MUST_BE),
    "scores as text": _scores(["0.1", " 6e-1", "0.40", "+.9"], AUC, _MUST_BE),
    "scores of truth values": _scores([False, True, True, True], AUC),
    "scores of dates": _scores([_DAY] * 4, f"type DATE{_NO_NUMBERS}", _MUST_BE),
    "scores of times": _scores([_TIME] * 4, f"type TIMESTAMP{_NO_NUMBERS}", _MUST_BE),
    "scores of durations": _scores([_TIME - _TIME] * 4, 0.5, _MUST_BE),
    "scores of lists": _scores([[0.1], [0.6], [0.4], [0.9]], AUC),
    "scores of lists of two": _scores([[0.1, 0.9]] * 4, "name one element"),
    "scores of lists of lists": _scores([[[0.1]]] * 4, f"DOUBLE[]{_NO_NUMBERS}", _MUST_BE),
    "scores of records": _scores([{"p": 0.1}] * 4, f"STRUCT(p DOUBLE){_NO_NUMBERS}", _MUST_BE),
    "scores of bytes": _scores([b"0.1"] * 4, f"type BLOB{_NO_NUMBERS}", _MUST_BE),
    "scores of decimals": _scores(pa.array([1, 6, 4, 9], pa.decimal128(5, 2)), AUC),
    "scores of long decimals": _scores(
        pa.array([Decimal(f"0.{d}00000000000000000000001") for d in (1, 6, 4, 9)]), AUC
    ),
    "scores of decimals that tie": _scores(
        pa.array([Decimal(f"0.1000000000000000000000{d}") for d in (1, 6, 4, 9)]),
        "decimals that floats cannot tell apart",
    ),
    "scores of integers beyond 2^53": _scores(
        [BEYOND, BEYOND + 2, BEYOND + 1, BEYOND + 3], "integers beyond 2^53, which floats cannot"
    ),
    "scores of the largest integers": _scores(
        pa.array([0, 6, 4, 2**64 - 1], pa.uint64()), "integers beyond 2^53, which floats cannot"
    ),
    "scores of the least integers": _scores([-(2**63), 6, 4, 9], "integers beyond 2^53, which"),
    "scores of integers up to 2^53": _scores([-BEYOND, BEYOND - 1, 4, BEYOND], AUC),
    "scores of 32 bits": _scores(pa.array(S, pa.float32()), AUC),
    "scores of 8 bits": _scores(pa.array([1, 6, 4, 9], pa.uint8()), AUC),
    "scores of zeros of both signs": _scores([-0.0, 0.0, -0.0, 0.0], 0.5),
    "scores next to zero": _scores([-5e-324, 5e-324, 0.0, 1e-323], AUC),
    "scores next to infinity": _scores([-1.7e308, 1.6e308, 1.5e308, 1.7e308], AUC),
    "weights below zero": _weights([1, -1, 1, 1], "column 'w' has '-1'", "not negative, got -1"),
    "weights of infinity": _weights([1, _INF, 1, 1], "column 'w' has 'inf'", "finite and not neg"),
    "weights with NaN": _weights([1, _NAN, 1, 1], "column 'w' has 'nan'", "1 missing weights"),
    "weights with a null": _weights([1, None, 1, 1], "column 'w' is empty", "1 missing weights"),
    "weights of zero": _weights([0, 0, 0, 0], "is zero everywhere"),
    "weights of zero in a class": Columns(
        {"y": Y, "s": S, "w": [1, 1, 0, 0]}, "every positive row has weight zero", None, "s", "w"
    ),
    "weights that vanish": _weights([1e-200] * 4, "must be from 1e-100 to 1e+100, got 1e-200"),
    "weights that overflow": _weights([1e200] * 4, "must be from 1e-100 to 1e+100, got 1e+200"),
    "weights of words": _weights(["1", "2", "heavy", "1"], "'heavy'", "weights must be numbers"),
    "weights of integers beyond 2^53": _weights(
        [1, 2, 3, BEYOND + 1], "divide all weights by one number"
    ),
    **{
        f"a column named {what}": _named(name)
        for what, name in {
            "as SQL is injected": "s'); DROP TABLE cells; --",
            "with both quotes": "a\"b'c`d",
            "in two lines": "two\nlines",
            "by control characters": "\x07\x1b[31m\t",
            "as HTML": "<script>alert(1)</script>",
            "by a keyword": "select",
            "by a pattern": "^.*$",
            "by a star": "*",
            "by nothing": "",
            "by a space": " ",
            "as rows are": "rowid",
            "as files are": "filename",
            "as a column of ours": "score0",
            "as our label": "label",
            "by a path": "../../etc/passwd",
            "in other letters": "ß€漢字🙂",
            "from right to left": "\u202eabc",
            "by 5,000 letters": "s" * 5000,
        }.items()
    },
    "columns that differ in case": Columns({"y": Y, "S": [0.0] * 4, "s": S}, AUC),
    "a label that is the score": Columns({"y": Y}, 1.0, score="y"),
    "a weight that is the score": Columns({"y": Y, "s": S}, (0.04 + 0.63) / 0.91, weight="s"),
}
