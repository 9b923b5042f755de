"""Tables on a terminal that is narrower than they are."""

from io import StringIO

import pytest
from rich.table import Table

from costspace.cli.console import Terminal
from costspace.cli.tables import table_by_model

AMOUNTS = ("1,234", "1.59e-07 to 2.44e-05", "0.0249461")


def table() -> Table:
    made = Table(box=None, pad_edge=False)
    made.add_column("model", no_wrap=True)
    made.add_column("threshold", no_wrap=True)
    for heading in ("cost", "95 % interval", "clear"):
        made.add_column(heading, justify="right", no_wrap=True)
    for name in ("random_forest_noise_0", "random_forest_noise_1"):
        made.add_row(name, AMOUNTS[2], AMOUNTS[0], AMOUNTS[1], "yes")
    return made


def printed(made: Table, width: int) -> str:
    file = StringIO()
    Terminal(file=file, force_terminal=True, color_system=None, width=width).print(made)
    return file.getvalue()


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(80, []), (58, ["clear"]), (40, ["95 % interval", "clear"]), (28, ["cost", "95 % interval"])],
)
def test_columns_go_before_digits(width: int, left_out: list[str]) -> None:
    told = printed(table(), width)
    first = told.splitlines()[0]
    assert max(map(len, told.splitlines()[:3])) <= width
    for heading in left_out:
        assert heading not in first
    assert ("No room for:" in told) == bool(left_out)
    shown = [heading for heading in ("cost", "95 % interval", "threshold") if heading in first]
    whole = dict(zip(("cost", "95 % interval", "threshold"), AMOUNTS, strict=True))
    assert all(told.count(whole[heading]) == 2 for heading in shown)


def test_headings_that_can_be_folded_are_no_reason() -> None:
    made = table_by_model(["a model with a name of some length", "another model of that kind"])
    made.add_row("auc", "0.9", "0.8")
    told = printed(made, 40)
    assert "No room" not in told
    assert "0.9" in told
    assert "0.8" in told
