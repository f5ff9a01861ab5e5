from flexframe.exchange.bodies import part_body as part_body
from flexframe.exchange.contract import Part as Part
