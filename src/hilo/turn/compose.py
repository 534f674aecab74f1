"""From what the dialogue ordered to the messages that the contact will read."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskArgument, AskMeaning, AskSwitch, AskWhich, AskYes, Effect, Question, Say
from hilo.dialogue.wording import intent_label, label, word
from hilo.messages import ApprovedTemplate, Button, Outbound


def compose(agent: Agent, decision: Decision) -> tuple[Outbound, ...]:
    """One message: remarks run on, paragraphs stand apart, the question comes last with its buttons."""
    text = "".join(_pieces(decision.effects)).strip()
    buttons = tuple(button for effect in decision.effects for button in _buttons(agent, effect))
    return (Outbound(text, buttons, approved=_approved(agent, decision.effects)),) if text else ()


def _approved(agent: Agent, effects: tuple[Effect, ...]) -> ApprovedTemplate | None:
    """What WhatsApp may send instead when the window is closed, if a template of this message has it."""
    for effect in effects:
        line = getattr(effect, "line", None)
        template = agent.templates.get(line.template) if line else None
        # the first is taken: WhatsApp sends one template in place of the whole message
        if line and template and template.wa_template:
            return ApprovedTemplate(template.wa_template, agent.language.replace("-", "_"), line.values)
    return None


def _pieces(effects: tuple[Effect, ...]) -> Iterator[str]:
    for effect in effects:
        if isinstance(effect, Say):
            yield effect.line.text + (" " if effect.remark else "\n\n")
        elif isinstance(effect, Question):
            yield effect.line.text


def _buttons(agent: Agent, effect: Effect) -> Iterator[Button]:
    match effect:
        case AskYes(digest=question) | AskSwitch(flow=question):
            yield Button(f"yes:{question}", word(agent, "yes").capitalize())
            yield Button(f"no:{question}", word(agent, "no").capitalize())
        case AskWhich(slots=slots):
            yield from (Button(f"correct:{slot}", _title(label(agent, slot))) for slot in slots)
        case AskArgument(parameter=parameter, offered=offered):
            yield from (Button(f"arg:{parameter}:{each}", each) for each in offered)
        case AskMeaning(intents=intents):
            yield from (Button(f"mean:{each}", _title(intent_label(agent, each))) for each in intents)
            yield Button("mean:", word(agent, "something_else").capitalize())
        case Ask(slot=slot) if agent.slots[slot].kind.sort == "boolean":
            yield Button(f"set:{slot}:true", word(agent, "yes").capitalize())
            yield Button(f"set:{slot}:false", word(agent, "no").capitalize())
        case Ask(slot=slot, offered=offered):
            yield from (Button(f"set:{slot}:{each}", each) for each in offered or agent.slots[slot].choices)


def _title(text: str) -> str:
    """A label at the beginning of a button; names in it keep their capitals."""
    return text[:1].upper() + text[1:]
