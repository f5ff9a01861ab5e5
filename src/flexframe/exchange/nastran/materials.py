"""Materials of Nastran: MAT1 isotropic, MAT8 orthotropic in the plane, MAT9 with three planes of symmetry."""

from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material
from flexframe.errors import InputError
from flexframe.exchange.contract import AnyMaterial, Settings
from flexframe.exchange.nastran.cards import Card, Deck
from flexframe.exchange.units import Units
from flexframe.maths.arrays import Array

_OTHERS = ("MAT2", "MAT3", "MAT10", "MAT11", "MAT12", "MATHE", "MATHP")
_TRIANGLE = [(i, j) for i in range(6) for j in range(i, 6)]  # of MAT9, row by row
_MIXED = 1e-9  # entries of an elasticity matrix, relative to the largest, that no orthotropic material has
_DIFFERENT = 1e-3  # of G and E/2(1+ν) of MAT1, relative


@dataclass(frozen=True, eq=False)
class Materials:
    """Materials by number; those that cannot be had say why."""

    found: dict[int, AnyMaterial] = field(default_factory=dict)
    lacking: dict[int, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def of(self, number: int, given: Settings) -> AnyMaterial:
        """The material of a number; one that is given by its name replaces it."""
        named = given.material(self.name(number)) or given.material(str(number))
        if named is not None:
            return named
        if number in self.found:
            return self.found[number]
        raise InputError(self.lacking.get(number) or f"material {number} is not in the file; give it in materials")

    def name(self, number: int) -> str:
        """What a material is called."""
        return self.found[number].name if number in self.found else f"MAT {number}"


def read_materials(deck: Deck, settings: Settings, mass_factor: float) -> Materials:
    """All materials of a file in SI units; `mass_factor` is that of PARAM,WTMASS."""
    made = Materials()
    for name, read in (("MAT1", _isotropic), ("MAT8", _planar), ("MAT9", _solid)):
        for card in deck.of(name):
            number = card.integer(1)
            try:
                found = read(card, settings.units, mass_factor, made.notices)
                made.found[number] = replace(found, name=deck.names.get(("MAT", number), found.name))
            except InputError as error:
                made.lacking[number] = f"{card.place}: {name} {number}: {error}; or give '{number}' in materials"
    for name in _OTHERS:
        for card in deck.of(name):
            remedy = f"give '{card.integer(1)}' in materials"
            made.lacking.setdefault(card.integer(1), f"{card.place}: {name} is not read; {remedy}")
    return made


def _density(value: float, units: Units, mass_factor: float) -> float:
    if not value > 0:
        raise InputError("it has no density (RHO); add it")
    return value * units.density * mass_factor


def _isotropic(card: Card, units: Units, mass_factor: float, notices: list[str]) -> Material:
    """MAT1: two of E, G and ν; of three G is left out."""
    E, G, nu = (card.real(f, 0.0) for f in (2, 3, 4))
    there = [bool(card.text(f)) for f in (2, 3, 4)]
    if not (there[0] or there[1]):
        raise InputError("it has neither E nor G; give two of E, G and NU")
    if not there[2]:
        nu = E / (2 * G) - 1 if all(there[:2]) and G else 0.0
    if not there[0]:
        E = 2 * G * (1 + nu)
    if all(there) and G and abs(G - E / (2 * (1 + nu))) > _DIFFERENT * abs(G):
        notices.append(
            f"MAT1 {card.integer(1)} has G = {G:g} beside E and NU, which give {E / (2 * (1 + nu)):g}; E and NU "
            "are taken"
        )
    density = _density(card.real(5, 0.0), units, mass_factor)
    return Material(E * units.stress, nu, density, f"MAT1 {card.integer(1)}")


def _planar(card: Card, units: Units, mass_factor: float, notices: list[str]) -> OrthotropicMaterial:
    """E1, E2, ν12, G12, G1z, G2z; a shell feels nothing of the third direction, E3 = E2 and ν13 = ν23 = 0."""
    E1, E2, nu12, G12, G13, G23 = card.reals(2, 6)
    if not (G13 and G23):
        notices.append(f"MAT8 {card.integer(1)} has no G1Z or G2Z, rigid in transverse shear; G12 is taken there")
    stress = units.stress
    return OrthotropicMaterial(
        (E1 * stress, E2 * stress, E2 * stress),
        (nu12, 0.0, 0.0),
        (G12 * stress, (G23 or G12) * stress, (G13 or G12) * stress),
        _density(card.real(8, 0.0), units, mass_factor),
        f"MAT8 {card.integer(1)}",
    )


def _solid(card: Card, units: Units, mass_factor: float, notices: list[str]) -> OrthotropicMaterial:
    """Nine constants from a 6 × 6 matrix that couples shear with nothing; order xx, yy, zz, xy, yz, zx."""
    del notices
    D = np.zeros((6, 6))
    for (i, j), value in zip(_TRIANGLE, card.reals(2, 21), strict=True):
        D[i, j] = D[j, i] = value
    density = _density(card.real(23, 0.0), units, mass_factor)
    return orthotropic(D * units.stress, density, f"MAT9 {card.integer(1)}")


def orthotropic(D: Array, density: float, name: str) -> OrthotropicMaterial:
    """The material whose elasticity (xx, yy, zz, xy, yz, zx) is D [Pa]: (6, 6); others are refused."""
    mixed = D.copy()
    mixed[:3, :3] = 0.0
    mixed[np.arange(3, 6), np.arange(3, 6)] = 0.0
    if np.abs(mixed).max() > _MIXED * np.abs(D).max():
        raise InputError(f"{name} couples shear with other strains; flexframe has orthotropic materials at most")
    try:
        S = np.linalg.inv(D)
    except np.linalg.LinAlgError:
        raise InputError(f"{name} has a singular elasticity matrix; check its entries") from None
    E1, E2, E3 = (float(1 / S[k, k]) for k in range(3))
    ratios = (float(-S[0, 1] * E1), float(-S[1, 2] * E2), float(-S[0, 2] * E1))
    G12, G23, G13 = (float(1 / S[k, k]) for k in (3, 4, 5))
    return OrthotropicMaterial((E1, E2, E3), ratios, (G12, G23, G13), density, name)
