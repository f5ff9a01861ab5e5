"""The documentation site: MyST pages and notebooks, the API from docstrings, formulas without a network."""

import re
from importlib.metadata import distribution
from pathlib import Path
from shutil import copyfile

from sphinx.application import Sphinx

import flexframe

project = "flexframe"
author = "The flexframe developers"
copyright = "2026, The flexframe developers"
version = release = flexframe.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = ["_build"]
suppress_warnings = ["ref.python"]  # the same short name in two modules is not a mistake
language = "en"

html_theme = "furo"
html_title = f"flexframe {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True

# Notebooks run when the site is built, so that what they show is what this version computes.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True

autosummary_generate = True
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
templates_path = ["_templates"]
add_module_names = False

# Formulas are set by MathJax from a file of the site itself. The SVG build is one file that loads no fonts, and
# it comes with a package of the Python index, so neither the reader nor the build needs a network or node.
mathjax_path = "tex-svg.js"
mathjax3_config = {"svg": {"fontCache": "global"}, "options": {"enableMenu": False}}


def copy_mathjax(app: Sphinx, failure: Exception | None) -> None:
    """Put MathJax beside the other static files of the site."""
    if failure is None and app.builder.format == "html":
        package = distribution("sphinx-mathjax-offline")
        script = Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax/tex-svg.js")))
        copyfile(script, Path(app.outdir) / "_static" / "tex-svg.js")


# Type aliases of flexframe.maths.arrays, which Python writes out in signatures.
ALIASES = {
    "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.float64]]": "Array",
    "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.complex128]]": "ComplexArray",
    "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.int64]]": "IntArray",
    "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.bool]]": "BoolArray",
    "~scipy.sparse._csr.csr_array": "SparseMatrix",
    "<factory>": "...",
}


def short_signature(
    app: Sphinx, what: str, name: str, thing: object, options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Array types by their names in flexframe."""
    for written, alias in ALIASES.items():
        signature = signature and signature.replace(written, alias)
        returns = returns and returns.replace(written, alias)
    return signature, returns


def plain_docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings are plain text with `code` in backticks: protect what reStructuredText would take for markup.

    Indented paragraphs are formulas or samples and are shown as they stand; so are examples, from `>>>` to the
    next empty line. Sections such as Parameters are left to napoleon, which comes after this.
    """
    out: list[str] = []
    literal = example = False
    for line in lines:
        example = line.startswith(">>>") or (example and bool(line.strip()))
        if example:
            literal = False
            out.append(line)
            continue
        indented = line.startswith("  ")
        if indented and not literal and (not out or not out[-1].strip()):
            out += ["::", ""]
            literal = True
        elif line.strip() and not indented:
            literal = False
        out.append(line if literal else _escape(line))
    lines[:] = out


def _escape(line: str) -> str:
    pieces = re.split(r"(`+[^`]+`+)", line)
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = f"``{piece.strip('`')}``"
        else:
            protected = piece.replace("\\", "\\\\")
            protected = re.sub(r"[*|]", r"\\\g<0>", protected)
            pieces[i] = re.sub(r"_(?=\W|$)", r"\\_", protected)
    # text that touches a piece of code needs an (invisible) separator
    joined = pieces[0]
    for i in range(1, len(pieces)):
        before, after = joined[-1:], pieces[i][:1]
        touching = before and after and not before.isspace() and not after.isspace()
        joined += ("\\ " if touching else "") + pieces[i]
    return joined


def setup(app: Sphinx) -> None:
    """Connect the hooks of this file."""
    app.connect("autodoc-process-signature", short_signature)
    app.connect("autodoc-process-docstring", plain_docstring, priority=400)
    app.connect("build-finished", copy_mathjax)
