"""Sensors on the elastic bodies of a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.transient.histories import Sensor, sensor_rows
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mechanisms.elastic.assembly import ElasticAssembly
from flexframe.model.supports import NodeSelection


@dataclass(frozen=True)
class BodySensor:
    """One degree of freedom of an elastic body relative to its frame, averaged over the selected nodes."""

    on: NodeSelection
    dof: str = "uy"
    body: str | None = None


def joined_sensor_rows(
    assembly: ElasticAssembly, sensors: Mapping[str, BodySensor]
) -> dict[str, tuple[str, Array]]:
    """Unit and row of each sensor on the coordinates of all bodies."""
    parts = {part.name: part for part in assembly.parts if part.discrete is not None}
    rows = {}
    for name, sensor in sensors.items():
        body = sensor.body or (next(iter(parts)) if len(parts) == 1 else None)
        if body not in parts:
            raise InputError(
                f"sensor {name} is on '{sensor.body or ''}'; name an elastic body with body: {', '.join(parts)}"
            )
        part = parts[body]
        assert part.discrete is not None
        (made,) = sensor_rows(part.discrete, {name: Sensor(sensor.on, sensor.dof)})
        row = np.zeros(assembly.size)
        row[part.columns] = part.discrete.supports.reduce_vector(made.row)
        rows[name] = (made.unit, row)
    return rows
