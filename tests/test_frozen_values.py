"""Every public value pickles, copies and stays frozen, and its columns hold what it holds."""

import copy
import json
import operator
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from public_values import (
    EXEMPT,
    WEIGHT,
    A,
    Y,
    falling,
    inside,
    instances,
    parts_of,
    public_classes,
    roots,
)

import costspace as cs
from costspace.arrays import FrozenDict, read_only
from costspace.notebook import Tabulated

Way = Callable[[Any], Any]
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
WAYS: dict[str, Way] = {
    **{f"pickle {p}": lambda v, p=p: pickle.loads(pickle.dumps(v, protocol=p)) for p in PROTOCOLS},
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
# Estimators are for setting parameters, by scikit-learn's rules; what they hold is not.
ADDRESS = re.compile("0x[0-9a-f]+")
COLUMNS = {
    "Concavities": "low high auc_gained",
    "CrossingIntervals": "low high first last before after",
    "Dominance": "from to best",
    "Envelope": "from to winner",
    "EqualCostPoints": "skew fpr_a fnr_a fpr_b fnr_b loss coincide",
    "Hybrid": "from to model",
    "LossesAt": "model loss excess",
    "ModelBounds": "quantity low high midpoint",
    "Partition": "above up_to share positive_share mean_score",
    "ScoreIntervals": "kind t_low t_high c_low c_high",
    "SignIntervals": "from to sign",
    "TrivialCosts": "flag_nobody flag_everybody",
}
MUTABLE = {"HybridClassifier", "ThresholdChoiceClassifier"}


def names() -> list[str]:
    return sorted({kind.__name__ for kind in public_classes()} - EXEMPT)


def test_every_public_class_is_tested() -> None:
    assert set(instances()) == set(names())
    assert {kind.__name__ for kind in public_classes()} > EXEMPT


@pytest.mark.parametrize("name", names())
def test_a_copy_answers_the_same_and_is_frozen(name: str) -> None:
    for value in instances()[name]:
        if name not in MUTABLE:
            check_frozen(value, through_base=False)
        # SciPy's frozen distributions show their address in memory.
        shown = ADDRESS.sub("", repr(value))
        for way, copied in WAYS.items():
            again = copied(value)
            assert same(again, value), way
            assert ADDRESS.sub("", repr(again)) == shown, way
            if isinstance(value, Tabulated):
                assert same(again.columns(), value.columns()), way
            if name not in MUTABLE:
                check_frozen(again, through_base=way != "copy")


@pytest.mark.parametrize("name", names())
def test_columns_are_as_long_as_each_other_and_hold_what_their_names_say(name: str) -> None:
    for value in instances()[name]:
        if isinstance(value, Tabulated):
            columns = value.columns()
            assert " ".join(columns) == COLUMNS.get(name, " ".join(columns))
            assert len({len(column) for column in columns.values()}) == 1
            for column in columns:
                if isinstance(held := getattr(value, column, None), np.ndarray):
                    assert same(columns[column], held)
            if "from" in columns and hasattr(value, "breaks"):
                assert same(columns["from"], value.breaks[:-1])
                assert same(columns["to"], value.breaks[1:])


def test_results_go_to_other_processes_and_back() -> None:
    table = cs.ScoreTable.from_predictions(Y, A)
    sent = [table, cs.Optimal().path(table), roots()["comparison"], roots()["model"]]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for value, again in zip(sent, pool.map(copy.copy, sent), strict=True):
            assert same(again, value)
            check_frozen(again, through_base=True)


@pytest.mark.parametrize("way", sorted(WAYS.keys() - {"copy"}))
def test_cached_properties_are_computed_anew(way: str) -> None:
    table = cs.ScoreTable.from_predictions(Y, A)
    scores = cs.brier_score(table), table.auc, cs.auc_hull(table)
    again = WAYS[way](table)
    assert vars(again.ranking).keys() < vars(table.ranking).keys()
    assert (cs.brier_score(again), again.auc, cs.auc_hull(again)) == scores


def test_a_local_function_is_copied_but_not_pickled() -> None:
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), falling, 0.5)
    assert copy.deepcopy(model).auc == model.auc
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(model)


