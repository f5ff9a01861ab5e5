"""Rest, steady turning and small motions about them."""
