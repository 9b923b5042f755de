"""Names that stand for columns: patterns, elements of lists and formulas, and the columns apart."""

import json
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from costspace.errors import CostspaceError
from fuzz.case import EITHER, Case
from fuzz.clothes import as_printed
from fuzz.commands import run
from fuzz.files import in_a_folder
from fuzz.samples import UNIT, Rng, sample

Columns = dict[str, Any]
# What is asked of a file by such names and by those of columns, and how models are then called.
Asked = tuple[list[str], list[str], dict[str, str]]
_NUMBERS = ("2", "0.6", ".5", "3.", "1e-3", "2.5E2", "0.1", "1000000")
_PATTERNS = ("model_*", "*_b", "*o*", "*", "all-but:t", "all-but: s, m*", "-model_*", "1-*s")


def case(rng: Rng) -> Case:
    """A command on columns by names that stand for them, and by those of the columns."""
    one = sample(rng, UNIT, rows=(12, 40), weighted=False, prevalence=False)
    columns: Columns = {"y": one.y, "s": one.s}
    for name in ("t", "model_a", "model b"):
        columns[name] = rng.random(len(one)).round(int(rng.integers(1, 5)))
    command = [["evaluate"], ["compare", "--metric=auc"], ["decide", "--fp-cost=1"]][
        int(rng.integers(3))
    ]
    decides = command[0] == "decide"
    kinds = [_pattern, _element, _formula, *([_costs] * 2 * decides)]
    given, plain, called = kinds[int(rng.integers(len(kinds)))](rng, columns)
    if decides and not any("fn-cost" in one for one in given):
        command.append("--fn-cost=5")
    as_text = all(np.ndim(values[0]) == 0 for values in columns.values()) and rng.random() < 0.5

    def work(folder: Path) -> Any:
        path = folder / ("rows.csv" if as_text else "rows.parquet")
        store(path, columns)
        return [_outcome([*command, path, "--label=y", *one, "--json"]) for one in (given, plain)]

    def call(*_: Any) -> Any:
        found, known = in_a_folder(work)()
        if isinstance(found, CostspaceError) and isinstance(known, CostspaceError):
            raise found
        return found, known

    def right(answers: Any) -> str | None:
        found, known = (
            one if isinstance(one, CostspaceError) else _renamed(one, called) for one in answers
        )
        same = type(found) is type(known) and found == known
        return None if same else f"{str(found)[:300]} where columns give {str(known)[:300]}"

    shown = {name: values[:2] for name, values in columns.items()}
    return Case(f"{command[0]} by names", (given, shown), {}, EITHER, right, call=call)


def _outcome(arguments: list[Any]) -> Any:
    try:
        return json.loads(run(*arguments))
    except CostspaceError as error:
        return error


def _renamed(value: Any, called: dict[str, str]) -> Any:
    """An answer without paths, in which models have other names."""
    if isinstance(value, dict):
        return {
            _renamed(key, called): _renamed(one, called)
            for key, one in value.items()
            if key not in ("path", "notes")
        }
    if isinstance(value, list):
        return [_renamed(one, called) for one in value]
    if isinstance(value, str):
        for name, plain in called.items():
            value = value.replace(name, plain)
    return value


def store(path: Path, columns: Columns) -> None:
    """Write columns as CSV or Parquet, empty where a number is NaN."""
    from pyarrow import array, table
    from pyarrow.csv import write_csv
    from pyarrow.parquet import write_table

    whole = table({name: array(one, from_pandas=True) for name, one in columns.items()})
    (write_csv if path.suffix == ".csv" else write_table)(whole, path)


def _scores(names: list[str]) -> list[str]:
    return [f"--score={name}" for name in names]


