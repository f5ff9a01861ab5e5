"""The oil film of a journal bearing over the speed."""
