-- next_number: the number of a new order, without gaps
INSERT INTO kiosco_order_numbers (workspace_id, last_number) VALUES (:workspace, 1)
ON CONFLICT (workspace_id) DO UPDATE SET last_number = kiosco_order_numbers.last_number + 1
RETURNING last_number;

-- add_order: an order as it was confirmed
INSERT INTO kiosco_orders (
  workspace_id, number, contact_id, call_id, status, subtotal_cents, shipping_cents, total_cents, cart, address, notes,
  placed_at, changed_at
) VALUES (
  :workspace, :number, :contact, :call, 'pending', :subtotal, :shipping, :total, :cart, :address, :notes, :at, :at
);

-- put_item: a line of an order
INSERT INTO kiosco_order_items (workspace_id, number, sku, label, quantity, price_cents, position)
VALUES (:workspace, :number, :sku, :label, :quantity, :price, :position);

-- drop_items: all lines of an order, to write them anew
DELETE FROM kiosco_order_items WHERE workspace_id = :workspace AND number = :number;

-- items: the lines of an order
SELECT sku, label, quantity, price_cents FROM kiosco_order_items
WHERE workspace_id = :workspace AND number = :number ORDER BY position, sku;

-- order_by_call: the order that a call has made
SELECT number, status, subtotal_cents, shipping_cents, total_cents, cart, address, notes, placed_at FROM kiosco_orders
WHERE workspace_id = :workspace AND contact_id = :contact AND call_id = :call;

-- own_orders: those of the contact, the newest first
SELECT number, status, subtotal_cents, shipping_cents, total_cents, cart, address, notes, placed_at FROM kiosco_orders
WHERE workspace_id = :workspace AND contact_id = :contact ORDER BY number DESC LIMIT :most;

-- own_order: one of the contact's orders
SELECT number, status, subtotal_cents, shipping_cents, total_cents, cart, address, notes, placed_at FROM kiosco_orders
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number;

-- shop_order: an order of any contact; for operators only
SELECT number, status, subtotal_cents, shipping_cents, total_cents, cart, address, notes, placed_at FROM kiosco_orders
WHERE workspace_id = :workspace AND number = :number;

-- hold_order: nobody else changes it until we are done
UPDATE kiosco_orders SET changed_at = :at WHERE workspace_id = :workspace AND number = :number RETURNING number;

-- put_status: how far an order is
UPDATE kiosco_orders SET status = :status, changed_at = :at WHERE workspace_id = :workspace AND number = :number;

-- put_order_notes: what was wished, and how it is paid
UPDATE kiosco_orders SET notes = :notes, changed_at = :at
WHERE workspace_id = :workspace AND contact_id = :contact AND number = :number;

-- put_totals: what an order costs after a change
UPDATE kiosco_orders
SET subtotal_cents = :subtotal, shipping_cents = :shipping, total_cents = :total, cart = :cart, changed_at = :at
WHERE workspace_id = :workspace AND number = :number;

-- put_payment: what is to be paid for an order
INSERT INTO kiosco_payments (workspace_id, number, contact_id, amount_cents, status, changed_at)
VALUES (:workspace, :number, :contact, :cents, 'pending', :at)
ON CONFLICT (workspace_id, number) DO UPDATE SET amount_cents = excluded.amount_cents, changed_at = excluded.changed_at;

-- end_payment: it was paid, or will not be
UPDATE kiosco_payments SET status = :status, changed_at = :at
WHERE workspace_id = :workspace AND number = :number AND status = 'pending';
