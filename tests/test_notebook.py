"""Notebooks show results as tables in which every text is escaped."""

import inspect
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest
from public_names import PUBLIC
from public_values import instances

import costspace as cs
from costspace.notebook import Tabulated, html_table

BAD = "<script>alert('1')</script>"
GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(200) < 0.3
S = np.clip(0.3 + 0.3 * Y + 0.2 * GENERATOR.standard_normal(200), 0, 1)
SCORES = {BAD: S, 'b "&" <i>': np.clip(S + 0.2 * GENERATOR.standard_normal(200), 0, 1)}
CURVES = {name: cs.loss_curve(Y, s, choice=cs.ScoreDriven()) for name, s in SCORES.items()}
DECISION = cs.decide(Y, SCORES, conditions=cs.Deployment(1, (1, 10), (0.1, 0.4)))
BAND = cs.difference_band(Y, SCORES, choice=cs.ScoreDriven(), replicates=100)
TABLE = cs.ScoreTable.from_predictions(Y, S)
NAMED = {
    "evaluation": cs.evaluate(Y, SCORES),
    "decision": DECISION,
    "evidence": DECISION.evidence,
    "comparison": cs.compare(Y, SCORES, metrics=["auc", "brier"]),
    "dominance": cs.dominance(CURVES),
    "losses": cs.comparison.losses_at(CURVES, condition=0.3),
    "hybrid": cs.hybrid(CURVES),
}
PLAIN = {
    "drift": cs.drift(TABLE, cs.ScoreTable.from_predictions(Y[:90], S[:90])),
    "band": BAND,
    "crossings": BAND.crossings(),
    "estimate": cs.estimate(Y, S, metric="auc"),
    "partition": cs.decomposition.partition_scores(TABLE),
    "guide": cs.reasonable_choices(condition_known="never"),
}


