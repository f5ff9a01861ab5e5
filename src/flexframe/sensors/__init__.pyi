from flexframe.analyses.body_sensors import BodySensor as BodySensor
from flexframe.analyses.coupled.sensors import JointSensor as JointSensor
from flexframe.analyses.coupled.sensors import PointSensor as PointSensor
from flexframe.analyses.coupled.sensors import RotationSensor as RotationSensor
from flexframe.analyses.coupled.sensors import StressSensor as StressSensor
from flexframe.analyses.coupled.sensors import SystemSensor as SystemSensor
from flexframe.analyses.histories import Sensor as Sensor
