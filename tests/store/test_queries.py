"""The store's own queries as the database reads them: a mistake must not wait for whoever runs one first."""

import asyncpg

from hilo.store.opening import open_store
from hilo.store.queries import queries


async def test_postgresql_can_prepare_every_query(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    await store.close()
    connection = await asyncpg.connect(postgres_url)
    wrong = {}
    for name, query in queries("postgres").items():
        try:
            await connection.prepare(query.sql)
        except asyncpg.PostgresError as error:
            wrong[name] = str(error)
    await connection.close()
    assert wrong == {}
