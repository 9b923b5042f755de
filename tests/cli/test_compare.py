"""`costspace compare`, and the intervals of `costspace evaluate`."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from command_line import as_json, in_a_line, refused, run, scored
from prediction_files import write_csv

import costspace as cs
from costspace import ConditionError
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.cli.choice_names import CHOICES
from costspace.decision.strategy import default_choices, parameter_free
from costspace.decision.words import listed
from costspace.metrics import METRICS

RNG = np.random.default_rng(1)
Y = (RNG.random(300) < 0.4).astype(int)
DATA = {
    "y": Y,
    "good": np.clip(0.3 + 0.4 * Y + RNG.normal(0, 0.2, 300), 0, 1).round(4),
    "poor": np.clip(0.4 + 0.1 * Y + RNG.normal(0, 0.2, 300), 0, 1).round(4),
    "margin": RNG.normal(Y, 1).round(4),
    "patient": [f"p{i // 3}" for i in range(300)],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return str(write_csv(tmp_path_factory.mktemp("compare") / "scores.csv", DATA))


def asked(file, *more, models=("good", "poor")):
    return ["compare", file, "--label", "y", *scored(models), *more]


def test_json_has_what_python_finds(file, capsys):
    found = json.loads(run(capsys, *asked(file, "--json")))
    keys = {"a", "b", "metric", "difference", "se", "low", "high", "p"}
    assert all(keys <= set(pair) for pair in found["pairs"])
    metrics = ["auc", "brier", "h_measure", "voros", "expected_loss.cost.optimal"]
    assert [pair["metric"] for pair in found["pairs"]] == metrics
    expected = cs.compare(Y, {"good": DATA["good"], "poor": DATA["poor"]}, metrics=metrics)
    assert found["pairs"] == json.loads(json.dumps(expected.to_rows()))


def test_the_page_names_every_other_model(file, capsys):
    out = run(capsys, *asked(file, "--metric", "auc", models=("good", "poor", "margin")))
    for other in ("poor", "margin"):
        assert ["auc", other] in [line.split()[:2] for line in out.splitlines()]
    assert "95 % interval" in out
    assert "p (Holm)" in out


def test_groups_and_correction(file, capsys):
    plain, clustered = (
        json.loads(run(capsys, *asked(file, "--metric", "auc", "--json", *more)))["pairs"][0]
        for more in ([], ["--groups", "patient", "--correction", "none", "--level", "0.9"])
    )
    expected = cs.compare(
        Y,
        {"good": DATA["good"], "poor": DATA["poor"]},
        metrics=["auc"],
        groups=DATA["patient"],
        level=0.9,
        correction=None,
    ).pairs[0]
    assert clustered["se"] == expected.standard_error != plain["se"]
    assert clustered["low"] == expected.low


def test_a_metric_without_meaning_is_noted(file, capsys):
    more = ("--metric", "auc", "--metric", "brier", "--json")
    found = json.loads(run(capsys, *asked(file, *more, models=("good", "margin"))))
    assert [pair["metric"] for pair in found["pairs"]] == ["auc"]
    assert found["notes"]["brier"] == "margin: the Brier score needs scores in [0, 1]."


def test_a_metric_is_compared_between_the_models_that_have_it(file, capsys):
    ask = asked(file, models=("good", "margin", "poor"))
    page = run(capsys, *ask)
    assert "No brier of margin: the Brier score needs scores in [0, 1].\n" in page
    rows = [line.split() for line in page.splitlines() if line.startswith("brier ")]
    assert [row[1] for row in rows] == ["poor"]
    assert "p allows for 13 comparisons." in page
    found = as_json(capsys, *ask)
    assert found["notes"]["brier"] == "margin: the Brier score needs scores in [0, 1]."
    assert [(p["a"], p["b"]) for p in found["pairs"] if p["metric"] == "brier"] == [
        ("good", "poor")
    ]
    assert len(found["pairs"]) == 13


def test_a_metric_asked_for_is_compared_where_two_models_have_it(file, capsys):
    more = ("--metric", "brier")
    page = in_a_line(capsys, *asked(file, *more, models=("margin", "good", "poor")))
    assert page.startswith(
        "good is best by brier, which fits probabilities at unknown costs. Shown by the data: the"
    )
    assert "No brier of margin: " in page
    message = refused(capsys, *asked(file, *more, models=("good", "margin")))
    assert message.startswith("margin: the Brier score needs scores in [0, 1], got scores from ")


def test_no_model_is_best_by_all_metrics_if_it_lacks_one(tmp_path, capsys):
    columns = {"y": DATA["y"], "good": DATA["good"], "poor": DATA["poor"]}
    columns["points"] = (100 * (DATA["good"] + 0.3 * DATA["y"])).round(2)
    path = str(write_csv(tmp_path / "points.csv", columns))
    more = ("--metric", "auc", "--metric", "h_measure", "--metric", "brier")
    for models in (("points", "good", "poor"), ("poor", "good", "points")):
        out = in_a_line(capsys, *asked(path, *more, models=models))
        assert out.startswith(
            "points is best by auc, which fits ranks alone; also by h_measure; good by brier. "
        )
    # Of two models nothing is left to lack.
    out = in_a_line(capsys, *asked(path, *more, models=("points", "good")))
    assert out.startswith("points is best by auc, which fits ranks alone; also by h_measure. ")
    assert "No brier of points: the Brier score needs scores in [0, 1]." in out


def test_an_answer_without_room_for_metrics_says_who_leads(file, capsys):
    losses = [f"expected_loss.{axis}.optimal" for axis in ("cost", "skew")]
    every = [word for name in (*METRICS, *losses) for word in ("--metric", name)]
    first = "good is best by brier, which fits probabilities at unknown costs."
    shown = "By brier the data show an advantage over poor."
    assert in_a_line(capsys, *asked(file, *every)).startswith(f"{first} {shown} metric ")
    # What the others are best by goes last.
    columns = {"y": DATA["y"], "good": DATA["good"]}
    columns |= {name * 30: DATA["poor"] * (1 - place / 50) for place, name in enumerate("abcd")}
    path = str(write_csv(Path(file).with_name("long.csv"), columns))
    out = in_a_line(capsys, *asked(path, *every[:8], models=list(columns)[1:]))
    assert out.startswith(f"{first[:-1]}; also by auc, ")
    assert "By brier the data show an advantage over 4 of 4 models." in out


def test_with_costs_the_loss_of_probabilities_over_them_leads(file, capsys):
    asked_of = asked(file, "--costs", "0.1:0.3")
    loss = "expected_loss.cost.score_driven"
    assert in_a_line(capsys, *asked_of).startswith(
        f"good is best by {loss}, which fits probabilities at costs uniform(0.1,0.3). By {loss}"
    )
    found = {pair["metric"]: pair for pair in as_json(capsys, *asked_of)["pairs"]}
    assert list(found) == ["auc", loss, "h_measure", "voros", "expected_loss.cost.optimal"]
    same = as_json(capsys, *asked(file, "--metric", loss, "--costs", "0.1:0.3"))["pairs"]
    assert same[0]["difference"] == found[loss]["difference"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "zzz"], "there is no quantity 'zzz': there are auc, auc_hull"),
        (["--metric", "AUC"], "there is no quantity 'AUC': did you mean 'auc', 'auc_hull'?"),
        (["--level", "2"], "level must be in (0, 1), got 2"),
        (["--groups", "patent"], "has no column 'patent': did you mean 'patient'?"),
    ],
)
def test_bad_input(file, capsys, arguments, message):
    assert message in refused(capsys, *asked(file, *arguments))


def test_bands_say_where_a_model_is_better(file, capsys):
    more = ("--metric", "auc", "--bands", "optimal", "--axis", "skew", "--level", "0.9")
    found = json.loads(run(capsys, *asked(file, "--json", *more)))["bands"]
    models = {"good": DATA["good"], "poor": DATA["poor"]}
    band = cs.difference_band(Y, models, choice=cs.Optimal(), axis="skew", level=0.9)
    ranges = [list(ends) for ends in band.where(-1)]
    assert ranges
    assert found == [
        {
            "a": "good",
            "b": "poor",
            "choice": "optimal",
            "axis": "skew",
            "a_better": ranges,
            "b_better": [],
        }
    ]
    low, high = ranges[0]
    out = run(capsys, *asked(file, *more))
    assert f"good has less than poor from {low:.3g} to {high:.3g}" in out
    assert "Less loss under optimal, by skew (confidence band, 90 % for" in out
    assert "bands" not in json.loads(run(capsys, *asked(file, "--json", "--metric", "auc")))


def test_bands_of_equal_models_tell_them_apart_nowhere(file, tmp_path, capsys):
    columns = {"y": DATA["y"], "good": DATA["good"], "twin": DATA["good"]}
    path = write_csv(tmp_path / "twins.csv", columns)
    ask = asked(str(path), "--metric", "auc", "--bands", "score_driven", models=("good", "twin"))
    assert "good and twin are nowhere told apart." in run(capsys, *ask)


def test_axis_goes_with_bands(file, capsys):
    assert refused(capsys, *asked(file, "--axis", "skew")) == "--axis is for bands: add --bands."
    wrong = asked(file, "--metric", "auc", "--bands", "score_driven", models=("good", "margin"))
    assert "needs scores in [0, 1]" in refused(capsys, *wrong)


def test_one_model_is_no_comparison(file, capsys):
    assert "give --score twice" in refused(capsys, *asked(file, models=("good",)))


def test_evaluate_with_intervals(file, capsys):
    ask = ["evaluate", file, "--label", "y", "--score", "good", "--intervals"]
    found = as_json(capsys, *ask)["models"]["good"]["intervals"]
    expected = cs.estimate(Y, DATA["good"], metric=cs.auc)
    assert found["auc"] == {
        "se": expected.standard_error,
        "low": expected.low,
        "high": expected.high,
        "method": "logit",
        "bias": 0.0,
    }
    optimal = cs.estimate(
        Y, DATA["good"], metric=partial(cs.expected_loss, choice=cs.Optimal(), axis="skew")
    )
    assert found["expected_loss"]["skew"]["optimal"]["bias"] == optimal.bias < 0
    assert found["level"] == 0.95
    assert f"{expected.low:.3f} to {expected.high:.3f}" in run(capsys, *ask)
    wide = json.loads(run(capsys, *ask, "--json", "--groups", "patient", "--level", "0.99"))
    clustered = cs.estimate(Y, DATA["good"], metric=cs.auc, groups=DATA["patient"], level=0.99)
    assert wide["models"]["good"]["intervals"]["auc"]["low"] == clustered.low


def test_an_empty_group_is_refused(tmp_path, capsys):
    path = tmp_path / "gap.csv"
    path.write_text("y,s,g\n0,0.1,a\n1,0.7,\n0,0.3,b\n1,0.9,b\n")
    ask = ["evaluate", str(path), "--label", "y", "--score", "s", "--intervals", "--groups", "g"]
    assert "row 2: column 'g' is empty where a group is needed" in refused(capsys, *ask)


def test_the_page_says_how_to_read_its_intervals(file, capsys):
    ask = ["evaluate", file, "--label", "y", "--score", "good", "--score", "poor"]
    assert "interval" not in run(capsys, *ask)
    ask.append("--intervals")
    page = in_a_line(capsys, *ask, "--level", "0.9")
    assert "With 90 % intervals, of independent rows." in page
    assert "intervals are corrected for optimism." in page
    out = in_a_line(capsys, *ask, "--level", "0.9", "--details")
    assert "Below each number: its 90 % interval, of independent rows." in out
    assert "optimism: auc_hull, miscalibration, refinement_loss, h_measure, voros, optimal" in out
    bound = cs.estimate(Y, DATA["good"], metric=cs.miscalibration, level=0.9).high
    assert f"up to {bound:.4f}" in out
    assert "samples overestimate miscalibration" in out
    out = in_a_line(capsys, *ask, "--groups", "patient")
    assert "With 95 % intervals, of independent groups of rows." in out


def test_details_say_why_there_is_no_interval(file, capsys):
    ask = ["evaluate", file, "--label", "y", "--score", "good", "--score", "margin", "--intervals"]
    out = in_a_line(capsys, *ask, "--costs", "point(0.3)", "--details")
    assert out.count("No interval of ") == 1
    assert "No interval of rate_driven: " in out
    assert "no closed-form standard error under point(0.3)" in out


@pytest.mark.parametrize("option", [("--level", "0.9"), ("--groups", "patient")])
def test_options_of_intervals_go_with_them(file, capsys, option):
    ask = ["evaluate", file, "--label", "y", "--score", "good", *option]
    assert refused(capsys, *ask) == f"{option[0]} is for intervals: add --intervals."


def test_the_page_says_how_to_read_its_differences(file, capsys):
    out = run(capsys, *asked(file))
    text = " ".join(out.split())
    assert "larger is better for auc, h_measure and voros, else smaller." in text
    assert "300 rows, scored by all models; p allows for 5 comparisons." in text
    assert "optimism, as thresholds are chosen on the rows: h_measure, voros and expected" in text
    alone = run(capsys, *asked(file, "--metric", "auc", "--correction", "none"))
    heading = next(line for line in alone.splitlines() if line.startswith("metric"))
    assert heading.split() == ["metric", "against", "difference", "95", "%", "interval", "p"]
    assert "allows for" not in alone
    assert "optimism" not in alone


def alike(tmp_path):
    good = np.clip(DATA["good"], 0.01, 0.99)
    columns = {"y": DATA["y"], "a": good, "half": good / 2, "copy": good, "poor": DATA["poor"]}
    columns |= {"odds": np.log(good / (1 - good)), "single": good.astype(np.float32).astype(float)}
    return str(write_csv(tmp_path / "alike.csv", columns))


def test_models_that_are_equal_are_equally_good_in_any_order(tmp_path, capsys):
    path = alike(tmp_path)
    brier = "brier, which fits probabilities at unknown costs"
    ranks = "auc, h_measure, voros and expected_loss.cost.optimal"
    probabilities = f"{brier}; also by {ranks}"
    learned = (
        "expected_loss.cost.optimal, which fits thresholds learned from labels at unknown costs"
    )
    learned += "; also by auc, h_measure and voros"
    for other, by in (("copy", probabilities), ("single", probabilities), ("odds", learned)):
        for models in (("a", other), (other, "a")):
            out = in_a_line(capsys, *asked(path, models=models))
            assert out.startswith(f"{' and '.join(models)} are equally good by {by}.")
            assert "chance" not in out
            assert "against" not in out
    out = run(capsys, *asked(path, models=("a", "half")))
    assert " ".join(out.split()).startswith(f"a is best by {brier}; a and half equally by {ranks}.")


def test_models_that_are_equal_share_a_line_and_a_test(tmp_path, capsys):
    path, pairs = alike(tmp_path), {}
    for models in (("poor", "copy", "a"), ("a", "poor", "copy"), ("copy", "a", "poor")):
        out = run(capsys, *asked(path, "--metric", "auc", "--metric", "brier", models=models))
        assert "and copy are equally best" in out or "copy and a are equally best" in out
        assert "p allows for 2 comparisons" in out
        assert [line.split()[0] for line in out.splitlines() if " poor " in line][-2:] == [
            "auc",
            "brier",
        ]
        found = json.loads(run(capsys, *asked(path, "--json", models=models)))["pairs"]
        for pair in found:
            key = frozenset([pair["a"], pair["b"]]), pair["metric"]
            assert pairs.setdefault(key, pair["p_adjusted"]) == pytest.approx(pair["p_adjusted"])
            assert ("poor" in key[0]) or pair["p_adjusted"] == 1
    assert pairs[frozenset(["a", "poor"]), "auc"] == pairs[frozenset(["copy", "poor"]), "auc"]


def test_the_answer_is_who_is_best_and_against_whom_that_is_shown(file, capsys):
    asked_of = asked(file, "--metric", "auc", "--metric", "brier", "--metric", "mae")
    out, found = run(capsys, *asked_of), as_json(capsys, *asked_of)["pairs"]
    assert out.startswith(
        "good is best by brier, which fits probabilities at unknown costs; also by auc\nand mae. "
        "Shown by the data: the advantage of good"
    )
    shown = [pair["metric"] for pair in found if pair["p_adjusted"] < 0.05]
    assert f"over poor by {listed(shown)}." in " ".join(out.split())
    heads = [line.split()[0] for line in out.splitlines() if " poor " in line]
    assert heads[-3:] == ["auc", "brier", "mae"]
    # Of models that are each best by some metric, each is named with its own.
    columns = {"y": DATA["y"], "sharp": DATA["good"] ** 4, "poor": DATA["poor"]}
    path = write_csv(Path(file).with_name("two.csv"), columns)
    both = ("--metric", "auc", "--metric", "mae", "--metric", "brier")
    out = run(capsys, *asked(str(path), *both, models=("sharp", "poor")))
    rows = json.loads(run(capsys, *asked(str(path), *both, "--json", models=("sharp", "poor"))))
    for pair in rows["pairs"]:
        ahead = pair["difference"] * (1 if pair["metric"] == "auc" else -1)
        best = pair["a"] if ahead > 0 else pair["b"]
        first, *others = out.partition(". ")[0].split("; ")
        own = [first.partition(",")[0]] if first.startswith(best) else []
        also = "also" if own else best
        own += [part for part in others if part.startswith(also)]
        assert any(pair["metric"] in part for part in own)


def test_differences_are_of_the_best_from_each_other(file, capsys):
    models = ("poor", "margin", "good")
    out = run(capsys, *asked(file, "--metric", "auc", models=models))
    found = json.loads(run(capsys, *asked(file, "--metric", "auc", "--json", models=models)))
    rows = [line.split() for line in out.splitlines() if line.startswith("auc")]
    assert [row[1] for row in rows] == ["poor", "margin"]
    for row in rows:
        (pair,) = (p for p in found["pairs"] if {p["a"], p["b"]} == {"good", row[1]})
        sign = 1 if pair["a"] == "good" else -1
        assert float(row[2]) == pytest.approx(sign * pair["difference"], abs=6e-4)
        low, high = sorted((sign * pair["low"], sign * pair["high"]))
        assert [float(row[3]), float(row[5])] == pytest.approx([low, high], abs=6e-4)


def test_on_a_terminal_a_line_explains_bold(file, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    ask = ["evaluate", file, "--label", "y", "--score", "good", "--score", "poor"]
    assert "Bold is best." in run(capsys, *ask)
    assert "Bold where p is below 0.05." in run(capsys, *asked(file))
    monkeypatch.delenv("FORCE_COLOR")
    assert "bold" not in run(capsys, *ask)
    assert "Bold" not in run(capsys, *asked(file))


COSTS = ("--fp-cost", "1", "--fn-cost", "5:20", "--prevalence", "0.1:0.3")
KNOWN = cs.Deployment(1, (5, 20), (0.1, 0.3))
MODELS = {name: DATA[name] for name in ("good", "poor")}


def test_money_is_what_python_finds(file, capsys):
    found = json.loads(run(capsys, *asked(file, *COSTS, "--json")))
    expected = cs.compare_money(Y, MODELS, conditions=KNOWN)
    assert found.pop("source") == {"path": file, "rows": 300}
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert found["savings"][0]["shown"]


def test_options_of_money(file, capsys):
    more = ("--known", "costs", "--capacity", "0.3", "--choice", "queue", "--choice", "optimal")
    more += ("--level", "0.9", "--correction", "bonferroni", "--groups", "patient", "--json")
    more += ("--baseline", "good:0.6", "--calibrated-to", "0.4")
    found = json.loads(run(capsys, *asked(file, *COSTS, *more)))
    expected = cs.compare_money(
        Y,
        MODELS,
        conditions=KNOWN,
        known="costs",
        constraints=cs.Constraints(capacity=0.3),
        choices={"queue": cs.RateFixed(0.3), "optimal": cs.Optimal()},
        level=0.9,
        correction="bonferroni",
        groups=DATA["patient"],
        baseline=("good", 0.6),
    )
    del found["source"]
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert [pair["against"] for pair in found["savings"]] == ["baseline", "baseline"]


def test_costs_of_each_case_are_columns(file, tmp_path, capsys):
    amounts = RNG.uniform(2, 9, 300).round(3)
    path = str(write_csv(tmp_path / "amounts.csv", DATA | {"amount": amounts}))
    more = ("--fp-cost", "1", "--fn-cost-column", "amount", "--json")
    found = json.loads(run(capsys, *asked(path, *more)))
    expected = cs.compare_money(Y, MODELS, case_costs=cs.CaseCosts(1.0, amounts))
    assert found["savings"] == json.loads(json.dumps(expected.to_dict()["savings"]))


def test_the_page_begins_with_what_is_saved(file, capsys):
    lines = run(capsys, *asked(file, *COSTS)).splitlines()
    assert lines[0] == cs.compare_money(Y, MODELS, conditions=KNOWN).text
    assert lines[0].startswith("good saves ")
    assert "against  saves" not in "".join(lines)
    cells = [line.split()[:2] for line in lines]
    chosen = [one.strategy.name for one in cs.compare_money(Y, MODELS, conditions=KNOWN).strategies]
    for name, choice in zip(MODELS, chosen, strict=True):
        assert [name, choice.replace("_", "-")] in cells
    text = " ".join(lines)
    assert "Assumed: fp_cost 1; fn_cost log-uniform from 5 to 20" in text
    assert "95 % intervals on 5 cross-validation folds, 6 times, n 300" in text


def test_several_pairs_have_a_table(file, capsys):
    out = run(capsys, *asked(file, *COSTS, models=("good", "poor", "margin")))
    rows = [line.split() for line in out.splitlines()]
    assert ["model", "against", "saves", "95", "%", "interval", "p", "p", "(Holm)"] in rows
    assert [tuple(row[:2]) for row in rows].count(("good", "margin")) == 1
    in_use = run(capsys, *asked(file, *COSTS, "--baseline", "poor:0.5"))
    assert "the rule in use, poor above 0.5" in in_use.splitlines()[0]
    assert ["poor", "rule", "in", "use"] in [line.split()[:4] for line in in_use.splitlines()]


def test_costs_are_those_of_decide_with_the_same_margin(capsys):
    example = str(Path(__file__).parents[2] / "examples" / "breast_cancer.csv")
    models = ("logistic", "naive_bayes", "random_forest")
    ask = [
        example,
        "--label",
        "y_true",
        *scored(models),
        "--fp-cost",
        "1",
        "--fn-cost",
        "10",
        "--prevalence",
        "0.1",
    ]
    told = re.compile(r"Costs include a margin of ([\d.]+), because the best of several is partly")
    pages = [in_a_line(capsys, name, *ask) for name in ("compare", "decide")]
    compared, decided = (as_json(capsys, name, *ask) for name in ("compare", "decide"))
    assert [told.search(page)[1] for page in pages] == [f"{compared['margin']:.0f}"] * 2
    assert decided["evidence"]["margin"] == compared["margin"]
    found = {(one["model"], one["choice"]): one for one in decided["strategies"]}
    for one in compared["strategies"]:
        names = ("cost_per_1000", "low", "high")
        other = found[one["model"], one["choice"]]
        assert [one[name] for name in names] == [other[name] for name in names]
    # Of one strategy nothing is chosen.
    one_way = [*ask[:5], *ask[-6:], "--choice", "smoothed", "--baseline", "logistic:0.5"]
    assert "margin" not in run(capsys, "compare", *one_way)


def test_of_several_equal_models_the_first_is_named_and_none_is_cut_into_another(tmp_path, capsys):
    names = ["logistic_regression", "half", "churn_v1_of_all_features", "churn_v2_of_all_features"]
    columns = [DATA["good"], DATA["good"] / 2, DATA["poor"], DATA["margin"]]
    path = str(write_csv(tmp_path / "long.csv", {"y": Y, **dict(zip(names, columns, strict=True))}))
    out = run(capsys, *asked(path, "--metric", "auc", "--metric", "brier", models=names[:3]))
    (auc,) = re.findall(r"^auc +(\S+ \+1) +(\S+)  ", out, re.MULTILINE)
    assert auc[0].startswith("logi")
    assert not re.search(r"logis\S*half", out)
    out = run(capsys, *asked(path, "--metric", "auc", "--metric", "h_measure", models=names))
    against = set(re.findall(r"(\S+) +-?0\.\d+ ", out))
    assert len({name for name in against if "v1" in name}) == 1
    assert len({name for name in against if "v2" in name}) == 1


AMOUNT = r"([\d,.]+\d|\d)(?= |$)"


@pytest.mark.parametrize(
    ("fp_cost", "fn_cost"), [("1", "4"), ("0.7", "19"), ("1", "60"), ("9", "1")]
)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_has_the_digits_that_decide_has(seed, fp_cost, fn_cost, tmp_path, capsys):
    generator = np.random.default_rng(seed)
    y = (generator.random(300) < 0.3).astype(int)
    s = np.clip(generator.normal(0.3 + 0.2 * y, 0.2), 0, 1).round(3)
    other = np.clip(s + generator.normal(0, 0.2, 300), 0, 1).round(3)
    path = str(write_csv(tmp_path / "two.csv", {"y": y, "s": s, "other": other}))
    costs = ("--fp-cost", fp_cost, "--fn-cost", fn_cost, "--prevalence", "0.58")
    ask = asked(path, *costs, models=("s", "other"))[1:]
    compared, decided = (run(capsys, name, *ask) for name in ("compare", "decide"))
    details = run(capsys, "decide", *ask, "--details").partition("What they cost more")[0]
    for rule in ("flag nobody", "flag everybody"):
        line = rf"^– +{rule} +–? +{AMOUNT}"
        found = {re.search(line, page, re.MULTILINE)[1] for page in (compared, decided)}
        found |= set(re.findall(rf"^– +{rule} +–? *{AMOUNT} +exact", details, re.MULTILINE))
        assert len(found) == 1


def test_a_threshold_that_follows_the_condition_is_called_so_in_every_table(file, capsys):
    costs = ("--fp-cost", "1", "--fn-cost", "2:20", "--prevalence", "0.1:0.4", "--known", "costs")
    ask = asked(file, *costs)[1:]
    for name in ("compare", "decide"):
        page = run(capsys, name, *ask)
        lines = re.findall(r"^(?:good|poor) +(?:score-driven|smoothed) +(\S+)", page, re.MULTILINE)
        assert len(lines) >= 2
        assert {*lines} == {"varies"}


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Twelve models, and decisions that cost more than any of them."""
    noise = np.random.default_rng(4).normal(0, 0.02, (12, 300))
    models = {f"m{i}": np.clip(DATA["good"] + noise[i], 0, 1) for i in range(12)}
    used = {"used": (Y + np.arange(300)) % 3 % 2}
    return str(write_csv(tmp_path_factory.mktemp("many") / "many.csv", {"y": Y, **used, **models}))


