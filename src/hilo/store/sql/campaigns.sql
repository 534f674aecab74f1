-- open_campaign: a round of a campaign on a channel; the same one whenever it is opened again
INSERT INTO campaigns (id, workspace_id, channel_id, name, round, status, created_at)
VALUES (:id, :workspace, :channel, :name, :round, 'running', :at)
ON CONFLICT (workspace_id, channel_id, name, round) DO UPDATE SET name = excluded.name RETURNING id;

-- find_campaign: a round of a campaign, if there is one
SELECT id FROM campaigns
WHERE workspace_id = :workspace AND channel_id = :channel AND name = :name AND round = :round;

-- add_recipient: somebody on its list, once; who was left out is looked at again
INSERT INTO recipients (campaign_id, workspace_id, channel_id, value, place, opted_in, slots, status, created_at)
SELECT c.id, c.workspace_id, c.channel_id, CAST(:value AS TEXT), CAST(:place AS BIGINT), CAST(:opted_in AS BIGINT),
  CAST(:slots AS TEXT), 'waiting', CAST(:at AS BIGINT)
FROM campaigns c WHERE c.id = :campaign AND c.workspace_id = :workspace
ON CONFLICT (campaign_id, value) DO UPDATE SET status = 'waiting', reason = '', place = excluded.place,
  opted_in = excluded.opted_in, slots = excluded.slots WHERE recipients.status = 'skipped'
RETURNING created_at;

-- wake_campaign: somebody on its list waits
UPDATE campaigns SET next_at = :at WHERE id = :campaign AND status = 'running' AND (next_at IS NULL OR next_at > :at);

-- due_campaigns: rounds with somebody who may be written to now, of channels that are there
SELECT c.id, c.workspace_id, c.name, h.agent FROM campaigns c JOIN channels h ON h.id = c.channel_id
WHERE c.next_at <= :now AND h.removed_at IS NULL ORDER BY c.next_at, c.id;

-- next_campaign: when the next one may be written to
SELECT MIN(next_at) AS next_at FROM campaigns WHERE next_at IS NOT NULL;

-- put_off_campaign: nobody is written to before that
UPDATE campaigns SET next_at = :until WHERE id = :campaign AND next_at IS NOT NULL;

-- lock_campaign: whose turn it is to begin; one process at a time for each channel, whose limit all its campaigns share
UPDATE channels SET id = id WHERE id = (SELECT channel_id FROM campaigns WHERE id = :campaign)
RETURNING id, workspace_id, paused_until;

-- running_campaign: whether it was stopped meanwhile; who puts somebody on its list waits until the end of the transaction
UPDATE campaigns SET name = name WHERE id = :campaign AND status = 'running' RETURNING name;

-- begun_since: how many were begun on a channel after that
SELECT COUNT(*) AS begun FROM recipients WHERE channel_id = :channel AND begun_at > :since;

-- last_begun: when so many were begun, counted back from now
SELECT begun_at FROM recipients WHERE channel_id = :channel AND begun_at IS NOT NULL
ORDER BY begun_at DESC LIMIT 1 OFFSET :before;

-- waiting_recipients: who comes next
SELECT id, value, opted_in, slots FROM recipients WHERE campaign_id = :campaign AND status = 'waiting'
ORDER BY id LIMIT :at_most;

-- known_recipient: what became of somebody on the list before
SELECT status FROM recipients WHERE campaign_id = :campaign AND value = :value;

-- reachable_at: where a number is reachable, however its country writes it; who has written goes first
SELECT id, contact_id, value, quiet_since, quiet_chosen_at FROM addresses
WHERE channel_id = :channel AND value IN (:value, :other)
ORDER BY CASE WHEN heard_at IS NULL THEN 1 ELSE 0 END, CASE WHEN value = :value THEN 0 ELSE 1 END LIMIT 1;

