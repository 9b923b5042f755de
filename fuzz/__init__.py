"""Random calls, files, command lines and questions to a page, with an oracle and one rule.

The rule: a `costspace` error or a right number, nothing else. ``python -m fuzz --minutes 60``
runs it; every case is made from a seed and a number alone, so a finding can be replayed.
"""

import sys
from pathlib import Path

# The oracles are among the tests, which share no code with the package.
_TESTS = Path(__file__).parents[1] / "tests"
for _folder in map(str, (_TESTS, _TESTS / "helpers")):
    if _folder not in sys.path:
        sys.path.append(_folder)
