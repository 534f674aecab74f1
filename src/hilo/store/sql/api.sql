-- api_sessions: sessions of a workspace, the newest first, from a place in the list on
SELECT s.id, s.channel_id, s.contact_id, a.value AS address, s.agent, s.agent_version, s.status, s.holder, s.mode,
  s.version AS turns, s.started_at, s.heard_at, s.last_at
FROM sessions s JOIN addresses a ON a.id = s.address_id
WHERE s.workspace_id = :workspace
  AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
  AND (CAST(:status AS TEXT) = '' OR s.status = CAST(:status AS TEXT))
  AND (CAST(:agent AS TEXT) = '' OR s.agent = CAST(:agent AS TEXT))
  AND (CAST(:channel AS TEXT) = '' OR s.channel_id = CAST(:channel AS TEXT))
  AND (CAST(:contact AS TEXT) = '' OR s.contact_id = CAST(:contact AS TEXT))
  AND (s.last_at, s.id) < (CAST(:before AS BIGINT), CAST(:before_id AS TEXT))
ORDER BY s.last_at DESC, s.id DESC LIMIT :at_most;

-- api_turns: turns of a session, the newest first, from a number on
SELECT t.number, t.at, t.event, t.heard, t.said, t.intent, t.confidence, t.stage, t.trace
FROM turns t JOIN sessions s ON s.id = t.session_id
WHERE s.workspace_id = :workspace AND t.session_id = :session AND t.number < :before ORDER BY t.number DESC LIMIT :at_most;

-- api_messages: what both sides said in a session, the newest first; what was heard sorts before what answered it at once
SELECT m.at, m.id, m.author, m.heard, m.message, m.status, m.operator, m.reason, m.turn, m.trace, m.event FROM (
  SELECT t.at AS at, 'heard.' || t.number AS id, 'contact' AS author, t.heard AS heard, NULL AS message,
    'received' AS status, '' AS operator, '' AS reason, t.number AS turn, t.trace AS trace, t.event AS event
  FROM turns t JOIN sessions s ON s.id = t.session_id
  WHERE s.workspace_id = :workspace AND t.session_id = :session AND (t.event = 'MessageReceived' OR t.heard <> '')
  UNION ALL
  SELECT o.created_at, o.message_id, o.author, '', o.message, o.status, o.operator, o.reason, o.turn, NULL,
    (SELECT e.event FROM turns e WHERE e.session_id = o.session_id AND e.number = o.turn)
  FROM outbox o JOIN sessions s ON s.id = o.session_id AND s.address_id = o.address_id
  WHERE s.workspace_id = :workspace AND s.id = :session) m
WHERE (m.at, m.id) < (CAST(:before AS BIGINT), CAST(:before_id AS TEXT)) ORDER BY m.at DESC, m.id DESC LIMIT :at_most;

-- api_calls: what tools were called with in a session, the newest first, from a place in the list on
SELECT c.id, c.turn, c.tool, c.arguments, c.status, c.outputs, c.error, c.tell, c.started_at, c.ended_at, t.told FROM (
  SELECT session_id, turn, call_id || '.' || attempt AS id, tool, arguments, status, outputs, error, COALESCE(tell, '') AS tell,
    started_at, ended_at
  FROM tool_calls WHERE session_id = :session) c
  JOIN sessions s ON s.id = c.session_id
  LEFT JOIN turns t ON t.session_id = c.session_id AND t.number = c.turn AND t.event = 'OperatorCalled'
WHERE s.workspace_id = :workspace AND (c.started_at, c.id) < (CAST(:before AS BIGINT), CAST(:before_id AS TEXT))
ORDER BY c.started_at DESC, c.id DESC LIMIT :at_most;

-- api_contacts: the contacts of a workspace, the newest first, from a place in the list on
SELECT c.id, c.name, c.phone, c.created_at FROM contacts c
WHERE c.workspace_id = :workspace AND (CAST(:contact AS TEXT) = '' OR c.id = CAST(:contact AS TEXT))
  AND (c.created_at, c.id) < (CAST(:before AS BIGINT), CAST(:before_id AS TEXT))
ORDER BY c.created_at DESC, c.id DESC LIMIT :at_most;

-- api_addresses: where a contact is reachable
SELECT channel_id, value, heard_at FROM addresses WHERE workspace_id = :workspace AND contact_id = :contact
ORDER BY channel_id, value;

-- api_agents: the agents of a workspace in the version that is in force
SELECT a.name, a.version, a.published_at, a.offers FROM agents a
JOIN publications p ON p.workspace_id = a.workspace_id AND p.name = a.name AND p.version = a.version
WHERE a.workspace_id = :workspace AND p.number = (
  SELECT MAX(b.number) FROM publications b WHERE b.workspace_id = a.workspace_id AND b.name = a.name)
ORDER BY a.name;

-- lock_sending: nothing to do, there is one writer
SELECT 1 WHERE :address IS NULL;

-- lock_sending (postgres): who sends locks this before the session, so we must as well
SELECT 1 FROM work WHERE address_id = :address AND kind = 'send' FOR UPDATE;

-- operator_speaks: a person is at the session, which is activity; nothing when no operator holds it
UPDATE sessions SET last_at = CASE WHEN last_at < :at THEN :at ELSE last_at END
WHERE workspace_id = :workspace AND id = :session AND holder = 'operator' AND status <> 'closed' RETURNING id;

-- said_already: a message that is in the outbox
SELECT message FROM outbox WHERE message_id = :message_id AND workspace_id = :workspace;

-- depths: how much waits, and since when; the plus keeps SQLite from walking through all events by age
SELECT (SELECT COUNT(*) FROM outbox WHERE status IN ('pending', 'sending')) AS unsent,
  (SELECT MIN(+received_at) FROM inbox WHERE status = 'pending') AS oldest,
  (SELECT COUNT(*) FROM work WHERE next_at IS NOT NULL AND lease_until > :now) AS leases,
  (SELECT COUNT(*) FROM outbox WHERE status IN ('failed', 'held')) AS stuck,
  (SELECT COUNT(*) FROM channels WHERE trouble <> '' AND removed_at IS NULL) AS troubled;

-- begin_trial: a row that nobody ever sees
INSERT INTO ignored (channel_id, at, words, body) VALUES ('', :at, 'a trial', '') RETURNING id;

-- end_trial: and away with it
DELETE FROM ignored WHERE id = :id;
