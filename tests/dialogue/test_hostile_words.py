"""Words, silence and modes under every kind of event: what must hold whoever does what, in whatever order."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.agent.declaration import Agent
from hilo.agent.mode_ways import ways
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.app.replay import fold
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    GiveArgument,
    RequestHuman,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.effects import Question, RunTool, Say
from hilo.dialogue.events import (
    EscalationTriggered,
    Event,
    MessageUnderstood,
    OperatorCalled,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    Reworded,
    TimerFired,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import Session, from_json, to_json
from hilo.dialogue.synthesis import opened, synthesise
from hilo.dialogue.timers import UNANSWERED
from hilo.errors import FileProblems

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
TEXT = """\
agent: shop
repeats: never
facts: {price: 89900}
slots:
  city: {type: city, keep: true, ask: ["¿Ciudad?", "¿De qué ciudad?", "¿Y la ciudad?"]}
  pack: {type: choice, choices: [1x, 2x], ask: ["¿Cuál?", "¿Qué pack?"]}
  order: {type: text, found: true}
intents:
  price: {examples: [cuánto cuesta], answer: price}
  ship: {examples: [hacen envíos], answer: ship}
modes:
  talk: {to: [sale], next: {yes: buy}}
  sale:
    tools: [order, look]
    to: [talk, done]
    requires: ["offer or price", city]
    enter: {say: welcome}
    timers:
      late: {after: 10m of silence, start: keep_slowly, consent: silence, at_most: 2}
      later: {after: 3h of silence, start: keep, consent: silence}
  done: {to: [talk], requires: [order]}
  person: {operator: true}
templates:
  price: {text: "Cuesta {price}.", again: ["Son {price}."], fallback: price_short}
  price_short: {text: "Ya le dije el precio.", fallback: handoff}
  ship: {text: "A todo el país.", fallback: handoff}
  offer: {text: "Hay promociones.", again: ["Las promociones siguen."], fallback: handoff}
  welcome: {text: "Vamos a su pedido.", again: ["De nuevo a su pedido."], fallback: handoff}
  handoff: ["Va una persona.", "Ya viene alguien.", "Le aviso al equipo."]
flows:
  buy:
    starts: [quiero comprar]
    steps:
      - collect: city
      - say: offer
      - {collect: pack, mode: sale}
      - confirm: "¿{pack} a {city}?"
      - {do: order, into: {number: order}}
      - {say: "Va {order} a {city}.", mode: done}
  keep:
    steps: [{do: look}, {call: book}]
  keep_slowly:
    steps: [{wait: 1h}, {do: order, into: {number: order}}, {say: "Apartado {order}.", mode: done}]
  book:
    steps: [{do: order, into: {number: order}}, {say: "Reservado {order}.", mode: done}]
