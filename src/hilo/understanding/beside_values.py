"""What a message means besides the values that it gives, and what of that it only seems to mean."""

import re
from collections.abc import Iterable, Mapping

from hilo.agent.declaration import Agent
from hilo.agent.values import Value
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Digress,
    DigressionKind,
    Quote,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.draft import but, has, less, of_kind
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.recognisers.normalise import words
from hilo.recognisers.phrases import word_set
from hilo.understanding.arguments import takes_any
from hilo.understanding.confirmations import (
    is_yes_beside_a_question,
    opens_by_confirming,
    opens_with_yes,
    says_plainly_yes,
)
from hilo.understanding.corrections import Correction
from hilo.understanding.days_in_context import told_period
from hilo.understanding.extraction import in_play
from hilo.understanding.only_values import begun_by_a_choice, is_but_values
from hilo.understanding.plain_phrases import pattern_of, told_before
from hilo.understanding.reading import SURELY_OURS, Reading
from hilo.understanding.told_again import told_again

_OBJECTS = re.compile(r"\W*(?:s+i+|ok|dale|listo|bueno|claro)\b\W*(?:pero|aunque|solo que|siempre que|but)\b")
SENTENCE = 5  # words in which no value was found: they tell something, and are no bad answer
SHORT_SENTENCE = 3  # if they begin with one of these
SHORT_WISH = 2  # or with one of these: "necesito cotización"
WISHES = word_set("quiero quisiera necesito busco queria")
TELLS = word_set("quiero quisiera necesito busco tengo estoy soy es me yo queria vengo solo dale i want need am")
VALUE = SetSlot | CorrectSlot
Commands = tuple[Command, ...]


def meant_beside(  # noqa: PLR0913 -- a message, and where it finds the session
    agent: Agent,
    session: Session,
    reading: Reading,
    proposed: Commands,
    values: Commands,
    *,
    asked: str,
    given: Mapping[str, Value],
) -> Commands:
    """What of the proposals is meant beside values: those that were `given`, also where they will not do."""
    proposed = _without_a_doubtful_yes(agent, session, reading, proposed, values)
    if asked in given and (is_but_values(agent, reading, given) or takes_any(reading)):
        proposed = _without_other_meanings(agent, proposed)
    elif given and session.stack and is_but_values(agent, reading, given):
        proposed = _without_other_flows(agent, session, proposed, given.keys())
    proposed = without_a_mere_choice(agent, session, reading, proposed, values)
    named = [each for each in of_kind(values, VALUE) if each.value is not None]
    chosen = {each.slot: each.value for each in named if each.slot not in session.written}
    proposed = begun_by_a_choice(agent, session, reading, chosen, proposed)
    is_refused = isinstance(session.pending, AskedSlot) and reading.has("skip")
    if is_refused and reading.meant and reading.meant[0] not in agent.flows:
        proposed = but(proposed, StartFlow)  # why it is not given: "no lo tengo, vuelo a Lima el 3"
    if isinstance(session.pending, AskedYes) and has(values, VALUE) and not reading.surely_means:
        proposed = but(proposed, StartFlow)  # what changes a summary is no other wish, unless that is sure
    return proposed


def _without_a_doubtful_yes(
    agent: Agent, session: Session, reading: Reading, proposed: Commands, values: Commands
) -> Commands:
    """A yes counts when it is plain, or opens a message whose rest was understood."""
    if not has(proposed, Affirm):
        return proposed
    repeated = reading.is_only("cancel") and CancelFlow() not in proposed  # "sí, cancélelo"
    if says_plainly_yes(agent, session, reading) or is_yes_beside_a_question(reading) or repeated:
        return proposed
    rest = but(proposed, Affirm)
    if not opens_with_yes(reading) and not opens_by_confirming(reading):
        return rest
    if not values and _OBJECTS.match(reading.text.folded) and "?" not in reading.text.raw:
        if _OBJECTS.fullmatch(reading.text.folded.rstrip(" .,…")):
            return (Digress("opens"),)  # "sí, pero…"
        return but(rest, AskInfo) or (Digress("unnoted"),)  # "sí, pero que no le cobren a ella" wants what we have not
    # "sí, pero más barato" is no yes
    if values or (not reading.has("question") and any(only_tells(agent, each) for each in rest)):
        return proposed
    if rest or not isinstance(session.pending, AskedYes) or "?" in reading.text.raw:
        return rest
    return (Digress("unnoted"),)  # what stands beside the yes may change what it is a yes to


def only_tells(agent: Agent, command: Command) -> bool:
    """Whether what was meant beside a yes is answered with words alone: "sí, y pago con transferencia"."""
    if isinstance(command, CallTool):
        tool = agent.toolbox.get(command.tool)
        return tool is not None and not tool.writes and not command.arguments
    return isinstance(command, AskInfo)


