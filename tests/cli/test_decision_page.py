"""What `costspace decide` prints on one screen of 25 lines and 80 columns."""

import re

import numpy as np
import pytest
from command_line import as_json, in_a_line, lines_of, run, scored
from hypothesis import given
from hypothesis import strategies as st
from prediction_files import write_csv
from rich.cells import cell_len

import costspace as cs
from costspace.cli.console import page
from costspace.cli.decision_notes import needed_notes
from costspace.cli.decision_page import print_decision
from costspace.cli.decision_table import CHOICE_LENGTH, apart
from costspace.cli.lines import command_lines, fitting, paragraph, shortened

EXAMPLE = "examples/breast_cancer.csv"
MODELS = ("logistic", "naive_bayes", "random_forest")
COSTS = ("--fp-cost", "1", "--fn-cost", "10:100")
LIMITS = ("--capacity", "0.3", "--min-precision", "0.1", "--min-recall", "0.3", "--max-fpr", "0.9")


@pytest.fixture
def example(request):
    return request.config.rootpath / EXAMPLE


def asked(path, *arguments, label="y_true", scores=MODELS):
    return ["decide", path, "--label", label, *scored(scores), *arguments]


def sample(tmp_path, names, rows=200):
    generator = np.random.default_rng(1)
    labels = (generator.random(rows) < 0.3).astype(int)
    scores = {
        name: np.clip(generator.normal(0.35 + 0.3 * labels, 0.2), 0, 1).round(3) for name in names
    }
    return write_csv(tmp_path / "cases.csv", {"y": labels, **scores})


def heading(lines):
    """The line that has the headings of the table."""
    return next(i for i, line in enumerate(lines) if re.match("model +method ", line))


def assert_one_screen(out):
    lines = lines_of(out)
    # In a table each row stands on one line: a cell that went on below would leave some empty.
    if re.search(r"^model +method ", out, re.MULTILINE):
        head = heading(lines)
        columns = len(lines[head].replace("95 % interval", "interval").split())
        rows = lines[head + 1 : lines.index("", head)]
        cells = [line.replace(" to ", "-").replace("one threshold", "one") for line in rows]
        full = [line for line in cells if len(line.split()) >= columns]
        assert len(full) >= 3


@pytest.mark.parametrize(
    "arguments",
    [
        COSTS,
        ("--fp-cost", "1", "--fn-cost", "20"),
        (*COSTS, "--prevalence", "0.005:0.05"),
        (*COSTS, "--prevalence", "0.005:0.05", "--min-precision", "0.3"),
        ("--fp-cost", "1", "--fn-cost", "20", "--capacity", "0.1"),
        ("--fp-cost", "1000", "--fn-cost", "1", "--prevalence", "0.001"),
        ("--fp-cost", "2e9:3e9", "--fn-cost", "1e12:3e14", "--tp-cost=-2e8:-1e3"),
        (*COSTS, *LIMITS),
        (*COSTS, "--capacity", "0.01", "--min-recall", "0.99"),
    ],
)
def test_one_screen(example, capsys, arguments):
    assert_one_screen(run(capsys, *asked(example, *arguments)))


@pytest.mark.parametrize("limits", [(), LIMITS])
def test_one_screen_of_many_models_with_long_names(tmp_path, capsys, limits):
    names = [f"the model that somebody thought of in the spring of version {i}" for i in range(9)]
    names.append("短い名前のモデル" * 4)
    path = sample(tmp_path, names)
    ask = asked(path, *COSTS, "--prevalence", "0.01:0.2", *limits, label="y", scores=names)
    out = run(capsys, *ask)
    assert_one_screen(out)
    assert "…" in out


