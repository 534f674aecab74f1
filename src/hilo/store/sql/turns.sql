-- address: where a contact is reachable
SELECT a.id, a.workspace_id, a.channel_id, a.value, a.contact_id, a.heard_at, c.agent, p.phone, c.per_second
FROM addresses a JOIN channels c ON c.id = a.channel_id JOIN contacts p ON p.id = a.contact_id WHERE a.id = :address;

-- last_session: the session of an address that began last, and whether an attempt at its next turn has made calls
SELECT id, version, status, holder, CAST(state AS TEXT) AS state, heard_at, last_at,
  EXISTS (SELECT 1 FROM tool_calls t WHERE t.session_id = sessions.id AND t.turn = sessions.version + 1) AS called
FROM sessions WHERE address_id = :address ORDER BY started_at DESC, id DESC LIMIT 1;

-- served_lately: whether some process has answered for an agent since; a session that a person has may be one given up
SELECT 1 AS found FROM sessions
WHERE workspace_id = :workspace AND last_at > :since AND agent = :agent AND holder = 'agent' LIMIT 1;

-- session: a session by its id, and whether an attempt at its next turn has made calls
SELECT id, version, status, holder, state, heard_at, last_at,
  EXISTS (SELECT 1 FROM tool_calls t WHERE t.session_id = sessions.id AND t.turn = sessions.version + 1) AS called
FROM sessions WHERE id = :session AND address_id = :address;

-- session_version: which turn of a session was the last
SELECT version FROM sessions WHERE id = :session;

-- session_version (postgres): the same; until the end of this transaction it stays so
SELECT version FROM sessions WHERE id = :session FOR UPDATE;

-- session_at: whether that turn of a session was the last
SELECT id FROM sessions WHERE id = :session AND version = :version;

-- session_at (postgres): the same; until the end of this transaction it stays so
SELECT id FROM sessions WHERE id = :session AND version = :version FOR UPDATE;

-- add_session: a session begins, after those that were there, also when the clock was set back
INSERT INTO sessions (id, workspace_id, channel_id, address_id, contact_id, agent, agent_version, version, status,
  holder, mode, state, opening, started_at, heard_at, last_at)
VALUES (:id, :workspace, :channel, :address, :contact, :agent, :agent_version, :version, :status,
  :holder, :mode, :state, :opening,
  COALESCE((SELECT MAX(started_at) + 1 FROM sessions WHERE address_id = :address AND started_at >= :started_at), :started_at),
  :heard_at, :last_at);

-- update_session: a turn's outcome
UPDATE sessions SET version = :version, status = :status, holder = :holder, mode = :mode, state = :state,
  heard_at = :heard_at, last_at = :last_at
WHERE id = :id;

-- add_turn: what happened in a turn
INSERT INTO turns (session_id, number, at, event, heard, said, intent, confidence, stage, told, trace)
VALUES (:session, :number, :at, :event, :heard, :said, :intent, :confidence, :stage, :told, :trace);

-- add_usage: what a turn took
INSERT INTO usage (session_id, turn, workspace_id, agent, at, stage, tools, milliseconds)
VALUES (:session, :turn, :workspace, :agent, :at, :stage, :tools, :milliseconds);

-- set_timer: a promise
INSERT INTO timers (session_id, name, workspace_id, address_id, due_at)
VALUES (:session, :name, :workspace, :address, :due_at)
ON CONFLICT (session_id, name) DO UPDATE SET due_at = excluded.due_at;

-- cancel_timer: the promise is not needed any more
DELETE FROM timers WHERE session_id = :session AND name = :name;

-- due_timers: promises to keep now; they are taken away in the same transaction that puts them into the inbox
DELETE FROM timers WHERE (session_id, name) IN (
  SELECT session_id, name FROM timers WHERE due_at <= :now ORDER BY due_at LIMIT :at_most)
RETURNING session_id, name, workspace_id, address_id, due_at;

-- due_timers (postgres): the same; an address that is being written to is left for the next time, so nobody waits here
WITH due AS (SELECT session_id, name, address_id FROM timers WHERE due_at <= :now ORDER BY due_at LIMIT :at_most),
free AS MATERIALIZED (
  SELECT address_id FROM work WHERE kind = 'turn' AND address_id IN (SELECT address_id FROM due) FOR UPDATE SKIP LOCKED)
DELETE FROM timers t USING due d, free f
WHERE t.session_id = d.session_id AND t.name = d.name AND d.address_id = f.address_id AND t.due_at <= :now
RETURNING t.session_id, t.name, t.workspace_id, t.address_id, t.due_at;

-- next_timer: when the next promise is due
SELECT MIN(due_at) AS due_at FROM timers;

-- add_handoff: a person is wanted
INSERT INTO handoffs (id, workspace_id, session_id, policy, reason, team, context, created_at)
VALUES (:id, :workspace, :session, :policy, :reason, :team, :context, :at) RETURNING id, resolved_by;

-- session_handoff: one that is not over
SELECT id FROM handoffs WHERE session_id = :session AND status <> 'resolved' LIMIT 1;

-- assign_handoffs: an operator has taken the session, perhaps from another
UPDATE handoffs SET status = 'assigned', operator_id = :operator, assigned_at = :at, taken_at = COALESCE(taken_at, :at)
WHERE session_id = :session AND status <> 'resolved' RETURNING id, '' AS resolved_by;

-- resolve_handoffs: the session is the agent's again, or over
UPDATE handoffs SET status = 'resolved', resolved_at = :at WHERE session_id = :session AND status <> 'resolved'
RETURNING id, resolved_by;
