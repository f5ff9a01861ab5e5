"""A stiff bar on a spring and a damper: the damped oscillator in closed form."""

from dataclasses import replace

import numpy as np
import pytest

import flexframe as ff

STIFFNESS, DAMPING = 4.0e4, 6.0  # N/m, N s/m


def test_a_damper_to_the_frame_takes_energy_out() -> None:
    """u = e^{−ζω₀t}(cos ω_d t + ζω₀/ω_d sin ω_d t) for the bar's own mass.

    The bar is 5e4 times stiffer than the spring, so that it moves as one (its stretch is 1e-5 of the motion), and
    the trapezoidal rule of 4,000 steps lags by (ω₀h)²/12 = 1e-5 of ω₀t = 60.
    """
    bar = ff.Body.beam(
        "bar",
        length=0.1,
        divisions=1,
        section=ff.Rectangle(width=0.01, height=0.01),
        material=ff.STEEL,
        supports=(ff.Fix("all", ("uy", "rz")),),
    )
    spring = ff.supports.FrameSpring("start", stiffness=(STIFFNESS, 0, 0), damping=(DAMPING, 0, 0))
    discrete = ff.discretise(replace(bar, springs=(spring,)))
    mass = ff.STEEL.density * 0.01 * 0.01 * 0.1
    omega, decay = np.sqrt(STIFFNESS / mass), DAMPING / (2 * mass)
    damped = np.sqrt(omega**2 - decay**2)
    shift = np.zeros(discrete.dofs.count)
    shift[[i for i in range(discrete.dofs.count) if discrete.dofs.place(i)[1] == "ux"]] = 1e-4
    end = 60 / omega
    record = ff.simulate(
        discrete,
        ff.FrameMotion(),
        duration=end,
        steps=4000,
        start=ff.motion.Start(displacements=shift),
        sensors={"end": ff.sensors.DofSensor("end", "ux")},
    )
    t = record.times
    exact = 1e-4 * np.exp(-decay * t) * (np.cos(damped * t) + decay / damped * np.sin(damped * t))
    assert record.sensors["end"].values == pytest.approx(exact, abs=1e-4 * 2e-3)
    assert decay * end > 1.0  # the damper matters
