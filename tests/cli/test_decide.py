"""`costspace decide` as a manager and as a program see it."""

import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import as_json, in_a_line, refused, run, scored
from prediction_files import write_csv

import costspace as cs
from costspace.cli.choice_names import CHOICES
from costspace.cli.options import parse_amount
from costspace.decision.decision import Decision

KEYS = [
    *(
        "version",
        "recommendation",
        "strategies",
        "baseline",
        "trivial",
        "knowing_more",
        "limits",
        "batch",
    ),
    *("limits_kept", "condition", "evidence", "assumptions", "notes"),
]
DETAILS = [
    "dominance",
    "places_worth",
]
COSTS = ["--fp-cost", "1", "--fn-cost", "5:50"]
USED = [*COSTS, "--baseline", "use"]
# Days of different lengths.
DAY = np.repeat(np.arange(12), [10, 40, *[25] * 10])


def in_sample(found):
    """What each strategy costs on the rows that thresholds were chosen on."""
    return {(one["model"], one["choice"]): one["in_sample"] for one in found["strategies"]}


def sample(seed, rows=300):
    rng = np.random.default_rng(seed)
    labels = (rng.random(rows) < 0.3).astype(int)
    good = np.clip(rng.normal(0.35 + 0.3 * labels, 0.2), 0, 1).round(4)
    return {
        "y": labels,
        "logistic": good,
        "tree": good.round(1),
        "margin": (4 * good - 2).round(4),
        "w": rng.integers(1, 4, rows),
        "fp": rng.integers(1, 9, rows),
        "fn": rng.integers(40, 90, rows),
    }


def with_words(folder, columns, kind):
    if kind == "csv":
        return write_csv(folder / "words.csv", columns)
    path = folder / "words.parquet"
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path)
    return path


@pytest.fixture
def data():
    return sample(3)


@pytest.fixture
def file(data, tmp_path):
    return write_csv(tmp_path / "cases.csv", data)


def asked(file, *arguments, scores=("logistic", "tree")):
    return ["decide", file, "--label", "y", *scored(scores), *arguments]


def test_json_has_the_agreed_keys_and_the_library_s_numbers(file, data, capsys):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.2", "--json")
    result = json.loads(run(capsys, *ask))
    assert list(result) == KEYS
    more = json.loads(run(capsys, *ask, "--details"))
    assert list(more)[: len(KEYS)] == KEYS
    assert set(DETAILS) <= set(more)
    scores = {name: data[name] for name in ("logistic", "tree")}
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.05, 0.2))
    decision = cs.decide(data["y"], scores, conditions=known)
    for found, details in ((result, False), (more, True)):
        expected = json.loads(json.dumps(decision.to_dict(details=details)))
        expected["condition"]["path"] = str(file)
        assert found == expected
    assert list(result["trivial"]) == ["flag_nobody", "flag_everybody"]
    nobody = 1000 * known.positive_stake
    assert result["trivial"]["flag_nobody"] == pytest.approx(nobody)
    for row in more["dominance"]:
        assert row["skew_low"] < row["skew_high"]
        assert set(row["models"]) <= set(scores)


def test_details_say_what_else_there_is_and_end_with_the_assumptions(file, capsys):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.2", "--details")
    out = run(capsys, *ask)
    result = as_json(capsys, *ask)
    lines = out.splitlines()
    sections = [
        "Thresholds chosen on other rows",
        *("What they cost more than what is recommended", "Which model loses least"),
        *("Held-out, knowing the costs", "What this rests on"),
    ]
    found = [next(i for i, line in enumerate(lines) if line.startswith(s)) for s in sections]
    assert not any(line.startswith("Assumed:") for line in lines)
    assert found == sorted(found)
    rests = lines[found[-1] + 1 :][: len(result["assumptions"])]
    assert rests == [f"- {text}" for text in result["assumptions"]]
    assert "skews from" in rests[-1]
    assert "fn_cost log-uniform from 5 to 50" in out


