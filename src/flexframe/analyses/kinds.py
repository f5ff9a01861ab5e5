"""Every kind of analysis; a name here makes its folder known to cases, schema, storage, reports and studio.

The folder of a kind has the function, `record.py` (what was computed), `entry.py` (what a case file may say, class
`…Entry`) and `presentation.py` (what there is to see, class `…Presentation`). A module is loaded when a case asks
for its kind.
"""

from importlib import import_module
from typing import Any

from flexframe.analyses.contract import AnalysisEntry
from flexframe.presentation.presentation import Presentation

KINDS = (
    "modes",
    "statics",
    "matrices",
    "crosscheck",
    "transient",
    "reduction",
    "campbell",
    "frequency_response",
    "run_up",
    "kinematics",
    "joint_forces",
    "rigid_motion",
    "cycle_spectrum",
    "elastic_response",
    "stability",
    "mode_comparison",
    "linear_model",
    "inverse_kinematics",
    "tool_motion",
    "feed_forward",
    "journal_film",
    "critical_speed_map",
    "stability_threshold",
    "torsional_response",
)


def entry_class(kind: str) -> type[AnalysisEntry]:
    """What a case file may say of a kind."""
    found: type[AnalysisEntry] = _class_of(kind, "entry")
    return found


def presentation_class(kind: str) -> type[Presentation[Any]]:
    """What there is to see of a kind; of a word that is none, nothing in particular."""
    found: type[Presentation[Any]] = _class_of(kind, "presentation") if kind in KINDS else Presentation
    return found


def _class_of(kind: str, part: str) -> Any:
    """The class of a module of a kind: `ModesEntry` of `modes.entry`."""
    name = "".join(word.capitalize() for word in (*kind.split("_"), part))
    return getattr(import_module(f"flexframe.analyses.{kind}.{part}"), name)
