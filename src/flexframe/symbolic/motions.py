"""The symbols of the motion of the frame: ω, ε, v_O, a_O in frame components."""

from dataclasses import dataclass
from typing import Any

from sympy import Symbol, symbols

from flexframe.errors import InputError
from flexframe.symbolic.names import MOTIONS, VARYING, checked


@dataclass(frozen=True)
class SymbolicMotion:
    """Motion of the frame; a component that does not exist is None.

    In planar motion ω = (0, 0, ω), and v_O, a_O lie in the plane. `varying` names the data that depend on time in
    the moving frame: without "omega" there is no ε = ω̇.
    """

    space: str
    omega: tuple[Any, ...]
    epsilon: tuple[Any, ...]
    v_O: tuple[Any, ...]
    a_O: tuple[Any, ...]
    varying: tuple[str, ...]

    @property
    def coefficients(self) -> tuple[Symbol, ...]:
        """Symbols that may appear in an equation of motion: ω, ε, a_O."""
        return tuple(s for group in (self.omega, self.epsilon, self.a_O) for s in group if s is not None)


def symbolic_motion(space: str, varying: tuple[str, ...] = ("omega", "a_O")) -> SymbolicMotion:
    """General motion in the plane or in space."""
    space = checked(space, MOTIONS, "motion")
    unknown = [name for name in varying if name not in VARYING]
    if unknown:
        raise InputError(f"{unknown[0]!r} cannot vary in time; choose among {', '.join(VARYING)}")
    if space == "planar":
        in_plane = ("1", "2", None)
        turning: tuple[str | None, ...] = (None, None, "")
    else:
        in_plane = ("1", "2", "3")  # type: ignore[assignment]
        turning = ("_1", "_2", "_3")

    def named(stem: str, suffixes: tuple[str | None, ...]) -> tuple[Any, ...]:
        return tuple(None if s is None else symbols(stem + s, real=True) for s in suffixes)

    no_rate: tuple[Any, ...] = (None, None, None)
    return SymbolicMotion(
        space=space,
        omega=named("omega", turning),
        epsilon=named("epsilon", turning) if "omega" in varying else no_rate,
        v_O=named("v_O", in_plane),
        a_O=named("a_O", in_plane),
        varying=varying,
    )
