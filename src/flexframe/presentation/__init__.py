"""What there is to see of a result, said once, and how data frames, figures and texts are drawn from it."""
