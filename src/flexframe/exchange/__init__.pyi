from flexframe.exchange.bodies import part_body as part_body
from flexframe.exchange.body_parts import body_part as body_part
from flexframe.exchange.contract import Part as Part
from flexframe.exchange.describing import PartDescription as PartDescription
from flexframe.exchange.describing import describe_part as describe_part
from flexframe.exchange.meshing import Meshing as Meshing
from flexframe.exchange.reading import read_part as read_part
from flexframe.exchange.writing import write_part as write_part
