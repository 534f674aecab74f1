"""What an operator says: words, files, places, and approved templates where free text may not be sent."""

from dataclasses import replace

from fastapi import HTTPException

from hilo.agent.texts import PLACEHOLDER
from hilo.messages import ApprovedTemplate, Attachment, Button, Outbound
from hilo.server import shapes
from hilo.server.access import Edge, Reading, Writing
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, key_digest, or_404
from hilo.server.problems import Taken
from hilo.store.api import NotSpoken, Words, one_session
from hilo.store.desk import DeskSession, whole_session
from hilo.store.desk_words import TemplateWords
from hilo.store.keys import Key
from hilo.store.media import find_media

router = api_router()


@router.post("/sessions/{session}/messages", status_code=202, tags=["operators"])
async def say(
    edge: Edge, session: Id, message: shapes.NewMessage, once: IdempotencyKey, key: Writing
) -> shapes.AcceptedRequest:
    """Say something to the contact, as an operator who holds the session."""
    message_id = f"{session}.operator.{key_digest(once)}"
    operator = key.name if key.person else ""
    outbound = await _signed(edge, key, session, await _outbound(edge, key, session, message))
    spoken = await edge.intake.words(Words(key.workspace, session, message_id, outbound, operator))
    if isinstance(spoken, NotSpoken) and spoken.why == "not held":
        raise HTTPException(409, "no operator holds this session: take it over first")
    if isinstance(spoken, NotSpoken) and spoken.why == "another's":
        raise Taken(spoken.operator, spoken.since)
    if isinstance(spoken, NotSpoken):
        raise HTTPException(404, NOT_THERE)
    return shapes.AcceptedRequest(id=message_id)


@router.get("/sessions/{session}/templates", tags=["operators"])
async def templates(edge: Edge, session: Id, key: Reading) -> shapes.TemplateList:
    """The approved templates of the session's agent: what may be said when the contact has been silent too long."""
    found = or_404(await edge.store.run(whole_session, key.workspace, session))
    until = found.desk.window_until
    items = [
        shapes.OfferedTemplate.model_validate(each, from_attributes=True) for each in await _offered(edge, key, found)
    ]
    return shapes.TemplateList(window_until=until, open=until is None or until > edge.clock.now(), items=items)


async def _offered(edge: HttpEdge, key: Key, found: DeskSession) -> tuple[TemplateWords, ...]:
    return tuple(await edge.sight.templates(key.workspace, found.state)) if edge.sight else ()


async def _outbound(edge: HttpEdge, key: Key, session: str, message: shapes.NewMessage) -> Outbound:
    """The message as the outbox keeps it; 422 for a file or a template that is not there."""
    if message.template:
        return await _template(edge, key, session, message.template)
    buttons = tuple(Button(each.payload, each.title) for each in message.buttons)
    attachment = await _attachment(edge, key, message.attachment) if message.attachment else None
    return Outbound(message.text or "", buttons, attachment)


async def _signed(edge: HttpEdge, key: Key, session: str, message: Outbound) -> Outbound:
    """With the person's name before it, where the agent's file says so; a template says what was approved."""
    if not key.person or message.approved or not message.text or edge.sight is None:
        return message
    agent = or_404(await edge.store.run(one_session, key.workspace, session))["agent"]
    words = (await edge.sight.agents_of(key.workspace, {agent})).get(agent)
    return replace(message, text=f"{key.name}: {message.text}") if words and words.signs else message


async def _attachment(edge: HttpEdge, key: Key, given: shapes.NewAttachment) -> Attachment:
    if not given.media:
        return Attachment(
            "location",
            name=given.name,
            caption=given.address,
            latitude=given.latitude,
            longitude=given.longitude,
        )
    found = (await edge.store.run(find_media, key.workspace, [given.media])).get(given.media)
    if found is None or not found.link:
        raise HTTPException(422, "there is no such file to send: keep it with POST /media first")
    return found.attachment()


async def _template(edge: HttpEdge, key: Key, session: str, given: shapes.NewTemplate) -> Outbound:
    """With the words that it stands for: they go out as they are while the window is open."""
    found = or_404(await edge.store.run(whole_session, key.workspace, session))
    offered = {(each.name, each.language): each for each in await _offered(edge, key, found)}
    template = offered.get((given.name, given.language))
    if template is None:
        raise HTTPException(422, "the agent has no such approved template")
    if len(given.values) != len(template.fields):
        raise HTTPException(422, f"the template takes {len(template.fields)} values: {', '.join(template.fields)}")
    values = iter(given.values)
    text = PLACEHOLDER.sub(lambda _: next(values), template.text)
    return Outbound(text, approved=ApprovedTemplate(given.name, given.language, tuple(given.values)))
