-- claim: take the work of an address, if it is due and nobody has it
UPDATE work
SET lease_until = :until, lease_owner = :owner, lease_token = lease_token + 1, attempts = attempts + 1
WHERE address_id = :address AND kind = :kind AND next_at <= :now AND (lease_until IS NULL OR lease_until <= :now)
RETURNING lease_token, attempts, error, deaths;

-- claim_unmoved: the same; beside it may be read what changes only together with this row
UPDATE work
SET lease_until = :until, lease_owner = :owner, lease_token = lease_token + 1, attempts = attempts + 1
WHERE address_id = :address AND kind = :kind AND next_at <= :now AND (lease_until IS NULL OR lease_until <= :now)
RETURNING lease_token, attempts, error, deaths;

-- claim_unmoved (postgres): the same, if nobody has changed the row since this statement began
UPDATE work
SET lease_until = :until, lease_owner = :owner, lease_token = lease_token + 1, attempts = attempts + 1
WHERE address_id = :address AND kind = :kind AND next_at <= :now AND (lease_until IS NULL OR lease_until <= :now)
  AND xmin = (SELECT seen.xmin FROM work seen WHERE seen.address_id = :address AND seen.kind = :kind)
RETURNING lease_token, attempts, error, deaths;

-- when_due: when an address that could not be claimed should be tried again
SELECT next_at, lease_until FROM work WHERE address_id = :address AND kind = :kind AND next_at IS NOT NULL;

-- held_lease: lock the work of an address; a row means that the claim is still ours
SELECT attempts FROM work WHERE address_id = :address AND kind = :kind AND lease_token = :token AND lease_owner = :owner;

-- held_lease (postgres): lock the work of an address; a row means that the claim is still ours
SELECT attempts FROM work WHERE address_id = :address AND kind = :kind AND lease_token = :token AND lease_owner = :owner
FOR UPDATE;

-- held_turn: whether the claim of a turn is still ours
SELECT attempts FROM work WHERE address_id = :address AND kind = 'turn' AND lease_token = :token AND lease_owner = :owner;

-- held_turn (postgres): the same, and lock the sending too: who sends locks it before the session, so we must as well
WITH sending AS (SELECT 1 FROM work WHERE address_id = :address AND kind = 'send' FOR UPDATE)
SELECT attempts, (SELECT COUNT(*) FROM sending) AS sending FROM work
WHERE address_id = :address AND kind = 'turn' AND lease_token = :token AND lease_owner = :owner FOR UPDATE;

-- held_unmoved: whether the claim of a turn is still ours, and the contact has not written again; see claim_unmoved
SELECT attempts FROM work WHERE address_id = :address AND kind = 'turn' AND lease_token = :token AND lease_owner = :owner
  AND (:patient = 0 OR NOT EXISTS (SELECT 1 FROM inbox
    WHERE address_id = :address AND status = 'pending' AND id > :last AND kind = 'MessageReceived'));

-- held_unmoved (postgres): the same, if nobody has changed the row since this statement began; locks as held_turn does
WITH sending AS (SELECT 1 FROM work WHERE address_id = :address AND kind = 'send' FOR UPDATE),
held AS (SELECT work.xmin AS changed, (SELECT COUNT(*) FROM sending) AS sending FROM work
  WHERE address_id = :address AND kind = 'turn' AND lease_token = :token AND lease_owner = :owner FOR UPDATE)
SELECT held.sending FROM held JOIN work seen ON seen.xmin = held.changed
WHERE seen.address_id = :address AND seen.kind = 'turn'
  AND (CAST(:patient AS INTEGER) = 0 OR NOT EXISTS (SELECT 1 FROM inbox
    WHERE address_id = :address AND status = 'pending' AND id > :last AND kind = 'MessageReceived'));

-- mark_running: if the process dies from now on, this may be why
UPDATE work SET deaths = deaths + 1
WHERE address_id = :address AND kind = :kind AND lease_token = :token AND lease_owner = :owner RETURNING deaths;

-- release: give the work back; the owner is cleared too, or its heartbeat would revive the lease
UPDATE work
SET lease_until = NULL, lease_owner = NULL, next_at = :next_at, burst_until = NULL, attempts = :attempts, error = :error,
  deaths = :deaths,
  urgent = CASE WHEN CAST(:next_at AS BIGINT) IS NULL THEN 0 ELSE urgent END
WHERE address_id = :address AND kind = :kind AND lease_token = :token;

-- release_turn: the same after a turn; what came behind its events is due now
UPDATE work
SET lease_until = NULL, lease_owner = NULL, burst_until = NULL, attempts = 0, error = '', deaths = 0, urgent = 0,
  next_at = (SELECT CAST(:now AS BIGINT) FROM inbox
    WHERE address_id = :address AND status = 'pending' AND id > :last LIMIT 1)
WHERE address_id = :address AND kind = 'turn' AND lease_token = :token RETURNING next_at;

