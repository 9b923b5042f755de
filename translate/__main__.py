"""Writes what the report's page runs of the package: python -m translate FOLDER."""

import sys
from pathlib import Path

from translate.identity import identity
from translate.writer import Writer

# By file: what answers questions, in a worker; and what writes numbers and rules, in the page.
PROGRAMS = {
    "decide.gen.js": (
        ("costspace.report.answering", "asked"),
        ("costspace.report.answering", "counts_of"),
        ("costspace.report.answering", "held_out_of"),
        ("costspace.summaries.joint", "JointRows"),
        ("costspace.report.decided", "answer_dict"),
        ("costspace.report.decided", "detail"),
    ),
    "words.gen.js": (
        ("costspace.decision.words", "alone_shown"),
        ("costspace.decision.words", "amount_shown"),
        ("costspace.decision.words", "decimals_for"),
        ("costspace.decision.words", "estimate_shown"),
        ("costspace.decision.words", "exact_shown"),
        ("costspace.decision.words", "limit_shown"),
        ("costspace.decision.words", "listed"),
        ("costspace.decision.words", "thresholds_shown"),
        ("costspace.decision.rules.rule_words", "rule_said"),
        ("costspace.decision.rules.rule_words", "threshold_of"),
    ),
}


# The page itself has no arrays.
WITHOUT_ARRAYS = {"words.gen.js"}


def written(name: str) -> str:
    """A program, with all that it needs, below what tells whether it is another."""
    text = Writer(*PROGRAMS[name], arrays=name not in WITHOUT_ARRAYS).text()
    return f"// Program {identity(text)}\n{text}"


def main() -> None:
    """Write each program, or say what of it cannot be."""
    try:
        for name in PROGRAMS:
            Path(sys.argv[1], name).write_text(written(name), encoding="utf-8")
    except NotImplementedError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
