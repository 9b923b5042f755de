"""`drift --by`: what keeping the rule costs in each segment, and what has changed there."""

import json

import numpy as np
import pytest
from command_line import as_json, lines_of, refused, run
from prediction_files import parquet, write_csv

import costspace as cs
from costspace.cli import main

N = 9000
COLUMNS = ["--label", "y", "--score", "m"]
COSTS = ["--fp-cost", "1", "--fn-cost", "10"]
BY = ["--by", "state"]


def period(seed, moved):
    rng = np.random.default_rng(seed)
    state = rng.choice([f"S{i}" for i in range(40)], N, p=(w := 0.8 ** np.arange(40)) / w.sum())
    state = state.astype("U4")
    state[:2] = f"n{seed}", ""
    y = (rng.random(N) < np.where(state == "S1", 0.1 + moved, 0.1)).astype(int)
    m = (1 / (1 + np.exp(2 - rng.normal(1.6 * y)))).round(4)
    return {"y": y, "m": m, "state": state, "who": rng.integers(0, N // 2, N)}


PERIODS = period(0, 0), period(1, 0.3)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("periods")
    return [
        write_csv(folder / f"{name}.csv", columns)
        for name, columns in zip(("june", "july"), PERIODS, strict=True)
    ]


def in_python(**more):
    rows = [cs.ScoredRows.from_predictions(one["y"], {"m": one["m"]}) for one in PERIODS]
    states = [[value or None for value in one["state"].tolist()] for one in PERIODS]
    pair = [{"state": np.array(of, dtype=object)} for of in states]
    return json.loads(json.dumps(cs.drift(*rows, segments=pair, **more).to_dict()))


@pytest.mark.parametrize("costs", [COSTS, []])
def test_json_has_what_python_finds(files, costs, capsys):
    found = as_json(capsys, "drift", *files, *COLUMNS, *costs, *BY)["models"]["m"]
    expected = in_python(**({"fp_cost": 1, "fn_cost": 10} if costs else {}))
    assert found == expected
    assert found["segments"]
    if costs:
        assert sum(one["contribution"] for one in found["segments"]) == pytest.approx(
            found["money"]["kept"]["cost_per_1000"], abs=1e-9
        )


@pytest.mark.parametrize("more", [[], COSTS, ["--groups", "who"], [*COSTS, "--groups", "who"]])
def test_a_page_leads_with_what_matters_and_fits_a_screen(files, more, capsys):
    page = run(capsys, "drift", *files, *COLUMNS, *BY, *more)
    lines_of(page)
    text = " ".join(page.split())
    if COSTS[0] in more:
        assert text.startswith(("Set the rule anew", "Keep the rule"))
        assert " most: " in text
        assert "the rule is shown to cost more than before in S1, and less in none." in text
        assert "hold all at once" in text
    else:
        assert "A change is shown in 1 of" in text
        assert "The largest that is told is that of the prevalence of S1: " in text
    assert "joined as others" in text
    assert "more segments" in page


def test_every_segment_is_in_details(files, capsys):
    for more in ([], COSTS):
        asked = ["drift", *files, *COLUMNS, *BY, *more]
        found = as_json(capsys, *asked)["models"]["m"]["segments"]
        page = run(capsys, *asked, "--details")
        table = page.partition("By segment (state)")[2]
        assert all(f"\n{one['by']['state'] or '(none)'} " in table for one in found)


def test_a_saved_decision_is_kept_in_each_segment(files, tmp_path, capsys):
    rule = tmp_path / "rule.json"
    run(capsys, "decide", files[0], *COLUMNS, *COSTS, "--save", rule)
    asked = ["drift", *files, "--label", "y", *BY, "--decision", rule]
    found = as_json(capsys, *asked)["models"]["m"]
    rows = cs.ScoredRows.from_predictions(PERIODS[1]["y"], {"m": PERIODS[1]["m"]})
    own = PERIODS[1]["state"] == "S1"
    flagged = rows.scores["m"][own] > found["money"]["kept"]["rule"]["cuts"][0]
    cost = 1000 * np.mean(np.where(rows.positive[own], 10 * ~flagged, flagged))
    one = next(one for one in found["segments"] if one["by"]["state"] == "S1")
    assert one["kept"]["cost_per_1000"] == pytest.approx(cost)


@pytest.mark.parametrize(
    ("more", "condition", "status"),
    [
        (COSTS, "models.m.segments.S1.more.difference > 100", 3),
        (COSTS, "models.m.segments.S1.kept > 1e6", 0),
        (COSTS, "models.m.segments.S2.more > 0", 4),
        ([], "models.m.segments.S1.changes.prevalence > 0.1", 3),
        ([], "models.m.segments.S2.changes.auc < -0.5", 0),
    ],
)
def test_a_condition_names_a_segment(files, more, condition, status, capsys):
    asked = [*map(str, files), *COLUMNS, *BY, *more]
    try:
        ended = main(["drift", *asked, "--fail-if", condition]) or 0
    except SystemExit as end:
        ended = end.code
    capsys.readouterr()
    assert ended == status


def test_numbers_name_segments_too(tmp_path, capsys):
    paths = []
    for i, one in enumerate(PERIODS):
        (tmp_path / str(i)).mkdir()
        paths.append(parquet(tmp_path / str(i), y=one["y"], m=one["m"], part=one["who"] % 3))
    found = as_json(capsys, "drift", *paths, *COLUMNS, "--by", "part", *COSTS)["models"]["m"]
    assert {one["by"]["part"] for one in found["segments"]} == {0, 1, 2}


def test_what_has_no_segments_is_refused(files, tmp_path, capsys):
    saved = [tmp_path / f"{file.stem}.parquet" for file in files]
    for file, table in zip(files, saved, strict=True):
        run(capsys, "tally", file, *COLUMNS, "-o", table)
    assert "--by needs rows, and a saved table keeps none" in refused(capsys, "drift", *saved, *BY)
    two = ["--label", "y", "--score", "m", "--score", "who"]
    told = refused(capsys, "drift", *files, *two, *BY)
    assert told == "--by is of one model, and there are 2: name one with --score."
