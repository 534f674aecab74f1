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

-- funnel: who came into which mode, of the sessions that began in a period; `places` has the agent's modes in order, each
-- between line ends, so where a mode stands in it tells the later from the earlier, and 0 what is not in the order
WITH visit AS (
  SELECT v.mode, v.session_id, s.contact_id, v.first_at - s.started_at AS took,
    instr(:places, char(10) || v.mode || char(10)) AS place
  FROM mode_visits v JOIN sessions s ON s.id = v.session_id AND s.workspace_id = v.workspace_id
  WHERE v.workspace_id = :workspace AND v.agent = :agent AND v.first_at >= :since
    AND s.started_at >= :since AND s.started_at < :until),
ranked AS (
  SELECT visit.*, MAX(place) OVER (PARTITION BY session_id) AS furthest,
    MAX(place) OVER (PARTITION BY contact_id) AS furthest_of_contact,
    ROW_NUMBER() OVER (PARTITION BY mode ORDER BY took) AS number, COUNT(*) OVER (PARTITION BY mode) AS size
  FROM visit)
SELECT mode, COUNT(*) AS sessions, COUNT(DISTINCT contact_id) AS contacts,
  SUM(CASE WHEN place > 0 AND furthest > place THEN 1 ELSE 0 END) AS sessions_on,
  COUNT(DISTINCT CASE WHEN place > 0 AND furthest_of_contact > place THEN contact_id END) AS contacts_on,
  MAX(CASE WHEN number = (size + 1) / 2 THEN took END) AS half
FROM ranked GROUP BY mode;

-- funnel (postgres): the same; PostgreSQL has other words for a place in a text
WITH visit AS (
  SELECT v.mode, v.session_id, s.contact_id, v.first_at - s.started_at AS took,
    strpos(CAST(:places AS TEXT), chr(10) || v.mode || chr(10)) AS place
  FROM mode_visits v JOIN sessions s ON s.id = v.session_id AND s.workspace_id = v.workspace_id
  WHERE v.workspace_id = :workspace AND v.agent = :agent AND v.first_at >= :since
    AND s.started_at >= :since AND s.started_at < :until),
ranked AS (
  SELECT visit.*, MAX(place) OVER (PARTITION BY session_id) AS furthest,
    MAX(place) OVER (PARTITION BY contact_id) AS furthest_of_contact,
    ROW_NUMBER() OVER (PARTITION BY mode ORDER BY took) AS number, COUNT(*) OVER (PARTITION BY mode) AS size
  FROM visit)
SELECT mode, COUNT(*) AS sessions, COUNT(DISTINCT contact_id) AS contacts,
  SUM(CASE WHEN place > 0 AND furthest > place THEN 1 ELSE 0 END) AS sessions_on,
  COUNT(DISTINCT CASE WHEN place > 0 AND furthest_of_contact > place THEN contact_id END) AS contacts_on,
  MAX(CASE WHEN number = (size + 1) / 2 THEN took END) AS half
FROM ranked GROUP BY mode;
