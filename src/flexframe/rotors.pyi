from flexframe.analyses.rotation.bearings import Bearing as Bearing
from flexframe.analyses.rotation.harmonic_loads import Unbalance as Unbalance
from flexframe.analyses.rotation.harmonic_loads import WhirlingForce as WhirlingForce
from flexframe.analyses.run_up import SpeedRamp as SpeedRamp
