"""Decisions as SQL, run by engines, against the same in Python."""

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.applying.sql_terms import DIALECTS
from costspace.decision.rules.rules_by_condition import ByFormula
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.bounds import Range

RNG = np.random.default_rng(50)
ROWS = 120
# Ties with cuts, both zeros, and what is beyond all others.
SCORES = np.concatenate(
    [
        np.round(RNG.random(ROWS - 30), 2),
        RNG.random(20),
        [0.0, -0.0, 1.0, np.inf, -np.inf, 5e-324, 1e300, -1e300, 0.2, 0.7],
    ]
)
COSTS = {
    "fp": np.linspace(1, 2, ROWS),
    "fn": np.linspace(4, 9, ROWS) + RNG.random(ROWS),
    "p": np.linspace(0.1, 0.2, ROWS),
}
BY_ROW = {"fp_cost": "fp", "fn_cost": "fn", "prevalence": "p"}
NASTY = ("it's", 'say "no"', "back\\slash", "${spark.app.name}", "été\n--; DROP TABLE rows")
Asked = tuple[SavedDecision, dict[str, Any]]


def by_rule(rule: cs.Rule) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule))


def a_cut() -> float:
    return float(RNG.choice([RNG.choice(SCORES[np.isfinite(SCORES)]), RNG.normal()]))


def constant() -> Asked:
    """A rule of up to three cuts, in words of its own."""
    cuts = np.unique([a_cut() for _ in range(RNG.integers(1, 4))])
    words = [f"{RNG.choice(NASTY)}{i}" for i in range(len(cuts) + 1)]
    plain = ("pass", "flag") if len(cuts) == 1 else ("pass", "review", "flag")
    own = plain if len(plain) == len(words) and RNG.random() < 0.7 else words
    return by_rule(cs.Rule(cuts.tolist(), own)), {}


def a_path() -> ThresholdPath:
    """Steps of thresholds, some of which all scores or none are above."""
    at = np.sort(np.round(RNG.random(RNG.integers(1, 6)), 2))
    cuts = np.sort(RNG.choice(SCORES, len(at) + 1))
    return ThresholdPath.stepping(at, cuts)


def by_columns() -> Asked:
    """Rules that follow the costs and the prevalence of each row, or one of them."""
    spans = [Range(0.1, 0.15), Range(0.15, 0.2)]
    kept = SavedDecision(
        {},
        DeployedRules(
            "m", "own", None, bands={span: a_path() for span in spans}, skews=Range(0.3, 0.9)
        ),
    )
    one = {"fp_cost": 1.25, "fn_cost": 4.0, "prevalence": 0.125}
    by_row = {name: column for name, column in BY_ROW.items() if RNG.random() < 0.6}
    return kept, {**one, **by_row}


def at_one_prevalence() -> Asked:
    """Rules by the cost proportion, where the prevalence is one."""
    kept = DeployedRules("m", "own", None, bands={Range(0.2, 0.2): a_path()})
    return SavedDecision({}, kept), {"fp_cost": "fp", "fn_cost": "fn"}


@cache
def decided(name: str, **more: Any) -> SavedDecision:
    """A decision on rows, to set the threshold by a choice, or two with a review."""
    own = np.random.default_rng(7)
    y = (own.random(300) < 0.3).astype(int)
    scores = np.round(1 / (1 + np.exp(1 - 2 * y - own.normal(size=300))), 2)
    asked = {"fp_cost": (1, 2), "fn_cost": (4, 12), "prevalence": (0.1, 0.2)}
    found = cs.decide(
        y,
        {"m": scores},
        **{**asked, "known": "costs,prevalence", **more},
        choices=[cs.Optimal(), cs.ScoreDriven(0.3)],
    )
    return next(
        found.saved(one.strategy)
        for one in found.fits
        if one.strategy.model
        and one.strategy.reviews == ("review" in more)
        and name in str(one.strategy)
    )


def by_formula() -> Asked:
    """A threshold that is the cost proportion of each row."""
    rules = {Range(0.2, 0.2): ByFormula(cs.ScoreDriven(), 0.2)}
    kept = SavedDecision({}, DeployedRules("m", "own", None, bands=rules))
    return kept, {"fp_cost": "fp", "fn_cost": "fn"}


