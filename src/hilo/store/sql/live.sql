-- tell_live: what has just happened, in order, for pages that are open; it gets its numbers when somebody reads
INSERT INTO live_events (workspace_id, at, event, session_id, detail)
SELECT :workspace, :at, json_extract(value, '$.event'), json_extract(value, '$.session'), json_extract(value, '$.detail')
FROM json_each(:events) ORDER BY key;

-- tell_live (postgres): the same
INSERT INTO live_events (workspace_id, at, event, session_id, detail)
SELECT CAST(:workspace AS TEXT), CAST(:at AS BIGINT), told.value ->> 'event', told.value ->> 'session', told.value ->> 'detail'
FROM json_array_elements(CAST(:events AS JSON)) WITH ORDINALITY AS told(value, place) ORDER BY told.place;

-- live_state: how far the numbers go, how far back, and whether something has none yet
SELECT COALESCE((SELECT number FROM live_heads WHERE workspace_id = :workspace), 0) AS head,
  (SELECT MIN(number) FROM live_events WHERE workspace_id = :workspace AND number IS NOT NULL) AS oldest,
  (SELECT id FROM live_events WHERE workspace_id = :workspace AND number IS NULL ORDER BY id LIMIT 1) AS unnumbered;

-- lock_live: the last number; until the end of this transaction nobody else gives any
INSERT INTO live_heads (workspace_id, number) VALUES (:workspace, 0)
ON CONFLICT (workspace_id) DO UPDATE SET number = live_heads.number RETURNING number;

-- number_live: numbers without gaps; what is committed later gets a later one, so no reader ever passes it by
UPDATE live_events SET number = n.number FROM (
  SELECT id, CAST(:head AS BIGINT) + ROW_NUMBER() OVER (ORDER BY id) AS number FROM live_events
  WHERE workspace_id = :workspace AND number IS NULL ORDER BY id LIMIT :at_most) n
WHERE live_events.id = n.id RETURNING live_events.number AS number;

-- raise_live: how far the numbers go now
UPDATE live_heads SET number = :number WHERE workspace_id = :workspace;

-- live_after: what happened after a number
SELECT number, at, event, session_id, detail FROM live_events
WHERE workspace_id = :workspace AND number > :after ORDER BY number LIMIT :at_most;

-- forget_live: pages that were away longer load anew
DELETE FROM live_events WHERE at < :before;
