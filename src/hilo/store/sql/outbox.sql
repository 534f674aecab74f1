-- add_message: something to be sent
INSERT INTO outbox (message_id, workspace_id, channel_id, address_id, session_id, turn, author, message, quiet, operator,
  created_at, next_at)
VALUES (:message_id, :workspace, :channel, :address, :session, :turn, :author, :message, :quiet, :operator, :at, :at)
ON CONFLICT (message_id) DO NOTHING;

-- add_sending: something that is being sent already
INSERT INTO outbox (message_id, workspace_id, channel_id, address_id, session_id, turn, author, message, quiet, operator,
  created_at, next_at, status, attempts, sending_at)
VALUES (:message_id, :workspace, :channel, :address, :session, :turn, :author, :message, :quiet, :operator, :at, :at,
  'sending', 1, :at)
ON CONFLICT (message_id) DO NOTHING RETURNING id;

-- free_to_send: an address to which a message may be sent at once: no limit, no closed window, nobody and nothing before
SELECT a.value, c.echo_seconds, c.failing FROM addresses a JOIN channels c ON c.id = a.channel_id
WHERE a.id = :address AND c.per_second = 0 AND c.paused_until IS NULL
  AND (c.window_hours = 0 OR a.heard_at + c.window_hours * 3600000000 > :now)
  AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.address_id = a.id AND o.status IN ('pending', 'sending'))
  AND NOT EXISTS (SELECT 1 FROM work w WHERE w.address_id = a.id AND w.kind = 'send' AND w.lease_owner IS NOT NULL);

-- unsent: what is to be sent to an address, in order
SELECT o.id, o.message_id, o.session_id, o.author, CAST(o.message AS TEXT) AS message, o.status, o.attempts, o.next_at, o.reserved, o.sending_at,
  o.quiet, o.refusals, o.created_at, o.reason
FROM outbox o WHERE o.address_id = :address AND o.status IN ('pending', 'sending') ORDER BY o.id LIMIT :at_most;

-- holder: who answers in a session now; until the end of this transaction it cannot change
SELECT holder FROM sessions WHERE id = :session;

-- holder (postgres): who answers in a session now; until the end of this transaction it cannot change
SELECT holder FROM sessions WHERE id = :session FOR SHARE;

-- sending_to: the address and its channel
SELECT a.value, a.workspace_id, a.channel_id, a.heard_at, c.per_second, c.echo_seconds, c.window_hours,
  c.failing, c.paused_until
FROM addresses a JOIN channels c ON c.id = a.channel_id WHERE a.id = :address;

-- rate: how many messages a channel may send now; until the end of this transaction nobody else takes one
SELECT tokens, refilled_at FROM channels WHERE id = :channel;

-- rate (postgres): how many messages a channel may send now; until the end of this transaction nobody else takes one
SELECT tokens, refilled_at FROM channels WHERE id = :channel FOR UPDATE;

-- set_rate: what is left of them
UPDATE channels SET tokens = :tokens, refilled_at = :refilled_at WHERE id = :channel;

-- mark_sending: it is about to be sent
UPDATE outbox SET status = 'sending', attempts = attempts + 1, sending_at = :now, reserved = 0
WHERE id = :id AND status IN ('pending', 'sending') RETURNING id;

-- reserve: its place among the messages that a channel may send, so that those who wait do not all try again together
UPDATE outbox SET next_at = :next_at, reserved = 1 WHERE id = :id AND status IN ('pending', 'sending');

-- mark_held: it is not to be sent
UPDATE outbox SET status = 'held', reason = :reason WHERE id = :id AND status IN ('pending', 'sending');

-- mark_sent: the channel took it; a receipt may have come before its answer
UPDATE outbox SET status = CASE WHEN status = 'sending' THEN 'sent' ELSE status END, sent_at = COALESCE(sent_at, :now),
  channel_message_id = :channel_message_id, sending_at = COALESCE(CAST(:began_at AS BIGINT), sending_at)
WHERE id = :id;

-- mark_refused: it certainly did not arrive, and is to be tried again; only attempts whose end is unknown are few
UPDATE outbox SET status = 'pending', next_at = :next_at, reason = :reason, refusals = refusals + 1, attempts = attempts - 1
WHERE id = :id AND status = 'sending';

-- mark_unknown: it may have arrived; its receipt is waited for
UPDATE outbox SET next_at = :next_at, reason = :reason WHERE id = :id AND status = 'sending';

-- mark_failed: it cannot be sent
UPDATE outbox SET status = 'failed', reason = :reason WHERE id = :id AND status IN ('pending', 'sending');

-- next_unsent: when the next message of an address may be sent
SELECT next_at, author FROM outbox WHERE address_id = :address AND status IN ('pending', 'sending') ORDER BY id LIMIT 1;

-- last_sent: what the agent said last to an address, and when its sending began
SELECT status, sending_at FROM outbox WHERE address_id = :address AND author = 'agent' ORDER BY id DESC LIMIT 1;

-- add_receipt: what the channel says
INSERT INTO receipts (channel_id, message_id, status, at, reason, window_closed)
VALUES (:channel, :message_id, :status, :at, :reason, :window_closed)
ON CONFLICT (channel_id, message_id, status) DO NOTHING RETURNING status;

-- receipts_of: what the channel has said of a message
SELECT status, at, reason, window_closed FROM receipts WHERE channel_id = :channel AND message_id = :message_id;

-- find_message: the message that a receipt is about, by our id or the channel's
SELECT id, message_id, workspace_id, channel_id, address_id, session_id, turn, author, message, status, quiet, created_at
FROM outbox
WHERE message_id = :message_id AND channel_id = :channel
UNION ALL
SELECT id, message_id, workspace_id, channel_id, address_id, session_id, turn, author, message, status, quiet, created_at
FROM outbox
WHERE channel_id = :channel AND channel_message_id = :message_id AND channel_message_id <> ''
LIMIT 1;

-- move_message: its state by a receipt, forward only; one that comes before the answer tells by our clock when it went
UPDATE outbox SET status = :status, reason = :reason, sent_at = COALESCE(sent_at, :now)
WHERE id = :id AND :rank > CASE status WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 WHEN 'delivered' THEN 3 WHEN 'read' THEN 4
  WHEN 'held' THEN CASE reason WHEN 'window_closed' THEN 2 ELSE 0 END ELSE 0 END
RETURNING id;

-- lock_message_id: nothing to do, there is one writer
SELECT 1 WHERE :message_id IS NULL AND :channel IS NULL;

-- lock_message_id (postgres): a receipt and the answer that names its message must not pass each other unseen
SELECT pg_advisory_xact_lock(hashtextextended(:channel || ' ' || :message_id, 0));
