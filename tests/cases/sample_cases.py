"""Small cases that the tests change."""

PLATE = """\
title: Plate
bodies:
  plate:
    mesh: {rectangle: {length: 0.4, height: 0.1, divisions: [4, 1]}}
    material: steel
    thickness: 5 mm
    supports:
      - clamp: left
    loads:
      - {traction: [0, 1 MPa], on: right}
analyses:
  vibration: {kind: modes, count: 3}
"""
