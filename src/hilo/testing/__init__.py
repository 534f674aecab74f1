"""Public: what agents are tested with, by authors and by Hilo itself."""

from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation, Entry, NoSuchButton
from hilo.testing.coverage import coverage
from hilo.testing.covered import Covered
from hilo.testing.discovery import Suite, default_path, find_suites
from hilo.testing.play import Broken, Played, play
from hilo.testing.script import Expect, Script, ScriptFile, Step, parse_script, read_script
from hilo.testing.suite import Report, run_suite

__all__ = [
    "Broken",
    "Conversation",
    "Covered",
    "Entry",
    "Expect",
    "FakeClock",
    "NoSuchButton",
    "Played",
    "Report",
    "Script",
    "ScriptFile",
    "Step",
    "Suite",
    "coverage",
    "default_path",
    "find_suites",
    "parse_script",
    "play",
    "read_script",
    "run_suite",
]
