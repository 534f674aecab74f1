"""What a message orders, as calls of the tools that the agent has for it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import CallTool, Command, GiveArgument, LeaveOut, SetSlot, StartFlow
from hilo.dialogue.draft import without
from hilo.dialogue.memory import last_listed, things, was_looked_up
from hilo.dialogue.session import AskedArgument, AskedSlot, AskedYes, Session
from hilo.dialogue.tool_questions import answered_by, open_questions, stems
from hilo.recognisers.amounts.lexicon import numeral
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.normalise import fold, normalise
from hilo.recognisers.people.name_words import KIN
from hilo.understanding.orders.described import described
from hilo.understanding.orders.lines import ALL, OrderLine
from hilo.understanding.orders.spots import SIZE_FROM
from hilo.understanding.orders.words import COMMON, FILLERS, LINKS, MEASURES, NOT_PRODUCTS
from hilo.understanding.parts import SURE_INTENT, Part, clauses
from hilo.understanding.put_right import mends, says_nothing_else
from hilo.understanding.reading import SURELY_OURS, Reading
from hilo.understanding.references import last_named
from hilo.understanding.said_again import MORE, QUANTITY, asked_of_no_more, says_more

SURE_LINE = 60
MOST_UNKNOWN = 4  # words of something that nobody sells
PRODUCT = "product"  # the parameter of what is ordered
INSTEAD = "instead"  # … of what it takes the place of
SURE_BESIDE_A_QUESTION = 85  # an answer may look like an order
SURE_OF_A_FLOW = 95  # beside what is ordered

_NO_NUMBER = 80  # how sure a line is at most that says no number
_MORE = frozenset(("mas", "y", "tambien", "more", "too"))
_WHOSE = frozenset(("mi", "mis", "tu", "su", "my"))
_VERB = re.compile(r"(?:(?:me|nos|te|le) )?(?!un|una|unos|unas|dos|tres|otr[oa]s?\b)[^\W\d_]{3,}\b")
_SMALLER = {"kg": "g", "l": "ml"}
_THOUSAND = 1000
_A_THING = re.compile(
    r"(?:y |e |ah |tambien |dame |deme |quiero |necesito |mandame |agregame |ponme |poneme )*"
    r"(un[oa]?s?|el|la|l[oa]s|\d{1,3}|dos|tres|cuatro|cinco|seis|diez|doce) ([^\W\d_]{2,}(?: [^\W\d_]{2,}){0,3})"
)
_DEFINITE = frozenset(("el", "la", "los", "las"))
_WORDS = re.compile(r"\w+")
_EXCUSED = re.compile(r"(?:no,? )?(?:perdon|me equivoque|digo)\W+(?:son |eran |que sean )?\w+")
_PACKAGES = re.compile(r"(?:son |eran |serian |que sean )?\w+ (paquete|paquetito|unidade|caja|bolsa|botella|lata)s")
_TIMES = re.compile(r"x ?\d{1,2}|\d{1,2} ?x")
_VAGUE = re.compile(r"\balg(?:o|una cosa|una cosita)(?: (?:de|para|con|bien|mas|re|muy))*\s*$")


def order_calls(agent: Agent, session: Session, reading: Reading) -> tuple[CallTool | LeaveOut, ...]:
    """One call for each line: what to add, to take out, or of which there shall be so many."""
    lines = [line for line in ordered_lines(agent, session, reading) if not _is_done_otherwise(agent, reading, line)]
    lines = _exchanged(agent, [_instead_of_the_last(agent, session, line) for line in lines])
    calls: list[CallTool | LeaveOut] = []
    for line in lines:
        counted = _says_how_many(reading, line)
        call = _of_the_list(agent, session, _call(agent, _of_the_last(agent, session, line)))
        call = _on_top(agent, reading, call, counted=line.counted) if call else None
        if call and (given_up := _exchanged_while_open(agent, session, call)):
            left, call = given_up
            calls.append(left)
        done = _about_an_open_one(agent, session, reading, call, counted=counted) if call else None
        if done and (not line.beside or isinstance(done, LeaveOut)):
            calls.append(done)
    return tuple(calls)


def change_of_placed(agent: Agent, session: Session, calls: Sequence[CallTool | LeaveOut]) -> tuple[Command, ...]:
    """The flow that changes an order that was placed, with what one call would take out or count anew.

    None where there is an order to change, or more to do than the flow can.
    """
    mode, call = agent.modes.get(session.mode), calls[0] if len(calls) == 1 else None
    if agent.orders is None or mode is None or not mode.changes or session.stack or not isinstance(call, CallTool):
        return ()
    is_change = call.tool in (agent.orders.remove, agent.orders.set) and PRODUCT in call.arguments
    if not is_change or INSTEAD in call.arguments or call.tool in agent.tools_in(session.mode):
        return ()
    slots = {agent.slots[name].type: name for name in agent.collected_by(mode.changes)}
    started = (StartFlow(mode.changes), SetSlot(slots["text"], call.arguments[PRODUCT]))
    if call.tool == agent.orders.set:
        return (*started, SetSlot(slots["number"], call.arguments[QUANTITY])) if QUANTITY in call.arguments else started
    if QUANTITY in call.arguments:
        return started  # one of them goes: how many stay is asked
    return (*started, SetSlot(slots["number"], 0))


def _instead_of_the_last(agent: Agent, session: Session, line: OrderLine) -> OrderLine:
    """What takes the place of goods that no word names: of those that are asked about, or were ordered last."""
    if not line.takes_over or last_listed(session):
        return line
    about = [each.about for each in open_questions(session) if agent.orders and each.tool == agent.orders.add]
    old = about[0] if about else last_named(session)
    return replace(_of_the_last(agent, session, line), action="set", instead=old) if old else line


def _exchanged(agent: Agent, lines: list[OrderLine]) -> list[OrderLine]:
    """One change for all of a thing that another takes the place of, where the tool can do both: as many, as large."""
    changing = agent.toolbox.get(agent.ordering.get("set", ""))
    if changing is None or INSTEAD not in changing.parameters:
        return lines
    gone = [line.product for line in lines if line.action == "remove" and line.quantity is None]
    swaps = [line for line in lines if line.instead in gone]
    old = [line.instead for line in swaps]
    kept = [line for line in lines if not (line.action == "remove" and line.quantity is None and line.product in old)]
    return [replace(line, action="set") if line in swaps else line for line in kept]


def _on_top(agent: Agent, reading: Reading, call: CallTool, *, counted: bool) -> CallTool:
    """What is ordered, with whether it comes on top of what was ordered before; what is said again needs no number."""
    if MORE not in agent.toolbox[call.tool].parameters:
        return call
    said = {name: value for name, value in call.arguments.items() if counted or name != QUANTITY}
    more = says_more(reading)
    return replace(call, arguments=said if more is None else {**said, MORE: more})


def _about_an_open_one(
    agent: Agent, session: Session, reading: Reading, call: CallTool, *, counted: bool
) -> CallTool | LeaveOut:
    """What names the thing that a question is open about: as many of it as were wanted ("2 aguas", "la grande").

    It is not in the order yet: who sets it adds it, and who takes it out leaves it out.
    """
    question = answered_by(open_questions(session), call)
    if agent.orders is None or question is None or question.tool != agent.orders.add:
        return call
    if call.tool == agent.orders.remove:
        return call if _was_ordered(session, call) else LeaveOut(about=question.about)
    call = replace(call, tool=question.tool)
    if asked_of_no_more(agent, question, reading):
        call = replace(call, arguments={**call.arguments, MORE: False})
    if counted or QUANTITY not in question.arguments:
        return call
    arguments = {**call.arguments, QUANTITY: question.arguments[QUANTITY]}
    said = str(call.arguments[PRODUCT])
    if set(stems(said)) <= set(stems(question.about)) and not re.search(r"\d", said):
        arguments[PRODUCT] = question.about  # it was said better before
    return replace(call, arguments=arguments)


def _exchanged_while_open(agent: Agent, session: Session, call: CallTool) -> tuple[LeaveOut, CallTool] | None:
    """What takes the place of goods that are only asked about: those are left, and as many of the others ordered."""
    old = str(call.arguments.get(INSTEAD, ""))
    if agent.orders is None or not old or _was_ordered(session, replace(call, arguments={PRODUCT: old})):
        return None
    question = answered_by(open_questions(session), replace(call, arguments={PRODUCT: old}))
    if question is None or question.tool != agent.orders.add:
        return None
    head, kind = question.about.split()[0], str(call.arguments[PRODUCT])
    sold = described(f"{head} {kind}", [each.name for each in agent.goods])
    wanted = {**question.arguments, **call.arguments, PRODUCT: f"{head} {kind}" if sold else kind}
    return LeaveOut(about=question.about), CallTool(agent.orders.add, without(wanted, INSTEAD))


def _was_ordered(session: Session, call: CallTool) -> bool:
    """Whether what is named is one of the things that were ordered or changed last: some of it is there."""
    said = set(stems(str(call.arguments.get(PRODUCT, ""))))
    named = [str(each.value) for each in things(session) if not each.place]
    return bool(said) and any(said <= set(stems(each)) for each in named)


def _says_how_many(reading: Reading, line: OrderLine) -> bool:
    """Whether a number counts what is ordered; one that belongs to its name or size does not."""
    named = set(_WORDS.findall(line.product))
    said = [word for word in _WORDS.findall(reading.text.folded[line.start : line.end]) if word not in named]
    return any(word.isdecimal() or numeral(word) for word in said)


def _of_the_last(agent: Agent, session: Session, line: OrderLine) -> OrderLine:
    """Dame 2, dame 6 latas, los otros 3 de fruta: of what was named last."""
    if line.describes and line.action == "add":
        last, names = last_named(session).split(), [each.name for each in agent.goods]
        kinds = (" ".join((*last[:place], line.product)) for place in range(len(last), 0, -1))
        return replace(line, product=next((kind for kind in kinds if described(kind, names)), line.product))
    if line.product and line.named != (0, 0):
        return line
    asked_about = line.action == "set" and not line.product and was_looked_up(session)
    what = last_named(session) if line.action == "add" or asked_about else ""
    if line.action == "set" and last_listed(session):
        return replace(line, action="add", product=f"{last_named(session)} {line.product}".strip())  # "poneme 3"
    return replace(line, product=f"{what} {line.product}".strip()) if what else line


def _of_the_list(agent: Agent, session: Session, call: CallTool | None) -> CallTool | None:
    """What the list that was told last has, where it has all that is said: "una serenísima", after the milks."""
    if call is None or agent.orders is None or call.tool != agent.orders.add:
        return call
    said, listed = str(call.arguments.get(PRODUCT, "")), last_listed(session)
    fitting = described(said, listed)
    if not fitting or len(fitting) == len(listed):
        return call
    product = fitting[0] if len(fitting) == 1 else f"{last_named(session)} {said}".strip()
    return replace(call, arguments={**call.arguments, PRODUCT: product}, alike=())


def recount(agent: Agent, session: Session, reading: Reading) -> GiveArgument | None:
    """Another number for what is being asked about: "que sean 3", while we wait to hear which one."""
    asked = session.pending
    if agent.orders is None or not isinstance(asked, AskedArgument) or asked.tool != agent.orders.add:
        return None
    packages = _PACKAGES.fullmatch(reading.text.folded.strip(" .!"))
    numbers = find_numbers(reading.text)
    is_counted = packages is not None and packages[1] not in fold(" ".join(asked.offered))
    is_counted = is_counted or _TIMES.fullmatch(reading.text.folded.strip(" .!")) is not None
    if len(numbers) == 1 and (is_counted or _EXCUSED.fullmatch(reading.text.folded.strip(" .!"))):
        return GiveArgument(numbers[0].value, QUANTITY)
    lines = ordered_lines(agent, session, reading)
    only = lines[0] if len(lines) == 1 and lines[0].counted else None
    if only is None or only.quantity is None or (only.action == "add" and only.product) or only.action == "remove":
        return None
    if only.unit in MEASURES:
        return None  # "4 kilos" tells which one
    if not set(only.product.split()) <= {*asked.about.split(), *stems(asked.about)}:
        return None  # "la de 2 litros que sean 3" tells which one, too
    is_size = only.quantity >= SIZE_FROM and str(only.quantity) in fold(" ".join(asked.offered)).split()
    if is_size or (only.action == "add" and len(numbers) > 1):
        return None  # "la de 500 también", "sumale dos de 500"
    before = asked.arguments.get(QUANTITY, 1)
    if only.action == "add" and says_more(reading) and isinstance(before, int):
        return GiveArgument(before + only.quantity, QUANTITY)  # "y otra para mi hermano"
    return GiveArgument(only.quantity, QUANTITY)


def number_put_right(agent: Agent, session: Session, reading: Reading) -> CallTool | None:
    """So many of what was named last, with nothing else or words that mend: "perdón, 5", "x2", "2 paquetes"."""
    text = reading.text.folded
    said = text.strip(" .!")
    counts = bool(_PACKAGES.fullmatch(said) or _TIMES.fullmatch(said)) and not reading.lines
    counts = counts or (
        bool(things(session)) and (said.isdecimal() or numeral(said) is not None)
    )  # "tres", after a price
    if agent.orders is None or session.pending or session.stack or not (counts or mends(reading)):
        return None
    numbers = find_numbers(reading.text)
    if len(numbers) != 1 or "?" in text:
        return None
    found = numbers[0]
    rest = f"{text[: found.start]} {text[found.end :]}"
    if not isinstance(found.value, int) or found.value < 1 or not (counts or says_nothing_else(rest)):
        return None
    line = OrderLine("set", found.value, "", "", "", found.start, found.end, SURE_LINE)
    return _call(agent, _of_the_last(agent, session, line))


def named_product(agent: Agent, asked: AskedArgument, reading: Reading) -> GiveArgument | None:
    """The product of the only line, where one was asked for: "y un paquete de oreo" is an oreo."""
    if agent.orders is None or asked.tool != agent.orders.add or asked.parameter != PRODUCT or asked.offered:
        return None
    lines = [line for line in reading.lines if line.product and line.confidence >= SURE_LINE]
    if any(_says_how_many(reading, line) for line in lines):
        return None  # "2 gatorade" is an order of its own
    call = _call(agent, lines[0]) if len(lines) == 1 else None
    return GiveArgument(call.arguments[PRODUCT], PRODUCT) if call and PRODUCT in call.arguments else None


def unknown_goods(agent: Agent, session: Session, reading: Reading) -> CallTool | None:
    """What is surely ordered, and nobody sells: the tool says so, and knows what is like it ("un cuaderno")."""
    if agent.orders is None or isinstance(session.pending, AskedSlot | AskedYes) or reading.lines or reading.asks:
        return None
    said = _A_THING.fullmatch(reading.text.folded.strip(" .,!"))
    if said is None or reading.acts or (said[1] in _DEFINITE and not reading.is_heard({"order"})):
        return None
    named = [word for word in said[2].split() if word not in FILLERS]
    if not named or named[0] in NOT_PRODUCTS | LINKS or len(named) > MOST_UNKNOWN:
        return None
    counted = find_numbers(normalise(said[1] or ""))
    quantity = int(counted[0].value) if counted and isinstance(counted[0].value, int) else 1
    return CallTool(agent.orders.add, {PRODUCT: " ".join(named), QUANTITY: quantity})


def order_starts(agent: Agent, reading: Reading) -> tuple[int, ...]:
    """Where something is ordered that stands in a clause of its own: the "dame 2" of "¿tenés coca? dame 2"."""
    lines = reading.lines if agent.orders else ()
    clause = {part.start for part in reading.parts}
    starts = {reading.text.span(line.start, line.end)[0] for line in lines if line.confidence >= SURE_LINE}
    return tuple(clause & starts)


def ordered_intents(agent: Agent, session: Session, reading: Reading) -> frozenset[str]:
    """Intents and flows whose every part is an order and asks nothing: "3 alfajores de chocolate" is no search."""
    lines = ordered_lines(agent, session, reading)
    parts = [part for part in reading.parts if part.ranked.intent in {*agent.intents, *agent.flows}]
    beside = {part.ranked.intent or "" for part in parts if not _only_orders(agent, reading, part, lines)}
    flows = {part.ranked.intent or "" for part in reading.parts if part.ranked.intent in agent.flows}
    if not _are_all(reading, lines):
        flows = set()  # "agregá 2 fanta y confirmar" begins one, "una más" none
    return frozenset(part.ranked.intent or "" for part in parts) - beside | flows


def ordered_lines(agent: Agent, session: Session, reading: Reading) -> tuple[OrderLine, ...]:
    """The lines of a message by which goods are ordered, and not only talked of."""
    if agent.orders is None:
        return ()
    least = SURE_BESIDE_A_QUESTION if _answers(agent, session, reading) else SURE_LINE
    lines = map(_without_courtesy, reading.lines)
    return tuple(
        line
        for line in lines
        if line.confidence >= least
        and _has_product(reading, line)
        and not _is_of_a_sentence(reading, line)
        and not _is_asked_about(agent, reading, line)
        and not _is_a_wish_alike(agent, reading, line)
    )


def _is_a_wish_alike(agent: Agent, reading: Reading, line: OrderLine) -> bool:
    """Whether what only resembles goods stands in a part that surely begins a flow: "cerralo" is no jamón serrano."""
    return bool(line.resembles) and any(
        part.ranked.intent in agent.flows
        and part.ranked.confidence >= SURE_BESIDE_A_QUESTION
        and _holds(reading, part, line)
        for part in reading.parts
    )


def _is_asked_about(agent: Agent, reading: Reading, line: OrderLine) -> bool:
    """Whether the agent's own examples tell more surely that something is asked: "pasame la lista de limpieza"."""
    return line.confidence < SURE_BESIDE_A_QUESTION and any(
        part.ranked.confidence >= SURELY_OURS
        and part.ranked.intent in agent.intents
        and not _is_of_orders(agent, part)
        and _holds(reading, part, line)
        for part in reading.parts
    )


