-- add_media: a file that is to be fetched, or one that we were given
INSERT INTO media (id, workspace_id, channel_id, address_id, kind, source, name, type, size, status, link, next_at, created_at)
VALUES (:id, :workspace, :channel, :address, :kind, :source, :name, :type, :size, :status, :link, :at, :at);

-- call_for_media: an address has a file to fetch
INSERT INTO work (address_id, kind, next_at) VALUES (:address, 'media', :next_at)
ON CONFLICT (address_id, kind) DO UPDATE SET
  next_at = CASE WHEN work.next_at IS NULL OR excluded.next_at < work.next_at THEN excluded.next_at ELSE work.next_at END;

-- next_media: what is to be fetched for an address, the file that is due first
SELECT id, workspace_id, channel_id, address_id, kind, source, name, attempts, next_at, created_at FROM media
WHERE address_id = :address AND status = 'waiting' ORDER BY next_at, id LIMIT 1;

-- end_media: what came of fetching it
UPDATE media SET status = :status, reason = :reason, type = :type, size = :size, attempts = attempts + 1, next_at = :next_at
WHERE id = :id AND status = 'waiting' RETURNING id;

-- media_session: the session that a file belongs to, for whoever looks at it
SELECT id FROM sessions WHERE address_id = :address ORDER BY started_at DESC, id DESC LIMIT 1;

-- some_media: what is known of files
SELECT id, kind, type, size, name, status, reason, link FROM media
WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(:ids));

-- linked_media: a file that we sent, by its link
SELECT id, kind, type, size, name, status, reason, link FROM media WHERE link = :link AND status = 'kept';

-- old_media: files that are kept no longer
SELECT id FROM media WHERE created_at < :before ORDER BY created_at LIMIT :at_most;

-- forget_media: the bytes are gone
DELETE FROM media WHERE id = :id;
