-- channel: what a channel is
SELECT id, workspace_id, kind, agent, settings, per_second, echo_seconds, window_hours FROM channels
WHERE id = :channel AND removed_at IS NULL;

-- find_address: where a contact is reachable, and lock it so that messages of one contact keep their order
UPDATE addresses SET heard_at = CASE WHEN heard_at IS NULL OR heard_at < :heard_at THEN :heard_at ELSE heard_at END
WHERE channel_id = :channel AND value = :value
  AND EXISTS (SELECT 1 FROM channels c WHERE c.id = addresses.channel_id AND c.removed_at IS NULL)
RETURNING id, workspace_id;

-- add_address: a contact writes for the first time
INSERT INTO addresses (id, workspace_id, channel_id, value, contact_id, heard_at)
VALUES (:id, :workspace, :channel, :value, :contact, :heard_at)
ON CONFLICT (channel_id, value) DO UPDATE SET
  heard_at = CASE WHEN addresses.heard_at > excluded.heard_at THEN addresses.heard_at ELSE excluded.heard_at END
RETURNING id, contact_id;

-- add_contact: a person
INSERT INTO contacts (id, workspace_id, name, phone, created_at) VALUES (:id, :workspace, :name, :phone, :at);

-- lock_turns_at: nothing to do, there is one writer
SELECT 1 WHERE :channel IS NULL AND :value IS NULL;

-- lock_turns_at (postgres): the same as lock_turns, for who knows only where the contact writes from
SELECT 1 AS locked FROM work WHERE kind = 'turn'
  AND address_id = (SELECT id FROM addresses WHERE channel_id = :channel AND value = :value) FOR UPDATE;

-- lock_turns: nothing to do, there is one writer
SELECT 1 WHERE :address IS NULL;

-- lock_turns (postgres): events of an address get their numbers one after another; a turn must not overlook a lower one
SELECT 1 FROM work WHERE address_id = :address AND kind = 'turn' FOR UPDATE;

-- add_event: put something into the inbox, unless it is there
INSERT INTO inbox (workspace_id, channel_id, external_id, address_id, session_id, kind, event, received_at)
VALUES (:workspace, :channel, :external_id, :address, :session, :kind, :event, :received_at)
ON CONFLICT (workspace_id, channel_id, external_id) DO NOTHING RETURNING id;

-- add_event_from: the same for who knows only where the contact writes from
INSERT INTO inbox (workspace_id, channel_id, external_id, address_id, kind, event, received_at)
SELECT a.workspace_id, a.channel_id, :external_id, a.id, :kind, :event, :received_at
FROM addresses a JOIN channels c ON c.id = a.channel_id
WHERE a.channel_id = :channel AND a.value = :value AND c.removed_at IS NULL
ON CONFLICT (workspace_id, channel_id, external_id) DO NOTHING RETURNING id;

-- put_event: what was put into the inbox of a session under an id of ours
SELECT i.event FROM sessions s JOIN inbox i ON i.channel_id = s.channel_id || '/events' AND i.workspace_id = s.workspace_id
WHERE s.workspace_id = :workspace AND s.id = :session AND i.external_id = s.id || ':' || :external_id;

-- pending_events: what waits for a turn, in order
SELECT id, session_id, kind, CAST(event AS TEXT) AS event, received_at FROM inbox
WHERE address_id = :address AND status = 'pending' ORDER BY id LIMIT :at_most;

-- newer_message: whether the contact has written again since
SELECT id FROM inbox WHERE address_id = :address AND status = 'pending' AND id > :last AND kind = 'MessageReceived' LIMIT 1;

-- events_done: these have had their turn
UPDATE inbox SET status = :status, turn = :turn WHERE address_id = :address AND status = 'pending' AND id <= :last;

-- forget_events: de-duplication ends here
DELETE FROM inbox WHERE received_at < :before AND status <> 'pending';

-- add_ignored: what a webhook carried that was not for us
INSERT INTO ignored (channel_id, at, words, body) VALUES (:channel, :at, :words, :body);

-- forget_ignored: nobody has asked for it in time
DELETE FROM ignored WHERE at < :before;

-- session_address: where a session's contact is
SELECT workspace_id, channel_id, address_id FROM sessions WHERE workspace_id = :workspace AND id = :session;
