-- find_sessions (sqlite): the newest sessions in which words stand: names, numbers, what is known, said by both sides or noted
SELECT s.id FROM sessions s JOIN addresses a ON a.id = s.address_id JOIN contacts c ON c.id = s.contact_id
WHERE s.workspace_id = :workspace AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
  AND (plain_letters(c.name) LIKE :words ESCAPE '\' OR plain_letters(a.value) LIKE :words ESCAPE '\'
    OR (:digits <> '' AND (c.phone LIKE :digits OR a.value LIKE :digits))
    OR EXISTS (SELECT 1 FROM json_each(s.state, '$.slots') k
      WHERE k.type = 'text' AND plain_letters(k.value) LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.id AND plain_letters(t.heard) LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM outbox o WHERE o.address_id = s.address_id AND o.session_id = s.id
      AND plain_letters(json_extract(o.message, '$.text')) LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM session_notes n WHERE n.session_id = s.id AND plain_letters(n.text) LIKE :words ESCAPE '\'))
ORDER BY s.last_at DESC, s.id DESC LIMIT :at_most;

-- find_sessions (postgres): the same
SELECT s.id FROM sessions s JOIN addresses a ON a.id = s.address_id JOIN contacts c ON c.id = s.contact_id
WHERE s.workspace_id = :workspace AND (CAST(:session AS TEXT) = '' OR s.id = CAST(:session AS TEXT))
  AND (plain_letters(c.name) LIKE :words ESCAPE '\' OR plain_letters(a.value) LIKE :words ESCAPE '\'
    OR (CAST(:digits AS TEXT) <> '' AND (c.phone LIKE CAST(:digits AS TEXT) OR a.value LIKE CAST(:digits AS TEXT)))
    OR EXISTS (SELECT 1 FROM json_each(s.state -> 'slots') k
      WHERE json_typeof(k.value) = 'string' AND plain_letters(k.value #>> '{}') LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.id AND plain_letters(t.heard) LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM outbox o WHERE o.address_id = s.address_id AND o.session_id = s.id
      AND plain_letters(o.message ->> 'text') LIKE :words ESCAPE '\')
    OR EXISTS (SELECT 1 FROM session_notes n WHERE n.session_id = s.id AND plain_letters(n.text) LIKE :words ESCAPE '\'))
ORDER BY s.last_at DESC, s.id DESC LIMIT :at_most;
