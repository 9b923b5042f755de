"""`costspace decide --save` and `costspace apply`."""

import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest
from applied_by_hand import actions
from command_line import as_json, in_a_line, refused, run, warned
from prediction_files import write_csv

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision

RNG = np.random.default_rng(1)
Y = (RNG.random(400) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=400))), 3)
NEW = {"m": np.round(RNG.random(50), 3), "miss": RNG.uniform(4, 12, 50)}


@pytest.fixture
def files(tmp_path):
    """A file to decide on and one of new rows."""
    return write_csv(tmp_path / "old.csv", {"y": Y, "m": S}), write_csv(tmp_path / "new.csv", NEW)


def decide(capsys, file, saved, *more):
    asked = ("--label", "y", "--score", "m", "--fp-cost", 1, "--save", saved)
    return run(capsys, "decide", file, *asked, *more)


def test_decide_and_apply(files, tmp_path, capsys):
    old, new = files
    saved, output = tmp_path / "decision.json", tmp_path / "flagged.csv"
    decide(capsys, old, saved, "--fn-cost", 5)
    hand = actions(saved, NEW["m"])
    text = run(capsys, "apply", saved, new, "-o", output)
    assert "Use m and flag scores above" in text
    flagged = hand.count("flag")
    assert f"flag {flagged} {flagged / 50:.0%}".replace("%", " %").split() in [
        x.split() for x in text.splitlines()
    ]
    lines = output.read_text().splitlines()
    assert lines[0] == "m,miss,action"
    assert [line.rpartition(",")[2] for line in lines[1:]] == hand
    report = as_json(capsys, "apply", saved, new)
    assert report["actions"] == {name: hand.count(name) for name in sorted(set(hand))}
    assert report["rows"] == 50
    assert report["output"] is None


def test_a_saved_rule_is_printed_as_sql(files, tmp_path, capsys):
    import duckdb

    old, new = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", 5)
    sql = run(capsys, "apply", saved, "--sql", "duckdb")
    found = duckdb.sql(f"SELECT {sql} FROM read_csv('{new}')").fetchall()
    assert [action for (action,) in found] == actions(saved, NEW["m"])
    words = ("--missing", "flag", "--actions", "approve,decline")
    report = as_json(capsys, "apply", saved, "--sql", "spark", "--score", "new", *words)
    kept = cs.load_decision(saved)
    own = kept.to_sql("spark", score="new", missing="flag", actions=("approve", "decline"))
    assert report == {"sql": own, "dialect": "spark", "model": "m"}
    more = (new, "-o", "x.csv", "--seed", 0, "--strict")
    said = "leave out --seed, --strict, -o, FILE."
    assert said in refused(capsys, "apply", saved, *more, "--sql", "duckdb")
    assert "or --sql DIALECT" in refused(capsys, "apply", saved)


def test_costs_of_columns_are_in_the_sql(files, tmp_path, capsys):
    old, _ = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", "4:12", "--known", "costs", "--choice", "optimal")
    sql = run(capsys, "apply", saved, "--sql", "duckdb", "--fp-cost", 1, "--fn-cost-column", "miss")
    own = cs.load_decision(saved).to_sql("duckdb", fp_cost=1, fn_cost="miss")
    assert sql.strip() == own


ADVICE = (
    "Are these scores of the same model, on the same scale and of the same sign, and is the "
    "prevalence 0.3? If so, decide anew."
)


def test_scores_that_are_not_like_those_of_the_decision_are_warned_of(files, tmp_path, capsys):
    old, _ = files
    saved, turned = tmp_path / "decision.json", tmp_path / "turned.csv"
    known = ("--fn-cost", 5, "--prevalence", 0.3)
    decide(capsys, old, saved, *known)
    flagged = json.loads(saved.read_text())["apply"]["scores"]["flagged"]
    usual, low, high = (f"{100 * flagged[name]:.1f}" for name in ("share", "low", "high"))
    write_csv(turned, {"m": 1 - S})
    here = 100 * np.mean(json.loads(saved.read_text())["apply"]["rule"]["cuts"][0] < 1 - S)
    told = (
        f"{here:.3g} % of the rows are flagged, where the decision flags {usual} % ({low} to "
        f"{high} %). {ADVICE}"
    )
    output = tmp_path / "flagged.csv"
    page, warning = warned(capsys, "apply", saved, turned, "-o", output)
    assert warning == told
    assert "% of the rows are flagged" not in page
    assert output.exists()
    assert json.loads(warned(capsys, "apply", saved, turned, "--json")[0])["doubt"] == told
    output.unlink()
    for more in ((), ("-o", output)):
        assert refused(capsys, "apply", saved, turned, *more, "--strict") == f"{turned}: {told}"
    assert not output.exists()
    # Rows without labels that are like them are not.
    write_csv(turned, {"m": S})
    assert as_json(capsys, "apply", saved, turned, "--strict")["doubt"] == ""