def test_the_instruction_comes_first_and_then_the_cost(example, capsys):
    ask = asked(example, "--fp-cost", "1", "--fn-cost", "20", scores=["naive_bayes"])
    out = run(capsys, *ask)
    result = as_json(capsys, *ask)
    first, second, *_ = out.splitlines()
    (cut_at,) = result["recommendation"]["rule"]["cuts"]
    model = result["recommendation"]["model"]
    assert first == f"Use {model}: flag scores above {cut_at:g}."
    low, high = (result["recommendation"][end] for end in ("low", "high"))
    cost = result["recommendation"]["cost_per_1000"]
    assert second.startswith(
        f"It costs {cost:.0f} (95 % interval {low:.0f} to {high:.0f}) per 1,000 cases. It saves"
    )
    answer = out.split("\n\n")[0].splitlines()
    assert len(answer) <= 3
    sentences = " ".join(answer)
    assert sentences.count(". ") == 2
    assert all(
        f"{one.removesuffix('.')}." in result["recommendation"]["text"]
        for one in sentences.split(". ")
    )
    assert out.endswith(
        "More: --details. Full precision: --json. A page to share: costspace report.\n"
    )


@pytest.mark.parametrize(
    "more",
    [
        ("--baseline", "logistic:0.5"),
        ("--baseline", "logistic:0.02", "--prevalence", "0.005:0.05"),
        ("--known", "costs"),
        ("--capacity", "0.3"),
    ],
)
def test_the_answer_takes_three_lines(example, capsys, more):
    answer, rest = run(capsys, *asked(example, *COSTS, *more)).split("\n\n", 1)
    assert len(answer.splitlines()) <= 3
    assert answer.endswith(".")
    assert rest.startswith("model ")


def test_the_table_is_that_of_the_record(example, capsys):
    ask = asked(example, "--fp-cost", "1", "--fn-cost", "5:9", "--prevalence", "0.2")
    lines = run(capsys, *ask).splitlines()
    result = as_json(capsys, *ask)
    head = heading(lines)
    assert lines[head].split() == [
        *("model", "method", "threshold", "cost", "95", "%", "interval", "extra", "clear")
    ]
    found = {(one["model"], one["choice"]): one for one in result["strategies"]}
    terms = {"smoothed": "smoothed", "score-driven": "score_driven"}
    rows = [line for line in lines[head + 1 :] if re.search(" (–|yes|no)$", line)]
    rows = [line for line in rows if not line.startswith("–")]
    assert len(rows) >= 3
    costs = []
    for row in rows:
        name, term, *cells = [cell for cell in row.split("  ") if cell.strip()]
        cost, interval, more, clearly = (cell.strip() for cell in cells[-4:])
        one = found[name, terms[term.strip()]]
        width = one["high"] - one["low"]
        assert float(cost) == pytest.approx(one["cost_per_1000"], abs=width / 100)
        assert [float(end) for end in interval.split(" to ")] == pytest.approx(
            [one["low"], one["high"]], abs=width / 100
        )
        if one["more"] is None:
            assert (more, clearly) == ("–", "–")
        elif name.strip() == result["recommendation"]["model"]:
            assert clearly == "–"
        else:
            assert clearly == ("yes" if one["more"]["p_adjusted"] < 0.05 else "no")
        costs.append(one["cost_per_1000"])
    assert costs == sorted(costs)


@pytest.mark.parametrize("seed", [28, 0])
def test_it_is_said_how_many_are_not_shown(tmp_path, capsys, seed):
    generator = np.random.default_rng(seed)
    y = (generator.random(160) < 0.4).astype(int)
    z = generator.normal(1.0 * y)
    scores = {f"m{k:02}": z + generator.normal(0, 0.7, 160) for k in range(14)}
    path = write_csv(tmp_path / "alike.csv", {"y_true": y, **scores})
    ask = asked(
        *(path, "--fp-cost", "1", "--fn-cost", "4", "--prevalence", "0.3", "--choice", "smoothed"),
        scores=scores,
    )
    result = as_json(capsys, *ask)
    out = in_a_line(capsys, *ask)
    shown = len(re.findall(r"(?:m\d\d smoothed|– flag (?:nobody|everybody)) ", out))
    others = len(result["strategies"]) - shown
    assert f" Not shown: {others} that cost more than the first." in out


