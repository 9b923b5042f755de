"""A case: one call, what it must come to, and what a right answer looks like."""

from collections.abc import Callable
from dataclasses import dataclass, field
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
        What with.
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
        return call(*self.args, **self.options)

    @property
    def compared(self) -> bool:
        """Whether an answer is compared with an oracle."""
        return self.right is not anything

    def __str__(self) -> str:
        shown = [*map(repr, self.args), *(f"{k}={v!r}" for k, v in self.options.items())]
        return f"{self.name}({', '.join(shown)}), which must {self.must} {self.note}".rstrip()