def test_a_queue_is_compared_by_its_scores_and_by_labels(files, tmp_path, capsys):
    old, _ = files
    saved, new = tmp_path / "decision.json", tmp_path / "queued.csv"
    decide(capsys, old, saved, "--fn-cost", 5, "--capacity", 0.1, "--prevalence", 0.3)
    assert json.loads(saved.read_text())["apply"]["rule"]["by"] == "share"
    write_csv(new, {"m": S / 3})
    found = "% of the scores are above {}, where {} % of those are that the decision was made on. "
    _, told = warned(capsys, "apply", saved, new)
    assert told.endswith(ADVICE)
    share, at, before = re.match(found.format("(.*)", "(.*)").join(["(.*) ", ""]), told).groups()
    assert float(share) == pytest.approx(100 * np.mean(float(at) < S / 3), abs=0.05)
    assert float(before) == pytest.approx(100 * np.mean(float(at) < S), abs=3)
    # What ranks the same way round at another prevalence is the same, and the other way is not.
    more = np.flatnonzero(Y | (np.arange(400) % 2 == 0))
    write_csv(new, {"y": Y[more], "m": S[more]})
    assert as_json(capsys, "apply", saved, new)["doubt"] == ""
    write_csv(new, {"y": Y, "m": 1 - S})
    reversed_told = "ranks positives below negatives: is the right class positive?"
    assert reversed_told in warned(capsys, "apply", saved, new)[1]
    # With another sign they are another scale, too.
    assert warned(capsys, "apply", saved, new, "--score=-m")[1].endswith(ADVICE)


@pytest.mark.parametrize(
    ("named", "labels", "told"),
    [
        ((), {0: 0, 1: 1}, True),
        ((), {0: "false", 1: "true"}, True),
        ((), {0: -1, 1: 1}, True),
        (("--positive", "bad"), {0: "good", 1: "bad"}, True),
        # Where a row has no label, or a third one, they are not those of the decision.
        (("--positive", "bad"), {0: "good", 1: "bad", 7: ""}, False),
        (("--positive", "bad"), {0: "good", 1: "bad", 7: "pending"}, False),
        (("--positive", "bad"), {0: "good", 1: "good"}, False),
    ],
)
def test_labels_beside_new_rows_tell_their_order(named, labels, told, tmp_path, capsys):
    # With as many of both classes, scores are distributed as they are the other way round.
    scores = 1 / (1 + np.exp(1 - 2 * Y - np.random.default_rng(4).normal(size=400)))
    known = {0: labels[0], 1: {0: 1, "good": "bad", "false": "true", -1: 1}[labels[0]]}
    old = write_csv(tmp_path / "old.csv", {"y": [known[y] for y in Y], "m": scores})
    saved, limits = tmp_path / "saved.json", ("--capacity", 0.1, "--prevalence", 0.5)
    decide(capsys, old, saved, "--fn-cost", 5, *limits, *named)
    shown = [labels[y] for y in Y]
    shown[7] = labels.get(7, shown[7])
    new = write_csv(tmp_path / "new.csv", {"y": shown, "m": 1 - scores})
    if told:
        assert "m (AUC " in warned(capsys, "apply", saved, new)[1]
    else:
        run(capsys, "apply", saved, new)


