from flexframe.analyses.stability.body_cycle import BodyCycle as BodyCycle
from flexframe.analyses.stability.body_cycle import Excitation as Excitation
from flexframe.analyses.stability.body_cycle import PeriodicForce as PeriodicForce
from flexframe.analyses.stability.mechanism_cycle import MechanismCycle as MechanismCycle
from flexframe.analyses.stability.rotor_cycle import RotorCycle as RotorCycle
