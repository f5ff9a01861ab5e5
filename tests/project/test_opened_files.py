"""Files that cases, requests and results name are opened in one place, `flexframe.files`.

Every call of the package that can read a file is found in its sources. It reads a stream that `files` opened, or
it is listed here with the reason why no case, request or result chooses what it opens.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from tests.project.repository import ROOT

PACKAGE = ROOT / "src" / "flexframe"

METHODS = {"open", "read_text", "read_bytes"}
"""Of paths, and of many libraries; and the function `open` itself."""

FUNCTIONS = {
    *("os.fdopen", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move"),
    *(
        "np.load",
        "np.loadtxt",
        "np.genfromtxt",
        "np.fromfile",
        "np.memmap",
        "sparse.load_npz",
        "mmread",
        "loadmat",
    ),
    *("h5py.File", "h5netcdf.File", "xarray.open_dataset", "xarray.load_dataset", "xarray.open_mfdataset"),
    *("zipfile.ZipFile", "tarfile.TarFile", "gzip.GzipFile", "mmap.mmap", "ElementTree.parse", "sqlite3.connect"),
    *("pd.read_csv", "pandas.read_csv", "polars.read_csv", "urlopen", "runpy.run_path"),
    *("FileResponse", "StaticFiles", "linecache.getline"),
}
"""Functions of libraries that open what they are given, if that is a name."""

OPENERS = {"folder", "files", "source", "beside", "ANYWHERE", "Folder"}
"""Values of type `Folder`, whose methods are the one opener."""

CHOSEN_BY_NOBODY = {
    "files.py": "the opener itself",
    "lazy.py": "the stub beside a module of the package",
    "maths/solver_settings.py": "what the system says of memory and control groups",
    "analyses/fmu/writing.py": "the library in the package, and a model that was just written",
    "maths/multilevel/stored.py": "files without a name that were just written",
    "exchange/meshing.py": "the mesh that a process of flexframe's own just wrote",
    "reports/document.py": "parts of the page, in the package",
    "studio/app.py": "parts of the page, in the package",
    "commands/console.py": "the null device",
    "results/folders.py": "a lock, which is never read, and results that were just written",
}
WRITTEN = {
    "results/storage.py": "a folder, to make it durable",
    "sweeps/store.py": "the journal, to add to it",
    "commands/examples.py": "a new file, which must not exist",
}
"""Files in which descriptors are opened to write."""

LIBRARIES = {
    "exchange/meshio_library.py": "meshio is loaded, and reads a private copy",
    "exchange/gmsh/files.py": "meshio writes",
    "exchange/vtk.py": "meshio writes",
    "exchange/paraview.py": "meshio writes",
}
"""Files that use meshio, which opens files by itself."""


def _owner(call: ast.Call) -> str:
    """The last name before the point: `files` of run.files.open; of Folder(…).open, `Folder`."""
    match call.func:
        case ast.Attribute(value=ast.Name(name) | ast.Attribute(attr=name)):
            return name
        case ast.Attribute(value=ast.Call(func=ast.Name(name))):
            return name
    return ""


def _is_written(call: ast.Call) -> bool:
    given = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
    texts = [text.value for text in given if isinstance(text, ast.Constant) and isinstance(text.value, str)]
    return any(re.fullmatch(r"[wxa][bt+]*", text) for text in texts)


def _reads(call: ast.Call) -> bool:
    """Whether a call may open a file by its name in order to read it."""
    called = ast.unparse(call.func)
    name = called.rpartition(".")[2]
    if called in FUNCTIONS:
        opened = call.args[0] if call.args else None
        stream = isinstance(opened, ast.Attribute) and opened.attr == "stream"
        return not stream and not _is_written(call)
    if called == "open" or (name in METHODS and "." in called):
        return _owner(call) not in OPENERS and not _is_written(call)
    return False


def _found(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and _reads(node):
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_nothing_else_opens_files_for_reading() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): list(_found(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    others = {name: calls for name, calls in found.items() if calls and name not in CHOSEN_BY_NOBODY}
    descriptors = {
        name: [call for call in calls if not re.match(r"\d+: os\.(fd)?open\(", call)]
        for name, calls in others.items()
    }
    assert {name: calls for name, calls in descriptors.items() if calls} == {}
    assert set(others) == set(WRITTEN)  # none is listed in vain


def test_libraries_that_open_files_are_used_where_it_is_known() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\bmeshio_library\(\)|^ *import meshio", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert users == set(LIBRARIES)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("open(name)", True),
        ("open(name, 'rb')", True),
        ("Path(name).open()", True),
        ("(folder / name).read_text()", True),
        ("self.path.read_bytes()", True),
        ("os.open(name, os.O_RDONLY)", True),
        ("np.load(path)", True),
        ("h5py.File(str(path), 'r')", True),
        ("zipfile.ZipFile(path)", True),
        ("tarfile.open(path)", True),
        ("folder.open(name)", False),
        ("self.workspace.files.open(name)", False),
        ("Folder(path, confined=True).open(name)", False),
        ("np.load(file.stream)", False),
        ("path.open('wb')", False),
        ("zipfile.ZipFile(new, 'w')", False),
    ],
)
def test_such_calls_are_recognised(text: str, reads: bool) -> None:
    assert bool(list(_found(text))) == reads