def test_a_mapping_of_a_result_cannot_be_changed() -> None:
    notes = FrozenDict({"auc": "note"})
    changes: list[Callable[[Any], Any]] = [
        lambda m: m.update(auc=""),
        lambda m: m.setdefault("brier", ""),
        lambda m: m.pop("auc"),
        lambda m: m.popitem(),
        lambda m: m.clear(),
        lambda m: operator.setitem(m, "auc", ""),
        lambda m: operator.delitem(m, "auc"),
        lambda m: operator.ior(m, {"auc": ""}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="cannot be changed"):
            change(notes)
    assert notes == {"auc": "note"}
    assert json.loads(json.dumps(notes)) == notes
    assert type(notes | {}) is dict


def same(a: Any, b: Any) -> bool:
    """Whether two values are made of the same parts."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        equal_nan = a.dtype.kind == "f"
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=equal_nan)
    parts, others = parts_of(a), parts_of(b)
    if parts or others:
        return len(parts) == len(others) and all(map(same, parts, others))
    if hasattr(a, "dist"):
        return same([a.dist.name, a.args, a.kwds], [b.dist.name, b.args, b.kwds])
    return bool(a == b) or (a != a and b != b) or vars(a).keys() == vars(b).keys()  # noqa: PLR0124


@pytest.mark.parametrize("name", sorted(set(names()) - MUTABLE))
def test_what_a_value_is_made_of_may_change_without_it(name: str) -> None:
    for value in instances()[name]:
        given = (
            {
                field.name: writable(getattr(value, field.name))
                for field in fields(value)
                if field.init
            }
            if is_dataclass(value)
            else {}
        )
        arrays = [one for one in given.values() if isinstance(one, np.ndarray) and one.size]
        if not arrays:
            continue
        made = type(value)(**given)
        kept = {
            key: getattr(made, key).copy()
            for key, one in given.items()
            if isinstance(one, np.ndarray)
        }
        for array in arrays:
            array[...] = array[::-1].copy() if array.ndim else 0
        for key, values in kept.items():
            np.testing.assert_array_equal(getattr(made, key), values)


LATER: dict[str, Callable[..., Any]] = {
    "rows": lambda y, s, w, g, c: cs.ScoredRows.from_predictions(
        y, {"m": s}, sample_weight=w, groups=g, case_costs=cs.CaseCosts(c, 9 * c)
    ),
    "frames": lambda y, s, w, g, c: cs.ScoredRows.from_predictions(
        pd.Series(y, copy=False), pd.DataFrame({"m": s}, copy=False), sample_weight=pd.Series(w)
    ),
    "zero copies": lambda y, s, w, g, c: cs.ScoredRows.from_predictions(
        y, {"m": pl.Series(s)}, sample_weight=pa.array(w), case_costs=cs.CaseCosts(pl.Series(c), 20)
    ),
    "a view of what others hold": lambda y, s, w, g, c: cs.ScoredRows.from_predictions(
        y, {"m": np.frombuffer(memoryview(s).toreadonly())}, sample_weight=read_only(w)
    ),
    "a decision": lambda y, s, w, g, c: cs.decide(
        y, s, sample_weight=w, case_costs=cs.CaseCosts(c, 9 * c), groups=g
    ),
    "decisions in use": lambda y, s, w, g, c: cs.decide(
        y, s, conditions=cs.Deployment(1, (2, 8), 0.1), baseline=y
    ),
    "validation": lambda y, s, w, g, c: cs.decide(
        Y, A, conditions=cs.Deployment(1, (2, 8), 0.1), validation=(y, s)
    ),
}


@pytest.mark.parametrize("name", LATER)
def test_what_answers_later_answers_on_what_was_given(name: str) -> None:
    generator = np.random.default_rng(3)

    def given() -> tuple[np.ndarray, ...]:
        y = (np.arange(120) % 3 == 0).astype(int)
        return y, A.copy(), WEIGHT.copy(), np.arange(120) // 2, 1.0 + Y

    arrays = given()
    value = LATER[name](*arrays)
    for array in arrays:
        generator.shuffle(array)
    again = LATER[name](*given())
    if isinstance(value, cs.ScoredRows):
        assert all(
            same(getattr(value, one.name), getattr(again, one.name)) for one in fields(value)
        )
    else:
        assert value._repr_html_() == again._repr_html_()


def writable(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def check_frozen(value: Any, *, through_base: bool) -> None:
    """No attribute can be set, no array written and no mapping changed."""
    for part in inside(value):
        if isinstance(part, np.ndarray):
            check_unwritable(part, through_base=through_base)
        elif isinstance(part, dict):
            assert isinstance(part, FrozenDict)
        elif type(part).__module__.startswith("costspace"):
            check_unsettable(part)
        assert not isinstance(part, (list, set, bytearray))


def check_unwritable(array: Any, *, through_base: bool) -> None:
    assert not array.flags.writeable
    while through_base and isinstance(array, np.ndarray):
        assert not array.flags.writeable
        array = array.base
    assert not isinstance(array, bytearray)


def check_unsettable(value: Any) -> None:
    for name in [*vars(value), "added"]:
        with pytest.raises(AttributeError):
            setattr(value, name, None)
        with pytest.raises(AttributeError):
            delattr(value, name)