def without_a_mere_choice(
    agent: Agent,
    session: Session,
    reading: Reading,
    proposed: Commands,
    values: Commands,
) -> Commands:
    """What the flow under way takes ("quiero la de tres", "vivo en Cali") is no wish for another that takes it too.

    To undo something is: "no quiero reservar, quiero cancelar el de mañana".
    """
    undoing = [name for name in reading.meant if name in agent.undoing and reading.confidence >= SURELY_OURS]
    if any(StartFlow(name) in proposed for name in undoing):
        return proposed
    given = {each.slot for each in of_kind(values, VALUE)}
    not_meant: set[str] = set()
    if given & set(session.written):
        # The value itself starts the flow that amends what was written, with all else as it stands.
        not_meant.add(agent.amends)
    mode = agent.modes.get(session.mode)
    if mode and any(each.value is not None for each in of_kind(values, CorrectSlot)):
        not_meant.add(mode.next.no)  # "no, mejor mándeme dos" puts right what was told, and refuses nothing
    taken = given.intersection(agent.collected_by(session.flow))
    if any(agent.slots[slot].kind.sort == "choice" for slot in taken):
        return but(proposed, StartFlow)
    not_meant.update(name for name, flow in agent.flows.items() if taken.intersection(flow.collects))
    return less(proposed, *map(StartFlow, not_meant))


def _without_other_meanings(agent: Agent, proposed: Commands) -> Commands:
    """What is nothing but the answer that was asked for is no wish besides; goods that are named are still ordered."""
    orders = agent.ordering.values()
    kept = but(proposed, StartFlow | AskInfo | Quote)
    return tuple(each for each in kept if not isinstance(each, CallTool) or each.tool in orders)


def _without_other_flows(
    agent: Agent,
    session: Session,
    proposed: Commands,
    given: Iterable[str],
) -> Commands:
    """Who gives nothing but details that any flow may use ("a nombre de Ana") does not want another one."""
    others = set(given).difference(agent.collected_by(session.flow))
    return but(proposed, StartFlow) if all(agent.slots[slot].keep for slot in others) else proposed


# --- what is told besides: a period, that something else has to do, nothing of use ---------------------


def period_told(agent: Agent, session: Session, reading: Reading, proposed: Commands) -> Commands:
    """The month or week of a day that what is under way, or begins, still lacks."""
    slots = set(in_play(agent, session, reading))
    slots.update(*(agent.collected_by(each.flow) for each in of_kind(proposed, StartFlow)))
    return told_period(agent, slots - session.slots.keys(), reading)


def passed_over(
    agent: Agent, session: Session, reading: Reading, target: str, values: Commands
) -> tuple[SkipSlot, ...]:
    """The slots that a message says there is nothing for, where another does instead or they may stay empty.

    "No tengo mail, mi celular es…" passes over what was asked for, "…, sin empresa" what would be asked for next.
    """
    slots, named = agent.slots, list(reading.withheld)
    given = {each.slot for each in of_kind(values, SetSlot | SkipSlot) if getattr(each, "value", None) != ""}
    if target in slots and slots[target].instead in given and reading.has("skip", "deny"):
        named.append(target)
    flows = [name for name, flow in agent.flows.items() if name == session.flow or flow.starts_by_itself]
    asked = {name for flow in flows for name in agent.flows[flow].collects} - session.slots.keys() - given
    may_lack = (name for name in dict.fromkeys(named) if slots[name].instead or not slots[name].required)
    return tuple(SkipSlot(name) for name in may_lack if name in asked)


def fills_what_it_means(reading: Reading, correction: Correction, values: Commands) -> bool:
    """Whether a change only gives what was still empty: "no, la vuelta el 9", "el de las 8" need no "which one?"."""
    named = {mention.slot for mention in reading.mentions}
    given = {each.slot for each in of_kind(values, SetSlot) if each.value not in (None, "")}
    return not named.isdisjoint(given) or (bool(given) and not correction.slot and not named)


def tells(reading: Reading) -> bool:
    """Whether words in which no value was found are a sentence ("quiero una web"), or say that it was told."""
    text = reading.text.folded
    if told_before().search(text) or pattern_of("grumbles").search(text):
        return True
    said = words(reading.text)
    opens = said[0].text if said else ""
    least = SHORT_WISH if opens in WISHES else SHORT_SENTENCE if opens in TELLS else SENTENCE
    return len(said) >= least


def what_is_told(agent: Agent, session: Session, reading: Reading) -> DigressionKind:
    """What words are that give no value: beside the point, or told before, noted or not."""
    again = told_again(agent, session, reading)
    if again is None:
        return "beside"
    return "aside" if again.known else "told"