MAKERS = [constant] * 8 + [by_columns, at_one_prevalence]
MANY = [MAKERS[i % 10]() for i in range(1000)]


def wanted(asked: Asked, scores: Any) -> list[str]:
    kept, given = asked
    known = {key: COSTS.get(one, one) for key, one in given.items()}
    return kept.apply(scores, **known).action.tolist()


def table(scores: Any) -> pa.Table:
    return pa.table({"m": pa.array(scores, from_pandas=False), **COSTS})


def on_duckdb(expressions: Sequence[str], rows: pa.Table) -> list[list[Any]]:
    with duckdb.connect() as connection:
        connection.register("rows", rows)
        columns = ", ".join(f"{one} AS a{i}" for i, one in enumerate(expressions))
        found = connection.sql(f"SELECT {columns} FROM rows").to_arrow_table()
    return [column.to_pylist() for column in found.columns]


def on_sqlite(expressions: Sequence[str], rows: pa.Table) -> list[list[Any]]:
    with sqlite3.connect(":memory:") as connection:
        names = rows.column_names
        connection.execute(f"CREATE TABLE rows ({', '.join(names)})")
        into = f"INSERT INTO rows VALUES ({', '.join('?' * len(names))})"
        connection.executemany(into, zip(*(one.to_pylist() for one in rows.columns), strict=True))
        found = [
            [action for (action,) in connection.execute(f"SELECT {one} FROM rows ORDER BY rowid")]
            for one in expressions
        ]
    connection.close()
    return found


@pytest.fixture
def on_spark(spark: Any) -> Callable[[Sequence[str], pa.Table], list[list[Any]]]:
    def run(expressions: Sequence[str], rows: pa.Table) -> list[list[Any]]:
        # In one piece, so that its rows stay in order.
        frame = spark.createDataFrame(rows).coalesce(1)
        named = [f"{one} AS a{i}" for i, one in enumerate(expressions)]
        found = frame.selectExpr(*named).toArrow()
        return [column.to_pylist() for column in found.columns]

    return run


KINDS = {"double": np.float64, "single": np.float32}


def in_kind(kind: str) -> Any:
    with np.errstate(over="ignore"):
        return SCORES.astype(KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_duckdb_does_what_python_does(kind: str) -> None:
    scores = in_kind(kind)
    found = on_duckdb([kept.to_sql("duckdb", **given) for kept, given in MANY], table(scores))
    for asked, actions in zip(MANY, found, strict=True):
        assert actions == wanted(asked, scores), asked[0].to_sql("duckdb", **asked[1])


@pytest.mark.parametrize("engine", [on_duckdb, on_sqlite])
def test_standard_sql_does_what_python_does(engine: Any) -> None:
    found = engine([kept.to_sql(**given) for kept, given in MANY], table(SCORES))
    for asked, actions in zip(MANY, found, strict=True):
        assert actions == wanted(asked, SCORES), asked[0].to_sql(**asked[1])


@pytest.mark.cluster
@pytest.mark.parametrize("kind", KINDS)
def test_spark_does_what_python_does(kind: str, on_spark: Any) -> None:
    scores = in_kind(kind)
    # Spark compiles each anew, and the kinds are told apart by few of the expressions.
    many = MANY if kind == "double" else MANY[::7]
    for start in range(0, len(many), 100):
        some = many[start : start + 100]
        found = on_spark([kept.to_sql("spark", **given) for kept, given in some], table(scores))
        for asked, actions in zip(some, found, strict=True):
            assert actions == wanted(asked, scores), asked[0].to_sql("spark", **asked[1])


REVIEW = cs.Review(cost=0.4, sensitivity=0.9, specificity=0.95)
DECIDED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "rows": ({}, BY_ROW),
    "rows of correct decisions": (
        {"tp_cost": 0.5, "tn_cost": -0.5},
        {**BY_ROW, "tn_cost": -0.25, "tp_cost": "p"},
    ),
    "one": ({}, {"fp_cost": 1.5, "fn_cost": 6, "prevalence": 0.13}),
    "by the prevalence": ({"known": "prevalence"}, {"prevalence": "p"}),
    "by the costs": ({"known": "costs", "prevalence": 0.15}, {"fp_cost": "fp", "fn_cost": "fn"}),
}


