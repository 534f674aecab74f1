-- How many days there are from one time to the next, where it is told again and again; and when it was promised.
ALTER TABLE asistente_reminders ADD COLUMN every_days BIGINT NOT NULL DEFAULT 0;
ALTER TABLE asistente_reminders ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;
