"""Columns and linkages whose stability is known."""

import numpy as np

from flexframe.analyses.stability.body_cycle import BodyCycle, Excitation, PeriodicForce
from flexframe.elements.properties import BeamProperty, GeneralSection, Material
from flexframe.mesh.builders import line
from flexframe.model.body import Body, PointMass, Region
from flexframe.model.supports import Clamp, Fix, FrameSpring

STIFFNESS = 1200.0  # 12 EI/L³ of EI = 100 N m², L = 1 m
BUCKLING = 1000.0  # 10 EI/L², at which 12 EI/L³ − 6P/5L vanishes
MASS = 0.6  # kg
RATE = 20.0  # rad/s of the load; a = 4K/Mν², q = 2K P₁/(P_b M ν²)
UNIT = 4 * STIFFNESS / MASS / RATE**2  # a without a load: 20


def column(damping: float = 0.0) -> Body:
    """One element between a clamp and a head that only moves sideways (and along): K = 12EI/L³ − 6P/5L."""
    section = GeneralSection(4e-4, 1e-8, 1e-8, 2e-8)
    return Body(
        "column",
        line(1.0, 1),
        (Region(BeamProperty(Material(1e10, 0.3, 1e-9), section), family="euler_bernoulli_beam"),),
        supports=(Clamp("start"), Fix("end", ("rz",))),
        point_masses=(PointMass("end", MASS),),
        springs=(FrameSpring("end", damping=(0.0, damping * MASS, 0.0)),),
    )


def mathieu(damping: float = 0.0) -> BodyCycle:
    """y'' + (a − 2q cos 2τ)y = 0 with τ = νt/2, as a column under a load of mean P_b(1 − a/20)."""

    def excitation(values: dict[str, float]) -> Excitation:
        def force(t: np.ndarray) -> np.ndarray:
            load = (1 - values["a"] / UNIT) + 2 * values["q"] / UNIT * np.cos(RATE * t)
            return np.stack([-BUCKLING * load, 0 * t, 0 * t], axis=1)

        return Excitation(2 * np.pi / RATE, forces=[PeriodicForce("end", force)])

    return BodyCycle(column(damping), excitation, modes=1)
