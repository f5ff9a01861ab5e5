"""Sensors: what is measured, on which marker, body or joint, in which axes; the same ones in every analysis."""

from flexframe.sensors.contract import (
    Axes,
    Direction,
    Marker,
    MarkerName,
    Measurement,
    Name,
    Point,
    Rate,
    Selection,
    Sensor,
    find_marker,
)
from flexframe.sensors.kinds import (
    SENSORS,
    DofSensor,
    EnergySensor,
    JointSensor,
    MarkerSensor,
    MomentumSensor,
    RotationSensor,
    StressSensor,
    vector,
)
from flexframe.sensors.readings import Reading, product, stack
from flexframe.sensors.states import State

__all__ = [
    "SENSORS",
    "Axes",
    "Direction",
    "DofSensor",
    "EnergySensor",
    "JointSensor",
    "Marker",
    "MarkerName",
    "MarkerSensor",
    "Measurement",
    "MomentumSensor",
    "Name",
    "Point",
    "Rate",
    "Reading",
    "RotationSensor",
    "Selection",
    "Sensor",
    "State",
    "StressSensor",
    "find_marker",
    "product",
    "stack",
    "vector",
]
