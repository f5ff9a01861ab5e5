"""Case files: YAML → bodies and analyses, with every problem told by file, line and field."""
