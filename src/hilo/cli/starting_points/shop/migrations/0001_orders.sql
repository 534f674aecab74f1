CREATE TABLE negocio_basket (
    workspace TEXT NOT NULL, contact TEXT NOT NULL, call TEXT NOT NULL,
    product TEXT NOT NULL, more INTEGER NOT NULL,
    PRIMARY KEY (workspace, call)
);

CREATE TABLE negocio_orders (
    workspace TEXT NOT NULL, contact TEXT NOT NULL, call TEXT NOT NULL,
    name TEXT NOT NULL, address TEXT NOT NULL, notes TEXT NOT NULL, goods TEXT NOT NULL, total TEXT NOT NULL,
    PRIMARY KEY (workspace, call)
);
