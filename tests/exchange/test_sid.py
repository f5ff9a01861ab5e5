"""Standard input data of flexible bodies: what is written, what is read, and what other programs' files lack.

Three public files of EMBSlib (Modelica), four of PyMbs and one more were read beside, and every number in them is
the same in the readers of EMBSlib and PyMbs, as it is in files that flexframe writes. They are not shipped.
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.reduction.samples import clamped, frame

import flexframe as ff
from flexframe.errors import InputError
from flexframe.exchange.sid import sid_text
from flexframe.maths.arrays import Array
from flexframe.reduction.reduced_body import ReducedBody

MILLIMETRES = "mm, N, s, tonne"
DIGITS = 1e-12  # relative; numbers are written in full and added up a few times


@pytest.fixture(scope="module")
def body() -> ReducedBody:
    """A spatial frame that is damped, with an interface and a sensor."""
    damped = replace(clamped(frame()), damping=ff.Damping(mass=0.5, stiffness=1e-5))
    points = [ff.reduction.Interface("tip", "end")]
    return ff.reduction.reduce_body(
        damped,
        ff.reduction.CraigBampton(3),
        interfaces=points,
        sensors=[ff.reduction.Interface("knee", "corner1")],
    )


def parsed(text: str, name: str) -> tuple[Array, Array]:
    """M0 and M1 of the first object of that name."""
    found = re.search(rf"^ +{name}\n(.*?)^ +end {name}$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    part = found[1]
    sizes = {key: int(value) for key, value in re.findall(r"(order|nrow|ncol|nq) += +(\d+)", part)}
    constant = np.zeros((sizes["nrow"], sizes["ncol"]))
    slopes = np.zeros((sizes["nq"] * sizes["order"], sizes["nrow"], sizes["ncol"]))
    for i, j, value in re.findall(r"m0\( *(\d+), *(\d+)\) += +(\S+)", part):
        constant[int(i) - 1, int(j) - 1] = float(value.replace("D", "E"))
    for i, k, j, value in re.findall(r"m1\( *(\d+), *(\d+), *(\d+)\) += +(\S+)", part):
        slopes[int(k) - 1, int(i) - 1, int(j) - 1] = float(value.replace("D", "E"))
    return constant, slopes


def test_the_text_gives_back_the_equations_of_motion(body: ReducedBody, tmp_path: Path) -> None:
    """Inertia at a deformation, Coriolis and centrifugal terms; only rounding is left."""
    assert ff.reduction.write_sid(body, tmp_path / "frame.sid_fem") == ()
    text = (tmp_path / "frame.sid_fem").read_text(encoding="utf-8")
    assert text == sid_text(body)
    assert [path.name for path in tmp_path.iterdir()] == ["frame.sid_fem"]
    rng = np.random.default_rng(1)
    omega = rng.standard_normal(3)
    q, rates = rng.standard_normal((2, body.size))

    def value(name: str) -> Array:
        constant, slopes = parsed(text, name)
        return constant + np.einsum("kij,k->ij", slopes, q) if len(slopes) else constant

    s, J, Ct, Cr, Me, K, D = (value(name) for name in ("mdCM", "J", "Ct", "Cr", "Me", "Ke", "De"))
    scale = max(np.abs(M).max() for M in (J, Cr, Ct, Me))
    X = body.position_coupling
    first = X @ q
    np.testing.assert_allclose(s[:, 0], body.first_moment + body.origin_coupling @ q, atol=1e-13 * scale)
    moments = body.second_moment + first + first.T
    inertia = np.trace(moments) * np.eye(3) - moments
    six = [inertia[a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(J[:, 0], six, atol=1e-13 * scale)
    np.testing.assert_allclose(Ct.T, body.origin_coupling + body.origin_quadratic @ q, atol=1e-13 * scale)
    coupling = body.euler_loads + (body.coriolis + body.euler_quadratic) @ q
    np.testing.assert_allclose(Cr.T, coupling, atol=1e-13 * scale)
    np.testing.assert_array_equal(K, body.stiffness)
    np.testing.assert_array_equal(D, body.damping)
    # 2 ∫ρ Nᵀ(ω × N q̇) = 2 Σ ω_a C_a q̇, and the moment 2(tr G 1 − Gᵀ)ω with G = X q̇; axis by axis
    m, G = body.size, X @ rates
    Ge, Gr = (parsed(text, name)[0].reshape(-1, 3, m) for name in ("Ge", "Gr"))
    expected = 2 * np.einsum("a,art,t->r", omega, body.coriolis, rates)
    np.testing.assert_allclose(
        np.einsum("rak,a,k->r", Ge, omega, rates), expected, atol=1e-12 * np.abs(expected).max()
    )
    expected = 2 * (np.trace(G) * np.eye(3) - G.T) @ omega
    np.testing.assert_allclose(
        np.einsum("rak,a,k->r", Gr, omega, rates), expected, atol=1e-12 * np.abs(expected).max()
    )
    a, b, c = omega
    quadratic = value("Oe") @ np.array([a * a, b * b, c * c, a * b, b * c, a * c])
    squares = np.outer(omega, omega)
    stiff = body.centrifugal + body.centrifugal_quadratic
    expected = np.einsum("ab,abr->r", squares, body.centrifugal_loads) + np.einsum(
        "ab,abrt,t->r", squares, stiff, q
    )
    np.testing.assert_allclose(quadratic, expected, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("by_coordinate", [False, True])
def test_what_is_written_is_read(body: ReducedBody, tmp_path: Path, *, by_coordinate: bool) -> None:
    """Every object, the names of points and coordinates, in both orders of columns; no notice."""
    ff.reduction.write_sid(body, tmp_path / "frame.sid", by_coordinate=by_coordinate)
    part = ff.exchange.read_part(tmp_path / "frame.sid")
    again = part.reduced
    assert again is not None and part.notices == () and again.name == body.name
    require_alike(again, body)
    assert [point.name for point in again.interfaces] == ["tip", "knee"]
    assert [(c.kind, c.label) for c in again.basis.coordinates] == [
        (c.kind, c.label) for c in body.basis.coordinates
    ]


def require_alike(found: ReducedBody, wanted: ReducedBody) -> None:
    """All that a motion of second order needs; terms that cancel among Y and H are compared in their sum."""
    names = (
        *("mass", "first_moment", "second_moment", "origin_coupling", "position_coupling", "stiffness"),
        *("damping", "origin_quadratic", "elastic_mass", "coriolis"),
    )
    pairs = [(getattr(found, name), getattr(wanted, name), name) for name in names]
    pairs.append(
        (
            found.centrifugal + found.centrifugal_quadratic,
            wanted.centrifugal + wanted.centrifugal_quadratic,
            "centrifugal",
        )
    )
    points = zip((*found.interfaces, *found.sensors), (*wanted.interfaces, *wanted.sensors), strict=True)
    pairs += [
        (getattr(one, name), getattr(other, name), name)
        for one, other in points
        for name in ("position", "rows", "quadratic")
    ]
    for one, other, name in pairs:
        np.testing.assert_allclose(one, other, rtol=0, atol=DIGITS * np.abs(other).max(), err_msg=name)
    delta = np.full(wanted.size, 1e-3)
    M = ff.reduction.mass_matrix(wanted, delta)
    np.testing.assert_allclose(ff.reduction.mass_matrix(found, delta), M, rtol=0, atol=DIGITS * np.abs(M).max())


def test_units_and_points_by_number(body: ReducedBody, tmp_path: Path) -> None:
    """Millimetres and tonnes; nodes have their own numbers where their names are numbers."""
    numbered = replace(
        body,
        interfaces=tuple(replace(point, name="17") for point in body.interfaces),
        sensors=tuple(replace(point, name="4") for point in body.sensors),
    )
    path = tmp_path / "frame.sid_fem"
    assert ff.exchange.write_part(numbered, path, units=MILLIMETRES) == ()
    text = path.read_text(encoding="utf-8")
    assert float(re.findall(r"mass += +(\S+)", text)[0].replace("D", "E")) == pytest.approx(body.mass / 1000)
    assert re.findall(r"new node += (\d+)", text) == ["17", "4"]
    again = ff.exchange.read_part(path, units=MILLIMETRES).reduced
    assert again is not None
    require_alike(again, numbered)


def test_names_that_fill_no_line_are_numbered(body: ReducedBody, tmp_path: Path) -> None:
    """Programs read lines of some hundred characters."""
    long = replace(body, sensors=tuple(replace(body.sensors[0], name=f"strain gauge {k}") for k in range(40)))
    notices = ff.reduction.write_sid(long, tmp_path / "frame.sid_fem")
    assert len(notices) == 1 and "41 points" in notices[0] and "strain gauge 39" in notices[0]
    again = ff.exchange.read_part(tmp_path / "frame.sid_fem").reduced
    assert again is not None and [point.name for point in again.interfaces] == [str(k) for k in range(1, 42)]
    with (tmp_path / "frame.sid_fem").open(encoding="utf-8") as lines:
        assert max(map(len, lines)) < 512


# ---------------------------------------------------------------------- a file of another program

ONE_MODE = """    1    1    :No. nodes, No. modes:by hand
 part
      new modal                                 = beam
           refmod
                mass                            = 2.00000000000D+00
                nelastq                         =    1
                ielastq (   1)                  = Eigen Mode    1 :       15.915494309 Hz
           end refmod
           frame
                new node                        =      7
                     rframe                     = body ref
                     origin
                          order                 =    1
                          nrow                  =    3
                          ncol                  =    1
                          nq                    =    1
                          nqn                   =    0
                          structure             =    3
                          m0( 1, 1)             = 1.00000000000D+00
                          m1( 2, 1, 1)          = 5.00000000000D-01
                     end origin
                     phi
                          order                 =    0
                          nrow                  =    3
                          ncol                  =    1
                          nq                    =    1
                          nqn                   =    0
                          structure             =    3
                          m0( 2, 1)             = 5.00000000000D-01
                     end phi
                end node
           end frame
           mdCM
                order = 1
                nrow = 3
                ncol = 1
                nq = 1
                nqn = 0
                structure = 3
                m0( 1, 1) = 1.0D+00
                m1( 2, 1, 1) = 5.0D-01
           end mdCM
           J
                order = 1
                nrow = 6
                ncol = 1
                nq = 1
                nqn = 0
                structure = 3
                m0( 2, 1) = 6.0D-01
                m0( 3, 1) = 6.0D-01
                m1( 4, 1, 1) = -4.0D-01
           end J
           Ct
                order = 0
                nrow = 1
                ncol = 3
                nq = 1
                nqn = 0
                structure = 3
                m0( 1, 2) = 5.0D-01
           end Ct
           Cr
                order = 0
                nrow = 1
                ncol = 3
                nq = 1
                nqn = 0
                structure = 3
                m0( 1, 3) = 4.0D-01
           end Cr
           Me
                order = 0
                nrow = 1
                ncol = 1
                nq = 1
                nqn = 0
                structure = 4
           end Me
           Gr
                order = 0
                nrow = 3
                ncol = 3
                nq = 1
                nqn = 0
                structure = 3
                m0( 2, 1) = -8.0D-01
           end Gr
           Ge
                order = 0
                nrow = 1
                ncol = 3
                nq = 1
                nqn = 0
                structure = 0
           end Ge
           Oe
                order = 1
                nrow = 1
                ncol = 6
                nq = 1
                nqn = 0
                structure = 3
                m0( 1, 4) = 4.0D-01
                m1( 1, 1, 1) = -1.0D+00
                m1( 1, 1, 3) = -1.0D+00
           end Oe
           ksigma
                order = 0
                nrow = 1
                ncol = 1
                nq = 1
                nqn = 0
                structure = 0
           end ksigma
           Ke
                order = 0
                nrow = 1
                ncol = 1
                nq = 1
                nqn = 0
                structure = 1
                m0( 1, 1) = 1.0D+04
           end Ke
           De
                order = 0
                nrow = 1
                ncol = 1
                nq = 1
                nqn = 0
                structure = 0
           end De
      end modal
 end part
