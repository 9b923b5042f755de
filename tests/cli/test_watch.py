"""`costspace watch`: begun, added to and shown as a user would, from files of any kind."""

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from command_line import as_json, lines_of, refused, run
from two_periods import sample

import costspace as cs
from costspace.cli import main
from costspace.frames import load, save
from costspace.frames.table_file import write_table
from costspace.frames.watch_file import described_watch
from costspace.frames.watched_rows import WatchedColumns, add_files

COSTS = ["--fp-cost", "1", "--fn-cost", "5"]
DAYS = [f"2026-11-{i:02d}" for i in range(1, 9)]


@pytest.fixture(scope="module")
def decision(tmp_path_factory):
    path = tmp_path_factory.mktemp("decision") / "decision.json"
    y, s = sample(0, 2000)
    cs.decide(y, {"m": s}, fp_cost=1, fn_cost=5, baseline=("m", 0.5)).save(path)
    return path


def frame_of(days, n=200, moved=0.0):
    parts = []
    for i in days:
        y, s = sample(50 + i, n, moved=moved)
        ids = [f"{i}-{k}" for k in range(n)]
        parts.append(pl.DataFrame({"day": [DAYS[i]] * n, "id": ids, "y": y, "m": s}))
    return pl.concat(parts)


@pytest.fixture
def watch(tmp_path, capsys, decision):
    path = tmp_path / "watch.parquet"
    run(capsys, "watch", "begin", decision, "-o", path, "--tolerance", "520", "--in-use")
    return path


def in_python(decision):
    return cs.begin_watch(cs.load_decision(decision), in_use=True, tolerance=520)


def same(one, other):
    names = ("day", "positive", "acted", "rows")
    return all(np.array_equal(getattr(one.counts, n), getattr(other.counts, n)) for n in names)


@pytest.mark.parametrize("kind", ["csv", "parquet", "folder"])
def test_files_count_as_their_rows_in_python(kind, tmp_path, capsys, decision, watch):
    frame = frame_of(range(3))
    file = tmp_path / (f"rows.{kind}" if kind != "folder" else "rows")
    if kind == "folder":
        file.mkdir()
        frame[:150].write_parquet(file / "a.parquet")
        frame[150:].write_parquet(file / "b.parquet")
    else:
        getattr(frame, f"write_{kind}")(file)
    told = run(capsys, "watch", "add", watch, file, "--label", "y", "--day", "day")
    assert told == "Added: 600 rows with a label. In all: 600 with, 0 without.\n"
    expected = in_python(decision)
    expected = expected.add(frame["y"], {"m": frame["m"]}, day=frame["day"].to_list())
    assert same(load(watch), expected)
    found = as_json(capsys, "watch", "show", watch)
    assert found == json.loads(json.dumps(expected.look().to_dict()))


def test_single_precision_and_words_count_as_apply_has_them(tmp_path, capsys, watch, decision):
    frame = frame_of(range(1))
    words = frame.with_columns(
        pl.col("m").cast(pl.Float32),
        y=pl.when(pl.col("y") == 1).then(pl.lit("bad")).otherwise(pl.lit("good")),
    )
    words.write_parquet(tmp_path / "rows.parquet")
    options = ["--label", "y", "--positive", "bad", "--date", DAYS[0]]
    run(capsys, "watch", "add", watch, tmp_path / "rows.parquet", *options)
    expected = in_python(decision).add(
        words["y"].to_list(), {"m": words["m"].to_numpy()}, day=DAYS[0], pos_label="bad"
    )
    assert same(load(watch), expected)


def test_labels_that_come_later_are_matched_by_id(tmp_path, capsys, watch, decision):
    frame = frame_of(range(2))
    frame.drop("y").write_parquet(tmp_path / "rows.parquet")
    frame[:300].select("id", "y").write_csv(tmp_path / "labels.csv")
    frame[300:].select("id", "y").write_csv(tmp_path / "more.csv")
    told = run(
        capsys, "watch", "add", watch, tmp_path / "rows.parquet", "--id", "id", "--day", "day"
    )
    assert told == "Added: 400 rows without. In all: 0 with, 400 without.\n"
    labels = ["--id", "id", "--label", "y", "--only-labels"]
    told = run(capsys, "watch", "add", watch, tmp_path / "labels.csv", *labels)
    assert told == "Added: 300 rows with a label. In all: 300 with, 100 without.\n"
    shown = run(capsys, "watch", "show", watch)
    assert f"Labels are complete to {DAYS[0]}" in " ".join(shown.split())
    run(capsys, "watch", "add", watch, tmp_path / "more.csv", *labels)
    assert same(
        load(watch),
        in_python(decision).add(frame["y"], {"m": frame["m"]}, day=frame["day"].to_list()),
    )


