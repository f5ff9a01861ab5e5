"""What flexframe sets out to reach against its peers: name of a benchmark → part of the peer's name → ratio."""

TARGETS: dict[str, dict[str, float | None]] = {
    "plane_assembly": {"scikit-fem": 1.0},
    "assembly": {"scikit-fem": 3.0},
    "modes": {"CalculiX": 5.0, "eigsh": 1.5},
    "campbell": {"scipy": 50.0},
    "wind_pump_cycle": {"scipy loop": 50.0},
    "slider_crank_3d": {"fast build": None, "no geometric": 30.0, "Exudyn": 45.0, "0.1.0": 1.8},
    "chains": {"Exudyn": 1.0},
    "lattice": {"Exudyn": 1.0},
    "derivation": {"numeric": 1000.0, "symbolic": 20.0},
    "sweep": {"one worker": 1.8},
}


def target(benchmark: str, peer: str) -> float | None:
    """The ratio that is asked for, if any: the first whose words are in the name of the peer."""
    return next((ratio for part, ratio in TARGETS.get(benchmark, {}).items() if part in peer), None)


EXPLANATIONS: dict[str, str] = {
    "campbell": (
        "The careful peer factorises with one thread; flexframe uses both cores, and gains from the second what "
        "the machine gives at that moment: ratios between 37 and 56 were seen with the same program."
    ),
    "startup": "Cases with several analyses or with large motion load more of scipy and have work of their own.",
    "sweep": (
        "Starting workers costs about as much as a hundred of these cases; longer cases or more of them come "
        "nearer to the number of workers."
    ),
    "growth": (
        "The smallest sizes fit into the cache of the processor, the larger ones do not, which steepens the fit."
    ),
}
"""Why a benchmark may miss what is asked on a quiet machine; told only where it does."""