@pytest.mark.parametrize("review", [{}, {"review": REVIEW}], ids=["flags", "reviews"])
@pytest.mark.parametrize("name", DECIDED)
def test_decisions_on_rows_are_made_alike(name: str, review: dict[str, Any]) -> None:
    more, given = DECIDED[name]
    kept = decided("optimal", **more, **review)
    scores = np.clip(SCORES, -5e-7, 1 + 5e-7)
    for dialect, engine in (("duckdb", on_duckdb), ("standard", on_sqlite)):
        (found,) = engine([kept.to_sql(dialect, **given)], table(scores))
        assert found == wanted((kept, given), scores)


# Some were taken beyond [0, 1] by rounding.
NEAR_UNIT = np.clip(SCORES, -5e-7, 1 + 5e-7)


def test_thresholds_by_formula_are_those_of_python() -> None:
    kept, given = by_formula()
    for dialect, engine in (("duckdb", on_duckdb), ("standard", on_sqlite)):
        (found,) = engine([kept.to_sql(dialect, **given)], table(NEAR_UNIT))
        assert found == wanted((kept, given), NEAR_UNIT)


@pytest.mark.cluster
def test_spark_decides_as_they_were_made(on_spark: Any) -> None:
    asked = [by_formula()]
    asked += [
        (decided("optimal", **more, **review), given)
        for more, given in (DECIDED["rows"], DECIDED["by the costs"])
        for review in ({}, {"review": REVIEW})
    ]
    found = on_spark([kept.to_sql("spark", **given) for kept, given in asked], table(NEAR_UNIT))
    assert found == [wanted(one, NEAR_UNIT) for one in asked]


GAPS = pa.table(
    {
        "m": [0.9, None, float("nan"), 0.9, 0.9, 0.9, 0.9, 0.9, 1.5],
        "fp": [1.0, 1.0, 1.0, None, 1.0, 9.0, 0.0, 1.0, 1.0],
        "fn": [8.0, 8.0, 8.0, 8.0, -1.0, 8.0, 8.0, 8.0, 8.0],
        "p": [0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.5, 0.15],
    }
)


def gaps_told(run: Any, dialect: str) -> None:
    kept = decided("optimal")
    asked = {missing: kept.to_sql(dialect, **BY_ROW, missing=missing) for missing in (None, "flag")}
    formula, given = by_formula()
    plain, filled, in_unit = run([*asked.values(), formula.to_sql(dialect, **given)], GAPS)
    # Out of the range of costs, at no cost, and out of the range of prevalence.
    refused_too = ["pass", None, None, None]
    assert plain == ["flag", None, None, None, *refused_too, "flag"]
    assert filled == ["flag", "flag", "flag", "flag", *refused_too, "flag"]
    assert in_unit == ["flag", None, None, None, "pass", "flag", None, "flag", None]


@pytest.mark.parametrize(("dialect", "engine"), [("duckdb", on_duckdb), ("standard", on_duckdb)])
def test_rows_that_apply_refuses_have_no_action(dialect: str, engine: Any) -> None:
    gaps_told(engine, dialect)


@pytest.mark.cluster
def test_rows_that_apply_refuses_have_no_action_on_spark(on_spark: Any) -> None:
    gaps_told(on_spark, "spark")


def test_scores_of_any_type_are_numbers() -> None:
    kept = by_rule(cs.Rule((0.2, 2.0), ("pass", "review", "flag")))
    for kind in (pa.int32(), pa.decimal128(9, 2), pa.uint8(), pa.float32(), pa.float64()):
        rows = pa.table({"m": pa.array([0, 1, 2, 3, None], pa.float64()).cast(kind)})
        (found,) = on_duckdb([kept.to_sql("duckdb")], rows)
        assert found == ["pass", "review", "review", "flag", None]


