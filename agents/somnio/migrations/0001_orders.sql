-- Orders of a shop that sells packs. Several agents may share these tables: a brand is an agent's own numbers and orders.
-- Money is whole cents; times are microseconds since 1970.

CREATE TABLE sales_order_numbers (
  workspace_id TEXT NOT NULL,
  brand TEXT NOT NULL,
  last_number BIGINT NOT NULL CHECK (last_number >= 0),
  PRIMARY KEY (workspace_id, brand)
);

CREATE TABLE sales_orders (
  workspace_id TEXT NOT NULL,
  brand TEXT NOT NULL CHECK (brand <> ''),
  number BIGINT NOT NULL CHECK (number > 0),
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('unconfirmed', 'confirmed', 'sent', 'cancelled')),
  consent TEXT NOT NULL CHECK (consent IN ('contact', 'silence')),
  pack TEXT NOT NULL CHECK (pack <> ''),
  price_cents BIGINT NOT NULL CHECK (price_cents > 0),
  shipping_cents BIGINT NOT NULL CHECK (shipping_cents >= 0),
  total_cents BIGINT NOT NULL CHECK (total_cents = price_cents + shipping_cents),
  recipient TEXT NOT NULL,
  phone TEXT NOT NULL,
  email TEXT NOT NULL,
  city TEXT NOT NULL,
  address TEXT NOT NULL,
  district TEXT NOT NULL,
  region TEXT NOT NULL,
  postcode TEXT NOT NULL,
  placed_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, brand, number),
  UNIQUE (workspace_id, brand, call_id)
);
CREATE INDEX sales_orders_of_contacts ON sales_orders (workspace_id, brand, contact_id, number);
