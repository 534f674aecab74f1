-- lock_agent_migrations: SQLite has one writer as it is
SELECT 'sqlite' AS dialect;

-- lock_agent_migrations (postgres): one process makes agents' tables, the others wait
SELECT 'postgres' AS dialect, pg_advisory_xact_lock(7241802);

-- agent_migration: whether a step was done
SELECT at FROM agent_migrations WHERE agent = :agent AND name = :name;

-- add_agent_migration: a step is done
INSERT INTO agent_migrations (agent, name, at) VALUES (:agent, :name, :at);
