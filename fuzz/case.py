"""A case: one call, what it must come to, and what a right answer looks like."""

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from public_names import called

ANSWER = "answer"
REFUSE = "refuse"
EITHER = "either"


def anything(answer: Any) -> str | None:
    """Take any answer: there is no oracle."""
    return None


@dataclass
class Case:
    """One call.

    Attributes
    ----------
    name
        The public name, or the command, that is called.
    args, options
        What with. Arguments that it takes only by name may stand after those by place, in the
        order of its parameters.
    must
        Whether it must answer, must refuse, or may do either.
    right
        What is wrong with an answer, None if it is right.
    call
        What to call; the public name unless given. It is looked up when it is called.
    strict
        Whether NumPy's errors are set to raise: an answer must not depend on it.
    note
        What is bad about it.
    """

    name: str
    args: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    must: str = ANSWER
    right: Callable[[Any], str | None] = anything
    call: Callable[..., Any] | None = None
    strict: bool = False
    note: str = ""

    def run(self) -> Any:
        """Make the call."""
        call = self.call or called(self.name)
        args, named = _placed(call, self.args)
        return call(*args, **named, **self.options)

    @property
    def compared(self) -> bool:
        """Whether an answer is compared with an oracle."""
        return self.right is not anything

    def __str__(self) -> str:
        shown = [*map(repr, self.args), *(f"{k}={v!r}" for k, v in self.options.items())]
        return f"{self.name}({', '.join(shown)}), which must {self.must} {self.note}".rstrip()


def _placed(call: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, dict[str, Any]]:
    """The arguments by place, and after them those that are taken only by name."""
    try:
        parameters = signature(call).parameters
    except ValueError:
        # Errors have none.
        return given, {}
    if any(one.kind == one.VAR_POSITIONAL for one in parameters.values()):
        return given, {}
    by_name = [name for name, one in parameters.items() if one.kind == one.KEYWORD_ONLY]
    places = sum(one.kind == one.POSITIONAL_OR_KEYWORD for one in parameters.values())
    return given[:places], dict(zip(by_name, given[places:], strict=False))
