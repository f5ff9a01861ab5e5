"""What odd cases are made of: chances, names that mean something elsewhere, a model that analyses are asked of."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Tree = dict[str, Any]


class Chance(random.Random):
    """Chances of one case; a calm one has few oddities, so that it comes further."""

    calm = False

    def rarely(self, share: float) -> bool:
        """Whether something odd happens, which it does in this share of cases that are not calm."""
        return self.random() < (0.15 * share if self.calm else share)


NAMES = (
    *(
        "arm",
        "t",
        "pi",
        "e",
        "null",
        "true",
        "1",
        "ground x",
        "kinetic_energy",
        "displacement",
        "mesh",
        "start",
        "x",
    ),
    *(
        "joints",
        "axis",
        "Körper",
        "a-b",
        "speed",
        "on",
        "no",
        "1e3",
        "NaN",
        "None",
        "sin",
        "m",
        "all",
        "body",
        "self",
    ),
)


@dataclass
class Model:
    """A case without analyses, and what analyses may name."""

    case: Tree
    bodies: list[str]
    joints: list[str]
    drives: list[str]
    points: tuple[str, ...] = ()  # of machines
    rests: bool = False  # a rest is asked for


def some_name(chance: Chance, taken: Sequence[str]) -> str:
    """Usually an ordinary name, sometimes a word that means something elsewhere."""
    plain = f"part{len(taken)}"
    name = chance.choice(NAMES) if chance.random() < 0.3 else plain
    return name if name not in taken else f"{plain} b"


def number(chance: Chance, usual: float, odd: Sequence[Any] = (0, -1, 1e9, "nan", "1 kg", True)) -> Any:
    """Usually what is usual."""
    return chance.choice(odd) if chance.rarely(0.04) else usual
