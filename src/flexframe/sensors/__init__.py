"""Sensors: what is measured, on which marker, body or joint, in which axes; the same ones in every analysis."""

from flexframe.sensors.contract import Measurement, Rate, Sensor, State, find_marker
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

__all__ = [
    "SENSORS",
    "DofSensor",
    "EnergySensor",
    "JointSensor",
    "MarkerSensor",
    "Measurement",
    "MomentumSensor",
    "Rate",
    "Reading",
    "RotationSensor",
    "Sensor",
    "State",
    "StressSensor",
    "find_marker",
    "product",
    "stack",
    "vector",
]
