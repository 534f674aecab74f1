"""acts.jsonl: a real turn while the right thing is waited for; what Hilo hears, as one of the labels.

A pending slot is asked by the agent of its domain; at a summary and where nothing is waited for, one agent has the
slots, intents and orders of all domains. What is heard are the commands that a turn proposes to the dialogue, a handoff
by a policy, and the sentiment:
  affirm, deny   the commands; deny is also a slot that is skipped, or a message to a slot that is nothing but a no
  correct        a slot is corrected, or goods are taken out or set; where nothing was told that could be
                 corrected, that a change was heard
  cancel         the command, or the flow that starts by the examples of cancelling
  ask_human      the command, the policy, or a question whether it is a bot
  negative       the policy, the flow that starts by complaints, or bad sentiment where nothing else is heard
  order          goods are added, or a flow that buys, books or quotes
  provide        a slot that was filled
  info_question  any intent that answers, or a question off the subject
  greet, thanks, chitchat   digressions, whole messages and intents
  unclear        nothing, or a wish to hear it again, to wait
A skipped slot ("no sé") counts for deny and for unclear. A yes or no beside a correction, a value or a cancellation is
part of it; greetings and thanks beside anything are not counted; two acts that are left are `mixed`.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.spanish.agents import ORDER_KEYS, Document, Heard, Workshop, answering, hear
from bench.spanish.domains import ActsPlan
from bench.spanish.folder import CROSS, Row
from bench.spanish.guesses import CANCELS, plan_acts
from bench.spanish.results import Goal, SetResult, Unordered
from bench.spanish.words import percent, table

from hilo.app import LoadedAgent
from hilo.dialogue import commands as c
from hilo.dialogue.events import EscalationTriggered, MessageUnderstood
from hilo.dialogue.session import Session
from hilo.understanding.reading import Reading

NONE, CONFIRM = "none", "confirm"  # what may be pending besides a slot

# Intents of every agent that are answered; the others of them are acts, which Hilo hears by itself.
ANSWERED = ("ask_human", "ask_if_bot", "chitchat", "help", "repeat", "wait")
LABEL_OF_INTENT = {
    "ask_human": "ask_human",
    "ask_if_bot": "ask_human",
    "chitchat": "chitchat",
    "help": "info_question",
    "repeat": "unclear",
    "wait": "unclear",
}
LABEL_OF_DIGRESSION = {"greeting": "greet", "thanks": "thanks", "off_topic": "info_question"}
CANCEL_FLOW, COMPLAINT_FLOW = "cancelar", "reclamo"

ANGRY, UNHAPPY = -0.6, -0.2  # the sentiment that hands off, and the one that counts where nothing else is heard
LIGHT = ("unclear", "greet", "thanks", "chitchat")  # not counted beside anything else, in this order
MAY_ORDER = frozenset({"order", "correct", "cancel", "mixed"})  # labels of messages that may change a cart


# --- agents ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stage:
    """The agents for everything that may be pending."""

    workshop: Workshop
    plan: ActsPlan

    def kind_of(self, pending: str) -> str:
        """Whose agent waits for it: that of a domain, of all of them, or one that waits for nothing."""
        if pending in {NONE, CONFIRM}:
            return pending
        return self.plan.domain_of.get(pending.partition(":")[2], CONFIRM)

    def agent_of(self, pending: str) -> LoadedAgent:
        kind = self.kind_of(pending)
        return self.workshop.load(f"acts_{kind}", self.document(kind))

    def task_flows(self, kind: str) -> dict[str, list[str]]:
        """The flows for what an agent is for, with the examples that start them."""
        examples = self.workshop.folder.examples
        return {
            flow: [text for intent in intents for text in examples(domain).get(intent, ())]
            for domain in self._domains(kind)
            for flow, intents in self.workshop.domains[domain].tasks.items()
            if any(intent in examples(domain) for intent in intents)
        }

    def document(self, kind: str) -> Document:
        folder = self.workshop.folder
        domain = self.workshop.domains.get(kind)
        names = self.plan.asked_in.get(kind, tuple(self.plan.slots))
        slots = {name: _required(self.plan.slots[name]) for name in names}
        flows: dict[str, Any] = {
            name: {"starts": texts, "steps": [{"say": "¡Dale!"}]} for name, texts in self.task_flows(kind).items()
        }
        for name, texts in ((CANCEL_FLOW, self._cancelling()), (COMPLAINT_FLOW, self._complaining())):
            if texts:
                flows[name] = {"starts": texts, "steps": [{"say": "Perdón."}]}
        if kind == NONE:
            slots = {name: {**slot, "keep": True} for name, slot in slots.items()}
            steps = [{"collect": list(slots)}, {"say": "¡Hecho!"}]
            flows["datos"] = {"starts": ["quiero dejar todos mis datos ahora"], "steps": steps}
        else:
            shown = " ".join(f"{{{name}}}" for name in slots)
            steps = [{"collect": list(slots)}, {"confirm": f"{shown}. ¿Confirmás?"}, {"say": "¡Hecho!"}]
            flows["pedido"] = {"starts": "always", "steps": steps}
        return {
            "agent": "todo",
            "language": "es-AR",
            "country": domain.country if domain else self._country(),
            "timezone": folder.zone,
            "slots": slots,
            "intents": answering(self._answered(kind)),
            "flows": flows,
            "escalation": [{"sentiment": {"below": ANGRY}}, {"llm_intent": "wants_human"}],
            **(ORDER_KEYS if self.takes_orders(kind) else {}),
        }

    def _country(self) -> str:
        """Where most domains are."""
        counted = Counter(self.workshop.domains[name].country for name in self.workshop.folder.domains)
        return counted.most_common(1)[0][0] if counted else "AR"

    def takes_orders(self, kind: str) -> bool:
        return any(self.workshop.domains[each].cart for each in self._domains(kind))

    def _domains(self, kind: str) -> Sequence[str]:
        return self.workshop.folder.domains if kind in {NONE, CONFIRM} else [kind]

    def _answered(self, kind: str) -> dict[str, list[str]]:
        """The intents that an agent answers, those of a domain by names that no other has."""
        examples = self.workshop.folder.examples
        found = {name: texts for name, texts in examples(CROSS).items() if name in ANSWERED}
        for domain in self._domains(kind):
            questions = self.workshop.domains[domain].questions
            own = examples(domain)  # of a domain that has slots alone there are none
            found |= {f"{domain}_{name}": own[name] for name in questions if name in own}
        return found

    def _cancelling(self) -> list[str]:
        """How people cancel anything, in every domain."""
        folder = self.workshop.folder
        intents = [folder.examples(domain) for domain in (CROSS, *folder.domains)]
        return [text for each in intents for name, texts in each.items() if CANCELS.match(name) for text in texts]

    def _complaining(self) -> list[str]:
        return self.workshop.folder.examples(CROSS).get("complaint", [])

    async def session_of(self, pending: str) -> Session:
        """A session in which just this is waited for: the rest was said before."""
        agent = self.agent_of(pending)
        talk = self.workshop.conversation(agent)
        if pending == NONE:
            return talk.session
        asked = pending.partition(":")[2]
        said = {name: self.plan.filled[name] for name in agent.agent.slots if name != asked}
        talk.session = replace(talk.session, slots=said)
        await talk.say("hola")
        waits_for = talk.session.pending
        if waits_for is None or asked not in ("", getattr(waits_for, "slot", "")):
            print(f"acts: for {pending} the agent waits for {waits_for}", file=sys.stderr)
        return talk.session


def _required(slot: Mapping[str, Any]) -> dict[str, Any]:
    """The slot as one that is always asked for; a region that follows from a city is a text like any other."""
    return {key: value for key, value in slot.items() if key not in {"required", "region_of"}}


# --- what is heard --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """A message, what it met and what came of it."""

    pending: str
    before: Session
    heard: Heard
    reading: Reading
    task_flows: Iterable[str]

    @property
    def policies(self) -> list[str]:
        return [event.policy for event in self.heard.result.told if isinstance(event, EscalationTriggered)]

    @property
    def proposed(self) -> list[c.Command]:
        """What the message is taken to mean; a handoff ends the turn, and the rest is what the reading shows."""
        events = [event for event in self.heard.result.told if isinstance(event, MessageUnderstood)]
        return [] if self.policies else [command for event in events for command in event.commands]


def acts_heard(moment: Moment) -> set[str]:
    """All acts of a turn, in the words of the labels, and `skip`."""
    reading = moment.reading
    found = set(_by_policy(moment)) | set(_by_commands(moment))
    is_answered = bool(found & {"provide", "correct", "cancel"})
    if moment.pending.startswith("slot") and not is_answered and reading.is_only("deny", "skip"):
        found.add("deny" if reading.has("deny") else "skip")
    if reading.is_only("bye") and "thanks" in found:
        found = (found - {"thanks"}) | {"greet"}
    if not found - {"unclear"}:
        found |= _by_reading(reading)
    if not found - {"unclear"} and moment.pending == NONE and reading.has("change"):
        found.add("correct")
    return found


def _by_policy(moment: Moment) -> Iterator[str]:
    if "sentiment" in moment.policies:
        yield "negative"
    if "llm_intent" in moment.policies or moment.reading.has("human"):
        yield "ask_human"


def _by_commands(moment: Moment) -> Iterator[str]:
    after = moment.heard.result.session.slots
    for command in moment.proposed:
        match command:
            case c.Affirm():
                yield "affirm"
            case c.Deny():
                yield "deny"
            case c.SkipSlot():
                yield "skip"
            case c.CorrectSlot():
                yield "correct"
            case c.CancelFlow():
                yield "cancel"
            case c.RequestHuman():
                yield "ask_human"
            case c.SetSlot(slot=slot) if after.get(slot) != moment.before.slots.get(slot):
                yield "provide"
            case c.CallTool(tool=tool):
                yield "order" if tool == "put" else "correct"
            case c.StartFlow(flow=flow):
                yield _label_of_flow(flow, moment.task_flows)
            case c.AskInfo(intent=intent):
                yield LABEL_OF_INTENT.get(intent, "info_question")
            case c.Digress(kind=kind):
                yield LABEL_OF_DIGRESSION.get(kind, "unclear")
            case _:
                pass


def _label_of_flow(flow: str, task_flows: Iterable[str]) -> str:
    if flow in task_flows:
        return "order"
    return {CANCEL_FLOW: "cancel", COMPLAINT_FLOW: "negative"}.get(flow, "provide")


def _by_reading(reading: Reading) -> set[str]:
    """What a message does where the turn made nothing of it."""
    whole = {"greet": "greet", "thanks": "thanks", "bye": "greet", "chitchat": "chitchat"}
    found = {label for act, label in whole.items() if reading.is_only(act)}
    if reading.has("question") and not reading.has("repeat"):
        found.add("info_question")
    if not found and reading.sentiment.score < UNHAPPY:
        found.add("negative")
    return found


def label_of(found: Iterable[str], pending: str) -> str:
    """The one label for all acts that were heard, or `skip`."""
    left = _without_lesser(set(found), pending)
    if len(left) == 1:
        return left.pop()
    return "mixed" if left else "unclear"


def _without_lesser(found: set[str], pending: str) -> set[str]:
    """Without the acts that are part of another one."""
    if "skip" in found:
        found -= {"unclear"}
        found -= {"skip"} if len(found) > 1 else set()
    if "order" in found and pending == NONE:
        found.discard("provide")
    if "negative" in found:
        return {"negative"}
    if "correct" in found:
        found -= {"affirm", "deny", "provide"}
    if "cancel" in found:
        found -= {"affirm", "deny"}
    if "provide" in found:
        found -= {"affirm", "deny", "greet", "thanks"}
    for light in LIGHT:
        if len(found) > 1:
            found.discard(light)
    return found


# --- the set --------------------------------------------------------------------------------------------


async def run(workshop: Workshop) -> SetResult:
    """Send every message to the agent that waits for the right thing."""
    rows = workshop.folder.rows("acts")
    slots = [row["pending"].partition(":")[2] for row in rows if ":" in row["pending"]]
    stage = Stage(workshop, plan_acts(workshop.folder, workshop.domains, slots))
    sessions: dict[str, Session] = {}
    found: list[Row] = []
    costs, unordered = [], []
    for row in workshop.rows("acts"):
        pending = row["pending"]
        agent, kind = stage.agent_of(pending), stage.kind_of(pending)
        if pending not in sessions:
            sessions[pending] = await stage.session_of(pending)
        heard = await hear(workshop.conversation(agent, sessions[pending]), row["text"])
        costs.append(heard.milliseconds)
        reading = workshop.read(agent, row["text"], sessions[pending])
        found.append(_scored(row, Moment(pending, sessions[pending], heard, reading, stage.task_flows(kind))))
        if stage.takes_orders(kind) and not {row["act"], *row["alt"]} & MAY_ORDER:
            unordered.append(Unordered(row, heard.calls))
    right = sum(row["right"] for row in found)
    return SetResult(
        name="acts",
        goals=[Goal("acts %", percent(right, len(found)), "88, then 92", str(len(found)))],
        details=_details(found),
        errors=[row for row in found if not row["right"]],
        costs=costs,
        unordered=unordered,
        false_yeses=[row for row in found if _is_false_yes(row)],
    )


def _scored(row: Row, moment: Moment) -> Row:
    heard = acts_heard(moment)
    label = label_of(heard, moment.pending)
    fits = {"deny", "unclear"} if label == "skip" else {label}
    return {
        **row,
        "got": label,
        "heard": sorted(heard),
        "right": bool(fits & {row["act"], *row["alt"]}),
        "proposed": [str(each) for each in moment.proposed],
        "policies": moment.policies,
        "acts_read": [[act.kind, act.whole] for act in moment.reading.acts],
        "sentiment": moment.reading.sentiment.score,
        "reply": " / ".join(each.text for each in moment.heard.result.replies),
    }


def _is_false_yes(row: Row) -> bool:
    """A yes at a summary that was none: it would let a tool that writes run."""
    is_yes = "affirm" in row["heard"] and row["got"] in {"affirm", "mixed"}
    return bool(row["pending"] == CONFIRM and is_yes and not {row["act"], *row["alt"]} & {"affirm", "mixed"})


# --- what is printed ------------------------------------------------------------------------------------


def _details(found: Sequence[Row]) -> str:
    by_pending: dict[str, list[Row]] = {}
    by_act: dict[str, list[Row]] = {}
    for row in found:
        by_pending.setdefault(row["pending"].partition(":")[0], []).append(row)
        by_act.setdefault(row["act"], []).append(row)
    pending = [(name, len(some), _share(some)) for name, some in (*by_pending.items(), ("all", found))]
    acts = sorted(by_act.items(), key=lambda pair: -len(pair[1]))
    lines = [(name, len(some), _share(some), _heard_instead(some)) for name, some in acts]
    yes_as_no = [row["text"] for row in found if _is_yes_as_no(row)]
    return "\n".join(
        [
            "acts",
            table(("pending", "n", "right %"), pending),
            table(("act", "n", "right %", "heard instead"), lines),
            f"a yes at the summary heard as no: {len(yes_as_no)} {yes_as_no or ''}".rstrip(),
            _several(found),
        ]
    )


def _several(found: Sequence[Row]) -> str:
    """How many messages of several acts were heard as such, and how many of one act as several."""
    mixed = [row for row in found if row["act"] == "mixed"]
    single = [row for row in found if "mixed" not in {row["act"], *row["alt"]}]
    heard = sum(row["got"] == "mixed" for row in mixed)
    cut = sum(row["got"] == "mixed" for row in single)
    return f"several acts heard as several: {heard} of {len(mixed)}; one act heard as several: {cut} of {len(single)}"


def _is_yes_as_no(row: Row) -> bool:
    return bool(row["pending"] == CONFIRM and row["act"] == "affirm" and "deny" in row["heard"])


def _heard_instead(some: Sequence[Row]) -> str:
    counted = Counter(row["got"] for row in some if not row["right"])
    return ", ".join(f"{label} {count}" for label, count in counted.most_common())


def _share(some: Sequence[Row]) -> str:
    return percent(sum(row["right"] for row in some), len(some))
