from flexframe.analyses.feed_forward.analysis import feed_forward as feed_forward
from flexframe.analyses.inverse_kinematics.analysis import inverse_kinematics as inverse_kinematics
from flexframe.analyses.tool_motion.analysis import tool_motion as tool_motion
from flexframe.exchange.urdf import read_urdf as read_urdf
