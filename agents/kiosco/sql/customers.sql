-- customer: what is known of the contact
SELECT name, dni, address, phone, email, known_since FROM kiosco_customers
WHERE workspace_id = :workspace AND contact_id = :contact;

-- put_customer: what the contact told; what they did not tell stays
INSERT INTO kiosco_customers (workspace_id, contact_id, name, dni, address, phone, email, known_since)
VALUES (:workspace, :contact, :name, :dni, :address, :phone, :email, :at)
ON CONFLICT (workspace_id, contact_id) DO UPDATE SET
  name = CASE WHEN excluded.name <> '' THEN excluded.name ELSE kiosco_customers.name END,
  dni = CASE WHEN excluded.dni <> '' THEN excluded.dni ELSE kiosco_customers.dni END,
  address = CASE WHEN excluded.address <> '' THEN excluded.address ELSE kiosco_customers.address END,
  phone = CASE WHEN excluded.phone <> '' THEN excluded.phone ELSE kiosco_customers.phone END,
  email = CASE WHEN excluded.email <> '' THEN excluded.email ELSE kiosco_customers.email END;

-- bought: how many orders the contact has, and what they spent
SELECT count(*) AS orders, CAST(COALESCE(SUM(total_cents), 0) AS BIGINT) AS cents FROM kiosco_orders
WHERE workspace_id = :workspace AND contact_id = :contact AND status <> 'cancelled';

-- debts: what the contact owes, the oldest first
SELECT amount_cents, reason, owed_since FROM kiosco_debts
WHERE workspace_id = :workspace AND contact_id = :contact AND settled_at IS NULL ORDER BY owed_since, call_id;

-- add_debt: once per call
INSERT INTO kiosco_debts (workspace_id, contact_id, call_id, amount_cents, reason, owed_since)
VALUES (:workspace, :contact, :call, :cents, :reason, :at) ON CONFLICT DO NOTHING;

-- settle_debts: all that the contact owes was paid
UPDATE kiosco_debts SET settled_at = :at
WHERE workspace_id = :workspace AND contact_id = :contact AND settled_at IS NULL;

-- apply_call: a row the first time; none when the call has had its effect
INSERT INTO kiosco_calls (workspace_id, contact_id, call_id, applied_at)
VALUES (:workspace, :contact, :call, :at) ON CONFLICT DO NOTHING RETURNING call_id;

-- forget_calls: those of long ago
DELETE FROM kiosco_calls WHERE workspace_id = :workspace AND contact_id = :contact AND applied_at < :before;
