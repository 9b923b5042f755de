"""Sphinx configuration. Building downloads nothing."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from contextlib import chdir
from doctest import DocTestParser
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib as mpl
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.filter import Filter
from pygments.lexers.python import PythonConsoleLexer
from pygments.lexers.special import TextLexer
from pygments.token import Generic, Text
from sphinx.addnodes import pending_xref

import costspace

sys.path.append(str(Path(__file__).with_name("_extensions")))

project = "costspace"
author = "The costspace developers"
copyright = "2026, The costspace developers"  # noqa: A001  (Sphinx fixes the name)
version = release = costspace.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "command_pages",
    "object_pages",
]

# Every reference must resolve.
nitpicky = True
# Names of other libraries.
nitpick_ignore = [
    *(("py:class", name) for name in ("Bunch", "RandomState")),
    *(("py:class", name) for name in ("Polars", "DuckDB", "Dask", "PySpark")),
    ("py:exc", "NotFittedError"),
]

default_role = "code"  # docstrings write names in single backticks
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say more: shapes, units, ranges
napoleon_google_docstring = False
napoleon_use_ivar = True  # else a dataclass field is described twice

# Formulas are MathML: browsers show it by themselves, without a script from elsewhere.
html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_title = "costspace"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["costspace.css"]
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_favicon = "_static/favicon.svg"
html_show_sourcelink = False
html_sidebars = {"**": ["sidebar-nav-bs"]}
html_context = {"default_mode": "light"}
html_theme_options = {
    "show_toc_level": 2,
    "collapse_navigation": True,  # else each page of the reference has a menu of all its objects
    "footer_start": ["copyright"],
    "footer_end": [],
}

# Buttons copy code: what is behind a prompt, and all of a block without prompts. Printed output has
# no button.
CODE = ("python", "pycon", "default", "sh")
copybutton_selector = ", ".join(f"div.highlight-{kind} pre" for kind in CODE)
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

# A picture on the page of each function that draws it; displays of scikit-learn draw the same.
DRAWN_BY_DISPLAYS = {
    "RocSpaceDisplay": "roc_space",
    "CostSpaceDisplay": "cost_space",
    "LossCurveDisplay": "bands",
}


def draw_gallery(app):
    """Draw the pictures of the gallery beside the page that shows them."""
    mpl.use("Agg")
    source = Path(app.srcdir)
    gallery = runpy.run_path(str(source.parent / "examples" / "gallery.py"))
    gallery["main"](source / "guides" / "gallery")
    app.drawn_by = {
        f"costspace.sklearn.{name}": picture for name, picture in DRAWN_BY_DISPLAYS.items()
    }
    for draw in gallery["PICTURES"]:
        for name in draw.__code__.co_names:
            if name.startswith("plot_"):
                app.drawn_by.setdefault(f"costspace.plots.{name}", draw.__name__)


def draw_terminals(app):
    terminals = runpy.run_path(str(Path(app.srcdir).parent / "examples" / "terminals.py"))
    terminals["main"](Path(app.srcdir, "guides", "gallery"))


def draw_tutorial(app):
    """Run the tutorial's blocks that make its data and its pictures, and keep those."""
    guides = Path(app.srcdir) / "guides"
    blocks = re.findall(
        r"```(sh|python)\n(.*?)```", (guides / "tutorial.md").read_text(), re.DOTALL
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    names = {}
    with TemporaryDirectory() as folder, chdir(folder):
        for kind, text in blocks:
            if kind == "sh" and "<<'END'" in text:
                subprocess.run(
                    ["/bin/bash", "-euc", text],
                    env={**os.environ, "PATH": path},
                    stdout=subprocess.DEVNULL,
                    check=True,
                )
            elif "savefig" in text:
                code = "".join(example.source for example in DocTestParser().get_examples(text))
                exec(code, names)
        for picture in Path().glob("*.png"):
            shutil.copy(picture, guides / "gallery" / f"tutorial_{picture.name}")


def write_example(app, exception):
    """Write a page that readers can try, beside the site's."""
    if exception is None and app.builder.format == "html":
        folder = Path(app.srcdir).parent / "examples"
        example = runpy.run_path(str(folder / "picture_of_a_report.py"))
        example["write_report"](Path(app.outdir) / "_static" / "example-report.html")


def show_drawn(app, what, name, obj, options, lines):
    """Below what a function says of itself in one sentence, show what it draws."""
    picture = app.drawn_by.get(name)
    if picture:
        after = lines.index("") if "" in lines else len(lines)
        lines[after:after] = [
            "",
            f".. image:: /guides/gallery/{picture}.png",
            f"   :alt: What {name.rpartition('.')[2]} draws of the gallery's data",
            "",
        ]


def part_attributes(app, what, name, obj, options, lines):
    """Describe attributes that share a line each by itself, as napoleon does of parameters."""
    fields = []
    for line in lines:
        if fields and line.startswith(" "):
            fields[-1].append(line)
        else:
            fields.append([line])
    lines[:] = [line for field in fields for line in parted(*field)]


def parted(first, *rest):
    shared = re.match(r":(ivar|vartype) ([^:,\s]+(?:, [^:,\s]+)+):", first)
    if not shared:
        return [first, *rest]
    kind, names = shared.groups()
    said = first[shared.end() :]
    return [line for name in names.split(", ") for line in (f":{kind} {name}:{said}", *rest)]


def keep_prose(app, doctree):
    """In the type of a parameter only a name with a capital is a reference, the rest is prose."""
    for node in list(doctree.findall(pending_xref)):
        is_type = (node["refdomain"], node["reftype"]) == ("py", "class")
        if is_type and not re.fullmatch(r"[\w.]*[A-Z][\w.]*", node["reftarget"]):
            node.replace_self(node.children)


class MarkRows(Filter):
    """Mark the rows of tables in what is printed, which wrap nowhere; sentences do."""

    def filter(self, lexer, stream):
        for kind, value in stream:
            if kind not in (Text, Generic.Output):
                yield kind, value
                continue
            for line in value.splitlines(keepends=True):
                yield (Generic.Output.Row if "  " in line.strip() else kind), line


class Printed(TextLexer):
    """What commands print. Its sentences are as wide as the window, not as the page's source."""

    def __init__(self, **options):
        super().__init__(**options)
        self.add_filter(MarkRows())

    def get_tokens(self, text, **options):
        return super().get_tokens(unwrapped(text), **options)


class Session(PythonConsoleLexer):
    def __init__(self, **options):
        super().__init__(**options)
        self.add_filter(MarkRows())


def unwrapped(text):
    """Join sentences that commands wrap at 80 characters and `conftest.py` at 100."""
    lines = text.splitlines()
    joined = lines[:1]
    for before, line in pairwise(lines):
        # The next word had no room. A line that ends a sentence may be a line of its own.
        needed = len(before) + 1 + len(line.split()[0]) if line else 0
        wraps = needed > 100 or (len(before) <= 80 < needed and not before.endswith("."))
        if wraps and "  " not in f"{before.strip()}{line.strip()}" and line != "...":
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return "".join(f"{line}\n" for line in joined)


def write_formula(translator, node):
    translator.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def write_display(translator, node):
    # Wide formulas scroll by themselves, by keys as well.
    translator.body.append(translator.starttag(node, "div", CLASS="formula", tabindex="0"))
    translator.body.append(tex2mathml(node.astext(), as_block=True) + "</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (write_formula, None), (write_display, None))
    app.add_lexer("text", Printed)
    app.add_lexer("pycon", Session)
    app.connect("builder-inited", draw_gallery)
    app.connect("builder-inited", draw_terminals)
    app.connect("builder-inited", draw_tutorial)
    app.connect("build-finished", write_example)
    app.connect("autodoc-process-docstring", show_drawn, priority=700)
    app.connect("autodoc-process-docstring", part_attributes, priority=600)  # after napoleon
    app.connect("doctree-read", keep_prose)
