"""The process of one export: the command of flexframe within bounds of time and memory.

Started as `python -m flexframe.studio.export_process RESULTS --to FORM …`.
"""

import runpy
import sys

from flexframe.studio.bounds import EXPORT_MEMORY, EXPORT_SECONDS, limit_memory, limit_time

if __name__ == "__main__":
    limit_memory(EXPORT_MEMORY)
    limit_time(EXPORT_SECONDS)
    sys.argv = ["flexframe", "export", *sys.argv[1:]]
    runpy.run_module("flexframe", run_name="__main__", alter_sys=True)
