-- add_booking: the first one at an hour has it
INSERT INTO negocio_bookings (workspace, begins, contact, call, service, name)
VALUES (:workspace, :begins, :contact, :call, :service, :name)
ON CONFLICT (workspace, begins) DO NOTHING;

-- booking_at: whose an hour is, whoever asks
SELECT call FROM negocio_bookings WHERE workspace = :workspace AND begins = :begins;

-- taken: the hours of a day that somebody has
SELECT begins FROM negocio_bookings WHERE workspace = :workspace AND begins >= :since AND begins < :until;

-- bookings: those of this contact that are to come, the next one first
SELECT begins, service, name FROM negocio_bookings
WHERE workspace = :workspace AND contact = :contact AND begins > :since ORDER BY begins;

-- move_booking: to another hour
UPDATE negocio_bookings SET begins = :to WHERE workspace = :workspace AND contact = :contact AND begins = :begins;

-- cancel_booking: its hour is free again
DELETE FROM negocio_bookings WHERE workspace = :workspace AND contact = :contact AND begins = :begins;
