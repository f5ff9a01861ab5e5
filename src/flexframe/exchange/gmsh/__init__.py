"""gmsh files (.msh)."""
