"""Finds the SQL beside an agent file; whoever has none pays nothing for the parser."""

from pathlib import Path

from hilo.errors import FileProblems, Problem
from hilo.store.own_sql import OwnSql


def read_own_sql(agent: str, beside: Path) -> OwnSql | None:
    """The SQL in an agent's folder, if there is any; raises FileProblems with all that is wrong with it."""
    folder, steps = beside / "sql", beside / "migrations"
    if not folder.is_dir() and not steps.is_dir():
        return None
    from hilo.store.own_check import judged  # noqa: PLC0415 -- the parser takes 0.2 s to import

    problems: list[Problem] = []
    statements, migrations = judged(_texts(folder, problems), _texts(steps, problems), problems)
    if problems:
        raise FileProblems(tuple(dict.fromkeys(problems)))
    return OwnSql(agent, str(folder), statements, migrations)


def _texts(folder: Path, problems: list[Problem]) -> dict[Path, str]:
    texts = {}
    for file in sorted(folder.glob("*.sql")):
        try:
            texts[file] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(str(file), 1, 1, f"cannot be read: {error}", "save it as UTF-8"))
    return texts
