"""`python -m flexframe` is the `flexframe` command."""

from flexframe.cli import main

if __name__ == "__main__":
    main()
