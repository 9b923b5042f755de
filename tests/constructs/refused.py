"""What the translator does not write: it says so, and writes nothing else."""

# Written as the package does not, too.
# ruff: noqa: PLW0120, PTH123, RUF059

import json
from math import gcd

import numpy as np


def loop_with_else(x):
    for k in range(x):
        if k == 2:
            break
    else:
        return "all"
    return "some"


def while_with_else(x):
    while x > 0:
        x -= 1
    else:
        return "all"
    return "some"


def star_in_the_middle(x):
    first, *middle, last = range(x)
    return middle


def opened(x):
    with open(x) as file:
        return file.read()


def generator_inside(x):
    def inner():
        yield x

    return list(inner())


def no_such_argument(x):
    return refused(x, b=3)


def refused(x):
    return x


def places_that_are_not_known(x):
    return _gathering(*x, c=1)


def names_that_are_not_known(x):
    return _gathering(1, **x)


def _gathering(a, *rest, c):
    return [a, *rest, c]


def no_such_function(x):
    return np.histogram([x, 1])


def no_such_function_of_a_module(x):
    return np.linalg.qr([[x]])


def no_random_numbers(x):
    return np.random.default_rng(x).permutation(3)


def no_such_method(x):
    return np.asarray(x).tofile("x")


def no_such_part(x):
    return np.finfo(float).machep + x


def no_method_of_its_kind(x: np.ndarray):
    return x.items()


def no_argument_of_a_name(x):
    return np.sum([x, 1], axes=0)


def no_argument_of_a_method_s_name(x):
    return np.asarray(x).sum(axes=0)


def no_argument_of_a_builtin_s_name(x):
    return round(x, ndigits=2)


def no_such_builtin(x):
    return memoryview(x)


def no_such_function_of_python_s(x):
    return gcd(x, 2)


def no_such_library(x):
    return json.dumps(x)


ALL = (
    loop_with_else,
    while_with_else,
    star_in_the_middle,
    opened,
    generator_inside,
    no_such_argument,
    places_that_are_not_known,
    names_that_are_not_known,
)

# What neither the program nor the page's runtime has, and how the translator calls it.
UNKNOWN = {
    no_such_function: "np.histogram",
    no_such_function_of_a_module: "np.linalg.qr",
    no_random_numbers: "np.random.default_rng",
    no_such_method: "tofile",
    no_such_part: "machep",
    no_method_of_its_kind: "items",
    no_argument_of_a_name: "np.sum takes no axes",
    no_argument_of_a_method_s_name: "sum takes no axes",
    no_argument_of_a_builtin_s_name: "round takes no ndigits",
    no_such_builtin: "memoryview",
    no_such_function_of_python_s: "gcd",
    no_such_library: "json",
}