def test_the_first_line_has_the_cost_of_the_answer_and_extra_is_the_difference(example, capsys):
    costs = ("--fp-cost", "1", "--fn-cost", "10", "--prevalence", "0.1")
    ask = asked(example, *costs)
    out = run(capsys, *ask)
    told = re.search(r"It costs ([\d.]+) ", out)
    result = as_json(capsys, *ask)
    assert float(told[1]) == pytest.approx(result["recommendation"]["cost_per_1000"], abs=0.5)
    margin = f"Costs include a margin of {result['evidence']['margin']:.0f}, because the best"
    assert margin in " ".join(out.split())
    row = r" ([\d.,]+) +(?:\S+ to \S+|exact) +(\S+) +(?:–|yes|no)$"
    costed = re.findall(row, out, re.MULTILINE)
    first, *others = [float(cost.replace(",", "")) for cost, _ in costed]
    assert costed[0][0] == told[1]
    assert len(others) > 3
    for cost, (_, extra) in zip(others, costed[1:], strict=True):
        # Either of the two costs is rounded to a whole number at most.
        assert float(extra.replace(",", "")) == pytest.approx(cost - first, rel=0.01, abs=1)
    # Of one strategy nothing is chosen.
    one = asked(example, *costs, "--choice", "smoothed", scores=["logistic"])
    assert "margin" not in run(capsys, *one)


@pytest.mark.parametrize("limits", [(), ("--capacity", "0.3", "--max-fpr", "0.9")])
def test_the_rule_in_use_and_what_needs_no_model_are_in_the_table(tmp_path, capsys, limits):
    names = [f"m{i}" for i in range(9)]
    path = sample(tmp_path, names)
    costs = ("--fp-cost", "1", "--fn-cost", "3")
    use = ("--baseline", "m0:0.97", "--folds", "2")
    ask = asked(path, *costs, *limits, *use, label="y", scores=names)
    lines = run(capsys, *ask).splitlines()
    result = as_json(capsys, *ask)
    shown = [
        line.split()[:2] for line in lines[heading(lines) + 1 :] if line.startswith(("m", "–"))
    ]
    others = sorted(result["strategies"], key=lambda one: one["cost_per_1000"])
    plain = next(one["choice"] for one in others if one["model"] is None)
    # Cheaper strategies than these make room for them.
    assert [one["choice"] for one in others[-3:]].count("baseline") == 1
    assert ["m0", "rule"] in shown
    assert ["–", "flag"] in shown
    assert f"\n–      {plain.replace('_', ' ')} " in "\n".join(lines)
    assert len(shown) < len(others)


def test_another_threshold_of_the_model_in_use_is_in_the_table(tmp_path, capsys):
    generator = np.random.default_rng(1)
    y = (generator.random(400) < 0.3).astype(int)
    scores = {f"m{i}": generator.normal(1.5 * y).round(3) for i in range(9)}
    scores["old"] = generator.normal(0.4 * y).round(3)
    path = write_csv(tmp_path / "cases.csv", {"y": y, **scores})
    ask = asked(
        *(
            path,
            "--fp-cost",
            "1",
            "--fn-cost",
            "3",
            "--baseline",
            "old:2.5",
            "--choice",
            "smoothed",
        ),
        label="y",
        scores=list(scores),
    )
    out = run(capsys, *ask)
    costs = [one["cost_per_1000"] for one in as_json(capsys, *ask)["strategies"]]
    assert re.search(r"^old +rule in use ", out, re.MULTILINE)
    assert re.search(r"^old +smoothed ", out, re.MULTILINE)
    assert len(
        re.findall(r"^(?:m\d|old|–) +(?:smoothed|baseline|flag) ?", out, re.MULTILINE)
    ) < len(costs)


@pytest.mark.parametrize("details", [(), ("--details",)])
def test_limits_that_nothing_keeps_to_have_no_table(example, capsys, details):
    limits = ("--max-fpr", "0.002", "--min-recall", "0.99", "--baseline", "logistic:0.5")
    out = run(capsys, *asked(example, *COSTS, *limits, *details))
    assert out.startswith(
        "Loosen a limit, or find a model that ranks better.\nNothing keeps to the"
    )
    assert not re.search("^model +method", out, re.MULTILINE) or details
    # The model that comes nearest is named, wherever it stands.
    turned = asked(example, *COSTS, *limits, *details, scores=["naive_bayes", "logistic"])
    assert "with logistic, no threshold has recall" in in_a_line(capsys, *turned)


