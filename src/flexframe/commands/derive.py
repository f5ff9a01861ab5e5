"""flexframe derive: the equations of one element as formulas or code."""

from flexframe.derivations import derive as derived
from flexframe.derivations import to_c, to_latex, to_python
from flexframe.derivations.names import checked


def derive(
    element: str, motion: str, formalism: str, to: str, *, plane_state: str, prestress: bool, document: bool
) -> None:
    """Print the equations of motion of an element in a moving frame."""
    writers = {
        "latex": lambda derivation: to_latex(derivation, document=document),
        "python": to_python,
        "c": to_c,
    }
    write = writers[checked(to, tuple(writers), "output")]
    derivation = derived(element, motion, formalism, plane_state=plane_state, prestress=prestress)
    print(write(derivation), end="")
