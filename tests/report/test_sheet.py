"""A rule sheet: what it says, that it is one page, and that nothing in it can run."""

import hashlib
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import refused, run
from opened_pages import SCORES, Y
from refusals import refused as raises

import costspace as cs
from costspace import ConditionError
from costspace.frames.fingerprint import Fingerprint, fingerprint_of
from costspace.report import contents, to_sheet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DAY = date(2026, 3, 31)
DATA = Fingerprint("<june>.csv", 1, "0" * 64, 4, "2026-01-01 to 2026-03-31")


def sheet(
    scores: Any = SCORES, owner: str = "Risk & <co>", purpose: str = "Block <b>", **options: Any
) -> str:
    known = {"fp_cost": 1, "fn_cost": (5, 20)} | options
    decision = cs.decide(Y, scores, **known)
    found = contents(Y, scores, decision=decision)
    return to_sheet(found, owner=owner, purpose=purpose, data=DATA, dated=DAY)


def texts(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html.partition("<body>")[2]).split())


def test_it_says_what_was_decided_on_what_and_why() -> None:
    limits = cs.Constraints(max_fpr=0.3)
    baseline = ("first", 0.5)
    said = texts(sheet(constraints=limits, baseline=baseline))
    decision = cs.decide(
        Y, SCORES, fp_cost=1, fn_cost=(5, 20), constraints=limits, baseline=baseline
    )
    use = decision.recommendation
    for part in (
        use.instruction,
        use.cost,
        *use.beside,
        *decision.assumptions,
        "2026-03-31, costspace ",
        "Block &lt;b&gt;",
        "Owner Risk &amp; &lt;co&gt;",
        "Data &lt;june&gt;.csv, 400 rows, ",
        ", 4 columns",
        "Period 2026-01-01 to 2026-03-31",
        f"SHA-256 {'0' * 64}",
        "false positive rate at most 30 %: ",
        "Of 1,000 cases",
        "What was compared, and why this one",
        "The rule in use",
    ):
        assert part in said
    (kept,) = decision.limits_kept()
    assert f": {kept.status} (reaches " in said


def test_nothing_in_it_runs_or_is_loaded() -> None:
    html = sheet({"<script>alert(1)</script>": SCORES["first"]})
    assert "<script" not in html
    assert "default-src 'none'" in html
    assert not re.search(r"(src|href)=|url\(|@import", html)


def test_a_decision_is_needed_and_short_words() -> None:
    with raises(ConditionError, "a rule sheet is of a decision"):
        to_sheet(contents(Y, SCORES))
    found = contents(Y, SCORES, decision=cs.decide(Y, SCORES, fp_cost=1, fn_cost=5))
    with raises(ConditionError, "purpose (--purpose) must fit on paper, in 200 letters"):
        to_sheet(found, purpose="x" * 201)


NAMES = [f"a model of {'many ' * k}words" for k in range(12)]
LARGE = {
    "plain": {},
    "no rule": {"constraints": cs.Constraints(min_precision=0.999, min_recall=0.999)},
    "review": {"review": cs.Review(cost=0.2, sensitivity=0.9)},
    "models": {"scores": {name: SCORES["first"] ** (k + 1) for k, name in enumerate(NAMES)}},
    "limits": {
        "constraints": cs.Constraints(
            capacity=0.9, min_precision=0.1, min_recall=0.1, min_npv=0.1, max_fpr=0.95
        ),
        "baseline": ("first", 0.5),
    },
    "known": {"known": "costs"},
    "all": {
        "scores": {
            f"{name} of {'many ' * 20}words": SCORES["first"] ** k
            for k, name in enumerate("abcd", 1)
        },
        "constraints": cs.Constraints(
            capacity=0.9,
            min_precision=0.1,
            min_recall=0.1,
            min_npv=0.1,
            max_fpr=0.95,
            review_capacity=0.5,
            batch=[50, 200],
        ),
        "review": cs.Review(cost=(0.2, 0.4), sensitivity=(0.9, 0.95), specificity=0.99),
        "tp_cost": (-3, -1),
        "prevalence": (0.1, 0.4),
    },
    "wide": {"scores": {"W" * 300: SCORES["first"], "\u6a21" * 200: SCORES["second"]}},
}
# As long as they may be.
WORDS = {"owner": "Mm " * 66, "purpose": "Ww " * 66}


@pytest.mark.parametrize("case", LARGE)
def test_it_is_one_page_of_a4(case: str, browser: "Browser", tmp_path: Path) -> None:
    options = dict(LARGE[case])
    path = tmp_path / "sheet.html"
    path.write_text(sheet(options.pop("scores", SCORES), **WORDS, **options), encoding="utf-8")
    page = browser.new_page()
    try:
        page.goto(path.as_uri())
        printed = page.pdf(prefer_css_page_size=True)
    finally:
        page.close()
    assert re.findall(rb"/Count (\d+)", printed) == [b"1"]
    ((*size,),) = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert [float(side) for side in size] == pytest.approx([595.3, 841.9], abs=1)


def test_the_command_writes_it_with_the_name_of_the_file_only(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    file, out = folder / "june.csv", tmp_path / "sheet.html"
    lines = [
        f"{y},{s},2026-0{k % 3 + 1}-15"
        for k, (y, s) in enumerate(zip(Y, SCORES["first"], strict=True))
    ]
    file.write_text("y,first,day\n" + "\n".join(lines) + "\n")
    asked = ("report", file, "--label", "y", "--score", "first", "--fp-cost", "1", "--fn-cost", "9")
    run(capsys, *asked, "--sheet", "--owner", "Me", "--period", "day", "-o", out)
    said, html = texts(out.read_text()), out.read_text()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    for part in ("june.csv, 400 rows", "3 columns", digest, "2026-01-15 to 2026-03-15", "Owner Me"):
        assert part in said
    assert "private" not in html
    text = refused(capsys, *asked, "--sheet", "--period", "dy", "-o", out)
    assert "day" in text
    text = refused(capsys, *asked[:6], "--sheet", "-o", out)
    assert "--fp-cost" in text


def test_a_period_is_of_dates_or_of_numbers(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("a,b,c\n9,2026-02-01,x\n10,2025-12-31,y\n")
    assert fingerprint_of(file, saved=False, period="a").period == "9 to 10"
    assert fingerprint_of(file, saved=False, period="b").period == "2025-12-31 to 2026-02-01"
    with raises(ConditionError, "'c' has other values"):
        fingerprint_of(file, saved=False, period="c")
    other = tmp_path / "rows2.csv"
    other.write_bytes(file.read_bytes())
    both = fingerprint_of(tmp_path, saved=False)
    assert both.files == 2
    assert both.digest == hashlib.sha256(file.read_bytes() * 2).hexdigest()
