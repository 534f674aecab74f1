-- desk_waiting: sessions that wait for a person, the longest first, from a place in the list on
SELECT s.id, MIN(h.created_at) AS place FROM handoffs h JOIN sessions s ON s.id = h.session_id
WHERE h.workspace_id = :workspace AND s.workspace_id = :workspace AND h.status = 'pending' AND s.status <> 'closed'
  AND (CAST(:agent AS TEXT) = '' OR s.agent = CAST(:agent AS TEXT))
  AND (CAST(:channel AS TEXT) = '' OR s.channel_id = CAST(:channel AS TEXT))
  AND (CAST(:mode AS TEXT) = '' OR s.mode = CAST(:mode AS TEXT))
  AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
  AND (CAST(:among AS TEXT) = '[""]' OR s.id IN (SELECT value FROM json_each(:among)))
  AND (CAST(:team AS TEXT) = '' OR h.team = CAST(:team AS TEXT))
  AND (CAST(:teams AS TEXT) = '[]' OR COALESCE(h.team, '') = '' OR h.team IN (SELECT value FROM json_each(:teams)))
GROUP BY s.id HAVING (MIN(h.created_at), s.id) > (CAST(:place AS BIGINT), CAST(:place_id AS TEXT))
ORDER BY 2, 1 LIMIT :at_most;

-- desk_newest: sessions of another view, the newest first, from a place in the list on
SELECT s.id, s.last_at AS place FROM sessions s
WHERE s.workspace_id = :workspace
  AND (CAST(:view AS TEXT) = 'all'
    OR (CAST(:view AS TEXT) = 'agent' AND s.status = 'active' AND s.holder = 'agent')
    OR (CAST(:view AS TEXT) = 'paused' AND s.status = 'paused')
    OR (CAST(:view AS TEXT) = 'mine' AND s.status <> 'closed' AND s.id IN (
      SELECT h.session_id FROM handoffs h
      WHERE h.workspace_id = :workspace AND h.status = 'assigned' AND h.operator_id = CAST(:operator AS TEXT)))
    OR (CAST(:view AS TEXT) = 'trouble' AND (s.id IN (
        SELECT o.session_id FROM outbox o
        WHERE o.workspace_id = :workspace AND o.status IN ('failed', 'held') AND o.reason <> 'operator')
      OR s.id IN (SELECT h.session_id FROM handoffs h
        WHERE h.workspace_id = :workspace AND h.status <> 'resolved' AND h.policy = 'error'))))
  AND (CAST(:agent AS TEXT) = '' OR s.agent = CAST(:agent AS TEXT))
  AND (CAST(:channel AS TEXT) = '' OR s.channel_id = CAST(:channel AS TEXT))
  AND (CAST(:mode AS TEXT) = '' OR s.mode = CAST(:mode AS TEXT))
  AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
  AND (CAST(:among AS TEXT) = '[""]' OR s.id IN (SELECT value FROM json_each(:among)))
  AND (CAST(:team AS TEXT) = '' OR EXISTS (SELECT 1 FROM handoffs h
    WHERE h.session_id = s.id AND h.status <> 'resolved' AND h.team = CAST(:team AS TEXT)))
  AND (s.last_at, s.id) < (CAST(:place AS BIGINT), CAST(:place_id AS TEXT))
ORDER BY s.last_at DESC, s.id DESC LIMIT :at_most;

-- desk_rows: what a list shows of these sessions, given as a list of ids in JSON
SELECT s.id, s.agent, s.channel_id, k.kind, k.window_hours, s.contact_id, c.name, c.phone, a.value AS address, a.heard_at,
  s.status, s.holder, s.mode, s.state, s.version, h.status AS handoff, h.operator_id AS operator, h.created_at AS wanted_at,
  h.team, h.policy, h.reason AS why, t.heard, t.at AS heard_turn_at, o.message, o.author, o.operator AS said_by, o.created_at AS said_at,
  (SELECT COUNT(*) FROM turns u WHERE u.session_id = s.id AND u.heard <> ''
    AND u.number > COALESCE((SELECT r.turn FROM session_reads r WHERE r.session_id = s.id), 0)) AS unread,
  (SELECT x.status FROM outbox x WHERE x.address_id = s.address_id AND x.session_id = s.id
    AND x.status IN ('failed', 'held') AND x.reason <> 'operator' ORDER BY x.id DESC LIMIT 1) AS stuck
