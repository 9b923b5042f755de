"""Terms of SQL: the names, numbers and texts of each dialect, and arithmetic on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from costspace.arrays import FrozenDict
from costspace.errors import ConditionError, brief


@final
@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How an engine writes what it has in common with others."""

    double: str = "DOUBLE"
    text: str = "VARCHAR"
    quote: str = '"'  # around names
    # Of texts, what stands for some characters of theirs.
    escapes: Mapping[str, str] = field(default_factory=lambda: FrozenDict({"'": "''"}))
    number: str = "{}"  # how a literal of 64 bits is written
    nan: str = "isnan({})"  # whether a number is NaN
    single: str = ""  # what its typeof() says of numbers of 32 bits; "" if it has none

    def identifier(self, name: str) -> str:
        """A name of a column, or `ConditionError` if the engine has no such names."""
        # Spark puts values of its settings for ${...}, within quotes too.
        if "\0" in name or ("$" in self.escapes and "${" in name):
            raise ConditionError(
                f"column {name!r} cannot be named in this SQL: rename it, and give score= the name."
            )
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def literal(self, text: str) -> str:
        """A text, or `ConditionError` if the engine has no such texts."""
        if "\0" in text:
            raise ConditionError(f"{text!r} is no text in SQL: give other words as actions.")
        return "'" + "".join(self.escapes.get(one, one) for one in text) + "'"

    def double_of(self, value: float) -> str:
        """A number of 64 bits, which is read back as the same."""
        # Without an exponent it would be a decimal of other digits; two minuses are a comment.
        digits = repr(abs(value))
        written = self.number.format(digits if "e" in digits else f"{digits}e0")
        return f"(-{written})" if value < 0 else written


DIALECTS: Mapping[str, Dialect] = FrozenDict(
    {
        "standard": Dialect(
            double="DOUBLE PRECISION",
            number="CAST({} AS DOUBLE PRECISION)",
            # Engines have it though the standard has not; some compare it as equal to itself.
            nan="LOWER(CAST({} AS VARCHAR(32))) = 'nan'",
        ),
        "duckdb": Dialect(single="FLOAT"),
        "spark": Dialect(
            text="STRING",
            quote="`",
            escapes=FrozenDict({"'": r"\'", "\\": r"\\", "$": r"\u0024"}),
            number="{}D",
            single="float",
        ),
    }
)


def dialect_of(name: object) -> Dialect:
    """The dialect of a name, or `ConditionError` if there is none."""
    if not isinstance(name, str) or name not in DIALECTS:
        named = ", ".join(map(repr, DIALECTS))
        raise ConditionError(f"dialect must be one of {named}, got {brief(name)}.")
    return DIALECTS[name]


@final
@dataclass(frozen=True, eq=False)
class Term:
    """An expression, with the operators of Python."""

    text: str
    dialect: Dialect
    joined: bool = False  # whether signs join it

    __array_ufunc__ = None  # numbers of NumPy leave it to these operators

    def __str__(self) -> str:
        return self.text

    def _with(self, sign: str, other: Any) -> Term:
        both = (f"({one})" if one.joined else str(one) for one in (self, self.of(other)))
        return Term(f" {sign} ".join(both), self.dialect, joined=True)

    def of(self, value: Any) -> Term:
        """A number as a term."""
        if isinstance(value, Term):
            return value
        return Term(self.dialect.double_of(float(value)), self.dialect)

    def __add__(self, other: Any) -> Term:
        return self._with("+", other)

    def __sub__(self, other: Any) -> Term:
        if isinstance(other, float) and other == 0:
            return self
        return self._with("-", other)

    def __mul__(self, other: Any) -> Term:
        return self._with("*", other)

    def __truediv__(self, other: Any) -> Term:
        return self._with("/", other)

    def __radd__(self, other: Any) -> Term:
        return self.of(other) + self

    def __rsub__(self, other: Any) -> Term:
        return self.of(other) - self

    def __rmul__(self, other: Any) -> Term:
        return self.of(other) * self

    def __rtruediv__(self, other: Any) -> Term:
        return self.of(other) / self

    def __lt__(self, other: Any) -> Term:
        return self._with("<", other)

    def __gt__(self, other: Any) -> Term:
        return self._with(">", other)

    def __le__(self, other: Any) -> Term:
        return self._with("<=", other)

    def __ge__(self, other: Any) -> Term:
        return self._with(">=", other)

    def __and__(self, other: Term) -> Term:
        return self._with("AND", other)

    def __or__(self, other: Term) -> Term:
        return self._with("OR", other)

    def clip(self, low: float, high: float) -> Term:
        """The number, or the end of a range that it is beyond."""
        ends = [(self < low, self.of(low)), (self > high, self.of(high))]
        return where(ends, self)


def where(pairs: list[tuple[Term, Term]], otherwise: Term) -> Term:
    """The term of the first condition that holds."""
    whens = " ".join(f"WHEN {condition} THEN {term}" for condition, term in pairs)
    return Term(f"CASE {whens} ELSE {otherwise} END", otherwise.dialect) if pairs else otherwise


@final
@dataclass(frozen=True, eq=False)
class SqlColumn:
    """A column of numbers of any type."""

    name: str
    dialect: Dialect

    @property
    def own(self) -> Term:
        """It, as it is."""
        return Term(self.dialect.identifier(self.name), self.dialect)

    @property
    def is_single(self) -> Term:
        """Whether its numbers have 32 bits, in a dialect that can tell."""
        return Term(f"typeof({self.own}) = '{self.dialect.single}'", self.dialect, joined=True)

    @property
    def number(self) -> Term:
        """It as doubles; numbers of 32 bits as the decimals that they are printed as."""
        own, double = self.own, self.dialect.double
        found = Term(f"CAST({own} AS {double})", self.dialect)
        if not self.dialect.single:
            return found
        decimals = f"CAST(CAST({own} AS {self.dialect.text}) AS {double})"
        return where([(self.is_single, Term(decimals, self.dialect))], found)

    @property
    def missing(self) -> Term:
        """Whether it has no number."""
        nan = self.dialect.nan.format(self.own)
        return Term(f"{self.own} IS NULL OR {nan}", self.dialect, joined=True)