AGAINST_USED = ("--fp-cost", "1", "--fn-cost", "10", "--baseline", "used")


def test_the_rule_in_use_is_in_the_table_and_what_is_left_out_is_counted(many, capsys):
    counts = set()
    for number in range(3, 9):
        names = [f"m{i}" for i in range(number)]
        page = run(capsys, *asked(many, *AGAINST_USED, models=names)).split("\n\n")
        assert re.search(r"^used +rule in use +–", page[2], re.MULTILINE)
        for table, what in zip(page[1:3], ("pair", "model"), strict=True):
            left = number - len(re.findall(r"^m\d", table, re.MULTILINE))
            counts.add(left)
            more = f"and {left} more {what}s: --json" if left else ""
            assert "".join(line for line in table.splitlines() if "--json" in line) == more
    # In place of a line that says so one more is shown.
    assert counts >= {0, 2}
    assert 1 not in counts


def test_what_models_save_against_the_rule_in_use_is_told_to_the_end(many, capsys):
    for number, left in ((3, 0), (5, 2), (12, 9)):
        ask = asked(many, *AGAINST_USED, models=[f"m{i}" for i in range(number)])
        lines = run(capsys, *ask).partition("\n\n")[0].splitlines()
        assert len(lines) <= 3
        told, _, more = " ".join(lines).partition("). ")
        found = as_json(capsys, *ask)
        assert all(pair["shown"] for pair in found["savings"])
        # Who saves most is told first, in the words of the whole text.
        assert found["text"].startswith(told)
        assert told.count("the rule in use") == found["text"].count("the rule in use") == 1
        assert len(re.findall(r"\d to \d", told)) == number - left
        assert more == (f"{left} more models are shown to differ." if left else "")
        assert (told == found["text"]) == (not left)


