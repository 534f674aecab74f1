-- handoffs: handoffs of a workspace, who has waited longest first, from a place in the list on; one comes with its context
SELECT id, session_id, policy, reason, status, operator_id, created_at, assigned_at, resolved_at, resolution, resolved_by,
  CASE WHEN CAST(:handoff AS TEXT) = '' THEN '{}' ELSE context END AS context
FROM handoffs
WHERE workspace_id = :workspace AND (CAST(:handoff AS TEXT) = '' OR id = CAST(:handoff AS TEXT))
  AND (CAST(:status AS TEXT) = '' OR status = CAST(:status AS TEXT)
    OR (CAST(:status AS TEXT) = 'open' AND status <> 'resolved'))
  AND (created_at, id) > (CAST(:after AS BIGINT), CAST(:after_id AS TEXT))
ORDER BY created_at, id LIMIT :at_most;

-- handoff_ids: the handoffs whose id begins like this
SELECT id FROM handoffs
WHERE workspace_id = :workspace AND substr(id, 1, :size) = :beginning ORDER BY id LIMIT :at_most;

-- note_resolution: what became of it, before the session's turn ends it
UPDATE handoffs SET resolution = :words, resolved_by = :by
WHERE workspace_id = :workspace AND id = :handoff AND status <> 'resolved';

-- resolve_handoff: one that has no session to be given back
UPDATE handoffs SET status = 'resolved', resolved_at = :at
WHERE workspace_id = :workspace AND id = :handoff AND session_id = '' AND status <> 'resolved' RETURNING id;

-- offers: what the agent of a session offers, in the session's version
SELECT a.offers FROM sessions s
  JOIN agents a ON a.workspace_id = s.workspace_id AND a.name = s.agent AND a.version = s.agent_version
WHERE s.workspace_id = :workspace AND s.id = :session;
