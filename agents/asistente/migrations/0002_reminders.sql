-- What the contact wants to be told, and when. One that was told, or taken back, stays for a while without its text.
CREATE TABLE asistente_reminders (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  body TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  done_at BIGINT,
  PRIMARY KEY (workspace_id, contact_id, call_id)
);
