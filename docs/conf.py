"""Sphinx configuration. Building downloads nothing."""

import runpy
from pathlib import Path

import matplotlib as mpl
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import costspace

project = "costspace"
author = "The costspace developers"
copyright = "2026, The costspace developers"  # noqa: A001  (Sphinx fixes the name)
version = release = costspace.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]

# Every reference must resolve. In the type of a parameter only a name with a
# capital is one; the rest ("array of shape (n,)") is prose.
nitpicky = True
# Names of other libraries.
nitpick_ignore = [
    *(("py:class", name) for name in ("Bunch", "RandomState")),
    ("py:exc", "NotFittedError"),
]
nitpick_ignore_regex = [("py:class", r"(?![\w.]*[A-Z][\w.]*$).*")]

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
html_favicon = "_static/favicon.svg"
html_show_sourcelink = False
html_sidebars = {"**": ["sidebar-nav-bs"]}
html_context = {"default_mode": "light"}
html_theme_options = {"show_toc_level": 2, "footer_start": ["copyright"], "footer_end": []}


def draw_gallery(app):
    """Draw the pictures of the gallery beside the page that shows them."""
    mpl.use("Agg")
    source = Path(app.srcdir)
    gallery = runpy.run_path(str(source.parent / "examples" / "gallery.py"))
    gallery["main"](source / "guides" / "gallery")


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
    app.connect("builder-inited", draw_gallery)
