"""Ansys: coded databases (.cdb), matrices (.full) and results (.rst)."""
