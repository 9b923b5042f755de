"""Help as plain text: Markdown, the library's default, takes long to load."""

import re
from typing import TYPE_CHECKING, Any

from costspace.deferral import deferred_calls

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions

if TYPE_CHECKING or not deferred_calls(globals()):
    from cyclopts.help import DefaultFormatter
    from rich.text import Text

# A line that ends where the source's does, and not a paragraph.
_WITHIN = re.compile(r"(?<!\n)\n(?!\n)")


class PlainHelp:
    """Shows help in the library's way, with paragraphs in lines of the terminal's width."""

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: "HelpPanel") -> None:
        """Show one group of options or commands."""
        for entry in panel.entries:
            _flow(entry.description)
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: "Console", options: "ConsoleOptions", usage: Any) -> None:
        """Show how the command is called."""
        DefaultFormatter().render_usage(console, options, usage)

    def render_description(self, console: "Console", options: "ConsoleOptions", text: Any) -> None:
        """Show what the command does."""
        _flow(text)
        DefaultFormatter().render_description(console, options, text)


def _flow(inline: Any) -> None:
    """Join the lines of each paragraph, if there is a text."""
    text: Any = getattr(inline, "primary_renderable", None)
    if isinstance(getattr(text, "plain", None), str):
        inline.primary_renderable = Text(_WITHIN.sub(" ", text.plain), end=text.end)