def test_a_limit_that_is_reached_without_a_margin_is_told_so(tmp_path, capsys):
    path = sample(tmp_path, ["m"], rows=400)
    limits = ("--min-recall", "0.5", "--min-precision")
    told = re.compile(
        r"the highest recall there is ([\d.]+) %(, which leaves too small a margin)?\."
    )
    found = {}
    for least in ("0.5", "0.6", "0.7", "0.8", "0.9", "0.99"):
        ask = asked(path, *COSTS, *limits, least, label="y", scores=["m"])
        one = told.search(in_a_line(capsys, *ask))
        if one is not None:
            found[float(one[1]) >= 50] = one[2]
    assert found == {True: ", which leaves too small a margin", False: None}


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        (("1000", "1"), "With naive_bayes alone: flag nobody."),
        (("1", "1"), None),
    ],
)
def test_models_without_a_line_are_named(example, capsys, costs, told):
    ask = asked(
        *(example, "--fp-cost", costs[0], "--fn-cost", costs[1], "--choice", "smoothed"),
        scores=["logistic", "naive_bayes", "random_forest"],
    )
    out = in_a_line(capsys, *ask)
    assert (" alone: flag " in out) == (told is not None)
    assert told is None or told in out


def test_a_model_that_flags_everybody_is_named(tmp_path, capsys):
    generator = np.random.default_rng(3)
    y = generator.random(400) < 0.5
    scores = {"good": generator.normal(3.0 * y), "noise": generator.normal(size=400)}
    path = write_csv(tmp_path / "some.csv", {"y": y.astype(int), **scores})
    ask = ("--fp-cost", "1", "--fn-cost", "20", "--choice", "smoothed")
    out = in_a_line(capsys, *asked(path, *ask, label="y", scores=list(scores)))
    assert "With noise alone: flag everybody." in out


def test_no_strategy_is_left_out_without_a_word():
    told_of = set()
    for seed in range(25):
        generator = np.random.default_rng(seed)
        y = generator.random(200) < 0.3
        centre = 0.3 + 0.2 * y
        scores = {name: np.clip(generator.normal(centre, 0.2), 0, 1).round(2) for name in "ab"}
        known = cs.Deployment(1, float(generator.choice([0.3, 9, 19])))
        choices = [cs.Smoothed()] if seed % 2 else None
        decision = cs.decide(y, scores, conditions=known, choices=choices)
        fits = apart(decision, decision.choosing)
        notes = " ".join(needed_notes(decision, fits, fits, first=[], beside=[]))
        lines = {one for fit in fits for one in decision.alike(fit.strategy)}
        for one in decision.strategies:
            model, rule = one.strategy.model, one.rule
            if one.strategy in lines and not (model and rule.trivial):
                continue
            who = "everybody" if rule.flagged([0.0])[0] else "nobody"
            name = f"{model} ({one.strategy.name.replace('_', '-')})"
            (said,) = re.findall(rf"With ([^:]+): flag {who}\.", notes)
            alone = said.endswith(" alone") and model in re.split(", | and | ", said)
            assert name in said or alone
            told_of.add(name in said)
    assert told_of == {True, False}


def test_each_model_has_a_line_before_a_second_threshold_of_another(tmp_path, capsys):
    names = ["a", "b", "c", "d", "e"]
    generator = np.random.default_rng(4)
    y = generator.random(400) < 0.3
    good = {name: generator.normal(2.5 * y) for name in names[:2]}
    poor = {name: generator.normal(0.9 * y) for name in names[2:]}
    path = write_csv(tmp_path / "some.csv", {"y": y.astype(int), **good, **poor})
    choices = ("--choice", "smoothed", "--choice", "optimal")
    out = run(capsys, *asked(path, *COSTS, *choices, label="y", scores=names))
    rows = re.findall(r"^(\w) +(smoothed|optimal|baseline|queue)", out, re.MULTILINE)
    assert {model for model, _ in rows} == set(names)
    assert "Not shown: " in out


