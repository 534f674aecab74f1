-- What the contact wishes besides, for who packs and brings it.
ALTER TABLE sales_orders ADD COLUMN notes TEXT NOT NULL DEFAULT '';
