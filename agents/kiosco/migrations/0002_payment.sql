-- How the contact wants to pay for what is in the cart, if they said so.
ALTER TABLE kiosco_carts ADD COLUMN pay TEXT NOT NULL DEFAULT '';
