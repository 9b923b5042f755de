"""Samples of which every figure was worked out: those of the papers, and others.

The oracle gives the same figures (`test_brute_force.py`), and costspace does
(`golden/test_worked_examples.py`).
"""

import json
from pathlib import Path
from typing import Any

import pytest

EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "worked_examples.json").read_text()
)

each_example = pytest.mark.parametrize("name", EXAMPLES)
each_partitioned_example = pytest.mark.parametrize(
    "name", [name for name in EXAMPLES if "calibration_loss_roc" in EXAMPLES[name]["expect"]]
)


def exactly(expected: Any) -> Any:
    """To rounding."""
    return pytest.approx(expected, rel=0, abs=1e-12)
