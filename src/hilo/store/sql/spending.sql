-- change_totals: add to what is spent and reserved in a session, a day of its agent and a day of its workspace; always in
-- this order, so that whoever waits for a row holds none that comes later
INSERT INTO spending (workspace_id, scope, name, day, tokens, money, reserved_tokens, reserved_money)
VALUES (:workspace, 'session', :session, '', :tokens, :money, :reserved_tokens, :reserved_money),
  (:workspace, 'agent', :agent, :day, :tokens, :money, :reserved_tokens, :reserved_money),
  (:workspace, 'workspace', '', :day, :tokens, :money, :reserved_tokens, :reserved_money)
ON CONFLICT (workspace_id, scope, name, day) DO UPDATE SET
  tokens = spending.tokens + excluded.tokens, money = spending.money + excluded.money,
  reserved_tokens = spending.reserved_tokens + excluded.reserved_tokens,
  reserved_money = spending.reserved_money + excluded.reserved_money
RETURNING scope, tokens + reserved_tokens AS tokens, money + reserved_money AS money;

-- add_reservation: what an attempt at a request may cost at worst
INSERT INTO reservations (id, workspace_id, agent, session_id, turn, day, model, input_tokens, output_tokens, cost, expires_at)
VALUES (:id, :workspace, :agent, :session, :turn, :day, :model, :input_tokens, :output_tokens, :cost, :expires_at);

-- end_reservation: the attempt has ended; no row means that somebody has settled it before
DELETE FROM reservations WHERE id = :id RETURNING *;

-- end_expired_reservation: one whose process did not live to settle it
DELETE FROM reservations
WHERE id = (SELECT id FROM reservations WHERE expires_at <= :now ORDER BY expires_at LIMIT 1) RETURNING *;

-- record_usage: what an attempt at a request cost
INSERT INTO usage (session_id, turn, attempt, model, workspace_id, agent, at, input_tokens, output_tokens, cached_tokens,
  cache_written_tokens, cost)
VALUES (:session, :turn, :attempt, :model, :workspace, :agent, :at, :input_tokens, :output_tokens, :cached_tokens,
  :cache_written_tokens, :cost);
