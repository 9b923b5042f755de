"""The commands together: what a command line asks for, or what is wrong with it."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cyclopts import (
    App,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    RepeatArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from costspace import __version__
from costspace.cli.console import Terminal
from costspace.cli.plain_help import PlainHelp
from costspace.deferral import deferred_calls, load_calls
from costspace.errors import CostspaceError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.frames.paths import listed

_HELP = """How good a classifier is where it will really be used, and what to do with it.

Begin: costspace decide FILE --label Y --score S --fp-cost 1 --fn-cost 10:100"""
# What each does, as its docstring begins: its module is loaded when it is asked for.
_COMMANDS = {
    "apply": "Apply a saved decision: write a file again, with an action for each row.",
    "compare": "Compare the models in a file of predictions, two at a time, on the same rows.",
    "decide": "Decide which model to use, how to set its threshold, and what that will cost.",
    "drift": "Say what has changed between two periods of the same models, and what to do.",
    "evaluate": "Evaluate the models in a file by every metric and threshold choice method.",
    "merge": "Add up saved tables of the same models, such as those of the days of a month.",
    "report": ("Write a page that says what to do, what it costs, and answers when costs change."),
    "tally": "Count the predictions in a file by score, and save the counts for later.",
    "watch add": "Add rows of a day to a watch, or labels that came later.",
    "watch begin": "Begin to watch what the rule of a saved decision costs.",
    "watch show": "Say whether a watched rule costs more than is tolerated, and since when.",
}
# Commands of several words, by the first.
_GROUPS = {"watch": "Watch what the rule of a decision costs, day by day, valid at every look."}


def command_of(arguments: Sequence[str]) -> Callable[[], object]:
    """The call that the words of a command line ask for, or `CostspaceError`; all is loaded."""
    app = _app(arguments)
    try:
        command, bound, _ = app.parse_args(arguments, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        raise CostspaceError(_misread(app, error)) from None
    load_calls(sys.modules[command.__module__])
    return partial(command, *bound.args, **bound.kwargs)


def _app(arguments: Sequence[str]) -> App:
    app = App(
        name="costspace",
        version=__version__,
        help=_HELP,
        help_format="plaintext",
        help_formatter=PlainHelp(),
        console=Terminal(),
        # Below the groups with names: files and costs come first.
        group_parameters=Group("Options", sort_key=5),
        # An option that is left out needs no other that says so.
        default_parameter=Parameter(negative_bool=(), negative_iterable=()),
    )
    groups = {name: App(name=name, help=meaning) for name, meaning in _GROUPS.items()}
    for group in groups.values():
        app.command(group)
    for name, meaning in _COMMANDS.items():
        first, _, last = name.rpartition(" ")
        place = name.replace(" ", "_")
        # Where a command is asked for, its own help is its docstring, and not just how that begins.
        groups.get(first, app).command(
            f"costspace.cli.{place}:{place}",
            name=last,
            help=None if last in arguments else meaning,
        )
    return app


def _misread(app: App, error: CycloptsError) -> str:
    """What is wrong with a command line, and what to do about it."""
    if isinstance(error.__cause__, CostspaceError):
        return str(error.__cause__)
    command = " ".join(error.command_chain or ())
    return _misread_by(app, error, command if command in _COMMANDS else "")


def _misread_by(app: App, error: CycloptsError, command: str) -> str:
    """The same of what a command takes, if there is one."""
    said = str(error)
    match error:
        case MissingArgumentError(argument=argument, keyword=typed) if argument and command:
            lacks = "needs a value" if typed else "is missing"
            _, near, other = said.partition(" Did you mean")
            what = _options(app, command)[argument.name]
            return f"{typed or argument.name} {lacks}: {what}{near}{other}"
        case UnknownOptionError(token=token) if command:
            return _unknown(app, token.keyword or token.value, command, said)
        case RepeatArgumentError(token=token) if token.keyword:
            return f"{token.keyword} is given more than once, and takes one value: give it once."
        case UnusedCliTokensError(unused_tokens=[_, *_] as words):
            return (
                f"{listed(words)} belongs to no option: repeat an option for each of its values, "
                "as in --score A --score B, and put a pattern of files in quotes."
            )
    return said


def _unknown(app: App, option: str, command: str, said: str) -> str:
    """What is wrong with an option that a command does not take, at least not there."""
    having = [name for name in _COMMANDS if option in _options(app, name)]
    if command in having:
        return f"{option} comes after --, where nothing is an option: leave out the --."
    if having:
        from costspace.decision.words import listed as in_words

        return f"{command} has no {option}: it belongs to {in_words(having)}."
    if "Did you mean" in said:
        return said
    return f"{said} costspace {command} --help lists those that there are."


def _options(app: App, command: str) -> dict[str, str]:
    """What a command takes, by every name, and what each is."""
    for word in command.split():
        app = app[word]
    arguments = app.assemble_argument_collection(
        default_parameter=app.default_parameter, parse_docstring=True
    )
    return {name: one.parameter.help or "" for one in arguments for name in one.names}
