"""The benchmark of this subject at a small size: same frequencies as scipy's eigensolver, in less time."""

from benchmarks.campbell import compared


def test_the_benchmark_compares_equal_answers() -> None:
    """`compared` itself asserts that frequencies agree, that bounds are guaranteed and that no mode is missing."""
    plain, careful = compared(3000)
    assert (plain.peer, careful.peer) == ("scipy eigs, plain", "scipy eigs, careful")
