"""Writes what the report's page runs of the package: python -m translate FOLDER."""

import sys
from pathlib import Path

from translate.writer import Writer

# By file: what answers questions, in a worker; and what writes numbers and rules, in the page.
PROGRAMS = {
    "decide.gen.js": (
        ("costspace.report.answering", "asked"),
        ("costspace.report.answering", "counts_of"),
        ("costspace.report.answering", "held_out_of"),
        ("costspace.scores.raked", "SomeRows"),
        ("costspace.report.decided", "answer_dict"),
        ("costspace.report.decided", "detail"),
    ),
    "words.gen.js": (
        ("costspace.decision.words", "alone_shown"),
        ("costspace.decision.words", "amount_shown"),
        ("costspace.decision.words", "decimals_for"),
        ("costspace.decision.words", "known_beside"),
        ("costspace.decision.words", "limit_shown"),
        ("costspace.decision.words", "listed"),
        ("costspace.decision.words", "thresholds_shown"),
        ("costspace.decision.rules.rule_words", "rule_said"),
        ("costspace.decision.rules.rule_words", "threshold_of"),
    ),
}


def main() -> None:
    """Write each program, and all that it needs."""
    for name, starts in PROGRAMS.items():
        Path(sys.argv[1], name).write_text(Writer(*starts).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