def test_more_flags_than_the_decision_allows_are_told(files, tmp_path, capsys):
    old, _new = files
    saved = tmp_path / "decision.json"
    told = "More are flagged than the 20 % that the decision allows"
    ask = ("--fn-cost", 5, "--capacity", "0.2")
    decide(capsys, old, saved, *ask, "--choice", "smoothed")
    cut = json.loads(saved.read_text())["apply"]["rule"]["cuts"][0]
    below, above = np.round(NEW["m"] * cut, 3), np.full(10, 0.999)
    # By chance 11 of 50 are flagged where a fifth is, and 16 are not.
    for flagged, asked in ((10, False), (11, False), (16, True)):
        scores = np.concatenate([below[: 50 - flagged], np.full(flagged, 0.999)])
        part = write_csv(tmp_path / "part.csv", {"m": scores})
        out = run(capsys, "apply", saved, part, warns=True)
        assert (told in " ".join(out.split())) is asked
    out = run(capsys, "apply", saved, write_csv(tmp_path / "one.csv", {"m": above[:1]}))
    assert "that the decision allows" not in " ".join(out.split())
    # Without a limit as many may be flagged as score so.
    decide(capsys, old, saved, "--fn-cost", 5)
    every = write_csv(tmp_path / "all.csv", {"m": above})
    out = run(capsys, "apply", saved, every, warns=True)
    assert "that the decision allows" not in " ".join(out.split())


def test_a_file_of_rows_in_place_of_the_decision(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", 5)
    assert "new.csv is no saved decision: write one with costspace decide --save" in refused(
        capsys, "apply", new, saved
    )


def test_a_rule_that_follows_costs_is_shown_at_the_costs_given(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", "2:20", "--known", "costs", "--choice", "score_driven")
    text = run(capsys, "apply", saved, new, "--fp-cost", 1, "--fn-cost", 4)
    assert text.splitlines()[0] == "Use m (score-driven): here, flag scores above 0.2."
    by_case = run(capsys, "apply", saved, new, "--fp-cost", 1, "--fn-cost-column", "miss")
    assert by_case.splitlines()[0] == "Use m (score-driven): the costs set its threshold."


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--fn-cost", "5"], []),
        (["--fn-cost", "2:20", "--known", "costs"], ["--fp-cost", "1", "--fn-cost", "NUMBER"]),
        (["--fn-cost", "9", "--prevalence", "0.2:0.4", "--known", "prevalence"], ["--prevalence"]),
        (["--fn-cost", "2:20"], []),
        (["--fn-cost-column", "miss"], ["--fp-cost", "1", "--fn-cost-column", "miss"]),
        (
            *(["--fn-cost", "9", "--capacity", "0.1", "--randomise", "--choice", "optimal"],),
            ["--seed", "NUMBER"],
        ),
    ],
)
def test_the_page_ends_with_the_command_that_applies_the_decision(given, told, tmp_path, capsys):
    old = write_csv(tmp_path / "old.csv", {"y": Y, "m": S, "miss": np.resize(NEW["miss"], 400)})
    new, saved = write_csv(tmp_path / "new.csv", NEW), tmp_path / "decision.json"
    page = decide(capsys, old, saved, *given)
    command = page.rpartition("To apply it:")[2].replace("\\\n", "").split()[1:]
    assert command[:3] == ["apply", str(saved), "NEW_CASES.csv"]
    assert command[3:][: len(told)] == told
    ready = [{"NEW_CASES.csv": str(new)}.get(word, word) for word in command]
    number = "0.3" if "--prevalence" in told else "7"
    assert "action" in run(capsys, *(number if word == "NUMBER" else word for word in ready))


def test_what_is_saved_is_named_where_another_rule_is_stated(tmp_path, capsys):
    generator = np.random.default_rng(3)
    coin = {"y": (generator.random(600) < 0.2).astype(int), "m": generator.random(600)}
    saved = tmp_path / "decision.json"
    page = decide(capsys, write_csv(tmp_path / "coin.csv", coin), saved, "--fn-cost", "1")
    text = " ".join(page.split())
    assert "If you use a model, use m: " in text
    assert "To flag nobody, which costs least: costspace apply " in text


