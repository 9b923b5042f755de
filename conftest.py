"""Run the Python blocks of the README and the docs as tests."""

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE

from sybil import Sybil
from sybil.evaluators.doctest import NUMBER
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(
    parsers=[
        # The flags are those of the docstrings (pyproject.toml).
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE | NUMBER),
        SkipParser(),
    ],
    patterns=["README.md", "docs/**/*.md"],
).pytest()

collect_ignore = ["docs/conf.py"]  # configuration, not a module with examples
