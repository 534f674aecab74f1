"""Names and texts in an agent file that must make sense wherever they stand."""

from collections.abc import Collection, Iterable, Iterator

from hilo.agent.checks.finding import Finding
from hilo.agent.declaration import Agent, Template
from hilo.agent.guards import GuardError, names_in
from hilo.agent.shape_errors import did_you_mean
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.texts import BUILT_IN, RECALLED, WELCOME_BACK, phrases, placeholders


def unknown(kind: str, name: str, known: Iterable[str], path: Path) -> Finding:
    """That a name is not declared, with the nearest one that is."""
    known = sorted(known)
    hint = did_you_mean(name, known) or f"declared are: {', '.join(known) or 'none'}"
    return Finding(path, f"{kind} `{name}` is not declared", hint)


def undeclared(kind: str, names: Iterable[str], known: Collection[str], path: Path) -> Iterator[Finding]:
    """Those of the names that are not declared."""
    for name in names:
        if name not in known:
            yield unknown(kind, name, known, path)


def undeclared_if_any(kind: str, name: str, known: Collection[str], path: Path) -> Iterator[Finding]:
    """A name that may be left out, and is not declared."""
    if name:
        yield from undeclared(kind, [name], known, path)


def check_placeholders(
    agent: Agent, template: Template, path: Path, *, also: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Names in braces that nothing fills: no slot, nor what is known there `also`."""
    known = BUILT_IN | RECALLED if path == ("templates", WELCOME_BACK) else BUILT_IN
    named = {*agent.slots, *agent.named_facts, *also}
    yield from undeclared("slot", sorted(placeholders(template) - known), named, path)


def check_text(agent: Agent, text: str, path: Path) -> Iterator[Finding]:
    """A text, or the name of a template that must exist."""
    if not text:
        yield Finding(path, "an empty text says nothing")
    elif not is_name(text):
        yield from check_placeholders(agent, Template(text=text), path)
    elif text not in {*agent.templates, *phrases(agent.language)}:
        yield unknown("template", text, agent.templates, path)


def check_guard(
    agent: Agent, guard: str, path: Path, *, at_key: bool = False, also: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """A condition that cannot be read, or speaks of slots that there are not, nor what is known there `also`."""
    try:
        named = names_in(guard) - also if guard else ()
    except GuardError as error:
        yield Finding(path, f"`{guard}` {error}", at_key=at_key)
        return
    yield from undeclared("slot", sorted(named), agent.slots, path)