def _is_of_orders(agent: Agent, part: Part) -> bool:
    intent = agent.intents.get(part.ranked.intent or "")
    return intent is not None and intent.topic == "order"


def _answers(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message may answer the question that is open: it has a value for it, or anything would be one."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    return slot is not None and (slot.kind.is_free or bool(reading.values.of(slot, asked=True)))


def _without_courtesy(line: OrderLine) -> OrderLine:
    """No perdón 4: a number that is corrected, and nothing that is sold."""
    return replace(line, action="set", product="") if line.product in FILLERS else line


def _has_product(reading: Reading, line: OrderLine) -> bool:
    """Whether things are ordered and not talk about them: "pasame la lista de bebidas"."""
    said = reading.text.folded[line.start : line.end].split()
    if FILLERS.issuperset(said):
        return False  # "ah y otra sprite": a sigh without a number changes nothing
    if _VAGUE.search(reading.text.folded[: line.named[0]]):
        return False  # "algo dulce" is looked for, and no "dulce de leche" ordered
    before = reading.text.folded[: line.start].split()[-1:]
    kin = set(line.product.split()) <= KIN and not _WHOSE.isdisjoint((*before, *said))  # "es para mi mamá"
    talk = line.action == "add" and line.confidence <= _NO_NUMBER and not NOT_PRODUCTS.isdisjoint(said)
    return not kin and not talk  # nada de alfajores takes them out


def _is_of_a_sentence(reading: Reading, line: OrderLine) -> bool:
    """Whether a bare name beside other goods begins a part that goes on otherwise: "2 cocas y paso a las 6" has none.

    Goods that are listed stand alone in their part, are counted, or asked for with a verb.
    """
    if line.action != "add" or (line.start, line.end) != line.named or len(reading.lines) == 1:
        return False
    text = reading.text.folded
    part = next((span for span in clauses(text, loose=True) if span[0] <= line.start < span[1]), (line.start, line.end))
    before, after = text[part[0] : line.start], text[line.end : part[1]]
    goes_on = set(_WORDS.findall(after)) - COMMON - FILLERS
    return not before.strip() and bool(goes_on)


def _is_done_otherwise(agent: Agent, reading: Reading, line: OrderLine) -> bool:
    """Whether the words are surely something else that changes the order: "sacá todo" empties it."""
    others = any(_acts(agent, part) and _holds(reading, part, line) for part in reading.parts)
    return others and not _keeps_some(line)


def _keeps_some(line: OrderLine) -> bool:
    """Whether all goes but something that is named: "sacá todo menos la coca" does not empty the order."""
    return line.product.startswith(f"{ALL} ")


def _only_orders(agent: Agent, reading: Reading, part: Part, lines: tuple[OrderLine, ...]) -> bool:
    held = [line for line in lines if _holds(reading, part, line)]
    asks = _asks(reading, part) and not any(_is_wish(reading, line) for line in held)
    # "Mejor que sean 3 cocas" only sounds like a change of an order that was made; "cancelen mi pedido" is one.
    starts_a_flow = part.ranked.intent in agent.flows and part.ranked.confidence >= SURE_OF_A_FLOW
    acts = _acts(agent, part) and not any(map(_keeps_some, held))
    return bool(held) and not asks and not starts_a_flow and not acts


def _are_all(reading: Reading, lines: tuple[OrderLine, ...]) -> bool:
    """Whether a message says nothing but what is ordered."""
    rest = list(reading.text.folded)
    for line in lines:
        rest[line.start : line.end] = " " * (line.end - line.start)
    return bool(lines) and (FILLERS | _MORE).issuperset(re.findall(r"\w+", "".join(rest)))


def _is_wish(reading: Reading, line: OrderLine) -> bool:
    """Whether a line is asked for with a verb, which makes a question of it that wants goods: "¿me mandas 2 cocas?"."""
    said = reading.text.folded[line.start : line.end]
    return (
        line.confidence >= SURE_BESIDE_A_QUESTION
        and not said.startswith(line.product)
        and _VERB.match(said) is not None
    )


def _asks(reading: Reading, part: Part) -> bool:
    """Whether a part is a question, whatever the others are: "que sean 3, y ¿hacen delivery?" asks in its second."""
    asked = [reading.text.span(act.start, act.end) for act in reading.acts if act.kind == "question"]
    return "?" in part.text or any(part.meets(*span) for span in asked)


def _acts(agent: Agent, part: Part) -> bool:
    intent = agent.intents.get(part.ranked.intent or "")
    sure = part.ranked.confidence >= SURE_INTENT
    return intent is not None and sure and bool(intent.do) and _is_of_orders(agent, part)


def _holds(reading: Reading, part: Part, line: OrderLine) -> bool:
    first, last = reading.text.span(line.start, line.end)
    return part.start <= first and last <= part.end


def _call(agent: Agent, line: OrderLine) -> CallTool | None:
    tool = getattr(agent.orders, line.action, "") if agent.orders else ""
    takes = agent.toolbox[tool].parameters if tool in agent.toolbox else {}
    size, quantity = ("", line.quantity) if "unit" in takes else _measured(line)
    if line.action == "set" and not line.counted and not takes.get(QUANTITY, True):
        quantity = None  # "las quilmes que sean latas": as many as there are
    product = " ".join(filter(None, (line.product, size, line.notes)))
    said: dict[str, Any] = {PRODUCT: product, QUANTITY: quantity, "unit": line.unit, INSTEAD: line.instead}
    given = {name: value for name, value in said.items() if name in takes and value not in {None, ""}}
    return CallTool(tool, given, alike=line.resembles) if tool and given else None


def _measured(line: OrderLine) -> tuple[str, int | Decimal | None]:
    """A measure as the size of what is sold in pieces: medio kilo is one of 500 g, dos litros are two of 1 l."""
    amount, unit = line.quantity, line.unit
    if amount is None or amount <= 0 or unit not in {"kg", "l", "g", "ml"} or not line.product:
        return "", amount
    if not line.sized and unit in _SMALLER and amount == int(amount):
        return "", amount
    if unit not in _SMALLER:
        return f"{amount} {unit}", 1
    if amount == int(amount):
        return f"1 {unit}", int(amount)
    return (f"{int(amount * _THOUSAND)} {_SMALLER[unit]}" if amount < 1 else f"{amount} {unit}"), 1
