-- What stood there before the last change, as a contact may want it back; `stamp` tells which change was the last.
ALTER TABLE asistente_notes ADD COLUMN body_before TEXT NOT NULL DEFAULT '';
ALTER TABLE asistente_notes ADD COLUMN deleted_with TEXT NOT NULL DEFAULT '';
ALTER TABLE asistente_notes ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
ALTER TABLE asistente_reminders ADD COLUMN body_before TEXT NOT NULL DEFAULT '';
ALTER TABLE asistente_reminders ADD COLUMN due_before BIGINT NOT NULL DEFAULT 0;
ALTER TABLE asistente_reminders ADD COLUMN every_before BIGINT NOT NULL DEFAULT 0;
ALTER TABLE asistente_reminders ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
