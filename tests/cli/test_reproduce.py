"""The reproduce command: arguments, what it prints and writes, exit status."""

from pathlib import Path

import pytest

from costspace.cli import main


def test_prints_the_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["reproduce", "000-fig2", "-o", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["figure", "quantity", "stated", "computed", "outcome", "note"]
    (auc,) = [line for line in lines if " AUC " in line]
    assert "0.83333  0.8333333  matches" in auc
    assert lines[-1].startswith("12 stated values: 11 matches; 1 differs: slip")
    assert (tmp_path / "000-fig2.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "000-fig99", "-o", "x"], "there is no figure '000-fig99'"),
        (["reproduce", "000-fig2"], "--output"),
    ],
)
def test_bad_arguments(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""
