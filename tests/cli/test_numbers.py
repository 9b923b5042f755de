"""Options that take a number: how it is written, and what is said of a text that is none."""

import pytest
from command_line import refused

from costspace.cli.decide_options import parse_baseline
from costspace.cli.numbers import number_in
from costspace.cli.options import parse_amount, parse_cost, parse_costs
from costspace.errors import ConditionError

ROWS = ["x.csv", "--label", "y", "--score", "s"]
COSTS = ["--fp-cost", "1", "--fn-cost", "5"]
# Each option that takes a number, and what else its command needs.
NUMBERS = [
    *((["evaluate", *ROWS], option) for option in ("--prevalence", "--level", "--width")),
    (["compare", *ROWS], "--level"),
    *((["drift", "a", "b"], option) for option in ("--prevalence", "--level")),
    (["report", *ROWS, "-o", "x.html"], "--level"),
    *(
        (["decide", *ROWS, *COSTS], option)
        for option in (
            *("--level", "--capacity", "--min-precision", "--min-recall", "--min-npv"),
            *("--max-fpr", "--calibrated-to"),
        )
    ),
]
WHOLE = [
    (["evaluate", *ROWS], "--bins"),
    (["tally", *ROWS, "-o", "x.parquet"], "--bins"),
    (["decide", *ROWS, *COSTS], "--folds"),
]
BOUNDS = [
    (["decide", *ROWS, "--fn-cost", "5"], "--fp-cost"),
    (["decide", *ROWS, "--fp-cost", "1"], "--fn-cost"),
    *((["decide", *ROWS, *COSTS], option) for option in ("--tp-cost", "--tn-cost")),
    (["decide", *ROWS, *COSTS], "--prevalence"),
    (["compare", *ROWS, "--score", "t"], "--prevalence"),
    (["report", *ROWS, "-o", "x.html", "--fn-cost", "5"], "--fp-cost"),
    (["report", *ROWS, "-o", "x.html", *COSTS], "--prevalence"),
]
# What float() would read, and so what no option may.
NONE = ["", " ", "nan", "-inf", "1e400", "1e-400", "0x10", "1_0", "\u0663", "\uff11", "1\u00a0"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.5", 0.5), (" +1e3 ", 1000.0), (".5", 0.5), ("5.", 5.0), ("-2E-3", -0.002), ("0e9", 0.0)],
)
def test_numbers_are_read_as_they_are_written(text, number):
    assert number_in(text) == number


@pytest.mark.parametrize("text", [*NONE, "1\u0660", "e5", ".", "1e", "--1", "1 0", "9" * 400])
def test_what_is_no_number(text):
    assert number_in(text) is None


@pytest.mark.parametrize(("arguments", "option"), NUMBERS)
def test_every_option_for_a_number_refuses_what_is_none(capsys, arguments, option):
    for text in NONE:
        message = refused(capsys, *arguments, f"{option}={text}")
        assert message.startswith(f"{option} must be a number, got {text!r}")


@pytest.mark.parametrize(("arguments", "option"), WHOLE)
def test_every_option_for_a_whole_number_refuses_what_is_none(capsys, arguments, option):
    for text in (*NONE, "1.5", "1e-1"):
        message = refused(capsys, *arguments, f"{option}={text}")
        assert message.startswith(f"{option} must be a whole number, got {text!r}")


@pytest.mark.parametrize(("arguments", "option"), BOUNDS)
def test_every_option_for_bounds_refuses_what_is_none(capsys, arguments, option):
    for text in (*NONE, "1:2:3", "1:", "\u0661:2", "1_0:20", "1:inf"):
        message = refused(capsys, *arguments, f"{option}={text}")
        assert message.startswith(f"{option} must be a number or LOW:HIGH such as ")
        assert f", got {text!r}" in message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("0.1 \u2013 0.3", "a range is 0.1:0.3"),
        ("0.2 to 1", "a range is 0.2:1"),
        ("1,000", "without separators it is 1000, with a decimal point it is 1"),
        ("5:1,000,000", "without separators it is 1000000"),
        ("10%:20%", "10 % is 0.1, and 20 % is 0.2"),
        ("1e-400", "it is beyond what a double can hold"),
        ("1_0:20", "without separators it is 10"),
    ],
)
def test_text_that_looks_like_a_range_gets_a_hint(text, hint):
    for read in (parse_costs, lambda text: parse_amount("--fp-cost", text)):
        with pytest.raises(ConditionError) as caught:
            read(text)
        assert str(caught.value).endswith(f", got {text!r}: {hint}.")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("50%", "50 % is 0.5"),
        ("0,5", "with a decimal point it is 0.5"),
        ("1_0", "without separators it is 10"),
    ],
)
def test_text_that_looks_like_a_threshold_gets_a_hint(capsys, text, hint):
    for command in ("decide", "compare"):
        message = refused(capsys, command, *ROWS, *COSTS, "--baseline", f"s:{text}")
        assert message.startswith(
            "--baseline must be MODEL:THRESHOLD, such as logistic:0.5, or a c"
        )
        assert message.endswith(f"got a threshold of {text!r}: {hint}.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, None),
        ("decided", "decided"),
        (":0.5", ":0.5"),
        ("flagged: old", "flagged: old"),
        ("a:b:0.25", ("a:b", 0.25)),
        ("s:-1e3", ("s", -1000.0)),
    ],
)
def test_the_rule_in_use(text, found):
    assert parse_baseline(text) == found


def test_whole_numbers_may_be_written_as_powers_of_ten(capsys):
    # What is wrong is the file, and no more the number.
    message = refused(capsys, "evaluate", *ROWS, "--bins", "1e3")
    assert message.startswith("there is no file x.csv.")


def test_a_range_is_offered_only_where_it_will_be_taken():
    with pytest.raises(ConditionError, match="got '10-100': a range is 10:100"):
        parse_amount("--fn-cost", "10-100")
    with pytest.raises(ConditionError, match=r"got '10-100'[.]$"):
        parse_costs("10-100")
    with pytest.raises(ConditionError, match=r"got '100-10'[.]$"):
        parse_amount("--fn-cost", "100-10")


@pytest.mark.parametrize("text", ["3.000", "3.000:12.000", "1:200.000"])
def test_thousands_with_a_point_are_not_taken_for_decimals(text):
    with pytest.raises(ConditionError, match=r"may be \d+000 or \d+: write one of these\."):
        parse_cost("--fn-cost", text)


@pytest.mark.parametrize(("text", "number"), [("3.00", 3), ("0.000", 0), ("1.250", 1.25)])
def test_other_decimals_are_numbers(text, number):
    assert parse_cost("--fn-cost", text) == number
