"""Draw every picture that README and docs keep, into a folder.

Run as ``python examples/pictures.py docs/_static`` where they are out of date, which a test tells.
Pictures that only the site shows are drawn when it is built.
"""

import runpy
import sys
from pathlib import Path

# What draws each.
PICTURES = {
    "why-auc-misleads.svg": "why_auc_misleads.py",
    "report.png": "picture_of_a_report.py",
}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in PICTURES.items():
        runpy.run_path(str(Path(__file__).with_name(script)))["main"](folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
