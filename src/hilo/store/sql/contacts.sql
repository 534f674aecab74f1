-- address_of: where a contact is, by what the channel calls it; until the end of the transaction it stays so
UPDATE addresses SET value = value WHERE channel_id = :channel AND value = :value RETURNING id, workspace_id, contact_id;

-- move_address: the contact is reached at another number
UPDATE addresses SET value = :value WHERE id = :id;

-- give_address: two addresses are of one person
UPDATE addresses SET contact_id = :contact WHERE id = :id;

-- give_sessions: and so is what was said there
UPDATE sessions SET contact_id = :contact WHERE address_id = :address;

-- set_phone: the number that a contact has now
UPDATE contacts SET phone = :phone WHERE id = :id;

-- set_quiet: whether timers leave a contact alone; the latest choice counts, in whatever order webhooks come
UPDATE addresses SET quiet_since = :quiet_since, quiet_chosen_at = :at
WHERE channel_id = :channel AND value = :value AND (quiet_chosen_at IS NULL OR quiet_chosen_at < :at)
RETURNING workspace_id, contact_id;

-- is_quiet: whether a contact wants nothing that was not asked for
SELECT 1 AS quiet FROM addresses WHERE id = :address AND quiet_since IS NOT NULL;