def test_parts_added_in_any_order_give_the_same_bytes(tmp_path, capsys, watch):
    files = []
    for i in range(3):
        frame = frame_of([i])
        frame.drop("y").write_parquet(tmp_path / f"rows{i}.parquet")
        frame.select("id", "y").write_csv(tmp_path / f"labels{i}.csv")
        files += [
            (f"rows{i}.parquet", ["--day", "day"]),
            (f"labels{i}.csv", ["--label", "y", "--only-labels"]),
        ]
    rng, found = np.random.default_rng(0), set()
    for k in range(4):
        one, other = tmp_path / f"one{k}.parquet", tmp_path / f"other{k}.parquet"
        for path in (one, other):
            path.write_bytes(watch.read_bytes())
        for i, place in enumerate(rng.permutation(len(files))):
            name, options = files[place]
            run(
                capsys, "watch", "add", (one, other)[i % 2], tmp_path / name, "--id", "id", *options
            )
        run(capsys, "watch", "add", one, other)
        found.add(one.read_bytes())
    assert len(found) == 1


def test_what_is_shown_fits_a_screen_and_says_what_to_know_first(tmp_path, capsys, watch):
    frame_of(range(8), moved=1.4).write_csv(tmp_path / "rows.csv")
    run(capsys, "watch", "add", watch, tmp_path / "rows.csv", "--label", "y", "--day", "day")
    lines = lines_of(run(capsys, "watch", "show", watch))
    assert lines[0].startswith("Worse than is tolerated since about 2026-11-0")
    assert any(line.startswith("decision") for line in lines)
    assert lines[-1].endswith("Intervals hold at 95 % for all looks.")


@pytest.mark.parametrize(
    ("condition", "status"),
    [("costs.decision > 300", 3), ("costs.decision > 5000", None), ("costs.decision > 585", 4)],
)
def test_a_gate_decides_by_the_interval(condition, status, tmp_path, capsys, watch):
    frame_of(range(4), moved=0.6).write_csv(tmp_path / "rows.csv")
    run(capsys, "watch", "add", watch, tmp_path / "rows.csv", "--label", "y", "--day", "day")
    cost = as_json(capsys, "watch", "show", watch)["costs"]["decision"]
    assert cost["low"] < 585 < cost["high"]
    if status is None:
        main(["watch", "show", str(watch), "--fail-if", condition])
    else:
        with pytest.raises(SystemExit) as end:
            main(["watch", "show", str(watch), "--fail-if", condition])
        assert end.value.code == status
    assert condition in capsys.readouterr().err


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_the_cost_by_day_is_drawn(form, tmp_path, capsys, watch):
    frame_of(range(4)).write_csv(tmp_path / "rows.csv")
    run(capsys, "watch", "add", watch, tmp_path / "rows.csv", "--label", "y", "--day", "day")
    path = tmp_path / f"plot.{form}"
    run(capsys, "watch", "show", watch, "--plot", path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form]
    assert path.read_bytes().startswith(start)
    assert "no known ending" in refused(
        capsys, "watch", "show", watch, "--plot", tmp_path / "a.gif"
    )


def test_begin_tells_what_is_fixed_and_what_planned_looks_would_show(tmp_path, capsys, decision):
    options = ["--looks", "90", "--rows", "500"]
    told = run(capsys, "watch", "begin", decision, "-o", tmp_path / "w.parquet", *options)
    flat = " ".join(told.split())
    assert "per 1,000 cases is tolerated" in flat
    assert "any of 90 looks, a day each, calls it worse, while it is not, is 5 % at most" in flat
    assert "90 looks of 500 rows show a cost of" in flat
    assert (load(tmp_path / "w.parquet").terms.looks, load(tmp_path / "w.parquet").terms.rows) == (
        90,
        500,
    )
    assert "is there already" in refused(
        capsys, "watch", "begin", decision, "-o", tmp_path / "w.parquet"
    )


