-- shop: the profile of the business, and which catalogue it has
SELECT name, address, phone, hours, delivery, payment, policies, delivery_cents, free_from_cents, catalogue, imported
FROM kiosco_shops WHERE workspace_id = :workspace;

-- open_shop: the first one to open it gets a row back; others wait for that one, and get none
INSERT INTO kiosco_shops (
  workspace_id, name, address, phone, hours, delivery, payment, policies, delivery_cents, free_from_cents,
  catalogue, imported, opened_at
) VALUES (
  :workspace, :name, :address, :phone, :hours, :delivery, :payment, :policies, :delivery_cents, :free_from_cents,
  '', '', :at
) ON CONFLICT (workspace_id) DO NOTHING RETURNING workspace_id;

-- put_products: a list of them, new or changed; all lists go by sku or id, so that two writers never wait for each other
INSERT INTO kiosco_products (workspace_id, product_id, name, brand, category)
SELECT :workspace, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
  json_extract(value, '$[3]')
FROM json_each(:rows) WHERE true ORDER BY 2
ON CONFLICT (workspace_id, product_id) DO UPDATE
SET name = excluded.name, brand = excluded.brand, category = excluded.category;

-- put_products (postgres): the same
INSERT INTO kiosco_products (workspace_id, product_id, name, brand, category)
SELECT CAST(:workspace AS text), value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM jsonb_array_elements(CAST(:rows AS jsonb)) ORDER BY (value ->> 0) COLLATE "C"
ON CONFLICT (workspace_id, product_id) DO UPDATE
SET name = excluded.name, brand = excluded.brand, category = excluded.category;

-- put_variants: a list of them, new or changed
INSERT INTO kiosco_variants (workspace_id, sku, product_id, label, flavour, size, price_cents, tags, synonyms)
SELECT :workspace, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
  json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'),
  json_extract(value, '$[7]')
FROM json_each(:rows) WHERE true ORDER BY 2
ON CONFLICT (workspace_id, sku) DO UPDATE
SET product_id = excluded.product_id, label = excluded.label, flavour = excluded.flavour, size = excluded.size,
  price_cents = excluded.price_cents, tags = excluded.tags, synonyms = excluded.synonyms;

-- put_variants (postgres): the same
INSERT INTO kiosco_variants (workspace_id, sku, product_id, label, flavour, size, price_cents, tags, synonyms)
SELECT CAST(:workspace AS text), value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
  CAST(value ->> 5 AS bigint), value ->> 6, value ->> 7
FROM jsonb_array_elements(CAST(:rows AS jsonb)) ORDER BY (value ->> 0) COLLATE "C"
ON CONFLICT (workspace_id, sku) DO UPDATE
SET product_id = excluded.product_id, label = excluded.label, flavour = excluded.flavour, size = excluded.size,
  price_cents = excluded.price_cents, tags = excluded.tags, synonyms = excluded.synonyms;

-- put_stock: how many units there are
INSERT INTO kiosco_stock (workspace_id, sku, units)
SELECT :workspace, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:rows) WHERE true ORDER BY 2
ON CONFLICT (workspace_id, sku) DO UPDATE SET units = excluded.units;

-- put_stock (postgres): the same
INSERT INTO kiosco_stock (workspace_id, sku, units)
SELECT CAST(:workspace AS text), value ->> 0, CAST(value ->> 1 AS bigint)
FROM jsonb_array_elements(CAST(:rows AS jsonb)) ORDER BY (value ->> 0) COLLATE "C"
ON CONFLICT (workspace_id, sku) DO UPDATE SET units = excluded.units;

-- keep_stock: what nobody has counted stays as it is, and is none where it was not there
INSERT INTO kiosco_stock (workspace_id, sku, units)
SELECT :workspace, value, 0 FROM json_each(:skus) WHERE true ORDER BY 2
ON CONFLICT (workspace_id, sku) DO NOTHING;

-- keep_stock (postgres): the same
INSERT INTO kiosco_stock (workspace_id, sku, units)
SELECT CAST(:workspace AS text), value, 0 FROM jsonb_array_elements_text(CAST(:skus AS jsonb)) ORDER BY value COLLATE "C"
ON CONFLICT (workspace_id, sku) DO NOTHING;

-- put_digests: what the shop has now, and from which file
UPDATE kiosco_shops SET catalogue = :catalogue, imported = :imported WHERE workspace_id = :workspace;

-- variants: everything that is sold, for finding it
SELECT v.sku, p.name AS product, p.brand, p.category, v.flavour, v.size, v.tags, v.synonyms
FROM kiosco_variants v
JOIN kiosco_products p ON p.workspace_id = v.workspace_id AND p.product_id = v.product_id
WHERE v.workspace_id = :workspace ORDER BY v.sku;

-- prices: what everything costs and how many units there are
SELECT v.sku, v.price_cents, s.units
FROM kiosco_variants v JOIN kiosco_stock s ON s.workspace_id = v.workspace_id AND s.sku = v.sku
WHERE v.workspace_id = :workspace;

-- price: the same of one of them
SELECT v.sku, v.label, v.price_cents, s.units
FROM kiosco_variants v JOIN kiosco_stock s ON s.workspace_id = v.workspace_id AND s.sku = v.sku
WHERE v.workspace_id = :workspace AND v.sku = :sku;

-- take_stock: units for an order; no row where there are not enough
UPDATE kiosco_stock SET units = units - :quantity
WHERE workspace_id = :workspace AND sku = :sku AND units >= :quantity RETURNING units;

-- give_back_stock: units of an order that is no more
UPDATE kiosco_stock SET units = units + :quantity WHERE workspace_id = :workspace AND sku = :sku;

-- alternative: something like it that there is enough of; first the same product in another size or flavour
SELECT v.label, v.price_cents
FROM kiosco_variants v
JOIN kiosco_stock s ON s.workspace_id = v.workspace_id AND s.sku = v.sku
JOIN kiosco_products p ON p.workspace_id = v.workspace_id AND p.product_id = v.product_id
JOIN kiosco_variants w ON w.workspace_id = v.workspace_id AND w.sku = :sku
JOIN kiosco_products q ON q.workspace_id = w.workspace_id AND q.product_id = w.product_id
WHERE v.workspace_id = :workspace AND v.sku <> w.sku AND p.category = q.category AND s.units >= :quantity
ORDER BY CASE WHEN v.product_id = w.product_id THEN 0 ELSE 1 END, ABS(v.price_cents - w.price_cents), v.sku
LIMIT 1;