-- add_unheard_address: where somebody is reachable who has never written
INSERT INTO addresses (id, workspace_id, channel_id, value, contact_id)
VALUES (:id, :workspace, :channel, :value, :contact)
ON CONFLICT (channel_id, value) DO UPDATE SET value = excluded.value RETURNING id, contact_id;

-- begun_with: whether a campaign has written to somebody after that
SELECT id FROM recipients WHERE address_id = :address AND begun_at > :since LIMIT 1;

-- note_choice: the business says that a contact has opted in; what the contact has chosen stays
UPDATE addresses SET quiet_chosen_at = :at WHERE id = :address AND quiet_chosen_at IS NULL;

-- leave_out: somebody is not written to, and why
UPDATE recipients SET status = 'skipped', reason = :reason WHERE id = :id AND workspace_id = :workspace AND status IN ('waiting', 'begun');

-- begin_recipient: the event is in the inbox
UPDATE recipients SET status = 'begun', begun_at = :at, address_id = :address WHERE id = :id AND workspace_id = :workspace AND status = 'waiting';

-- note_written: what their turn came to
UPDATE recipients SET status = 'written', session_id = :session, turn = :turn, written_at = :at, slots = '{}'
WHERE id = :id AND workspace_id = :workspace AND status = 'begun';

-- set_campaign_status: stop it, or let it go on
UPDATE campaigns SET status = :status, next_at = :next_at WHERE workspace_id = :workspace AND id = :campaign RETURNING id;

-- list_campaigns: the rounds of a workspace, the newest first
SELECT c.id, c.channel_id, c.name, c.round, c.status, c.next_at, c.created_at FROM campaigns c
WHERE c.workspace_id = :workspace AND (:campaign = '' OR c.id = :campaign)
ORDER BY c.created_at DESC, c.id DESC LIMIT :at_most;

-- count_recipients: what became of those on the list
SELECT r.status, COALESCE(o.status, '') AS fate, CASE WHEN a.heard_at > r.written_at THEN 1 ELSE 0 END AS answered,
  COUNT(*) AS times
FROM recipients r
LEFT JOIN addresses a ON a.id = r.address_id
LEFT JOIN outbox o ON o.id = (SELECT MAX(m.id) FROM outbox m
  WHERE m.address_id = r.address_id AND m.session_id = r.session_id AND m.turn = r.turn)
WHERE r.workspace_id = :workspace AND r.campaign_id = :campaign
GROUP BY r.status, COALESCE(o.status, ''), CASE WHEN a.heard_at > r.written_at THEN 1 ELSE 0 END;

-- campaign_report: each of them, in the order in which they were listed
SELECT r.id, r.place, r.value, r.status, r.reason, r.session_id, r.begun_at, r.written_at,
  COALESCE(o.status, '') AS fate, COALESCE(o.reason, '') AS fate_reason,
  CASE WHEN a.heard_at > r.written_at THEN 1 ELSE 0 END AS answered
FROM recipients r
LEFT JOIN addresses a ON a.id = r.address_id
LEFT JOIN outbox o ON o.id = (SELECT MAX(m.id) FROM outbox m
  WHERE m.address_id = r.address_id AND m.session_id = r.session_id AND m.turn = r.turn)
WHERE r.workspace_id = :workspace AND r.campaign_id = :campaign AND r.id > :after ORDER BY r.id LIMIT :at_most;

-- campaign_request: what a request under this key came to
SELECT digest, result FROM campaign_requests WHERE workspace_id = :workspace AND key = :key;

-- add_campaign_request: a request that was done
INSERT INTO campaign_requests (workspace_id, key, digest, result, at) VALUES (:workspace, :key, :digest, :result, :at)
ON CONFLICT (workspace_id, key) DO NOTHING;

-- forget_campaign_requests: nobody repeats a request after so long
DELETE FROM campaign_requests WHERE at < :before;

-- set_campaign_next: when it goes on
UPDATE campaigns SET next_at = :next_at WHERE id = :campaign;