def test_choices_may_be_asked_for(file, capsys):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.2")
    found = as_json(capsys, *ask, "--choice", "queue", "--capacity", "0.1")
    assert {one["choice"] for one in found["strategies"] if one["model"]} == {"queue"}
    assert found["recommendation"]["rule"]["by"] == "share"
    several = ("--choice", "smoothed", "--choice", "optimal", "--calibrated-to", "0.3")
    found = as_json(capsys, *ask, *several)
    assert {one["choice"] for one in found["strategies"] if one["model"]} == {"smoothed", "optimal"}
    for wrong in (["queue"], ["smooth"], ["smoothed", "smooth"]):
        options = [word for name in wrong for word in ("--choice", name)]
        assert f"--choice is one of {', '.join(CHOICES)}, got" in refused(capsys, *ask, *options)


def test_what_is_known_at_each_decision_is_asked(file, capsys):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.2", "--json")
    for known, names in (
        ((), []),
        (("--known", "costs"), ["costs"]),
        (("--known", "prevalence,costs"), ["costs", "prevalence"]),
    ):
        found = json.loads(run(capsys, *ask, *known))
        assert found["condition"]["known"] == names
        rules = [one["rule"] for one in found["strategies"] if one["model"]]
        assert all(rule is None if known else "cuts" in rule for rule in rules)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        (["--fn-cost", "5:50", "--prevalence", "0.2"], "the costs at each decision"),
        (["--fn-cost", "5", "--prevalence", "0.05:0.4"], "the prevalence at each decision"),
        (
            ["--fn-cost", "5:50", "--prevalence", "0.05:0.4"],
            "the costs and the prevalence at each decision",
        ),
        (
            ["--fn-cost", "5:50", "--prevalence", "0.05:0.4", "--known", "costs"],
            "the prevalence at each decision",
        ),
        (
            ["--fn-cost", "5:50", "--prevalence", "0.2", "--known", "costs"],
            "the costs at each decision",
        ),
        (["--fn-cost", "5", "--prevalence", "0.2"], None),
    ],
)
def test_details_name_the_range_whose_value_is_worth_knowing(file, capsys, given, missing):
    page = in_a_line(capsys, *asked(file, "--fp-cost", "1", *given, "--details"))
    assert ("knowing the" in page) == (missing is not None)
    assert missing is None or f"Held-out, knowing {missing} " in page


def test_the_rule_in_use_is_one_of_the_strategies(file, data, capsys):
    ask = asked(file, "--fp-cost", "1", "--fn-cost", "5", "--baseline", "tree:0.4", "--json")
    (found,) = (
        one
        for one in json.loads(run(capsys, *ask))["strategies"]
        if (one["model"], one["choice"]) == ("tree", "baseline")
    )
    flagged, positive = data["tree"] > 0.4, data["y"] == 1
    money = 1000 * np.where(positive, 5 * ~flagged, flagged).mean()
    assert found["cost_per_1000"] == pytest.approx(money)
    assert found["rule"]["cuts"] == [0.4]


def test_slow_results_are_computed_for_details_only(file, capsys, monkeypatch):
    def refuse(*_):
        raise AssertionError("asked for")

    for name in ("dominance", "losses"):
        monkeypatch.setattr(Decision, name, refuse)
    assert run(capsys, *asked(file, *COSTS))
    with pytest.raises(AssertionError, match="asked for"):
        run(capsys, *asked(file, *COSTS, "--details"))


def test_the_prevalence_is_the_file_s_unless_given(file, data, capsys):
    result = json.loads(run(capsys, *asked(file, *COSTS, "--json")))
    assert result["condition"]["prevalence"]["mean"] == pytest.approx(data["y"].mean())
    weighted = json.loads(run(capsys, *asked(file, *COSTS, "--weight", "w", "--json")))
    mean = np.average(data["y"], weights=data["w"])
    assert weighted["condition"]["prevalence"]["mean"] == pytest.approx(mean)


@pytest.mark.parametrize("gain", [["--tp-cost=-20:-5"], ["--tp-cost", "-20:-5"]])
def test_gains_are_negative_amounts(file, capsys, gain):
    result = json.loads(run(capsys, *asked(file, *COSTS, *gain, "--tn-cost", "-0.5", "--json")))
    assert "tp_cost uniform from -20 to -5" in " ".join(result["assumptions"])
    plain = json.loads(run(capsys, *asked(file, *COSTS, "--json")))
    assert result["trivial"]["flag_everybody"] < plain["trivial"]["flag_everybody"]


