"""The equations of a body or a system by all formalisms, compared."""
