"""Where state lives: the only SQL. Transactions are scripts that SQLite and PostgreSQL run alike."""
