-- address_of: where a contact is, by what the channel calls it; until the end of the transaction it stays so
UPDATE addresses SET value = value WHERE channel_id = :channel AND value = :value RETURNING id, workspace_id, contact_id;

-- move_address: the contact is reached at another number
UPDATE addresses SET value = :value WHERE id = :id;

-- give_address: two addresses are of one person
UPDATE addresses SET contact_id = :contact WHERE id = :id;

-- give_sessions: and so is what was said there
UPDATE sessions SET contact_id = :contact WHERE address_id = :address;

-- leave_number: who moved is found by the former number too, until somebody else writes from it
INSERT INTO former_numbers (channel_id, value, address_id, left_at) VALUES (:channel, :value, :address, :at)
ON CONFLICT (channel_id, value) DO UPDATE SET address_id = excluded.address_id, left_at = excluded.left_at;

-- moved_from: where somebody is now who had this number, and since when
SELECT a.value, a.contact_id, f.left_at FROM former_numbers f JOIN addresses a ON a.id = f.address_id
WHERE f.channel_id = :channel AND f.value = :value;

-- share_choice: of two addresses of one person the later choice counts
UPDATE addresses SET
  (quiet_since, quiet_chosen_at) = (SELECT b.quiet_since, b.quiet_chosen_at FROM addresses b WHERE b.id = :source)
WHERE id = :target AND EXISTS (
  SELECT 1 FROM addresses b WHERE b.id = :source AND b.quiet_chosen_at IS NOT NULL
    AND (addresses.quiet_chosen_at IS NULL OR addresses.quiet_chosen_at < b.quiet_chosen_at));

-- set_phone: the number that a contact has now
UPDATE contacts SET phone = :phone WHERE id = :id;

-- set_quiet: whether timers leave a contact alone; the latest choice counts, in whatever order webhooks come
UPDATE addresses SET quiet_since = :quiet_since, quiet_chosen_at = :at
WHERE channel_id = :channel AND value = :value AND (quiet_chosen_at IS NULL OR quiet_chosen_at < :at)
RETURNING workspace_id, contact_id;

-- is_quiet: whether a contact wants nothing that was not asked for
SELECT 1 AS quiet FROM addresses WHERE id = :address AND quiet_since IS NOT NULL;