@pytest.mark.parametrize("dialect", ["duckdb", "standard"])
def test_names_are_quoted_whatever_is_in_them(dialect: str) -> None:
    for name in (*NASTY, 'a"; SELECT 1', "CASE", "`"):
        words = f"no {name}", f"yes {name}"
        sql = by_rule(cs.Rule(0.5)).to_sql(dialect, score=name, actions=words)
        (found,) = on_duckdb([sql], pa.table({name: [0.2, 0.7]}))
        assert found == list(words)


@pytest.mark.cluster
def test_names_are_quoted_in_spark(on_spark: Any) -> None:
    for name in ("it's", "back\\slash", "`", "a` FROM x --", "été"):
        words = f"no {name} ${{x}}", f"yes {name} ${{x}}"
        sql = by_rule(cs.Rule(0.5)).to_sql("spark", score=name, actions=words)
        (found,) = on_spark([sql], pa.table({name: [0.2, 0.7]}))
        assert found == list(words)


@pytest.mark.parametrize("model", ["-x", "1-x"])
@pytest.mark.parametrize("kind", KINDS)
def test_turned_scores_are_made_of_their_column(model: str, kind: str) -> None:
    own = np.linspace(0, 1, 11).astype(KINDS[kind])
    turned = (0.0 if model == "-x" else 1.0) - np.round(np.linspace(0, 1, 11), 1)
    kept = SavedDecision({}, DeployedRules(model, "own", cs.Rule(float(turned[4]))))
    for dialect in ("duckdb",) if kind == "single" else ("duckdb", "standard"):
        (found,) = on_duckdb([kept.to_sql(dialect)], pa.table({"x": own}))
        assert found == kept.apply({model: turned}).action.tolist()


def test_everybody_is_flagged_without_a_score() -> None:
    everybody = SavedDecision({}, DeployedRules(None, "flag everybody", cs.Rule((), ("flag",))))
    assert everybody.to_sql() == "'flag'"
    kept = by_rule(cs.Rule((), ("flag",)))
    assert on_duckdb([kept.to_sql("duckdb")], pa.table({"m": [-np.inf, None]})) == [["flag", None]]


REFUSED: dict[str, tuple[Callable[[], SavedDecision], dict[str, Any], str]] = {
    "a queue": (
        lambda: by_rule(cs.Rule(0.1, ("flag", "pass"), by="share")),
        {},
        "own) works down a queue, so that what is done with a row depends on the others",
    ),
    "a draw": (
        lambda: by_rule(cs.Rule(0.3, otherwise=cs.Rule(0.7), chance=0.4)),
        {},
        "own) draws at random, and SQL has no draws that can be repeated",
    ),
    "costs that are not given": (lambda: decided("optimal"), {}, "give fp_cost and fn_cost"),
    "refusing": (lambda: by_rule(cs.Rule(0.3)), {"missing": "refuse"}, "SQL cannot refuse rows"),
    "no dialect": (
        lambda: by_rule(cs.Rule(0.3)),
        {"dialect": "oracle"},
        "dialect must be one of 'standard', 'duckdb', 'spark', got 'oracle'",
    ),
    "a name that Spark would fill in": (
        lambda: by_rule(cs.Rule(0.3)),
        {"dialect": "spark", "score": "${x}"},
        "column '${x}' cannot be named in this SQL",
    ),
    "no text": (lambda: by_rule(cs.Rule(0.3, ("a\0", "b"))), {}, "is no text in SQL"),
    "a formula": (lambda: decided("ScoreDriven"), BY_ROW, "the threshold of each row is a formula"),
    "costs that are too little": (
        lambda: decided("optimal"),
        {"fp_cost": -1, "fn_cost": "fn", "prevalence": 0.15},
        "fp_cost must be above tn_cost",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_sql_cannot_do_is_refused(name: str) -> None:
    make, given, said = REFUSED[name]
    with refused(cs.errors.ConditionError, said):
        make().to_sql(**given)


def test_a_decision_gives_the_same_as_saved() -> None:
    y, scores = [0, 0, 1, 0, 1, 1] * 5, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 5
    found = cs.decide(y, {"m": scores}, fp_cost=1, fn_cost=3, prevalence=0.5, folds=2)
    for dialect in DIALECTS:
        assert found.to_sql(dialect) == found.saved().to_sql(dialect)
