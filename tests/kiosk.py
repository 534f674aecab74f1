"""A small shop with modes and tools, and the words with which tests talk to it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import Command
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import HandOff, Question, RunTool, Say
from hilo.dialogue.events import Event, MessageUnderstood, ModelAnswered, ToolResult, ToolsReturned
from hilo.dialogue.session import Session
from hilo.dialogue.synthesis import opened

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
TOOLBOX = {
    "search": ToolSpec("search", {"text": True}),
    "stock": ToolSpec("stock", {"product": False}),
    "add": ToolSpec("add", {"product": True, "count": False}, writes=True),
    "clear": ToolSpec("clear", writes=True),
    "pay": ToolSpec("pay", {"name": True}, writes=True, needs_yes=True),
}
FILE = """\
agent: kiosk
slots:
  name: {type: person_name, ask: "¿Nombre?"}
  city: {type: text, ask: "¿Ciudad?"}
  cart: {type: text, found: true}
modes:
  IDLE:
    tools: [browse, add]
    to: [ORDER, OFFERS]
    after: {add: ORDER}
  ORDER:
    tools: [browse, add, clear]
    to: [DETAILS, IDLE]
    after: {clear: IDLE}
    bridge: "Tienes {cart}."
    timers:
      nudge: {after: 10m of silence, say: nudge, at_most: 2}
      give_up: {after: 2h of silence, mode: IDLE}
      evening: {at: "18:00", handoff: nobody came back}
  DETAILS:
    tools: [browse]
    to: [PAYING, ORDER]
  PAYING:
    tools: [pay]
    to: [DONE, ORDER]
    requires: [name, promos, "cart != 'nada'"]
  DONE:
    tools: [browse]
    to: [IDLE]
    enter: {say: "Gracias.", start: survey}
  OFFERS:
    tools: [browse]
    to: [IDLE]
  PERSON: {operator: true, tools: [browse]}
flows:
  checkout:
    starts: [quiero pagar]
    steps:
      - say: promos
      - {collect: name, mode: DETAILS}
      - {confirm: "¿Pagas {cart}, {name}?", mode: PAYING, no: ORDER}
      - {do: pay, mode: PAYING}
      - {say: "Listo.", mode: DONE}
  survey:
    starts: [quiero opinar]
    steps: [{collect: city}, {say: "Gracias por opinar."}]
  quick:
    starts: [ya mismo]
    steps: [{say: "Voy.", mode: PAYING}]
intents:
  find: {examples: [tienen leche], label: Buscar, do: search, arguments: {text: message}}
  empty: {examples: [vaciá el carrito], topic: order, do: clear}
  hours: {examples: [a qué hora abren], answer: "Abrimos a las 9."}
tools:
  groups: {browse: [search, stock]}
  says: {search: "Hay {found}.", add: "Agregué {product}: {cart}."}
templates:
  promos: Hoy 2x1.
  nudge: ["¿Seguimos?", "¿Estás ahí?"]
timers:
  offers: {after: 30m, when: city is empty, mode: OFFERS}
"""
AGENT = parse(FILE, toolbox=TOOLBOX)


def start(agent: Agent = AGENT) -> Session:
    return opened(agent, session_id="s", at=NOW)


def tell(session: Session, *commands: Command, agent: Agent = AGENT, **said: Any) -> Decision:
    """A message with this meaning."""
    at = said.pop("at", NOW)
    return decide(agent, session, MessageUnderstood(at, commands, **said))


def go_on(decision: Decision, *commands: Command, floor: bool = False, agent: Agent = AGENT) -> Decision:
    """What a model says next, in the same turn."""
    return decide(agent, decision.session, ModelAnswered(NOW, commands, floor=floor), decision.progress)


def give(decision: Decision, *results: dict[str, Any], agent: Agent = AGENT) -> Decision:
    """The results of the calls under way, in their order; one that is not given went well."""
    told = [*results, *({} for _ in decision.progress.running[len(results) :])]
    given = zip(decision.progress.running, told, strict=True)
    made = tuple(ToolResult(call.call_id, call.tool, **{"ok": True, **each}) for call, each in given)
    return decide(agent, decision.session, ToolsReturned(NOW, made), decision.progress)


def happen(session: Session, *events: Event, agent: Agent = AGENT) -> Session:
    """The session after all of this."""
    for event in events:
        session = decide(agent, session, event).session
    return session


def said(decision: Decision) -> list[str]:
    return [effect.line.text for effect in decision.effects if isinstance(effect, Say | Question)]


def runs(decision: Decision) -> list[RunTool]:
    return [effect for effect in decision.effects if isinstance(effect, RunTool)]


def policies(decision: Decision) -> list[str]:
    return [effect.policy for effect in decision.effects if isinstance(effect, HandOff)]


def reasons(decision: Decision) -> list[str]:
    return [refusal.reason for refusal in decision.refused]
