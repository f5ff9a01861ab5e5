"""Small binary and text files as Nastran, Ansys and CalculiX write them, made by hand from their descriptions.

pyNastran 1.4.1 reads the OP2 file and ansys-mapdl-reader 0.56 the `.full` file with the same numbers, and of the
`.rst` file nodes and frequency; they are no dependencies of the tests.
"""

from collections.abc import Mapping, Sequence

import numpy as np

MODES = 2
EIGENVALUES = (3947.841760435743, 98696.04401089358)  # (2π 10)², (2π 50)²
MASSES = (1.0, 4.0)
SHAPES = np.array(
    [
        [[0.0, 0.5, 0.0, 0.0, 0.0, 1.0], [0.0, -0.25, 0.0, 0.0, 0.0, 2.0]],
        [[1.0, 0.0, 0.125, 0.0, -3.0, 0.0], [-1.0, 0.0, 0.25, 0.0, 4.0, 0.0]],
    ]
)  # (modes, nodes, 6); numbers that single precision holds
NODES = (10, 20)


# ---------------------------------------------------------------------- Nastran OP2


def op2(order: str = "<", word: int = 4) -> bytes:
    """Tables LAMA and OUGV1 of a modal solution, in either order of bytes and width of words."""
    integer, real = np.dtype(f"{order}i{word}"), np.dtype(f"{order}f{word}")

    def fortran(data: bytes) -> bytes:
        length = np.array([len(data)], dtype=f"{order}i4").tobytes()
        return length + data + length

    def marker(number: int) -> bytes:
        return fortran(np.array([number], dtype=integer).tobytes())

    def counted(data: bytes) -> bytes:
        return marker(len(data) // word) + fortran(data)

    def letters(text: str, words: int) -> bytes:
        """Four letters to a word."""
        padded = text.ljust(4 * words)
        return b"".join(padded[4 * k : 4 * k + 4].encode().ljust(word) for k in range(words))

    def table(name: str, records: Sequence[bytes]) -> bytes:
        made = counted(letters(name, 2)) + marker(-1) + counted(bytes(7 * word))
        made += marker(-2) + marker(1) + marker(0) + counted(letters(name, 2))
        for number, record in enumerate(records, start=3):
            made += marker(-number) + marker(1) + marker(0) + counted(record)
        return made + marker(-3 - len(records)) + marker(1) + marker(0) + marker(0)

    def identity(mode: int, code: int) -> bytes:
        whole = np.zeros(146, dtype=integer)
        whole[:5] = (2 * 10 + 1, code, 0, 1, mode)  # modes of subcase 1
        whole[8:10] = (1, 8)  # real numbers, eight words a point
        whole.view(real)[5] = EIGENVALUES[mode - 1]
        return whole[:50].tobytes() + letters("", 96)  # titles are empty

    values = np.zeros((MODES, 7), dtype=integer)
    values[:, :2] = [(k, k) for k in range(1, MODES + 1)]
    omega = np.sqrt(EIGENVALUES)
    numbers = np.stack([EIGENVALUES, omega, omega / (2 * np.pi), MASSES, np.multiply(MASSES, EIGENVALUES)], axis=1)
    values.view(real)[:, 2:] = numbers
    records = []
    for mode, shape in enumerate(SHAPES, start=1):
        points = np.zeros((len(NODES), 8), dtype=integer)
        points[:, 0], points[:, 1] = 10 * np.array(NODES) + 1, 1
        points.view(real)[:, 2:] = shape
        records += [identity(mode, 7), points.tobytes()]
    head = marker(3) + fortran(np.array([11, 18, 26], dtype=integer).tobytes())
    head += counted(letters("NASTRAN FORT TAPE ID CODE - ", 7)) + counted(letters("XXXXXXXX", 2))
    head += marker(-1) + marker(0)
    lama = [identity(1, 6), values.tobytes()]
    return head + table("LAMA", lama) + table("OUGV1", records) + marker(0)


# ---------------------------------------------------------------------- Ansys

STIFFNESS = 3e6  # N/m
MASS = 1.5  # kg


class _Ansys:
    """Words of a binary file; records have their length, flags, data and one word more."""

    def __init__(self, kind: int) -> None:
        self.words: list[bytes] = []
        standard = np.zeros(100, dtype="<i4")
        standard[0] = kind
        standard.view("S4")[9] = b"1.91"  # version 19.1, letters of a word in reverse
        self.add(standard)

    @property
    def at(self) -> int:
        return sum(map(len, self.words)) // 4

    def add(self, values: np.ndarray) -> int:
        """A record; the place where it begins."""
        start = self.at
        flags = 0x80000000 if values.dtype.kind == "i" else 0
        data = values.tobytes()
        head = np.array([len(data) // 4, flags], dtype="<u4").tobytes()
        self.words.append(head + data + head[:4])
        return start

    def whole(self, *values: int) -> int:
        return self.add(np.array(values, dtype="<i4"))

    def real(self, *values: float) -> int:
        return self.add(np.array(values, dtype="<f8"))

    def mend(self, record: int, values: dict[int, int]) -> None:
        """Numbers of a record that are known when the rest is written."""
        data = bytearray(b"".join(self.words))
        for place, value in values.items():
            data[4 * (record + 2 + place) : 4 * (record + 3 + place)] = np.array([value], dtype="<i4").tobytes()
        self.words = [bytes(data)]

    def finished(self) -> bytes:
        return b"".join(self.words)


def full() -> bytes:
    """Two nodes with ux, uy, uz, a spring along x between them, masses m and 2m; uz of node 20 is held."""
    stiffness = np.diag([STIFFNESS, 10.0, 20.0, STIFFNESS, 30.0, 40.0])
    stiffness[0, 3] = stiffness[3, 0] = -STIFFNESS
    return full_of(NODES, stiffness, np.diag([MASS] * 3 + [2 * MASS] * 3), held=(6,))


def full_of(labels: Sequence[int], stiffness: np.ndarray, mass: np.ndarray, held: Sequence[int] = ()) -> bytes:
    """Symmetric matrices of nodes with ux, uy, uz: of each row a triangle; equations from 1 that are held."""
    file = _Ansys(4)
    header = file.whole(*[0] * 60)
    file.whole(1, 2, 3)
    file.whole(*labels)
    places = []
    for matrix in (stiffness, mass):
        places.append(file.at)
        for number, row in enumerate(matrix):
            columns = [number, *(number + 1 + np.flatnonzero(row[number + 1 :]))]
            file.whole(*(column + 1 for column in columns))
            file.real(*row[columns])
    size = len(stiffness)
    dofs = file.whole(*[3] * len(labels))
    file.whole(*(-number if number in held else number for number in range(1, size + 1)))
    known = {1: size, 7: 3, 8: size + 1, 33: size, 32: len(labels), 18: places[0], 26: places[1], 35: dofs}
    file.mend(header, {0: 4, **known})
    return file.finished()


CUBE = np.array([(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
CUBE_SHAPE = np.array([[0.5 * x, -0.25 * y, x * z] for x, y, z in CUBE])


def rst() -> bytes:
    """A cube of one SOLID185 with nodes 11 … 18 and one mode at 12.5 Hz, in axes of the nodes; node 12 is turned.

    Node 12 has its x axis along y of the body.
    """
    labels = range(11, 19)
    shape = CUBE_SHAPE.copy()
    shape[1] = (shape[1, 1], -shape[1, 0], shape[1, 2])  # along axes that are turned by 90° about z
    return rst_of(labels, CUBE, 185, [labels], {12.5: shape}, turned={12: 90.0})


def rst_of(
    labels: Sequence[int],
    points: np.ndarray,
    routine: int,
    elements: Sequence[Sequence[int]],
    modes: Mapping[float, np.ndarray],
    *,
    turned: Mapping[int, float] | None = None,
    sectors: int = 0,
) -> bytes:
    """Modes (nodes, 3) by frequency; axes of nodes are turned about z [degrees]."""
    file = _Ansys(12)
    header = file.whole(*[0] * 80)
    order = file.whole(*labels)
    times = file.real(*modes)
    geometry = file.whole(*[0] * 80)
    nodes = file.at
    for label, point in zip(labels, points, strict=True):
        file.real(float(label), *point, (turned or {}).get(label, 0.0), 0.0, 0.0)
    types = file.whole(0)
    kind = file.whole(1, routine, *[0] * 58, len(elements[0]), *[0] * 89)
    file.mend(types, {0: kind - types})
    table = file.whole(*[0] * 2 * len(elements))
    places = {}
    for number, corners in enumerate(elements):
        places[2 * number] = file.whole(1, 1, 1, 1, 0, 0, 0, 0, 7 + number, 0, *corners) - table
    file.mend(table, places)
    sets = []
    for shape in modes.values():
        sets.append(file.whole(*[0] * 200))
        solution = file.real(*shape.ravel())
        file.mend(sets[-1], {104: solution - sets[-1], 19: 3, 20: 1, 21: 2, 22: 3})
    index = file.whole(*sets, *[0] * len(sets))
    file.mend(
        header, {3: len(sets), 7: 2, 8: len(sets), 10: index, 11: times, 14: order, 15: geometry, 20: sectors}
    )
    file.mend(geometry, {1: 1, 3: len(labels), 4: len(elements), 20: types, 26: nodes, 28: table})
    return file.finished()


# ---------------------------------------------------------------------- CalculiX


def frd() -> str:
    """The cube as a C3D8 with two modes, as CalculiX 2.21 lays it out."""
    lines = ["    1C", "    2C" + f"{8:30d}" + " " * 37 + "1"]
    lines += [
        f" -1{label:10d}" + "".join(f"{x:12.5E}" for x in point)
        for label, point in zip(range(11, 19), CUBE, strict=True)
    ]
    lines += [" -3", "    3C" + f"{1:30d}" + " " * 37 + "1", f" -1{7:10d}{1:5d}{0:5d}{1:5d}"]
    lines += [" -2" + "".join(f"{label:10d}" for label in range(11, 19)), " -3"]
    for mode, (frequency, mass) in enumerate(((12.5, 1.0), (40.0, 2.0)), start=1):
        lines += [f"    1PGM{mass:26.6E}", f"    1PHID{mode:26d}", f"    1PSTEP{mode:26d}{1:12d}{1:12d}"]
        lines.append(f"  100CL{100 + mode:5d}{frequency:12.5E}{8:12d}" + " " * 21 + f"2{mode:5d}MODAL{1:7d}" + "1")
        lines += [" -4  DISP        4    1"]
        lines += [f" -5  D{k}          1    2    {k}    0" for k in (1, 2, 3)] + [
            " -5  ALL         1    2    0    0    1ALL"
        ]
        lines += [
            f" -1{label:10d}" + "".join(f"{mode * u:12.5E}" for u in row)
            for label, row in zip(range(11, 19), CUBE_SHAPE, strict=True)
        ]
        lines.append(" -3")
    return "\n".join([*lines, " 9999", ""])
