"""The mechanisms with beams that bend far, of the benchmark problems of flexible multibody dynamics (IFToMM).

Data: Bauchau, Betsch, Cardona, Gerstmayr, Jonker, Masarati and Sonneville, Validation of flexible multibody
dynamics beam formulations using benchmark problems, Multibody System Dynamics 37, 2016; figures as mb_sef_py, a
program of one of them, has them.
"""

from collections.abc import Mapping

import numpy as np

from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import BeamProperty, Material
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import polyline
from flexframe.model.body import Body, Region
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Cylindrical, Revolute, Spherical, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.sensors import MarkerSensor
from flexframe.verification.contract import Check, Reference

Place = tuple[float, float, float]
X: Place = (1.0, 0.0, 0.0)
Y: Place = (0.0, 1.0, 0.0)
Z: Place = (0.0, 0.0, 1.0)
_SOURCE = "case of Bauchau, Betsch, Cardona, Gerstmayr, Jonker, Masarati & Sonneville 2016"


def beam(
    name: str, ends: tuple[Place, Place], divisions: int, stiffness: tuple[float, ...], mass: tuple[float, ...]
) -> Body:
    """A beam by EA, GA along y and z, GJ, EI about y and z; of a length mass and moments of inertia about y, z."""
    total, about_y, about_z = mass
    masses = (total, total, total, about_y + about_z, about_y, about_z)
    rows = [tuple(map(tuple, np.diag(values).tolist())) for values in (stiffness, masses)]
    material = Material(207e9, 0.3, 1.0, idealised=True)  # for stress alone
    prop = BeamProperty(material, SectionMatrices(0.016, 0.016, stiffness=rows[0], mass=rows[1]))
    mesh = polyline(np.linspace(*ends, divisions + 1), 1)
    mesh = mesh.with_sets(node_sets={"start": [0], "middle": [divisions // 2], "end": [divisions]})
    return Body(name, mesh, (Region(prop),), space="spatial")


def crooked_four_bar(divisions: int, axis: Place) -> System:
    """A four-bar with a joint whose axis is tilted, so that its bars bend and twist; the crank starts gently."""
    thick = (52.99e6, 16.88e6, 16.88e6, 733.5, 1131.0, 1131.0), (1.997, 42.6e-6, 42.6e-6)
    thin = (13.25e6, 4.22e6, 4.22e6, 45.84, 70.66, 70.66), (0.4992, 2.662e-6, 2.662e-6)
    corners: list[Place] = [(0.0, 0.0, 0.0), (0.0, 0.12, 0.0), (0.24, 0.12, 0.0), (0.24, 0.0, 0.0)]
    bars = {"crank": thick, "coupler": thick, "follower": thin}
    return System(
        [beam(name, (corners[k], corners[k + 1]), divisions, *bar) for k, (name, bar) in enumerate(bars.items())],
        [
            Revolute("A", "ground", "crank.start", Z),
            Revolute("B", "crank.end", "coupler.start", Z),
            Revolute("C", "coupler.end", "follower.start", axis),
            Revolute("D", "follower.end", "ground.D", Z),
        ],
        [AngleDrive("turn", "ground", "crank.start", "-0.6*(max(0, t - 0.5) + min(t, 0.5)^2)", Z)],
        ground={"D": corners[-1]},
        space="spatial",
    )


def buckling_beam(divisions: int) -> System:
    """A thin, high beam that a crank pushes up at its end, by a link 0.1 mm beside it, until it tilts."""
    length, high, throw, beside = 1.0, 0.25, 0.05, 1e-4
    strip = (73e6, 5.025e6, 23.40e6, 877.2, 60830.0, 608.3), (2.68, 2233e-6, 22.33e-6)
    rod = (33.02e6, 10.81e6, 10.81e6, 914.5, 1189.0, 1189.0), (1.212, 43.65e-6, 43.65e-6)
    arm = (132.1e6, 43.22e6, 43.22e6, 14630.0, 19020.0, 19020.0), (4.85, 698.3e-6, 698.3e-6)
    top, low = (length, beside, 0.0), (length, beside, -high)
    bearing = (length - throw, beside, -high)
    return System(
        [
            beam("beam", ((0.0, 0.0, 0.0), (length, 0.0, 0.0)), divisions, *strip),
            beam("link", (top, low), divisions // 4, *rod),
            beam("crank", (bearing, low), 2, *arm),
            RigidBody("lug", 1e-6, np.full(3, 1e-9), points={"ball": (0.0, beside, 0.0)}),
        ],
        [
            Weld("root", "ground", "beam.start"),
            Weld("tip", "beam.end", "lug"),
            Spherical("ball", "lug.ball", "link.start"),
            Revolute("pin", "link.end", "crank.end", Y),
            Revolute("main", "ground.main", "crank.start", Y),
        ],
        [AngleDrive("turn", "ground", "crank.start", "-pi/2*(1 - cos(pi*min(t, 0.4)/0.4))", Y)],
        ground={"main": bearing},
        start={"lug": Placement(np.array([length, 0.0, 0.0]))},
        space="spatial",
    )


def supercritical_shaft(divisions: int) -> System:
    """A shaft with a disc 50 mm beside its middle, run from rest to 0.8 and then to 1.2 of its critical speed."""
    tube = (313.4e6, 60.5e6, 60.5e6, 272.7e3, 354.5e3, 354.5e3), (11.64, 13.17e-3, 13.17e-3)
    critical = 60.0  # rad/s

    def ease_in(since: float, within: float, speed: float) -> str:
        """Angle of a speed that is reached along half a wave of a cosine."""
        passed = f"min(max(t - {since}, 0), {within})"
        half = f"({passed} - {within}/pi*sin(pi*{passed}/{within}))/2"
        return f"{speed}*({half} + max(0, t - {since + within}))"

    slow, faster = ease_in(0, 0.5, 0.8 * critical), ease_in(1, 0.25, 0.4 * critical)
    return System(
        [
            beam("shaft", ((0.0, 0.0, 0.0), (6.0, 0.0, 0.0)), divisions, *tube),
            RigidBody("disc", 70.573, np.array([2.0325, 1.0163, 1.0163]), points={"hub": (0.0, 0.0, -0.05)}),
        ],
        [
            Revolute("left", "ground", "shaft.start", X),
            Weld("hub", "shaft.middle", "disc.hub"),
            Cylindrical("right", "ground.right", "shaft.end", X),
        ],
        [AngleDrive("turn", "ground", "shaft.start", f"{slow} + {faster}", X)],
        loads=[SystemGravity("weight", (0.0, 0.0, -9.81))],
        ground={"right": (6.0, 0.0, 0.0)},
        start={"disc": Placement(np.array([3.0, 0.0, 0.05]))},
        space="spatial",
    )


def places(
    system: System,
    marker: str,
    times: tuple[float, ...],
    *,
    step: float,
    reductions: Mapping[str, ReductionChoice],
    spectral_radius: float = 0.9,
) -> Array:
    """Of a marker at these times, which are multiples of 0.01 s: (times, 3)."""
    found = simulate(
        system,
        duration=times[-1],
        samples=round(100 * times[-1]) + 1,
        step=step,
        spectral_radius=spectral_radius,
        reductions=reductions,
        sensors={"there": MarkerSensor("position", marker)},
        initial_deformation="undeformed",
    )
    return found.sensors["there"].values[[round(100 * time) for time in times]]


EXACT = ReductionChoice(exact=True)
TILT = float(np.radians(5.0))
GENTLE = 0.25  # s by which a crank that starts within 0.5 s is behind one that starts at once
_CROOKED = {  # s after the start of a crank that turns at once: place of C [m]
    2.0: (0.35182354, 0.04340494, -0.00266971),
    4.0: (0.20747256, 0.11550266, -0.00081066),
    6.0: (0.12988278, 0.0476856, -0.00051685),
    8.0: (0.12043582, 0.00954871, -0.00325564),
    9.0: (0.14726883, 0.07614324, -0.00157685),
}
BUCKLED = {  # s: place of the middle of the beam [m]
    0.08: (0.49997323, -1.62306e-05, 0.00462706),
    0.12: (0.49989026, -0.0003277, 0.009396),
    0.16: (0.49861674, -0.03236166, 0.00921682),
    0.2: (0.49859982, -0.03230923, 0.00966042),
}
WHIRLING = {  # s: place of the middle of the shaft [m]
    0.5: (2.99871457, 0.07598268, 0.02592128),
    1.0: (2.99925095, 0.05503836, 0.02696844),
    1.5: (2.9979333, -0.09110909, 0.04543011),
}


def _four_bar(refinement: int) -> list[float]:
    found = places(
        crooked_four_bar(2 * refinement, (0.0, -float(np.sin(TILT)), float(np.cos(TILT)))),
        "coupler.end",
        tuple(time + GENTLE for time in _CROOKED),
        step=5e-3,
        reductions=dict.fromkeys(("crank", "coupler", "follower"), EXACT),
        spectral_radius=0.5,
    )
    return list(found.ravel())


def _buckled_link(refinement: int) -> list[float]:
    reductions = dict.fromkeys(("beam", "link", "crank"), EXACT)
    return list(
        places(
            buckling_beam(10 * refinement), "beam.middle", tuple(BUCKLED), step=5e-4, reductions=reductions
        ).ravel()
    )


def _whirling_link(refinement: int) -> list[float]:
    return list(
        places(
            supercritical_shaft(8 * refinement),
            "shaft.middle",
            tuple(WHIRLING),
            step=1e-3,
            reductions={"shaft": EXACT},
        ).ravel()
    )


def _references(table: Mapping[float, Place], what: str, tolerance: float) -> tuple[Reference, ...]:
    return tuple(
        Reference(f"{axis} of {what} at {time:g} s [m]", value, tolerance, scale=1.0)
        for time, place in table.items()
        for axis, value in zip("xyz", place, strict=True)
    )


CHECKS: tuple[Check, ...] = (
    Check(
        "large-mechanisms-crooked-four-bar",
        f"stored results of mb_sef_py (V. Sonneville): beams on SE(3), 8 a bar, 4 ms; {_SOURCE}",
        "bars of 0.12, 0.24, 0.12 m, crank at 0.6 rad/s, axis of the joint C tilted by 5° as that program has it, "
        "(0, −sin 5°, cos 5°); exact beams, 4 a bar, 5 ms; the crank starts within 0.5 s, there at once",
        _references(_CROOKED, "C", 3e-5),
        _four_bar,
    ),
    Check(
        "large-mechanisms-lateral-buckling",
        f"20 floating frames of flexframe, 80 elements of small deflections, the same step; {_SOURCE}",
        "beam of 1 m, 100 by 10 mm, pushed up by a crank of 50 mm by a link 0.1 mm beside it; exact beams, 20 "
        "elements, 0.5 ms; before it buckles the theories differ by 0.7 % of the small sideways motion, nearly "
        "half of it by products of shear strains and rotations that floating frames lack, after it by 1.5 %",
        _references(BUCKLED, "the middle", 6e-4),
        _buckled_link,
    ),
    Check(
        "large-mechanisms-supercritical-shaft",
        f"8 floating frames of flexframe, 16 elements of small deflections, the same step; {_SOURCE}",
        "shaft of 6 m, disc of 70.6 kg 50 mm beside its middle, to 0.8 and within 0.25 s to 1.2 of 60 rad/s, with "
        "gravity; place of its middle; exact beams, 16 elements, 1 ms",
        _references(WHIRLING, "the middle", 1e-4),
        _whirling_link,
    ),
)
