"""flexframe studio: the web page on this machine."""

from pathlib import Path

from flexframe.errors import InputError


def studio(
    case: Path | None, workspace: Path | None, port: int | None, *, at_once: int, open_browser: bool
) -> None:
    """Serve the page until it is interrupted."""
    try:
        from flexframe.studio.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "uvicorn", "starlette"):
            raise
        raise InputError(
            f"the studio needs the package {error.name}; install it with: pip install 'flexframe[studio]'"
        ) from None
    serve(
        case,
        workspace=workspace,
        port=port,
        at_once=at_once,
        open_browser=open_browser,
        say=lambda line: print(line, flush=True),
    )
