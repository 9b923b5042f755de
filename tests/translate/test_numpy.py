"""NumPy as the page has it gives NumPy's numbers: the same programs are run in both."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from numpy_programs import Draw, Name, Program, Tuple, as_text, call, mistakes, random_index
from playwright.sync_api import Page

Check = Callable[..., None]


@pytest.fixture(scope="module")
def check(page: Page) -> Check:
    """Run programs in both and compare what their names have in the end."""
    page.evaluate("import('/tests/translate/drive_numpy.mjs').then(m => window.answer = m.answer)")

    def compare(programs: list[Program], rel: float = 1e-14, absolute: float = 0.0) -> None:
        answers = json.loads(page.evaluate("text => window.answer(text)", as_text(programs)))
        wrong = [
            mistake
            for program, answer in zip(programs, answers, strict=True)
            for mistake in mistakes(program, answer, rel, absolute)
        ]
        assert not wrong, f"{len(wrong)} of {len(programs)}:\n" + "\n".join(wrong[:12])

    return compare


BINARY = "add subtract multiply divide floor_divide mod maximum minimum fmax fmin hypot"
COMPARED = "less less_equal greater greater_equal equal not_equal"
LOGIC = "logical_and logical_or bitwise_and bitwise_or bitwise_xor"
UNARY = (
    "negative absolute sqrt square exp expm1 log log1p cos sign floor ceil rint isnan isfinite "
    "isinf isneginf reciprocal"
)
SEEDS = pytest.mark.parametrize("seed", range(2))


@SEEDS
def test_functions_of_two_broadcast(check: Check, seed: int):
    draw, programs = Draw(seed), []
    for name in f"{BINARY} {COMPARED} {LOGIC} copysign nextafter".split():
        kinds = "bi" if name.startswith("bitwise") else "fibst"
        if name in {"hypot", "copysign", "nextafter"}:
            kinds = "fist"
        for _ in range(40):
            shape = draw.shape()
            a, b = draw.array(shape, kinds), draw.array(draw.stretched(shape), kinds)
            if name.startswith(("max", "min", "fmax", "fmin")):
                # Of two zeros NumPy takes either, as the processor has it.
                a, b = (np.asarray(x + 0) if x.dtype.kind == "f" else x for x in (a, b))
            if name in {"subtract", "floor_divide", "mod"}:
                a, b = (x.astype(int) if x.dtype.kind == "b" else x for x in (a, b))
            programs.append(call(name, *((a, b) if draw.rng.random() < 0.5 else (b, a))))
        programs += [call(name, np.zeros((2, 3), int), np.zeros(2, int))]
    for name in BINARY.split():
        for a in (3, 2.5, -0.5, np.nan):
            x = draw.array((4,), "fs")
            programs += [call(name, a, x), call(name, x, a)]
    for power in (
        0,
        1,
        2,
        3,
        0.5,
        -1,
        -2.5,
        np.inf,
        np.nan,
        np.array([2, 3, 4]),
        np.array([2.0, 0.5, -1]),
    ):
        programs += [call("power", draw.array((3,), kinds), power) for kinds in "ffst"]
    programs += [call("power", np.arange(-4, 5), k) for k in range(5)]
    programs += [call("power", base, np.arange(-3.0, 3)) for base in (2.0, 0.5, 10.0, -1.0)]
    programs += [call("divmod", draw.array((5,), k), draw.array((5,), k)) for k in "fsit"]
    programs += [call("left_shift", np.arange(5), 33), call("right_shift", np.arange(-9, 9), 1)]
    programs += [call("bitwise_and", np.array([2**40 + 5, -1]), np.array([2**40 + 3, 2**35]))]
    check(programs)


@SEEDS
def test_functions_of_one(check: Check, seed: int):
    draw, programs = Draw(seed), []
    for name in UNARY.split():
        kinds = "f" if name in {"reciprocal", "negative", "sign"} else "fib"
        kinds = "fi" if name in {"square", "floor", "ceil", "rint"} else kinds
        if name in {"exp", "expm1", "log", "log1p", "sqrt", "cos"}:
            kinds = "fi"
        for _ in range(10):
            programs.append(call(name, draw.array(kinds=kinds)))
            programs.append(call(name, draw.array((12,), "st")))
        programs.append(call(name, 2.5))
    programs += [call("invert", draw.array(kinds="bi")) for _ in range(8)]
    programs += [call("round", draw.array((9,), "fit"), k) for k in range(4)]
    check(programs)


def test_results_are_written_where_they_are_asked_for(check: Check):
    draw, programs = Draw(3), []
    for name in ["add", "subtract", "multiply", "divide", "maximum", "fmin"]:
        for _ in range(10):
            shape = draw.shape(int(draw.rng.integers(1, 4)))
            a, b, out = (
                draw.array(shape, "f"),
                draw.array(draw.stretched(shape), "f"),
                draw.array(shape, "f"),
            )
            mask = draw.array(draw.stretched(shape), "b")
            programs.append(
                [
                    ("out", "array", [out], {}),
                    ("found", name, [a, b], {"out": Name("out"), "where": mask}),
                    ("a", "array", [a], {}),
                    ("b", name, [Name("a"), b], {"out": Name("a")}),
                    ("a2", "inplace", [Name("a"), name, b], {}),
                ]
            )
    targets = (
        Tuple(slice(None), slice(1, None)),
        Tuple(1),
        Tuple(1, slice(1, 3)),
        Tuple(slice(None), 0),
        Tuple(slice(None, None, -2), slice(None, None, 2)),
    )
    programs += [
        [
            ("a", "array", [np.arange(12.0).reshape(3, 4)], {}),
            ("part", "getitem", [Name("a"), target], {}),
            ("x", "negative", [Name("part")], {"out": Name("part")}),
            ("y", "sqrt", [4.0 * np.ones(1)], {"out": Name("part"), "where": False}),
            ("part2", "getitem", [Name("part"), slice(None, 1)], {}),
            ("z", "inplace", [Name("part2"), "add", 0.5], {}),
        ]
        for target in targets
    ]
    programs.append(
        [
            ("a", "array", [np.arange(12.0).reshape(3, 4)], {}),
            ("t", "transpose", [Name("a")], {}),
            ("u", "getitem", [Name("t"), 1], {}),
            ("v", "setitem", [Name("u"), 0, 77.5], {}),
            ("w", "cumsum", [np.ones(3)], {"out": Name("u")}),
        ]
    )
    programs.append(
        [
            ("a", "array", [np.arange(6.0)], {}),
            ("late", "getitem", [Name("a"), slice(1, None)], {}),
            ("early", "getitem", [Name("a"), slice(None, -1)], {}),
            ("x", "add", [Name("late"), Name("early")], {"out": Name("late")}),
            ("flat", ".reshape", [Name("a"), [2, 3]], {}),
            ("y", ".fill", [Name("flat"), 3], {}),
            ("z", ".sort", [Name("late")], {}),
        ]
    )
    check(programs)


FOLDS = "add multiply subtract maximum minimum fmax fmin logical_and logical_or"


@SEEDS
def test_functions_of_two_run_along_an_axis(check: Check, seed: int):
    draw, programs = Draw(seed), []
    for name in FOLDS.split():
        for _ in range(15):
            a = draw.array(draw.shape(int(draw.rng.integers(1, 4)), 1), "fist")
            axis = int(draw.rng.integers(-a.ndim, a.ndim))
            n = a.shape[axis]
            starts = draw.rng.integers(0, n, int(draw.rng.integers(0, 4)))
            programs += [
                call(f"{name}.accumulate", a, axis=axis),
                call(f"{name}.reduceat", a, starts, axis),
                call(f"{name}.outer", a, draw.array((2,), "f")),
            ]
            programs.append(call(f"{name}.reduce", a, axis=axis, keepdims=draw.rng.random() < 0.5))
        at = draw.rng.integers(-5, 5, 9)
        programs.append(
            [
                ("a", "array", [np.arange(5.0)], {}),
                ("x", f"{name}.at", [Name("a"), at, draw.array((9,), "f")], {}),
                ("y", f"{name}.at", [Name("a"), draw.array((5,), "b"), 2.0], {}),
            ]
        )
        programs += [
            call(f"{name}.reduce", np.zeros((0, 2))),
            call(f"{name}.reduceat", np.ones(3), [1, 5]),
        ]
    programs += [call("add.reduce", draw.array((3, 4), "f"), axis=None)]
    programs += [call("maximum.reduce", draw.array((3, 4), "f"), initial=2.0)]
    check(programs, 1e-13)


REDUCING = "sum prod mean any all min max ptp count_nonzero argmin argmax"


@SEEDS
def test_reductions(check: Check, seed: int):
    draw, programs = Draw(seed), []
    for name in REDUCING.split():
        for _ in range(30):
            a = draw.array(kinds="fit" if name != "ptp" else "ft")
            if draw.rng.random() < 0.3:
                a = draw.array(draw.shape(2), "s" if name not in {"prod", "sum"} else "b")
            if name == "ptp" and a.dtype.kind == "b":
                a = a.astype(int)
            axis = draw.axis(a.ndim)
            named = {} if axis is None else {"axis": axis}
            if draw.rng.random() < 0.4:
                named["keepdims"] = True
            programs.append(call(name, a, **named))
            if name != "count_nonzero":
                programs.append(call(f".{name}" if name != "ptp" else "ptp", a, **named))
        if name in {"sum", "mean", "max", "min", "any"}:
            programs.append(call(name, draw.array((2, 3, 4), "f"), axis=(0, 2)))
            programs.append(call(name, draw.array((2, 3, 4), "f"), axis=(1, -1), keepdims=True))
            programs.append(call(name, np.zeros((0, 3))))
            programs.append(call(name, np.zeros((0, 3)), axis=0))
            programs.append(call(name, draw.array((2, 3), "f"), 5))
            programs.append(call(name, draw.array((2, 3), "f").tolist(), 0))
    for _ in range(10):
        a, mask = draw.array((3, 4), "fs"), draw.array((3, 4), "b")
        of_some = {"where": mask, "initial": 0.5, "axis": draw.axis(2)}
        programs += [call("max", a, **of_some), call("min", a, **of_some)]
        programs.append(call("cumsum", draw.array((3, 4), "f"), axis=draw.axis(2)))
        programs.append(call("sum", draw.array((3, 4), "f"), where=mask, axis=1))
        programs.append(call("average", draw.array((3, 4), "f"), axis=1, weights=np.arange(1, 5.0)))
        programs.append(call("average", draw.array((3, 4), "f"), axis=0, weights=np.arange(1, 4.0)))
        programs.append(call("average", draw.array((4,), "f"), weights=np.arange(4.0)))
    check(programs, 1e-12)


def test_sums_round_as_numpy_s(check: Check):
    draw, programs = Draw(4), []
    for n in (1, 7, 8, 9, 127, 128, 129, 1000, 1003, 5000):
        a = draw.rng.normal(size=n)
        programs += [call("sum", a), call("mean", a), call("cumsum", a)]
    for shape in ((300, 3), (3, 300), (2, 200, 2), (200, 1)):
        a = draw.rng.normal(size=shape)
        programs += [call("sum", a, axis=axis) for axis in (None, *range(len(shape)))]
        programs += [call("mean", a, axis=axis) for axis in range(len(shape))]
    check(programs, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_indices_of_all_kinds(check: Check, seed: int):
    draw, programs = Draw(seed), []
    for _ in range(400):
        a = draw.array(draw.shape(int(draw.rng.integers(1, 4))))
        index = random_index(draw, a.shape)
        programs.append(call("getitem", a, index))
        real = tuple(index.parts) if isinstance(index, Tuple) else index
        try:
            shape = np.shape(a[real])
        except IndexError:
            continue
        # Of places that repeat, which value stays is nobody's promise.
        numbers = np.arange(a.size).reshape(a.shape)[real]
        if len(np.unique(numbers)) < np.size(numbers):
            continue
        value = draw.array(draw.stretched(shape), a.dtype.kind if a.dtype.kind != "f" else "fib")
        programs.append([("a", "array", [a], {}), ("x", "setitem", [Name("a"), index, value], {})])
        programs.append([("a", "array", [a], {}), ("x", "setitem", [Name("a"), index, 1], {})])
    a = np.arange(12.0).reshape(3, 4)
    wrong = (3, -4, Tuple(0, 4), [0, 3], np.ones(4, bool), Tuple(0, 0, 0), 1.5)
    programs += [call("getitem", a, index) for index in wrong]
    programs.append([("x", "setitem", [a, 0, np.ones(3)], {})])
    programs += [
        call("getitem", a, [0, 2]),
        call("getitem", a, []),
        call("getitem", a, [True, False, True]),
    ]
    check(programs)


def test_arrays_are_made_of_shapes_and_values(check: Check):
    draw, programs = Draw(5), []
    for n in (0, 1, 2, 5, 50):
        programs += [call("linspace", 0.1, 2.7, n), call("linspace", -1.5, 3.3, n, endpoint=False)]
        programs += [call("linspace", 5.5, 5.5, n), call("linspace", np.array([0.5, 1]), 3.25, n)]
        programs += [call("linspace", 0, n, n)]
        programs += [call("arange", n), call("arange", n, 0, -1), call("arange", 0.5, n, 0.3)]
        programs += [call("zeros", n), call("ones", [2, n]), call("full", [n, 2], 2.5)]
        programs += [
            call("zeros", n, dtype=int),
            call("ones", n, bool),
            call("full", n, 3, dtype=float),
        ]
        programs += [call("ones", n, "f8"), call("zeros", n, "int64")]
    for _ in range(20):
        a = draw.array()
        b = draw.array(draw.shape(int(draw.rng.integers(1, 4))), "fib")
        programs += [call(f"{name}_like", a) for name in ("zeros", "ones")]
        programs += [call("full_like", a, 1), call("full_like", a, 2.5, dtype=float)]
        programs += [call("repeat", b, 2, axis=draw.axis(b.ndim)), call("repeat", b, 3)]
        programs.append(call("repeat", b, draw.rng.integers(0, 4, b.shape[0]), 0))
        programs += [call(".astype", draw.array(kinds="fibt"), t) for t in (float, int, bool)]
        programs += [
            call("atleast_1d", a),
            call("ravel", a),
            call(".tolist", a),
        ]
        programs += [call("array", a, ndmin=2), call("asarray", a.tolist(), float)]
        programs += [call("tile", b, 2), call("tile", b, [2, 1, 3])]
        programs += [call("nonzero", b), call("flatnonzero", b)]
        programs += [call("transpose", a)]
        programs += [
            call("reshape", b, [-1, 1]),
            call("reshape", b, b.size),
        ]
        programs += [
            call("broadcast_to", b, [2, *b.shape]),
            call("diff", b),
            call("diff", b.astype(float), axis=0),
        ]
        shape = draw.shape()
        pair = [draw.array(draw.stretched(shape)), draw.array(shape)]
        programs += [
            call("broadcast_arrays", *pair),
            call("broadcast_shapes", *(x.shape for x in pair)),
        ]
        mask = draw.array(draw.stretched(shape), "bf")
        programs += [call("where", mask, *pair), call("where", mask, *pair[::-1])]
        programs += [call("where", b), call("where", draw.array((3,), "b"), 1.5, np.arange(3))]
        x = draw.array((4,), "f")
        programs += [
            call("clip", a, -0.5, 0.5),
            call("clip", a, None, 1),
            call("clip", x, x[::-1], 1.5),
        ]
        programs += [
            call(".clip", x, 0),
            call("diff", x, append=1.5),
            call("diff", x, prepend=0, n=2),
        ]
        programs += [call("diff", draw.array((2, 3), "f"), append=7, axis=1)]
        programs += [call("meshgrid", x, x[:2], indexing=how) for how in ("ij", "xy")]
        programs += [call("outer", x, x[:2])]
    programs += [
        call("array", [1, 2.5]),
        call("array", [True, 2]),
        call("array", []),
        call("array", 3),
    ]
    programs += [call("array", [[1], [2, 3]]), call("array", ["b", "a"]), call("array", ["x", 1])]
    programs += [call("asarray", ["1.5", "2"], float), call("asarray", ["x"], float)]
    programs += [call("reshape", np.arange(6), [4, 2])]
    check(programs, 4e-15)


def test_arrays_are_joined_and_taken_apart(check: Check):
    draw, programs = Draw(6), []
    for _ in range(40):
        shape = draw.shape(int(draw.rng.integers(1, 4)))
        axis = int(draw.rng.integers(-len(shape), len(shape)))
        parts = [draw.array(shape) for _ in range(3)]
        parts[1] = np.concatenate([parts[1], parts[1]], axis)
        programs += [call("concatenate", parts, axis=axis), call("concatenate", parts, axis=None)]
        parts = [draw.array(shape) for _ in range(3)]
        programs += [call("stack", parts, axis=axis), call("stack", parts)]
        programs += [
            call("append", parts[0], parts[1]),
            call("append", 0, parts[0]),
        ]
        programs += [call("append", parts[0], parts[1], axis=axis)]
        a = draw.array((6, 3), "f")
        programs += [call("split", a, 3), call("array_split", a, 4), call("split", a, [1, 4])]
        programs += [
            call("split", a, 3, axis=1),
            call("split", a, 4),
            call("array_split", a[:, 0], 9),
        ]
        x, at = draw.array((5,), "f"), draw.rng.integers(-5, 5, 3)
        programs += [
            call("take", a, at, axis=0),
            call("take", x, at),
            call("take", a, [0, 2], axis=1),
        ]
        programs += [call("take", x, [-9, 9, 2], mode=mode) for mode in ("clip", "wrap", "raise")]
        programs += [
            call("compress", [True, False, True], x),
            call("compress", draw.array((6,), "b"), a, axis=0),
        ]
        programs += [call("count_nonzero", a > 0, axis=0)]
    programs += [call("concatenate", [np.ones(2), np.ones((2, 2))]), call("concatenate", [])]
    programs += [call("stack", [np.ones(2), np.ones(3)]), call("concatenate", [["a"], ["b", "c"]])]
    check(programs)


@SEEDS
def test_sorting_and_searching(check: Check, seed: int):
    draw, programs = Draw(seed), []
    many = [draw.array((n,), kinds) for n in (255, 256, 1000, 3000) for kinds in "fst"]
    for a in [
        draw.array(draw.shape(int(draw.rng.integers(1, 4))), "fsti") for _ in range(40)
    ] + many:
        axis = int(draw.rng.integers(-a.ndim, a.ndim))
        programs += [
            call("sort", np.abs(a), axis=axis),
            call("argsort", a, axis=axis, kind="stable"),
        ]
        programs += [call("sort", np.abs(a)), call("sort", np.abs(a), axis=None)]
        flat = a.ravel()
        programs.append(call("lexsort", [flat, np.round(flat), flat > 0]))
        unique = flat + 0.0
        programs += [
            call("unique", np.abs(a), return_index=True, return_inverse=True, return_counts=True),
            call("unique", np.abs(flat)),
            call("unique", np.abs(flat), return_inverse=True),
            call("union1d", np.abs(unique), draw.array((3,), "f")),
        ]
        known = np.sort(flat)
        needles = draw.array(draw.shape(), "fsti")
        for v in (needles, np.sort(draw.array((60,), "fst")), 0.5, np.nan, known):
            programs += [call("searchsorted", known, v, side=side) for side in ("left", "right")]
        programs.append(call("searchsorted", flat, 0.5, sorter=np.argsort(flat, kind="stable")))
        places = draw.rng.integers(0, 6, 9)
        programs += [call("bincount", places), call("bincount", places, minlength=9)]
        programs += [call("bincount", places, draw.array((9,), "f"), 3)]
    table = draw.rng.integers(0, 2, (9, 3))
    programs += [call("unique", table, axis=0), call("unique", table, axis=0, return_inverse=True)]
    programs += [call("unique", table.astype(float), axis=0, return_index=True, return_counts=True)]
    programs += [call("unique", np.array(["b", "a", "b"]), return_inverse=True)]
    programs += [call("searchsorted", np.array(["a", "b"]), np.array(["b", "c", "a"]))]
    x = np.sort(draw.array((7,), "f"))
    at = np.concatenate([x, draw.array((9,), "f"), [np.nan, np.inf]])
    programs += [call("bincount", [-1]), call("array_equal", x, x), call("array_equal", x, at)]
    programs += [
        call("allclose", x, x + 1e-9),
        call("isclose", at, at),
        call("isclose", at, at, equal_nan=True),
    ]
    programs += [call("argmax", np.array([1, np.nan, 5, np.nan])), call("argmin", [])]
    check(programs, 1e-14, 1e-300)


def test_products_and_polynomials(check: Check):
    draw, programs, loose = Draw(7), [], []
    for _ in range(20):
        shapes = [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((3,), (3, 4)),
            ((2, 3), (3, 4)),
            ((5, 2, 3), (3, 4)),
        ]
        for one, two in [
            *shapes,
            ((5, 2, 3), (5, 3, 1)),
            ((0, 3), (3, 2)),
            ((2, 0), (0, 2)),
            ((2,), (3,)),
        ]:
            loose.append(call("matmul", draw.array(one, "fi"), draw.array(two, "fi")))
        b = draw.array((4,), "f")
        loose.append(call("polynomial.chebyshev.chebval", draw.rng.uniform(-1, 1, 5), b))
        loose.append(call("polynomial.chebyshev.chebder", b))
    programs += [call("polynomial.legendre.leggauss", n) for n in (1, 2, 3, 8, 16, 31, 64)]
    check(loose, 1e-9, 1e-9)
    # NumPy's own weights near the ends are not closer to the true ones.
    check(programs, 2e-12, 1e-16)


def test_text_and_fractions_in_lists_of_whole_numbers(check: Check):
    words = np.array(["b", "a", "b", "c"])
    programs = [
        call("getitem", words, slice(None, None, -1)),
        call("getitem", words, np.array([True, False, True, False])),
        call("equal", words, "b"),
        call("less", words, words[::-1].copy()),
        call("where", words == "b", words, "x"),
        call("concatenate", [words, words]),
        call("unique", words, return_index=True, return_counts=True),
        call("sort", words),
        call("argsort", words, kind="stable"),
        call("asarray", words.reshape(2, 2)),
        call(".tolist", words.reshape(2, 2)),
        call("array_equal", words, words),
        [("a", "array", [words], {}), ("x", "setitem", [Name("a"), words == "b", "z"], {})],
        [
            ("a", "array", [[0.0, 1.0, 2.0]], {}),
            ("part", "getitem", [Name("a"), slice(1, None)], {}),
            ("x", "setitem", [Name("part"), 0, 0.5], {}),
            ("half", "multiply", [Name("a"), 0.5], {}),
        ],
        [
            ("a", "full", [3, 1.0], {}),
            ("x", "inplace", [Name("a"), "multiply", np.array([0.5, 1, np.nan])], {}),
        ],
    ]
    check(programs)
