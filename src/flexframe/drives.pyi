from flexframe.model.drives import AngleDrive as AngleDrive
from flexframe.model.drives import DistanceDrive as DistanceDrive
from flexframe.model.drives import Drive as Drive
from flexframe.model.drives import PathDrive as PathDrive
from flexframe.model.drives import PositionDrive as PositionDrive
from flexframe.model.drives import joint_drive as joint_drive
from flexframe.multibody.robots.tool_drives import tool_drives as tool_drives
