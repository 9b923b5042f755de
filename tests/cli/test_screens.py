"""What commands print fits a screen of 25 lines and 80 columns, whatever models are called."""

import re

import numpy as np
import pytest
from command_line import as_json, lines_of, run, scored
from prediction_files import write_csv
from rich.cells import cell_len

from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.cli.bands import band_lines
from costspace.decision.words import listed
from costspace.metrics import LARGER_IS_BETTER, METRICS

ROWS = 160
LONG = [f"the model that somebody thought of in the spring of version {i}" for i in range(8)]
# Of one model, of three, of nine with names that are long or wide.
NAMES = {1: ["m"], 3: ["logistic", LONG[0], "短い名前のモデル" * 4], 9: [*LONG, "名前" * 30]}
each_number = pytest.mark.parametrize("number", NAMES)


def assert_narrow(out):
    assert max(map(cell_len, out.splitlines())) <= 80


def assert_of_the_table(page):
    """The answer comes to its end, and it and the foot name only what the table has."""
    answer, table, foot = "\n".join(page).split("\n\n")
    shown = {*re.findall(r"\w+", table)} & {*METRICS, *PARAMETER_FREE}
    assert answer.endswith(".")
    assert {*re.findall(r"\w+", answer)} & {*METRICS, *PARAMETER_FREE} <= shown
    assert f"Larger is better for {listed(sorted(LARGER_IS_BETTER & shown))}, else" in " ".join(
        foot.split()
    )


def test_a_table_with_strategies_that_do_the_same_has_thresholds(tmp_path, capsys):
    generator = np.random.default_rng(4)
    labels = (generator.random(400) < 0.3).astype(int)
    score = np.clip(generator.beta(2, 3, 400) + 0.25 * labels, 0, 1).round(2)
    twins = {"logistic": score, "logistic_calibrated": 0.9 * score, "random_forest_500": score**2}
    path = write_csv(tmp_path / "twins.csv", {"y": labels, **twins})
    costs = ("--fp-cost", 1, "--fn-cost", 5)
    page = run(capsys, "decide", path, "--label", "y", *scored(twins), *costs)
    lines_of(page)
    (heading,) = (line for line in page.splitlines() if line.startswith("model"))
    assert "threshold" in heading
    # The threshold of one is none of the others, whose scores are on scales of their own.
    assert re.search(r" \+2  smoothed +by model ", page)
    told = r"The same on all rows: (\w+), (\w+) and (\w+)\."
    (named,) = re.findall(told, " ".join(page.split()))
    assert set(named) == set(twins)


@pytest.mark.parametrize("names", ["mrho", "hrmo", "mrhoz"])
@pytest.mark.parametrize("limits", [(), ("--capacity", 0.4)])
def test_each_line_is_shown_or_counted_beside_twins_and_a_reversed_column(
    tmp_path, capsys, names, limits
):
    generator = np.random.default_rng(3)
    labels = (generator.random(500) < 0.4).astype(int)
    score = 1 / (1 + np.exp(-generator.normal(4 * labels - 2)))
    scores = {"m": score, "r": 1 - score, "h": score / 2, "o": 30 * score - 9}
    scores["z"] = np.clip(score + generator.normal(0, 0.1, 500), 0, 1)
    path = write_csv(tmp_path / "twins.csv", {"y": labels, **scores})
    costs = ("--fp-cost", 1, "--fn-cost", 5)
    command = ["decide", path, "--label", "y", *scored(names), *costs, *limits]
    page = run(capsys, *command)
    lines_of(page)
    table = page[page.index("\nmodel ") :].split("\n\n")[0]
    rows = len(re.findall(r"  (?:yes|no|–)$", table, re.MULTILINE))
    found = as_json(capsys, *command)["strategies"]
    of_all = [one for one in found if one["model"] is not None and not one["rule"]["cuts"]]
    left = len([one for one in found if one["same_as"] is None and one not in of_all]) - rows
    counted = re.findall(r"Not shown: (\d+) that", " ".join(page.split()))
    assert counted == ([str(left)] if left else [])


def columns(number, *, moved=0.0, seed=1):
    generator = np.random.default_rng(seed)
    labels = (generator.random(ROWS) < 0.4 - moved / 2).astype(int)
    scores = {
        name: np.clip(generator.normal(0.3 + 0.3 * labels + moved, 0.2), 0, 1).round(3)
        for name in NAMES[number]
    }
    site = np.array(["a very long name of a place in the north", "短い名前" * 9, "s"])
    return {
        "y": labels,
        "w": generator.integers(1, 4, ROWS),
        "site": site[generator.integers(0, 3, ROWS)],
        "rare": np.where(np.arange(ROWS) < 155, "most", np.arange(ROWS).astype(str)),
        "margin": 4 * scores[NAMES[number][0]] - 2,
        **scores,
    }


def asked(command, path, number, *more):
    return (command, path, "--label", "y", *scored(NAMES[number]), *more)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a folder whose name is longer than any line has room for")
    return {n: write_csv(folder / f"cases-{n}.csv", columns(n)) for n in NAMES}


@each_number
@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--intervals",),
        ("--intervals", "--weight", "w", "--prevalence", "0.001"),
        ("--bins", "16", "--width", "1e-9"),
        ("--score", "margin", "--axis", "skew"),
        ("--by", "site"),
        ("--by", "site", "--by", "rare", "--intervals", "--score", "margin"),
    ],
)
def test_evaluate(files, number, more, capsys):
    ask = asked("evaluate", files[number], number, *more)
    page = lines_of(run(capsys, *ask))
    assert page[3] == "" or "" in page[:4]
    assert page[-1].startswith("More: --details. Full precision: --json.")
    assert_of_the_table(page)
    details = run(capsys, *ask, "--details")
    assert_narrow(details)
    assert "".join(NAMES[number][-1].split()) in "".join(details.split()) or number > 1


