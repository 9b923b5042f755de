"""What importing costspace costs, which way its modules point, and what its names promise.

CONTRIBUTING says some of it to those who extend costspace; it says the same.
"""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from public_names import PUBLIC, ROOMS, TOP

import costspace as cs

SOURCE = Path(cs.__file__).parent
CONTRIBUTING = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
# Each layer may import the ones before it; the last ones, the outer ring, anything in the core.
LAYERS = [
    *("deferral", "digits", "threads", "notebook", "errors", "names", "arrays", "single", "output"),
    "checks",
    *("condition", "ranges"),
    *("special", "quadrature", "costs"),
    *("deployment", "roc", "curve", "samples", "scores", "summaries", "predictions"),
    *("influences", "choices", "decomposition", "pointwise"),
    *("transform", "metrics", "comparison", "estimates", "bands", "resampling", "evaluation"),
    "decision",
    "watching",
    "gate",
]
# The same of what is in `decision`.
DECISION = [
    *("words", "rules", "money", "held_out", "limits", "strategy", "task", "asking", "fitting"),
    *("evidence", "sentences", "recommendation"),
    *("record", "applying", "decision", "deciding", "comparing"),
]
RING = ["frames", "plots", "sklearn", "report", "mlflow", "cli"]
HEAVY = {
    *("scipy.stats", "scipy.optimize", "pandas", "polars", "sklearn", "matplotlib", "duckdb"),
    *("rich", "cyclopts", "narwhals", "pyarrow", "dask", "distributed", "pyspark", "mlflow"),
}
# The one name of the ring that is at the top level, too.
OUTWARD = {("costspace", "costspace.frames.files")}
# Lazy imports of a core module, by what they bring.
LAZY = {("costspace.roc.hull", "scipy.optimize")}
# Records that functions return.
RECORDS = {
    *("ClassParts", "Dominance", "Envelope", "Hybrid", "LossesAt", "ScoreIntervals"),
    *("SignIntervals", "SmoothPath"),
    *("ContingencyTable", "CostLines", "EqualCostPoints", "Evaluation", "Isometric"),
    *("ModelEvaluation", "OperatingPath", "OperatingPoints", "Partition", "RocSurface"),
    *("MeanCosts", "TrivialCosts"),
    *("CellSums", "ScoreCounts", "Bounds", "ModelBounds"),
    *("ChoiceGuide", "Concavities", "ReasonableChoice", "ScoreMap", "SkewRange"),
    *("Reached", "ThresholdPath", "Violations"),
    *("Actions", "SavedDecision"),
    *("DecisionCurve", "EconomicValueCurve", "GainCurve", "ReviewCurve"),
    *("HeldOutCounts", "HeldOutRows", "HeldOutScores"),
    *("CalibrationTest", "Estimate", "ModelComparison", "ModelDifference"),
    *("Change", "Drift", "MoneyDrift", "ScoreShift"),
    *("Look", "MeanSequence"),
    *("ChangesBySegment", "KeptBySegment", "SegmentChanges", "SegmentKept"),
    *("MoneyComparison", "MoneyDifference"),
    *("Count", "MoneyEvidence", "Outcomes", "StrategyMoney"),
    *("MoneyBySegment", "SegmentMoney"),
    *("CrossingIntervals", "GainBand", "LossBand", "ThresholdInterval"),
    "Bootstrap",
}


def module_name(path: Path) -> str:
    parts = ("costspace", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text())


@cache
def imports(name: str) -> tuple[str, ...]:
    """The modules that a module's code names in imports, lazy ones and type checking's too."""
    return tuple(_imports(name))


