-- What a patient wishes besides, in their words: the secretary reads it in the agenda of the day.
CREATE TABLE turnos_notes (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  number BIGINT NOT NULL CHECK (number > 0),
  note TEXT NOT NULL CHECK (note <> ''),
  PRIMARY KEY (workspace_id, number)
);
