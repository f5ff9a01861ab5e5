"""What a case describes, as a still scene: bodies where they start, before anything is computed."""

from dataclasses import replace

import numpy as np

from flexframe.cases.case import Case
from flexframe.errors import FlexframeError
from flexframe.model.body import Body
from flexframe.model.system import System
from flexframe.multibody.closure import assembled
from flexframe.multibody.mechanism import Mechanism, mechanism
from flexframe.multibody.mobility import mobility
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, Rates
from flexframe.presentation.drawing import Drawing, drawing
from flexframe.presentation.mechanism_scene import mechanism_scene
from flexframe.presentation.scenes import History, Scene, StaticShape, Trace
from flexframe.presentation.symbols import Carried

SCENE = "model"
_HEIGHT = 420


def model_snapshot(case: Case) -> Scene:
    """The bodies of a case; a linkage is closed first, and shown at its rough start where that fails."""
    if case.linked is not None:
        return _linkage(case.linked)
    parts = tuple(part for body in case.bodies().values() for part in _drawn(body).parts)
    return Scene(
        id=SCENE,
        parts=parts,
        content=StaticShape((None,) * len(parts)),
        title="Model",
        view="corner" if any(body.space == "spatial" for body in case.bodies().values()) else "auto",
        height=_HEIGHT,
    )


def _drawn(body: Body) -> Drawing:
    """A body with all that it carries; one of bars only is drawn as tubes that can be seen."""
    mesh = body.mesh
    lines_only = all(block.cell.dimension == 1 for block in mesh.blocks)
    size = float(np.ptp(mesh.points, axis=0).max(initial=0.0))
    carried: Carried = ("masses", "supports", "springs", "loads")
    return drawing(body.name, mesh, body, radius=0.012 * size if lines_only else 0.0, carried=carried)


def _linkage(system: System) -> Scene:
    ready = mechanism(system)
    motion = _still(ready, _start(ready))
    scene = mechanism_scene(SCENE, motion)
    assert isinstance(scene.content, History)
    # a path of one point is a dot with a name
    places = tuple(Trace(link.name, motion.marker(link.second)[0], colour="grey") for link in system.joints)
    return replace(scene, title="Model", height=_HEIGHT, content=replace(scene.content, traces=places))


def _start(ready: Mechanism) -> Configuration:
    try:
        return assembled(ready, ready.constraints, 0.0)
    except FlexframeError:
        return ready.rough_start()


def _still(ready: Mechanism, start: Configuration) -> MechanismMotion:
    rest = Rates(np.zeros_like(start.positions), np.zeros_like(start.positions))
    return MechanismMotion(
        mechanism=ready,
        times=np.zeros(1),
        configuration=start,
        velocities=rest,
        accelerations=rest,
        mobility=mobility(ready, start, 0.0),
        closure=0.0,
    )
