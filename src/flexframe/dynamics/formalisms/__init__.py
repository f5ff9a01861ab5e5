"""The six formalisms of analytical mechanics at the level of a whole system."""
