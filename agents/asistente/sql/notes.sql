-- notes: the contact's notes in the order they were written, with those that this very message deleted
SELECT call_id, position, body, deleted_at FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact
AND (deleted_at IS NULL OR (deleted_at = :at AND deleted_with = :said))
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

-- delete_note: its text stays for a while, as it may be wanted back
UPDATE asistente_notes SET deleted_at = :at, deleted_by = :by, deleted_with = :said, stamp = :stamp
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND deleted_at IS NULL;

-- forget_texts: what nobody has wanted back goes
UPDATE asistente_notes SET body = '', deleted_with = ''
WHERE workspace_id = :workspace AND contact_id = :contact AND deleted_at < :before;

-- forget_texts_before: nor what a note said long ago
UPDATE asistente_notes SET body_before = ''
WHERE workspace_id = :workspace AND contact_id = :contact AND stamp < :before;

-- last_note_changes: what may be wanted back, the last one first
SELECT call_id, body, body_before, deleted_at, deleted_with, stamp FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND stamp >= :since
ORDER BY stamp DESC, position;

-- last_note_stamp: that of the last change of a note
SELECT COALESCE(MAX(stamp), 0) AS stamp FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact;

-- restore_note: it is there again
UPDATE asistente_notes SET deleted_at = NULL, deleted_by = NULL, deleted_with = '', stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call;

-- forget_deleted: rows of notes that went long ago
DELETE FROM asistente_notes
WHERE workspace_id = :workspace AND contact_id = :contact AND deleted_at < :before;

-- change_note: another text in the place of a note
UPDATE asistente_notes SET body_before = body, body = :body, stamp = :stamp
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND deleted_at IS NULL;

-- change_note_back: what it said before
UPDATE asistente_notes SET body = body_before, body_before = '', stamp = 0
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call AND deleted_at IS NULL;
