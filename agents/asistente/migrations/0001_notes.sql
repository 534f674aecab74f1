-- A deleted note stays for a while without its text, so that a call that is made again finds what it did.
CREATE TABLE asistente_notes (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  body TEXT NOT NULL,
  deleted_at BIGINT,
  deleted_by TEXT,
  PRIMARY KEY (workspace_id, contact_id, call_id)
);
