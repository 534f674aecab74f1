"""Hilo: agents that never lose the thread. These names are public, and docs/python.md shows each of them at work."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hilo import errors, language
    from hilo.agent.opening_hours import OpeningHours
    from hilo.app.loading import load_agent
    from hilo.app.running import serve
    from hilo.app.tables import open_database
    from hilo.dialogue import commands
    from hilo.testing.conversation import Chat, Conversation
    from hilo.tools import database as tables
    from hilo.tools.given import Contact, Database, Facts, FileKeeper
    from hilo.tools.tool import AskContact, NeedsPerson, ToolFailed, tool

__all__ = [
    "AskContact",
    "Chat",
    "Contact",
    "Conversation",
    "Database",
    "Facts",
    "FileKeeper",
    "NeedsPerson",
    "OpeningHours",
    "ToolFailed",
    "commands",
    "errors",
    "language",
    "load_agent",
    "open_database",
    "serve",
    "tables",
    "tool",
]

# Where each name is, as `module` or `module:name`. A tool needs no server and a script no database: each name is
# imported when it is first asked for, so that `import hilo` costs next to nothing.
_HOMES = {
    "AskContact": "hilo.tools.tool:AskContact",
    "Chat": "hilo.testing.conversation:Chat",
    "Contact": "hilo.tools.given:Contact",
    "Conversation": "hilo.testing.conversation:Conversation",
    "Database": "hilo.tools.given:Database",
    "Facts": "hilo.tools.given:Facts",
    "FileKeeper": "hilo.tools.given:FileKeeper",
    "NeedsPerson": "hilo.tools.tool:NeedsPerson",
    "OpeningHours": "hilo.agent.opening_hours:OpeningHours",
    "ToolFailed": "hilo.tools.tool:ToolFailed",
    "commands": "hilo.dialogue.commands",
    "errors": "hilo.errors",
    "language": "hilo.language",
    "load_agent": "hilo.app.loading:load_agent",
    "open_database": "hilo.app.tables:open_database",
    "serve": "hilo.app.running:serve",
    "tables": "hilo.tools.database",
    "tool": "hilo.tools.tool:tool",
}

if not TYPE_CHECKING:  # mypy would take every name of a module that has it for known

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'hilo' has no attribute {name!r}")
        module, _, attribute = _HOMES[name].partition(":")
        found = import_module(module)
        globals()[name] = getattr(found, attribute) if attribute else found
        return globals()[name]

    def __dir__() -> list[str]:
        return list(__all__)
