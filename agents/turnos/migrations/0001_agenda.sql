-- The agenda of each clinic. A day is written 2026-11-20; hours are minutes from midnight, so that both databases compare them
-- alike; moments are microseconds since 1970.

CREATE TABLE turnos_numbers (
  workspace_id TEXT PRIMARY KEY,
  last_number BIGINT NOT NULL CHECK (last_number >= 0)
);

-- An offer is a place that is kept for somebody on the waiting list until a moment; then it counts no more.
CREATE TABLE turnos_appointments (
  workspace_id TEXT NOT NULL,
  number BIGINT NOT NULL CHECK (number > 0),
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  patient TEXT NOT NULL,
  service TEXT NOT NULL CHECK (service <> ''),
  professional TEXT NOT NULL CHECK (professional <> ''),
  day TEXT NOT NULL,
  begins BIGINT NOT NULL,
  ends BIGINT NOT NULL CHECK (ends > begins),
  status TEXT NOT NULL CHECK (status IN ('offered', 'booked', 'unanswered', 'confirmed', 'cancelled')),
  offered_until BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, number),
  UNIQUE (workspace_id, call_id)
);
CREATE INDEX turnos_appointments_days ON turnos_appointments (workspace_id, day, professional);
CREATE INDEX turnos_appointments_contacts ON turnos_appointments (workspace_id, contact_id, day);

CREATE TABLE turnos_waiting (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  service TEXT NOT NULL,
  professional TEXT NOT NULL,
  day TEXT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id)
);
