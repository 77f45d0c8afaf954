"""Making players loads what they need and no more."""

import subprocess
import sys

MOST_MODULES = 90
COUNTED_MATCH = """
import atexit, sys
atexit.register(lambda: print(sum(name.partition(".")[0] == "evocheckers" for name in sys.modules)))
sys.argv = "evocheckers match material@4 material@4 --openings first-moves".split()
from evocheckers.__main__ import main
main()
"""


def test_a_match_of_piece_counters_loads_few_modules():
    done = subprocess.run([sys.executable, "-c", COUNTED_MATCH], capture_output=True, text=True, check=True)
    *_, modules = done.stdout.splitlines()
    assert 0 < int(modules) < MOST_MODULES