def test_limits_raise_the_cost(file, capsys):
    limits = ["--capacity", "0.3", "--min-precision", "0.5"]
    ask = asked(file, *COSTS, *limits, scores=["tree"])
    result = as_json(capsys, *ask, "--details")
    assert result["limits"] == {"capacity": 0.3, "min_precision": 0.5}
    free = json.loads(run(capsys, *asked(file, *COSTS, "--json", scores=["tree"])))
    assert in_sample(result)["tree", "smoothed"] > in_sample(free)["tree", "smoothed"]
    rules = [one["rule"] for one in result["strategies"] if one["rule"] is not None]
    assert not any("otherwise" in rule for rule in rules)
    random = as_json(capsys, *ask, "--randomise")
    drawn = [one["rule"] for one in random["strategies"] if "otherwise" in (one["rule"] or {})]
    assert drawn
    assert all(0 <= rule["chance"] <= 1 for rule in drawn)
    text = result["recommendation"]["text"]
    assert re.search(r"flagging everybody costs [\d,.]+ \(not allowed\)", text)
    page = run(capsys, *ask).replace("\n", " ")
    for one in result["limits_kept"]:
        words = {"capacity": "Flag at most 30 %", "min_precision": "Precision at least 50 %"}
        status = {"at the limit": "too close to tell"}.get(one["status"], one["status"])
        said = rf"{words[one['name']]}: {status} \(reaches ([\d.]+) %(, .+? to .+?)?\); the limit"
        told = re.search(said, page)
        assert float(told[1]) == pytest.approx(100 * one["reached"], rel=0.01)
        assert one["reached_low"] <= one["reached"] <= one["reached_high"]


def test_a_limit_is_shown_at_its_worst_prevalence(file, capsys):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.4", "--min-precision", "0.2")
    [kept] = as_json(capsys, *ask)["limits_kept"]
    assert kept["prevalence"] == 0.05
    page = in_a_line(capsys, *ask)
    share = f"{100 * kept['reached']:.3g} %"
    assert kept["by_prevalence"]
    assert re.search(rf"\(reaches {share}, [\d.]+ to [\d.]+ at prevalence 0.05, the worst\)", page)


@pytest.mark.parametrize("limit", [("--min-recall", "0.6"), ("--max-fpr", "0.5")])
def test_a_limit_of_one_class_is_as_hard_at_any_prevalence(file, capsys, limit):
    ask = asked(file, *COSTS, "--prevalence", "0.05:0.4", *limit)
    [kept] = as_json(capsys, *ask)["limits_kept"]
    assert not kept["by_prevalence"]
    assert "the worst" not in run(capsys, *ask)


def test_where_nothing_is_feasible_the_page_says_so(file, capsys):
    ask = asked(file, *COSTS, "--capacity", "0.01", "--min-recall", "0.99")
    for details in ([], ["--details"]):
        out = run(capsys, *ask, *details)
        assert "\nNothing keeps to the limits: " in out
        assert "Which model loses least" not in out
    assert as_json(capsys, *ask)["strategies"] == []


def test_validation_rows_rank_strategies(file, tmp_path, capsys):
    other = write_csv(tmp_path / "later.csv", sample(4))
    known = "--prevalence", "0.3", "--calibrated-to", "0.3"
    ask = asked(file, *COSTS, *known, "--details", "--json")
    result = json.loads(run(capsys, *ask, "--validate", other))
    assert result["condition"]["compared_on"] == "validation rows"
    folds = json.loads(run(capsys, *ask, "--folds", "3"))
    # 300 rows are cut as often as makes 2,000 judged.
    assert folds["condition"]["compared_on"] == "3 cross-validation folds, 6 times"
    assert in_sample(result) == in_sample(folds)
    # A threshold that trusts the scores tells which rows were used.
    later, known = sample(4), result["condition"]["prevalence"]["mean"]
    threshold = 1 / (1 + (50 - 5) / np.log(50 / 5))
    for one in result["strategies"]:
        if one["choice"] != "score_driven":
            continue
        name = one["model"]
        flagged = np.asarray(later[name]) > threshold
        negative, positive = np.mean(flagged[later["y"] == 0]), np.mean(~flagged[later["y"] == 1])
        mean = (50 - 5) / np.log(50 / 5)
        money = 1000 * ((1 - known) * negative + known * mean * positive)
        money += result["evidence"]["margin"]
        assert one["cost_per_1000"] == pytest.approx(money)