FROM sessions s JOIN addresses a ON a.id = s.address_id JOIN contacts c ON c.id = s.contact_id
  LEFT JOIN channels k ON k.id = s.channel_id
  LEFT JOIN handoffs h ON h.id = (SELECT b.id FROM handoffs b WHERE b.session_id = s.id AND b.status <> 'resolved'
    ORDER BY b.created_at DESC, b.id LIMIT 1)
  LEFT JOIN turns t ON t.session_id = s.id AND t.number = (SELECT v.number FROM turns v
    WHERE v.session_id = s.id AND v.heard <> '' ORDER BY v.number DESC LIMIT 1)
  LEFT JOIN outbox o ON o.id = (SELECT w.id FROM outbox w
    WHERE w.address_id = s.address_id AND w.session_id = s.id ORDER BY w.id DESC LIMIT 1)
WHERE s.workspace_id = :workspace AND s.id IN (SELECT value FROM json_each(:sessions));

-- desk_counts: how many sessions stand in each view
SELECT
  (SELECT COUNT(DISTINCT h.session_id) FROM handoffs h JOIN sessions s ON s.id = h.session_id
    WHERE h.workspace_id = :workspace AND h.status = 'pending' AND s.status <> 'closed'
      AND (CAST(:teams AS TEXT) = '[]' OR COALESCE(h.team, '') = '' OR h.team IN (SELECT value FROM json_each(:teams)))) AS waiting,
  (SELECT COUNT(DISTINCT h.session_id) FROM handoffs h JOIN sessions s ON s.id = h.session_id
    WHERE h.workspace_id = :workspace AND h.status = 'assigned' AND h.operator_id = :operator AND s.status <> 'closed') AS mine,
  (SELECT COUNT(*) FROM sessions WHERE workspace_id = :workspace AND status = 'active' AND holder = 'agent') AS agent,
  (SELECT COUNT(*) FROM sessions WHERE workspace_id = :workspace AND status = 'paused') AS paused,
  (SELECT COUNT(*) FROM (
    SELECT o.session_id FROM outbox o
    WHERE o.workspace_id = :workspace AND o.status IN ('failed', 'held') AND o.reason <> 'operator' AND o.session_id <> ''
    UNION SELECT h.session_id FROM handoffs h
    WHERE h.workspace_id = :workspace AND h.status <> 'resolved' AND h.policy = 'error' AND h.session_id <> '') t) AS trouble;

-- desk_timers: promises of a session
SELECT t.name, t.due_at FROM timers t WHERE t.workspace_id = :workspace AND t.session_id = :session ORDER BY t.due_at, t.name;

-- desk_handoff: the handoff of a session that is open
SELECT id FROM handoffs WHERE workspace_id = :workspace AND session_id = :session AND status <> 'resolved'
ORDER BY created_at DESC, id LIMIT 1;

-- desk_earlier: the contact's other sessions
SELECT s.id, s.started_at, s.status FROM sessions s
WHERE s.workspace_id = :workspace AND s.contact_id = :contact AND s.id <> :session
ORDER BY s.started_at DESC LIMIT :at_most;

-- desk_commands: the newest turns of a session, to see who gave which value
SELECT t.number, t.at, t.event, t.trace FROM turns t JOIN sessions s ON s.id = t.session_id
WHERE s.workspace_id = :workspace AND t.session_id = :session ORDER BY t.number DESC LIMIT :at_most;

