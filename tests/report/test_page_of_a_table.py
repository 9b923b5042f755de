"""A page that is made of a saved table: it opens, and answers when costs change."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command_line import run
from opened_pages import Opened

from costspace.frames import held_out_counts, save

Opening = Callable[..., Opened]


def test_a_page_of_a_saved_table_answers_other_questions(
    open_page: Opening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(4)
    y = (rng.random(20_000) < 0.2).astype(int)
    own = rng.normal(1.5 * y)
    frame = pd.DataFrame({"y": y, "one": own, "two": own + rng.normal(size=len(y))})
    table, page = tmp_path / "table.parquet", tmp_path / "page.html"
    save(table, held_out_counts(frame, label="y", score=["one", "two"]))
    asked = ["--fp-cost", "1", "--fn-cost", "5:20", "--prevalence", "0.05:0.2"]
    run(capsys, "report", table, *asked, "-o", page)
    opened = open_page(page.read_text())
    assert "one" in opened.text("#instruction")
    before = str(opened.page.get_attribute("#instruction", "title"))
    opened.page.fill("#fn-cost", "50:100")
    assert opened.question()["fn_cost"] == [50, 100]
    assert str(opened.page.get_attribute("#instruction", "title")) != before
    # The page holds fewer cells than the table, in which each score has its own.
    answered = str(opened.page.locator("#in-full").text_content())
    assert "neighbouring scores are taken together" in answered