def test_intervals_by_level_and_groups(tmp_path, data, capsys):
    copies = {name: np.repeat(column, 3) for name, column in data.items()}
    path = write_csv(tmp_path / "copies.csv", {**copies, "patient": np.repeat(np.arange(300), 3)})
    ask = asked(path, *COSTS, "--prevalence", "0.05:0.2")
    rows, patients = (
        as_json(capsys, *ask, *option, "--level", "0.9") for option in ([], ["--groups", "patient"])
    )
    evidence = rows["evidence"]
    assert (evidence["level"], evidence["correction"], evidence["rows"]) == (0.9, "bonferroni", 900)
    for row, patient in zip(rows["strategies"], patients["strategies"], strict=True):
        if row["choice"] == "score_driven":
            assert row["cost_per_1000"] == pytest.approx(patient["cost_per_1000"], rel=0.02)
            # Three copies tell no more than one, and fewer units are smoothed more.
            assert patient["se"] > 0.98 * np.sqrt(3) * row["se"]
    recommended = [one for one in patients["strategies"] if one["more"] is None]
    assert len(recommended) == 1
    page = run(capsys, *ask, "--groups", "patient", "--level", "0.9", "--details")
    assert "(90 % interval" in page.splitlines()[1]
    title = "\nWhat they cost more than what is recommended, on the same rows\n"
    assert title in page
    more = page.split(title)[1]
    # What is lost at each condition is of one cut into folds, and would be another number.
    assert "regret" not in page
    assert "the table below" not in page
    lines = [line.split("  ") for line in more.splitlines()[1 : 1 + 5]]
    for line in lines:
        name, term, amount, *_ = [cell.strip() for cell in line if cell.strip()]
        choice = term.replace("-", "_").replace(" ", "_")
        (one,) = (
            one
            for one in patients["strategies"]
            if one["choice"] == choice and one["model"] == (None if name == "–" else name)
        )
        printed = float(amount.replace(",", ""))
        expected = one["more"]
        width = expected["high"] - expected["low"]
        assert printed == pytest.approx(expected["difference"], abs=width / 100)


def test_no_interval_is_said_with_its_reason(file, tmp_path, data, capsys):
    few = np.append(np.flatnonzero(data["y"] == 0)[:20], np.flatnonzero(data["y"])[:1])
    other = write_csv(tmp_path / "few.csv", {name: column[few] for name, column in data.items()})
    page = run(capsys, *asked(file, *COSTS, "--validate", other, "--details"))
    assert "There is no interval: the rarer class has 1 row, and fewer than 5" in " ".join(
        page.split()
    )
    assert "There are no intervals: the rarer class has 1 row, and" in page
    assert "95 % interval" not in page


def test_scores_trained_on_resampled_rows(file, capsys):
    results = [
        json.loads(run(capsys, *asked(file, *COSTS, *option, "--details", "--json")))
        for option in ([], ["--calibrated-to", "0.5"])
    ]
    own, resampled = map(in_sample, results)
    assert own["logistic", "score_driven"] != resampled["logistic", "score_driven"]
    assert own["logistic", "smoothed"] == resampled["logistic", "smoothed"]
    assert results[1]["condition"]["calibrated_to"] == 0.5


def test_costs_of_each_case(file, data, capsys):
    columns = ["--fp-cost-column", "fp", "--fn-cost-column", "fn", "--tn-cost", "0.5"]
    result = json.loads(run(capsys, *asked(file, *columns, "--json")))
    positive = data["y"] == 1
    nobody = 1000 * np.where(positive, data["fn"], 0.5).mean()
    everybody = 1000 * np.where(positive, 0, data["fp"]).mean()
    assert result["trivial"]["flag_nobody"] == pytest.approx(nobody)
    assert result["trivial"]["flag_everybody"] == pytest.approx(everybody)
    assert result["condition"]["known"] == ["case", "costs"]
    page = in_a_line(capsys, *asked(file, *columns, "--prevalence", "0.1:0.2"))
    assert "each case's costs set its threshold, mostly " in page
    mean = data["fn"][positive].mean()
    assert f"; fn_cost of each case, {mean:.4g} on average; prevalence" in page


