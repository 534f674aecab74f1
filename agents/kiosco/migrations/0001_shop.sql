-- The shop of each workspace. Money is whole cents in BIGINT: both databases add and compare it exactly, while SQLite has no
-- decimal type (a NUMERIC becomes a float there) and a text could not be summed or checked. Times are microseconds since 1970.

CREATE TABLE kiosco_shops (
  workspace_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  phone TEXT NOT NULL,
  hours TEXT NOT NULL,
  delivery TEXT NOT NULL,
  payment TEXT NOT NULL,
  policies TEXT NOT NULL,
  delivery_cents BIGINT NOT NULL CHECK (delivery_cents >= 0),
  free_from_cents BIGINT NOT NULL CHECK (free_from_cents >= 0),
  catalogue TEXT NOT NULL,  -- digest of what products are found by
  imported TEXT NOT NULL,  -- digest of the file that was read last
  opened_at BIGINT NOT NULL
);

-- The next number is taken in the transaction that makes the order: one that is rolled back leaves no gap.
CREATE TABLE kiosco_order_numbers (
  workspace_id TEXT PRIMARY KEY,
  last_number BIGINT NOT NULL CHECK (last_number > 0)
);

CREATE TABLE kiosco_products (
  workspace_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  brand TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category <> ''),
  PRIMARY KEY (workspace_id, product_id)
);
CREATE INDEX kiosco_products_categories ON kiosco_products (workspace_id, category);

CREATE TABLE kiosco_variants (
  workspace_id TEXT NOT NULL,
  sku TEXT NOT NULL CHECK (sku <> ''),
  product_id TEXT NOT NULL,
  label TEXT NOT NULL CHECK (label <> ''),
  flavour TEXT NOT NULL,
  size TEXT NOT NULL,
  price_cents BIGINT NOT NULL CHECK (price_cents > 0),
  tags TEXT NOT NULL,
  synonyms TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sku),
  FOREIGN KEY (workspace_id, product_id) REFERENCES kiosco_products (workspace_id, product_id)
);
CREATE INDEX kiosco_variants_products ON kiosco_variants (workspace_id, product_id);

CREATE TABLE kiosco_stock (
  workspace_id TEXT NOT NULL,
  sku TEXT NOT NULL,
  units BIGINT NOT NULL CHECK (units >= 0),
  PRIMARY KEY (workspace_id, sku),
  FOREIGN KEY (workspace_id, sku) REFERENCES kiosco_variants (workspace_id, sku)
);

CREATE TABLE kiosco_customers (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  name TEXT NOT NULL,
  dni TEXT NOT NULL,
  address TEXT NOT NULL,
  phone TEXT NOT NULL,
  email TEXT NOT NULL,
  known_since BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id)
);

CREATE TABLE kiosco_carts (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  notes TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  touched_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id)
);

CREATE TABLE kiosco_cart_items (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  sku TEXT NOT NULL,
  quantity BIGINT NOT NULL CHECK (quantity > 0),
  added_at BIGINT NOT NULL,
  touched_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id, sku),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES kiosco_carts (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, sku) REFERENCES kiosco_variants (workspace_id, sku)
);

-- Calls that have had their effect, so that a repeated one has none; they are forgotten after 30 days.
CREATE TABLE kiosco_calls (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, contact_id, call_id)
);
CREATE INDEX kiosco_calls_ages ON kiosco_calls (workspace_id, contact_id, applied_at);

CREATE TABLE kiosco_orders (
  workspace_id TEXT NOT NULL,
  number BIGINT NOT NULL CHECK (number > 0),
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('pending', 'processing', 'shipped', 'delivered', 'completed', 'cancelled')),
  subtotal_cents BIGINT NOT NULL CHECK (subtotal_cents > 0),
  shipping_cents BIGINT NOT NULL CHECK (shipping_cents >= 0),
  total_cents BIGINT NOT NULL CHECK (total_cents = subtotal_cents + shipping_cents),
  cart TEXT NOT NULL,
  address TEXT NOT NULL,
  notes TEXT NOT NULL,
  placed_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, number),
  UNIQUE (workspace_id, contact_id, call_id)
);
CREATE INDEX kiosco_orders_contacts ON kiosco_orders (workspace_id, contact_id, number);
CREATE INDEX kiosco_orders_statuses ON kiosco_orders (workspace_id, status, number);

CREATE TABLE kiosco_order_items (
  workspace_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  sku TEXT NOT NULL,
  label TEXT NOT NULL,
  quantity BIGINT NOT NULL CHECK (quantity > 0),
  price_cents BIGINT NOT NULL CHECK (price_cents > 0),
  position BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, number, sku),
  FOREIGN KEY (workspace_id, number) REFERENCES kiosco_orders (workspace_id, number)
);

CREATE TABLE kiosco_payments (
  workspace_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  contact_id TEXT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'cancelled')),
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, number),
  FOREIGN KEY (workspace_id, number) REFERENCES kiosco_orders (workspace_id, number)
);
CREATE INDEX kiosco_payments_contacts ON kiosco_payments (workspace_id, contact_id);

CREATE TABLE kiosco_debts (
  workspace_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  owed_since BIGINT NOT NULL,
  settled_at BIGINT,
  PRIMARY KEY (workspace_id, contact_id, call_id)
);
