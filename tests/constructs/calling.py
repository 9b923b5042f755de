"""Functions, their arguments, and what is bound when."""

# Written as the package does not, too.
# ruff: noqa: C416, PERF401, PIE804, UP033

from functools import cache, lru_cache, partial

CALLS: list[int] = []
SIZES = {"small": 1, "large": 10}
SIZES["small"] += 1
FIRST, SECOND = 3, 4


def _all_kinds(a, b=2, *rest, c, d=4, **others):
    return [a, b, list(rest), c, d, list(others.items())]


def _packed(*rest, c=4):
    return [*rest, c]


def all_kinds(x):
    given = [x, 7, 8]
    return [
        _all_kinds(x, c=1),
        _all_kinds(x, 5, 6, 7, c=1, d=2, e=3),
        _all_kinds(c=1, a=x, b=0),
        _packed(*given),
        _packed(0, *given, c=x),
    ]


def _two(a, /, b=2, *, c=3):
    return [a, b, c]


def two(x):
    pair = [x, 5]
    return [_two(x), _two(x, c=1), _two(*pair), _two(*pair, c=7), _two(x, **{"c": 4, "b": 1})]


def defaults_are_found_when_made(x):
    made = []
    for k in range(3):

        def inner(y, k=k, *, twice=2 * k):
            return [y, k, twice, x]

        made.append(inner)
    return [one(9) for one in made] + [made[1](1, 2), made[1](1, twice=0)]


def names_are_looked_up_late(x):
    functions = []
    for k in range(3):
        functions.append(lambda: k + x)  # noqa: B023
    return [one() for one in functions] + [one() for one in [lambda: j for j in range(3)]]  # noqa: B023


def shadowed(x):
    def inner(x):
        return [x for x in x if x > 1]

    found = [x for x in range(x)]
    return [found, x, inner([1, 2, 3]), [[x for x in range(x)] for x in range(3)]]


def partials(x):
    by_place, by_name = partial(_two, x), partial(_two, x, c=8)
    nested = partial(partial(_two, b=6), x)
    return [by_place(1), by_place(1, c=2), by_name(), by_name(3), by_name(c=1), nested()]


@cache
def _counted(x):
    CALLS.append(x)
    return x * 2


@lru_cache(maxsize=None)
def _told(x, y):
    CALLS.append(y)
    return x + y


def kept(x):
    start = len(CALLS)
    found = [_counted(x), _counted(x), _counted(x + 1), _told(x, 1), _told(x, 1)]
    return [found, len(CALLS) - start]


def constants(x):
    return [SIZES["small"] + x, SIZES["large"], FIRST, SECOND]


def values_of_functions(x):
    chosen = {"twice": _counted, "kinds": _two}
    return [chosen["twice"](x), chosen["kinds"](x, c=5), list(map(_counted, [1, x]))]


def returned_early(x):
    for k in range(10):
        if k * x > 7:
            return k
        if k == 8:
            break
    while x > 0:
        x -= 3
        if x % 2:
            continue
        return [x]
    return None


RUN = {
    "all_kinds": [[1]],
    "two": [[1]],
    "defaults_are_found_when_made": [[4]],
    "names_are_looked_up_late": [[10]],
    "shadowed": [[4]],
    "partials": [[1]],
    "kept": [[3], [3], [9]],
    "constants": [[1]],
    "values_of_functions": [[6]],
    "returned_early": [[0], [1], [2], [-4]],
}
