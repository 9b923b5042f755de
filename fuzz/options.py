"""Command lines: good ones by their JSON and the oracle, bad ones by their one line."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from brute_force import beta_density

from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.commands import run, run_apart, shown
from fuzz.oracle import CLOSE, differ
from fuzz.samples import UNIT, Rng, Sample, sample
from fuzz.tables import Written

APART = 0.01


def case(rng: Rng) -> Case:
    """A command line on a file of plain names."""
    makers = (_evaluate, _decide, _compare, _tally, _report, _bad, _bad, _bad)
    return makers[int(rng.integers(len(makers)))](rng)


def _rows(rng: Rng) -> tuple[Sample, np.ndarray]:
    one = sample(rng, UNIT, rows=(10, 24), prevalence=False)
    return one, rng.random(len(one)).round(2)


def _file(folder: Path, one: Sample, other: np.ndarray, name: str = "rows.csv") -> Written:
    """The rows as a CSV of plain names, with costs and groups beside them."""
    columns: dict[str, Any] = {"y": one.y, "s": one.s, "t": other}
    if one.w is not None:
        columns["w"] = one.w
    columns["g"] = np.arange(len(one)) // 2
    columns["cost"] = 1.0 + np.arange(len(one)) % 3
    lines = [",".join(columns)]
    lines += [
        ",".join(repr(value.item()) for value in row) for row in zip(*columns.values(), strict=True)
    ]
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    weight = None if one.w is None else "w"
    return Written(path, one, other, "y", ("s", "t"), weight, None)


def _on_a_file(
    rng: Rng, name: str, one: Sample, other: np.ndarray, arguments: list[str], **terms: Any
) -> Case:
    """A case that runs a command on the rows, and sees to what it leaves behind."""
    apart = rng.random() < APART
    after = terms.pop("after", json.loads)

    def call(*_: Any) -> Any:
        folder = Path(tempfile.mkdtemp(prefix="rows", dir=Path.cwd()))
        try:
            found = _file(folder, one, other)
            out = folder / "out"
            placed = [
                str(found.path) if a == "FILE" else str(out) if a == "OUT" else a for a in arguments
            ]
            try:
                printed = (run_apart if apart else run)(*placed)
            except ValueError:
                left = sorted(path.name for path in folder.iterdir())
                if left != [found.path.name]:
                    raise AssertionError(f"a refusal leaves {left}") from None
                raise
            if "OUT" in arguments:
                return after(out)
            return after(printed)
        finally:
            shutil.rmtree(folder)

    return Case(name, (one, shown(arguments)), {}, call=call, **terms)


def _columns(rng: Rng, one: Sample, *, second: bool) -> list[str]:
    found = ["--label", "y", "--score", "s"]
    if second:
        found += ["--score", "t"]
    if one.w is not None:
        found += ["--weight", "w"]
    return found


def _evaluate(rng: Rng) -> Case:
    one, other = _rows(rng)
    arguments = ["evaluate", "FILE", *_columns(rng, one, second=False), "--json"]
    prevalence = None
    if rng.random() < 0.5:
        prevalence = float(rng.choice([0.5, 0.01, rng.uniform(0.01, 0.99)]))
        arguments.append(f"--prevalence={prevalence!r}")
    known = Sample(one.y, one.s, one.w, prevalence, one.kind)
    density: Any = None
    low, high = 0.0, 1.0
    if rng.random() < 0.5:
        if rng.random() < 0.5:
            a, b = (float(x) for x in rng.uniform(1, 6, 2).round(2))
            density = beta_density(a, b)
            arguments += ["--costs", f"beta({a}, {b})"]
        else:
            low, high = 0.2, 0.7
            arguments += ["--costs", "uniform(0.2,0.7)"]
    if rng.random() < 0.2:
        arguments.append("--intervals")
    if rng.random() < 0.2:
        arguments += ["--by", "cost"]
    if rng.random() < 0.2:
        arguments += ["--engine", "polars"]

    def right(answer: dict[str, Any]) -> str | None:
        model = answer["models"]["s"]
        options = {"low": low, "high": high} | ({} if density is None else {"density": density})
        expected = {
            "auc": known.ranked.auc(),
            "brier": known.oracle.brier(),
            "mae": known.oracle.mae(),
            "optimal": known.ranked.expected_loss("optimal", "cost", **options),
            "rate_driven": known.ranked.expected_loss("rate_driven", "cost", **options),
            "score_driven": known.oracle.expected_loss("score_driven", "cost", **options),
        }
        found = {**model["metrics"], **model["expected_loss"]["cost"]}
        for name, value in expected.items():
            wrong = differ(found[name], value, CLOSE)
            if wrong:
                return f"{name}: {wrong}"
        return None

    must = EITHER if "--intervals" in arguments else ANSWER
    return _on_a_file(rng, "evaluate", one, other, arguments, must=must, right=right)


def _decide(rng: Rng) -> Case:
    one, other = _rows(rng)
    fp, fn = (float(x) for x in rng.uniform(0.5, 30, 2).round(3))
    p = float(rng.uniform(0.02, 0.98))
    arguments = ["decide", "FILE", *_columns(rng, one, second=True), "--json"]
    arguments += ["--fp-cost", repr(fp), "--fn-cost", repr(fn), "--prevalence", repr(p)]
    if rng.random() < 0.3:
        arguments += ["--groups", "g"]
    if rng.random() < 0.3:
        arguments += ["--folds", str(int(rng.integers(2, 6)))]
    limited = rng.random() < 0.3
    if limited:
        limit = ["--capacity", "--min-precision", "--min-recall", "--max-fpr"][int(rng.integers(4))]
        arguments += [limit, repr(float(rng.random()))]
    if rng.random() < 0.2:
        arguments.remove("--json")
        return _on_a_file(rng, "decide", one, other, arguments, must=EITHER, after=_page)

    def right(answer: dict[str, Any]) -> str | None:
        expected = [1000 * p * fn, 1000 * (1 - p) * fp]
        found = [answer["trivial"][key] for key in ("flag_nobody", "flag_everybody")]
        wrong = differ(found, expected, CLOSE)
        if wrong or limited:
            return wrong
        a, b = (1 - p) * fp, p * fn
        best = 1000 * (a + b) * one.ranked.loss("optimal", "skew", a / (a + b))
        return differ(answer["models"]["s"]["cost_per_1000"]["optimal"], best, CLOSE)

    least = min(np.sum((one.y == label) & one.present) for label in (0, 1))
    enough = least >= 2 and "--groups" not in arguments
    return _on_a_file(
        rng, "decide", one, other, arguments, must=ANSWER if enough else EITHER, right=right
    )


def _page(printed: str) -> str:
    """What is for people: some lines, and no figure that is none."""
    if not printed.strip():
        raise AssertionError("nothing printed")
    return printed


def _compare(rng: Rng) -> Case:
    one, other = _rows(rng)
    arguments = ["compare", "FILE", *_columns(rng, one, second=True), "--json"]
    arguments += ["--metric", "auc", "--metric", "brier"]
    if rng.random() < 0.3:
        arguments += ["--correction", str(rng.choice(["holm", "bonferroni", "none"]))]
    if rng.random() < 0.2:
        arguments += ["--bands", str(rng.choice(["score_driven", "optimal", "score_fixed"]))]
    second = Sample(one.y, other, one.w, None, "plain")

    def right(answer: dict[str, Any]) -> str | None:
        expected = {
            "auc": one.ranked.auc() - second.ranked.auc(),
            "brier": one.oracle.brier() - second.oracle.brier(),
        }
        for pair in answer["pairs"]:
            wrong = differ(pair["difference"], expected[pair["metric"]], CLOSE)
            if wrong:
                return f"{pair['metric']}: {wrong}"
        return None

    # A class may have a single row that counts.
    return _on_a_file(rng, "compare", one, other, arguments, must=EITHER, right=right)


def _tally(rng: Rng) -> Case:
    """Counts of two parts, merged, are those of the whole."""
    one, other = _rows(rng)
    cut = int(rng.integers(1, len(one)))

    def call(*_: Any) -> Any:
        folder = Path(tempfile.mkdtemp(prefix="rows", dir=Path.cwd()))
        try:
            saved = []
            for i, part in enumerate((slice(None, cut), slice(cut, None))):
                found = _file(folder, one.rows(part), other[part], f"part{i}.csv")
                saved.append(folder / f"saved{i}")
                positive = ["--positive", "1"]
                run("tally", found.path, *found.arguments, *positive, "-o", saved[-1])
            run("merge", *saved, "-o", folder / "whole")
            printed = run("evaluate", folder / "whole", "--json")
            drifted = json.loads(printed)
            return drifted["models"]["s"]["metrics"]["auc"]
        finally:
            shutil.rmtree(folder)

    parts = [one.rows(slice(None, cut)), one.rows(slice(cut, None))]
    counted = all(part.present.any() for part in parts)
    # A part of negatives only has labels that say nothing of the positive one.
    must = ANSWER if counted and all(1 in part.y for part in parts) else EITHER
    return Case(
        "tally and merge",
        (one, cut),
        {},
        must,
        lambda found: differ(found, one.ranked.auc(), CLOSE),
        call=call,
    )


def _report(rng: Rng) -> Case:
    one, other = _rows(rng)
    arguments = ["report", "FILE", *_columns(rng, one, second=True), "-o", "OUT"]
    if rng.random() < 0.5:
        arguments += ["--fp-cost", "1", "--fn-cost", "5:50"]

    def after(path: Path) -> str:
        page = path.read_text(encoding="utf-8")
        if "</html>" not in page[-200:]:
            raise AssertionError("half a page")
        return page[:20]

    return _on_a_file(rng, "report", one, other, arguments, must=EITHER, after=after)


# --- What is bad --------------------------------------------------------------------------------

VALUES: dict[str, tuple[str, ...]] = {
    "--prevalence": ("0", "1", "-0.5", "5%", "50", "nan", "inf", "a", "", "0,5", "1_0", "٠.٥"),
    "--costs": (
        "uniform",
        "uniform(1,0)",
        "beta(0,1)",
        "point(2)",
        "uniform(0,1",
        "f(1)",
        "nan",
        "",
    ),
    "--level": ("0", "1", "95", "nan", "a", "-1", "95%"),
    "--axis": ("both", "", "Cost "),
    "--label": ("Y", "nothing", "", "s"),
    "--score": ("S", "nothing", "", "y2"),
    "--weight": ("W2", "", "nothing"),
    "--positive": ("7", "", "yes"),
    "--engine": ("sqlite", ""),
    "--bins": ("0", "-1", "a", "1.5", "", "1e3"),
    "--groups": ("nothing", ""),
    "--by": ("nothing", ""),
    "--fp-cost": (
        "0",
        "-1",
        "a",
        "5:1",
        "1:2:3",
        "10-100",
        "",
        "nan",
        "inf",
        "1,000",
        "1_000",
        "0:5",
    ),
    "--fn-cost": ("0", "-1", "a", "5:1", "", "1e400", "٣"),
    "--capacity": ("-0.1", "2", "a", "", "20%", "nan"),
    "--min-precision": ("-0.1", "30", "", "30 %"),
    "--folds": ("1", "0", "a", "2.5", "-3", ""),
    "--metric": ("aucc", "", "AUC", "expected_loss"),
    "--correction": ("holms", ""),
    "--calibrated-to": ("0", "1", "a", ""),
    "--output": ("", ".", "/nowhere/at/all.json", "FILE"),
    "--width": ("0", "-1", "a"),
    "--nothing": ("1",),
    "--json=maybe": (),
    "extra": (),
}
TAKES = {
    "evaluate": (
        *("--prevalence", "--costs", "--axis", "--label", "--score", "--weight", "--positive"),
        *("--engine", "--bins", "--by", "--output", "--nothing", "--json=maybe", "extra"),
    ),
    "decide": (
        *("--prevalence", "--level", "--label", "--score", "--weight", "--positive", "--fp-cost"),
        *("--fn-cost", "--capacity", "--min-precision", "--folds", "--calibrated-to", "--output"),
        *("--nothing", "extra", "--groups"),
    ),
    "compare": (
        *("--prevalence", "--costs", "--level", "--label", "--score", "--metric", "--correction"),
        *("--axis", "--groups", "--output", "--nothing"),
    ),
}


def _bad(rng: Rng) -> Case:
    one, other = _rows(rng)
    command = str(rng.choice(list(TAKES)))
    option = str(rng.choice(TAKES[command]))
    values = VALUES[option]
    value = values[int(rng.integers(len(values)))] if values else ""
    arguments = [command, "FILE", *_columns(rng, one, second=command == "compare"), "--json"]
    if command == "decide":
        arguments += ["--fp-cost", "1", "--fn-cost", "5"]
    if option in arguments:
        arguments[arguments.index(option) + 1] = value
    elif values:
        arguments += [f"{option}={value}"]
    else:
        arguments += [option]
    if option == "--label" and value == "s" and set(one.s[one.present]) <= {0.0, 1.0}:
        value = "y"
    must = EITHER if (option, value) in (("--label", "s"), ("--label", "y")) else REFUSE
    if option == "--weight" and one.w is None:
        must = REFUSE
    return _on_a_file(
        rng, command, one, other, arguments, must=must, note=f"{option} {value!r}".strip()
    )
