from flexframe.analyses.run_up.analysis import SpeedRamp as SpeedRamp
from flexframe.spectra.rotation.bearings import Bearing as Bearing
from flexframe.spectra.rotation.harmonic_loads import Unbalance as Unbalance
from flexframe.spectra.rotation.harmonic_loads import WhirlingForce as WhirlingForce
