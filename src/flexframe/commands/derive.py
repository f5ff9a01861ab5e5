"""flexframe derive: the equations of one element as formulas or code."""

from flexframe.derivations import derive as derived
from flexframe.derivations import to_c, to_latex, to_python
from flexframe.derivations.names import checked


def derive(
    element: str, motion: str, formalism: str, to: str, *, plane_state: str, prestress: bool, document: bool
) -> None:
    """Print the equations of motion of an element in a moving frame."""
    language = checked(to, ("latex", "python", "c"), "output")
    derivation = derived(element, motion, formalism, plane_state=plane_state, prestress=prestress)
    if language == "latex":
        text = to_latex(derivation, document=document)
    else:
        text = to_python(derivation) if language == "python" else to_c(derivation)
    print(text, end="")