"""


def read(text: str, folder: Path) -> ff.exchange.Part:
    (folder / "beam.SID_FEM").write_text(text, encoding="latin-1")
    return ff.exchange.read_part(folder / "beam.SID_FEM")


def test_a_file_as_fembs_writes_them(tmp_path: Path) -> None:
    """A beam along x that bends along y, by hand: ∫ρ = 2, ∫ρx = 1, ∫ρx² = 0.6, ∫ρN = 0.5, ∫ρxN = 0.4, ∫ρN² = 1."""
    part = read(ONE_MODE, tmp_path)
    body = part.reduced
    assert body is not None and part.notices == ()
    assert (body.name, body.mass, body.size) == ("beam", 2.0, 1)
    np.testing.assert_allclose(body.first_moment, [1, 0, 0])
    np.testing.assert_allclose(body.second_moment, np.diag([0.6, 0, 0]), atol=1e-15)
    X, Y = np.zeros((3, 3)), np.zeros((3, 3))
    X[0, 1], Y[1, 1] = 0.4, 1.0
    np.testing.assert_allclose(body.origin_coupling[:, 0], [0, 0.5, 0])
    np.testing.assert_allclose(body.position_coupling[..., 0], X, atol=1e-15)
    np.testing.assert_allclose(body.shape_products[..., 0, 0], Y, atol=1e-15)
    assert body.elastic_mass == 1.0 and body.stiffness == 1e4
    assert not body.position_quadratic.any()
    np.testing.assert_allclose(body.point("7").rows[:, 0], [0, 0.5, 0, 0, 0, 0])
    np.testing.assert_allclose(body.point("7").present, [True] * 3 + [False] * 3)
    coordinate = body.basis.coordinates[0]
    assert (coordinate.label, coordinate.frequency_hz) == ("Eigen Mode 1", 15.915494309)
    # √(1e4 / 1) / 2π; the file states ten digits
    found = ff.exchange.describe_part(part)
    assert found.frequencies_hz[0] == pytest.approx(15.915494309, rel=1e-9) and found.points == ("7",)


@pytest.mark.parametrize(
    ("old", "new", "notice"),
    [
        ("m0( 2, 1) = -8.0D-01", "m0( 2, 1) = -4.0D-01", "Gr is not what the other objects say, by 0.5 of"),
        ("m1( 2, 1, 1) = 5.0D-01", "m1( 2, 1, 1) = 4.0D-01", "mdCM is not what the other objects say, by 0.2"),
        ("m0( 1, 4) = 4.0D-01", "m0( 1, 4) = 3.0D-01", "Oe is not what the other objects say, by 0.25"),
        ("m0( 2, 1) = 6.0D-01", "m0( 2, 1) = 0.0D-01", "a moment of inertia is negative (-0.5 kg m²)"),
        ("           De\n", "           sigma\n", "are left out: sigma"),
    ],
    ids=["Gr", "mdCM", "Oe", "J", "other"],
)
def test_what_does_not_fit_is_said(old: str, new: str, notice: str, tmp_path: Path) -> None:
    text = ONE_MODE.replace(old, new)
    if "sigma" in notice:
        text = text.replace("end De", "end sigma")
    assert text != ONE_MODE
    notices = read(text, tmp_path).notices
    assert any(notice in one for one in notices), notices


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("structure = 4", "structure = 0", "Me or J is not positive"),
        ("nelastq                         =    1", "nelastq                         =    2", "names 1 of 2"),
        ("m0( 1, 1) = 1.0D+04", "m0( 1, 1) = nan", "'nan' is no finite number"),
        ("m0( 1, 1) = 1.0D+04", "m0( 1, 2) = 1.0D+04", "Ke has no entry (1, 2); it is 1 × 1"),
        ("           end Ke", "", "'de' is not known in ke"),
        (" end part\n", "", "the file ends before 'end part'"),
        ("mass                            = 2", "mass                            = -2", "no positive mass"),
        ("nrow = 6", "nrow = 3", "J is 3 × 1, with 1 coordinates it needs 6 × 1"),
        ("m0( 1, 4) = 4.0D-01", "m0( 1, 4) = 4\n m0( 1, 4) = 5", "given twice"),
    ],
)
def test_damaged_files_are_refused_with_their_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in ONE_MODE
    with pytest.raises(InputError) as caught:
        read(ONE_MODE.replace(old, new), tmp_path)
    assert message in str(caught.value) and "beam.SID_FEM" in str(caught.value)


def test_stress_at_rest_is_refused(tmp_path: Path) -> None:
    at = ONE_MODE.index("ksigma")
    stressed = ONE_MODE[:at] + ONE_MODE[at:].replace("structure = 0", "structure = 3\n m0( 1, 1) = 5.0D0", 1)
    with pytest.raises(InputError, match="stress at rest"):
        read(stressed, tmp_path)
