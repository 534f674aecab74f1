"""Places in an agent file. Checks say what must be true at a place, and report what is not."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from hilo.agent.declaration import Agent
from hilo.agent.guards import GuardError, names_in
from hilo.agent.opening_hours import OPEN, OPEN_WORDS
from hilo.agent.shape_errors import did_you_mean
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.standard_intents import STANDARD_INTENTS
from hilo.agent.templates import Template
from hilo.agent.texts import BUILT_IN, RECALLED, WELCOME_BACK, placeholders, words_for

NAME = re.compile(r"[a-z][a-z0-9_]*")


Rule = tuple[object, str, str]  # what must be so, the problem if it is not, a hint
ANOTHER = "choose another name"
# of what no key of its own name declares
HOW_DECLARED = {"tool": "; one is declared by a function marked @tool in tools.py, or under `tools: http:` or `mcp:`"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem at a path of the file."""

    path: Path
    message: str
    hint: str = ""
    at_key: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an agent's file, the whole of it without a path; `place / "slots"` is one inside of it."""

    agent: Agent
    path: Path = ()
    found: list[Finding] = field(default_factory=list)  # shared by all places of a file

    def __truediv__(self, key: str | int) -> "Place":
        return Place(self.agent, (*self.path, key), self.found)

    def at(self, path: Path) -> "Place":
        """Another place of the same file."""
        return Place(self.agent, path, self.found)

    @property
    def key(self) -> str:
        """What it stands under."""
        return str(self.path[-1])

    def problem(self, message: str, hint: str = "", *, at_key: bool = False) -> None:
        """Something is wrong here, or with the key that this stands under."""
        self.found.append(Finding(self.path, message, hint, at_key))

    def require(self, so: object, message: str, hint: str = "", *, at_key: bool = False) -> None:
        """A problem, unless this is so."""
        if not so:
            self.problem(message, hint, at_key=at_key)

    def require_in_turn(self, *rules: Rule, at_key: bool = False) -> None:
        """The first of these that is not so: each makes sense only if those before it are."""
        for so, message, hint in rules:
            if not so:
                self.problem(message, hint, at_key=at_key)
                return

    # --- names ------------------------------------------------------------------------------------------

    def proper(self, name: str, pattern: re.Pattern[str] = NAME, *, at_key: bool = True) -> None:
        """A name that an author gives must look like one."""
        right = pattern.fullmatch(name)
        self.require(right, f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=at_key)

    def free(self, so: object, message: str) -> None:
        """A name that an author gives must not mean something else already."""
        self.require(so, message, ANOTHER, at_key=True)

    def named(self, kind: str, *names: str, among: Iterable[str] | None = None) -> None:
        """Names that must be declared as what they are called here, or be `among` others."""
        known = self._declared(kind) if among is None else set(among)
        for name in names:
            if name not in known:
                self.unknown(kind, name, known)

    def like(self, name: str) -> None:
        """The name of a standard intent, of which there are too many to list."""
        if name not in STANDARD_INTENTS:
            near = did_you_mean(name, sorted(STANDARD_INTENTS))
            self.problem(f"standard intent `{name}` is not declared", near or "docs/standard-intents.md lists them")

    def may_name(self, kind: str, name: str) -> None:
        """A name that may be left out."""
        if name:
            self.named(kind, name)

    def unknown(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        """A name is not declared: which one was meant, or which there are."""
        known = sorted(known)
        declared = f"declared are: {', '.join(known) or 'none'}{HOW_DECLARED.get(kind, '')}"
        self.problem(f"{kind} `{name}` is not declared", hint or did_you_mean(name, known) or declared)

    def _declared(self, kind: str) -> Collection[str]:
        agent = self.agent
        declared: dict[str, Collection[str]] = {
            "slot": agent.slots,
            "flow": agent.flows,
            "mode": agent.modes,
            "intent": agent.intents,
            "tone": agent.tones,
            "tool": agent.toolbox,
            "tool or group": {*agent.toolbox, *agent.tools.groups},
        }
        return declared[kind]

    # --- texts and guards -------------------------------------------------------------------------------

    def says(self, text: str) -> None:
        """A text, or the name of a template that must exist."""
        if not text:
            self.problem("an empty text says nothing")
        elif not is_name(text):
            self.fills(Template(text=text))
        elif words_for(self.agent, text) is None:
            # the engine's own words are not listed: an author hardly means one of them
            known = sorted(self.agent.templates)
            as_text = f'small letters alone name a template; as a text, write "{text.capitalize()}."'
            self.unknown("template", text, known, did_you_mean(text, known) or as_text)

    def may_say(self, text: str) -> None:
        """A text or a template that may be left out."""
        if text:
            self.says(text)

    def fills(self, template: Template, *, also: Iterable[str] = ()) -> None:
        """Names in braces must be filled: by slots, facts, and what is known here `also`."""
        known = BUILT_IN
        if self.path == ("templates", WELCOME_BACK):
            # Only there it is known what was said in the session before.
            known = BUILT_IN | RECALLED
        named = {*self.agent.slots, *self.agent.named_facts, *also}
        if self.agent.open:
            named |= OPEN_WORDS
        self.named("slot", *sorted(placeholders(template) - known), among=named)

    def asks(self, guard: str, *, at_key: bool = False, also: Collection[str] = ()) -> None:
        """A condition that can be read and speaks of slots, or of what is known `also`; it may be left out."""
        if not guard:
            return
        try:
            named = names_in(guard).difference(also)
        except GuardError as error:
            self.problem(f"`{guard}` {error}", at_key=at_key)
            return
        known = {OPEN} if self.agent.open else set()
        self.named("slot", *sorted(named - known))
