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

-- last_told: what was told last, and not long ago
SELECT body FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at >= :since AND stamp = 0 AND body <> ''
ORDER BY done_at DESC LIMIT 1;

-- move_reminder: it is to be told at another moment, or with other words
UPDATE asistente_reminders SET body_before = body, due_before = due_at, every_before = every_days, stamp = :stamp,
body = :body, due_at = :due, every_days = :every, ahead_minutes = :ahead
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- move_reminder_on: from one time to the next, of what is told again and again
UPDATE asistente_reminders SET due_at = :due, body_before = '', stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- end_reminder: it was told; its text stays for a while, as it may be wanted once more
UPDATE asistente_reminders SET done_at = :at, body_before = '', stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- drop_reminder: it is not wanted any more; its text stays for a while, as it may be wanted back
UPDATE asistente_reminders SET done_at = :at, stamp = :stamp
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- last_reminder_changes: what may be wanted back, the last one first
SELECT call_id, body, body_before, due_at, due_before, every_before, done_at, stamp FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND stamp >= :since
ORDER BY stamp DESC, due_at;

-- last_reminder_stamp: that of the last change of a reminder
SELECT COALESCE(MAX(stamp), 0) AS stamp FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact;

-- restore_reminder: it is promised again
UPDATE asistente_reminders SET done_at = NULL, stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call;

-- move_reminder_back: as it was before
UPDATE asistente_reminders SET body = body_before, due_at = due_before, every_days = every_before,
body_before = '', stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND done_at IS NULL;

-- forget_dropped_texts: what nobody has wanted back goes
UPDATE asistente_reminders SET body = ''
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at < :before;

-- forget_reminder_texts_before: nor what a reminder said long ago
UPDATE asistente_reminders SET body_before = ''
WHERE workspace_id = :workspace AND contact_id = :contact AND stamp < :before;

-- forget_reminders: rows of those that ended long ago
DELETE FROM asistente_reminders
WHERE workspace_id = :workspace AND contact_id = :contact AND done_at < :before;
