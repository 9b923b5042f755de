"""`costspace tally`, `merge` and `drift`: days kept, added up and compared."""

import json

import numpy as np
import pytest
from command_line import as_json, refused, run, scored
from prediction_files import write_csv
from summaries import same

import costspace as cs
from costspace.estimates.quantities import QUANTITIES
from costspace.frames import load, save

RNG = np.random.default_rng(0)
DAYS = {}
for day, share, moved in (("monday", 0.3, 0.0), ("tuesday", 0.3, 0.1), ("friday", 0.1, 0.8)):
    outcome = (RNG.random(400) < share).astype(int)
    logits = 1.5 * outcome - 1 + moved
    DAYS[day] = {
        "y": outcome,
        "one": np.round(1 / (1 + np.exp(-logits - RNG.normal(size=400))), 3),
        "two": np.round(1 / (1 + np.exp(-logits - RNG.normal(size=400))), 2),
        "w": RNG.integers(1, 5, 400),
    }


def models(columns, **more):
    return {
        name: cs.ScoreCounts.from_predictions(columns["y"], columns[name], **more)
        for name in ("one", "two")
    }


@pytest.fixture
def days(tmp_path, capsys):
    """A saved table for each day, made by the command line."""
    found = {}
    for day, columns in DAYS.items():
        file = write_csv(tmp_path / f"{day}.csv", columns)
        found[day] = tmp_path / f"{day}.parquet"
        tally(capsys, file, found[day])
    return found


def tally(capsys, file, output, *more, scores=("one", "two")):
    assert run(capsys, "tally", file, "--label", "y", *scored(scores), "-o", output, *more) == ""
    return load(output)


def test_tally_counts_by_score(days):
    for day, path in days.items():
        found = load(path)
        assert list(found) == ["one", "two"]
        for name, one in models(DAYS[day]).items():
            same(one, found[name])


def test_tally_weighted(tmp_path, capsys):
    file = write_csv(tmp_path / "x.csv", DAYS["monday"])
    found = tally(capsys, file, tmp_path / "x.parquet", "--weight", "w", scores=("one",))
    same(models(DAYS["monday"], sample_weight=DAYS["monday"]["w"])["one"], found["one"])


def test_tally_by_bin(tmp_path, capsys):
    file = write_csv(tmp_path / "x.csv", DAYS["monday"])
    found = tally(capsys, file, tmp_path / "x.parquet", "--bins", "64")
    for name, one in found.items():
        binning = cs.Binning.uniform(bins=64)
        expected = cs.ScoreCounts.from_predictions(
            DAYS["monday"]["y"], DAYS["monday"][name], binning=binning
        )
        assert one.binning == binning
        for column, values in expected.columns().items():
            np.testing.assert_allclose(one.columns()[column], values, rtol=1e-12)


def test_a_day_without_positives(tmp_path, capsys, days):
    calm = {"y": [0, 0], "one": [0.1, 0.2], "two": [0.3, 0.3]}
    found = tally(capsys, write_csv(tmp_path / "calm.csv", calm), tmp_path / "calm.parquet")
    assert found["one"].positives.total == 0
    run(capsys, "merge", days["monday"], tmp_path / "calm.parquet", "-o", tmp_path / "all.parquet")
    total = load(tmp_path / "all.parquet")["one"]
    assert (total.negatives.total, total.positives.total) == (
        int(np.sum(DAYS["monday"]["y"] == 0)) + 2,
        int(np.sum(DAYS["monday"]["y"])),
    )
    named = {"y": ["legit", "legit"], "one": [0.1, 0.2]}
    file = write_csv(tmp_path / "named.csv", named)
    out = tmp_path / "named.parquet"
    found = tally(capsys, file, out, "--positive", "fraud", scores=("one",))
    assert found["one"].negatives.total == 2
    text = refused(capsys, "tally", file, "--label", "y", "--score", "one", "-o", out)
    assert "--positive" in text