def test_what_cannot_be_added_is_refused_and_leaves_the_watch_as_it_was(tmp_path, capsys, watch):
    before = watch.read_bytes()
    frame = frame_of(range(2))
    frame.write_csv(tmp_path / "rows.csv")
    frame.with_columns(day=pl.lit("soon")).write_csv(tmp_path / "days.csv")
    frame.with_columns(m=pl.when(pl.col("id") == "0-7").then(None).otherwise("m")).write_csv(
        tmp_path / "gap.csv"
    )
    frame.with_columns(id=pl.lit("one")).write_csv(tmp_path / "ids.csv")
    frame.drop("m").write_csv(tmp_path / "none.csv")

    def add(name, *options):
        return refused(capsys, "watch", "add", watch, tmp_path / name, *options)

    rows = ("--label", "y", "--day", "day")
    assert "row 1: column 'day' has 'soon'" in add("days.csv", *rows)
    assert "row 8: column 'm' is empty" in add("gap.csv", *rows)
    assert "has no column 'm'" in add("none.csv", *rows)
    assert "--day and --date are missing" in add("rows.csv", "--label", "y")
    assert "both given" in add("rows.csv", *rows, "--date", DAYS[0])
    assert "--label is missing" in add("rows.csv", "--day", "day")
    assert "must be a date" in add("rows.csv", "--label", "y", "--date", "today")
    assert "come more than once" in add("ids.csv", "--id", "id", "--day", "day")
    assert "labels alone need" in add("rows.csv", "--label", "y", "--only-labels")
    labels = ("--label", "y", "--id", "id", "--only-labels")
    assert "leave out --day" in add("rows.csv", *labels, "--day", "day")
    assert watch.read_bytes() == before
    run(capsys, "watch", "add", watch, tmp_path / "rows.csv", *rows)
    assert "added already" in add("rows.csv", *rows)


def test_files_of_a_folder_are_known_one_by_one(tmp_path, capsys, watch):
    folder = tmp_path / "days"
    folder.mkdir()
    frame_of([0]).write_csv(folder / "a.csv")
    rows = ["--label", "y", "--day", "day"]
    run(capsys, "watch", "add", watch, folder, *rows)
    frame_of([1]).write_csv(folder / "b.csv")
    assert "a.csv has been added already" in refused(capsys, "watch", "add", watch, folder, *rows)
    run(capsys, "watch", "add", watch, folder / "b.csv", *rows)
    again = frame_of([1])[:50]
    again.write_csv(tmp_path / "c.csv")
    told = run(capsys, "watch", "add", watch, tmp_path / "c.csv", *rows)
    assert "1 day of these had rows before." in told


def test_rows_that_can_never_get_a_label_are_told_and_the_day_they_block(tmp_path, capsys, watch):
    frame = frame_of([0, 1])
    gap = pl.when(pl.col("id") == "1-3").then(None).otherwise("y").alias("y")
    frame.with_columns(gap).write_csv(tmp_path / "rows.csv")
    told = run(capsys, "watch", "add", watch, tmp_path / "rows.csv", "--label", "y", "--day", "day")
    assert "1 row without a label can never get one" in told
    shown = " ".join(run(capsys, "watch", "show", watch).split())
    assert (
        f"Labels are complete to {DAYS[0]}: 200 rows from {DAYS[1]} on do not count yet." in shown
    )


def test_a_number_that_is_not_known_is_null(tmp_path, capsys, decision):
    y, s = sample(3, 2000)
    begun = cs.begin_watch(cs.load_decision(decision), tolerance=520)
    cost = float(begun.add(y, {"m": s}, day=DAYS[0]).look().cost.mean[-1])
    watch = cs.begin_watch(cs.load_decision(decision), tolerance=cost)
    save(tmp_path / "w.parquet", watch.add(y, {"m": s}, day=DAYS[0]))
    found = as_json(capsys, "watch", "show", tmp_path / "w.parquet")
    assert found["needed"] is None
    assert found["worse"] is None
    assert "Very many more rows" in found["text"]


def test_two_runs_at_once_add_both(tmp_path, watch):
    for i in range(4):
        frame_of([i]).write_csv(tmp_path / f"d{i}.csv")
    command = [sys.executable, "-m", "costspace.cli", "watch", "add", str(watch)]
    rows = ["--label", "y", "--day", "day"]
    runs = [subprocess.Popen([*command, str(tmp_path / f"d{i}.csv"), *rows]) for i in range(4)]
    assert [one.wait() for one in runs] == [0] * 4
    assert load(watch).labelled == 800


