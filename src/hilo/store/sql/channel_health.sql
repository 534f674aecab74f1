-- count_failure: one more in a row
UPDATE channels SET failing = failing + 1 WHERE id = :channel AND removed_at IS NULL
RETURNING workspace_id, failing, trouble, troubled_at;

-- pause_channel: leave it alone for a while
UPDATE channels SET trouble = :trouble, trouble_reason = :reason, troubled_at = :at, paused_until = :until
WHERE id = :channel AND trouble <> 'paused';

-- pause_for_ever: an owner lets nothing be sent over it
UPDATE channels SET trouble = 'paused', trouble_reason = :actor, troubled_at = :at, paused_until = :until
WHERE workspace_id = :workspace AND id = :channel AND removed_at IS NULL RETURNING id;

-- forget_trouble: what is sent next will tell whether it is well
UPDATE channels SET failing = 0, trouble = '', trouble_reason = '', troubled_at = NULL, paused_until = NULL
WHERE workspace_id = :workspace AND id = :channel AND removed_at IS NULL RETURNING id;

-- take_trial: one message is tried, and all others wait for what becomes of it
UPDATE channels SET paused_until = :until WHERE id = :channel AND paused_until = :seen RETURNING id;

-- channel_is_well: what was sent arrived
UPDATE channels SET failing = 0, trouble = '', trouble_reason = '', troubled_at = NULL, paused_until = NULL
WHERE id = :channel AND trouble <> 'paused' RETURNING id;

-- hurry_messages: what was refused while the channel was in trouble need not wait out its pause
UPDATE outbox SET next_at = :now
WHERE channel_id = :channel AND status = 'pending' AND refusals > 0 AND next_at > :now;

-- hurry_sends: addresses that waited for the channel
UPDATE work SET next_at = :now WHERE kind = 'send' AND next_at > :now AND lease_owner IS NULL AND address_id IN (
  SELECT w.address_id FROM work w JOIN addresses a ON a.id = w.address_id
  WHERE a.channel_id = :channel AND w.kind = 'send' AND w.next_at > :now LIMIT :at_most)
RETURNING address_id;

-- hurry_sends (postgres): addresses that waited for the channel; who is in a transaction now comes by itself
UPDATE work SET next_at = :now WHERE kind = 'send' AND address_id IN (
  SELECT w.address_id FROM work w JOIN addresses a ON a.id = w.address_id
  WHERE a.channel_id = :channel AND w.kind = 'send' AND w.next_at > :now AND w.lease_owner IS NULL
  LIMIT :at_most FOR UPDATE OF w SKIP LOCKED)
RETURNING address_id;

-- troubled_channels: channels that cannot send now
SELECT id, workspace_id, trouble, trouble_reason, troubled_at, paused_until FROM channels
WHERE trouble <> '' AND removed_at IS NULL ORDER BY workspace_id, id;

-- channel_activity: when contacts were last heard on each channel, what waits to be sent, and what was not delivered lately
SELECT c.id, (SELECT MAX(a.heard_at) FROM addresses a WHERE a.channel_id = c.id) AS heard_at,
  (SELECT COUNT(*) FROM outbox o WHERE o.channel_id = c.id AND o.status IN ('pending', 'sending')) AS waiting,
  (SELECT COUNT(*) FROM outbox o WHERE o.workspace_id = :workspace AND o.channel_id = c.id
    AND o.status IN ('failed', 'held') AND o.reason <> 'operator' AND o.created_at >= :since) AS failed
FROM channels c WHERE c.workspace_id = :workspace AND c.removed_at IS NULL;
