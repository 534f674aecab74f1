-- view_sessions: sessions as a list shows them, the newest first; all, or those of an agent, or one by its id
SELECT s.id, s.channel_id AS channel, a.value AS address, s.agent, s.agent_version, s.status, s.holder, s.mode,
  s.version AS turns, s.started_at, s.last_at,
  (SELECT COUNT(*) FROM outbox o WHERE o.address_id = s.address_id AND o.session_id = s.id AND o.status = 'failed') AS failed,
  (SELECT COUNT(*) FROM outbox o WHERE o.address_id = s.address_id AND o.session_id = s.id
    AND o.status IN ('pending', 'sending')) AS unsent,
  COALESCE((SELECT h.policy FROM handoffs h WHERE h.session_id = s.id AND h.status <> 'resolved'
    ORDER BY h.created_at DESC LIMIT 1), '') AS handoff
FROM sessions s JOIN addresses a ON a.id = s.address_id
WHERE s.workspace_id = :workspace
  AND (CAST(:status AS TEXT) = 'all' OR s.status = CAST(:status AS TEXT)
    OR (CAST(:status AS TEXT) = 'open' AND s.status <> 'closed'))
  AND (CAST(:agent AS TEXT) = '' OR s.agent = CAST(:agent AS TEXT))
  AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
ORDER BY s.last_at DESC, s.id DESC LIMIT :at_most;

-- view_session_ids: the sessions whose id begins like this
SELECT id FROM sessions
WHERE workspace_id = :workspace AND substr(id, 1, :size) = :beginning ORDER BY id LIMIT :at_most;

-- view_heard: the newest messages that contacts wrote to an agent
SELECT t.heard FROM turns t JOIN sessions s ON s.id = t.session_id
WHERE s.workspace_id = :workspace AND s.agent = :agent AND t.heard <> '' ORDER BY t.at DESC, t.number DESC LIMIT :at_most;

-- view_turns: what happened in a session after a turn
SELECT t.number, t.at, t.event, t.heard, t.said, t.intent, t.confidence, t.stage, t.told, t.trace
FROM turns t JOIN sessions s ON s.id = t.session_id
WHERE s.workspace_id = :workspace AND t.session_id = :session AND t.number > :after ORDER BY t.number;

-- view_messages: what was said to the contact of a session since a moment, and what became of it
SELECT o.message_id AS id, o.turn, o.author, o.message, o.status, o.attempts, o.created_at AS at, o.sent_at, o.reason
FROM outbox o JOIN sessions s ON s.id = o.session_id AND s.address_id = o.address_id
WHERE s.workspace_id = :workspace AND s.id = :session AND o.created_at >= :since ORDER BY o.id;

-- view_calls: the tool journal of a session after a turn
SELECT c.turn, c.call_id, c.attempt, c.tool, c.arguments, c.status, c.outputs, c.error, c.started_at, c.ended_at
FROM tool_calls c JOIN sessions s ON s.id = c.session_id
WHERE s.workspace_id = :workspace AND c.session_id = :session AND c.turn > :after
ORDER BY c.turn, c.started_at, c.call_id, c.attempt;

-- view_handoffs: when persons were wanted in a session
SELECT policy, reason, status, COALESCE(operator_id, '') AS operator, created_at, assigned_at, resolved_at FROM handoffs
WHERE workspace_id = :workspace AND session_id = :session ORDER BY created_at, id;

-- view_record: where a session began and where it stands
SELECT id, agent, agent_version, version, state, opening FROM sessions WHERE workspace_id = :workspace AND id = :session;

-- view_audit: the newest entries of the audit
SELECT number, at, actor, action, subject, detail FROM audit
WHERE workspace_id = :workspace AND number < :before ORDER BY number DESC LIMIT :at_most;

-- view_usage: what turns took and cost since a moment, by agent and stage; a turn's attempts and models belong to it
WITH turn AS (
  SELECT agent, COALESCE(MAX(CASE WHEN attempt = '' THEN stage END), 'no turn') AS stage,
    MAX(CASE WHEN attempt = '' THEN 1 ELSE 0 END) AS done,
    SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens,
    SUM(cache_written_tokens) AS cache_written_tokens, SUM(CAST(cost AS NUMERIC)) AS cost, MAX(tools) AS tools,
    SUM(milliseconds) AS milliseconds
  FROM usage WHERE workspace_id = :workspace AND at >= :since GROUP BY session_id, turn, agent),
ranked AS (
  SELECT turn.*, ROW_NUMBER() OVER (PARTITION BY agent, stage ORDER BY milliseconds) AS place,
    COUNT(*) OVER (PARTITION BY agent, stage) AS size
  FROM turn)
SELECT agent, stage, SUM(done) AS turns,
  SUM(CASE WHEN input_tokens + output_tokens + cached_tokens + cache_written_tokens = 0 THEN done ELSE 0 END) AS free_turns,
  SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens,
  SUM(cache_written_tokens) AS cache_written_tokens, SUM(cost) AS cost, SUM(tools) AS tools,
  MAX(CASE WHEN place = (size + 1) / 2 THEN milliseconds END) AS half,
  MAX(CASE WHEN place = (size * 95 + 99) / 100 THEN milliseconds END) AS most
FROM ranked GROUP BY agent, stage ORDER BY agent, stage;

-- view_usage_by_model: what each model cost since a moment, and in how many turns it was asked
SELECT model, COUNT(DISTINCT session_id || ' ' || turn) AS turns, SUM(input_tokens) AS input_tokens,
  SUM(output_tokens) AS output_tokens, SUM(cached_tokens) AS cached_tokens,
  SUM(cache_written_tokens) AS cache_written_tokens, SUM(CAST(cost AS NUMERIC)) AS cost
FROM usage WHERE workspace_id = :workspace AND at >= :since AND model <> '' GROUP BY model ORDER BY model;
