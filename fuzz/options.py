"""Command lines: good ones by their JSON and the oracle, bad ones by their one line."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from brute_force import beta_density

from fuzz import applied
from fuzz.bad_options import bad
from fuzz.case import ANSWER, EITHER, Case
from fuzz.commands import run
from fuzz.lines import columns_of, file_of, on_a_file, rows_of
from fuzz.oracle import CLOSE, differ
from fuzz.samples import Rng, Sample


def case(rng: Rng) -> Case:
    """A command line on a file of plain names."""
    makers = (_evaluate, _decide, _compare, _tally, _report, applied.case, bad, bad, bad)
    return makers[int(rng.integers(len(makers)))](rng)


def _evaluate(rng: Rng) -> Case:
    one, other = rows_of(rng)
    arguments = ["evaluate", "FILE", *columns_of(one, second=False), "--json"]
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
    return on_a_file(rng, "evaluate", one, other, arguments, must=must, right=right)


def _decide(rng: Rng) -> Case:
    one, other = rows_of(rng)
    fp, fn = (float(x) for x in rng.uniform(0.5, 30, 2).round(3))
    second = Sample(one.y, other, one.w, None, "plain")
    p = float(rng.uniform(0.02, 0.98))
    arguments = ["decide", "FILE", *columns_of(one, second=True), "--json"]
    arguments += ["--fp-cost", repr(fp), "--fn-cost", repr(fn), "--prevalence", repr(p)]
    if rng.random() < 0.3:
        arguments += ["--groups", "g"]
    if rng.random() < 0.2:
        arguments += ["--by", "cost"]
    if rng.random() < 0.3:
        arguments += ["--folds", str(int(rng.integers(2, 6)))]
    limited = rng.random() < 0.3
    if limited:
        limit = ["--capacity", "--min-precision", "--min-recall", "--max-fpr"][int(rng.integers(4))]
        arguments += [limit, repr(float(rng.random()))]
    if rng.random() < 0.2:
        arguments.remove("--json")
        return on_a_file(rng, "decide", one, other, arguments, must=EITHER, after=_page)

    def right(answer: dict[str, Any]) -> str | None:
        expected = [1000 * p * fn, 1000 * (1 - p) * fp]
        found = [answer["trivial"][key] for key in ("flag_nobody", "flag_everybody")]
        wrong = differ(found, expected, CLOSE)
        if wrong or limited:
            return wrong
        a, b = (1 - p) * fp, p * fn
        losses = [each.ranked.loss("optimal", "skew", a / (a + b)) for each in (one, second)]
        best = 1000 * (a + b) * min(losses)
        least = min(each["in_sample"] for each in answer["strategies"])
        return None if least >= best * (1 - CLOSE) else f"{least} where the best is {best}"

    least = min(np.sum((one.y == label) & one.present) for label in (0, 1))
    enough = least >= 2 and "--groups" not in arguments
    return on_a_file(
        rng, "decide", one, other, arguments, must=ANSWER if enough else EITHER, right=right
    )


def _page(printed: str) -> str:
    """What is for people: some lines, and no figure that is none."""
    if not printed.strip():
        raise AssertionError("nothing printed")
    return printed


def _compare(rng: Rng) -> Case:
    one, other = rows_of(rng)
    arguments = ["compare", "FILE", *columns_of(one, second=True), "--json"]
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
    return on_a_file(rng, "compare", one, other, arguments, must=EITHER, right=right)


def _tally(rng: Rng) -> Case:
    """Counts of two parts, merged, are those of the whole."""
    one, other = rows_of(rng)
    cut = int(rng.integers(1, len(one)))

    def call(*_: Any) -> Any:
        folder = Path(tempfile.mkdtemp(prefix="rows", dir=Path.cwd()))
        try:
            saved = []
            for i, part in enumerate((slice(None, cut), slice(cut, None))):
                found = file_of(folder, one.rows(part), other[part], f"part{i}.csv")
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
    one, other = rows_of(rng)
    arguments = ["report", "FILE", *columns_of(one, second=True), "-o", "OUT"]
    if rng.random() < 0.5:
        arguments += ["--fp-cost", "1", "--fn-cost", "5:50"]

    def after(path: Path) -> str:
        page = path.read_text(encoding="utf-8")
        if "</html>" not in page[-200:]:
            raise AssertionError("half a page")
        return page[:20]

    return on_a_file(rng, "report", one, other, arguments, must=EITHER, after=after)
