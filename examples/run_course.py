"""Run the course's notebook and store what its cells show, so that readers see it without running.

Run as ``python examples/run_course.py``, with nbclient and a kernel of this Python. Solutions are
stored without output: they follow checks of exercises that nobody has done.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

COURSE = Path(__file__).with_name("course.ipynb")
DATA = COURSE.with_name("breast_cancer.csv")


def run(notebook):
    """Run all cells in an empty folder with the data; their outputs are kept in the notebook."""
    with TemporaryDirectory() as folder:
        Path(folder, DATA.name).write_bytes(DATA.read_bytes())
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, timeout=120, resources=resources, coalesce_streams=True)
        client.execute()


def main():
    notebook = nbformat.read(COURSE, as_version=4)
    metadata = notebook.metadata.copy()
    run(notebook)
    # What differs from run to run or from place to place.
    notebook.metadata = metadata
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.id.startswith("solution-") and cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, COURSE)


if __name__ == "__main__":
    main()
