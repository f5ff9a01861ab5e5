"""The page on adding a sensor: its class and its name in the tuple are enough for cases, schema and analyses."""

import subprocess
import sys

from .repository import ROOT, code_blocks

CASE = """\
ground: {O: [0, 0]}
bodies:
  upper: {mass: 1, inertia: 0.02, centre: [0.25, 0], points: {start: [0, 0], end: [0.5, 0]}}
  lower: {mass: 0.5, inertia: 0.01, centre: [0.2, 0], points: {start: [0, 0], end: [0.4, 0]}}
start:
  lower: {position: [0.5, 0], angle: 1.5}
joints:
  shoulder: {revolute: [ground.O, upper.start]}
  elbow: {revolute: [upper.end, lower.start]}
drives:
  hold: {angle: 0*t, joint: shoulder}
  bend: {angle: pi/2 + 2*t, joint: elbow}
analyses:
  run:
    kind: kinematics
    duration: 0.1
    samples: 3
"""

PROGRAM = """
from pathlib import Path
import flexframe.sensors.kinds as kinds
{definition}
kinds.SENSORS = (*kinds.SENSORS, DistanceSensor)
from flexframe.cases.case import parse_case
from flexframe.cases.document import case_schema
case = parse_case({case!r}, file="arms.yaml", folder=Path.cwd(), overrides=())
found = case.analyses["run"].run(case).summary()["sensors"]
assert abs(found["reach"]["values"][0] - (0.5**2 + 0.4**2) ** 0.5) < 1e-9, found
assert found["closing"]["unit"] == "m/s" and found["closing"]["values"][0] < -0.6, found
assert "distance" in case_schema()["$defs"]["DistanceSensorEntry"]["properties"]
try:
    parse_case({wrong!r}, file="arms.yaml", folder=Path.cwd(), overrides=())
except Exception as error:
    assert "sensors.reach: unknown point of lower 'hand'" in str(error), error
else:
    raise AssertionError("a marker that is not there was taken")
"""


def test_the_page_adds_a_sensor_in_two_edits() -> None:
    """In a process of its own, in which the tuple has the new name before a case is read."""
    page = (ROOT / "docs/how-to/add-a-sensor.md").read_text(encoding="utf-8")
    definition, *_ = code_blocks(page, "python")
    (sensors,) = code_blocks(page, "yaml")
    case = CASE + sensors
    program = PROGRAM.format(definition=definition, case=case, wrong=case.replace("lower.end", "lower.hand"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
