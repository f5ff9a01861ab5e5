"""Every analysis of a case up to where its work would begin."""

from flexframe.cases.case import Case
from flexframe.entries.problems import CaseAnalysisError, CaseError, Problem, located
from flexframe.library_warnings import noted_warnings


def check_case(case: Case) -> None:
    """Find what a run would refuse: build, assemble and evaluate one state of every analysis.

    CaseError with every problem of all analyses; CaseAnalysisError where none of them is one of input.
    """
    refused: list[Problem] = []
    impossible: list[Problem] = []
    for name, analysis in case.analyses.items():
        try:
            with located(case.problems(), "analyses", name), noted_warnings():
                analysis.check(case)
        except CaseError as error:
            refused += error.problems
        except CaseAnalysisError as error:
            impossible += error.problems
    found = sorted(dict.fromkeys((*refused, *impossible)), key=lambda problem: problem.line or 0)
    if refused:
        raise CaseError(found)
    if impossible:
        raise CaseAnalysisError(found)
