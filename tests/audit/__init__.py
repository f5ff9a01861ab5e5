"""The equations of the five source papers, judged against differentiated positions."""