def test_long_names_are_shortened_before_the_answer_leaves_a_pair_out(tmp_path, capsys):
    long = {f"{'a very long name of a model ' * 3}{name}": DATA[name] for name in MODELS}
    path = str(write_csv(tmp_path / "long.csv", {"y": Y, **long}))
    first, second = long
    use = ("--baseline", f"{second}:0.3")
    for more in ((), use):
        lines = run(capsys, *asked(path, *COSTS, *more, models=long)).splitlines()
        answer = " ".join(lines[: lines.index("")])
        told = [line for line in lines[: lines.index("")] if "rows would tell" not in line]
        assert len(told) <= 3
        assert answer.endswith(".")
        assert first[:10] in answer
        assert "more model" not in answer
        assert first not in answer


@pytest.mark.parametrize("command", ["compare", "decide"])
def test_help_names_the_choices_that_there_are(command, capsys):
    assert set(CHOICES) == {*parameter_free(0.5), *default_choices(0.5, 1.0)}
    text = " ".join(run(capsys, command, "--help").replace("│", " ").split())
    assert f"threshold choice method: {', '.join(CHOICES)}; queue needs --capacity." in text


@pytest.mark.parametrize("choice", PARAMETER_FREE)
def test_bands_are_of_the_choices_that_have_some(file, capsys, choice):
    try:
        cs.loss_band([0, 1] * 9, np.linspace(0, 1, 18), choice=PARAMETER_FREE[choice])
    except ConditionError:
        refused(capsys, *asked(file, "--bands", choice))
    else:
        run(capsys, *asked(file, "--bands", choice))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--capacity", "0.1"], "the cost of a false positive is needed: give --fp-cost"),
        (["--baseline", "good:0.5"], "the cost of a false positive is needed"),
        (["--choice", "smoothed", "--fp-cost", "1"], "the cost of a false negative is needed"),
        (["--prevalence", "0.1:0.3"], "--prevalence is a range by cost only"),
        ([*COSTS, "--metric", "auc"], "--metric is for metrics, and costs, limits"),
        ([*COSTS, "--bands", "optimal"], "--bands is for metrics"),
        ([*COSTS, "--costs", "0.2"], "--costs is for metrics"),
        ([*COSTS, "--choice", "best"], "--choice is one of score_fixed, "),
        ([*COSTS, "--choice", "queue"], "got 'queue', which needs --capacity"),
        ([*COSTS, "--baseline", "good"], "baseline 'good' must be decisions, 0 or 1, got"),
        ([*COSTS, "--baseline", "fine:0.5"], "the rule in use is of 'fine'"),
        ([*COSTS, "--known", "price"], "--known) must be what is known at"),
    ],
)
def test_bad_options_of_money_are_refused(file, capsys, arguments, message):
    assert message in refused(capsys, *asked(file, *arguments))


def test_one_model_needs_the_rule_in_use(file, capsys):
    alone = asked(file, *COSTS, models=("good",))
    assert "give --score twice, or the rule in use by --baseline" in refused(capsys, *alone)
    assert run(capsys, *alone, "--baseline", "good:0.5")
