-- add_bill: what an attempt at a turn spent on one model, unless it is written down already
INSERT INTO usage (session_id, turn, attempt, model, workspace_id, agent, at, input_tokens, output_tokens, cached_tokens,
  cache_written_tokens, cost)
VALUES (:session, :turn, :attempt, :model, :workspace, :agent, :at, :input_tokens, :output_tokens, :cached_tokens,
  :cache_written_tokens, :cost)
ON CONFLICT DO NOTHING RETURNING turn;

-- add_spending: a running total grows
INSERT INTO spending (workspace_id, scope, name, day, tokens, money)
VALUES (:workspace, :scope, :name, :day, :tokens, :money)
ON CONFLICT (workspace_id, scope, name, day)
DO UPDATE SET tokens = spending.tokens + excluded.tokens, money = spending.money + excluded.money;

-- spending: a running total
SELECT tokens, money FROM spending
WHERE workspace_id = :workspace AND scope = :scope AND name = :name AND day = :day;
