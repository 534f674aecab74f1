"""What a message proposes where the conversation stands: a yes to the open question, a flow, a person."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hilo.agent.declaration import MESSAGE, Agent
from hilo.agent.flow import Flow
from hilo.agent.instructions import UseTool
from hilo.agent.modes import Next
from hilo.agent.once import once_per_agent
from hilo.agent.values import Value
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    Command,
    Deny,
    Digress,
    LeaveOut,
    Recall,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
    Tell,
)
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Session,
)
from hilo.dialogue.synthesis import resumed
from hilo.dialogue.wording import intent_label
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import KIN
from hilo.recognisers.phrases import word_set
from hilo.understanding.about_us import asked_about_us
from hilo.understanding.acts.table import CLASSES
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.arguments import answer_of, calls_of, is_bare_answer
from hilo.understanding.coming_back import leaves_for_now
from hilo.understanding.confirmations import (
    declines,
    is_word_of_a_yes,
    is_yes_beside_a_question,
    opens_by_confirming,
    tells_to_confirm,
)
from hilo.understanding.extraction import tells_what_we_know
from hilo.understanding.follow_ups import follow_up
from hilo.understanding.leaving import takes_leave, takes_way_out
from hilo.understanding.likely_flows import values_of_likely_flow
from hilo.understanding.not_ours import NOT_SERVED, kind_of, ours_among
from hilo.understanding.openings import dictated
from hilo.understanding.order_answers import asks_which_goods, left_out, order_answers
from hilo.understanding.ordering import (
    named_product,
    number_put_right,
    order_calls,
    order_starts,
    ordered_intents,
    recount,
)
from hilo.understanding.orders.lines import ALL
from hilo.understanding.reading import Part, Reading, is_sure_or_alone
from hilo.understanding.recall import asked_back, told_again
from hilo.understanding.signals import calls_nobody

SURE_BESIDE_A_QUESTION = 85
SPARE_WORDS = 1  # beside values that begin a flow: "de Lima a Cusco en enero"
_WORD = re.compile(r"[^\W\d_]+")
STEM = 5  # letters of a word that its forms share: cancelar, cancélelo
NOT = frozenset({"no", "not", "don", "dont", "nunca", "never"})
BESIDE_THE_VERB = word_set(
    f"{CLASSES['want']} {CLASSES['order']}"
)  # "quiero cancelar la reserva" is no wish to reserve
# what may stand beside values in a message that is about nothing else
_BESIDE_VALUES = KIN | word_set("""
    interesa interesado interesada necesito gustaria deme dame mandeme enviame envieme llevo pido hacer need send ship
    hola holis buenas buenos buen dia dias tarde tardes noche noches gusto gracias favor porfa porfis hi hello hey
    thanks please good morning afternoon evening si bueno pues listo ok dale claro mira mire vea mija este esta estos
    estas son es que seria ahi aca aqui ella here are is this these it its my our the to and for of at in on yo soy me
    llamo llama vivo i im am live mi mis su sus completo completa datos envio pedido mensajero details data s t el la
    los las lo un una de del en a al con y e para por pero se le les dejo paso mando recibe nombre quiero quisiera
    deseo queremos pedir comprar compra want would like order buy