-- keeper: who has a session now, and since when
SELECT operator_id AS operator, assigned_at AS at FROM handoffs
WHERE workspace_id = :workspace AND session_id = :session AND status = 'assigned' ORDER BY assigned_at DESC LIMIT 1;

-- takers: who has reached for a session, and whose turn has not come yet
SELECT i.kind, i.event, i.received_at FROM inbox i JOIN sessions s ON s.address_id = i.address_id
WHERE s.workspace_id = :workspace AND s.id = :session AND i.session_id = s.id AND i.status = 'pending'
  AND i.kind IN ('OperatorTookOver', 'Released', 'Closed') ORDER BY i.id;

-- add_note: what colleagues should know, and the contact never sees
INSERT INTO session_notes (id, workspace_id, session_id, at, author, text)
VALUES (:id, :workspace, :session, :at, :author, :text) ON CONFLICT (id) DO NOTHING RETURNING id;

-- notes: of a session, the newest first, from a place in the list on
SELECT id, at, author, text FROM session_notes
WHERE workspace_id = :workspace AND session_id = :session
  AND (at, id) < (CAST(:before AS BIGINT), CAST(:before_id AS TEXT)) ORDER BY at DESC, id DESC LIMIT :at_most;

-- note: one by its id
SELECT author, text FROM session_notes WHERE workspace_id = :workspace AND id = :id;

-- replies: canned ones, by name
SELECT name, text FROM canned_replies WHERE workspace_id = :workspace AND (CAST(:name AS TEXT) = '' OR name = CAST(:name AS TEXT))
ORDER BY name;

-- put_reply: a canned one, or new words for it
INSERT INTO canned_replies (workspace_id, name, text) VALUES (:workspace, :name, :text)
ON CONFLICT (workspace_id, name) DO UPDATE SET text = excluded.text;

-- remove_reply: it is not offered any more
DELETE FROM canned_replies WHERE workspace_id = :workspace AND name = :name RETURNING name;

-- mark_read: somebody has read up to here
INSERT INTO session_reads (session_id, turn)
SELECT id, version FROM sessions WHERE workspace_id = :workspace AND id = :session
ON CONFLICT (session_id) DO UPDATE SET turn = excluded.turn RETURNING turn;

-- hand_to_team: the session waits again, for anybody of a team
UPDATE handoffs SET status = 'pending', operator_id = NULL, assigned_at = NULL, team = :team
WHERE workspace_id = :workspace AND session_id = :session AND status <> 'resolved' RETURNING id;

-- take_timer: a promise is kept now or not at all
DELETE FROM timers WHERE workspace_id = :workspace AND session_id = :session AND name = :name RETURNING address_id, due_at;

-- desk_turn: one turn of a session
SELECT t.number, t.at, t.event, t.heard, t.said, t.intent, t.confidence, t.stage, t.trace, s.agent
FROM turns t JOIN sessions s ON s.id = t.session_id
WHERE s.workspace_id = :workspace AND t.session_id = :session AND t.number = :number;

-- desk_turn_calls: what tools were called with in a turn
SELECT c.call_id || '.' || c.attempt AS id, c.turn, c.tool, c.arguments, c.status, c.outputs, c.error, COALESCE(c.tell, '') AS tell,
  c.started_at, c.ended_at,
  (SELECT t.told FROM turns t WHERE t.session_id = c.session_id AND t.number = c.turn AND t.event = 'OperatorCalled') AS told
FROM tool_calls c JOIN sessions s ON s.id = c.session_id
WHERE s.workspace_id = :workspace AND c.session_id = :session AND c.turn = :number ORDER BY c.started_at, c.call_id, c.attempt;

-- desk_turn_usage: what a turn cost, by attempt at a request to a model
SELECT model, input_tokens, output_tokens, cached_tokens, cache_written_tokens, cost FROM usage
WHERE workspace_id = :workspace AND session_id = :session AND turn = :number;
