"""Sphinx configuration. Building downloads nothing."""

import runpy
from pathlib import Path

import matplotlib as mpl

import costspace

project = "costspace"
author = "The costspace developers"
copyright = "2026, The costspace developers"  # noqa: A001  (Sphinx fixes the name)
version = release = costspace.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
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

html_theme = "pydata_sphinx_theme"
html_title = "costspace"
html_static_path = ["_static"]
html_css_files = ["costspace.css"]
html_show_sourcelink = False
html_theme_options = {"show_toc_level": 2}


def draw_gallery(app):
    """Draw the pictures of the gallery beside the page that shows them."""
    mpl.use("Agg")
    source = Path(app.srcdir)
    gallery = runpy.run_path(str(source.parent / "examples" / "gallery.py"))
    gallery["main"](source / "guides" / "gallery")


def setup(app):
    app.connect("builder-inited", draw_gallery)
