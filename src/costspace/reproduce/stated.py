"""The numbers that the papers print, and how a printed number is read."""

import math
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from types import MappingProxyType
from typing import Any, final

from costspace.errors import FileError, brief

# Closed forms as printed.
FORMS: Mapping[str, float] = MappingProxyType({"3/2 - ln 2": 1.5 - math.log(2)})
# Tables of sentences, and the field of a value that names one.
_SENTENCES = {"documents": "citation", "slips": "slip", "data": "data"}
# What rounding in the computation may add to a printed value that means itself.
_ROUNDING = 1e-9


@final
@dataclass(frozen=True)
class StatedValue:
    """A number that a paper states.

    Attributes
    ----------
    id : str
        Figure and name, as in "000-fig2/auc".
    quantity : str
        What it is, in words.
    stated : str
        As printed.
    place : str
        Where in the document.
    citation : str
        The document.
    kind : {"rounded", "exact", "about", "above", "below", "form"}
        How the print is to be read.
    within : float
        How far from an "about" a value may be.
    slip : str
        One sentence on the document's error, or nothing.
    data : str
        One sentence on data that was not published, or nothing.
    note : str
        What else a reader should know, or nothing.

    Raises
    ------
    FileError
        If the print does not go with its kind.

    Examples
    --------
    >>> auc = StatedValue("000-fig2/auc", "AUC", "0.8333", "Section 5", "a paper")
    >>> auc.accepts(5 / 6), auc.accepts(0.8334)
    (True, False)
    """

    id: str
    quantity: str
    stated: str
    place: str
    citation: str
    kind: str = "rounded"
    within: float = 0.0
    slip: str = ""
    data: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _READERS:
            kinds = ", ".join(_READERS)
            raise FileError(f"{self.id}: kind must be one of {kinds}, got {brief(self.kind)}.")
        try:
            self._range()
        except (ArithmeticError, AttributeError, KeyError, ValueError):
            raise FileError(f"{self.id}: {brief(self.stated)} is not {self.kind}.") from None
        if (self.kind == "about") != (self.within > 0):
            raise FileError(f"{self.id}: 'within' belongs to kind 'about', and that needs it.")

    @property
    def figure(self) -> str:
        """The figure or table that the number is stated for."""
        return self.id.partition("/")[0]

    def words(self) -> str:
        """The print, and how it is to be read where that is not as a number that is equal."""
        if self.kind == "about":
            return f"about {self.stated} (within {self.within:g})"
        return f"{self.kind} {self.stated}" if self.kind in {"above", "below"} else self.stated

    def accepts(self, computed: float) -> bool:
        """Whether a computed number agrees with the print, to its precision."""
        low, high = self._range()
        return low <= computed <= high

    def _range(self) -> tuple[float, float]:
        return _READERS[self.kind](self.stated, self.within)


def read_stated(figures: Collection[str], text: str | None = None) -> tuple[StatedValue, ...]:
    """Read the stated values, in the order of the documents.

    Parameters
    ----------
    figures : collection of str
        Ids of the figures and tables that are known.
    text : str, optional
        TOML in the form of the file that ships with the package, which is read by default.

    Returns
    -------
    tuple of StatedValue

    Raises
    ------
    FileError
        If it is no such TOML (an id given twice is none), a figure is not known, a document, slip
        or data has no sentence, a sentence is not used, or a print does not go with its kind.

    Examples
    --------
    >>> stated = read_stated(["000-fig1"], '''
    ... documents.000 = "a paper"
    ... [values.000-fig1]
    ... auc = {quantity = "AUC", stated = "0.5", place = "Section 1"}
    ... ''')
    >>> stated[0].id, stated[0].citation
    ('000-fig1/auc', 'a paper')
    """
    if text is None:
        text = (files(__package__) / "stated.toml").read_text(encoding="utf-8")
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"the stated values are not TOML: {error}.") from None
    values = tuple(
        _value(figure, name, words, content)
        for figure, entries in content.get("values", {}).items()
        for name, words in entries.items()
    )
    unknown = {value.figure for value in values} - set(figures)
    if unknown:
        raise FileError(f"values are stated for no known figure: {', '.join(sorted(unknown))}.")
    for table, field in _SENTENCES.items():
        used = {getattr(value, field) for value in values}
        unused = [name for name, words in content.get(table, {}).items() if words not in used]
        if unused:
            raise FileError(f"no value names these {table}: {', '.join(unused)}.")
    return values


def _value(
    figure: str, name: str, words: Mapping[str, Any], content: Mapping[str, Any]
) -> StatedValue:
    """One entry, the names of its document, slip and data replaced by their sentences."""
    resolved = {"citation": figure.partition("-")[0], **words}
    for table, field in _SENTENCES.items():
        if field in resolved:
            key = resolved[field]
            if key not in content.get(table, {}):
                raise FileError(f"{figure}/{name}: {brief(key)} is not among the {table}.")
            resolved[field] = content[table][key]
    try:
        return StatedValue(id=f"{figure}/{name}", **resolved)
    except TypeError:
        raise FileError(
            f"{figure}/{name} needs quantity, stated and place, and may have kind, within, slip, "
            f"data and note, got {', '.join(words)}."
        ) from None


def _rounded(printed: str, _: float) -> tuple[float, float]:
    digits, scale = _digits(printed)
    value = Decimal(digits)
    half = Decimal((0, (5,), int(value.as_tuple().exponent) - 1))
    return _widened(float(value - half) / scale, float(value + half) / scale)


def _exact(printed: str, within: float) -> tuple[float, float]:
    digits, scale = _digits(printed)
    value = float(Fraction(digits)) / scale
    return _widened(value - within, value + within)


def _above(printed: str, _: float) -> tuple[float, float]:
    return _exact(printed, 0)[1], math.inf


def _below(printed: str, _: float) -> tuple[float, float]:
    return -math.inf, _exact(printed, 0)[0]


def _form(printed: str, _: float) -> tuple[float, float]:
    return _widened(FORMS[printed], FORMS[printed])


def _digits(printed: str) -> tuple[str, int]:
    """The digits, and what to divide them by: 100 for a percentage."""
    return (printed.removesuffix("%").strip(), 100) if printed.endswith("%") else (printed, 1)


def _widened(low: float, high: float) -> tuple[float, float]:
    return low - _ROUNDING, high + _ROUNDING


_READERS: Mapping[str, Callable[[str, float], tuple[float, float]]] = MappingProxyType(
    {
        "rounded": _rounded,
        "exact": _exact,
        "about": _exact,
        "above": _above,
        "below": _below,
        "form": _form,
    }
)
