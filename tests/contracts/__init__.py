"""What every element family keeps, whatever it is."""
