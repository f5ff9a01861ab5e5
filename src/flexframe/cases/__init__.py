"""Case files: YAML → bodies and analyses, with every problem reported by file, line and field."""
