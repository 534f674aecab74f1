-- reminders: what is still to be told, the next one first
SELECT call_id, body, due_at, every_days, ahead_minutes, made_at FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at IS NULL
ORDER BY due_at, call_id;

-- add_reminder: a new one, once per call
INSERT INTO asistente_reminders (workspace_id, contact_id, call_id, body, due_at, every_days, ahead_minutes, made_at)
VALUES (:workspace, :contact, :call, :body, :due, :every, :ahead, :made)
ON CONFLICT DO NOTHING;

-- told_reminders: what has been due until now
SELECT call_id, body, due_at, every_days, ahead_minutes, made_at FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at IS NULL AND due_at <= :at
ORDER BY due_at, call_id;

-- last_reminder: the one that was promised last, of those that are still to be told
SELECT call_id, body, due_at, every_days, ahead_minutes, made_at FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at IS NULL
ORDER BY made_at DESC, due_at DESC, call_id LIMIT 1;

-- move_reminder: it is to be told at another moment
UPDATE asistente_reminders SET due_at = :due, every_days = :every, ahead_minutes = :ahead
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- end_reminder: it was told, or is not wanted any more
UPDATE asistente_reminders SET done_at = :at, body = ''
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- forget_reminders: rows of those that ended long ago
DELETE FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at < :before;