def _pattern(rng: Rng, columns: Columns) -> Asked:
    """Patterns, against all the names that they match, each once, in the order of the file."""
    free = [name for name in columns if name != "y"]
    asked = [str(one) for one in rng.choice([*_PATTERNS, "s", "model_a"], int(rng.integers(1, 4)))]
    plain: list[str] = [one for one in asked if one in free]
    found: list[str] = []
    for name in asked:
        if name in free:
            found.append(name)
            continue
        sign, bare = next((x, name[len(x) :]) for x in ("1-", "-", "") if name.startswith(x))
        if bare.startswith("all-but:"):
            out = [part.lstrip() for part in bare.removeprefix("all-but:").split(",")]
            added = [one for one in free if not any(fnmatchcase(one, part) for part in out)]
        else:
            added = [sign + one for one in free if fnmatchcase(one, bare)]
        new = [one for one in added if one not in plain]
        plain += new
        found += new or ["nothing"]
    return _scores(asked), _scores(found), {}


def _element(rng: Rng, columns: Columns) -> Asked:
    """An element of lists, as predict_proba gives them, against the same as a column."""
    import pyarrow as pa

    of = pa.float32() if rng.random() < 0.3 else pa.float64()
    s = columns["s"].astype(of.to_pandas_dtype())
    size, place = (1, 0) if rng.random() < 0.2 else (3, int(rng.integers(3)))
    lists = np.stack([s if i == place else rng.random(len(s)) for i in range(size)], axis=1)
    kinds = (pa.list_(of), pa.large_list(of), pa.list_(of, size))
    columns["p_"] = pa.array(lists.tolist(), kinds[int(rng.integers(3))])
    columns["s"] = s
    sign = str(rng.choice(["", "", "-", "1-"]))
    name = "p_" if size == 1 and rng.random() < 0.5 else f"p_[{place}]"
    return _scores([f"{sign}{name}", "t"]), _scores([f"{sign}s", "t"]), {name: "s"}


def _formula(rng: Rng, columns: Columns) -> Asked:
    """A formula of scores or of weights, against its numbers as a column."""
    if rng.random() < 0.5:
        more = _scores(["s", "t"])
        return [*more, f"--weight={_written(rng, columns)}"], [*more, "--weight=known"], {}
    # Among scores a star is a pattern.
    text = _written(rng, columns, "+-")
    return _scores([text, "t"]), _scores(["known", "t"]), {text: "known"}


def _costs(rng: Rng, columns: Columns) -> Asked:
    """A formula of amounts as a cost, against its numbers as a column."""
    text = _written(rng, columns)
    more = _scores(["s", "t"])
    return [*more, f"--fn-cost-column={text}"], [*more, "--fn-cost-column=known"], {text: "known"}


def _written(rng: Rng, columns: Columns, signs: str = "+-**") -> str:
    """A formula of new columns; what Python makes of it is the column "known"."""
    n = len(columns["y"])
    made: list[Callable[[], Any]] = [
        lambda: rng.integers(1, 200_000_000, n),
        lambda: rng.integers(1, 120, n).astype(np.int8),
        lambda: rng.uniform(0.01, 500, n).round(2),
        lambda: rng.uniform(0.01, 500, n).astype(np.float32),
    ]
    for name in ("amount", "a fee"):
        columns[name] = made[int(rng.integers(len(made)))]()
    parts = ["amount", '"a fee"', "amount", str(rng.choice(_NUMBERS)), str(rng.choice(_NUMBERS))]
    some = [parts[i] for i in rng.permutation(5)[: int(rng.integers(2, 6))]]
    text = _joined(rng, [*some, "amount"] if some[0] in _NUMBERS else some, signs)
    numbers = {
        name: (as_printed(one) if one.dtype == np.float32 else one).astype(float)
        for name, one in (("amount", columns["amount"]), ("fee", columns["a fee"]))
    }
    columns["known"] = eval(text.replace('"a fee"', "fee"), {}, numbers)
    return text


def _joined(rng: Rng, parts: list[str], signs: str) -> str:
    """Operands joined by signs, some in brackets."""
    if len(parts) == 1:
        return parts[0]
    cut = int(rng.integers(1, len(parts)))
    space = " " * int(rng.integers(2))
    sign = f"{space}{rng.choice(list(signs))}{space}"
    text = f"{_joined(rng, parts[:cut], signs)}{sign}{_joined(rng, parts[cut:], signs)}"
    return f"({rng.choice(['', '', '-'])!s}{text})" if rng.random() < 0.3 else text