def test_a_queue_that_ties_keep_from_flagging_anybody_says_so(tmp_path, capsys):
    y = np.arange(300) % 3 == 0
    path = write_csv(tmp_path / "tied.csv", {"y": y.astype(int), "m": np.where(y, 0.7, 0.2)})
    ask = ("--fp-cost", "1", "--fn-cost", "5", "--capacity", "0.05")
    out = run(capsys, *asked(path, *ask, label="y", scores=["m"]))
    assert "With m alone: flag nobody." in out
    assert "The best model" not in out


def test_what_is_known_exactly_is_in_full_beside_an_interval(tmp_path, capsys):
    generator = np.random.default_rng(0)
    y = generator.random(20_000) < 0.05
    path = write_csv(tmp_path / "rare.csv", {"y": y.astype(int), "m": generator.normal(0.0 * y)})
    ask = ("--fp-cost", "4", "--fn-cost", "12", "--choice", "smoothed", "--baseline", "m:3")
    ask += ("--prevalence", "0.0496")
    out = run(capsys, *asked(path, *ask, label="y", scores=["m"]))
    assert out.startswith("No model is shown to save money over flagging nobody. ")
    shown = re.findall(r"^– .*?([\d,]+\.?\d*) +exact", out, re.MULTILINE)
    # 1,000 times 0.0496 times 12, and times 0.9504 times 4.
    assert shown == ["595", "3,802"]


def test_assumptions_end_with_a_whole_one(example, capsys):
    limits = ("--capacity", "0.3", "--min-precision", "0.2", "--max-fpr", "0.5")
    costs = ("--fp-cost", "1.125:2.25", "--fn-cost", "10.125:100.25", "--tp-cost", "0.5:0.75")
    use = ("--baseline", "logistic:0.5", "--folds", "2")
    ask = asked(example, *costs, "--prevalence", "0.1:0.3", *limits, *use)
    out = run(capsys, *ask)
    assert len(out.splitlines()) <= 25
    (assumed,) = re.findall(r"Assumed: .*?\.$", out, re.MULTILINE | re.DOTALL)
    *parts, rest = " ".join(assumed.removeprefix("Assumed: ").split()).split("; ")
    assert rest == "the rest is in --details."
    details = run(capsys, *ask, "--details")
    assert parts
    assert all(f"- {part}\n" in details for part in parts)
    assert " ..." not in out


def test_a_model_that_flags_nobody_has_no_line_of_its_own(example, capsys):
    ask = asked(example, "--fp-cost", "1000", "--fn-cost", "1")
    rules = [one["rule"] for one in as_json(capsys, *ask)["strategies"]]
    assert sum(rule["cuts"] == [] for rule in rules) > 2
    out = run(capsys, *ask)
    assert re.search(r"^– +flag nobody ", out, re.MULTILINE)
    assert "flags none" not in out


def test_over_ranges_the_saving_is_told_where_a_rule_is_in_use(example, capsys):
    ask = asked(example, *COSTS, "--baseline", "logistic:0.5")
    low, high = as_json(capsys, *ask)["recommendation"]["saving_range"]
    out = in_a_line(capsys, *ask)
    told = "Over the ranges given the saving against the rule in use goes from "
    ends = re.search(rf"{told}(-?[\d,]+) to ([\d,]+)\.", out).groups()
    assert [float(end.replace(",", "")) for end in ends] == pytest.approx([low, high], abs=5)
    assert "Over the ranges given the cost goes from" in in_a_line(
        capsys, *asked(example, *COSTS, scores=["logistic"])
    )


def test_what_the_rule_in_use_does_stands_below_the_outcomes(example, capsys):
    ask = asked(example, *COSTS, "--prevalence", "0.1", "--baseline", "logistic:0.9")
    out = run(capsys, *ask)
    used = as_json(capsys, *ask)["baseline"]["outcomes"]
    found = re.search(
        r"^In use: flagged (\S+), of them (\S+) positive; false negatives (\S+)\.$",
        out,
        re.MULTILINE,
    )
    flagged, right, missed = map(float, found.groups())
    assert right == pytest.approx(used["flag"]["positive"]["value"], rel=0.01)
    assert missed == pytest.approx(used["pass"]["positive"]["value"], rel=0.01)
    both = used["flag"]["positive"]["value"] + used["flag"]["negative"]["value"]
    assert flagged == pytest.approx(both, rel=0.01)
    assert "In use:" not in run(capsys, *asked(example, *COSTS))


