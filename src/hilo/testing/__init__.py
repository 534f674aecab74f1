"""Public: what agents are tested with, by authors and by Hilo itself."""

from typing import TYPE_CHECKING

from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation, Entry, NoSuchButton
from hilo.testing.coverage import Covered, coverage
from hilo.testing.play import Broken, Played, play, play_with_model
from hilo.testing.script import Expect, Script, ScriptFile, ScriptStep, parse_script, read_scripts
from hilo.testing.suite import Report, Suite, default_path, find_suites, run_suite, selected

if TYPE_CHECKING:
    from hilo.testing.world import World, open_world

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
    "ScriptStep",
    "Suite",
    "World",
    "coverage",
    "default_path",
    "find_suites",
    "open_world",
    "parse_script",
    "play",
    "play_with_model",
    "read_scripts",
    "run_suite",
    "selected",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The world is an installation with a store and workers, for which a talk in memory need not wait."""
        if name not in {"World", "open_world"}:
            raise AttributeError(f"module 'hilo.testing' has no attribute {name!r}")
        from hilo.testing import world  # noqa: PLC0415

        return getattr(world, name)
