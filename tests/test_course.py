"""The course's notebook runs in a kernel, and its checks pass the solutions and no wrong answer."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

import costspace as cs

EXAMPLES = Path(__file__).parents[1] / "examples"
COURSE = nbformat.read(EXAMPLES / "course.ipynb", as_version=4)
PAGE = (EXAMPLES.parent / "docs" / "guides" / "course.md").read_text(encoding="utf-8")
CELLS = {cell.id: cell for cell in COURSE.cells}
EXERCISES = [name.removeprefix("exercise-") for name in CELLS if name.startswith("exercise-")]
# What a reader may answer instead; the rest is as in the solution.
WRONG = {
    "1": ["auc_by_pairs = with_cancer.mean() - without.mean()"],
    "2": ["best_threshold = 0.5", "least_cost = min(costs_at) / 1000"],
    "3": ["mean_of_losses = np.mean((scores['logistic'] > 0.5) != y)"],
    "4": ["fn_cost_at_crossing = 20", "fn_cost_at_crossing = 1 / 18"],
    "5": ["best_fpr = corners_fpr[cheapest - 1]", "best_tpr = corners_tpr[cheapest + 1]"],
    "6": [
        "held_out_loss = loss_on_own_rows",
        "held_out_loss = cs.expected_loss(test, choice=cs.Fitted(cs.Optimal(), train))",
        "loss_on_own_rows = held_out_loss",
    ],
    "7": ["threshold = c", "threshold = z", "are_flagged = new_scores > z"],
    "8": [
        "model = 'random_forest'",
        "threshold_to_use = 0.025",
        "cost = 197",
        "cost_low = 69",
        "cost_high = 245",
    ],
}


def refusals(cell: nbformat.NotebookNode) -> list[str]:
    """What a check says against an answer."""
    assert {output.output_type for output in cell.outputs} == {"stream"}
    return [line for line in printed(cell).splitlines() if line.startswith(("To do", "Not yet"))]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, nbformat.NotebookNode]:
    """The notebook's cells as run with the solutions, and checks of other answers beside them."""
    cells = []
    for cell in COURSE.cells:
        kind, _, exercise = cell.id.partition("-")
        if kind == "check":
            solution = CELLS[f"solution-{exercise}"].source
            for n, wrong in enumerate(["", *WRONG[exercise]]):
                answer = f"{solution}\n{wrong}" if wrong else CELLS[f"exercise-{exercise}"].source
                cells.append(new_code_cell(answer))
                refused = new_code_cell(cell.source, id=f"wrong-{exercise}-{n}")
                cells.append(refused)
            cells.append(new_code_cell(solution))
        if kind != "solution":
            cells.append(cell.copy())
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(EXAMPLES / "breast_cancer.csv", folder)
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=COURSE.metadata)
    with pytest.MonkeyPatch.context() as patch:
        # Nothing of the reader's own.
        for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
            patch.setenv(name, str(folder / name))
        NotebookClient(
            notebook, timeout=120, resources={"metadata": {"path": str(folder)}}
        ).execute()
    return {cell.id: cell for cell in notebook.cells}


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_check_passes_the_solution(
    exercise: str, tried: dict[str, nbformat.NotebookNode]
) -> None:
    assert printed(tried[f"check-{exercise}"]).startswith("Right.")


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_check_refuses_what_is_wrong_with_a_hint(
    exercise: str, tried: dict[str, nbformat.NotebookNode]
) -> None:
    todo, *wrong = [
        refusals(tried[f"wrong-{exercise}-{n}"]) for n in range(len(WRONG[exercise]) + 1)
    ]
    assert all(said.startswith("To do, above: replace the dots. Hint: ") for said in todo)
    assert len(todo) == CELLS[f"exercise-{exercise}"].source.count("= ...")
    assert all(len(said) == 1 and said[0].startswith("Not yet. Hint: ") for said in wrong)
    assert all(hint.endswith(".") for hint in [*todo, *(said[0] for said in wrong)])


