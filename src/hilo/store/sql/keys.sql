-- add_key: somebody may use the API
INSERT INTO api_keys (id, workspace_id, name, hash, scopes, created_at)
VALUES (:id, :workspace, :name, :hash, :scopes, :at);

-- find_key: the key with this hash, while it works
SELECT id, workspace_id, name, scopes, created_at, revoked_at FROM api_keys WHERE hash = :hash AND revoked_at IS NULL;

-- keys: the keys of a workspace
SELECT id, workspace_id, name, scopes, created_at, revoked_at FROM api_keys
WHERE workspace_id = :workspace ORDER BY created_at, id;

-- revoke_key: it does not work any more
UPDATE api_keys SET revoked_at = :at WHERE workspace_id = :workspace AND id = :key AND revoked_at IS NULL RETURNING id, name;
