CREATE TABLE negocio_bookings (
    workspace TEXT NOT NULL, begins TEXT NOT NULL, contact TEXT NOT NULL, call TEXT NOT NULL,
    service TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (workspace, begins)
);
