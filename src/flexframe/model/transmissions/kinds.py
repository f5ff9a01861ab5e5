"""Every kind of transmission."""

from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.cams import Cam
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.model.transmissions.mimics import Mimic

TRANSMISSIONS: tuple[type[Transmission], ...] = (Gear, Rack, Cam, Belt, Cable, Mimic)
"""Every kind of transmission; adding one is a class and its name here."""
