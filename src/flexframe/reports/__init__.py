"""Reports: documents of the blocks that records present, and the page that shows them."""
