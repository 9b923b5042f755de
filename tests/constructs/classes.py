"""Classes: what they are made of, what they inherit, and what they have once."""

# Written as the package does not, too.
# ruff: noqa: RUF012

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple


class Place(NamedTuple):
    """A tuple whose parts have names."""

    row: int
    column: int = 5

    @property
    def total(self):
        return self.row + self.column


def named_tuples(x):
    place = Place(x)
    row, column = place
    other = Place(column=1, row=2)
    same = [other == (2, 1), (2, 1) == other, other == Place(2, 1), other == place]  # noqa: SIM300
    return [row, column, place[0], place[-1], place.total, [*other], len(place), same]


class Shape(ABC):
    """What has an area."""

    kind = "shape"
    alike = {"a": 1}

    @property
    @abstractmethod
    def area(self): ...

    def named(self, *, size=1):
        return f"{self.kind} of {size * self.area}"

    def described(self):
        return f"<{self.named(size=2)}>"

    @classmethod
    def of(cls, *sides):
        return cls(*sides)

    @staticmethod
    def doubled(x):
        return 2 * x


@dataclass(frozen=True)
class Square(Shape):
    """A field, and a property found from it."""

    side: float
    notes: list = field(default_factory=list)
    kind = "square"

    def __post_init__(self):
        if self.side < 0:
            raise ValueError(f"a side of {self.side}")

    @cached_property
    def area(self):
        self.notes.append("found")
        return self.side**2

    def described(self):
        return super().described() + "!"


@dataclass(frozen=True)
class Given(Shape):
    """Its field stands for the property of the class that it extends."""

    area: float = 3


def shapes(x):
    one, two = Square(x), Square(side=x, notes=[])
    return [
        [one.area, one.area, one.notes, one.described()],
        [Given().named(), Given(7).described(), Square.of(2).area, one.doubled(4)],
        [one == two, Square(1) == Square(1), Square(1) == Given(1), one.alike["a"]],
        [replace(one, side=3).area, replace(two, notes=[1]).notes],
        str(Given(2)),
    ]


def made_wrongly(x):
    try:
        return Square(x).side
    except ValueError as error:
        return str(error)


class Counted:
    """What is not made by fields."""

    def __init__(self, start, *more, step=1):
        self.count = start + sum(more)
        self.step = step

    def __call__(self, times=1):
        self.count += times * self.step
        return self.count

    def __len__(self):
        return self.count

    def __contains__(self, x):
        return x < self.count

    def __getitem__(self, x):
        return self.count * x

    def __iter__(self):
        yield self.count
        yield from (self.step, 0)

    def __add__(self, other):
        return Counted(self.count + len(other), step=self.step)

    def __eq__(self, other):
        return self.count == other.count

    def __bool__(self):
        return self.count > 3

    __hash__ = None


def behaving(x):
    one = Counted(x, 1, 1, step=2)
    both = one + Counted(1)
    found = [one(), one(times=3), len(one), 5 in one, 50 in one, one[3], list(one), len(both)]
    truth = "yes" if Counted(3) else "no"
    return [found, truth, Counted(4) == Counted(2, 2), Counted(4) != Counted(4), not Counted(9)]


class Loud:
    """Mixed in."""

    volume = 11

    def said(self):
        return f"{self.text()}!" * self.times

    def text(self):
        return "loud"

    @property
    def times(self):
        return 2


class Named:
    """The first of two."""

    def text(self):
        return "named"


class Both(Named, Loud):
    """The first of both tells."""


class Third(Both):
    """Extends a class of two."""

    def text(self):
        return super().text() + str(self.volume)

    shown = text


def mixed(x):
    return [Both().said(), Third().said(), Third().shown(), isinstance(Both(), Loud), Both().volume]


def methods_as_values(x):
    one = Square(x)
    named = one.named
    return [named(), named(size=3), [f(2) for f in (one.doubled, Square.doubled)]]


RUN = {
    "named_tuples": [[3]],
    "shapes": [[2]],
    "made_wrongly": [[1], [-1]],
    "behaving": [[1]],
    "mixed": [[0]],
    "methods_as_values": [[2]],
}
