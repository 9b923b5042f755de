"""Give each command a page of all that it takes: what its `--help` has, in the groups of that.

Some have a picture of what they print, which conf.py draws.
"""

import re
import runpy
from pathlib import Path

from made_pages import keep_pages

from costspace.cli.commands import _COMMANDS, _app

# What is typed: in backticks, in quotes, or an option.
TYPED = re.compile(r"`[^`]+`|(?<!\w)'[^']+'(?!\w)|(?<![\w-])--?[a-z][\w-]*(?:=\S+)?")
EXAMPLE = "Example: "


class Help:
    """Writes a command's help as a page, in place of showing it."""

    def __init__(self, command, *, drawn):
        title = f"costspace {command}"
        self.picture = picture(command) if drawn else ""
        self.program = f".. program:: {title}\n"
        self.page = f"{title}\n{'=' * len(title)}\n"

    def render_usage(self, console, options, usage):
        self.usage = code(str(usage).strip())

    def render_description(self, console, options, text):
        first, *others = text.primary_renderable.plain.split("\n\n")
        self.add(marked(first), self.usage)
        for part in others:
            given = part.startswith(EXAMPLE)
            self.add(code(part.removeprefix(EXAMPLE)) if given else marked(part))
        self.add(self.picture, self.program)

    def __call__(self, console, options, panel):
        if panel.entries:
            title = str(panel.title)
            self.add(f"{title}\n{'-' * len(title)}")
        for entry in panel.entries:
            self.add(f".. option:: {', '.join(entry.display_labels_with_metavar)}")
            self.add(f"   {marked(' '.join(meaning(entry)))}")

    def add(self, *lines):
        self.page += "".join(f"\n{line}\n" for line in lines)


def meaning(entry):
    """What an option is, what it may be, and what it is unless given."""
    if entry.required:
        yield "Required."
    yield entry.description.primary_renderable.plain
    if entry.choices:
        yield f"One of {', '.join(f'`{one}`' for one in entry.choices)}."
    if entry.default not in {None, "False"}:
        yield f"Default: {entry.default}."


def picture(command):
    return (
        ".. container:: terminal\n\n"
        f"   .. image:: /guides/gallery/terminal_{command}.svg\n"
        f"      :alt: What costspace {command} prints in a terminal"
    )


def code(line):
    return f".. code-block:: sh\n\n   {line}"


def marked(text):
    """A text on one line, with what is typed as code and everything else as it is."""
    text = " ".join(text.split())
    found = ["", *(f"``{one.strip('`').strip(chr(39))}``" for one in TYPED.findall(text))]
    between = [re.sub(r"([\\*`|_])", r"\\\1", one) for one in TYPED.split(text)]
    return "".join(typed + plain for typed, plain in zip(found, between, strict=True))


def page_of(command, *, drawn):
    words = command.split()
    app = _app(words)
    app.help_formatter = written = Help(command, drawn=drawn)
    app.help_print(words)
    return written.page


def write_pages(app):
    terminals = runpy.run_path(str(Path(app.srcdir).parent / "examples" / "terminals.py"))
    pages = {
        command.replace(" ", "-"): page_of(command, drawn=command in terminals["COMMANDS"])
        for command in _COMMANDS
    }
    keep_pages(Path(app.srcdir, "reference", "commands"), pages)


def setup(app):
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
