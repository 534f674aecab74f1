-- How many minutes before the moment that was said it is to be told: "una hora antes".
ALTER TABLE asistente_reminders ADD COLUMN ahead_minutes BIGINT NOT NULL DEFAULT 0;
