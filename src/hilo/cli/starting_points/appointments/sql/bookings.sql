-- add_booking: the first one at an hour has it
INSERT INTO negocio_bookings (workspace, begins, contact, call, service, name)
VALUES (:workspace, :begins, :contact, :call, :service, :name)
ON CONFLICT (workspace, begins) DO NOTHING;

-- booking_at: whose an hour is, whoever asks
SELECT call FROM negocio_bookings WHERE workspace = :workspace AND begins = :begins;

-- next_booking: when this contact comes next
SELECT min(begins) AS begins FROM negocio_bookings
WHERE workspace = :workspace AND contact = :contact AND begins >= :since;