def test_both_sides_of_each_metric_are_the_same_number(
    tried: dict[str, nbformat.NotebookNode],
) -> None:
    rows = printed(tried["seven-methods"]).splitlines()[1:]
    sides = [row.split()[1:] for row in rows]
    assert len(sides) == 7
    assert all(mean_loss == metric for mean_loss, metric in sides)


def test_every_picture_is_drawn(tried: dict[str, nbformat.NotebookNode]) -> None:
    drawing = {name for name, cell in CELLS.items() if cell.source.startswith("picture =")}
    drawing |= {name for name, cell in CELLS.items() if "\npicture =" in cell.source}
    drawn = {
        name
        for name, cell in tried.items()
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
    }
    assert drawn == drawing
    assert len(drawn) == 6


def shown(cell: nbformat.NotebookNode) -> list[str]:
    """The texts of a cell's output, and the kinds of its pictures."""
    kinds = [item for output in cell.outputs for item in output.get("data", {}).items()]
    # What is printed may come in several parts.
    return [
        printed(cell),
        *sorted(kind if kind.startswith("image") else text for kind, text in kinds),
    ]


def test_the_notebook_is_stored_with_the_outputs_of_a_run(
    tried: dict[str, nbformat.NotebookNode],
) -> None:
    # Where this fails because what is printed has changed, run examples/run_course.py.
    for name, cell in CELLS.items():
        kind, _, exercise = name.partition("-")
        if kind == "solution" or cell.cell_type != "code":
            assert not cell.get("outputs"), name
        else:
            run = tried[f"wrong-{exercise}-0" if kind == "check" else name]
            assert shown(cell) == shown(run), name


def test_exercises_have_checks_and_solutions() -> None:
    assert set(WRONG) == set(EXERCISES)
    assert {f"{kind}-{n}" for n in EXERCISES for kind in ("check", "solution")} <= set(CELLS)


def test_the_sections_are_those_of_the_table_and_take_an_hour() -> None:
    rows = re.findall(r"^\| (\d) \| (.+) \| (\d+) \|$", CELLS["title"].source, re.MULTILINE)
    for number, question, _ in rows:
        assert CELLS[f"section-{number}"].source.startswith(f"## {number}. {question}\n")
        assert f"| {number} | {question} |" in PAGE
    assert 50 <= sum(int(minutes) for *_, minutes in rows) <= 60


def test_the_text_says_what_the_data_do() -> None:
    names = ["logistic", "naive_bayes", "random_forest"]
    rows = cs.read_rows(EXAMPLES / "breast_cancer.csv", label="y_true", scores=names)
    tables = {name: cs.ScoreTable.from_rows(rows, name) for name in names}
    p = tables["logistic"].prevalence
    assert (len(rows.positive), rows.positive.sum(), round(100 * p)) == (569, 212, 37)
    # "The AUCs differ by a hundredth. The costs differ by a factor of six."
    aucs = [cs.auc(table) for table in tables.values()]
    assert max(aucs) - min(aucs) < 0.01
    known = cs.Deployment(fp_cost=1, fn_cost=(10, 100), prevalence=p)
    costs = [
        cs.expected_money(table, choice=cs.ScoreDriven(), conditions=known)
        for table in tables.values()
    ]
    assert round(max(costs) / min(costs)) == 6
    assert max(costs) > 1000 * (1 - p)
    # "With the best thresholds it costs little more than the others, and less below c = 1/70."
    best = cs.dominance(
        {name: cs.loss_curve(table, choice=cs.Optimal()) for name, table in tables.items()}
    )
    assert best.breaks == pytest.approx([0, 1 / 70, 1])
    assert best.best == (("naive_bayes",), ("logistic",))
    # "In the range that matters here, half of its lead is gone."
    skews = cs.skew_range(cost_ratio=(1 / 100, 1 / 10), prevalence=p)
    leads = [
        cs.relative_voros(tables["random_forest"], low=low, high=high)
        - cs.relative_voros(tables["naive_bayes"], low=low, high=high)
        for low, high in ((0, 1), (skews.low, skews.high))
    ]
    assert leads[1] / leads[0] == pytest.approx(0.5, abs=0.05)
