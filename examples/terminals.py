"""Draw what commands print in a terminal, each into an SVG that loads nothing.

Run as ``python examples/terminals.py FOLDER``.
"""

import os
import re
import sys
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pyarrow.compute as pc
import pyarrow.parquet as pq
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from costspace.cli import main as costspace

EXAMPLES = Path(__file__).parent
COLUMNS = 80
MODELS = "breast_cancer.csv --label y_true --score logistic --score naive_bayes"
COMMANDS = {
    "decide": f"{MODELS} --score random_forest --fp-cost 1 --fn-cost 10:100",
    "compare": f"{MODELS} --fp-cost 1 --fn-cost 10:100",
    "evaluate": f"{MODELS} --score random_forest",
    "drift": "2015.parquet 2018.parquet --label employed --score score --fp-cost 1 --fn-cost 4",
}


def main(folder):
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    with TemporaryDirectory() as files, chdir(files), patch.dict(os.environ, terminal):
        Path("breast_cancer.csv").symlink_to(EXAMPLES / "breast_cancer.csv")
        people = pq.read_table(EXAMPLES / "employment.parquet")
        for year in (2015, 2018):
            pq.write_table(people.filter(pc.equal(people["year"], year)), f"{year}.parquet")
        for name, words in COMMANDS.items():
            (folder / f"terminal_{name}.svg").write_text(drawn(f"{name} {words}"))


def drawn(line):
    with redirect_stdout(StringIO()) as printed:
        costspace(line.split())
    screen = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    screen.print(Text(f"$ costspace {line}\n", "bold"))
    screen.print(Text.from_ansi(printed.getvalue()))
    # A picture loads no fonts: the reader's own are as wide.
    picture = screen.export_svg(title="costspace", theme=MONOKAI, unique_id="terminal")
    return re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
