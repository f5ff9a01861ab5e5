"""How functions of the dynamics are compiled: once, kept on disk, without reference counts.

None of them allocates, so that they use the arrays of their caller without counting references; counting cost half
of the time. Functions that only compiled functions call need no way in from Python. They become machine code with
the function that Python calls and are kept with it; to make each of them ready on its own, with all that it calls,
would take twice as long. That rests on a few inner methods of numba; without them functions are compiled as usual.
"""

# mypy: allow-untyped-calls, allow-untyped-decorators

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering

FAST = {"contract", "reassoc", "nsz", "arcp"}
"""Freedom for sums and quotients; infinities and NaN stay what they are."""

_F = TypeVar("_F", bound=Callable[..., Any])


class _Part(JITCodeLibrary):
    """Code as it was written, for the libraries that use it."""

    def _optimize_final_module(self) -> None:
        """Left to whoever uses it."""

    def _finalize_final_module(self) -> None:
        """No machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _MadeKnown(AnalysisPass):
    """What an ordinary function gets with its machine code: a key by which compiled functions find it."""

    _name = "flexframe_made_known"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """The key is a callable of its own that refuses the arguments of the function if Python calls it."""
        key = object().__reduce_ex__
        state["cr"] = state["cr"]._replace(cfunc=key)
        state.targetctx.insert_user_function(key, state["cr"].fndesc, [state.library])
        return False


class _PartCompiler(CompilerBase):
    """The usual passes up to the code of the function, and none of those that make it machine code."""

    def define_pipelines(self) -> list[Any]:
        """One pipeline, as for all functions."""
        state = self.state
        state.flags.no_compile = True
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        passes = DefaultPassBuilder.define_nopython_pipeline(state)
        passes.add_pass_after(_MadeKnown, NativeLowering)
        passes.finalize()
        return [passes]


_BORROWED: dict[str, Any] = {"_nrt": False}
_INNER: dict[str, Any] = {**_BORROWED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_HOOKS = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
if all(hasattr(JITCodeLibrary, hook) for hook in _HOOKS):
    _INNER["pipeline_class"] = _PartCompiler


def entry(function: _F) -> _F:
    """Compiled, kept on disk, and called from Python."""
    compiled: _F = njit(**_BORROWED, cache=True)(function)
    return compiled


def inner(function: _F) -> _F:
    """Compiled, and called by compiled functions only."""
    compiled: _F = njit(**_INNER)(function)
    return compiled


def fast_inner(function: _F) -> _F:
    """The same with sums in any order."""
    compiled: _F = njit(**_INNER, fastmath=FAST)(function)
    return compiled