def test_a_queue_has_a_threshold_for_cases_one_by_one(example, capsys):
    out = run(capsys, *asked(example, "--fp-cost", "1", "--fn-cost", "20", "--capacity", "0.1"))
    rows = cs.read_rows(example, label="y_true", scores=list(MODELS))
    known = cs.Deployment(1, 20, float(rows.positive.mean()))
    found = cs.decide(
        rows.positive, rows.scores, conditions=known, constraints=cs.Constraints(capacity=0.1)
    )
    (cut,) = found.rules.one_by_one.cuts
    assert out.startswith("Use logistic: flag the top 10 % of the queue.")
    told = re.search(
        r"One by one: flag scores above (\S+), which flags ([\d.]+)(?: to ([\d.]+))? % of the c",
        out,
    )
    assert float(told[1]) == pytest.approx(cut, rel=1e-3)
    at = found.rules.one_by_one.on(found.task.models["logistic"].rows)
    p = found.conditions.prevalence_range.low
    assert float(told[2]) == pytest.approx(100 * ((1 - p) * at.fpr + p * (1 - at.fnr)), rel=5e-3)
    assert "One by one" not in run(capsys, *asked(example, *COSTS))


@pytest.mark.parametrize("option", [[], ["--batch-size", "40"]])
def test_why_that_threshold_is_another_than_those_of_the_table_is_told(example, capsys, option):
    limited = "--fp-cost", "1", "--fn-cost", "20", "--capacity", "0.1", *option
    told = "; thresholds in the table keep a margin for chance."
    assert told in in_a_line(capsys, *asked(example, *limited))
    # Without a margin, and without thresholds, there is nothing to tell.
    assert told not in in_a_line(capsys, *asked(example, *limited, "--randomise"))
    queue = run(capsys, *asked(example, *limited, "--choice", "queue"))
    assert "One by one" in queue
    assert told not in " ".join(queue.split())


def test_the_outcomes_of_what_is_recommended(example, capsys):
    ask = asked(example, "--fp-cost", "1", "--fn-cost", "20", "--prevalence", "0.1")
    out = run(capsys, *ask)
    result = as_json(capsys, *ask)
    own = next(one for one in result["strategies"] if one["more"] is None)["outcomes"]
    *_, block, _ = out.split("\n\n")
    lines = block.splitlines()
    assert lines[0] == "Of 1,000 cases, 100 of them positive (by this rule, 95 % intervals):"
    found = own["flag"]["positive"]
    width = found["high"] - found["low"]
    shown = float(lines[1].split("true positives")[1].split()[0])
    assert shown == pytest.approx(found["value"], abs=width / 10)
    recall = float(lines[3].split("recall")[1].split()[0])
    assert recall == pytest.approx(100 * own["recall"]["value"], abs=1)
    for word in ("flagged", "false positives", "false negatives", "precision"):
        assert word in block


def test_a_rule_that_needs_no_model(example, capsys):
    out = run(capsys, *asked(example, "--fp-cost", "1000", "--fn-cost", "1", "--prevalence", "0.1"))
    if out.startswith("Flag nobody."):
        assert "\nflagged         0 " in out
    assert_one_screen(out)


def test_decisions_that_were_made_have_no_threshold(tmp_path, capsys):
    path = sample(tmp_path, ["m"])
    head, *rows = path.read_text().splitlines()
    decided = [f"{row},{int(float(row.split(',')[1]) > 0.6)}" for row in rows]
    path.write_text("\n".join([f"{head},decided", *decided]) + "\n")
    out = run(capsys, *asked(path, *COSTS, "--baseline", "decided", label="y", scores=["m"]))
    (line,) = (line for line in out.splitlines() if line.startswith("decided"))
    assert line.split()[:5] == ["decided", "rule", "in", "use", "–"]