class Page(HTMLParser):
    """The tags of a page, which must be closed in turn, and its rows of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"colspan"}
        self.tags.add(tag)
        if tag == "br":
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


@pytest.mark.parametrize("name", [*NAMED, *PLAIN])
def test_a_result_is_a_table(name: str) -> None:
    page = Page((NAMED | PLAIN)[name]._repr_html_())
    plain = {"table", "caption", "thead", "tbody", "tr", "th", "td", "br", "p", "h4"}
    assert page.tags <= plain | {"details", "summary"}
    widths = {len(row) for row in page.rows}
    assert len(widths - {1}) == 1
    assert len(page.rows) > 1


def test_what_is_shown_is_never_longer_than_a_screen() -> None:
    many = {f"model {i}": np.clip(S + i / 100, 0, 1) for i in range(60)} | {"x" * 5000: S}
    rows = cs.ScoredRows.from_predictions(Y, many)
    results = [
        *(cs.evaluate(rows), cs.evaluate(rows, intervals=True), rows, cs.hold_out(rows)),
        cs.compare_money(rows, fp_cost=1, fn_cost=5),
        *(cs.compare(rows, metrics={"auc": cs.auc}), cs.decide(rows, fp_cost=1, fn_cost=5)),
        # Estimators are shown by scikit-learn.
        *(one for values in instances().values() for one in values if not hasattr(one, "fit")),
    ]
    for result in results:
        text = repr(result)
        assert text.count("\n") <= 50, text[:200]
        assert len(text) < 9000, text[:200]
        html = getattr(result, "_repr_html_", lambda: "")()
        assert html.count("<tr") <= 50, html[:200]


@pytest.mark.parametrize("name", NAMED)
def test_names_are_shown_as_text(name: str) -> None:
    html = NAMED[name]._repr_html_()
    assert "<script" not in html
    assert "<i>" not in html
    assert "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;" in html


def test_a_decision_is_the_first_card_of_its_page_and_a_table_from_the_cheapest_on() -> None:
    html, found = DECISION._repr_html_(), DECISION.recommendation
    first = [f"<h4>{escape(found.heading)}</h4>"]
    first += [f"<p>{escape(one)}</p>" for one in (found.saving, f"{DECISION.certainty.text}.")]
    why = "".join(f"<p>{escape(one)}</p>" for one in found.why)
    last = "".join(f"<p>{escape(one)}</p>" for one in found.warnings)
    folded = f"<details><summary>Why</summary>{why}</details>"
    assert html.startswith(f"{''.join(first)}{folded}{last}<table>")
    # Each sentence is told, once.
    told = found.heading, found.saving, *found.why, *found.warnings
    assert sorted(told) == sorted(found.sentences)
    costs = [float(row[-1].replace(",", "")) for row in Page(html).rows[1:]]
    assert len(costs) > 3
    assert costs == sorted(costs)


def test_rows_are_a_short_table() -> None:
    rows = cs.ScoredRows.from_predictions(
        [0, 1, 1, 0], {"a": [0.1, 0.7, 0.4, 0.2], "<b>": [1, 2, 3, 4]}, groups=[1, 1, 2, 2]
    )
    html = rows._repr_html_()
    assert "<caption>4 rows, 2 of them positive; with groups</caption>" in html
    assert Page(html).rows[1:] == [["a", "0.1", "0.3", "0.7"], ["<b>", "1", "2.5", "4"]]
    many = cs.ScoredRows.from_predictions(Y, {f"m{i}": S for i in range(99)})
    assert len(many._repr_html_()) < 3000
    assert "and 79 more models: scores has all." in many._repr_html_()


def test_every_result_with_columns_is_shown_as_a_table() -> None:
    # Curves, paths and surfaces are for plots; arguments and single values have a repr.
    others = {
        *("ActionSteps", "CostTable"),
        *("Band", "CaseCosts", "CellSums", "MeanCosts", "Range", "Rule", "ScoreCounts", "Stakes"),
        *("ClassParts", "CostLines", "DecisionCurve", "EconomicValueCurve", "GainCurve"),
        *(
            "Isometric",
            "LossCurve",
            "OperatingPath",
            "PiecewiseQuadratic",
            "RocSurface",
            "ScoreMap",
        ),
        *("ReviewCurve", "ScoreMap", "SmoothCurve", "SmoothPath"),
    }
    bare = {
        name
        for name, value in PUBLIC.items()
        if inspect.isclass(value)
        and hasattr(value, "columns")
        and not hasattr(value, "_repr_html_")
        and not issubclass(value, cs.JointConditions)
    }
    assert bare == others


def test_numbers_are_those_of_the_columns() -> None:
    losses = cs.comparison.losses_at(CURVES, condition=0.3)
    page = Page(losses._repr_html_())
    assert page.rows[0] == list(losses.columns())
    for row, name, loss in zip(page.rows[1:], losses.names, losses.loss, strict=True):
        assert row[0] == name
        assert float(row[1]) == pytest.approx(loss, rel=1e-5)


def test_a_long_table_is_cut_and_says_so() -> None:
    page = Page(BAND._repr_html_())
    assert len(page.rows) == 22
    assert set(page.rows[11]) == {"…"}
    length = len(BAND.columns()["from"])
    first = f"The first and the last 10 of {length:,} rows."
    assert first in BAND._repr_html_()
    assert page.rows[-1][1] == "1"


def test_a_table_without_rows() -> None:
    fixed = cs.difference_band(
        [0, 1] * 20,
        {"a": [0.2, 0.9] * 20, "b": [0.9, 0.2] * 20},
        choice=cs.ScoreFixed(0.5),
        simultaneous=False,
    )
    found = fixed.crossings()
    assert len(found) == 0
    assert Page(found._repr_html_()).rows == [list(found.columns())]


def test_cells_of_every_kind() -> None:
    class TwoWords(Tabulated):
        def columns(self) -> dict[str, np.ndarray]:
            return {
                "yes": np.array([True, False]),
                "number": np.array([1 / 3, np.nan]),
                "whole": np.array([12345678, -1]),
                "any": np.array([None, "<b>"], dtype=object),
            }

    html = TwoWords()._repr_html_()
    assert "<caption>Two words</caption>" in html
    assert Page(html).rows[1:] == [
        ["yes", "0.333333", "12345678", "–"],
        ["no", "–", "-1", "<b>"],
    ]


def test_headings_lines_and_notes() -> None:
    html = html_table(["", "a"], [["section"], ["x", "1\n2"]], caption="<c>", notes=["n & m"])
    assert html == (
        "<table><caption>&lt;c&gt;</caption><thead><tr><th></th><th>a</th></tr></thead><tbody>"
        "<tr><th colspan='2'>section</th></tr><tr><td>x</td><td>1<br>2</td></tr></tbody></table>"
        "<p>n &amp; m</p>"
    )
