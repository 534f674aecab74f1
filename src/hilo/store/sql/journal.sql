-- calls_of_turn: calls that an earlier attempt at this turn has made
SELECT call_id, attempt, tool, arguments, status, outputs, error, tell, asks, person, inbox_id FROM tool_calls
WHERE session_id = :session AND turn = :turn AND inbox_id >= :first ORDER BY started_at, call_id, attempt;

-- begin_call: what is about to be done, written down before it is done
INSERT INTO tool_calls (session_id, turn, call_id, attempt, tool, arguments, started_at, inbox_id)
VALUES (:session, :turn, :call_id, :attempt, :tool, :arguments, :at, :inbox)
ON CONFLICT (session_id, turn, call_id, attempt) DO NOTHING;

-- end_call: what came of it; the first word stands, for a zombie may have the last
UPDATE tool_calls SET status = :status, outputs = :outputs, error = :error, tell = :tell, asks = :asks, person = :person, ended_at = :at
WHERE session_id = :session AND turn = :turn AND call_id = :call_id AND attempt = :attempt AND status = 'started';

-- forget_calls: the calls of a turn that was thrown away before it did anything that lasts
DELETE FROM tool_calls WHERE session_id = :session AND turn = :turn;