def test_rows_that_give_no_interval(tmp_path, example, capsys):
    few = write_csv(
        tmp_path / "few.csv",
        {"y_true": np.repeat([0, 1], [5, 1]), **{name: np.linspace(0, 1, 6) for name in MODELS}},
    )
    out = run(capsys, *asked(example, *COSTS, "--validate", few))
    assert_one_screen(out)
    assert "There is no interval: the rarer class has 1 row, and fewer than 5" in " ".join(
        out.split()
    )
    assert "95 %" not in out
    assert "  cost\n" in out


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.filterwarnings("ignore::costspace.DataWarning")
def test_the_margin_is_told_however_full_the_screen_is(seed, capsys):
    generator = np.random.default_rng(seed)
    y = generator.random(150) < 0.3
    # Scores on two scales: those that are no probabilities have a warning each.
    scores = {f"model_{k}": (1 + 29 * (k % 2)) * generator.normal(0.6 * y) for k in range(9)}
    decision = cs.decide(
        y,
        scores,
        conditions=cs.Deployment(1, (2, 6), (0.05, 0.3)),
        constraints=cs.Constraints(capacity=0.3, **({"max_fpr": 0.4} if seed % 2 else {})),
        baseline=("model_0", 0.5) if seed % 3 else None,
        folds=2,
    )
    with page(None) as console:
        print_decision(decision, console)
    out = capsys.readouterr().out
    assert_one_screen(out)
    margin = decision.evidence.margin
    assert margin > 1
    stated = decision.recommendation.stated
    given = stated.model is None or stated == decision.task.baseline
    assert (
        f"{'Other costs' if given else 'Costs'} include a margin of {margin:.0f}, because"
        in " ".join(out.split())
    )


def test_a_choice_of_ones_own_is_called_by_its_name(capsys):
    y, s = np.tile([0, 0, 0, 1], 40), np.linspace(0, 1, 160)
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 9), prevalence=0.2)
    choice = cs.RateFixed(0.25)
    decision = cs.decide(y, {"m": s}, conditions=known, choices=[choice])
    with page(None) as console:
        print_decision(decision, console)
    out = capsys.readouterr().out
    assert_one_screen(out)
    assert f"\nm      {choice.name}  " in out


@pytest.mark.parametrize("name", ["what we have always done " * 9, "短い名前" * 30], ids=len)
def test_long_names_of_choices_are_shortened(name, capsys):
    y, s = np.tile([0, 0, 0, 1], 40), np.linspace(0, 1, 160)
    known = cs.Deployment(fp_cost=1, fn_cost=(2, 9), prevalence=0.2)
    choices = {name: cs.RateDriven(), f"{name}?": cs.RateFixed(0.25)}
    decision = cs.decide(
        y, {"a" * 60: s, "b" * 60: s}, conditions=known, choices=choices, known="costs", folds=2
    )
    with page(None) as console:
        print_decision(decision, console)
    out = capsys.readouterr().out
    assert_one_screen(out)
    assert f" {shortened(name, CHOICE_LENGTH)} " in out
    assert "  cost  " in out


@pytest.mark.parametrize(
    ("name", "room", "text"),
    [
        ("logistic", 8, "logistic"),
        ("logistic", 7, "log…tic"),
        ("logistic", 2, "l…"),
        ("短い名前", 8, "短い名前"),
        ("短い名前", 6, "短…前"),
    ],
)
def test_names_by_their_beginning_and_end(name, room, text):
    assert shortened(name, room) == text
    assert cell_len(text) <= room


@pytest.mark.parametrize(
    ("names", "room", "texts"),
    [
        (["gradient_boosting", "gradient_b"], 11, ["gradi…sting", "gradient_b"]),
        (
            ["churn_v1_all_features", "churn_v2_all_features", "churn_v2_few_features"],
            11,
            ["…_v1_…tures", "…2_al…tures", "…2_fe…tures"],
        ),
        (["m" * 30, "m" * 31], 9, ["…mm", "…mmm"]),
    ],
)
def test_names_that_are_cut_look_different_where_that_can_be(names, room, texts):
    assert [shortened(name, room, names) for name in names] == texts
    assert max(map(cell_len, texts)) <= room


