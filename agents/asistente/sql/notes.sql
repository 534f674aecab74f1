-- notes: the contact's notes in the order they were written, with those that went at this very moment
SELECT call_id, position, body, deleted_at FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND (deleted_at IS NULL OR deleted_at = :at)
ORDER BY position, call_id;

-- last_position: where the newest note stands
SELECT COALESCE(MAX(position), 0) AS position FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact;

-- written_by: whether a call has written its note
SELECT call_id FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call;

-- add_note: a new note, once per call
INSERT INTO asistente_notes (workspace_id, contact_id, call_id, position, body)
VALUES (:workspace, :contact, :call, :position, :body)
ON CONFLICT DO NOTHING;

-- deleted_by: whether a call has deleted its note
SELECT call_id FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND deleted_by = :call;

-- delete_note: its text goes; the row stays until it is forgotten
UPDATE asistente_notes SET body = '', deleted_at = :at, deleted_by = :by
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND deleted_at IS NULL;

-- forget_deleted: rows of notes that went long ago
DELETE FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND deleted_at < :before;

-- change_note: another text in the place of a note
UPDATE asistente_notes SET body = :body
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND deleted_at IS NULL;
