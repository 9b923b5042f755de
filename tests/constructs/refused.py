"""What the translator does not write: it says so, and writes nothing else."""

# Written as the package does not, too.
# ruff: noqa: PLW0120, PTH123, RUF059


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
