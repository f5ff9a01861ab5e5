"""The studio: a web page on this machine that edits cases, runs them and shows what they gave."""
