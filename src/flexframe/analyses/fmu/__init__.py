"""Systems as functional mock-up units (FMI 2.0 and 3.0), for simulators that step or integrate them."""