def test_a_method_without_meaning_is_left_out_with_its_reason(file, capsys):
    out = run(capsys, *asked(file, *COSTS, "--details", scores=["logistic", "margin"]))
    assert "margin has no score-driven strategy: " in out
    assert "calibrate" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fp-cost", "1"], "the cost of a false negative is needed: give --fn-cost, a number"),
        (["--fn-cost", "1"], "or --fp-cost-column, the column of what it costs in each case."),
        (["--fp-cost", "one", "--fn-cost", "5"], "--fp-cost must be a number or LOW:HIGH such as"),
        (["--fp-cost", "1", "--fn-cost", "1:2:3"], "--fn-cost must be a number or LOW:HIGH"),
        (["--fp-cost", "1", "--fn-cost", "nan"], "--fn-cost must be a number or LOW:HIGH"),
        (["--fp-cost", "1", "--fn-cost", "9:5"], "with LOW not above HIGH, got '9:5'."),
        (["--fp-cost", "-1", "--fn-cost", "5"], "fp_cost must be above tn_cost"),
        ([*COSTS, "--tp-cost", "5"], "fn_cost must be above tp_cost"),
        ([*COSTS, "--prevalence", "0:0.1"], "prevalence must be in (0, 1), got 0."),
        ([*COSTS, "--calibrated-to", "1"], "calibrated_to must be in (0, 1), got 1."),
        ([*COSTS, "--capacity", "2"], "capacity must be in [0, 1], got 2: 2 % is 0.02."),
        ([*COSTS, "--max-fpr", "-0.1"], "max_fpr must be in [0, 1], got -0.1."),
        ([*COSTS, "--folds", "1"], "--folds"),
        ([*COSTS, "--known", "both"], "or for both 'costs,prevalence', in Python"),
        ([*COSTS, "--level", "95"], "level must be in (0, 1), got 95: 95 % is 0.95."),
        ([*COSTS, "--folds", "3", "--validate", "x.csv"], "--folds divides the file"),
        ([*COSTS, "--fp-cost-column", "fp"], "--fp-cost and --fp-cost-column are both given"),
        (
            ["--fp-cost-column", "fp", "--fn-cost", "5:50"],
            "must be one number where another cost is a column, got 5:50: decide at each end.",
        ),
        ([*COSTS, "--frobnicate", "2"], "--frobnicate"),
    ],
)
def test_bad_options_are_refused_before_the_file_is_read(tmp_path, capsys, arguments, message):
    assert message in refused(capsys, *asked(tmp_path / "none.csv", *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*COSTS, "--score", "logistc"], "has no column 'logistc': did you mean 'logistic'"),
        ([*COSTS, "--validate", "none.csv"], "none.csv"),
        ([*COSTS, "--groups", "patient"], "has no column 'patient'"),
        ([*COSTS, "--folds", "90000"], "folds (--folds) is 90000, and there are"),
        ([*COSTS, "--baseline", "forest:0.5"], "the rule in use is of 'forest', and there are no"),
        ([*COSTS, "--baseline", "440"], "--baseline must be MODEL:THRESHOLD, such as logis"),
        ([*COSTS, "--baseline", "logistic > 0.5"], "--baseline must be MODEL:THRESHOLD, such"),
        (
            [*COSTS, "--baseline", "logistic > 0.5"],
            "and flag. logistic:0.5 flags scores above 0.5.",
        ),
        ([*COSTS, "--baseline", "logistic>=60"], "above 60. For 60 or more, write a number just"),
        ([*COSTS, "--baseline", "fp==6"], "and flag. fp:6 flags scores above 6. For 6 or more"),
        (
            [*COSTS, "--baseline", "fp<=-1234567.891"],
            "--baseline=-fp:1234567.891. For -1234567.891",
        ),
        ([*COSTS, "--baseline", "my fp<6"], "signs: '--score=-my fp' '--baseline=-my fp:-6'."),
        ([*COSTS, "--baseline", "fp<6"], "change signs: --score=-fp --baseline=-fp:-6."),
        (["--fp-cost-column", "fq", "--fn-cost", "5"], "has no column 'fq': did you mean 'fp'"),
        (["--fp-cost-column", "fp", "--fn-cost", "5", "--tn-cost", "3"], "fp_cost must be above"),
        ([*COSTS, "--positive", "2"], "'2' is not among them"),
    ],
)
def test_bad_files_are_one_line_and_status_2(file, capsys, arguments, message):
    assert message in refused(capsys, *asked(file, *arguments))


