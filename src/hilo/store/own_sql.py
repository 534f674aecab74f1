"""What an agent's author writes in SQL: named statements in `sql`, tables in `migrations`, beside the agent file."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hilo.store.queries import Dialect, Query

SCOPE = frozenset({"workspace", "contact"})  # bound in every statement, whatever a script says

# databases keep digests that were made with this pattern: it must not change
_SAID = re.compile(
    r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\2)|(?:\s|--[^\n]*|/\*.*?\*/)+""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class OwnStatement:
    """A named statement of an agent, in both dialects, and where it stands."""

    name: str
    place: str
    sql: Mapping[Dialect, Query]

    @property
    def names(self) -> frozenset[str]:
        """Its values."""
        return frozenset(name for each in self.sql.values() for name in each.names)


@dataclass(frozen=True, slots=True)
class Migration:
    """A step of an agent's tables: the statements of a file, in order."""

    name: str
    file: str
    statements: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Of what it says: neither comments nor spaces and line ends count, except in quotes."""
        said = ";".join(_SAID.sub(lambda found: found[1] or " ", each).strip() for each in self.statements)
        return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class OwnSql:
    """All that an agent has of its own in the database."""

    agent: str
    folder: str
    statements: Mapping[str, OwnStatement]
    migrations: Mapping[Dialect, tuple[Migration, ...]]
