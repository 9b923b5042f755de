"""Writes the engine of the report's page: python -m translate FILE."""

import sys
from pathlib import Path

from translate.writer import Writer

STARTS = (
    ("costspace.report.answering", "asked"),
    ("costspace.report.answering", "counts_of"),
    ("costspace.report.answering", "held_out_of"),
    ("costspace.scores.raked", "SomeRows"),
    ("costspace.report.decided", "answer_dict"),
    ("costspace.report.decided", "details_dict"),
)


def main() -> None:
    """Write what the page calls, and all that this needs."""
    Path(sys.argv[1]).write_text(Writer(*STARTS).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
