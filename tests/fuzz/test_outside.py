"""What the fuzzer clears is its own."""

import tempfile

import pytest

from fuzz.case import Case
from fuzz.rule import judge


def test_nothing_is_judged_but_in_a_folder_made_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "of another").write_text("kept")
    with pytest.raises(RuntimeError, match="judged in guarded"):
        judge(Case("auc", ([0, 1], [0.1, 0.9])))
    assert (tmp_path / "of another").read_text() == "kept"
