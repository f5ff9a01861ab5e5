"""Result records made visible: documents of typed blocks, and the page that shows them."""
