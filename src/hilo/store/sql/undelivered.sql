-- undelivered: what a workspace's contacts have not got, the oldest first; what is simply on its way does not count
SELECT o.id, o.message_id, o.session_id, o.channel_id, a.value, o.author, o.message, o.status, o.reason, o.refusals,
  o.created_at, o.next_at
FROM outbox o JOIN addresses a ON a.id = o.address_id
WHERE o.workspace_id = :workspace AND o.id > :after AND (
  (CAST(:status AS TEXT) IN ('', 'failed') AND o.status = 'failed')
  OR (CAST(:status AS TEXT) IN ('', 'held') AND o.status = 'held')
  OR (CAST(:status AS TEXT) IN ('', 'waiting') AND o.status IN ('pending', 'sending') AND o.reason <> ''))
ORDER BY o.id LIMIT :at_most;

-- stuck_message: a message that is held or given up, by its id or its number in the list
SELECT id, message_id, address_id FROM outbox
WHERE workspace_id = :workspace AND (message_id = :message OR CAST(id AS TEXT) = :message) AND status IN ('held', 'failed');

-- stuck_message (postgres): a message that is held or given up; nobody else moves it meanwhile
SELECT id, message_id, address_id FROM outbox
WHERE workspace_id = :workspace AND (message_id = :message OR CAST(id AS TEXT) = :message) AND status IN ('held', 'failed') FOR UPDATE;

-- send_again: as if it were said now; a person wants it said, so it goes out although they have the session. What the
-- channel took once and could not deliver has another id from here on: under the first it would count as sent already
UPDATE outbox SET status = 'pending', author = CASE WHEN author = 'agent' THEN 'notice' ELSE author END, reason = '',
  attempts = 0, refusals = 0, reserved = 0, created_at = :now, next_at = :now, sending_at = NULL,
  message_id = CASE WHEN sent_at IS NULL THEN message_id ELSE message_id || '.again' END,
  channel_message_id = '', sent_at = NULL
WHERE id = :id;

-- discard_message: it is not wanted any more
UPDATE outbox SET status = 'discarded' WHERE id = :id;