FORGED = {
    "no tolerance": lambda about: about.pop("tolerance"),
    "no level": lambda about: about.update(level=None),
    "no costs": lambda about: about.update(costs={}),
    "three costs": lambda about: about["costs"].update(flag=[1, 2, 3]),
    "many looks": lambda about: about.update(looks=10**400),
    "a tolerance of more": lambda about: about.update(tolerance=9e9),
    "a bound of True": lambda about: about.update(most=True),
    "a bound and costs": lambda about: about.update(most=5.0),
    "no rules": lambda about: about.update(rules={}),
    "a number added": lambda about: about.update(added=[3]),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_watch_is_refused(kind, tmp_path, decision):
    about, parts = described_watch(in_python(decision))
    plain = json.loads(json.dumps(about))
    FORGED[kind](plain["watch"])
    path = tmp_path / "forged.parquet"
    write_table(path, plain, parts)
    with pytest.raises(cs.FileError, match="not a valid saved table"):
        load(path)


def test_times_with_a_zone_are_no_days(tmp_path, capsys, watch):
    frame = frame_of([0])
    late = pl.lit("2026-11-01T23:30:00").str.to_datetime(time_zone="America/New_York")
    frame.with_columns(late.alias("day")).write_parquet(tmp_path / "rows.parquet")
    rows = ["--label", "y", "--day", "day"]
    told = refused(capsys, "watch", "add", watch, tmp_path / "rows.parquet", *rows)
    assert "times with a zone" in told
    frame.with_columns(day=pl.lit("2026-11-01 23:30:00-05:00")).write_csv(tmp_path / "rows.csv")
    run(capsys, "watch", "add", watch, tmp_path / "rows.csv", *rows)
    assert load(watch).counts.day.max() == np.datetime64("2026-11-01").astype(int)


def test_tables_and_watches_are_not_taken_for_each_other(tmp_path, capsys, watch):
    table = tmp_path / "table.parquet"
    save(table, {"m": cs.ScoreCounts.from_predictions([0, 1], [0.1, 0.2])})
    assert "is no watch" in refused(capsys, "watch", "show", table)
    assert "is a watch, which keeps no scores" in refused(capsys, "evaluate", watch)
    assert "is a watch, which keeps no scores" in refused(
        capsys, "merge", watch, "-o", tmp_path / "sum.parquet"
    )


def test_a_watch_is_loaded_as_it_was_saved(tmp_path, decision):
    frame = frame_of(range(2))
    frame.drop("y").write_parquet(tmp_path / "rows.parquet")
    columns = WatchedColumns(id="id", day="day")
    watch = add_files(in_python(decision), tmp_path / "rows.parquet", columns)
    save(tmp_path / "watch.parquet", watch)
    again = load(tmp_path / "watch.parquet")
    assert again.terms.to_dict() == watch.terms.to_dict()
    assert again.added == watch.added
    assert np.array_equal(again.waiting.row, watch.waiting.row)
    save(tmp_path / "again.parquet", again)
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "watch.parquet").read_bytes()


def test_help_lists_the_commands_of_a_group(capsys):
    assert "begin" in run(capsys, "watch", "--help")


def test_costs_of_each_case_are_read_from_columns(tmp_path, capsys):
    y, s = sample(0, 1500)
    amounts = np.round(np.random.default_rng(1).lognormal(1, 1, 1500), 2)
    costs = cs.CaseCosts(fp_cost=1.5, fn_cost=amounts + 2)
    decision = cs.decide(y, {"m": s}, case_costs=costs)
    decision.save(tmp_path / "decision.json")
    frame = pl.DataFrame({"day": [DAYS[0]] * 1500, "y": y, "m": s, "fp": 1.5, "fn": amounts + 2})
    begin = ["watch", "begin", tmp_path / "decision.json", "--most-cost", "200"]
    expected = cs.begin_watch(decision, most_cost=200)
    expected = expected.add(y, {"m": s}, day=DAYS[0], case_costs=costs)
    named = ["--fp-cost-column", "fp", "--fn-cost-column", "fn"]
    for kind in ("csv", "parquet"):
        watch, file = tmp_path / f"{kind}.watch", tmp_path / f"rows.{kind}"
        run(capsys, *begin, "-o", watch)
        getattr(frame, f"write_{kind}")(file)
        asked = ["watch", "add", watch, file, "--label", "y", "--day", "day"]
        assert "case_costs is missing" in refused(capsys, *asked)
        run(capsys, *asked, *named)
        assert same(load(watch), expected)
        assert as_json(capsys, "watch", "show", watch)["rates"] == {}
