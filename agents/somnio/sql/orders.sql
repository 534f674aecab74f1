-- lock_numbers: whoever else places an order of the brand waits until this one is placed
INSERT INTO sales_order_numbers (workspace_id, brand, last_number) VALUES (:workspace, :brand, 0)
ON CONFLICT (workspace_id, brand) DO UPDATE SET last_number = sales_order_numbers.last_number;

-- next_number: the number of a new order, without gaps
UPDATE sales_order_numbers SET last_number = last_number + 1 WHERE workspace_id = :workspace AND brand = :brand
RETURNING last_number;

-- add_order: an order as it was placed
INSERT INTO sales_orders (
  workspace_id, brand, number, contact_id, call_id, status, consent, pack, price_cents, shipping_cents, total_cents,
  recipient, phone, email, city, address, district, region, postcode, notes, placed_at, changed_at
) VALUES (
  :workspace, :brand, :number, :contact, :call, :status, :consent, :pack, :price, :shipping, :total,
  :recipient, :phone, :email, :city, :address, :district, :region, :postcode, :notes, :at, :at
);

-- replace_order: an order that was not confirmed is placed anew under its number
UPDATE sales_orders SET
  call_id = :call, status = :status, consent = :consent, pack = :pack, price_cents = :price, shipping_cents = :shipping,
  total_cents = :total, recipient = :recipient, phone = :phone, email = :email, city = :city, address = :address,
  district = :district, region = :region, postcode = :postcode, notes = :notes, changed_at = :at
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact AND number = :number;

-- order_by_call: the order that a call has placed
SELECT number, status, pack, total_cents FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact AND call_id = :call;

-- order_to_replace: the order of the contact that waits for a yes, or a confirmed one; nobody changes it meanwhile
SELECT number FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact
  AND (:replaced = 0 AND status = 'unconfirmed' OR number = :replaced AND status = 'confirmed')
ORDER BY number DESC LIMIT 1;

-- order_to_replace (postgres): the same there
SELECT number FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact
  AND (:replaced = 0 AND status = 'unconfirmed' OR number = :replaced AND status = 'confirmed')
ORDER BY number DESC LIMIT 1 FOR UPDATE;

-- own_order: an order of the contact by its number
SELECT number, status, pack, total_cents FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact AND number = :number;

-- last_order: the contact's newest order
SELECT number, status, pack, total_cents FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact ORDER BY number DESC LIMIT 1;

-- orders_under_way: the contact's orders that wait for a yes, or were confirmed or sent not long ago, the newest first
SELECT number, status, pack, total_cents FROM sales_orders
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact
  AND (status = 'unconfirmed' OR status IN ('confirmed', 'sent') AND changed_at >= :since)
ORDER BY number DESC LIMIT 100;

-- cancel_order: an order that is not confirmed, or also one that is, is given up
UPDATE sales_orders SET status = 'cancelled', changed_at = :at
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact AND number = :number
  AND status IN ('unconfirmed', :also);

-- send_order: a confirmed order is on its way
UPDATE sales_orders SET status = 'sent', changed_at = :at
WHERE workspace_id = :workspace AND brand = :brand AND contact_id = :contact AND number = :number
  AND status = 'confirmed';
