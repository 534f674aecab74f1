-- What a visitor wrote is found by the beginning of its key, which has an index; the plus keeps planners from walking
-- through the whole inbox by its numbers instead.

-- chat_heard_after: what a visitor wrote after a message of theirs
SELECT i.id, i.external_id, i.event, i.received_at FROM addresses a
JOIN inbox i ON i.workspace_id = a.workspace_id AND i.channel_id = a.channel_id AND i.address_id = a.id
WHERE a.channel_id = :channel AND a.value = :visitor AND i.external_id BETWEEN :first_key AND :last_key
  AND i.kind = 'MessageReceived' AND +i.id > :number AND i.received_at >= :since ORDER BY +i.id LIMIT :at_most;

-- chat_heard_before: what a visitor wrote before that, the newest first
SELECT i.id, i.external_id, i.event, i.received_at FROM addresses a
JOIN inbox i ON i.workspace_id = a.workspace_id AND i.channel_id = a.channel_id AND i.address_id = a.id
WHERE a.channel_id = :channel AND a.value = :visitor AND i.external_id BETWEEN :first_key AND :last_key
  AND i.kind = 'MessageReceived' AND +i.id < :number AND i.received_at >= :since ORDER BY +i.id DESC LIMIT :at_most;

-- chat_said_after: what a visitor was told after a message of ours; once it is being sent it may be seen
SELECT o.id, o.author, o.message, o.created_at FROM addresses a JOIN outbox o ON o.address_id = a.id
WHERE a.channel_id = :channel AND a.value = :visitor AND o.status IN ('sending', 'sent', 'delivered', 'read')
  AND o.id > :number AND o.created_at >= :since ORDER BY o.id LIMIT :at_most;

-- chat_said_before: what a visitor was told before that, the newest first
SELECT o.id, o.author, o.message, o.created_at FROM addresses a JOIN outbox o ON o.address_id = a.id
WHERE a.channel_id = :channel AND a.value = :visitor AND o.status IN ('sending', 'sent', 'delivered', 'read')
  AND o.id < :number AND o.created_at >= :since ORDER BY o.id DESC LIMIT :at_most;

-- held_on: the session of a visitor that a person has or shall have
SELECT s.id, s.workspace_id FROM sessions s JOIN addresses a ON a.id = s.address_id
WHERE a.channel_id = :channel AND a.value = :visitor AND s.holder = 'operator' AND s.status <> 'closed'
ORDER BY s.last_at DESC LIMIT 1;

-- chat_numbers: the newest numbers of the inbox and the outbox
SELECT (SELECT MAX(id) FROM inbox) AS heard, (SELECT MAX(id) FROM outbox) AS said;

-- chat_changes: who of the visitors of a page wrote or was told something after these numbers
SELECT i.id AS number, 1 AS heard, a.value AS visitor FROM inbox i JOIN addresses a ON a.id = i.address_id
WHERE i.id > :heard AND i.channel_id = :channel AND i.kind = 'MessageReceived'
UNION ALL
SELECT o.id AS number, 0 AS heard, a.value AS visitor FROM outbox o JOIN addresses a ON a.id = o.address_id
WHERE o.id > :said AND o.channel_id = :channel AND o.status IN ('sending', 'sent', 'delivered', 'read')
ORDER BY number LIMIT :at_most;
