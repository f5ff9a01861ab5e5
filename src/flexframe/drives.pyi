from flexframe.model.drives import AngleDrive as AngleDrive
from flexframe.model.drives import DistanceDrive as DistanceDrive
from flexframe.model.drives import Drive as Drive
from flexframe.model.drives import PathDrive as PathDrive
from flexframe.model.drives import PositionDrive as PositionDrive
