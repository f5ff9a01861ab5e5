"""flexframe schema: the case format for editors."""

from flexframe.cases.document import case_schema
from flexframe.commands.console import print_json


def schema() -> None:
    """Print the JSON schema of case files."""
    print_json(case_schema())