""")
_NODS = word_set("ah ok okay okey oki bueno vale ya entiendo entendido perfecto bien alright cool got it")
_ENDS_IN_AND = re.compile(r"[\s,;]+(?:y|e|and)(?: que)?(?: me)?$", re.IGNORECASE)
_WHAT_IF = re.compile(r"\W*(?:(?:y|pero|and|but) )?(?:que pasa )?(?:si|what if|if) ")


def proposals(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What a message does, as commands; values come later."""
    commands: list[Command] = []
    if reading.cut:
        commands.append(Digress("too_long"))
    if _puts_off(agent, session, reading):
        # not yet: what was told stays as it is
        flows = _flows_surely_meant(agent, session, reading)
        return (*commands, *flows) if flows else (*commands, Digress("later"))
    if met := (
        (not _flows_surely_meant(agent, session, reading) and leaves_for_now(agent, session, reading))
        or takes_way_out(session, reading)
        or _empties(agent, session, reading)
        or takes_leave(agent, session, reading)
        or _asked_of_us(agent, session, reading)
    ):
        return (*commands, *met)
    note = dictated(agent, reading.text.folded) if session.pending is None else ""
    if note and not reading.meant:
        return (*commands, *calls_of(agent, agent.intents[note], reading.text.raw, now=reading.values.now))
    if reading.has("human") and not note and not calls_nobody(agent, session, reading):
        commands.append(RequestHuman())
    if _repeats_the_wish(agent, session, reading):
        return (*commands, Affirm())
    if _cancels(session, reading):
        if more := _cancelled_instead(agent, session, reading):
            return (*commands, *more)
        commands.append(CancelFlow())
    if isinstance(session.pending, AskedYes | AskedWhich | AskedSure | AskedSwitch):
        commands += _declined_kindly(agent, session, reading) or _answer(agent, session, reading)
    if told := _told_of_orders(agent, session, reading) or _told(agent, session, reading):
        return (*commands, *told)
    if more := _goes_on_with(agent, session, reading):
        return (*commands, *more)
    commands += _ordered(agent, session, reading)
    if declined := _declined(agent, session, reading):
        return (*commands, *declined)
    if _only_answers(agent, session, reading):
        return (*commands, *_went_on(agent, session, reading))
    if CancelFlow() in commands and (session.stack or isinstance(session.pending, AskedArgument)):
        # what is under way is meant, not a flow that cancels something
        return (*commands, *(each for each in _meant(agent, session, reading) if isinstance(each, CallTool)))
    return (*commands, *_otherwise(agent, session, reading))


def _cancelled_instead(agent: Agent, session: Session, reading: Reading) -> Sequence[Command]:
    """What a cancel takes back that is not the flow under way: something done, or goods that were asked about."""
    undoing = _undoes_what_was_done(agent, session, reading) or _cancels_more(agent, session, reading)
    if undoing or not asks_which_goods(agent, session):
        return undoing
    return left_out(session, reading)


