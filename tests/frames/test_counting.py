"""One suite for every engine: the same counts, tables, segments and words."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from refusals import refused
from summaries import same

import costspace as cs
from costspace import (
    CostspaceError,
    FileError,
    LabelError,
    ScoreCounts,
    ScoreError,
    ScoreTable,
    SourceError,
    WeightError,
)
from costspace.frames import Segments, score_counts, score_table

GENERATOR = np.random.default_rng(6)
ROWS = 40
Y = np.sort(GENERATOR.integers(0, 2, ROWS))  # so that some partitions have one class
S = GENERATOR.integers(-2, 9, ROWS) / 8
R = GENERATOR.normal(size=ROWS)
W = GENERATOR.integers(0, 4, ROWS)
REAL = GENERATOR.random(ROWS)
SITE = GENERATOR.choice(["north", "south", None], ROWS)


def test_counts_of_several_models(engine: Any) -> None:
    single = R.astype(np.float32)
    frame = engine.frame(y=Y, ties=S, single=single, double=R, w=W, other=["x"] * ROWS)
    counts = score_counts(frame, label="y", score=["ties", "single", "double"])
    assert list(counts) == ["ties", "single", "double"]
    for name, scores in (("ties", S), ("single", single), ("double", R)):
        same(counts[name], ScoreCounts.from_predictions(Y, scores))


@pytest.mark.parametrize("weight", ["whole", "real"])
def test_weighted_tables(engine: Any, weight: str) -> None:
    weights = {"whole": W, "real": REAL}[weight]
    frame = engine.frame(y=Y, s=S, w=weights)
    expected = ScoreCounts.from_predictions(Y, S, sample_weight=weights)
    same(
        score_counts(frame, label="y", score="s", weight="w"), expected, 1e-12 * (weight == "real")
    )
    table = score_table(frame, label="y", score="s", weight="w")
    rows = ScoreTable.from_predictions(Y, S, sample_weight=weights)
    assert table.negatives.rows == rows.negatives.rows
    assert table.by_score.breaks.tolist() == rows.by_score.breaks.tolist()
    for metric in (cs.auc, cs.auc_hull, cs.h_measure, cs.voros):
        assert metric(table) == pytest.approx(metric(rows), rel=1e-12)
    if weight == "whole":
        for got, wanted in zip(table.ranking.at_distinct, rows.ranking.at_distinct, strict=True):
            assert got.tolist() == wanted.tolist()


def test_order_and_parts_do_not_matter(engine: Any) -> None:
    whole = score_counts(engine.frame(y=Y, s=S, w=W), label="y", score="s", weight="w")
    order = np.random.default_rng(1).permutation(ROWS)
    parts = [
        score_counts(
            engine.frame(y=Y[part], s=S[part], w=W[part]), label="y", score="s", weight="w"
        )
        for part in (order[:11], order[11:])
    ]
    same(whole, parts[1] + parts[0])
    ordered = [Y[order], S[order]]
    same(
        score_counts(engine.frame(y=ordered[0], s=ordered[1]), label="y", score="s"),
        ScoreCounts.from_predictions(Y, S),
    )


def test_extreme_scores(engine: Any) -> None:
    scores = [np.inf, -np.inf, 0.0, -0.0, 5e-324, -1e308, 1e-300]
    labels = [1, 0, 1, 0, 1, 0, 0]
    counts = score_counts(engine.frame(y=labels, s=scores), label="y", score="s")
    same(counts, ScoreCounts.from_predictions(labels, scores))


LABELS: dict[str, tuple[Any, Any]] = {
    "truth": ([True, False, True, False], None),
    "truth-negative": ([True, False, True, False], False),
    "truth-as-text": ([True, False, True, False], "true"),
    "int": ([1, 0, 1, 0], None),
    "signs": ([1, -1, 1, -1], None),
    "small-int": (pa.array([1, 0, 1, 0], pa.int8()), None),
    "other-int": ([7, 3, 7, 3], 7),
    "int-as-text": ([7, 3, 7, 3], "7"),
    "float": ([1.0, 0.0, 1.0, -0.0], None),
    "float-as-int": ([2.0, 0.5, 2.0, 0.5], 2),
    "text": (["yes", "no", "yes", "no"], "yes"),
    "text-numbers": (["1", "0", "1", "0"], None),
    "text-truth": (["True", "False", "True", "False"], None),
    "text-as-int": (["1", "2", "1", "2"], 1),
    "quotes": (['it\'s "so"', "né", 'it\'s "so"', "né"], 'it\'s "so"'),
    "dictionary": (pa.array(["yes", "no", "yes", "no"]).dictionary_encode(), "yes"),
    "decimal": (pa.array([Decimal(1), Decimal(0), Decimal(1), Decimal(0)]), None),
    "huge-int": ([2**62 + 1, 2**62, 2**62 + 1, 2**62], 2**62 + 1),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type(engine: Any, kind: str) -> None:
    labels, pos_label = LABELS[kind]
    scores = [0.5, 0.25, 0.75, 0.5]
    positive = [1, 0, 1, 0] if pos_label is not False else [0, 1, 0, 1]
    counts = score_counts(
        engine.frame(y=labels, s=scores), label="y", score="s", pos_label=pos_label
    )
    same(counts, ScoreCounts.from_predictions(positive, scores))


def test_enumerated_labels() -> None:
    import pandas as pd
    import polars as pl

    expected = ScoreCounts.from_predictions([1, 0], [0.5, 0.25])
    enumerated = pl.Series(["b", "a"], dtype=pl.Enum(["a", "b"]))
    frames = (
        (pl.DataFrame({"y": enumerated, "s": [0.5, 0.25]}), "b"),
        (pd.DataFrame({"y": pd.Categorical([1, 0], categories=[0, 1, 2]), "s": [0.5, 0.25]}), None),
        (pd.DataFrame({"y": pd.Series([True, False], dtype=object), "s": [0.5, 0.25]}), None),
        (pd.DataFrame({"y": pd.Series([1, 0], dtype=object), "s": [0.5, 0.25]}), None),
    )
    for frame, pos_label in frames:
        same(score_counts(frame, label="y", score="s", pos_label=pos_label), expected)


SCORES: dict[str, Any] = {
    "int": [3, 1, 2, 1],
    "small-int": pa.array([3, 1, 2, 1], pa.int8()),
    "truth": [True, False, True, True],
    "decimal": pa.array([Decimal("0.10"), Decimal("0.25"), Decimal("1.00"), Decimal("0.25")]),
    "single": pa.array([0.1, 0.25, 1.0, 0.25], pa.float32()),
    "largest-int": [2**53, -(2**53), 0, 1],
}


@pytest.mark.parametrize("kind", SCORES)
def test_scores_of_every_type(engine: Any, kind: str) -> None:
    labels = [1, 0, 1, 0]
    plain = np.asarray(pa.array(SCORES[kind]).to_pylist(), dtype=float)
    if kind == "single":
        plain = plain.astype(np.float32)
    frame = engine.frame(y=labels, s=SCORES[kind], w=SCORES[kind] if kind == "decimal" else labels)
    same(score_counts(frame, label="y", score="s"), ScoreCounts.from_predictions(labels, plain))
    if kind == "decimal":
        weighted = score_counts(frame, label="y", score="s", weight="w")
        same(weighted, ScoreCounts.from_predictions(labels, plain, sample_weight=plain), 1e-12)


def test_names_of_every_kind(engine: Any) -> None:
    names = ["^y.*$", "*", "se \"core'", "wéight`.x", "label", "score0", "positive", "column1"]
    columns = dict(zip(names, [Y, S, R, W, W, W, SITE, SITE], strict=True))
    counts = score_counts(
        engine.frame(**columns),
        label="^y.*$",
        score=["*", "se \"core'"],
        weight="wéight`.x",
        by=["positive"],
    )
    for name, scores in (("*", S), ("se \"core'", R)):
        for segment in ("north", "south", None):
            rows = segment == SITE
            expected = ScoreCounts.from_predictions(Y[rows], scores[rows], sample_weight=W[rows])
            same(counts[name][segment], expected)


def test_one_column_in_several_parts(engine: Any) -> None:
    frame = engine.frame(y=[1, 0, 1], w=[2, 1, 3])
    counts = score_counts(frame, label="y", score="w", weight="w", by="y")
    assert counts[1].columns()["positives_weight"].tolist() == [2, 3]
    assert counts[0].columns()["negatives_weight"].tolist() == [1]


SEGMENTS: dict[str, Any] = {
    "text": list(SITE),
    "int": [None if i % 5 == 0 else i % 3 for i in range(ROWS)],
    "float": [[0.5, 1.5, None, float("nan")][i % 4] for i in range(ROWS)],
    "truth": [[True, False, None][i % 3] for i in range(ROWS)],
    "date": [[dt.date(2026, 1, 1), dt.date(2026, 1, 2)][i % 2] for i in range(ROWS)],
    "time": [dt.datetime(2026, 1, 1 + i % 2, 12, tzinfo=dt.UTC) for i in range(ROWS)],
    "dictionary": pa.array(list(SITE)).dictionary_encode(),
}


@pytest.mark.parametrize("kind", SEGMENTS)
def test_segments_of_every_type(engine: Any, kind: str) -> None:
    if kind == "date" and engine.name == "dask":
        pytest.skip("Dask keeps dates as mere objects")
    values = pa.array(SEGMENTS[kind], from_pandas=False).to_pylist()
    values = [None if value != value else value for value in values]  # noqa: PLR0124
    counts = score_counts(engine.frame(y=Y, s=S, g=SEGMENTS[kind]), label="y", score="s", by="g")
    assert isinstance(counts, Segments)
    assert set(counts) == set(values)
    assert sum(part.negatives.total + part.positives.total for part in counts.values()) == ROWS
    for segment, part in counts.items():
        rows = np.array([value == segment for value in values])
        same(part, ScoreCounts.from_predictions(Y[rows], S[rows]))
    assert None not in list(counts)[:-1]


def test_segments_of_several_columns(engine: Any) -> None:
    half = np.arange(ROWS) % 2
    frame = engine.frame(y=Y, s=S, w=REAL, site=list(SITE), half=half)
    counts = score_counts(frame, label="y", score="s", weight="w", by=["site", "half"])
    expected = {(site, int(part)) for site, part in zip(SITE, half, strict=True)}
    assert set(counts) == expected
    for (site, part), found in counts.items():
        rows = (site == SITE) & (part == half)
        same(found, ScoreCounts.from_predictions(Y[rows], S[rows], sample_weight=REAL[rows]), 1e-12)


def test_segments_without_a_table(engine: Any) -> None:
    frame = engine.frame(
        y=[0, 1, 0, 1, 0, 1],
        s=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        w=[1, 1, 1, 1, 1, 0],
        g=["both", "both", "negative", "positive", None, None],
    )
    tables = score_table(frame, label="y", score=["s"], weight="w", by="g")["s"]
    assert {site: table.auc for site, table in tables.items()} == {"both": 1}
    assert tables.missing == {
        "negative": "there is no positive row: both classes are needed.",
        "positive": "there is no negative row: both classes are needed.",
        None: "every positive row has weight zero: both classes are needed.",
    }
    columns = tables.columns()
    assert columns["g"].tolist() == ["both", "negative", "positive", None]
    assert [bool(reason) for reason in columns["missing"]] == [False, True, True, True]


def test_one_class(engine: Any) -> None:
    frame = engine.frame(y=[0, 0], s=[0.1, 0.2], text=["no", "no"])
    counts = score_counts(frame, label="y", score="s")
    same(counts, ScoreCounts.from_predictions([0, 0], [0.1, 0.2]))
    other = score_counts(frame, label="text", score="s", pos_label="yes")
    same(other, counts)
    assert score_counts(frame, label="text", score="s", pos_label="no").negatives.total == 0
    with refused(LabelError, "column 'y' has only one class, 0: both are needed."):
        score_table(frame, label="y", score="s")


NAN = float("nan")
SAY_WHICH = "say which is the positive class with pos_label."
BEYOND = "integers beyond 2^53, which floats cannot tell apart: "


def missing(column: str, number: int, what: str) -> str:
    told = f"column {column!r} has {number} missing {what} (null or NaN) in 3 rows"
    return f"{told}: fill or drop them."


def labels(values: Any, text: str, **options: Any) -> Any:
    return {"y": values}, options, LabelError, text


def scores(values: Any, text: str) -> Any:
    return {"s": values}, {}, ScoreError, text


def weights(values: Any, text: str, error: type[CostspaceError] = WeightError) -> Any:
    return {"w": values}, {"weight": "w"}, error, text


# What stands in place of good columns, what else is asked, and what is said.
REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], type[CostspaceError], str]] = {
    "null label": labels([1, 0, None], missing("y", 1, "labels")),
    "NaN label": labels([1.0, NAN, NAN], missing("y", 2, "labels")),
    "missing text": labels(["a", None, "b"], missing("y", 1, "labels"), pos_label="a"),
    "missing truth": labels([True, None, False], missing("y", 1, "labels")),
    "null score": scores([0.1, None, 0.3], missing("s", 1, "scores")),
    "NaN score": scores([NAN, None, NAN], missing("s", 3, "scores")),
    "null int score": scores([4, None, 5], missing("s", 1, "scores")),
    "null decimal score": scores(
        pa.array([Decimal("0.1"), None, Decimal("0.3")], pa.decimal128(5, 2)),
        missing("s", 1, "scores"),
    ),
    "missing weight": weights([1.0, NAN, None], missing("w", 2, "weights")),
    "negative weight": weights(
        [1, -2, 1], "column 'w' must hold weights that are finite and not negative, got -2."
    ),
    "infinite weight": weights(
        [1, np.inf, 1], "column 'w' must hold weights that are finite and not negative, got inf."
    ),
    "no weight": weights(
        [0, 0, 0], "column 'w' is zero everywhere: at least one row needs a weight."
    ),
    "huge weight": weights(
        [1, 1e200, 1],
        "the largest weight in column 'w' must be from 1e-100 to 1e+100, got 1e+200: scale them",
    ),
    "a class without weight": weights(
        [1, 0, 1], "every negative row has weight zero: both classes are needed.", LabelError
    ),
    "text weight": weights(["1", "2", "3"], "column 'w' has type String: weights must be numbers."),
    "text score": scores(
        ["0.1", "0.2", "0.3"], "column 's' has type String: scores must be numbers."
    ),
    "beyond floats": scores([2**53 + 1, 1, 2], f"{BEYOND}give smaller ones, such as ranks."),
    "weights beyond floats": weights(
        [2**53 + 1, 1, 1], f"{BEYOND}divide all weights by one number."
    ),
    "three labels": labels(
        [1, 0, 2], "column 'y' must have labels of two classes, got 0, 1, 2.", pos_label=1
    ),
    "unusual labels": labels([1, 2, 1], f"column 'y' has labels 1, 2: {SAY_WHICH}"),
    "text labels": labels(["a", "b", "a"], f"column 'y' has labels 'a', 'b': {SAY_WHICH}"),
    "another label": labels(
        ["a", "b", "a"],
        "pos_label 'c' is not among the labels of column 'y': 'a', 'b'.",
        pos_label="c",
    ),
    "no rows": (
        {"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())},
        {},
        LabelError,
        "the frame has no rows to evaluate.",
    ),
    "no label column": (
        {},
        {"label": "yy"},
        FileError,
        "the frame has no column 'yy': did you mean 'y'?",
    ),
    "no score column": (
        {},
        {"score": ["s", "qq"]},
        FileError,
        "the frame has no column 'qq': it has 'y', 's'.",
    ),
    "the same score twice": (
        {},
        {"score": ["s", "s"]},
        FileError,
        "the score column 's' is asked for twice.",
    ),
    "no scores": (
        {},
        {"score": []},
        ScoreError,
        "no scores are asked for: name at least one column of scores.",
    ),
    "labels of dates": labels(
        [dt.datetime(2026, 1, 1, tzinfo=dt.UTC)] * 3,
        "labels must be numbers, truth values or text.",
    ),
    "lists for segments": (
        {"g": [[1], [2], [3]]},
        {"by": "g"},
        SourceError,
        "which cannot name segments.",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_every_engine_refuses_in_the_same_words(engine: Any, what: str) -> None:
    columns, options, error, words = REFUSED[what]
    if what == "lists for segments" and engine.name in ("pandas", "pandas-nullable", "dask"):
        pytest.skip("these keep lists as mere objects")
    frame = engine.frame(**{"y": [1, 0, 1], "s": [0.1, 0.2, 0.3], **columns})
    with refused(error, words):
        score_table(frame, **{"label": "y", "score": "s", **options})


def test_what_statistics_of_parquet_leave_out(tmp_path: Path) -> None:
    import duckdb
    import pyarrow.parquet as pq

    columns = {"y": [0, 1, 1], "s": [0.1, NAN, 0.3], "infinite": [0.1, np.inf, -np.inf]}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    relation = duckdb.connect().read_parquet(str(tmp_path / "rows.parquet"))
    with refused(ScoreError, "column 's' has 1 missing scores (null or NaN) in 3 rows"):
        score_table(relation, label="y", score="s")
    with refused(WeightError, "column 's' has 1 missing weights (null or NaN) in 3 rows"):
        score_table(relation, label="y", score="infinite", weight="s")
    counts = score_counts(relation, label="y", score="infinite")
    same(counts, ScoreCounts.from_predictions(columns["y"], columns["infinite"]))


def test_what_is_no_frame() -> None:
    with refused(SourceError, "give one of pandas, Polars, pyarrow, DuckDB, Dask or PySpark."):
        score_table({"y": [0, 1], "s": [0.1, 0.2]}, label="y", score="s")


def test_columns_are_named_by_text() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[0, 0.1], [1, 0.2]])
    with pytest.raises(FileError, match="a column's name must be text, got 0: rename the column"):
        score_counts(frame, label=0, score=1)  # type: ignore[arg-type]
    with refused(FileError, "the frame has no column 'y': it has '0', '1'."):
        score_counts(frame, label="y", score="s")


def test_integers_beyond_2_53_among_floats_in_pandas():
    pd = pytest.importorskip("pandas")
    large = [2**53 + 1, 2**53, 0.5, 1]
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "s": pd.Series(large, dtype=object)})
    with refused(ScoreError, "column 's' has integers beyond 2^53, which floats cannot tell apart"):
        score_table(frame, label="y", score="s")
    small = pd.DataFrame({"y": [0, 1, 0, 1], "s": pd.Series([2**53, 2, 0.5, 1], dtype=object)})
    assert score_table(small, label="y", score="s").auc == 0.5
