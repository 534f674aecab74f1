-- add_person: somebody may log in
INSERT INTO panel_people (id, workspace_id, login, name, role, password, created_at)
VALUES (:id, :workspace, :login, :name, :role, :password, :at);

-- people: who works in a workspace; one of them by id, login or name
SELECT id, workspace_id, login, name, role, password, away, seen_at, created_at FROM panel_people
WHERE workspace_id = :workspace AND removed_at IS NULL
  AND (CAST(:person AS TEXT) = '' OR id = CAST(:person AS TEXT))
  AND (CAST(:login AS TEXT) = '' OR login = CAST(:login AS TEXT))
  AND (CAST(:name AS TEXT) = '' OR lower(name) = lower(CAST(:name AS TEXT)))
ORDER BY lower(name), id;

-- change_person: what is given replaces what was there
UPDATE panel_people SET name = COALESCE(CAST(:name AS TEXT), name), role = COALESCE(CAST(:role AS TEXT), role),
  away = COALESCE(CAST(:away AS INTEGER), away), password = COALESCE(CAST(:password AS TEXT), password)
WHERE workspace_id = :workspace AND id = :person AND removed_at IS NULL RETURNING id;

-- remove_person: the account ends; what they did stays
UPDATE panel_people SET removed_at = :at, password = '' WHERE workspace_id = :workspace AND id = :person AND removed_at IS NULL
RETURNING id, login;

-- lock_people: nothing to do, there is one writer
SELECT 1 WHERE :workspace IS NULL;

-- lock_people (postgres): who counts owners or compares names must not be overtaken
SELECT 1 FROM workspaces WHERE id = :workspace FOR UPDATE;

-- teams: who belongs to which team
SELECT m.team, m.person_id FROM panel_teams m JOIN panel_people p ON p.id = m.person_id
WHERE m.workspace_id = :workspace AND p.removed_at IS NULL ORDER BY m.team;

-- leave_teams: before a person's teams are written anew
DELETE FROM panel_teams WHERE workspace_id = :workspace AND person_id = :person;

-- join_team: one more
INSERT INTO panel_teams (workspace_id, team, person_id) VALUES (:workspace, :team, :person) ON CONFLICT DO NOTHING;

-- add_person_session: somebody has logged in
INSERT INTO person_sessions (hash, person_id, csrf, created_at, seen_at, expires_at)
VALUES (:hash, :person, :csrf, :at, :at, :expires_at);

-- find_person_session: who holds this cookie, while it works
SELECT p.id, p.workspace_id, p.login, p.name, p.role, p.password, p.away, p.seen_at, p.created_at, s.csrf,
  s.seen_at AS session_seen_at, w.name AS workspace_name
FROM person_sessions s JOIN panel_people p ON p.id = s.person_id JOIN workspaces w ON w.id = p.workspace_id
WHERE s.hash = :hash AND s.expires_at > :now AND s.seen_at > :idle_since AND p.removed_at IS NULL;

-- touch_person_session: the cookie is in use
UPDATE person_sessions SET seen_at = :at WHERE hash = :hash;

-- touch_person: somebody is there
UPDATE panel_people SET seen_at = :at WHERE id = :person;

-- end_person_session: it opens nothing any more
DELETE FROM person_sessions WHERE hash = :hash RETURNING person_id;

-- end_person_sessions: none of a person's does, but one that may stay
DELETE FROM person_sessions WHERE person_id = :person AND hash <> :but;

-- forget_person_sessions: those that have ended by themselves
DELETE FROM person_sessions WHERE expires_at <= :now;

-- count_attempt: one more attempt to log in, counted from the first of its window
INSERT INTO login_attempts (key, failures, at) VALUES (:key, 1, :at)
ON CONFLICT (key) DO UPDATE SET
  failures = CASE WHEN login_attempts.at <= :since THEN 1 ELSE login_attempts.failures + 1 END,
  at = CASE WHEN login_attempts.at <= :since THEN excluded.at ELSE login_attempts.at END
RETURNING failures, at;

-- clear_attempts: the right password was given
DELETE FROM login_attempts WHERE key = :key;

-- take_back_attempt: the right password was given from an address that others may guess from
UPDATE login_attempts SET failures = failures - 1 WHERE key = :key AND failures > 0;

-- forget_attempts: windows that are over
DELETE FROM login_attempts WHERE at < :before;
