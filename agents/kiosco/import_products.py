"""Import products into the shop of a workspace: python agents/kiosco/import_products.py products.csv --workspace main.

The database is that of HILO_DATABASE_URL. Every line is checked before anything is written.
"""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
from kiosco_shop import import_products
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.opening import open_store
from hilo.store.own_sql import read_own_sql
from hilo.store.own_tables import OwnDatabase, make_tables
from hilo.tools.given import Contact

AGENT = "kiosco"


async def bring(file: Path, workspace: str, console: Console) -> int:
    """Import a file, with a bar that shows how far it is."""
    now = datetime.now(UTC)
    own = read_own_sql(AGENT, Path(__file__).parent)
    assert own is not None  # noqa: S101 -- it is shipped with this file
    store = await open_store(read_settings().database_url)
    try:
        await make_tables(store, own, now=now)
        database = OwnDatabase(store, own, Contact(workspace, "", "", "", ""))
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task(file.name, total=None)
            return await import_products(
                database, file, now=now, progress=lambda done, total: bar.update(task, completed=done, total=total)
            )
    finally:
        await store.close()


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workspace", default="main", show_default=True, help="Whose shop it is.")
def main(file: Path, workspace: str) -> None:
    """Import the products of a CSV FILE."""
    errors = Console(stderr=True)
    try:
        written = asyncio.run(bring(file, workspace, errors))
    except HiloError as error:
        errors.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(1)
    click.echo(
        f"{written} product{'s' * (written != 1)} imported"
        if written
        else "nothing to do: this file was the last one imported"
    )


if __name__ == "__main__":
    main()
