"""The cases that come with flexframe."""

from pathlib import Path

from flexframe.errors import AnalysisError


def examples_folder() -> Path:
    """Where the examples are: inside the installed package, or in the repository beside `src`."""
    package = Path(__file__).parents[1]
    for folder in (package / "examples", package.parents[1] / "examples"):
        if folder.is_dir():
            return folder
    raise AnalysisError("the examples are missing from this installation; install flexframe again")


def example_paths() -> dict[str, Path]:
    """The examples by name.

    Returns
    -------
    dict
        Paths of the case files that come with flexframe, by name.

    Examples
    --------
    >>> "rotating_disc" in ff.example_paths()
    True
    """
    return {path.stem: path for path in sorted(examples_folder().glob("*.yaml"))}
