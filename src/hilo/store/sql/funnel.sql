-- add_visit: a session came into a mode, once more or for the first time
INSERT INTO mode_visits (workspace_id, session_id, agent, mode, first_at, times)
VALUES (:workspace, :session, :agent, :mode, :at, :times)
ON CONFLICT (session_id, mode) DO UPDATE SET times = mode_visits.times + excluded.times;

-- funnel_agents: the agents of a workspace, each with what its version in force offers
SELECT a.name, a.offers FROM agents a
JOIN publications p ON p.workspace_id = a.workspace_id AND p.name = a.name AND p.version = a.version
WHERE a.workspace_id = :workspace AND p.number = (
  SELECT MAX(q.number) FROM publications q WHERE q.workspace_id = p.workspace_id AND q.name = p.name)
ORDER BY a.name;

-- funnel_paths: through which modes those came whose sessions began in a period, and how many of them: a row for each set of
-- modes, of sessions and of contacts; the modes stand in no order, those of contacts perhaps more than once
WITH path AS MATERIALIZED (
  SELECT s.contact_id,
    (SELECT group_concat(v.mode, char(10)) FROM mode_visits v WHERE v.session_id = s.id) AS modes
  FROM sessions s WHERE s.workspace_id = :workspace AND s.agent = :agent AND s.last_at >= :since
    AND s.started_at >= :since AND s.started_at < :until),
whole AS (SELECT group_concat(modes, char(10)) AS modes FROM path WHERE modes IS NOT NULL GROUP BY contact_id)
SELECT 'sessions' AS whose, modes, COUNT(*) AS number FROM path WHERE modes IS NOT NULL GROUP BY modes
UNION ALL SELECT 'contacts' AS whose, modes, COUNT(*) AS number FROM whole GROUP BY modes;

-- funnel_paths (postgres): the same; PostgreSQL has another word for it
WITH path AS MATERIALIZED (
  SELECT s.contact_id,
    (SELECT string_agg(v.mode, chr(10)) FROM mode_visits v WHERE v.session_id = s.id) AS modes
  FROM sessions s WHERE s.workspace_id = :workspace AND s.agent = :agent AND s.last_at >= :since
    AND s.started_at >= :since AND s.started_at < :until),
whole AS (SELECT string_agg(modes, chr(10)) AS modes FROM path WHERE modes IS NOT NULL GROUP BY contact_id)
SELECT 'sessions' AS whose, modes, COUNT(*) AS number FROM path WHERE modes IS NOT NULL GROUP BY modes
UNION ALL SELECT 'contacts' AS whose, modes, COUNT(*) AS number FROM whole GROUP BY modes;

-- funnel_times: of each mode, how long half of those sessions took at most to come there
WITH began AS MATERIALIZED (
  SELECT s.id, s.started_at FROM sessions s WHERE s.workspace_id = :workspace AND s.agent = :agent
    AND s.last_at >= :since AND s.started_at >= :since AND s.started_at < :until),
ranked AS (
  SELECT v.mode, v.first_at - began.started_at AS took, COUNT(*) OVER (PARTITION BY v.mode) AS size,
    ROW_NUMBER() OVER (PARTITION BY v.mode ORDER BY v.first_at - began.started_at) AS number
  FROM began JOIN mode_visits v ON v.session_id = began.id)
SELECT mode, took FROM ranked WHERE number = (size + 1) / 2;
