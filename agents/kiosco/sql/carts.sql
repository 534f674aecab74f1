-- take_cart: the contact's cart; whoever takes it after us waits until we are done
INSERT INTO kiosco_carts (workspace_id, contact_id, touched_at) VALUES (:workspace, :contact, :at)
ON CONFLICT (workspace_id, contact_id) DO UPDATE SET contact_id = excluded.contact_id
RETURNING touched_at;

-- touch_cart: it was used now
UPDATE kiosco_carts SET touched_at = :at WHERE workspace_id = :workspace AND contact_id = :contact;

-- cart: notes and address of the cart, with what a total depends on
SELECT s.delivery_cents, s.free_from_cents, c.touched_at, COALESCE(c.notes, '') AS notes, COALESCE(c.pay, '') AS pay,
  COALESCE(c.address, '') AS cart_address, COALESCE(u.name, '') AS name, COALESCE(u.dni, '') AS dni,
  COALESCE(u.address, '') AS home
FROM kiosco_shops s
LEFT JOIN kiosco_carts c ON c.workspace_id = s.workspace_id AND c.contact_id = :contact
LEFT JOIN kiosco_customers u ON u.workspace_id = s.workspace_id AND u.contact_id = :contact
WHERE s.workspace_id = :workspace;

-- cart_lines: what is in it, at today's prices, in the order it was added
SELECT i.sku, v.label, i.quantity, v.price_cents, i.touched_at, s.units
FROM kiosco_cart_items i
JOIN kiosco_variants v ON v.workspace_id = i.workspace_id AND v.sku = i.sku
JOIN kiosco_stock s ON s.workspace_id = i.workspace_id AND s.sku = i.sku
WHERE i.workspace_id = :workspace AND i.contact_id = :contact ORDER BY i.added_at, i.sku;

-- put_line: so many of a product
INSERT INTO kiosco_cart_items (workspace_id, contact_id, sku, quantity, added_at, touched_at)
VALUES (:workspace, :contact, :sku, :quantity, :at, :at)
ON CONFLICT (workspace_id, contact_id, sku) DO UPDATE
SET quantity = excluded.quantity, touched_at = excluded.touched_at;

-- drop_line: none of a product
DELETE FROM kiosco_cart_items WHERE workspace_id = :workspace AND contact_id = :contact AND sku = :sku;

-- drop_lines: nothing at all
DELETE FROM kiosco_cart_items WHERE workspace_id = :workspace AND contact_id = :contact;

-- put_notes: what the contact wishes
UPDATE kiosco_carts SET notes = :notes WHERE workspace_id = :workspace AND contact_id = :contact;

-- put_pay: how it will be paid
UPDATE kiosco_carts SET pay = :pay WHERE workspace_id = :workspace AND contact_id = :contact;

-- put_address: where the order goes
UPDATE kiosco_carts SET address = :address WHERE workspace_id = :workspace AND contact_id = :contact;