"""
ORDER = ToolSpec("order", {"city": True, "consent": True}, outputs=("number",), writes=True, needs_yes=True)
TOOLS = {"order": ORDER, "look": ToolSpec("look", {"consent": False})}
AGENT = parse(TEXT, toolbox=TOOLS)
LATE, LATER = "timer.sale.late", "timer.sale.later"

COMMANDS: st.SearchStrategy[Command] = st.sampled_from(
    [
        *(AskInfo("price"), AskInfo("ship"), StartFlow("buy"), StartFlow("keep"), CancelFlow(), Affirm(), Deny()),
        *(SetSlot("city", "Lima"), CorrectSlot("city", "Cali"), SetSlot("pack", "1x"), CorrectSlot("pack", "2x")),
        *(CorrectSlot("pack"), CorrectSlot(), SetSlot("order", "forged"), SetSlot("consent", "contact")),
        *(Digress("greeting"), Digress("thanks"), Digress("aside"), Digress("off_topic"), RequestHuman()),
        *(CallTool("order", {"city": "Lima"}), CallTool("order", {"city": "Lima", "consent": "contact"}, "m")),
        *(CallTool("look", {"consent": "contact"}), CallTool("look", {}), GiveArgument("contact", "consent")),
    ]
)
MESSAGES = st.builds(lambda each: ("message", tuple(each)), st.lists(COMMANDS, max_size=3))
DEEDS = st.one_of(
    *(MESSAGES,) * 6,
    *(st.just(("timer", ())),) * 4,
    st.sampled_from(
        ["take over", "release", "release to sale", "release to done", "pause", "resume", "call", "escalate"]
    ).map(lambda each: (each, ())),
    st.sampled_from([("price", "Vale {price}."), ("ship", "Enviamos."), ("gone", "x")]).map(
        lambda each: ("words", each)
    ),
)


@dataclass
class Talk:
    """A session under events, and what it said and did."""

    agent: Agent = AGENT
    session: Session = field(default_factory=lambda: opened(AGENT, session_id="s", at=NOW))
    now: datetime = NOW
    lines: list[str] = field(default_factory=list)
    affirmed: bool = False  # since the last order
    granted: bool = False  # by a timer that takes silence for a yes, and nothing but time has passed since

    def tell(self, event: Event) -> Decision:
        """A whole turn: the event, and the results of what it calls; checked and told again from its record."""
        before, told = self.session, [event]
        decision = self._decided(Decision(before), event)
        while decision.progress.running:
            calls = [each for each in decision.effects if isinstance(each, RunTool)][-len(decision.progress.running) :]
            told.append(ToolsReturned(event.at, tuple(map(_result, calls))))
            decision = continued(decision, self._decided(decision, told[-1]))
        assert fold(self.agent, before, told) == decision
        self.session = from_json(to_json(decision.session))
        assert self.session == decision.session
        return decision

    def _decided(self, before: Decision, event: Event) -> Decision:
        decision = decide(self.agent, before.session, event, before.progress)
        self._note(event, decision)
        self._check_modes(event, decision)
        return decision

    def _note(self, event: Event, decision: Decision) -> None:
        self.granted &= isinstance(event, TimerFired | ToolsReturned | Reworded)
        self.granted |= bool({LATE, LATER} & set(decision.steps))
        self.affirmed |= any(isinstance(each, Affirm) for each in decision.accepted)
        for each in decision.effects:
            if isinstance(each, Say | Question) and each.line.template in self.agent.templates:
                self.lines += [each.line.text] if each.line.template != "handoff" else []
            if isinstance(each, RunTool) and each.tool == "order" and not isinstance(event, OperatorCalled):
                by = each.arguments["consent"]
                assert self.granted if by == "silence" else by == "contact" and self.affirmed
                self.affirmed = False
            if isinstance(each, RunTool) and each.tool == "look":
                assert each.arguments.get("consent", "") != "contact" or self.affirmed

    def _check_modes(self, event: Event, decision: Decision) -> None:
        for old, new in decision.modes:
            back = isinstance(event, Released) or getattr(event, "name", "") == UNANSWERED
            back = back or CancelFlow() in decision.accepted  # who waited does not want a person any more
            wanted = event.commands if isinstance(event, MessageUnderstood) else ()
            # nor who did not ask for one, and wants what the agent can do
            meanwhile = old == "person" and any(isinstance(each, StartFlow | CallTool) for each in wanted)
            free = meanwhile or (back and old == "person")
            assert free or new == "person" or new in ways(self.agent, old)
            if meanwhile:
                continue  # where it was before; the flow that is wanted may have emptied what that mode needed
            assert new != "done" or "order" in decision.session.slots
            assert new != "sale" or "city" in decision.session.slots

    def do(self, deed: str, what: tuple[object, ...]) -> None:
        """One of the deeds, a minute after the last."""
        self.now += timedelta(minutes=1)
        match deed, what:
            case "message", _:
                self.tell(MessageUnderstood(self.now, what, intent="x", confidence=100))  # type: ignore[arg-type]
            case "timer", _ if self.session.timers:
                name, due = min(self.session.timers.items(), key=lambda each: each[1])
                self.now = max(self.now, due)
                self.tell(TimerFired(self.now, name, due))
            case "words", (template, text):
                self.tell(Reworded(self.now, str(template), (str(text),)))
            case "call", _:
                self.tell(OperatorCalled(self.now, "order", {"city": "Lima", "consent": "contact"}))
            case "escalate", _:
                self.tell(EscalationTriggered(self.now, "keyword", "x"))
            case _ if deed in EVENTS:
                self.tell(replace(EVENTS[deed], at=self.now))


EVENTS: dict[str, Event] = {
    "take over": OperatorTookOver(NOW),
    "release": Released(NOW),
    "release to sale": Released(NOW, mode="sale"),
    "release to done": Released(NOW, mode="done"),
    "pause": Paused(NOW),
    "resume": Resumed(NOW),
}


def _result(run: RunTool) -> ToolResult:
    return ToolResult(run.call_id, run.tool, ok=True, outputs={"number": "A1"} if run.tool == "order" else {})


Deed = tuple[str, tuple[object, ...]]
SALE: Deed = ("message", (StartFlow("buy"), SetSlot("city", "Lima")))
BEGINNINGS: tuple[tuple[Deed, ...], ...] = (
    (),
    (SALE,),
    (SALE, ("message", (SetSlot("pack", "1x"),))),
    (SALE, ("timer", ())),  # in the wait of the silent order
)


@settings(max_examples=depth(80, 150))
@given(st.sampled_from(BEGINNINGS), st.lists(DEEDS, max_size=20))
def test_whoever_does_what_no_line_comes_twice_and_no_gate_is_passed(
    first: tuple[Deed, ...], deeds: list[Deed]
) -> None:
    talk = Talk()
    for deed, what in (*first, *deeds):
        talk.do(deed, what)
    talk.session = opened(AGENT, session_id="t", at=talk.now, before=synthesise(AGENT, talk.session))
    talk.affirmed = False
    for deed, what in deeds[:10]:
        talk.do(deed, what)
    assert len(talk.lines) == len(set(talk.lines))


# --- silence ------------------------------------------------------------------------------------------------


def orders(decision: Decision) -> list[RunTool]:
    return [each for each in decision.effects if isinstance(each, RunTool) and each.tool == "order"]


def waiting() -> Talk:
    """In the wait of a flow that silence said yes to."""
    talk = Talk()
    for deed, what in BEGINNINGS[-1]:
        talk.do(deed, what)
    assert talk.session.stack[-1].yes is not None
    return talk


def wait_on(talk: Talk) -> Decision:
    name = "wait.keep_slowly.wait_1"
    due = talk.session.timers[name]
    return talk.tell(TimerFired(due, name, due))


def test_silence_that_lasts_is_a_yes() -> None:
    (call,) = orders(wait_on(waiting()))
    assert call.arguments["consent"] == "silence"


@pytest.mark.parametrize("commands", [(), (Deny(),), (AskInfo("ship"),), (CorrectSlot("city", "Cali"),), (Affirm(),)])
def test_who_writes_is_not_silent_any_more(commands: tuple[Command, ...]) -> None:
    talk = waiting()
    talk.tell(MessageUnderstood(talk.now, commands, intent="x", confidence=100))
    decision = wait_on(talk)
    assert orders(decision) == []
    assert decision.session.handoff is not None
    assert decision.session.handoff.policy == "gate"


def test_a_session_that_was_paused_or_a_persons_takes_no_silence_for_a_yes() -> None:
    for away in ((Paused(NOW), Resumed(NOW)), (OperatorTookOver(NOW), Released(NOW))):
        talk = waiting()
        for event in away:
            assert orders(talk.tell(event)) == []
        assert all(frame.yes is None for frame in talk.session.stack)


@pytest.mark.parametrize("due", ["after: 10m,", 'at: "09:00",'])
def test_a_timer_that_does_not_count_silence_takes_none_for_a_yes(due: str) -> None:
    with pytest.raises(FileProblems, match="falls due while the contact writes"):
        parse(TEXT.replace("after: 10m of silence,", due), toolbox=TOOLS)


# --- another version ----------------------------------------------------------------------------------------


def test_a_models_words_for_the_text_of_another_version_are_forgotten() -> None:
    talk = Talk()
    talk.tell(Reworded(NOW, "ship", ("Enviamos a 3 ciudades.",)))
    before = synthesise(AGENT, talk.session)
    other = parse(TEXT.replace("A todo el país.", "A 4 ciudades."), toolbox=TOOLS)
    assert opened(AGENT, session_id="t", at=NOW, before=before).reworded == {"ship": ("Enviamos a 3 ciudades.",)}
    assert opened(other, session_id="t", at=NOW, before=before).reworded == {}


# --- what was not read --------------------------------------------------------------------------------------


def test_a_question_that_gave_way_to_a_person_can_still_be_asked() -> None:
    talk = Talk()
    talk.do("message", (AskInfo("ship"), StartFlow("buy")))
    decision = talk.tell(MessageUnderstood(talk.now, (SetSlot("city", "Lima"), AskInfo("ship")), confidence=100))
    assert decision.session.holder == "operator"
    assert not any(isinstance(each, Question) for each in decision.effects)
    assert "ask.pack" not in decision.session.templates_sent


def test_a_courtesy_that_gave_way_to_a_person_was_not_said() -> None:
    decision = Talk().tell(MessageUnderstood(NOW, (Digress("thanks"), RequestHuman())))
    assert dict(decision.session.templates_sent) == {"handoff": 1}
    assert len(decision.session.said) == 1


# --- a mode's flow, begun over --------------------------------------------------------------------------------

ROUND = """\
agent: round
slots: {name: {type: text, ask: "¿Nombre?"}}
intents: {hi: {examples: [buenas], answer: "Buenas."}}
modes:
  one: {to: [two], timers: {on: {after: 10m, mode: two}}}
  two: {to: [one], enter: {start: pause}, timers: {back: {after: 40m, mode: one, when: name is empty}}}
flows:
  pause: {steps: [{wait: 1h}, {say: "Ya pasó la hora."}]}
"""


def test_a_flow_that_begins_over_waits_its_whole_time() -> None:
    agent = parse(ROUND)
    talk = Talk(agent, opened(agent, session_id="s", at=NOW))
    talk.do("message", (AskInfo("hi"),))
    for _ in range(3):
        talk.do("timer", ())
    assert talk.session.mode == "two"
    assert talk.session.timers["wait.pause.wait_1"] == talk.now + timedelta(hours=1)