@pytest.mark.parametrize("other", [[], ["--engine", "duckdb"]])
def test_decisions_in_words_are_told_what_they_must_be(tmp_path, data, capsys, other):
    words = np.where(data["logistic"] > 0.5, "refer", "settle")
    path = write_csv(tmp_path / "words.csv", {**data, "decision": words})
    told = refused(capsys, *asked(path, *COSTS, "--baseline", "decision", *other))
    assert "column 'decision' has 'refer'" in told or "column 'decision' has 'settle'" in told
    assert "or in words of the labels, the positive one for flagged; with a review also" in told
    assert told.endswith("or a column of pass, review and flag.")
    assert "correct the cell" not in told
    # A column of scores is no rule in use.
    told = refused(capsys, *asked(path, *COSTS, scores=["decision"]))
    assert "column of decisions" not in told
    assert "correct the cell or leave the row out" in told


@pytest.mark.parametrize("other", [[], ["--engine", "duckdb"]])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("words", [("Yes", "no "), ("FLAG", "pass"), ("True", "FALSE")])
def test_decisions_in_words_are_those_in_numbers(tmp_path, data, capsys, kind, words, other):
    flagged = data["logistic"] > 0.5
    columns = {**data, "use": flagged.astype(int)}
    expected = as_json(capsys, *asked(with_words(tmp_path, columns, kind), *USED, *other))
    columns["use"] = np.where(flagged, *words)
    found = as_json(capsys, *asked(with_words(tmp_path, columns, kind), *USED, *other))
    assert found["baseline"] == expected["baseline"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("words", [("bad", "good"), ("pass", "fail"), ("no", "yes"), ("2", "1")])
def test_decisions_in_words_of_the_labels(tmp_path, data, capsys, kind, words):
    flagged, labels = data["logistic"] > 0.5, np.where(data["y"] == 1, *words)
    columns = {**data, "y": labels, "use": flagged.astype(int)}
    positive = ["--positive", words[0]]
    expected = as_json(capsys, *asked(with_words(tmp_path, columns, kind), *USED, *positive))
    columns["use"] = np.where(flagged, *words)
    path = with_words(tmp_path, columns, kind)
    if words == ("2", "1"):
        # Numbers are not taken for words: 1 is flagged.
        assert "must be decisions, 0 or 1, got 2" in refused(capsys, *asked(path, *USED, *positive))
        return
    assert as_json(capsys, *asked(path, *USED, *positive))["baseline"] == expected["baseline"]
    # Words that would mean something else beside labels are not taken.
    columns["use"] = np.where(flagged, "flag", "pass")
    path = with_words(tmp_path, columns, kind)
    if "pass" in words:
        told = refused(capsys, *asked(path, *USED, *positive))
        assert "column 'use' has 'flag' where a number is needed" in told
    else:
        found = as_json(capsys, *asked(path, *USED, *positive))
        assert found["baseline"] == expected["baseline"]


def test_patterns_of_scores_match_no_column_that_is_something_else(tmp_path, data, capsys):
    columns = {**data, "use": (data["logistic"] > 0.5).astype(int), "day": DAY[: len(data["y"])]}
    path = write_csv(tmp_path / "rows.csv", columns)
    cost = ["--fp-cost", "1", "--fn-cost-column", "2*fn", "--tp-cost", "0"]
    arguments = asked(path, *cost, "--baseline", "use", scores=["all-but:w,day,fp", "1-lo*"])
    models = {one["model"] for one in as_json(capsys, *arguments)["strategies"]}
    assert models - {None} == {"logistic", "tree", "margin", "1-logistic", "use"}


def test_names_from_the_file_cannot_steer_the_terminal(tmp_path, data, capsys):
    name = "\x1b[31m[red]x[/red]"
    path = write_csv(tmp_path / "evil.csv", {"y": data["y"], name: data["logistic"]})
    out = run(capsys, *asked(path, *COSTS, "--capacity", "0.5", scores=[name]))
    assert "\x1b" not in out
    assert "[red]x[/red]" in out
    ask = asked(path, "--fp-cost-column", "\x1b[31m", "--fn-cost", "5", scores=[name])
    assert "\x1b" not in refused(capsys, *ask)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("5", 5), ("500:5000", (500, 5000)), ("-20:-5", (-20, -5)), ("1e-3:0.01", (0.001, 0.01))],
)
def test_amounts(text, amount):
    assert parse_amount("--fp-cost", text) == amount


