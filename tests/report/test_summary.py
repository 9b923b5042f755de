"""What a page says without its script."""

import json
from html.parser import HTMLParser

import pytest
from opened_pages import SCORES, html_of, record_of

import costspace as cs
from costspace.decision.words import estimate_shown
from costspace.report.gathering import contents
from costspace.report.summary import summary


class Texts(HTMLParser):
    """The texts of a piece of HTML, and which elements it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_it_says_every_sentence_of_the_answer_once_the_three_lines_first() -> None:
    record = record_of({})
    decision = record["decision"]
    use = decision["recommendation"]
    found = Texts(summary(record)["answer"])
    first = [decision["heading"], decision["saving"], decision["sure"]["text"]]
    assert found.texts[:3] == first
    why = (
        use["instruction"],
        use["cost"],
        *decision["told"],
        *decision["beside"],
        decision["settling"],
    )
    said = [one for one in (*why, decision["choosing"]) if one and one not in first]
    assert found.texts[3 : 3 + len(said)] == said
    assert len(set(found.texts)) == len(found.texts)
    assert found.tags.count("h2") == 1
    assert all(assumption in found.texts[-1] for assumption in decision["assumptions"])


@pytest.mark.parametrize(
    "changes",
    [
        {"fn_cost": [1.0, 1.0], "prevalence": [0.01, 0.01]},
        {"fn_cost": [7.0, 7.0], "baseline": {"model": "first", "threshold": 0.5}},
        {"limits": {"min_precision": 0.999, "min_recall": 0.999}},
        {"known": ["costs", "prevalence"]},
        {"tp_cost": [-3.0, -2.0]},
    ],
)
def test_every_decision_has_a_summary(changes: dict[str, object]) -> None:
    record = record_of(changes)
    decision = record["decision"]
    parts = summary(record)
    said = [decision["heading"], decision["saving"], decision["sure"]["text"]]
    said = [one for one in said if one]
    assert Texts(parts["answer"]).texts[: len(said)] == said
    rows = Texts(parts["strategies"]).tags.count("tr") - 1
    assert rows == sum(one["same_as"] is None for one in decision["strategies"])
    counted = decision["recommendation"]["cost_per_1000"] is not None
    assert ("true positives" in parts["confusion"]) == counted


def test_its_tables_are_those_of_the_decision() -> None:
    record = record_of({})
    decision = record["decision"]
    parts = summary(record)
    use = decision["recommendation"]
    own = next(
        one
        for one in decision["strategies"]
        if (one["model"], one["choice"]) == (use["model"], use["choice"])
    )
    found = own["outcomes"]["flag"]["positive"]
    amount, ends = estimate_shown(found["value"], found["low"], found["high"])
    cell = f"{amount} true positives ({ends})"
    assert cell in Texts(parts["confusion"]).texts
    money = [float(one["cost_per_1000"]) for one in decision["strategies"]]
    # Below the picture of the same.
    texts = Texts(parts["strategies"].partition("</svg>")[2]).texts
    shown = [texts[i] for i in range(8, len(texts), 5)]
    amounts = [float(text.split(" ")[0].replace(",", "")) for text in shown]
    assert amounts == pytest.approx(sorted(money), rel=6e-3)
    assert texts.count("recommended") == 1


def test_without_costs_it_asks_for_them() -> None:
    parts = summary(record_of(None))
    assert "What does a false negative cost, in false positives?" in parts["answer"]
    assert parts["confusion"] == parts["strategies"] == ""


def test_names_are_text_and_nothing_else() -> None:
    hostile = ["</p><script>window.hacked = 1</script>", "<img src=x onerror=hacked>", "\"'&"]
    scores = dict(zip(hostile, SCORES.values(), strict=True))
    record = record_of({}, scores)
    record["source"]["path"] = "<b>.csv"
    parts = summary(record)
    for html in parts.values():
        assert not {"script", "img", "b"} & set(Texts(html).tags)
    assert parts["title"] == "&lt;b&gt;.csv"
    assert set(hostile) <= set(Texts(parts["strategies"]).texts)
    page = html_of(record)
    assert page.count("<script") == html_of(record_of({})).count("<script")


def test_one_model_and_weights_are_said() -> None:
    record = record_of({}, {"only": SCORES["first"]})
    record["source"]["weighted"] = True
    assert "positive (weighted) · 1 model ·" in summary(record)["summary"]


def test_rows_too_few_for_intervals_have_a_summary() -> None:
    y, s = [0, 0, 1, 1] * 5, [0.1, 0.6, 0.4, 0.9] * 5
    rows = cs.ScoredRows.from_predictions([0, 1], {"m": [0.2, 0.7]})
    decision = cs.decide(y, {"m": s}, fp_cost=1, fn_cost=5, validation=rows)
    made = contents(y, {"m": s}, decision=decision)
    found = Texts("".join(map(str, summary(made.to_dict()).values())))
    assert "500 true positives" in found.texts
    assert not any("not settled" in text for text in found.texts)


def test_a_decision_without_intervals_has_none() -> None:
    record = record_of({})
    decision = json.loads(json.dumps(record["decision"]))
    for one in decision["strategies"]:
        one["low"] = one["high"] = None
        if one["more"] is not None:
            one["more"]["low"] = one["more"]["high"] = None
    texts = Texts(summary({**record, "decision": decision})["strategies"]).texts
    assert not any(" to " in text for text in texts)


def test_strategies_have_the_cost_of_the_answer_the_recommended_first() -> None:
    record = record_of({"fn_cost": [7.0, 7.0], "prevalence": [0.3, 0.3]}, SCORES)
    use = record["decision"]["recommendation"]
    rows = summary(record)["strategies"].split("<tr>")[2:]
    said, ends = estimate_shown(use["cost_per_1000"], use["low"], use["high"])
    assert f"<td>{said} ({ends})</td><td>recommended</td>" in rows[0]
    assert said in use["cost"]
