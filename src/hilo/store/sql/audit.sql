-- lock_audit: one at a time may add to a workspace's audit
SELECT id FROM workspaces WHERE id = :workspace;

-- lock_audit (postgres): one at a time may add to a workspace's audit
SELECT id FROM workspaces WHERE id = :workspace FOR UPDATE;

-- last_audit: the end of the chain
SELECT number, hash FROM audit WHERE workspace_id = :workspace ORDER BY number DESC LIMIT 1;

-- add_audit: one more link
INSERT INTO audit (workspace_id, number, at, actor, action, subject, detail, previous, hash)
VALUES (:workspace, :number, :at, :actor, :action, :subject, :detail, :previous, :hash);

-- audit_from: the chain, piece by piece
SELECT number, at, actor, action, subject, detail, previous, hash FROM audit
WHERE workspace_id = :workspace AND number > :after ORDER BY number LIMIT :at_most;
