"""Building blocks of case files: what they may say of bodies, links, loads and motions."""
