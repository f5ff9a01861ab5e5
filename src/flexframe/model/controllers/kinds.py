"""Every kind of controller."""

from flexframe.model.controllers.contract import Controller
from flexframe.model.controllers.direct import Gain, Reference, Saturation, ZeroOrderHold
from flexframe.model.controllers.functions import PythonFunction
from flexframe.model.controllers.linear import Delay, LeadLag, Notch, TransferFunction
from flexframe.model.controllers.pid import PID
from flexframe.model.controllers.state_space import StateSpace
from flexframe.model.controllers.units import FMU
from flexframe.model.events import Switch

CONTROLLERS: tuple[type[Controller], ...] = (
    Reference,
    Gain,
    PID,
    TransferFunction,
    StateSpace,
    LeadLag,
    Notch,
    Saturation,
    Delay,
    ZeroOrderHold,
    PythonFunction,
    FMU,
    Switch,
)
"""Every kind of controller; adding one is a class and its name here."""