def test_a_rule_that_follows_costs_asks_for_them_by_name(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    known = ("--fn-cost", "1:100", "--known", "costs")
    report = json.loads(decide(capsys, old, saved, *known, "--json"))
    assert report["recommendation"]["rule"] is None
    needed = "follows the costs: give fp_cost and fn_cost (--fp-cost, --fn-cost), one number"
    assert needed in refused(capsys, "apply", saved, new)
    told = refused(capsys, "apply", saved, new, "--fp-cost", 1, "--fp-cost-column", "miss")
    assert told == "--fp-cost and --fp-cost-column are both given: give one."
    asked = ("--fp-cost", 1, "--fn-cost-column", "miss", "--json")
    counts = json.loads(run(capsys, "apply", saved, new, *asked))["actions"]
    hand = actions(saved, NEW["m"], fp_cost=1, fn_cost=NEW["miss"])
    assert counts == {name: hand.count(name) for name in sorted(set(hand))}
    told = refused(capsys, "apply", saved, new, "--fp-cost", 1, "--fn-cost-column", "mis")
    assert "has no column 'mis': did you mean 'miss'" in told


def test_costs_of_correct_decisions_that_the_decision_has_are_named(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    known = ("--fn-cost", "2:100", "--tp-cost", "1", "--known", "costs")
    decide(capsys, old, saved, *known)
    asked = ("apply", saved, new, "--fp-cost", 1, "--fn-cost", 6)
    assert "\nWith tp_cost 1 of the decision.\n" in run(capsys, *asked)
    assert "of the decision" not in run(capsys, *asked, "--tp-cost", 1)


def test_a_rule_that_draws_needs_a_seed(files, tmp_path, capsys):
    _, new = files
    coarse = write_csv(tmp_path / "coarse.csv", {"y": Y, "m": np.round(S, 1)})
    saved = tmp_path / "decision.json"
    decide(capsys, coarse, saved, "--fn-cost", 5, "--max-fpr", 0.05, "--randomise")
    assert "draws at random: give a seed" in refused(capsys, "apply", saved, new)
    counts = as_json(capsys, "apply", saved, new, "--seed", 3)["actions"]
    hand = actions(saved, NEW["m"], seed=3)
    assert counts == {name: hand.count(name) for name in sorted(set(hand))}


def test_a_queue_is_worked_from_its_top(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", 5, "--capacity", 0.1, "--prevalence", 0.05)
    rule = json.loads(saved.read_text())["apply"]["rule"]
    counts = json.loads(warned(capsys, "apply", saved, new, "--json")[0])["actions"]
    assert rule == {"by": "share", "cuts": [0.1], "actions": ["flag", "pass"]}
    # No tie reaches the top fifth of 50 here.
    assert counts == {"flag": 5, "pass": 45}


def test_what_is_refused_before_anything_is_written(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    assert "is no saved decision" in refused(capsys, "apply", old, new)
    decide(capsys, old, saved, "--fn-cost", 5)
    assert "is read too" in refused(capsys, "apply", saved, new, "-o", new)
    assert "let it end in" in refused(capsys, "apply", saved, new, "-o", tmp_path / "x")
    folder = tmp_path / "batches"
    folder.mkdir()
    (folder / new.name).write_bytes(new.read_bytes())
    for inside in (folder / "flagged.csv", folder / "deeper" / "flagged.parquet"):
        told = refused(capsys, "apply", saved, folder, "-o", inside)
        assert f"would be read with {folder} from then on" in told
    asked = ("--label", "y", "--score", "m", "--fp-cost", 1, "--fn-cost", 5)
    assert "is read too" in refused(capsys, "decide", old, *asked, "--save", old)
    told = refused(capsys, "decide", old, *asked, "--save", saved, "-o", saved)
    assert "is given to --output and --save" in told
    report = tmp_path / "report.json"
    run(capsys, "decide", old, *asked, "--json", "-o", report)
    assert "is the report of a decision" in refused(capsys, "apply", report, new)


NO_FILE = " No file is written: -o FILE writes the rows with their actions."


def queue_of(tmp_path, *, one_by_one=None):
    saved = tmp_path / "queue.json"
    rules = DeployedRules("m", "queue", cs.Rule(0.2, by="share"), one_by_one=one_by_one)
    SavedDecision({"version": "1.0"}, rules).save(saved)
    return saved


def test_ties_at_the_edge_of_a_queue_are_counted(tmp_path, capsys):
    saved = queue_of(tmp_path)
    scores = [0.9, 0.5, 0.5, 0.5, *np.linspace(0, 0.4, 6)]
    new = write_csv(tmp_path / "new.csv", {"m": scores})
    text = run(capsys, "apply", saved, new)
    assert text.splitlines()[-2] == "3 rows tie at the edge of the queue and are not flagged."
    report = as_json(capsys, "apply", saved, new)
    assert (report["tied"], report["note"], report["batch"]) == (3, "", None)
    assert report["actions"] == {"flag": 1, "pass": 9}
    text = run(capsys, "apply", saved, write_csv(tmp_path / "other.csv", {"m": scores[:5]}))
    assert text.splitlines()[-2] == "No rows tie at the edge of the queue."


def test_queues_too_small_for_anybody_are_told(tmp_path, capsys):
    saved = queue_of(tmp_path)
    new = write_csv(
        tmp_path / "new.csv", {"m": np.arange(11.0), "day": [1] * 4 + [2] * 4 + [3] * 3}
    )
    lines = in_a_line(capsys, "apply", saved, new, "--batch", "day")
    assert lines.endswith(
        "Batches too small for anybody to be flagged: 3 of 3, since a share of 0.2 takes 5 cases; "
        "make batches longer, or decide on a larger share. Each day is a queue of its own. No rows "
        f"tie at the edge of their queue.{NO_FILE}"
    )
    few = write_csv(tmp_path / "few.csv", {"m": [0.5, 0.6, 0.7]})
    assert in_a_line(capsys, "apply", saved, few).endswith(
        "3 cases are too few for anybody to be flagged, since a share of 0.2 takes 5 cases; queue "
        f"more at a time, or decide on a larger share.{NO_FILE}"
    )
    report = as_json(capsys, "apply", saved, few)
    assert report["note"].startswith("3 cases are too few")


def test_a_decision_for_batches_is_told_if_rows_are_one_queue(tmp_path, capsys):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 4 == 0
    limits = cs.Constraints(capacity=0.2, batch=20)
    known = cs.Deployment(1, 20, 0.1)
    decision = cs.decide(y, {"m": rng.normal(2 * y)}, conditions=known, constraints=limits)
    decision.saved().save(tmp_path / "kept.json")
    new = write_csv(tmp_path / "new.csv", {"m": np.arange(40.0), "day": [1, 2] * 20})
    told = "All rows were taken as one queue, and the decision was made for one in each batch"
    text = run(capsys, "apply", tmp_path / "kept.json", new, warns=True)
    assert told in " ".join(text.split())
    text = run(capsys, "apply", tmp_path / "kept.json", new, "--batch", "day", warns=True)
    assert told not in " ".join(text.split())


def test_files_are_one_queue_unless_batches_are_named(tmp_path, capsys):
    saved, folder = queue_of(tmp_path), tmp_path / "days"
    folder.mkdir()
    for day, low in (("mon", 0), ("tue", 100)):
        columns = {"m": [*range(low, low + 8), low + 8, low + 8], "day": [day] * 10}
        write_csv(folder / f"{day}.csv", columns)
    report = as_json(capsys, "apply", saved, folder)
    # The top four of twenty, all of them of Tuesday.
    assert (report["actions"], report["tied"]) == ({"flag": 4, "pass": 16}, 0)
    output = tmp_path / "out.csv"
    asked = ("--batch", "day", "-o", output)
    text = run(capsys, "apply", saved, folder, *asked)
    assert text.splitlines()[-2:] == [
        "Each day is a queue of its own.",
        "No rows tie at the edge of their queue.",
    ]
    flagged = [line for line in output.read_text().splitlines() if line.endswith("flag")]
    assert flagged == ["8,mon,flag", "8,mon,flag", "108,tue,flag", "108,tue,flag"]
    report = as_json(capsys, "apply", saved, folder, "--batch", "day")
    assert (report["batch"], report["tied"]) == ("day", 0)
    assert "has no column 'dya'" in refused(capsys, "apply", saved, folder, "--batch", "dya")


def test_batches_are_refused_where_there_is_no_queue(files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, "--fn-cost", 5)
    assert "leave out batch (--batch)" in refused(capsys, "apply", saved, new, "--batch", "miss")
    assert "queue" not in run(capsys, "apply", saved, new)
    assert as_json(capsys, "apply", saved, new)["tied"] is None


@pytest.mark.parametrize("missing", ["pass", "review", "flag"])
def test_rows_without_a_score_do_not_stop_the_others(files, missing, tmp_path, capsys):
    old, _ = files
    saved, new = tmp_path / "decision.json", tmp_path / "gaps.csv"
    decide(capsys, old, saved, "--fn-cost", 5)
    write_csv(new, {"m": ["" if i in (3, 8) else s for i, s in enumerate(S[:50])]})
    told = refused(capsys, "apply", saved, new)
    assert "row 4: column 'm' is empty where a number is needed, the first of 2 such rows" in told
    assert "or say what to do with such rows (--missing)." in told
    output = tmp_path / "out.csv"
    page = in_a_line(capsys, "apply", saved, new, "-o", output, "--missing", missing)
    done = {"pass": "passed", "review": "reviewed", "flag": "flagged"}[missing]
    assert f"2 rows are {done} without a value that the rule reads." in page
    lines = output.read_text().splitlines()[1:]
    hand = actions(saved, S[:50])
    assert [line.rpartition(",")[2] for line in lines] == [
        missing if i in (3, 8) else action for i, action in enumerate(hand)
    ]
    report = as_json(capsys, "apply", saved, new, "--missing", missing)
    assert (report["missing"], report["not_worth"], report["rows"]) == (2, 0, 50)
    assert "--missing" in refused(capsys, "apply", saved, new, "--missing", "drop")


def test_rows_never_worth_acting_on_are_passed_and_counted(tmp_path, capsys):
    loss = np.where(np.arange(400) % 40 == 0, 3.5, np.resize(5 + np.arange(50.0), 400))
    old = write_csv(tmp_path / "old.csv", {"y": Y, "m": S, "loss": loss})
    saved = tmp_path / "decision.json"
    costs = ("--fp-cost", 4, "--tp-cost", 4, "--fn-cost-column", "loss")
    asked = ("--label", "y", "--score", "m", *costs)
    told = "10 rows are passed and left out, whatever the score: a false negative costs no more"
    assert told in in_a_line(capsys, "decide", old, *asked, "--save", saved)
    assert as_json(capsys, "decide", old, *asked)["condition"]["passed"] == 10
    rival = (*asked, "--baseline", "m:0.5")
    assert told in in_a_line(capsys, "compare", old, *rival)
    report = as_json(capsys, "apply", saved, old, *costs)
    assert (report["not_worth"], report["missing"]) == (10, 0)
    page = in_a_line(capsys, "apply", saved, old, *costs)
    assert "10 rows are passed, whatever the score: a false negative costs no more" in page
    output = tmp_path / "out.csv"
    run(capsys, "apply", saved, old, *costs, "-o", output)
    found = [line.rpartition(",")[2] for line in output.read_text().splitlines()[1:]]
    assert {found[i] for i in range(0, 400, 40)} == {"pass"}


def test_a_file_of_one_row_is_told_to_be_no_queue(tmp_path, capsys):
    new = write_csv(tmp_path / "new.csv", {"m": [0.6]})
    saved = queue_of(tmp_path, one_by_one=cs.Rule(0.5))
    said = in_a_line(capsys, "apply", saved, new)
    assert said.endswith(
        "One case is not a queue: the threshold of the rows that the decision was made on is used, "
        f"flag scores above 0.5.{NO_FILE}"
    )
    report = as_json(capsys, "apply", saved, new)
    assert (report["actions"], report["tied"]) == ({"pass": 0, "flag": 1}, 0)
    assert report["note"].startswith("one case is not a queue")


# --- Three actions -------------------------------------------------------------------------------

REVIEWED = ("--fn-cost", 8, "--review-cost", 0.4)
NAMED = ("--actions", "approve,review,decline")
CALLED = {"pass": "approve", "review": "review", "flag": "decline"}


def test_three_actions_are_written_and_told(files, tmp_path, capsys):
    old, new = files
    saved, output = tmp_path / "decision.json", tmp_path / "out.csv"
    decide(capsys, old, saved, *REVIEWED)
    hand = actions(saved, NEW["m"])
    assert set(hand) == {*CALLED}
    page = in_a_line(capsys, "apply", saved, new, "-o", output)
    assert "Use m and flag scores above" in page
    for name in CALLED:
        assert f"{name} {hand.count(name)} {2 * hand.count(name)} %" in page
    lines = output.read_text().splitlines()[1:]
    assert [line.rpartition(",")[2] for line in lines] == hand
    report = as_json(capsys, "apply", saved, new)
    assert report["actions"] == {name: hand.count(name) for name in sorted(CALLED)}


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_actions_have_the_words_of_the_decision_or_others(kind, files, tmp_path, capsys):
    old, new = files
    saved = tmp_path / "decision.json"
    page = " ".join(decide(capsys, old, saved, *REVIEWED, *NAMED).split())
    assert re.search(r"Use m: decline scores above \S+, review those above \S+, approve the", page)
    hand = actions(saved, NEW["m"])
    output = tmp_path / f"out.{kind}"
    told = in_a_line(capsys, "apply", saved, new, "-o", output)
    assert "Use m and decline scores above" in told
    if kind == "parquet":
        found = pq.read_table(output)["action"].to_pylist()
    else:
        found = [line.rpartition(",")[2] for line in output.read_text().splitlines()[1:]]
    assert found == [CALLED[action] for action in hand]
    report = as_json(capsys, "apply", saved, new, "--actions", "a, b, c")
    assert report["actions"] == {
        word: hand.count(own) for word, own in zip("abc", CALLED, strict=True)
    }
    for words in ("a,b", "a,b,b", "a,b,", "", "a,b,c,d"):
        told = refused(capsys, "apply", saved, new, "--actions", words)
        assert "must be 3 different words, for pass, review, flag in this order" in told
    asked = ("--label", "y", "--score", "m", "--fp-cost", 1, "--fn-cost", 8)
    told = refused(capsys, "decide", old, *asked, *NAMED)
    assert "must be 2 different words, for pass, flag in this order" in told


def test_three_actions_by_the_costs_of_each_row(files, tmp_path, capsys):
    _, new = files
    saved, output = tmp_path / "decision.json", tmp_path / "out.csv"
    old = write_csv(tmp_path / "costs.csv", {"y": Y, "m": S, "miss": np.resize(NEW["miss"], 400)})
    costs = ("--fn-cost-column", "miss")
    decide(capsys, old, saved, *costs, "--review-cost", 0.4, *NAMED)
    hand = [CALLED[one] for one in actions(saved, NEW["m"], fp_cost=1.0, fn_cost=NEW["miss"])]
    assert set(hand) == {*CALLED.values()}
    page = in_a_line(capsys, "apply", saved, new, "--fp-cost", 1, *costs, "-o", output)
    assert "the costs set its thresholds" in page
    lines = output.read_text().splitlines()[1:]
    assert [line.rpartition(",")[2] for line in lines] == hand
    page = in_a_line(capsys, "apply", saved, new, "--fp-cost", 1, "--fn-cost", 8)
    assert re.search(r"here, decline scores above \S+, review those above \S+, approve the", page)


def test_the_share_flagged_is_compared_without_what_is_reviewed(files, tmp_path, capsys):
    old, _ = files
    saved = tmp_path / "decision.json"
    decide(capsys, old, saved, *REVIEWED)
    low, high = json.loads(saved.read_text())["apply"]["rule"]["cuts"]
    share = json.loads(saved.read_text())["apply"]["scores"]["flagged"]["share"]
    assert share == pytest.approx(np.mean(high < S))
    # All that were passed are reviewed: as many are flagged, and scores differ.
    other = write_csv(tmp_path / "other.csv", {"m": np.maximum(S, (low + high) / 2)})
    told = refused(capsys, "apply", saved, other, "--strict")
    assert "of the scores are above" in told
    more = write_csv(tmp_path / "more.csv", {"m": S**0.3})
    told = refused(capsys, "apply", saved, more, "--strict")
    flagged = f"{100 * np.mean(high < S**0.3):.3g} % of the rows are flagged"
    assert flagged in told
