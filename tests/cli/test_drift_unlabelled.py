"""`costspace drift --unlabelled`, of saved tables and of files of rows."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import as_json, refused, run

from costspace.cli import main
from costspace.frames import load
from costspace.frames.unlabelled_scores import open_unlabelled
from costspace.watching import drift_unlabelled

COSTS = ("--fp-cost", "1", "--fn-cost", "5")
LINES = 25


def drawn(seed, n, share):
    random = np.random.default_rng(seed)
    y = (random.random(n) < share).astype(int)
    scores = [1 / (1 + np.exp(2 - a * y - random.normal(size=n))) for a in (1.6, 1.0)]
    return y, [one.round(3) for one in scores]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Labelled rows of June, and scores of July, with half of the positives."""
    folder = tmp_path_factory.mktemp("unlabelled")
    y, (one, two) = drawn(0, 4000, 0.2)
    june, july = folder / "june.csv", folder / "july.parquet"
    rows = [f"{a},{b},{c}" for a, b, c in zip(y, one, two, strict=True)]
    june.write_text("y,one,two\n" + "\n".join(rows) + "\n")
    _, (one, two) = drawn(1, 2000, 0.1)
    pq.write_table(pa.table({"one": one, "two": two}), july)
    return june, july


def test_it_says_what_python_does(files, tmp_path, capsys):
    june, july = files
    table = tmp_path / "june.parquet"
    run(capsys, "tally", june, "--label", "y", "--score", "one", "-o", table)
    found = as_json(capsys, "drift", table, july, "--unlabelled", *COSTS)
    scores = pq.read_table(july)["one"].to_numpy()
    own = drift_unlabelled(load(table)["one"], scores, fp_cost=1, fn_cost=5)
    assert found["models"]["one"] == json.loads(json.dumps(own.to_dict()))
    assert found["source"]["after"]["rows"] == 2000
    rows = as_json(
        capsys, "drift", june, july, "--unlabelled", *COSTS, "--label", "y", "--score", "one"
    )
    assert rows["models"]["one"]["prevalence"] == found["models"]["one"]["prevalence"]


@pytest.mark.parametrize(
    "asked", [("--score", "one", *COSTS), ("--score", "one", "--score", "two")]
)
def test_it_fits_a_screen(files, asked, capsys):
    page = run(capsys, "drift", *files, "--unlabelled", "--label", "y", *asked)
    lines = page.rstrip("\n").split("\n")
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= 80
    assert "a row whose label is late is no negative" in " ".join(page.split())


def test_a_gate_decides_on_either_assumption(files, capsys):
    asked = ["drift", *map(str, files), "--unlabelled", "--label", "y", "--score", "one", *COSTS]

    def status(condition):
        with pytest.raises(SystemExit) as ended:
            main([*asked, "--fail-if", condition])
        capsys.readouterr()
        return ended.value.code

    assert status("models.one.prevalence.label_shift < 0.17") == 3
    assert status("models.one.prevalence.calibration < 0.164") == 4
    assert status("models.one.money.label_shift < 1e6") == 3
    assert status("models.one.gap < 0") == 3
    main([*asked, "--fail-if", "models.one.prevalence.calibration < 0.1"])
    capsys.readouterr()


def test_what_needs_labels_of_both_is_refused(files, capsys):
    told = refused(capsys, "drift", *files, "--unlabelled", "--label", "y", "--metric", "auc")
    assert "--metric needs labels in both files" in told


def test_scores_that_are_missing_are_refused_with_their_row(files, tmp_path, capsys):
    july = tmp_path / "july.csv"
    july.write_text("one\n0.1\n\n0.3\nx\n")
    told = refused(
        capsys, "drift", files[0], july, "--unlabelled", "--label", "y", "--score", "one"
    )
    assert "row" in told


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()])
@pytest.mark.parametrize("few", [True, False])
def test_the_engine_counts_as_numpy_does(kind, few, tmp_path):
    random = np.random.default_rng(0)
    scores = random.integers(0, 50, 1000) / 10 if few else random.random(1000) * 5
    # As stored, and read as the decimals that they print as.
    stored = pa.array(np.concatenate([scores, [0.3, 2.0, np.inf, -np.inf, -0.0]]), kind)
    pq.write_table(pa.table({"s": stored}), tmp_path / "s.parquet")
    read = np.array([float(str(one)) for one in stored.to_numpy()])
    for edges in (np.arange(0.1, 4, 0.1), np.array([0.3, 2.0])):
        with open_unlabelled(tmp_path / "s.parquet", "s") as found:
            expected = np.bincount(np.searchsorted(edges, read), minlength=len(edges) + 1)
            assert found.rows == len(read)
            for _ in range(2):
                assert found.counting(edges).mass.tolist() == expected.tolist()
