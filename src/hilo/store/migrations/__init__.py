"""The shape of the database, step by step; each step works on SQLite and PostgreSQL."""
