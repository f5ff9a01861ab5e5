from flexframe.analyses.run_up.analysis import SpeedRamp as SpeedRamp
from flexframe.model.bearings import Bearing as Bearing
from flexframe.model.bearings import BearingTable as BearingTable
from flexframe.spectra.rotation.harmonic_loads import Unbalance as Unbalance
from flexframe.spectra.rotation.harmonic_loads import WhirlingForce as WhirlingForce
