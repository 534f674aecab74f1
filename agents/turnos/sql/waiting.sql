-- join_waiting: the contact waits for one day; another wish replaces the one before
INSERT INTO turnos_waiting (workspace_id, contact_id, service, professional, day, since)
VALUES (:workspace, :contact, :service, :professional, :day, :now)
ON CONFLICT (workspace_id, contact_id) DO UPDATE
SET service = :service, professional = :professional, day = :day, since = :now;

-- my_wish: what the contact waits for
SELECT service, professional, day, since FROM turnos_waiting WHERE workspace_id = :workspace AND contact_id = :contact;

-- waiting_before: how many wait longer for the same, and have not been offered anything yet
SELECT count(*) AS people FROM turnos_waiting w
WHERE w.workspace_id = :workspace AND w.day = :day AND w.service = :service AND w.since < :since
  AND NOT EXISTS (
    SELECT 1 FROM turnos_appointments a
    WHERE a.workspace_id = :workspace AND a.contact_id = w.contact_id AND a.day = w.day AND a.offered_until > 0
  );

-- leave_waiting: the contact waits no more
DELETE FROM turnos_waiting WHERE workspace_id = :workspace AND contact_id = :contact;