@given(st.lists(st.text("ab_1", min_size=1, max_size=30), min_size=2, max_size=5, unique=True))
def test_names_of_one_letter_that_differs_stay_apart(ends):
    names = [f"a_long_beginning_{end}_{len(end)}_and_a_long_end" for end in ends]
    texts = [shortened(name, 16, names) for name in names]
    assert max(map(cell_len, texts)) <= 16
    assert len({*texts}) == len(names)


def test_a_sentence_that_has_no_room_is_left_out_whole():
    short, long = "One.", f"{'Word ' * 20}two."
    assert fitting([short, long, short], 2) == [short, short]
    assert paragraph([short, long, short], 1) == ["One. One."]
    assert " ".join(paragraph([short, long, short])) == f"{short} {long} {short}"
    assert paragraph([long], 0) == []


def test_a_long_command_goes_on_below():
    options = [f"--option-{i} NUMBER" for i in range(6)]
    before, *lines = command_lines("Do:", ["do", *options])
    assert before == "Do:"
    assert max(map(len, lines)) <= 80
    assert all(line.endswith(" \\") for line in lines[:-1])
    assert " ".join(line.removesuffix(" \\").strip() for line in lines) == " ".join(
        ["do", *options]
    )
    assert command_lines("Do:", ["do", "w" * 90]) == ["Do:", "do \\", f"    {'w' * 90}"]
    assert command_lines("Do:", ["do", "this"]) == ["Do: do this"]


def test_every_limit_and_a_rule_in_use_fit_one_screen(example, tmp_path, capsys):
    names = [f"the model that somebody thought of in the spring of version {i}" for i in range(3)]
    text = example.read_text()
    for model, name in zip(MODELS, names, strict=True):
        text = text.replace(model, name, 1)
    path = tmp_path / "named.csv"
    path.write_text(text)
    limits = ("--capacity", "0.3", "--min-precision", "0.8", "--min-recall", "0.5")
    more = ("--max-fpr", "0.05", "--min-npv", "0.9", "--known", "costs,prevalence", "--randomise")
    # What each limit costs is found by fitting all without it, in each fold.
    ranges = ("--folds", "2", *COSTS, "--prevalence", "0.05:0.2", "--baseline", f"{names[0]}:0.5")
    ask = asked(path, *ranges, *limits, *more, scores=names)
    out = run(capsys, *ask)
    assert_one_screen(out)
    kept = "Negative predictive value at least 90 %: "
    assert kept not in " ".join(out.split())
    assert kept in in_a_line(capsys, *ask, "--details")


@pytest.mark.parametrize(("threshold", "allowed"), [("0.01", False), ("0.999", True)])
def test_a_rule_in_use_that_breaks_a_limit_is_told(example, capsys, threshold, allowed):
    use = ("--capacity", "0.3", "--baseline", f"logistic:{threshold}")
    out = run(capsys, *asked(example, *COSTS, *use))
    told = "The rule in use is not allowed within the limits: flag at most 30 %, not "
    assert (told in " ".join(out.split())) != allowed


def test_what_is_saved_against_a_rule_in_use_stands_before_what_speaks_against_it(tmp_path, capsys):
    rng = np.random.default_rng(2)
    y = np.arange(120) % 3 == 0
    grade = np.clip(np.round(rng.normal(1.5 * y) + 3), 1, 5)
    path = write_csv(
        tmp_path / "grades.csv", {"y": y.astype(int), "grade": grade, "b": rng.normal(y)}
    )
    costs = ("--fp-cost", "4000:8000", "--fn-cost", "30000:60000", "--prevalence", "0.25:0.4")
    models = ("--score", "grade", "--score", "b")
    ask = ("decide", str(path), "--label", "y", *models, *costs)
    out = run(capsys, *ask, "--baseline", "grade:3", "--capacity", "0.3")
    answer = " ".join(out.partition("\n\n")[0].split())
    saved = answer.index("Against the rule in use it costs ")
    assert saved < answer.index("The rule in use is not allowed within the limits: ")
