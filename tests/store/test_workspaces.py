"""What belongs to one business is not seen, and not changed, by another."""

import pytest
from scenes import NOW, Scene, later

from hilo.dialogue.events import Closed
from hilo.errors import HiloError
from hilo.store.audit import AuditEntry, verify
from hilo.store.inbox import put
from hilo.store.keys import add_key, find_key, keys, revoke_key
from hilo.store.outbox import Went
from hilo.store.registry import Version, publish, published
from hilo.store.turns import Person, TurnInput
from hilo.store.views import audit_entries, find_session, record, sessions, transcript, usage
from hilo.store.workspaces import ChannelRow, add_channel

pytest_plugins = ("databases",)


async def talk(scene: Scene) -> TurnInput:
    """A session of the workspace `w` with something in every table."""
    person, entry = Person("pending", "keyword"), AuditEntry("agent", "called", "order")
    return await scene.turn("hola", say=("uno",), person=person, audit=(entry,), timers={"t": later(60)})


async def test_a_business_sees_its_own(scene: Scene) -> None:
    taken = await talk(scene)
    await scene.send(taken.place.address, Went("sent"))
    [seen] = await scene.store.run(sessions, "w", "all", at_most=10)
    assert (seen.id, seen.address, seen.turns, seen.handoff, seen.unsent) == (taken.session_id, "ana", 1, "keyword", 0)
    assert await scene.store.run(find_session, "w", taken.session_id[:12]) == (taken.session_id,)
    shown = await scene.store.run(transcript, "w", taken.session_id)
    assert shown is not None
    assert [len(each) for each in (shown.turns, shown.messages, shown.handoffs)] == [1, 1, 1]
    assert await scene.store.run(record, "w", taken.session_id) is not None
    assert len(await scene.store.run(audit_entries, "w", at_most=10)) == 1
    assert [each.turns for each in await scene.store.run(usage, "w", since=NOW)] == [1]


async def test_a_business_sees_nothing_of_another(scene: Scene) -> None:
    taken = await talk(scene)
    await scene.store.run(publish, "w", Version("leads", "1", "agent: leads"), now=NOW)
    assert await scene.store.run(sessions, "v", "all", at_most=10) == ()
    assert await scene.store.run(find_session, "v", "session_") == ()
    assert await scene.store.run(transcript, "v", taken.session_id) is None
    assert await scene.store.run(record, "v", taken.session_id) is None
    assert await scene.store.run(audit_entries, "v", at_most=10) == ()
    assert await scene.store.run(usage, "v", since=NOW) == ()
    assert (await scene.store.run(verify, "v")).entries == 0
    assert await scene.store.run(published, "v", "leads", "1") is None
    assert await scene.store.run(published, "w", "leads", "1") == Version("leads", "1", "agent: leads")


async def test_a_business_changes_nothing_of_another(scene: Scene) -> None:
    taken = await talk(scene)
    key = await scene.store.run(add_key, "w", "ours", secret="s", scopes=("read",), now=NOW)  # noqa: S106
    before = scene.everything()
    assert await scene.store.run(put, "v", taken.session_id, Closed(NOW), external_id="x", now=NOW) is None
    assert not await scene.store.run(revoke_key, "v", key, now=NOW)
    assert await scene.store.run(keys, "v") == ()
    assert scene.everything() == before


async def test_a_channel_cannot_be_taken_from_another_business(scene: Scene) -> None:
    before = scene.everything()
    for row in (ChannelRow("wa", "v", "test", "leads"), ChannelRow("wa", "w", "other", "leads")):
        with pytest.raises(HiloError, match="already there"):
            await scene.store.run(add_channel, row, now=NOW)
    assert scene.everything() == before


async def test_a_key_opens_its_own_workspace_until_it_is_revoked(scene: Scene) -> None:
    key = await scene.store.run(add_key, "w", "ours", secret="s\0é", scopes=("read",), now=NOW)  # noqa: S106
    found = await scene.store.run(find_key, "s\0é")
    assert found is not None
    assert (found.id, found.workspace, found.scopes) == (key, "w", ("read",))
    assert await scene.store.run(find_key, "s\0e") is None
    assert await scene.store.run(revoke_key, "w", key, now=NOW)
    assert not await scene.store.run(revoke_key, "w", key, now=NOW)
    assert await scene.store.run(find_key, "s\0é") is None