def _imports(name: str) -> Iterator[str]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def layer(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def is_core(name: str) -> bool:
    return layer(name) not in RING


CORE = [name for name in MODULES if is_core(name)]


def modules_loaded_by(code: str) -> set[str]:
    code = f"import sys; {code}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def outside(loaded: set[str]) -> set[str]:
    """The packages among modules that neither Python nor costspace brings."""
    return {name.partition(".")[0] for name in loaded} - {"costspace", *sys.stdlib_module_names}


def test_importing_costspace_loads_nothing() -> None:
    loaded = modules_loaded_by("import costspace") - modules_loaded_by("pass")
    assert {name for name in loaded if layer(name)} & set(MODULES) == {"costspace.deferral"}
    assert not outside(loaded)


SCORES = "import costspace as cs; y, s = [0, 1] * 100, [0.2, 0.4, 0.6, 0.8] * 50"


@pytest.mark.parametrize(
    "call",
    [
        *("cs.auc(y, s)", "cs.evaluate(y, s)", "cs.expected_loss(y, s, choice=cs.Optimal())"),
        "cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1)",
    ],
)
def test_what_everyday_use_calls_needs_numpy_only(call: str) -> None:
    loaded = modules_loaded_by(f"{SCORES}; {call}")
    assert outside(loaded - modules_loaded_by("import numpy.random")) <= {"numpy"}


def test_evaluating_a_file_loads_nothing_that_decides(tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    file.write_text("y,s\n0,0.2\n1,0.7\n")
    code = "from costspace_command import main; import sys; "
    code += f"sys.argv = ['costspace', 'evaluate', {str(file)!r}, '--label', 'y', '--score', 's']; "
    loaded = modules_loaded_by(code + "main()")
    assert "costspace.evaluation.computing" in loaded
    words = {"costspace.decision", "costspace.decision.words"}
    assert {name for name in loaded if name.startswith("costspace.decision")} <= words
    assert not loaded & {
        "costspace.deployment.review",
        "costspace.deployment.panels",
        "numpy.random",
    }


def test_the_core_is_light() -> None:
    loaded = modules_loaded_by(f"import {', '.join(CORE)}")
    assert set(CORE) <= loaded
    assert not {name for name in loaded for heavy in HEAVY if f"{name}.".startswith(f"{heavy}.")}
    assert not {name for name in loaded if layer(name) in RING and name.startswith("costspace.")}
    assert outside(loaded - modules_loaded_by("import numpy.random")) <= {"numpy"}


def test_every_module_has_a_layer() -> None:
    assert {layer(name) for name in MODULES} <= {"", *LAYERS, *RING}


def points_backwards(name: str, imported: str) -> bool:
    if imported == "costspace":
        # The package that imports it.
        return not is_core(name)
    if not imported.startswith("costspace."):
        return True
    order = [*LAYERS, *RING]
    return imported in MODULES and order.index(layer(imported)) <= order.index(layer(name))


def test_imports_point_backwards() -> None:
    pairs = ((name, imported) for name in MODULES if layer(name) for imported in imports(name))
    assert [pair for pair in pairs if not points_backwards(*pair)] == []


def test_imports_of_decision_point_backwards() -> None:
    inside = "costspace.decision."
    places = {name: name.removeprefix(inside).split(".")[0] for name in MODULES}
    own = [name for name in MODULES if name.startswith(inside)]
    assert {places[name] for name in own} == set(DECISION)
    for name in own:
        for other in imports(name):
            if other.startswith(inside):
                assert DECISION.index(places[other]) <= DECISION.index(places[name]), (name, other)


def test_no_imports_in_a_circle() -> None:
    graph = {
        name: {other for other in imports(name) if other in MODULES and other != name}
        for name in MODULES
    }
    while graph:
        leaves = {name for name, needs in graph.items() if not needs & set(graph)}
        assert leaves, f"a circle among {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in leaves}


@cache
def core_imports() -> list[tuple[str, str]]:
    return [(name, imported) for name in CORE for imported in imports(name)]


def test_the_core_needs_numpy_and_light_scipy_only() -> None:
    light = {"numpy", "scipy", "costspace", *sys.stdlib_module_names}
    assert [pair for pair in core_imports() if pair[1].partition(".")[0] not in light] == []
    assert {pair for pair in core_imports() if pair[1] in HEAVY} <= LAZY


def test_the_core_does_not_reach_outward() -> None:
    own = {pair for pair in core_imports() if pair[1].startswith("costspace.")}
    assert {pair for pair in own if not is_core(pair[1])} <= OUTWARD


def test_lazy_imports_are_inside_functions() -> None:
    for name, _ in LAZY:
        top = tree(name).body
        named = {
            node.module for node in top if isinstance(node, ast.ImportFrom) and node.module
        } | {alias.name for node in top if isinstance(node, ast.Import) for alias in node.names}
        assert not named & HEAVY


def public(name: str) -> Any:
    return PUBLIC[name]


def is_exception(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def test_the_top_level_has_what_everyday_use_needs() -> None:
    assert sorted(dir(cs)) == sorted(set(cs.__all__))
    assert len(TOP) <= 110
    defined = {name for name in vars(cs) if not name.startswith("_")}
    rooms = {name for name in defined if isinstance(getattr(cs, name), ModuleType)}
    # What defers the others is there too.
    assert defined - rooms == {*TOP, "TYPE_CHECKING", "deferred"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_public_name_means_one_thing(room: str) -> None:
    names = ROOMS[room].__all__
    assert sorted(names) == sorted(set(names))
    for name in names:
        assert getattr(ROOMS[room], name) is PUBLIC[name]


def lacks(name: str) -> Iterator[str]:
    """What a docstring does not have."""
    value = public(name)
    text = inspect.getdoc(value) or ""
    if not re.match(r".*[.:]$", text, re.MULTILINE):
        yield "a sentence"
    if is_exception(value):
        return
    if name == "ScoredRows":
        text = inspect.getdoc(value.from_predictions) or ""
    if not re.search(r"^Examples\n-+\n(.*\n)*>>> ", text, re.MULTILINE):
        yield "examples"
    for section in ("Parameters", "Returns") if inspect.isfunction(value) else ():
        if not re.search(rf"^{section}\n-+$", text, re.MULTILINE):
            yield section


def test_docstrings() -> None:
    assert [(name, lack) for name in PUBLIC for lack in lacks(name)] == []


CALLABLE = [name for name, value in PUBLIC.items() if callable(value) and not is_exception(value)]


def test_help_names_types_as_the_code_does() -> None:
    # Where annotations are evaluated, ArrayLike is a union that fills a screen.
    signatures = {name: str(inspect.signature(public(name))) for name in CALLABLE}
    assert {name for name, text in signatures.items() if "numpy._typing" in text} == set()


def test_records_say_what_they_hold() -> None:
    texts = {name: inspect.getdoc(public(name)) or "" for name in RECORDS}
    assert {name for name, text in texts.items() if "Attributes\n----------" not in text} == set()


def hides(name: str) -> bool:
    package, _, module = name.rpartition(".")
    return bool(package) and inspect.isfunction(
        getattr(importlib.import_module(package), module, None)
    )


def test_no_module_hides_a_function_of_its_package() -> None:
    assert [name for name in MODULES if hides(name)] == []


def test_every_module_says_what_it_is() -> None:
    assert [name for name in MODULES if not ast.get_docstring(tree(name))] == []


CLASSES = [name for name, value in PUBLIC.items() if inspect.isclass(value)]


def test_concrete_classes_are_final() -> None:
    final = {name for name in CLASSES if getattr(public(name), "__final__", False)}
    assert final == {
        name
        for name in CLASSES
        if not inspect.isabstract(public(name)) and not is_exception(public(name))
    }


def test_one_abstract_class_for_each_open_axis() -> None:
    abstract = {name for name in CLASSES if inspect.isabstract(public(name))}
    assert abstract == {
        *("ThresholdChoice", "CostDistribution", "ScoreSource", "LossCurve", "JointConditions"),
    }


@pytest.mark.parametrize("name", ["ThresholdChoice", "CostDistribution", "ScoreSource"])
def test_contributing_names_all_that_is_to_be_answered(name: str) -> None:
    asked = public(name).__abstractmethods__
    assert {one for one in asked if not re.search(rf"`{one}[(`]", CONTRIBUTING)} == set()


def test_contributing_has_the_layers() -> None:
    (block,) = re.findall(r"```text\n(.*?)```", CONTRIBUTING, re.DOTALL)
    core, ring = (re.findall(r"\w+", part) for part in block.split("|"))
    assert (core, ring) == (LAYERS, RING)


def test_no_test_folder_is_a_package() -> None:
    assert not list(Path(__file__).parent.rglob("__init__.py"))


def definitions() -> Iterator[tuple[str, str]]:
    """The classes and names of types that modules define, and where."""
    for module in MODULES:
        for node in tree(module).body:
            names = []
            if isinstance(node, ast.ClassDef):
                names = [node.name]
            elif isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation):
                names = [ast.unparse(node.target)]
            elif isinstance(node, ast.Assign) and "TypeVar(" in ast.unparse(node.value):
                names = [ast.unparse(target) for target in node.targets]
            yield from ((name, module) for name in names if len(name) > 1)


def test_a_name_of_a_type_means_one_thing() -> None:
    found: dict[str, list[str]] = {}
    for name, module in definitions():
        found.setdefault(name, []).append(module)
    assert not {name: where for name, where in found.items() if len(where) > 1}
