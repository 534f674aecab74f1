-- change_basket: once, however often the call is repeated
INSERT INTO negocio_basket (workspace, contact, call, product, more)
VALUES (:workspace, :contact, :call, :product, :more)
ON CONFLICT (workspace, call) DO NOTHING;

-- basket: what this contact has chosen
SELECT product, sum(more) AS quantity FROM negocio_basket
WHERE workspace = :workspace AND contact = :contact
GROUP BY product ORDER BY product;

-- empty_basket: after an order
DELETE FROM negocio_basket WHERE workspace = :workspace AND contact = :contact;

-- add_order: once, however often the call is repeated
INSERT INTO negocio_orders (workspace, contact, call, name, address, notes, goods, total)
VALUES (:workspace, :contact, :call, :name, :address, :notes, :goods, :total)
ON CONFLICT (workspace, call) DO NOTHING;

-- count_orders: the number of the newest order of the shop
SELECT count(*) AS number FROM negocio_orders WHERE workspace = :workspace;
