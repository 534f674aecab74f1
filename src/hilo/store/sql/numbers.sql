-- open_places: how many open sessions stand in each mode of each agent now
SELECT agent, mode, status, COUNT(*) AS sessions FROM sessions
WHERE workspace_id = :workspace AND status <> 'closed' GROUP BY agent, mode, status ORDER BY agent, mode, status;

-- open_steps (sqlite): how many open sessions of an agent stand at each step of each flow now
SELECT json_extract(state, '$.stack[#-1].flow') AS flow, json_extract(state, '$.stack[#-1].step') AS step,
  COUNT(*) AS sessions
FROM sessions WHERE workspace_id = :workspace AND agent = :agent AND status <> 'closed'
  AND json_extract(state, '$.stack[#-1].flow') IS NOT NULL GROUP BY 1, 2;

-- open_steps (postgres): the same
SELECT state::json -> 'stack' -> -1 ->> 'flow' AS flow, state::json -> 'stack' -> -1 ->> 'step' AS step,
  COUNT(*) AS sessions
FROM sessions WHERE workspace_id = :workspace AND agent = :agent AND status <> 'closed'
  AND state::json -> 'stack' -> -1 ->> 'flow' IS NOT NULL GROUP BY 1, 2;

-- at_step (sqlite): the newest open sessions of an agent at a step of a flow
SELECT id FROM sessions WHERE workspace_id = :workspace AND agent = :agent AND status <> 'closed'
  AND json_extract(state, '$.stack[#-1].flow') = :flow
  AND (CAST(:step AS TEXT) = '' OR json_extract(state, '$.stack[#-1].step') = CAST(:step AS TEXT))
ORDER BY last_at DESC LIMIT :at_most;

-- at_step (postgres): the same
SELECT id FROM sessions WHERE workspace_id = :workspace AND agent = :agent AND status <> 'closed'
  AND state::json -> 'stack' -> -1 ->> 'flow' = :flow
  AND (CAST(:step AS TEXT) = '' OR state::json -> 'stack' -> -1 ->> 'step' = CAST(:step AS TEXT))
ORDER BY last_at DESC LIMIT :at_most;

-- numbers_by_day: sessions that began on each day, and how many of them a person was wanted in
SELECT (s.started_at - :since) / 86400000000 AS day, COUNT(*) AS sessions,
  SUM(CASE WHEN EXISTS (SELECT 1 FROM handoffs h WHERE h.session_id = s.id) THEN 1 ELSE 0 END) AS handed_off
FROM sessions s WHERE s.workspace_id = :workspace AND s.last_at >= :since AND s.started_at >= :since
GROUP BY 1 ORDER BY 1;

-- numbers_handoffs: why persons were wanted
SELECT policy, COUNT(*) AS handoffs FROM handoffs WHERE workspace_id = :workspace AND created_at >= :since
GROUP BY policy ORDER BY 2 DESC, 1;

-- numbers_waits: how long contacts waited until somebody took their session, half of them and 95 of 100 at most
WITH ranked AS (
  SELECT taken_at - created_at AS took, ROW_NUMBER() OVER (ORDER BY taken_at - created_at) AS place,
    COUNT(*) OVER () AS size
  FROM handoffs WHERE workspace_id = :workspace AND created_at >= :since AND taken_at IS NOT NULL
    AND policy <> 'operator')
SELECT COUNT(*) AS taken, MAX(CASE WHEN place = (size + 1) / 2 THEN took END) AS half,
  MAX(CASE WHEN place = (size * 95 + 99) / 100 THEN took END) AS most
FROM ranked;

-- numbers_waits_by_day: the same for the contacts of each day
WITH ranked AS (
  SELECT (created_at - :since) / 86400000000 AS day, taken_at - created_at AS took,
    ROW_NUMBER() OVER (PARTITION BY (created_at - :since) / 86400000000 ORDER BY taken_at - created_at) AS place,
    COUNT(*) OVER (PARTITION BY (created_at - :since) / 86400000000) AS size
  FROM handoffs WHERE workspace_id = :workspace AND created_at >= :since AND taken_at IS NOT NULL
    AND policy <> 'operator')
SELECT day, MAX(CASE WHEN place = (size + 1) / 2 THEN took END) AS half,
  MAX(CASE WHEN place = (size * 95 + 99) / 100 THEN took END) AS most
FROM ranked GROUP BY day ORDER BY day;

-- numbers_failed_by_day: messages that did not arrive
SELECT (created_at - :since) / 86400000000 AS day, COUNT(*) AS failed FROM outbox
WHERE workspace_id = :workspace AND created_at >= :since AND status = 'failed' GROUP BY 1 ORDER BY 1;

-- numbers_usage_by_day: what the turns of each day took; those without a model are free
WITH turn AS (
  SELECT MIN(at) AS at, MAX(CASE WHEN attempt = '' THEN 1 ELSE 0 END) AS done,
    SUM(input_tokens + output_tokens + cached_tokens + cache_written_tokens) AS tokens, SUM(CAST(cost AS NUMERIC)) AS cost
  FROM usage WHERE workspace_id = :workspace AND at >= :since GROUP BY session_id, turn, agent)
SELECT (at - :since) / 86400000000 AS day, SUM(done) AS turns, SUM(CASE WHEN tokens = 0 THEN done ELSE 0 END) AS free_turns,
  SUM(tokens) AS tokens, SUM(cost) AS cost
FROM turn GROUP BY 1 ORDER BY 1;

-- numbers_messages: what became of what was said
SELECT status, COUNT(*) AS messages FROM outbox WHERE workspace_id = :workspace AND created_at >= :since
GROUP BY status ORDER BY status;

-- counted_calls (sqlite): calls of these tools of an agent that went well, the newest first
SELECT c.started_at, c.session_id, c.outputs FROM sessions s JOIN tool_calls c ON c.session_id = s.id
WHERE s.workspace_id = :workspace AND s.agent = :agent AND s.last_at >= :since AND c.started_at >= :since AND c.status = 'ok'
  AND c.tool IN (SELECT value FROM json_each(:tools)) AND (CAST(:contact AS TEXT) = '' OR s.contact_id = CAST(:contact AS TEXT))
ORDER BY c.started_at DESC LIMIT :at_most;

-- counted_calls (postgres): the same
SELECT c.started_at, c.session_id, CAST(c.outputs AS TEXT) AS outputs FROM sessions s JOIN tool_calls c ON c.session_id = s.id
WHERE s.workspace_id = :workspace AND s.agent = :agent AND s.last_at >= :since AND c.started_at >= :since AND c.status = 'ok'
  AND c.tool IN (SELECT value FROM json_each(:tools))
  AND (CAST(:contact AS TEXT) = '' OR s.contact_id = CAST(:contact AS TEXT))
ORDER BY c.started_at DESC LIMIT :at_most;
