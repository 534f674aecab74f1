-- add_workspace: a business
INSERT INTO workspaces (id, name, created_at) VALUES (:id, :name, :at) ON CONFLICT (id) DO NOTHING;

-- add_channel: a connection to a provider; what the agent file or the command line says replaces what was there
INSERT INTO channels (id, workspace_id, kind, agent, settings, per_second, echo_seconds, window_hours, created_at)
VALUES (:id, :workspace_id, :kind, :agent, :settings, :per_second, :echo_seconds, :window_hours, :at)
ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, settings = excluded.settings, per_second = excluded.per_second,
  echo_seconds = excluded.echo_seconds, window_hours = excluded.window_hours, removed_at = NULL,
  paused_until = CASE WHEN channels.paused_until IS NULL OR channels.trouble = 'paused' THEN channels.paused_until
    ELSE excluded.created_at END  -- they may be mended
WHERE channels.workspace_id = excluded.workspace_id AND channels.kind = excluded.kind
RETURNING id;

-- channels: all connections
SELECT id, workspace_id, kind, agent, settings, per_second, echo_seconds, window_hours FROM channels
WHERE removed_at IS NULL ORDER BY workspace_id, id;

-- remove_channel: a connection ends and its credentials go; what was said over it stays
UPDATE channels SET removed_at = :at, settings = '' WHERE workspace_id = :workspace AND id = :channel
  AND removed_at IS NULL
RETURNING id;

-- reseal_channel: the same credentials under another key, unless they have been replaced meanwhile
UPDATE channels SET settings = :settings WHERE id = :channel AND settings = :before;

-- workspaces: all businesses
SELECT id, name, created_at FROM workspaces ORDER BY id;

-- heard_on: when a contact was last heard on a channel
SELECT a.heard_at FROM addresses a WHERE a.workspace_id = :workspace AND a.channel_id = :channel AND a.value = :value;
