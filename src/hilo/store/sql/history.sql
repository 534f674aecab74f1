-- newest_exchanges: what was said in a session after a turn, the newest first
SELECT number, heard, said FROM turns WHERE session_id = :session AND number > :after ORDER BY number DESC LIMIT :most;
