"""The benches are packages of the repository's root, which is on no path of the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
