-- lock_agenda: whoever else changes the agenda of the clinic waits until this is done
INSERT INTO turnos_numbers (workspace_id, last_number) VALUES (:workspace, 0)
ON CONFLICT (workspace_id) DO UPDATE SET last_number = turnos_numbers.last_number;

-- next_number: the number of a new appointment
UPDATE turnos_numbers SET last_number = last_number + 1 WHERE workspace_id = :workspace RETURNING last_number;

-- taken: the hours of a day that are not free for the contact
SELECT professional, begins, ends FROM turnos_appointments
WHERE workspace_id = :workspace AND day = :day AND number <> :but
  AND (status IN ('booked', 'unanswered', 'confirmed')
    OR (status = 'offered' AND offered_until > :now AND contact_id <> :contact));

-- add_appointment: a place that is taken, or offered
INSERT INTO turnos_appointments (
  workspace_id, number, contact_id, call_id, patient, service, professional, day, begins, ends, status, offered_until, made_at
) VALUES (
  :workspace, :number, :contact, :call, :patient, :service, :professional, :day, :begins, :ends, :status, :until, :now
);

-- appointment_by_call: what a repeated call has made
SELECT number FROM turnos_appointments WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call;

-- appointments: those to come of the contact, the next one first
SELECT number, patient, service, professional, day, begins, status FROM turnos_appointments
WHERE workspace_id = :workspace AND contact_id = :contact AND status IN ('booked', 'unanswered', 'confirmed')
  AND (day > :today OR (day = :today AND begins > :minute))
ORDER BY day, begins, number;

-- move_appointment: to another day and hour; it has to be confirmed anew
UPDATE turnos_appointments SET
  patient = :patient, service = :service, professional = :professional, day = :day, begins = :begins, ends = :ends, status = :status
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number AND status <> 'cancelled' RETURNING number;

-- mark_appointment: that it was confirmed, not answered or cancelled
UPDATE turnos_appointments SET status = :status
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number AND status <> 'cancelled' RETURNING number;

-- cancelled_appointment: one that the contact has cancelled; what was only offered has no patient
SELECT number, patient, service, professional, day, begins, status FROM turnos_appointments
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number AND status = 'cancelled' AND patient <> '';

-- restore_appointment: it stands again, and has to be confirmed anew
UPDATE turnos_appointments SET status = 'booked'
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number AND status = 'cancelled';

-- end_offers: what was offered to the contact is not kept any more
UPDATE turnos_appointments SET status = 'cancelled'
WHERE workspace_id = :workspace AND contact_id = :contact AND status = 'offered';

-- add_note: what the patient wishes besides
INSERT INTO turnos_notes (workspace_id, contact_id, number, note) VALUES (:workspace, :contact, :number, :note)
ON CONFLICT (workspace_id, number) DO UPDATE SET note = excluded.note;

-- agenda_of_day: all appointments of a day, for the secretary
SELECT a.number, a.patient, a.service, a.professional, a.begins, a.status, COALESCE(n.note, '') AS note
FROM turnos_appointments a LEFT JOIN turnos_notes n ON n.workspace_id = :workspace AND n.number = a.number
WHERE a.workspace_id = :workspace AND a.day = :day AND a.status IN ('booked', 'unanswered', 'confirmed')
ORDER BY a.begins, a.professional;
