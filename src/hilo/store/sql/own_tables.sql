-- lock_agent_migrations: SQLite has one writer as it is
SELECT 'sqlite' AS dialect;

-- lock_agent_migrations (postgres): one process makes agents' tables, the others wait
SELECT 'postgres' AS dialect, pg_advisory_xact_lock(7241802);

-- agent_migration: when a step was done, and what it said; nothing is known of what one from before said
SELECT at, digest FROM agent_migrations WHERE agent = :agent AND name = :name;

-- note_agent_migration: a step is done, and this is what it said
INSERT INTO agent_migrations (agent, name, at, digest) VALUES (:agent, :name, :at, :digest)
ON CONFLICT (agent, name) DO UPDATE SET digest = excluded.digest;
