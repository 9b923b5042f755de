"""What the options of a review say of values that cannot be."""

import pytest
from command_line import refused
from prediction_files import write_csv

import costspace as cs
from costspace import ConditionError

ASKED = ("--label", "y", "--score", "m", "--fp-cost", 20, "--fn-cost", 100)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--review-cost", 3, "--review-sensitivity", 90),
            "--review-sensitivity must be in [0, 1], got 90: 90 % is 0.9.",
        ),
        (("--review-cost", 3, "--review-specificity", "0.5:90"), "90: 90 % is 0.9."),
        (("--review-cost", 3, "--review-specificity", -1), "must be in [0, 1], got -1."),
        (("--review-cost", -3), "got -3: give what one costs (--review-cost)."),
        (("--review-cost", 0), "must be above 0, got 0: where it is free review all."),
        (("--review-cost", "x"), "--review-cost must be a number or LOW:HIGH such as 10:20, got"),
        (("--review-cost", "3.000"), "--review-cost"),
        (
            ("--review-cost", 3, "--batch-size", 100),
            "--batch-size is what a capacity is of: give --capacity or --review-capacity, too.",
        ),
    ],
)
def test_options_that_cannot_be(options, message, tmp_path, capsys):
    path = write_csv(tmp_path / "rows.csv", {"y": [0, 1] * 20, "m": [0.1, 0.2, 0.3, 0.4] * 10})
    told = refused(capsys, "decide", path, *ASKED, *options)
    assert message in told
    # A review has no column of costs.
    assert "--review-cost-column" not in told


@pytest.mark.parametrize("rate", [90, (0.5, 90)])
def test_a_rate_in_percent_in_python(rate):
    with pytest.raises(ConditionError, match=r"sensitivity must be in \[0, 1\], got 90: 90 % is"):
        cs.Review(cost=3, sensitivity=rate)
