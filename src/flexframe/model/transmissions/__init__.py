"""Transmissions: a coordinate of one body follows a coordinate of another one, s = f(r).

Angles are those against a carrier, the housing or arm that both wheels turn in, and count through all turns. Each
transmission acts by a force or torque along s; along r, and on the carrier, act what keeps the balance of power:
it neither takes nor gives any. With a stiffness the coordinate s − f(r) is that of a spring instead.
"""
