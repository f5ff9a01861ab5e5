from flexframe.analyses.floquet.body_cycle import BodyCycle as BodyCycle
from flexframe.analyses.floquet.body_cycle import Excitation as Excitation
from flexframe.analyses.floquet.body_cycle import PeriodicForce as PeriodicForce
from flexframe.analyses.floquet.mechanism_cycle import MechanismCycle as MechanismCycle
from flexframe.analyses.floquet.rotor_cycle import RotorCycle as RotorCycle