@pytest.mark.parametrize("text", ["", ":", "1:", "1-2", "a:b", "inf", "1:inf", "2:1"])
def test_amounts_that_cannot_be_read(text):
    with pytest.raises(cs.ConditionError, match="--fp-cost must be"):
        parse_amount("--fp-cost", text)


@pytest.fixture
def daily(data, tmp_path):
    return write_csv(tmp_path / "daily.csv", {**data, "day": DAY})


def test_batches_of_a_column_are_those_of_python(daily, data, capsys):
    ask = asked(daily, "--fp-cost", "1", "--fn-cost", "9", "--prevalence", "0.2", "--json")
    share = ["--capacity", "0.2"]
    found = json.loads(run(capsys, *ask, *share, "--batch", "day", "--details"))
    known = cs.Deployment(fp_cost=1, fn_cost=9, prevalence=0.2)
    scores = {name: data[name] for name in ("logistic", "tree")}
    limits = cs.Constraints(capacity=0.2)
    decision = cs.decide(data["y"], scores, conditions=known, constraints=limits, batch=DAY)
    assert found["batch"] == [10, *[25] * 10, 40] == list(decision.constraints.batch)
    own = [one["cost_per_1000"] for one in found["strategies"]]
    assert own == pytest.approx([one.money for one in decision.strategies])
    worth = found["places_worth"]["logistic"]
    assert worth["one_queue"] > worth["twice_the_batch"] > 0
    single = json.loads(run(capsys, *ask, *share, "--batch-size", "25"))
    assert single["batch"] == [25]
    cases = json.loads(run(capsys, *ask, "--batch-size", "25", "--capacity", "5"))
    assert cases["strategies"] == single["strategies"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--batch", "day"], "--batch is what a capacity is of: give --capacity or"),
        (["--batch-size", "9"], "is of: give --capacity or --review-capacity, too."),
        (["--capacity", "200"], "or --batch-size 10000."),
        (["--capacity", "1", "--batch-size", "9"], "may be one case or all of them"),
        (["--capacity", "0.1", "--batch", "dya"], "has no column 'dya': did you mean 'day', 'y'?"),
        (["--capacity", "5", "--batch", "day"], "capacity is 5 cases, and batches have 10 to 40"),
        (["--capacity", "0.1", "--batch", "day", "--batch-size", "9"], "are both given: give one."),
    ],
)
def test_batches_that_cannot_be(daily, capsys, options, message):
    ask = asked(daily, *COSTS)
    assert message in refused(capsys, *ask, *options)


def test_the_page_tells_batches_and_what_more_places_are_worth(daily, capsys):
    ask = asked(daily, *COSTS)
    share = ["--capacity", "0.08", "--batch-size"]
    page = in_a_line(capsys, *ask, *share, "25", "--details")
    assert "Flag at most 8 %, in batches of 25 (" in page
    assert "A queue in batches of 25, per 1,000 cases, held-out" in page
    assert re.search(r"one queue of all cases( [\d,.]+ (less|more))+", page)
    small = in_a_line(capsys, *ask, *share, "9")
    assert "Batches of 9 have no place, since a share of 0.08 takes 13 cases." in small


@pytest.mark.parametrize("batch", [["--batch-size", "9"], ["--batch", "day"]])
def test_of_no_capacity_no_batch_is_expected_to_have_a_place(daily, capsys, batch):
    page = run(capsys, *asked(daily, *COSTS), "--capacity", "0", *batch)
    assert "Flag nobody." in page
    assert "have no place" not in page