def _ordered(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What is ordered; two details of who orders are no goods."""
    given = [each for each in values_of_likely_flow(agent, session, reading) if isinstance(each, SetSlot)]
    if len(given) > 1 and is_but_values(agent, reading, {each.slot: each.value for each in given}):
        return ()
    return order_calls(agent, session, reading)


def _otherwise(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """What a message means that answers nothing."""
    if ahead := _confirms_what_comes_next(agent, session, reading):
        return [ahead]
    if _asks_no_value(session) and tells_what_we_know(agent, session, reading):
        return [Digress("aside")]
    return _meant(agent, session, reading)


def _asked_of_us(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What every agent answers; what the agent itself surely knows to answer goes first."""
    about_us = _about_us(agent, session, reading)
    if about_us is None:
        return ()
    own = tuple(each for each in _meant(agent, session, reading) if isinstance(each, AskInfo | CallTool))
    return own if own and reading.confidence >= SURE_BESIDE_A_QUESTION else (about_us,)


def _about_us(agent: Agent, session: Session, reading: Reading) -> Digress | Recall | SkipSlot | None:
    """What it can do, whether it is a machine, why it asks, what it has noted."""
    kind = asked_about_us(agent, reading)
    if kind == "why" and not isinstance(session.pending, AskedSlot):
        kind = None  # nothing was asked for
    if kind == "why" and reading.has("skip"):
        return SkipSlot(session.slot_in_question)  # "¿para qué? no lo doy" refuses, and hears the reason
    return Digress(kind) if kind else told_again(agent, session, reading) or asked_back(agent, session, reading)


def _puts_off(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether what waits for a yes is to wait on, be it a summary, what the mode leads to ("¿confirmamos?") or all."""
    if isinstance(session.pending, AskedYes | AskedSure | AskedSwitch):
        return reading.has("later")
    opens = not session.finished and any(flow.starts_by_itself for flow in agent.flows.values())
    return not (opens or session.pending or session.stack) and reading.is_only("later", "skip")


def _goes_on_with(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """More of what was looked up last, or another number for what is being asked about."""
    count = recount(agent, session, reading) or number_put_right(agent, session, reading)
    return (count,) if count else follow_up(agent, session, reading)


def started_by_values(
    agent: Agent, session: Session, reading: Reading, given: Mapping[str, Value]
) -> tuple[Command, ...]:
    """The flow that a message starts by what it gives and nothing else, where nothing is under way."""
    spare = 0 if reading.meant or _asks(reading) else SPARE_WORDS
    if session.stack or session.pending or not is_but_values(agent, reading, given, spare=spare):
        return ()
    flows = [
        name for name, flow in agent.flows.items() if any(slots <= given.keys() for slots in flow.starts_by_values)
    ]
    return tuple(map(StartFlow, flows[:1]))


def is_but_values(agent: Agent, reading: Reading, given: Mapping[str, Value], *, spare: int = 0) -> bool:
    """Whether a message has no words of its own: neither a question nor a complaint comes along with the values.

    So many words that are `spare` may be others.
    """
    labels = [fold(" ".join(agent.slots[name].before)) for name in given]
    told = (fold(str(value)) for value in given.values())
    spans = [(each.start, each.end) for slot in given for each in reading.values.of(agent.slots[slot])]
    text = reading.text.folded
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    known = {word for text in (*labels, *told) for word in _WORD.findall(text)}
    return len(set(_WORD.findall(text)) - known - _names_of_slots(agent) - _BESIDE_VALUES) <= spare


@once_per_agent
def _names_of_slots(agent: Agent) -> frozenset[str]:
    labels = [fold(" ".join((name, slot.label, *slot.also))) for name, slot in agent.slots.items()]
    return frozenset(word for label in labels for word in _WORD.findall(label))


def _empties(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What empties the order that we are asking about: then nothing of it is asked any more."""
    if not asks_which_goods(agent, session) or reading.confidence < SURE_BESIDE_A_QUESTION:
        return ()
    is_all = any(line.action == "remove" and line.product == ALL for line in reading.lines)
    calls = [each for each in _meant(agent, session, reading) if isinstance(each, CallTool)]
    empties = is_all or reading.is_only("cancel") or reading.is_heard({"cancel"})
    return (LeaveOut(everything=True), *calls) if calls and empties else ()


def _cancels(session: Session, reading: Reading) -> bool:
    """Whether all is cancelled; where nothing was asked, "anulame la coca" only takes goods out."""
    if not reading.is_only("cancel") or _supposes(reading):
        return False
    names_goods = any(line.product for line in reading.lines)
    return session.pending is not None or not names_goods or _is_bare_cancel(reading)


def _is_bare_cancel(reading: Reading) -> bool:
    """Whether nothing but a word of the tables for it is said."""
    return any(act.kind == "cancel" and act.whole for act in find_acts(reading.text))


def _supposes(reading: Reading) -> bool:
    """Whether "si cancelo…" only asks what would be; a "sí" without its accent does not."""
    return _WHAT_IF.match(reading.text.folded) is not None and not reading.has("affirm")


def _undoes_what_was_done(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    """To cancel while what was done is being changed means that, and not only its change."""
    changes = session.stack and session.stack[-1].flow == agent.amends
    return [each for each in _meant(agent, session, reading) if isinstance(each, StartFlow)] if changes else []


def _cancels_more(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    """The flow that is surely meant where more is said than to cancel: "yo no pedí nada, cancélelo"."""
    if not _no_takes_back(agent, session):
        named = [StartFlow(name) for name, flow in agent.flows.items() if has_example(flow, reading)]
        if named:
            return named[:1]
    return [] if _is_bare_cancel(reading) else _flows_surely_meant(agent, session, reading)


def _no_takes_back(agent: Agent, session: Session) -> bool:
    """Whether a no to the summary that waits has a tool take back what was done: to cancel is that no."""
    if not isinstance(session.pending, AskedYes) or not session.stack or not session.stack[-1].step:
        return False
    frame = session.stack[-1]
    flow = agent.compiled[frame.flow]
    edge = flow[frame.step].edge("no")
    does = flow[edge.to].does if edge and edge.leads == "step" else None
    return isinstance(does, UseTool) and agent.toolbox[does.tool].writes


def has_example(flow: Flow, reading: Reading) -> bool:
    """Whether a message has the very words by which a flow is begun that undoes something: "dejá, cancelá todo"."""
    if not flow.undoes:
        return False
    said = [word[:STEM] for word in _WORD.findall(reading.text.folded)]
    for example in flow.examples:
        wanted = [word[:STEM] for word in _WORD.findall(fold(example))]
        places = range(len(said) - len(wanted) + 1)
        if len(wanted) > 1 and any(said[place : place + len(wanted)] == wanted for place in places):
            return True
    return False


def _declined_kindly(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """What "no gracias" in front of a summary means: not to want it; a bare "no" asks what to change."""
    if not isinstance(session.pending, AskedYes | AskedWhich) or not session.stack:
        return []
    if declines(reading):
        return [CancelFlow()]
    if isinstance(session.pending, AskedWhich) or not reading.is_only("deny", "skip"):
        return []
    frame = session.stack[-1]
    edge = agent.compiled[frame.flow][frame.step].edge("no") if frame.step else None
    if edge is None or edge.leads != "change" or len(_WORD.findall(reading.text.folded)) == 1:
        return []
    return [*_flows_surely_meant(agent, session, reading)]


def _asks_no_value(session: Session) -> bool:
    return isinstance(session.pending, AskedYes) or not (session.pending or session.stack)


def _repeats_the_wish(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether "sí, cancélelo" answers a flow that cancels something and has asked: it is no wish to leave that flow."""
    if not isinstance(session.pending, AskedYes) or not session.stack or not reading.is_only("cancel"):
        return False
    said = set(re.findall(r"\w+", reading.text.folded))
    wishes = re.findall(r"\w{5,}", fold(" ".join(agent.flows[session.stack[-1].flow].starts)))
    stems = {word[:STEM] for word in wishes}
    acts = [reading.text.folded[act.start : act.end] for act in find_acts(reading.text) if act.kind == "cancel"]
    verbs = {word for act in acts for word in re.findall(r"\w{5,}", act)} - BESIDE_THE_VERB
    return not said & NOT and any(word[:STEM] in stems for word in verbs)


def _declined(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """A no to a question that takes none: "no gracias" means a flow that says so, "no" to a choice leaves it.

    Who does not want the thing any more ("mejor no") leaves it; a value that is not needed is only left out.
    """
    if not isinstance(session.pending, AskedSlot):
        return []
    if declines(reading, in_so_many_words=True) and agent.slots[session.pending.slot].required:
        return list(_flows_surely_meant(agent, session, reading)) or [CancelFlow()]
    if not reading.is_only("deny", "skip"):
        return []
    slot, meant = agent.slots[session.pending.slot], _flows_surely_meant(agent, session, reading)
    chooses = slot.kind.sort == "choice" and slot.required and not reading.has("skip")
    return list(meant) or ([CancelFlow()] if chooses else [])


def _flows_surely_meant(agent: Agent, session: Session, reading: Reading) -> list[StartFlow]:
    sure = reading.confidence >= SURE_BESIDE_A_QUESTION
    return [each for each in _meant(agent, session, reading) if isinstance(each, StartFlow)] if sure else []


def _only_answers(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message answers us and is no example of something else: "no tenemos web" asks nothing about webs."""
    if isinstance(session.pending, AskedSlot) and reading.is_only("skip", "deny"):
        return not _asks_about_what_is_needed(agent, session.pending.slot, reading)
    if not reading.is_only("affirm", "deny") or _says_why_not(agent, session, reading):
        return False
    # Where nothing is open, it is taken note of: "ok" after something was done is no riddle.
    opens = bool(session.pending) or _goes_on(agent, session) or _answers_campaign(agent, session)
    return opens or bool(session.counters.turns and not reading.meant)


def _says_why_not(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a no comes with a reason that the agent has an answer to: "no, está muy caro"."""
    intent = agent.intents.get(reading.intent)
    is_answered = intent is not None and bool(intent.answer)
    return is_answered and isinstance(session.pending, AskedYes) and reading.has("deny")


def _asks_about_what_is_needed(agent: Agent, slot: str, reading: Reading) -> bool:
    """Whether the agent has words of its own for who lacks what nothing goes on without: "no tengo el localizador"."""
    knows = reading.intent in agent.intents and bool(agent.intents[reading.intent].answer)
    return knows and agent.slots[slot].required and reading.confidence >= SURE_BESIDE_A_QUESTION


def _answers_campaign(agent: Agent, session: Session) -> bool:
    """Whether a yes or a no is one to what the business has begun with; a slot of yes and no takes it itself."""
    if session.called_at is None or session.counters.turns:
        return False
    asked = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    return asked is None or asked.kind.sort != "boolean"


def _goes_on(agent: Agent, session: Session) -> bool:
    """Whether a bare yes or no means something where nothing is under way; at least it is no doubtful intent."""
    mode = agent.modes.get(session.mode)
    return not session.stack and (agent.confidence is not None or (mode is not None and mode.next != Next()))


def _went_on(agent: Agent, session: Session, reading: Reading) -> Iterator[Command]:
    """The flow that a yes or a no leads to; where it leads nowhere, it is taken note of."""
    if _answers_campaign(agent, session):
        yield from _answer(agent, session, reading)
        return
    asked_again = isinstance(session.pending, AskedArgument) and session.pending.times
    if _nods_at_a_question(agent, session, reading):
        yield Digress("beside")
        return
    if session.pending and not asked_again:
        return  # what was asked again after something else stands beside what the mode asks
    if _comes_back(agent, session):
        yield from _answered_late(agent, session, reading)
        return
    mode = agent.modes.get(session.mode)
    ways = mode.next if mode and not _is_mere_courtesy(session, reading) else Next()
    flow = ways.no if reading.has("deny") else ways.yes
    yield StartFlow(flow) if flow else Digress("aside")


def _confirms_what_comes_next(agent: Agent, session: Session, reading: Reading) -> StartFlow | None:
    """The flow that a yes leads to here, told with more beside it: "confirmá, a Mitre 450"."""
    mode = agent.modes.get(session.mode)
    is_idle = session.pending is None and not session.stack
    if mode is None or not mode.next.yes or not is_idle or "?" in reading.text.raw:
        return None
    return StartFlow(mode.next.yes) if opens_by_confirming(reading) else None


def _nods_at_a_question(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether "ah ok" only tells that our question was seen, which no yes answers."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    takes_no_yes = slot is not None and slot.kind.sort in ("text", "number") and not slot.choices
    return takes_no_yes and not reading.has("deny") and set(_WORD.findall(reading.text.folded)) <= _NODS


def _is_mere_courtesy(session: Session, reading: Reading) -> bool:
    """Whether "ok gracias" only ends what was said: it answers a question, if there was one, and is no wish."""
    nods = not session.invites and set(_WORD.findall(reading.text.folded)) <= _NODS
    return not reading.has("deny") and (nods or reading.has("thanks"))


def _comes_back(agent: Agent, session: Session) -> bool:
    """Whether this is the first message after a session that was left in the midst of what can be taken up."""
    return not session.counters.turns and bool(resumed(agent, session))


def _answered_late(agent: Agent, session: Session, reading: Reading) -> Iterator[Command]:
    """A yes or a no to what was asked the last time: a yes takes it up like a greeting, a sure no does not."""
    declined = _flows_surely_meant(agent, session, reading) if reading.has("deny") else []
    yield declined[0] if declined else Digress("aside")


def _answer(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """A firm yes beside a question is one; what else stands beside a yes, extract_field looks at."""
    confirms = isinstance(session.pending, AskedYes) and opens_by_confirming(reading) and not _asks(reading)
    if confirms or tells_to_confirm(agent, session, reading):
        return [Affirm()]
    if reading.has("deny"):
        return [Deny()]
    asks = _asks(reading) and not reading.meant
    takes = reading.has("affirm") and (not asks or is_yes_beside_a_question(reading))
    means_else = reading.is_only("cancel") or _names_another_choice(agent, session, reading)
    return [Affirm()] if takes and not means_else else []


def _asks(reading: Reading) -> bool:
    return reading.has("question") or "?" in reading.text.raw


def _names_another_choice(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a choice is named that is not the one of the summary: no yes to that is meant."""
    chosen = {name: value for name, value in session.slots.items() if agent.slots[name].kind.sort == "choice"}
    return any(
        found.value != value and not is_word_of_a_yes(reading, found.start, found.end)
        for name, value in chosen.items()
        for found in reading.values.of(agent.slots[name])
    )


def _told_of_orders(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What is said to questions about the order, and what the message orders and means besides."""
    answers = order_answers(agent, session, reading)
    if answers is None:
        return ()
    answered = replace(session, pending=None)
    return (
        *answers.commands,
        *order_calls(agent, session, answers.rest),
        *_meant(agent, answered, answers.rest),
    )


def _told(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What was asked for a tool, or which of two meanings; something else that is quite sure goes first."""
    answer = _answer_told(agent, session, reading)
    return (answer,) if answer else ()


def _answer_told(agent: Agent, session: Session, reading: Reading) -> Command | None:
    sure = reading.confidence >= SURE_BESIDE_A_QUESTION
    match session.pending:
        case AskedArgument() as asked if _goes_on_without(agent, session, asked, reading):
            return LeaveOut(everything=True)
        case AskedArgument() as asked if (flow := _closes_the_order(agent, session, reading)) and not session.stack:
            return StartFlow(flow)
        case AskedArgument() as asked if reading.is_only("deny") and not reading.mentions:
            return left_out(session, reading)[0] if asks_which_goods(agent, session) else CancelFlow()
        case AskedArgument() as asked if product := named_product(agent, asked, reading):
            return product
        case AskedArgument() as asked:
            means_else = _goes_beyond(agent, reading) and not is_bare_answer(agent, asked, reading)
            return None if means_else else answer_of(agent, asked, reading)
        case AskedMeaning(intents=intents):
            labels = {intent_label(agent, name): name for name in intents}
            chosen = reading.values.among(tuple(labels))
            if chosen:
                return Choose(labels[str(chosen[0].value)])
            if len(intents) == 1 and intents[0] in reading.meant:
                return Choose(intents[0])  # "dale" may be an example of the very thing that was offered
            answer = next(iter(_answer(agent, session, reading)), None)
            # "bueno, lo quiero" chooses none of several, and says something else
            chooses_none = len(intents) > 1 and isinstance(answer, Affirm) and bool(reading.meant)
            # "bueno, una coca" is no yes to what we offered
            orders = bool(order_calls(agent, session, reading))
            return None if sure or chooses_none or orders else answer
    return None


def _closes_the_order(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow that shows what is ordered, where that is surely meant: "nada más" chooses none, and refuses none."""
    if not asks_which_goods(agent, session) or reading.confidence < SURE_BESIDE_A_QUESTION:
        return ""
    closing = {mode.next.yes for mode in agent.modes.values()}
    return next((name for name in reading.meant if name in closing), "")


def _goes_on_without(agent: Agent, session: Session, asked: AskedArgument, reading: Reading) -> bool:
    """Whether the flow is meant once more that waits for what is open of the order: "confirmá lo que haya"."""
    orders = asked.tool in agent.ordering.values()
    return orders and bool(session.stack) and session.stack[-1].flow in reading.meant


def _meant(agent: Agent, session: Session, reading: Reading) -> list[Command]:
    """Flows to start and questions to answer; the reply to a text question is an answer unless it is quite sure."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    if asked and agent.slots[asked].kind.is_free and not _goes_beyond(agent, reading):
        return []
    under_way = {frame.flow for frame in session.stack}
    names = [name for name in reading.meant if name not in under_way | ordered_intents(agent, session, reading)]
    names, declines = ours_among(agent, reading, names)
    if all(name in agent.intents and agent.intents[name].do for name in names):
        names.sort(key=lambda name: _place(reading, name))  # results are told as they were asked for
    asked_here = {slot for flow in under_way for slot in agent.flows[flow].collects}
    proposed = [command for name in names for command in _proposed(agent, name, reading)]
    if declines:
        proposed.insert(0, Tell(NOT_SERVED))
    shared = _shared_by_calls(proposed)
    proposed = [_with_shared(agent, each, shared) for each in proposed]
    return [each for each in proposed if not _is_told_by_slots(each, asked_here)]


def _shared_by_calls(proposed: Sequence[Command]) -> dict[str, Any]:
    """What the calls of a message are given, of which each is given one thing alone."""
    shared: dict[str, list[Any]] = {}
    for each in proposed:
        for name, value in each.arguments.items() if isinstance(each, CallTool) else ():
            shared.setdefault(name, []).append(value)
    return {name: values[0] for name, values in shared.items() if all(value == values[0] for value in values)}


def _with_shared(agent: Agent, command: Command, shared: Mapping[str, Any]) -> Command:
    """A call with what another question of the message names: "¿cuánto sale el análisis? ¿hay que ir en ayunas?"."""
    if not isinstance(command, CallTool) or command.arguments or command.tool not in agent.toolbox:
        return command
    takes = agent.toolbox[command.tool].parameters
    return replace(command, arguments={name: value for name, value in shared.items() if name in takes})


def _goes_beyond(agent: Agent, reading: Reading) -> bool:
    """Whether a message is surely no answer in free words; what takes any words for itself must at least ask."""
    intent = agent.intents.get(reading.intent)
    asks = "?" in reading.text.raw or reading.has("question")
    takes_all = intent is not None and MESSAGE in intent.arguments.values()
    return reading.confidence >= SURE_BESIDE_A_QUESTION and (asks or not takes_all)


def _is_told_by_slots(command: Command, asked: set[str]) -> bool:
    """Whether a call would only repeat what the flow under way takes from the message by itself."""
    return isinstance(command, CallTool) and bool(command.arguments) and command.arguments.keys() <= asked


def _proposed(agent: Agent, name: str, reading: Reading) -> tuple[Command, ...]:
    """What an intent or a flow's name proposes, with what the message gives the tool."""
    if name in agent.flows:
        return (StartFlow(name),)
    intent = agent.intents.get(name)
    if kind := kind_of(agent, name):
        return (Digress(kind),)  # known not to be ours: a model may still have an answer
    if intent is None or not intent.do:
        return (AskInfo(name),)
    parts = [part.text for part in reading.parts if part.ranked.intent == name]
    if MESSAGE in intent.arguments.values():
        parts = _with_rest(agent, reading, name)
    calls: list[CallTool] = []
    for part in parts:
        # "¿hay nutricionista? ¿qué días atiende?" asks one thing twice
        calls += [call for call in calls_of(agent, intent, part, now=reading.values.now) if call not in calls]
    return tuple(calls)


def _place(reading: Reading, name: str) -> int:
    return min(reading.text.raw.find(part.text) for part in reading.parts if part.ranked.intent == name)


def _with_rest(agent: Agent, reading: Reading, name: str) -> list[str]:
    """The parts that mean this, each with what follows it and means nothing else: "anota: pan; leche; huevos"."""
    text = reading.text.raw
    parts = [part for part in reading.parts if _is_sure(part) and not kind_of(agent, part.ranked.intent or "")]
    starts = sorted({(text.find(part.text), part.ranked.intent or "") for part in parts})
    limits = sorted({*(start for start, _ in starts), *order_starts(agent, reading), len(text)})
    ends = [next(limit for limit in limits if limit > start or limit == len(text)) for start, _ in starts]
    spans = zip(starts, ends, strict=True)
    return [_ENDS_IN_AND.sub("", text[start:end].strip(" ,¿¡")) for (start, intent), end in spans if intent == name]


def _is_sure(part: Part) -> bool:
    return bool(part.ranked.intent) and is_sure_or_alone(part.ranked)