@each_number
@pytest.mark.parametrize("bins", [(), ("--bins", "16")])
def test_drift(files, number, bins, tmp_path, capsys):
    more = ("--score", "margin") if not bins else ()
    saved = [tmp_path / f"{when}.parquet" for when in ("before", "after")]
    later = write_csv(tmp_path / "later.csv", columns(number, moved=0.25, seed=2))
    for path, file in zip(saved, (files[number], later), strict=True):
        assert run(capsys, *asked("tally", file, number, *bins, *more, "-o", path)) == ""
    asks = [(), ("--metric", "auc"), ("--metric", "expected_loss.cost.score_uniform")]
    # Rules are not priced on bins.
    asks += [] if bins else [("--fp-cost", "1", "--fn-cost", "20")]
    for metrics in asks:
        page = lines_of(run(capsys, "drift", *saved, *metrics))
        assert page[-1] == "All quantities: --details. Full precision: --json."
        details = run(capsys, "drift", *saved, *metrics, "--details")
        assert_narrow(details)
        assert "loss.cost.score_uniform " in details or metrics[1:] == ("auc",)


@pytest.mark.parametrize("number", [3, 9])
@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--metric", "auc", "--metric", "expected_loss.skew.score_uniform"),
        ("--bands", "score_driven", "--axis", "skew"),
        ("--score", "margin"),
        ("--score", "margin", "--bands", "optimal"),
        ("--score", "margin", *(word for name in METRICS for word in ("--metric", name))),
        ("--fp-cost", "1", "--fn-cost", "20"),
        ("--fp-cost", "1", "--fn-cost", "20", "--baseline", "{first}:0.5", "--correction", "none"),
    ],
)
def test_compare(files, number, more, capsys):
    more = [word.format(first=NAMES[number][0]) for word in more]
    page = lines_of(run(capsys, *asked("compare", files[number], number, *more)))
    assert "--json" in " ".join(page[-2:])
    answer, *_ = "\n".join(page).split("\n\n")
    assert answer.endswith(".")
    if "margin" in more:
        assert "No brier of margin: the Brier score needs scores in [0, 1]." in page
    # In a table each row stands on one line, and ends with a number.
    for table in [part for part in "\n".join(page).split("\n\n") if "95 % interval " in part]:
        rows = [line for line in table.splitlines()[1:] if not line.startswith("and ")]
        assert len(rows) >= 3
        assert all(line[-1].isdigit() or line.endswith("–") for line in rows)


@each_number
@pytest.mark.parametrize("command", ["decide", "compare"])
@pytest.mark.parametrize("by", [("site",), ("rare",), ("site", "rare")])
@pytest.mark.parametrize("more", [(), ("--prevalence", "0.001", "--fn-cost", "90")])
def test_money_by_segment(files, number, command, by, more, capsys):
    costs = ("--fp-cost", "1", *(more or ("--fn-cost", "5")))
    segments = [word for column in by for word in ("--by", column)]
    ask = asked(command, files[number], number, *costs, *segments)
    if (command, number) == ("compare", 1):
        ask = (*ask, "--baseline", f"{NAMES[1][0]}:0.5")
    page = lines_of(run(capsys, *ask))
    assert "--json" in page[-1]
    table = "\n".join(page).split("\n\n")[1].splitlines()
    assert all(line[-1].isdigit() or line.endswith("–") for line in table[1:] if line[:4] != "and ")
    if command == "decide":
        _, _, segments = run(capsys, *ask, "--details").partition("\nBy segment, ")
        # A table of the details is as wide as what it holds.
        told, _, foot = segments.split("\n\n")
        assert_narrow(told)
        assert_narrow(foot)


def test_one_pair_is_compared_in_a_page_with_bands(files, capsys):
    scores = ("--score", NAMES[3][0], "--score", NAMES[3][2])
    ask = ("compare", files[3], "--label", "y", *scores, "--metric", "auc")
    page = run(capsys, *ask, "--bands", "score_driven")
    lines_of(page)
    assert "by cost proportion (confidence band, 95 % for" in page


@pytest.mark.parametrize("number", [1, 9])
@pytest.mark.parametrize("queue", [(), ("--capacity", "0.1", "--choice", "queue")])
def test_apply(files, number, queue, tmp_path, capsys):
    name, saved = NAMES[number][-1], tmp_path / "decision.json"
    ask = ("--label", "y", "--score", name, "--fp-cost", "1", "--fn-cost", "20", *queue)
    lines_of(run(capsys, "decide", files[number], *ask, "--save", saved).rpartition("To ")[0])
    page = lines_of(run(capsys, "apply", saved, files[number]))
    assert "" in page[1:4]
    assert page[-1] == "No file is written: -o FILE writes the rows with their actions."
    shares = [line.split()[-2:] for line in page if line.startswith(("flag ", "pass "))]
    assert sum(float(share) for share, _ in shares) == pytest.approx(100, abs=0.1)
    assert {unit for _, unit in shares} == {"%"}


def test_many_ranges_of_a_pair_are_told_in_whole():
    ranges = [(i / 20, i / 20 + 0.01) for i in range(20)]
    pair = {"a": "one", "b": "two", "choice": "optimal", "axis": "cost"}
    found = [{**pair, "a_better": ranges, "b_better": []}] * 3
    lines = band_lines(found, 0.95)
    assert len(lines) <= 7
    assert max(map(len, lines)) <= 80
    assert re.search(r"0\.05 to 0\.06, .* and \d+ more\.", " ".join(lines))
    assert lines[-1] == "All pairs: --json."
