-- keep_version: the text of a version, unless it is kept already
INSERT INTO agents (workspace_id, name, version, source, offers, folder_texts, published_at)
VALUES (:workspace, :name, :version, :source, :offers, :folder_texts, :at)
ON CONFLICT (workspace_id, name, version) DO NOTHING
RETURNING version;

-- renew_offers: what a version offers with the tools that are there now
UPDATE agents SET offers = :offers
WHERE workspace_id = :workspace AND name = :name AND version = :version AND offers <> :offers;

-- published: a version as it was kept
SELECT name, version, source, offers, folder_texts FROM agents
WHERE workspace_id = :workspace AND name = :name AND version = :version;

-- in_force: the version that new sessions begin on
SELECT number, version FROM publications WHERE workspace_id = :workspace AND name = :name
ORDER BY number DESC LIMIT 1;

-- source_on: the file of the agent that answers on a channel, as it is in force
SELECT a.source FROM channels c
JOIN publications p ON p.workspace_id = c.workspace_id AND p.name = c.agent
JOIN agents a ON a.workspace_id = p.workspace_id AND a.name = p.name AND a.version = p.version
WHERE c.workspace_id = :workspace AND c.id = :channel ORDER BY p.number DESC LIMIT 1;

-- add_publication: from now on new sessions begin on this one
INSERT INTO publications (workspace_id, name, number, version, at, actor)
VALUES (:workspace, :name, :number, :version, :at, :actor);

-- publications: what was put in force, the first of each agent first
SELECT name, number, version, at, actor FROM publications
WHERE workspace_id = :workspace AND (CAST(:name AS TEXT) = '' OR name = CAST(:name AS TEXT)) ORDER BY name, number;

-- kept_versions: all versions, with the sessions that are open on each
SELECT a.name, a.version, a.published_at, COALESCE(o.sessions, 0) AS open_sessions FROM agents a
LEFT JOIN (
  SELECT s.agent, s.agent_version, COUNT(*) AS sessions FROM sessions s
  WHERE s.workspace_id = :workspace AND s.status <> 'closed' GROUP BY s.agent, s.agent_version
) o ON o.agent = a.name AND o.agent_version = a.version
WHERE a.workspace_id = :workspace AND (CAST(:name AS TEXT) = '' OR a.name = CAST(:name AS TEXT))
ORDER BY a.name, a.published_at, a.version;