-- release_sent: the same after a message was sent; the next one is due when it says
UPDATE work
SET lease_until = NULL, lease_owner = NULL, burst_until = NULL, attempts = 0, error = '', deaths = 0,
  urgent = CASE WHEN EXISTS (SELECT 1 FROM outbox
    WHERE address_id = :address AND status IN ('pending', 'sending') AND id <> :sent) THEN urgent ELSE 0 END,
  next_at = (SELECT next_at FROM outbox
    WHERE address_id = :address AND status IN ('pending', 'sending') AND id <> :sent ORDER BY id LIMIT 1)
WHERE address_id = :address AND kind = 'send' AND lease_token = :token RETURNING next_at;

-- heartbeat: keep all claims of a process
UPDATE work SET lease_until = :until WHERE lease_owner = :owner;

-- heartbeat (postgres): the same; what is in a transaction now has the next beat, so that nobody waits here
UPDATE work SET lease_until = :until WHERE lease_owner = :owner AND (address_id, kind) IN (
  SELECT address_id, kind FROM work WHERE lease_owner = :owner FOR UPDATE SKIP LOCKED);

-- let_go: free the claim of a process that does not work on it any more; the attempt does not count, and nobody died
UPDATE work SET lease_until = NULL, lease_owner = NULL, attempts = attempts - 1, deaths = 0
WHERE address_id = :address AND kind = :kind AND lease_owner = :owner
  AND (CAST(:token AS BIGINT) IS NULL OR lease_token = CAST(:token AS BIGINT));

-- owners: who has claims
SELECT DISTINCT lease_owner FROM work WHERE lease_owner IS NOT NULL;

-- clear_owner: free the claims of a process that is dead; what it was about to send it may have sent
UPDATE work SET lease_until = NULL, lease_owner = NULL WHERE lease_owner = :owner;

-- call_for_turn: an address has an event; messages wait for the end of the burst, but not longer than its limit, and
-- what is no message ends the burst. The address is known by its id or by where the contact writes from; a message that
-- is in the inbox already calls for nothing
INSERT INTO work (address_id, kind, next_at, burst_until)
SELECT a.id, 'turn', CAST(:next_at AS BIGINT), CAST(:burst_until AS BIGINT) FROM addresses a
WHERE a.id = COALESCE(CAST(:address AS TEXT), (SELECT f.id FROM addresses f JOIN channels c ON c.id = f.channel_id
    WHERE f.channel_id = :channel AND f.value = :value AND c.removed_at IS NULL))
  AND NOT EXISTS (SELECT 1 FROM inbox i
    WHERE i.workspace_id = a.workspace_id AND i.channel_id = :channel AND i.external_id = :external_id)
ON CONFLICT (address_id, kind) DO UPDATE SET
  next_at = CASE
    WHEN work.next_at IS NULL THEN excluded.next_at
    WHEN work.burst_until IS NULL OR excluded.next_at < work.next_at THEN
      CASE WHEN excluded.next_at < work.next_at THEN excluded.next_at ELSE work.next_at END
    WHEN excluded.next_at > work.burst_until THEN work.burst_until
    ELSE excluded.next_at
  END,
  burst_until = CASE WHEN work.next_at IS NULL OR excluded.burst_until IS NULL THEN excluded.burst_until
    ELSE work.burst_until END
RETURNING next_at;

-- call_for_send: an address has a message to send
INSERT INTO work (address_id, kind, next_at, urgent) VALUES (:address, 'send', :next_at, :urgent)
ON CONFLICT (address_id, kind) DO UPDATE SET
  next_at = CASE WHEN work.next_at IS NULL OR excluded.next_at < work.next_at THEN excluded.next_at ELSE work.next_at END,
  urgent = CASE WHEN excluded.urgent > work.urgent THEN excluded.urgent ELSE work.urgent END;

-- claim_send: an address has a message that is being sent; a row means that nobody else sends there
INSERT INTO work (address_id, kind, next_at, lease_until, lease_owner, lease_token, attempts)
VALUES (:address, 'send', :now, :until, :owner, 1, 1)
ON CONFLICT (address_id, kind) DO UPDATE SET next_at = excluded.next_at, lease_until = excluded.lease_until,
  lease_owner = excluded.lease_owner, lease_token = work.lease_token + 1, attempts = work.attempts + 1
WHERE work.lease_owner IS NULL
RETURNING lease_token, attempts;

-- recall: no turn waits that long, so a clock was set back since; it is due now
UPDATE work SET next_at = :now, burst_until = NULL WHERE kind = 'turn' AND next_at > :far;

-- waiting: what has work up to a moment and nobody at it, for alarms that were lost
SELECT address_id, kind, urgent,
  CASE WHEN lease_until IS NOT NULL AND lease_until > next_at THEN lease_until ELSE next_at END AS at
FROM work WHERE next_at <= :until AND (lease_until IS NULL OR lease_until <= :until) ORDER BY next_at LIMIT :at_most;
