"""Give each object of the reference a page, and the page of its group a table of them.

In docs/reference an `auto...` directive names an object, and what of it is described. Here they
become pages in docs/reference/objects, made by each build, and their place a table of names and
first sentences. A module that is listed with its members has those that are described nowhere else.
"""

import re
from collections import Counter
from importlib import import_module
from inspect import isclass
from pathlib import Path

from docutils import nodes
from made_pages import keep_pages
from sphinx.addnodes import pending_xref
from sphinx.ext.autosummary import autosummary_table, import_by_name

import costspace
from costspace.metrics.traits import UNKNOWN, traits_of

OBJECT = r"\.\. auto(class|exception|function):: (\S+)\n((?: +\S.*\n)*)"
OBJECTS = re.compile(rf"(?:^{OBJECT}\n*)+", re.MULTILINE)
MODULE = re.compile(r"^\.\. automodule:: (\S+)\n +:members:\n", re.MULTILINE)
CURRENT = re.compile(r"^\.\. (?:currentmodule|automodule):: (\S+)$", re.MULTILINE)


def with_members(text):
    """The source of a group, with the objects of its modules named."""
    return MODULE.sub(lambda found: f"{found[0].splitlines()[0]}\n\n{named(found[1])}", text)


def named(module):
    """Directives for what a module has that is described nowhere else."""
    members = {name: getattr(import_module(module), name) for name in import_module(module).__all__}
    return "\n".join(
        f".. auto{'class' if isclass(one) else 'function'}:: {module}.{name}\n"
        + "   :members:\n" * isclass(one)
        for name, one in members.items()
        if name not in costspace.__all__ and not is_no_metric(one)
    )


def is_no_metric(one):
    in_metrics = getattr(one, "__module__", "").startswith("costspace.metrics.")
    return in_metrics and traits_of(one) is UNKNOWN


def pages_of(text):
    """The pages of a group's objects, by the names of these."""
    pages = {}
    for run in OBJECTS.finditer(text):
        module = current_at(text, run.start())
        for kind, name, options in re.findall(OBJECT, run[0]):
            title = name.rpartition(".")[2]
            pages[full_name(name, module)] = (
                f"{title}\n{'=' * len(title)}\n\n.. currentmodule:: {module}\n\n"
                f".. auto{kind}:: {name}\n{options}"
            )
    return pages


def current_at(text, place):
    return CURRENT.findall(text[:place])[-1]


def within(name, module):
    """A name as Sphinx looks it up, which takes one with the current module for a mistake."""
    return name.removeprefix(f"{module}.")


def full_name(name, module):
    return import_by_name(within(name, module), [module, None])[0]


def file_names(names):
    """Other names for files of functions that would differ from a class's by capitals alone."""
    small = Counter(name.lower() for name in names)
    return {
        name: f"{name}-function" for name in names if small[name.lower()] > 1 and name.islower()
    }


def write_pages(app):
    reference = Path(app.srcdir, "reference")
    objects = {
        name: page
        for group in reference.glob("*.md")
        for name, page in pages_of(with_members(group.read_text())).items()
    }
    app.config.autosummary_filename_map = files = file_names(objects)
    keep_pages(reference / "objects", {files.get(name, name): objects[name] for name in objects})


def show_tables(app, docname, content):
    """Put a table in the place of the objects of a group."""
    if re.fullmatch(r"reference/[\w-]+", docname):
        content[0] = OBJECTS.sub(table, with_members(content[0]))


def table(run):
    names = [name for _, name, _ in re.findall(OBJECT, run[0])]
    module = current_at(run.string, run.start())
    shown = "".join(f"   ~{within(name, module)}\n" for name in names)
    return f".. autosummary::\n   :toctree: objects\n   :nosignatures:\n\n{shown}\n"


def keep_anchors(app, doctree):
    """Links to an object's place on the page of its group, from elsewhere, find its row."""
    for shown in doctree.findall(autosummary_table):
        for row in shown.findall(nodes.row):
            row["ids"] = [next(row.findall(pending_xref))["reftarget"]]


def setup(app):
    app.setup_extension("sphinx.ext.autosummary")
    app.connect("builder-inited", write_pages)
    app.connect("source-read", show_tables)
    app.connect("doctree-read", keep_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