def test_merging_is_the_same_in_any_order(tmp_path, capsys, days):
    a, b, c = days.values()
    for i, files in enumerate([(a, b, c), (c, a, b)]):
        run(capsys, "merge", *files, "-o", tmp_path / f"all{i}.parquet")
    run(capsys, "merge", b, c, "-o", tmp_path / "some.parquet")
    run(capsys, "merge", a, tmp_path / "some.parquet", "-o", tmp_path / "all2.parquet")
    whole = {name: np.concatenate([day[name] for day in DAYS.values()]) for name in DAYS["monday"]}
    for i in range(3):
        found = load(tmp_path / f"all{i}.parquet")
        for name, one in models(whole).items():
            same(one, found[name])
    run(capsys, "merge", a, "-o", tmp_path / "one.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == a.read_bytes()


def test_what_does_not_go_together_is_refused(tmp_path, capsys, days):
    monday = days["monday"]
    out = tmp_path / "out.parquet"
    other = tmp_path / "other.parquet"
    save(other, {"one": models(DAYS["friday"])["one"], "three": models(DAYS["friday"])["two"]})
    text = refused(capsys, "merge", monday, other, "-o", out)
    assert "other.parquet lacks 'two' and has 'three' besides: its models must be those" in text
    y, s = DAYS["friday"]["y"], DAYS["friday"]["one"]
    coarse, fine = (
        cs.ScoreCounts.from_predictions(y, s, binning=cs.Binning.uniform(bins=bins))
        for bins in (8, 16)
    )
    save(other, {"one": coarse, "two": coarse})
    text = refused(capsys, "merge", monday, other, "-o", out)
    assert "other.parquet has 'one' in bins, and the files before it by score" in text
    save(out, {"one": fine, "two": fine})
    before = out.read_bytes()
    text = refused(capsys, "merge", other, out, "-o", tmp_path / "x.parquet")
    assert "has 'one' in other bins than the files before it" in text
    assert "is named twice" in refused(capsys, "merge", monday, monday, "-o", out)
    assert "its rows would count again" in refused(capsys, "merge", monday, out, "-o", out)
    link = tmp_path / "link.parquet"
    link.symlink_to(monday)
    assert "is named twice" in refused(capsys, "merge", monday, link, "-o", out)
    assert "name saved tables" in refused(capsys, "merge", "-o", out)
    assert "there is no file" in refused(capsys, "merge", tmp_path / "missing.parquet", "-o", out)
    file = write_csv(tmp_path / "y.csv", DAYS["monday"])
    assert "it is not Parquet" in refused(capsys, "merge", monday, file, "-o", out)
    other.write_bytes(other.read_bytes()[:-100])
    assert "is damaged or cut short" in refused(capsys, "merge", monday, other, "-o", out)
    assert out.read_bytes() == before


def test_drift_in_json_is_what_python_finds(capsys, days):
    asked = ("drift", days["monday"], days["friday"])
    found = as_json(capsys, *asked)
    assert found["source"]["before"] == {"path": str(days["monday"]), "rows": 400}
    assert (found["level"], found["correction"]) == (0.95, "holm")
    before, after = models(DAYS["monday"]), models(DAYS["friday"])
    for name, drifted in found["models"].items():
        expected = cs.drift(before[name], after[name]).to_dict()
        assert drifted == json.loads(json.dumps(expected))
        assert [one["quantity"] for one in drifted["changes"]] == list(QUANTITIES)
    more = ("--score", "two", "--metric", "brier", "--level", "0.9", "--correction", "none")
    more += ("--prevalence", "0.2", "--costs", "beta(2,2)", "--json")
    found = json.loads(run(capsys, *asked, *more))
    expected = cs.drift(
        before["two"],
        after["two"],
        quantities="brier",
        level=0.9,
        correction=None,
        prevalence=0.2,
        costs=cs.Beta(2, 2),
    )
    assert found["models"] == {"two": json.loads(json.dumps(expected.to_dict()))}


def test_drift_on_a_page(tmp_path, capsys, days):
    asked = ("drift", days["monday"], days["friday"])
    out = run(capsys, *asked)
    found = as_json(capsys, *asked)["models"]["one"]
    prevalence = found["changes"][0]
    assert out.startswith(
        f"Prevalence fell from {prevalence['before']:.3f} to {prevalence['after']:.3f} (95 %"
    )
    answer = " ".join(out.partition("\n\n")[0].split())
    assert "set thresholds anew. Scores of " in answer
    assert "\nall    prevalence " in out
    details = run(capsys, *asked, "--details")
    for text in ("loss.skew.optimal", "negatives apart", "That scores are calibrated before: p "):
        assert text in details
    assert run(capsys, *asked, "-o", tmp_path / "page.txt") == ""
    assert (tmp_path / "page.txt").read_text() == out
    out = run(capsys, "drift", days["monday"], days["tuesday"], "--score", "one")
    assert out.startswith("No evidence of a change, neither of prevalence (")
    assert "two" not in out


def test_the_table_of_a_drift_is_that_of_the_record(capsys, days):
    asked = ("drift", days["monday"], days["friday"], "--score", "one")
    changes = as_json(capsys, *asked)["models"]["one"]["changes"]
    names = {"calibration_in_the_large": "calibration"}
    found = {names.get(one["quantity"], one["quantity"]): one for one in changes}
    lines = run(capsys, *asked).split("\n\n")[1].splitlines()
    assert len(lines) >= 6
    for line in lines[1:]:
        quantity, before, after, change, low, to, high, clear = [
            *line.replace("negatives apart", "apart").replace("positives apart", "apart").split(),
            *[""] * 5,
        ][:8]
        if quantity != "apart":
            one = found[quantity.replace("loss.", "expected_loss.")]
            width = one["high"] - one["low"]
            told = [float(text) for text in (before, after, change, low, high)]
            exact = [one[key] for key in ("before", "after", "difference", "low", "high")]
            assert told == pytest.approx(exact, abs=width / 20)
            told = {None: "no", "changed": "yes"}
            assert (to, clear) == ("to", told.get(one["became"], one["became"]))
            assert (one["became"] is not None) == (one["p_adjusted"] < 0.05)


def test_what_cannot_be_compared_is_refused(tmp_path, capsys, days):
    monday = days["monday"]
    other = tmp_path / "other.parquet"
    save(other, {"one": models(DAYS["friday"])["one"]})
    text = refused(capsys, "drift", monday, other)
    assert "other.parquet 'one': say which to compare with --score." in text
    run(capsys, "drift", monday, other, "--score", "one")
    assert "has no model 'two'" in refused(capsys, "drift", monday, other, "--score", "two")
    text = refused(capsys, "drift", monday, days["friday"], "--metric", "acu")
    assert text == "there is no quantity 'acu': did you mean 'auc'?"
    text = refused(capsys, "drift", monday, days["friday"], "--metric", "size")
    assert "there is no quantity 'size'" in text
    assert "level" in refused(capsys, "drift", monday, other, "--level", "2")
    save(other, {name: cs.ScoreCounts.from_predictions([0], [0.5]) for name in ("one", "two")})
    assert "one: after: there is no positive row" in refused(capsys, "drift", monday, other)


def test_whether_the_output_can_be_written_is_known_before_rows_are_counted(
    tmp_path, capsys, days, monkeypatch
):
    monkeypatch.setattr("costspace.cli.tally.tally_files", None)
    monkeypatch.setattr("costspace.cli.merge.merged", None)
    output = tmp_path / "no" / "x.parquet"
    file = tmp_path / "monday.csv"
    message = refused(capsys, "tally", file, "--label", "y", "--score", "one", "-o", output)
    assert message == f"cannot write {output}: No such file or directory."
    assert refused(capsys, "merge", days["monday"], "-o", output) == message


def test_a_table_is_not_compared_with_itself(capsys, days):
    message = refused(capsys, "drift", days["monday"], days["monday"])
    assert message.endswith("is named twice: its rows would be compared with themselves.")
